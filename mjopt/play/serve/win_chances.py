"""Chances to win after each discard, computed in the background by worker processes.

Processes of their own, so that neither searches nor the compilation of kernels delay other pages.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mjopt._internal.background import Background
from mjopt._internal.jit import compile_always
from mjopt.chances.win_chance.discard_bounds import PlayedDiscard
from mjopt.errors import HandError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import as_tiles
from mjopt.hands.winning_forms import RIICHI

DRAWS: Final = 18
NEAR: Final = 3  # up to this deficiency a first answer takes a fraction of the time
KEPT: Final = 512  # answers, about 10 kB each
NUM_WORKERS: Final = 2  # a search far from a win takes seconds, others do not wait for it
MOST_QUEUED: Final = 8  # queries of one browser: a page has two
LEASE: Final = 5.0  # seconds of a search after its page was sent


@dataclass(frozen=True, slots=True)
class ChanceQuery:
    """A hand, the winning forms, the wall and the number of draws to come."""

    counts: tuple[int, ...]
    tiles: str  # key of the tile set
    called: int
    forms: tuple[str, ...]
    wall: tuple[int, ...]
    draws: int = DRAWS
    is_quick: bool = False  # search only plays of waste 0

    @classmethod
    def of(
        cls, hand: Hand, forms: tuple[str, ...], wall: tuple[int, ...], draws: int = DRAWS
    ) -> "ChanceQuery":
        """Return the query about a hand."""
        return cls(hand.counts, hand.tiles.key, hand.called, forms, wall, draws)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandChances:
    """The answer of :func:`mjopt.optimal_play`, if it has one, and the expected draws.

    Parameters
    ----------
    expected_draws
        Mean number of draws until a win if every tile is kept, by discarded kind; None: none.
    discards, waste, is_by_ceiling
        Of :class:`mjopt.chances.win_chance.optimal_play.Play`, in its order.
    """

    expected_draws: Mapping[int | None, float]
    discards: tuple[PlayedDiscard, ...] = ()
    waste: int = 0
    is_by_ceiling: bool = False


def compute_chances(query: ChanceQuery) -> HandChances:
    """Bound the chance to win after each discard.

    Examples
    --------
    >>> hand = Hand.parse("22557m234p34789s3z")
    >>> chances = compute_chances(ChanceQuery.of(hand, RIICHI, hand.unseen, 4))
    >>> hand.tiles.names[chances.discards[0].kind], chances.waste
    ('3z', 1)
    """
    from mjopt.chances.draws.expected_draws import float_mean
    from mjopt.chances.draws.ranking import rank_discards
    from mjopt.chances.win_chance.optimal_play import AUTO, optimal_play

    hand = Hand.from_counts(query.counts, tiles=as_tiles(query.tiles), called=query.called)
    wall, forms = query.wall, query.forms
    waste = 0 if query.is_quick else AUTO
    with compile_always():
        if hand.is_full:
            ranked = rank_discards(hand, wall=wall, forms=forms, exact=False)
            draws: dict[int | None, float] = {row.kind: float(row.mean) for row in ranked}
        else:
            draws = {None: float_mean(hand, wall=wall, forms=forms)}
        try:
            play = optimal_play(hand, draws=query.draws, waste=waste, wall=wall, forms=forms)
        except HandError:  # too far from a win to be searched
            return HandChances(expected_draws=draws)
    return HandChances(
        expected_draws=draws,
        discards=play.discards,
        waste=play.waste,
        is_by_ceiling=play.is_ranked_by_ceiling,
    )


class WinChances(Background[ChanceQuery, HandChances]):
    """The chances to win by query, computed by worker processes."""

    def __init__(self) -> None:
        super().__init__(
            compute_chances, most=KEPT, num_workers=NUM_WORKERS, most_queued=MOST_QUEUED
        )

    async def wait(
        self, queries: Sequence[ChanceQuery], browser: str, patience: float | None = None
    ) -> bool:
        """Submit queries, and wait until the last one is answered, some seconds at most.

        If the client leaves, they are cancelled at once, and otherwise a few seconds later: the
        page that is sent now asks for them again, as long as it is shown.

        Returns
        -------
        bool
            Whether the last query is answered.
        """
        futures = [self.submit(query, browser) for query in queries]

        def cancel() -> None:
            for future in futures:
                future.cancel()

        waiting = asyncio.wrap_future(futures[-1])
        # No page shows an error after the time limit, and asyncio would log it.
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            await asyncio.wait([waiting], timeout=patience)
        except asyncio.CancelledError:
            cancel()
            raise
        asyncio.get_running_loop().call_later(LEASE, cancel)
        return waiting.done() and not waiting.cancelled() and waiting.exception() is None

    def warm_up(self) -> None:
        """Start the worker processes and compile their kernels, or load them."""
        hand = Hand.parse("123456m789p1146s1z")
        for worker in range(NUM_WORKERS):
            self.submit(ChanceQuery.of(hand, RIICHI, hand.unseen, DRAWS - worker))
