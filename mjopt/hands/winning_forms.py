"""The winning forms: standard, seven pairs and thirteen orphans."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt.errors import HandError, TileError
from mjopt.hands.blocks import beyond
from mjopt.hands.hand import Hand
from mjopt.hands.rule_set import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from mjopt.hands.tiles import FULL, M0, TileSet, as_list

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
    words = forms.split(",") if isinstance(forms, str) else as_list(forms, "forms", "names")
    if not words:
        raise HandError("no form given", expected=f"some of {', '.join(FORMS)}")
    chosen: list[str] = []
    for word in words:
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
                expected=(*FORMS, "riichi", "all"),
            )
    if THIRTEEN_ORPHANS in chosen and not orphan_kinds(tiles):
        present = len(_outer_kinds(tiles))
        raise HandError(
            f"{THIRTEEN_ORPHANS} needs 13 terminals and honours, {tiles.name} has {present}",
            expected="tiles 136",
        )
    return tuple(dict.fromkeys(chosen))


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
