"""Useful tiles: tiles that lower the deficiency of a hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from mjopt.errors import HandError
from mjopt.hands.coerce import HandLike, TilesLike
from mjopt.hands.hand import Hand
from mjopt.hands.pairs_and_orphans import missing_and_helpful
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE, is_classic
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES

if TYPE_CHECKING:  # NumPy is loaded on first use
    from mjopt.tables.bundles.rule_lookup import RuleLookup

_COPIES = itemgetter(1)

Wait = tuple[int, list[int]]
"""Deficiency and useful kinds, if all copies not held can arrive."""

Copies = tuple[tuple[int, int], ...]
"""Pairs of kind and number of copies, by kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsefulTiles:
    """The useful tiles of a hand and their unseen copies.

    Parameters
    ----------
    hand
        A hand before its draw.
    deficiency
        Tile changes with the tiles that can still arrive.
    shape
        Tile changes if all copies not held could arrive: less than ``deficiency``
        if the tiles that the hand needs are unavailable.
    copies
        Useful kinds and copies unseen, by kind.

    Examples
    --------
    >>> import mjopt
    >>> useful = mjopt.useful_tiles("1112345678999m")
    >>> useful.deficiency, useful.num_copies, [mjopt.M0.names[kind] for kind in useful.kinds]
    (1, 23, ['1m', '2m', '3m', '4m', '5m', '6m', '7m', '8m', '9m'])
    """

    hand: Hand
    deficiency: int
    shape: int
    copies: Copies

    @property
    def kinds(self) -> tuple[int, ...]:
        """The useful kinds."""
        return tuple(kind for kind, _ in self.copies)

    @property
    def num_copies(self) -> int:
        """Number of unseen useful tiles."""
        return sum(map(_COPIES, self.copies))

    @property
    def is_dead_wait(self) -> bool:
        """Whether one tile would complete the hand, but no copy of such a tile can arrive."""
        return self.shape == 1 and self.deficiency > 1

    @property
    def words(self) -> str:
        """The state of the hand in words."""
        if self.deficiency == UNREACHABLE:
            return "cannot win with the tiles that are left"
        if self.is_dead_wait:
            return f"ready in shape, but nothing it waits for is left: {self.deficiency} changes"
        if self.deficiency == 0:
            return "complete"
        return "ready" if self.deficiency == 1 else f"{self.deficiency} changes"


def useful_of(
    hands: Sequence[Hand],
    unseen: Sequence[tuple[int, ...]],
    forms: tuple[WinningForm, ...],
    full: Hand | None = None,
) -> list[UsefulTiles]:
    """Find the useful tiles of hands of one tile set with the same number of called melds.

    ``unseen`` has the copies of each kind that can still arrive, for each hand. If the hands are
    the results of the discards of one hand, one per kind, ``full`` is that hand.
    """
    waits = _waits(hands, forms, full)
    if waits is None:
        helpful = helpful_copies(hands, unseen, forms)
        own = [hand.unseen for hand in hands]
        least = helpful if own == list(unseen) else helpful_copies(hands, own, forms)
        shapes = [value for value, _ in least]
    else:
        helpful = _limited(*waits, hands, unseen, forms)
        shapes = [value for value, _ in waits[1]]
        for row, hand in enumerate(hands):  # melds on the table show copies too
            if hand.melds:
                [(shapes[row], _)] = helpful_copies([hand], [hand.unseen], forms)
    return [
        UsefulTiles(hand=hand, deficiency=value, shape=shape, copies=copies)
        for hand, (value, copies), shape in zip(hands, helpful, shapes, strict=True)
    ]


def helpful_copies(
    hands: Sequence[Hand],
    unseen: Sequence[tuple[int, ...]],
    forms: tuple[WinningForm, ...],
) -> list[tuple[int, Copies]]:
    """Return the deficiency of every hand, and the kinds that lower it with their copies.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m")
    >>> [(deficiency, useful)] = helpful_copies([hand], [hand.unseen], HandQuery(hand).forms)
    >>> deficiency, useful[:3]
    (1, ((0, 1), (1, 3), (2, 3)))
    """
    waits = _waits(hands, forms)
    if waits is not None:
        return _limited(*waits, hands, unseen, forms)
    return _by_network(hands, unseen, forms)


def _waits(
    hands: Sequence[Hand], forms: tuple[WinningForm, ...], full: Hand | None = None
) -> tuple["RuleLookup", list[Wait]] | None:
    """Return look-ups, and deficiency and useful kinds of each hand with all copies not held.

    None if there are no tables for the forms, or if melds of other kinds than a form allows lie on
    the table.
    """
    from mjopt.tables.lookup import lookup_for

    if hands and hands[0].melds and not is_classic(forms):
        return None
    lookup = lookup_for(forms)
    if lookup is None:
        return None
    if full is not None:
        return lookup, lookup.useful(full.counts, full.called)[:-1]
    found = [lookup.useful(hand.counts, hand.called, discards=False)[0] for hand in hands]
    return lookup, found


def _limited(
    lookup: "RuleLookup",
    waits: Sequence[Wait],
    hands: Sequence[Hand],
    unseen: Sequence[tuple[int, ...]],
    forms: tuple[WinningForm, ...],
) -> list[tuple[int, Copies]]:
    """Return the same with the copies of useful kinds that can arrive.

    Limited copies change nothing unless some nearest complete hand draws more copies of a kind
    than can arrive. If one copy can arrive and a nearest hand draws two, then two more copies lower
    the deficiency by two: that is looked up, and the network answers for such hands.
    """
    found, rows = list[tuple[int, Copies]](), list[int]()
    pairs: Sequence[tuple[int, int]] = ()
    of: tuple[int, ...] | None = None
    for row, ((value, kinds), hand, left) in enumerate(zip(waits, hands, unseen, strict=True)):
        if left is not of:  # cached for hands with the same unseen tiles
            of, pairs = left, tuple(enumerate(left))
        counts = hand.counts
        if any(
            left[k] < value
            and counts[k] + left[k] < COPIES
            and lookup.with_more(counts, hand.called, k, left[k] + 1) < value - left[k]
            for k in kinds
        ):
            rows.append(row)
        found.append((value, tuple([pairs[kind] for kind in kinds])))
    some = _by_network([hands[row] for row in rows], [unseen[row] for row in rows], forms)
    for row, answer in zip(rows, some, strict=True):
        found[row] = answer
    return found


def _by_network(
    hands: Sequence[Hand], unseen: Sequence[tuple[int, ...]], forms: tuple[WinningForm, ...]
) -> list[tuple[int, Copies]]:
    """Return deficiency and useful copies of every hand by shortest paths.

    A tile is useful to a template exactly if some nearest complete hand draws it. For several
    forms it must lower the least over them.
    """
    if not hands:
        return []
    by_form: list[Sequence[tuple[int, Iterable[int]]]] = []
    for form in forms:
        if form.is_plain:
            from mjopt.analysis.nearest_batch import nearest_kinds  # loads NumPy; rarely needed

            counts = [hand.counts for hand in hands]
            by_form.append(nearest_kinds(counts, unseen, hands[0].tiles, hands[0].called))
        else:
            find = missing_and_helpful if form.is_pairs or form.is_singles else _template_draws
            by_form.append(
                [find(form, hand, left) for hand, left in zip(hands, unseen, strict=True)]
            )
    results = []
    for copies, found in zip(unseen, zip(*by_form, strict=True), strict=True):
        best = min(value for value, _ in found)
        helps = {kind for value, kinds in found if value == best for kind in kinds}
        results.append((best, tuple([(kind, copies[kind]) for kind in sorted(helps)])))
    return results


def _template_draws(
    form: WinningForm, hand: Hand, unseen: tuple[int, ...]
) -> tuple[int, frozenset[int]]:
    """Return the deficiency of a form of a rule set, and the kinds that lower it."""
    from mjopt.models.shortest_path import nearest_draws  # loads NumPy

    query = HandQuery.of_checked(hand, (form,), unseen)
    found = [nearest_draws(query, template) for template in query.templates(form)]
    best = min((value for value, _ in found), default=UNREACHABLE)
    if best == UNREACHABLE:
        return best, frozenset()
    return best, frozenset().union(*(kinds for value, kinds in found if value == best))


def useful_tiles(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    called: int | None = None,
    unseen: Iterable[int] | str | None = None,
    forms: FormsLike = None,
) -> UsefulTiles:
    """Return the tiles whose arrival lowers the deficiency, with the copies unseen.

    Parameters
    ----------
    hand
        A hand before its draw (13 tiles, less three for each called meld). See
        :func:`mjopt.useful_tiles_many` for arrays of hands.
    tiles, called, unseen, forms
        As for :func:`mjopt.deficiency`.

    Raises
    ------
    HandError
        If the hand is after its draw; use :func:`mjopt.discards` then.

    Examples
    --------
    >>> found = useful_tiles("1112345678999m")
    >>> found.num_copies, found.words
    (23, 'ready')
    """
    query = HandQuery(hand, forms, unseen, tiles=tiles, called=called, general=True)
    if query.hand.is_full:
        size = query.hand.num_tiles
        raise HandError(
            f"{size} tiles",
            expected=f"{size - 1} before the draw; mjopt.discards answers for {size}",
        )
    return useful_of([query.hand], [query.unseen], query.forms)[0]
