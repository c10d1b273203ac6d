"""Look up the deficiency of one hand in plain Python, without compilation."""

from collections.abc import Iterable, Sequence
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt.hands.hand import MAX_CALLED, check_called
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, default_forms
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.rules.winning_form import Forms, WinningForm, templates_of
from mjopt.hands.tiles import COPIES, FULL, M0, TileSet, as_list, as_tiles, check_counts
from mjopt.tables.bundles.bundle import NO_HAND
from mjopt.tables.bundles.rule_lookup import RuleLookup, lookup_of
from mjopt.tables.bundles.rule_tables import are_ready, has_tables
from mjopt.tables.rows.validation import not_a_hand, tiles_by_length
from mjopt.tables.suits.state_index import MOST_TILES
from mjopt.tables.suits.template_cost import least_missing

_BY_LENGTH: Final = {27: M0, 34: FULL}
_LOOKUPS: Final[dict[Forms, RuleLookup]] = {}
_MOST_KEPT: Final = 256  # sets of forms whose look-ups are kept

Copies = tuple[int, ...]


def lookup_for(forms: Forms) -> RuleLookup | None:
    """Return the look-ups of some forms; None if their tables were not derived, or do not exist.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import classic_forms
    >>> lookup_for(classic_forms(FULL)).one(bytes([2] * 7 + [0] * 27), 0)
    0
    """
    found = _LOOKUPS.get(forms)
    if found is None:
        tiles, templates = forms[0].tiles, templates_of(forms)
        if not has_tables(tiles) or not are_ready(templates, tiles):
            return None
        found = lookup_of(templates, tiles)
        if found.arrays.tables.others:
            return None
        if len(_LOOKUPS) >= _MOST_KEPT:
            _LOOKUPS.clear()
        _LOOKUPS[forms] = found
    return found


def look_up(query: HandQuery) -> int:
    """Return the deficiency of a query.

    Tables answer if all tiles that the hand does not hold can arrive, for called melds of any
    kind; otherwise, and without tables, the dynamic program.

    Examples
    --------
    >>> look_up(HandQuery("1112345678999m1p")), look_up(HandQuery("12m", called=4))
    (1, 1)
    >>> look_up(HandQuery("1112345678999m", unseen="9m"))
    1
    """
    hand = query.hand
    if not (hand.melds or query.is_limited) and (lookup := lookup_for(query.forms)) is not None:
        return lookup.one(bytes(hand.counts), hand.called, partial=hand.partial)
    templates = [template for form in query.forms for template in query.templates(form)]
    return least_missing(templates, hand.tiles, hand.counts, query.unseen, hand.called)


def look_up_counts(
    counts: Sequence[int], called: int, forms: Forms, *, partial: bool = False
) -> int:
    """Return the deficiency of a hand, with all copies that it does not hold; negative if no hand.

    Only tables find that the counts, shape ``(K,)``, are not a hand; without them the dynamic
    program answers. The forms have one tile set and size; ``partial`` allows fewer tiles.
    """
    lookup = lookup_for(forms)
    if lookup is not None:
        return lookup.one(bytes(counts), called, partial=partial)
    left = tuple([COPIES - held for held in counts])
    return least_missing(templates_of(forms), forms[0].tiles, tuple(counts), left, called)


def look_up_limited(
    counts: Copies, unseen: Copies, called: int, forms: Forms, *, partial: bool = False
) -> int:
    """Return :func:`label_limited_one` without validation, for arguments known to be valid."""
    # Tables answer if the limits exclude no copy: a hand never draws a fifth one.
    caps = tuple([min(cap, COPIES - have) for cap, have in zip(unseen, counts, strict=True)])
    if all(cap + have == COPIES for cap, have in zip(caps, counts, strict=True)):
        return look_up_counts(counts, called, forms, partial=partial)
    return least_missing(templates_of(forms), forms[0].tiles, counts, caps, called)


def label_one(
    counts: Sequence[int],
    called: int = 0,
    *,
    forms: str | Iterable[str | WinningForm] = DEFAULT_FORM,
    partial: bool = False,
    tiles: TileSet | str | None = None,
) -> int:
    """Return the deficiency of one hand in a few microseconds.

    Parameters
    ----------
    counts
        Copies per kind, 27 or 34 of them.
    called
        Melds on the table.
    forms
        The winning forms; the least deficiency over them is returned.
    partial
        Allow fewer tiles than a hand has.
    tiles
        The tile set or its name; by default ``M0`` for 27 counts and ``FULL`` for 34.

    Raises
    ------
    TileError, HandError
        If the counts are not a hand.
    TypeError
        If an argument is of another type.

    Examples
    --------
    >>> label_one([3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17)
    1
    >>> label_one([1, 0, 0, 0, 0, 0, 0, 0, 1] * 3 + [1] * 6 + [2])
    8
    >>> label_one([0] * 33 + [2], called=4)
    0
    """
    if not isinstance(counts, list | tuple):
        counts = _as_counts(counts)
    try:
        held = bytes(counts)
    except TypeError:
        raise TypeError(f"counts: {short_repr(counts)}, expected 27 or 34 counts") from None
    except ValueError:  # a number below 0 or above 255
        held = None
    if tiles is not None and not isinstance(tiles, TileSet):
        tiles = as_tiles(tiles)
    if type(called) is not int or not 0 <= called <= MAX_CALLED:
        check_called(called)
    if tiles is None:
        tiles = _BY_LENGTH.get(len(counts))
    if tiles is None or tiles.num_kinds != len(counts) or not tiles.is_built_in:
        tiles = tiles_by_length(len(counts), tiles)  # raises the error
    if isinstance(forms, str) and forms == DEFAULT_FORM:
        chosen = default_forms(tiles)
    else:
        chosen = check_forms(forms, tiles)
    value = NO_HAND if held is None else look_up_counts(held, called, chosen, partial=partial)
    if value < 0:
        given = [int(copies) for copies in counts]
        raise not_a_hand(given, called=called, partial=partial, tiles=tiles)
    return value


def label_limited_one(
    counts: Sequence[int],
    unseen: Sequence[int],
    called: int = 0,
    *,
    forms: str | Iterable[str | WinningForm] = DEFAULT_FORM,
    partial: bool = False,
    tiles: TileSet | str | None = None,
) -> int:
    """Return the deficiency of one hand with a limit on the copies that can still arrive.

    Parameters
    ----------
    counts
        Copies per kind, 27 or 34 of them.
    unseen
        Copies of each kind that can still arrive, each in ``0..4``; larger numbers are
        reduced to ``4 - counts``.
    called, forms, partial, tiles
        As for :func:`mjopt.tables.label_one`.

    Returns
    -------
    int
        The deficiency, or ``UNREACHABLE`` if those copies cannot complete the hand.

    Examples
    --------
    >>> hand = [3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17
    >>> from mjopt import UNREACHABLE
    >>> label_limited_one(hand, [1] * 27), label_limited_one(hand, [0] * 27) == UNREACHABLE
    (1, True)
    """
    counts = as_list(counts, "counts")
    tiles = tiles_by_length(len(counts), None if tiles is None else as_tiles(tiles))
    check_called(called)
    chosen = check_forms(forms, tiles)
    held = check_counts(counts, tiles)
    left = check_counts(unseen, tiles, what="unseen")
    most = MOST_TILES - 3 * called
    if sum(held) > most or (sum(held) < most - 1 and not partial):
        raise not_a_hand(held, called=called, partial=partial, tiles=tiles)
    return look_up_limited(held, left, called, chosen, partial=partial)


def _as_counts(given: object) -> Sequence[int]:
    """Return counts that are no list: an array, whose bytes are others, or an iterator."""
    if isinstance(given, int | str) or not hasattr(given, "__iter__"):
        raise TypeError(f"counts: {short_repr(given)}, expected 27 or 34 counts")
    counts = getattr(given, "tolist", lambda: given)()
    return as_list(counts, "counts")
