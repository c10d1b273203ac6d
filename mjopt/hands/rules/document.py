"""Rule sets and winning forms as plain data, as certificates and datasets hold them."""

import hashlib
import json
from dataclasses import asdict
from functools import lru_cache

from mjopt.hands.rules.classic_forms import is_classic
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import TileSet


def rules_document(rules: RuleSet) -> dict[str, object]:
    """Return a rule set as plain data; :func:`mjopt.proofs.native_forms.read_rules` reads it.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> document = rules_document(get_rules("taiwan"))
    >>> document["size"], document["forms"], list(document["definitions"])
    (17, ['taiwan'], ['taiwan'])
    """
    return {
        "name": rules.name,
        "title": rules.title,
        "size": rules.size,
        "tiles": tiles_document(rules.tiles),
        "forms": [form.name for form in rules.forms],
        "definitions": definitions(rules.forms),
    }


def rules_digest(rules: RuleSet) -> str:
    """Return the SHA-256 of a rule set without its title."""
    data = rules_document(rules) | {"title": ""}
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def definitions(forms: tuple[WinningForm, ...]) -> dict[str, dict[str, object]]:
    """Return the definitions of forms that are not classic as plain data, by their names."""
    return {form.name: _definition(form) for form in forms if not is_classic((form,))}


@lru_cache(maxsize=32)
def _definition(form: WinningForm) -> dict[str, object]:
    """Return the definition of a form; the result is cached and must not be changed."""
    parts = [
        {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in asdict(t).items()
        }
        for t in form.templates
    ]
    return {"sha256": form.digest, "templates": parts}


@lru_cache(maxsize=32)
def tiles_document(tiles: TileSet) -> dict[str, object]:
    """Return a tile set as plain data; the result is cached and must not be changed."""
    return {
        "name": tiles.name,
        "suits": [asdict(suit) | {"ranks": list(suit.ranks)} for suit in tiles.suits],
    }
