"""Rank the discards of a hand, with the draws that would improve it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mjopt._internal.validation import expect
from mjopt.analysis.useful_tiles import UsefulTiles, useful_of
from mjopt.errors import HandError
from mjopt.hands.coerce import HandLike, TilesLike
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.read_forms import FormsLike


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """One discard of a full hand.

    Parameters
    ----------
    kind
        The discarded kind. That copy can no longer arrive.
    after
        The hand after the discard: deficiency, useful tiles, copies.
    improving
        Kinds that do not lower the deficiency, but after which another discard
        leaves more useful tiles; with the copies unseen and the best number then.
        None if not requested.

    Examples
    --------
    >>> import mjopt
    >>> best = mjopt.discards("13345m34577p1167z")[0]
    >>> mjopt.FULL.names[best.kind], best.deficiency, best.after.num_copies
    ('6z', 2, 8)
    """

    kind: int
    after: UsefulTiles
    improving: tuple[tuple[int, int, int], ...] | None = None

    @property
    def deficiency(self) -> int:
        """Tile changes after the discard."""
        return self.after.deficiency


def discards(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    called: int | None = None,
    unseen: Iterable[int] | str | None = None,
    forms: FormsLike = None,
    improving: bool = False,
) -> list[Discard]:
    """Rank every discard of a hand, the best first.

    Parameters
    ----------
    hand
        A hand after its draw (14 tiles, less three for each called meld). See
        :func:`mjopt.discards_many` for arrays of hands.
    tiles, called, unseen, forms
        As for :func:`mjopt.deficiency`. A discarded copy cannot arrive.
    improving
        Also look one exchange further, for the discards of least deficiency.

    Returns
    -------
    list of Discard
        By deficiency after, then by useful tiles left, then by kind.

    Raises
    ------
    HandError
        If the hand has not drawn yet.

    Examples
    --------
    >>> [best, *_] = discards("123456m789p1146s1z", tiles="136")
    >>> best.after.hand.to_text(), best.deficiency, best.after.num_copies
    ('123456m789p1146s', 1, 4)
    """
    expect(improving, bool, "improving")
    query = HandQuery(hand, forms, unseen, tiles=tiles, called=called, general=True)
    if not query.hand.is_full:
        size = query.hand.num_tiles
        raise HandError(f"{size} tiles", expected="a hand after its draw; see useful_tiles")
    hands = after_discards(query.hand)
    left = useful_of(list(hands.values()), [query.unseen] * len(hands), query.forms, query.hand)
    ranks = [(after.deficiency, -after.num_copies) for after in left]
    ranked = sorted(zip(ranks, hands, left, strict=True))  # no two of the same kind
    found = [Discard(kind=kind, after=after) for _, kind, after in ranked]
    if improving:
        least = found[0].deficiency
        if least not in (0, UNREACHABLE):
            found = [
                replace(d, improving=_improving(d, query)) if d.deficiency == least else d
                for d in found
            ]
    return found


def after_discards(hand: Hand) -> dict[int, Hand]:
    """Return the hand after each discard, by kind."""
    counts, one = hand.counts, hand.with_checked
    return {
        kind: one((*counts[:kind], held - 1, *counts[kind + 1 :]))
        for kind, held in enumerate(counts)
        if held
    }


def _improving(discard: Discard, query: HandQuery) -> tuple[tuple[int, int, int], ...]:
    """Try every draw that is not useful with every discard; keep those that add useful tiles."""
    before, cap = discard.after, query.unseen
    draws = [kind for kind, copies in enumerate(cap) if copies and kind not in before.kinds]
    rows: list[tuple[int, Hand, tuple[int, ...]]] = []
    for kind in draws:
        left = tuple(c - (k == kind) for k, c in enumerate(cap))
        thrown = after_discards(before.hand.with_one(kind, 1))
        rows += [(kind, hand, left) for other, hand in thrown.items() if other != kind]
    found = useful_of([hand for _, hand, _ in rows], [left for *_, left in rows], query.forms)
    best: dict[int, int] = {}
    for (kind, _, _), after in zip(rows, found, strict=True):
        if after.deficiency == before.deficiency:
            best[kind] = max(best.get(kind, 0), after.num_copies)
    return tuple(
        (kind, cap[kind], best[kind]) for kind in draws if best.get(kind, 0) > before.num_copies
    )
