"""Compare calling a chow or a pong with passing, by expected draws."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from mjopt.analysis.deficiency import is_complete
from mjopt.chances.draws.distribution import Draws, as_float, draws_query
from mjopt.chances.draws.expected_draws import find_draws
from mjopt.chances.draws.ranking import Mean, change_of_mean, rank_draws
from mjopt.errors import HandError, TileError
from mjopt.hands.blocks import Block, chow, pong
from mjopt.hands.coerce import HandLike, as_kind
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import COPIES
from mjopt.hands.winning_forms import STANDARD


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDraws:
    """One response to another player's discard.

    Parameters
    ----------
    action
        ``win``, ``pass``, ``chow`` or ``pong``.
    meld
        The meld called; None for the other two.
    discard
        The best discard after the call; None for the other two.
    hand
        The hand afterwards.
    mean
        Expected draws from then on, including the next draw.
    change
        Difference to passing; negative if the call is worth it.
    draws
        The distribution; None for a win.

    Examples
    --------
    >>> import mjopt
    >>> best = mjopt.judge_calls("2378m345p6688s11z", "4m")[0]
    >>> best.action, best.is_worth_it, round(float(best.mean), 2)
    ('chow', True, 11.39)
    """

    action: str
    meld: Block | None = None
    discard: int | None = None
    hand: Hand
    mean: Mean
    change: Mean
    draws: Draws | None

    @property
    def is_worth_it(self) -> bool:
        """Whether the expected number of draws is smaller than after passing."""
        return self.change < 0

    def to_document(self, within: int | None = None) -> dict[str, Any]:
        """Return a JSON-ready document, exact numbers as text."""
        names = self.hand.tiles.names
        won = {"mean": "0", "mean_float": 0.0}
        return {
            "action": self.action,
            "meld": None if self.meld is None else [names[kind] for kind in self.meld.kinds],
            "discard": None if self.discard is None else names[self.discard],
            "change_float": as_float(self.change),
            "is_worth_it": self.is_worth_it,
            **(won if self.draws is None else self.draws.to_document(within)),
        }


def judge_calls(
    hand: HandLike,
    tile: int | str,
    *,
    wall: Iterable[int] | str | None = None,
    forms: Iterable[str] = (STANDARD,),
) -> list[CallDraws]:
    """Rank every response to a discarded tile, the best first.

    After a call the best discard follows; any discard is allowed. Only the number of draws
    counts; the points that an open hand loses are ignored.

    Parameters
    ----------
    hand
        A hand before its draw (13 tiles, less three for each called meld).
    tile
        The kind another player discarded, by number or by name (``"3m"``).
    wall
        Copies of each kind in the wall, that tile not among them; by default all that
        the hand and the tile leave.
    forms
        As for :func:`mjopt.expected_draws`.

    Returns
    -------
    list of CallDraws
        ``pass`` is always among them.

    Raises
    ------
    HandError
        If the hand has drawn already.
    TileError
        If there is no such tile, or no copy of it can have been discarded.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> hand = Hand.parse("2378m345p6688s11z", tiles=FULL)
    >>> for call in judge_calls(hand, "4m"):
    ...     print(call.action, call.meld and call.meld.text(FULL), round(float(call.mean), 2))
    chow 234m 11.39
    pass None 12.92
    """
    query = draws_query(hand, wall, forms)
    hand = query.hand
    size = 13 - 3 * hand.called
    if hand.num_tiles != size:
        raise HandError(f"{hand.num_tiles} tiles", expected=f"{size}: a hand before its draw")
    kind = as_kind(tile, hand.tiles)
    if hand.unseen[kind] == 0:
        raise TileError(
            f"{hand.tiles.names[kind]} discarded, but the hand shows all {COPIES} copies"
        )
    left = list(query.unseen)
    if wall is None:
        left[kind] -= 1
    elif left[kind] == hand.unseen[kind]:
        raise TileError(
            f"{left[kind]} copies of {hand.tiles.names[kind]}, but the hand and the "
            f"discard leave {left[kind] - 1}",
            argument="wall",
        )
    passed = find_draws(HandQuery.of_checked(hand, query.forms, tuple(left)))

    def answer(action: str, after: Hand, draws: Draws | None) -> CallDraws:
        mean = 0.0 if draws is None else draws.mean
        change = change_of_mean(mean, passed.mean)
        return CallDraws(action=action, hand=after, mean=mean, change=change, draws=draws)

    found = [answer("pass", hand, passed)]
    won = replace(hand, counts=_counts(hand, kind), red=())
    if is_complete(HandQuery.of_checked(won, query.forms)):
        found.append(answer("win", won, None))
    for meld in _melds(hand, kind) if hand.called < MAX_CALLED else ():
        opened = HandQuery.of_checked(_open_hand(hand, kind, meld), query.forms, tuple(left))
        best = rank_draws(opened)[0]
        called = answer(meld.shape.value, best.hand, best.draws)
        found.append(replace(called, meld=meld, discard=best.kind))
    order = {"win": 0, "pass": 1, "chow": 2, "pong": 3}
    return sorted(found, key=lambda call: (call.mean, order[call.action], call.meld or pong(0)))


def _counts(hand: Hand, kind: int, meld: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the copies held after taking a tile and calling a meld."""
    return tuple(c + (k == kind) - meld.count(k) for k, c in enumerate(hand.counts))


def _melds(hand: Hand, kind: int) -> Iterator[Block]:
    """Yield the melds that the tile makes with two tiles of the hand."""
    for first in range(kind - 2, kind + 1):
        if first in hand.tiles.chow_starts:
            meld = chow(first)
            if all(hand.counts[other] for other in meld.kinds if other != kind):
                yield meld
    if hand.counts[kind] >= 2:
        yield pong(kind)


def _open_hand(hand: Hand, kind: int, meld: Block) -> Hand:
    knows_melds = len(hand.melds) == hand.called
    return replace(
        hand,
        counts=_counts(hand, kind, meld.kinds),
        red=(),
        called=hand.called + 1,
        melds=(*hand.melds, meld) if knows_melds else (),
    )
