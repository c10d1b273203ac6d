"""The winning forms: standard, seven pairs and thirteen orphans."""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from mjopt._internal.sanitize import short_repr
from mjopt.errors import HandError, TileError
from mjopt.hands.blocks import beyond
from mjopt.hands.hand import HAND_SIZE, Hand
from mjopt.hands.rule_set import CLASSIC, RuleSet, WinningForm
from mjopt.hands.tiles import FULL, M0, TileSet, as_list

STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS = CLASSIC

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

_STANDARD_ONLY: Final = (STANDARD,)
RIICHI: Final = (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)

FormsLike = str | Iterable[str] | RuleSet | Path | None
"""Winning forms: names, rule sets, or files of rules; None for those of the hand."""

_EXPECTED: Final = (*FORMS, "riichi", "all", "a rule set", "FILE.toml")

_NAMED: Final = {name: form for form, names in FORM_NAMES.items() for name in (form, *names)}

UNREACHABLE: Final = 127
"""The deficiency of a hand that the unseen tiles cannot complete.

It fits an int8 and exceeds every deficiency, so that a minimum over several forms needs no
special case.
"""


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


def check_forms(forms: Iterable[str], tiles: TileSet) -> tuple[str, ...]:
    """Validate winning forms and return them as a tuple.

    Parameters
    ----------
    forms
        Names from ``FORMS`` or ``FORM_NAMES``; ``riichi`` for standard, seven pairs and
        thirteen orphans, ``all`` for every form possible with the tile set. One text can
        hold several names, separated by commas.
    tiles
        The tile set.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL, M0
    >>> check_forms("riichi", FULL), check_forms("all", M0)
    (('standard', 'seven_pairs', 'thirteen_orphans'), ('standard', 'seven_pairs'))
    >>> check_forms(["standard", "chiitoi"], M0)
    ('standard', 'seven_pairs')
    >>> check_forms(["kokushi"], M0)
    Traceback (most recent call last):
    mjopt.errors.HandError: thirteen_orphans needs 13 terminals and honours, M0 has 6 ...
    """
    if type(forms) is tuple and (
        forms == _STANDARD_ONLY or (forms == RIICHI and orphan_kinds(tiles))
    ):
        return forms
    words = _words(forms)
    chosen: list[str] = []
    for word in words:
        if _is_of_rules(word):
            raise HandError(
                argument="forms",
                value=short_repr(str(word)),
                message=f"only {', '.join(FORMS)} are possible here",
            )
        if isinstance(word, str) and word in FORMS:
            chosen.append(word)
            continue
        name = "_".join(re.split(r"[\s_-]+", word.strip().lower())) if isinstance(word, str) else ""
        if name == "riichi":
            chosen += RIICHI
        elif name == "all":
            chosen += [f for f in FORMS if f != THIRTEEN_ORPHANS or orphan_kinds(tiles)]
        elif name in _NAMED:
            chosen.append(_NAMED[name])
        else:
            raise HandError(
                "unknown",
                argument="forms",
                value=short_repr(word),
                expected=_EXPECTED,
            )
    if THIRTEEN_ORPHANS in chosen and not orphan_kinds(tiles):
        present = len(_outer_kinds(tiles))
        raise HandError(
            f"{THIRTEEN_ORPHANS} needs 13 terminals and honours, {tiles.name} has {present}",
            expected="tiles 136",
        )
    return tuple(dict.fromkeys(chosen))


def _is_of_rules(word: object) -> bool:
    """Return whether a word is, or names, more than today's three forms; no file is read."""
    from mjopt.hands.rule_file import is_rule_file

    if isinstance(word, Path) or (isinstance(word, str) and is_rule_file(word.strip())):
        return True
    return rules_of(word) is not None


def read_forms(
    forms: FormsLike, tiles: TileSet, size: int = HAND_SIZE, *, rules: RuleSet | None = None
) -> tuple[str, ...]:
    """Validate winning forms of any rule set and return them as a tuple.

    Parameters
    ----------
    forms
        As for :func:`check_forms`, and also rule sets: their names, the paths of their files, or
        one form of a rule set, such as ``mcr.knitted_straight``. By default those of ``rules``,
        and without rules the standard form.
    tiles, size
        The tile set of the hand, and the number of tiles of a complete hand.
    rules
        The rule set of the hand.

    Returns
    -------
    tuple of str
        Names of today's three forms and :class:`WinningForm` objects, each once.

    Raises
    ------
    HandError
        If a form is unknown, or is about another tile set or size.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> read_forms("mcr.knitted_straight,standard", FULL)
    ('mcr.knitted_straight', 'standard')
    >>> read_forms("taiwan", FULL)
    Traceback (most recent call last):
    mjopt.errors.HandError: forms 'taiwan': hands of 17 tiles, but this one is of 14
    """
    if forms is None:
        forms = _STANDARD_ONLY if rules is None else rules.forms
    if size == HAND_SIZE and type(forms) is tuple and forms == _STANDARD_ONLY:
        return _STANDARD_ONLY
    chosen: list[str] = []
    for word in _words(forms):
        known = word if isinstance(word, WinningForm) else rules_of(word)
        if isinstance(known, RuleSet):
            some: tuple[str, ...] = known.forms
            its_tiles, its_size = known.tiles, known.size
        elif known is not None:
            some, its_tiles, its_size = (known,), known.tiles, known.size
        else:
            some, its_tiles, its_size = check_forms([word], tiles), tiles, HAND_SIZE
        if its_size != size:
            raise HandError(
                f"hands of {its_size} tiles, but this one is of {size}",
                argument="forms",
                value=short_repr(str(word)),
            )
        if its_tiles != tiles:
            raise HandError(
                f"hands of {its_tiles.name}, but this one is of {tiles.name}",
                argument="forms",
                value=short_repr(str(word)),
            )
        chosen += some
    by_name: dict[str, str] = {}
    for form in chosen:
        other = by_name.setdefault(form, form)
        if isinstance(form, WinningForm) and form.templates != getattr(other, "templates", ()):
            raise HandError("two different forms of that name", argument="forms", value=repr(form))
    return tuple(by_name)


def _words(forms: FormsLike) -> list[Any]:
    """Return the words of an argument, each a name, a form, a rule set or a path."""
    if isinstance(forms, WinningForm | RuleSet | Path):
        return [forms]
    if isinstance(forms, str):
        words = forms.split(",")
    else:
        words = as_list(() if forms is None else forms, "forms", "names")
    if not words:
        raise HandError("no form given", expected=f"some of {', '.join(FORMS)}")
    return words


def rules_of(word: object) -> RuleSet | WinningForm | None:
    """Return the rule set, or its one form, that a word names; None for today's three forms.

    Examples
    --------
    >>> rules_of("taiwan").size, rules_of("standard"), rules_of("riichi")
    (17, None, None)
    """
    if isinstance(word, RuleSet | WinningForm):
        return word
    if not isinstance(word, str | Path) or word in FORMS:
        return None
    from mjopt.hands.rule_file import RULE_SETS, get_rules, is_rule_file

    text = str(word).strip()
    name, _, form = text.lower().partition(".")
    if is_rule_file(text):
        return get_rules(text)
    if name not in RULE_SETS or (not form and name in ("riichi", "basic", "sanma")):
        return None
    rules = get_rules(name)
    if not form:
        return rules
    found = next((known for known in rules.forms if known in (f"{name}.{form}", form)), None)
    return found if isinstance(found, WinningForm) else None


def rule_set_of(forms: FormsLike) -> RuleSet | None:
    """Return the rule set that decides tiles and size where only the forms are given.

    Examples
    --------
    >>> rule_set_of("taiwan").name, rule_set_of(("standard", "seven_pairs"))
    ('taiwan', None)
    """
    if forms is None or (isinstance(forms, tuple) and forms == _STANDARD_ONLY):
        return None
    words = _words(forms) if isinstance(forms, str | list | tuple | RuleSet | Path) else []
    for word in words:
        known = rules_of(word)
        if isinstance(known, WinningForm):
            return RuleSet.of_form(known)
        if known is not None:
            return known
    return None


def needs_honours(forms: Iterable[str]) -> bool:
    """Return whether a named form is impossible in M0; ``all`` never is.

    Examples
    --------
    >>> needs_honours("riichi"), needs_honours(["chiitoi"]), needs_honours("all")
    (True, False, False)
    """
    if type(forms) is tuple and forms in (_STANDARD_ONLY, RIICHI):
        return forms == RIICHI
    if not forms or THIRTEEN_ORPHANS not in check_forms(forms, FULL):
        return False
    try:
        check_forms(forms, M0)
    except HandError:
        return True
    return False


def missing_tiles(form: str, hand: Hand, unseen: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return a smallest set of tiles that completes seven pairs or thirteen orphans.

    Kinds are independent in both forms, so the cheapest kinds are optimal.

    Parameters
    ----------
    form
        ``"seven_pairs"`` or ``"thirteen_orphans"``.
    hand
        The hand; with called melds neither form is possible.
    unseen
        Copies of each kind that can still arrive, at most those not in the hand.

    Returns
    -------
    tuple of int or None
        Copies to draw per kind; None if the form cannot be reached.

    Examples
    --------
    >>> hand = Hand.parse("1122334455667m8p")
    >>> sum(missing_tiles("seven_pairs", hand, hand.unseen))
    1
    """
    if hand.called:
        return None
    if form == SEVEN_PAIRS:
        wanted = _cheapest_pairs(hand.counts, unseen)
    elif form == THIRTEEN_ORPHANS:
        wanted = _cheapest_orphans(hand.counts, unseen, orphan_kinds(hand.tiles))
    else:
        raise TileError(f"{form} is not a form of single kinds")
    if wanted is None:
        return None
    return beyond(wanted, hand.counts)


def num_missing(form: str, hand: Hand, unseen: tuple[int, ...]) -> int:
    """Return the deficiency for one form; ``UNREACHABLE`` if the form is impossible."""
    missing = missing_tiles(form, hand, unseen)
    return UNREACHABLE if missing is None else sum(missing)


def missing_and_helpful(
    form: str, hand: Hand, unseen: tuple[int, ...]
) -> tuple[int, frozenset[int]]:
    """Return the deficiency for seven pairs or orphans, and the kinds that lower it.

    Examples
    --------
    >>> hand = Hand.parse("1122334455667m")
    >>> missing_and_helpful("seven_pairs", hand, hand.unseen)
    (1, frozenset({6}))
    """
    missing = missing_tiles(form, hand, unseen)
    if missing is None:
        return UNREACHABLE, frozenset()
    if form == SEVEN_PAIRS:
        prices = pair_prices(hand.counts, unseen)
        highest = sorted(prices.values())[6]
        return sum(missing), frozenset(k for k, price in prices.items() if 0 < price <= highest)
    orphans = orphan_kinds(hand.tiles)
    is_paired = any(hand.counts[kind] > 1 for kind in orphans)
    useful = [k for k in orphans if unseen[k] and not (is_paired and hand.counts[k])]
    return sum(missing), frozenset(useful)


def pair_prices(counts: tuple[int, ...], unseen: tuple[int, ...]) -> dict[int, int]:
    """Return the missing copies of a pair, for each kind of which a pair is possible."""
    return {
        kind: max(0, 2 - held)
        for kind, (held, arriving) in enumerate(zip(counts, unseen, strict=True))
        if held + arriving >= 2
    }


def _cheapest_pairs(counts: tuple[int, ...], unseen: tuple[int, ...]) -> tuple[int, ...] | None:
    prices = pair_prices(counts, unseen)
    if len(prices) < 7:
        return None
    chosen = sorted(prices, key=lambda kind: (prices[kind], kind))[:7]
    return tuple(2 if kind in chosen else 0 for kind in range(len(counts)))


def _cheapest_orphans(
    counts: tuple[int, ...], unseen: tuple[int, ...], orphans: tuple[int, ...]
) -> tuple[int, ...] | None:
    reach = {kind: counts[kind] + unseen[kind] for kind in orphans}
    pairs = [kind for kind in orphans if reach[kind] >= 2]
    if min(reach.values()) < 1 or not pairs:
        return None
    pair = max(pairs, key=lambda kind: min(counts[kind], 2))
    return tuple((2 if kind == pair else 1) if kind in reach else 0 for kind in range(len(counts)))
