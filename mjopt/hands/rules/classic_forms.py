"""The classic winning forms (standard, seven pairs, thirteen orphans) and their names."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt.errors import HandError
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import Forms, WinningForm
from mjopt.hands.tiles import TileSet

HAND_SIZE: Final = 14
"""Number of tiles of a complete hand of these forms."""

STANDARD: Final = "standard"
SEVEN_PAIRS: Final = "seven_pairs"
THIRTEEN_ORPHANS: Final = "thirteen_orphans"

DEFAULT_FORM: Final = STANDARD
"""The form that counts if none is given."""

FORMS: Final[dict[str, str]] = {
    STANDARD: "four melds and an eye",
    SEVEN_PAIRS: "seven pairs of different kinds",
    THIRTEEN_ORPHANS: "one of every terminal and honour, and one of them twice",
}
"""The winning forms, each with its definition."""

FORM_NAMES: Final[dict[str, tuple[str, ...]]] = {
    STANDARD: ("normal", "ippan", "一般形"),
    SEVEN_PAIRS: ("chiitoi", "chiitoitsu", "qidui", "qiduizi", "七対子", "七对", "七對"),
    THIRTEEN_ORPHANS: (
        *("kokushi", "kokushi_musou", "shisanyao"),
        *("国士無双", "国士", "十三幺", "十三么"),
    ),
}
"""Other names of the forms. Case is ignored; spaces and hyphens are read as ``_``."""

RIICHI: Final = (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)

_EXPECTED: Final = (*FORMS, "riichi", "all", "a rule set", "FILE.toml")

_NAMED: Final = {name: form for form, names in FORM_NAMES.items() for name in (form, *names)}

UNREACHABLE: Final = 127
"""The deficiency of a hand that the unseen tiles cannot complete.

It fits an int8 and exceeds every deficiency, so that a minimum over several forms needs no
special case.
"""


@lru_cache(maxsize=32)
def standard_template(tiles: TileSet) -> Template:
    """Return the template of four melds and an eye."""
    kinds = tuple(range(tiles.num_kinds))
    return Template(fixed=(0,) * len(kinds), melds=4, eyes=1, kinds=kinds)


@lru_cache(maxsize=32)
def orphan_kinds(tiles: TileSet) -> tuple[int, ...]:
    """Return the thirteen terminals and honours; empty if the tile set lacks some.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL, M0
    >>> len(orphan_kinds(FULL)), orphan_kinds(M0)
    (13, ())
    """
    kinds = _outer_kinds(tiles)
    return kinds if len(kinds) == 13 else ()


def _outer_kinds(tiles: TileSet) -> tuple[int, ...]:
    """Return the terminals and honours of a tile set."""
    return tuple(k for k, name in enumerate(tiles.names) if name[1] == "z" or name[0] in "19")


@cache
def classic_form(name: str, tiles: TileSet) -> WinningForm:
    """Return a form of ``FORMS``; `HandError` if the tile set lacks its tiles."""
    every = tuple(range(tiles.num_kinds))
    nothing = (0,) * tiles.num_kinds
    if name not in FORMS:
        raise HandError(f"{name} is not a classic form")
    if name == STANDARD:
        template = standard_template(tiles)
    elif name == SEVEN_PAIRS:
        template = Template(fixed=nothing, pairs=7, kinds=every)
    else:
        orphans = orphan_kinds(tiles)
        if not orphans:
            present = len(_outer_kinds(tiles))
            raise HandError(
                f"{name} needs 13 terminals and honours, {tiles.name} has {present}",
                expected="tiles 136",
            )
        template = Template(fixed=nothing, distinct=13, doubled=1, of=orphans)
    return WinningForm(name, tiles, (template,))


@cache
def classic_forms(tiles: TileSet) -> Forms:
    """Return the forms of ``FORMS`` that are possible with a tile set.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> classic_forms(M0)
    (<WinningForm standard>, <WinningForm seven_pairs>)
    """
    has_orphans = bool(orphan_kinds(tiles))
    names = [name for name in FORMS if name != THIRTEEN_ORPHANS or has_orphans]
    return tuple([classic_form(name, tiles) for name in names])


@cache
def default_forms(tiles: TileSet) -> Forms:
    """Return the form that counts if none is given, as the only one."""
    return (classic_form(DEFAULT_FORM, tiles),)


@lru_cache(maxsize=1 << 10)
def is_classic(forms: Forms) -> bool:
    """Return whether every form is one of ``FORMS``, by its name and its templates.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> is_classic(classic_forms(M0)), is_classic(get_rules("mcr").forms)
    (True, False)
    """
    return all(form in classic_forms(form.tiles) for form in forms)


@lru_cache(maxsize=1 << 8)
def named_forms(word: str, tiles: TileSet) -> Forms:
    """Return the classic forms that a word names: one, ``riichi`` or ``all``.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> named_forms("Chiitoi", M0), len(named_forms("all", M0))
    ((<WinningForm seven_pairs>,), 2)
    """
    if word in FORMS:
        return (classic_form(word, tiles),)
    name = "_".join(re.split(r"[\s_-]+", word.strip().lower()))
    if name == "riichi":
        return tuple([classic_form(form, tiles) for form in RIICHI])
    if name == "all":
        return classic_forms(tiles)
    if name in _NAMED:
        return (classic_form(_NAMED[name], tiles),)
    raise unknown_form(word)


def unknown_form(word: object) -> HandError:
    """Return the error of a word that names no form."""
    return HandError("unknown", argument="forms", value=short_repr(word), expected=_EXPECTED)


def has_plain(forms: Iterable[WinningForm]) -> bool:
    """Return whether four melds and an eye is among some forms."""
    return True in [form.is_plain for form in forms]  # twice as fast as `any` of a generator


def names_of(forms: Iterable[WinningForm]) -> tuple[str, ...]:
    """Return the names of some forms."""
    return tuple([form.name for form in forms])
