"""The exact recursive method of Li and Yan, for one hand and for all hands of a small tile set."""

import time
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.arrays import as_integers
from mjopt._internal.jit import in_python, is_few
from mjopt.errors import ArgumentError, HandError
from mjopt.hands.blocks import Block, eye, pchow
from mjopt.hands.hand import MAX_CALLED, Hand, check_called
from mjopt.hands.predecomposition import Predecomposition
from mjopt.hands.rules.classic_forms import UNREACHABLE, standard_template
from mjopt.hands.rules.splits import find_splits
from mjopt.hands.tiles import COPIES, TileSet, as_tiles
from mjopt.heuristics._recursive_kernels import (
    NOT_FOUND,
    Levels,
    Numbers,
    find_levels,
    rank_hands,
    search_hand,
    search_hands,
)
from mjopt.heuristics.evaluation_count import count_evaluations
from mjopt.heuristics.parameters import check_parameters, number
from mjopt.heuristics.population import chow_starts
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.stopping import Stop, StopReason

MOST_HANDS: Final = 300_000_000
"""Most hands of `deficiency_levels`: a byte each, and half as many after a discard."""

_FEW: Final = 1_000
"""Hands that are looked at in Python before numba is loaded."""

_FIRST_BUDGET: Final = 65_536  # hands before the time limit is checked again

_BLOCK: Final = 1 << 20  # hands that are counted together


@dataclass(frozen=True, slots=True, kw_only=True)
class Recursive:
    """Look at all hands one tile change away, then two, ..., until one of them is complete.

    This is the definition of the deficiency, followed to the letter: a complete hand has deficiency
    0, and a hand has deficiency k + 1 if it has no lower one and some hand one tile change away has
    deficiency k. The k changes that lead to a hand have an order, which does not matter: each hand
    is looked at once. **The value is the deficiency** wherever the search is not cut short by
    ``max_hands``. The number of hands k changes away grows about a hundredfold with each k, so the
    method serves to check others, and as the baseline that they improve on.

    To find the deficiencies of *all* hands of one suit, :func:`deficiency_levels` goes the other
    way, from the complete hands.

    Parameters
    ----------
    max_hands
        Most hands to look at; the default suffices for deficiency 3. Beyond it nothing is known
        except that the deficiency is larger; the result is the empty predecomposition.

    Raises
    ------
    ArgumentError
        If a parameter is out of its range.

    Notes
    -----
    Evaluations are hands looked at. No search tree and no table is used: the only other part is a
    test whether a hand is complete.

    References
    ----------
    .. [1] S. Li and X. Yan (2019), Let's Play Mahjong!, arXiv:1903.03294.

    Examples
    --------
    >>> from mjopt.heuristics import run
    >>> hand = Hand.parse("B3333C222267D7777", notation="paper")
    >>> run("recursive", hand, rng=1).value, run("ndde", hand, rng=1).value
    (3, 2)
    """

    max_hands: int = number(2_500_000, 1, 2**31 - 1)

    name: ClassVar[str] = "recursive"
    is_random: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Validate the parameters."""
        check_parameters(self)

    @property
    def num_generations(self) -> int:
        """Zero: the hands are looked at once."""
        return 0

    def search(
        self,
        hand: Hand,
        *,
        rng: np.random.Generator,  # noqa: ARG002 - the protocol has it; nothing is drawn here
        stop: Stop,
        target: int | None = None,
    ) -> Result:
        """Search one hand; see :class:`Heuristic`.

        Raises
        ------
        ArgumentError
            If nothing can complete the hand.
        """
        most = min(self.max_hands, stop.evaluations or self.max_hands)
        nothing = Predecomposition(hand, ())
        worst = nothing.cost()
        if stop.value is not None and worst <= stop.value:
            most = 1
        tiles = np.zeros(hand.tiles.num_kinds, np.int64)
        arguments = (
            *(np.array(hand.counts, np.int64), np.array(hand.unseen, np.int64)),
            *(hand.melds_needed, chow_starts(hand.tiles)),
        )
        deadline = time.monotonic() + (stop.seconds or 0)
        budget = min(most, _FEW)
        # For so few, Python finishes before numba has loaded.
        look = in_python(search_hand) if is_few(budget, _FEW + 1) else search_hand
        while True:
            changes, hands = look(*arguments, budget, tiles)
            if changes != NOT_FOUND or hands < budget or budget == most:
                break
            if stop.seconds is not None and time.monotonic() > deadline:
                break
            # With a time limit: again with twice the hands, so the total is twice the last run.
            budget = most if stop.seconds is None else min(most, max(2 * budget, _FIRST_BUDGET))
            look = search_hand
        count_evaluations(int(hands))
        is_known = changes != NOT_FOUND
        if not is_known and hands < budget:
            raise ArgumentError(f"no unseen tiles complete {hand.to_text()}")
        value = int(changes) if is_known else worst
        if stop.value is not None and value <= stop.value:
            reason = StopReason.REACHED
        elif is_known:
            reason = StopReason.EXHAUSTED
        else:
            reason = StopReason.EVALUATIONS if hands == most else StopReason.SECONDS
        hit = None if target is None or value > target else 1 if worst <= target else int(hands)
        return Result(
            value=value,
            predecomposition=_pieces(hand, tiles.tolist()) if is_known else nothing,
            evaluations=int(hands),
            generations=0,
            history=(value,),
            stopped=reason,
            hit_evaluations=hit,
            hit_generation=None if hit is None else 0,
            completes=is_known,
        )

    def search_batch(
        self,
        counts: "npt.NDArray[np.uint8]",
        *,
        keys: "npt.NDArray[np.uint64]",  # noqa: ARG002 - nothing is drawn here
        targets: "npt.NDArray[np.int8] | None",
        stop_at_target: bool,
        history: bool,
        tiles: TileSet,
        called: int,
    ) -> Batch:
        """Search every row in one loop; see :class:`BatchHeuristic`."""
        batch = Batch.empty(len(counts), num_generations=0 if history else None)
        aims = np.full(len(counts), -1, np.int8) if targets is None else targets
        worst = 2 * (MAX_CALLED - called) + 1  # cost of the empty predecomposition
        is_easy = aims >= worst
        most = np.full(len(counts), self.max_hands)
        most[is_easy & stop_at_target] = 1
        search_hands(
            counts, MAX_CALLED - called, chow_starts(tiles), most, batch.value, batch.evaluations
        )
        count_evaluations(int(batch.evaluations.sum()))
        is_known = batch.value != NOT_FOUND
        if (~is_known & (batch.evaluations < most)).any():
            raise ArgumentError("no unseen tiles complete a hand")
        batch.value[~is_known] = worst
        has_hit = batch.value <= aims
        batch.hit_evaluations[has_hit] = np.where(is_easy, 1, batch.evaluations)[has_hit]
        batch.hit_generation[has_hit] = 0
        batch.stopped[:] = np.where(is_known, StopReason.EXHAUSTED, StopReason.EVALUATIONS)
        batch.stopped[has_hit & stop_at_target] = StopReason.REACHED
        if batch.history is not None:
            batch.history[:, 0] = batch.value
        return batch


def _pieces(hand: Hand, tiles: list[int]) -> Predecomposition:
    """Return the tiles of a hand in the parts of a complete hand, where two or more are in one."""
    held, pieces = list(hand.counts), list[Block]()
    splits = find_splits(tuple(tiles), hand.tiles, standard_template(hand.tiles), hand.called)
    for part in sorted(min(splits), key=lambda part: part.is_meld):  # the eye first
        is_held = []
        for kind in part.kinds:
            is_held.append(held[kind] > 0)
            held[kind] -= is_held[-1]
        if all(is_held):
            pieces.append(part)
        elif sum(is_held) == 2:
            first, last = (k for k, has in zip(part.kinds, is_held, strict=True) if has)
            pieces.append(eye(first) if first == last else pchow(first, gap=last - first))
    return Predecomposition(hand, tuple(pieces))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeficiencyLevels:
    """The deficiencies of all hands of a tile set; :func:`deficiency_levels` finds them.

    Parameters
    ----------
    tiles
        The tile set.
    called
        Melds called.
    levels
        The deficiency of each hand, in lexicographic order of the counts, shape ``(N,)``;
        ``UNREACHABLE`` if the tiles of the set cannot complete it.

    Examples
    --------
    >>> from mjopt import FULL
    >>> honours = deficiency_levels(TileSet("honours", FULL.suits[3:]), called=3)
    >>> honours.look_up([[2, 2, 1, 0, 0, 0, 0]]).tolist(), honours.counts
    ([1], (42, 252, 140, 21))
    """

    tiles: TileSet
    called: int
    levels: "npt.NDArray[np.int8]"

    @property
    def counts(self) -> tuple[int, ...]:
        """Numbers of hands by deficiency; hands that cannot be completed are not counted."""
        numbers = np.zeros(UNREACHABLE + 1, np.int64)
        for start in range(0, len(self.levels), _BLOCK):  # bincount copies a byte into eight
            block = self.levels[start : start + _BLOCK]
            numbers += np.bincount(block, minlength=UNREACHABLE + 1)
        return tuple(np.trim_zeros(numbers[:UNREACHABLE], "b").tolist())

    def look_up(self, counts: "npt.ArrayLike") -> "npt.NDArray[np.int8]":
        """Return the deficiencies of some hands.

        Parameters
        ----------
        counts
            Copies per kind, shape ``(N, K)``, each in ``0..4``.

        Returns
        -------
        numpy.ndarray
            Shape ``(N,)``.

        Raises
        ------
        ArgumentError
            If the shape is another one.
        HandError
            If a row does not have the size of these hands.
        """
        ways = _ways(self.tiles, self.called)
        num_kinds, size = self.tiles.num_kinds, ways.shape[1] - 1
        rows = as_integers(counts, "counts", ArgumentError)
        if rows.ndim != 2 or rows.shape[1] != num_kinds or rows.dtype.kind not in "iu":
            raise ArgumentError(
                f"counts of shape {rows.shape}, {rows.dtype}",
                expected=f"whole numbers of shape (N, {num_kinds})",
            )
        is_bad = ((rows < 0) | (rows > COPIES)).any(axis=1) | (rows.sum(axis=1) != size)
        if is_bad.any():
            raise HandError(
                f"{rows[is_bad][0].tolist()}", argument="counts", position=int(is_bad.argmax()),
                unit="row", expected=f"{size} tiles, 0..{COPIES} of a kind",
            )  # fmt: skip
        ranks = np.zeros(len(rows), np.int64)
        rank_hands(np.ascontiguousarray(rows, np.uint8), ways, ranks)
        return self.levels[ranks]


def deficiency_levels(tiles: TileSet | str, *, called: int = 0) -> DeficiencyLevels:
    """Find the deficiencies of all hands of a tile set by the recursive method of Li and Yan.

    All hands of deficiency k are found before those of k + 1: the complete hands first, then level
    by level the hands one tile change away. Only tiles of the set are drawn. Nothing of the look-up
    tables, the models or the tree search is used.

    Parameters
    ----------
    tiles
        The tile set, with at most 300 million hands: one suit has 118,800 and takes a tenth of a
        second, two have 209,856,330 and take four minutes and 310 MB.
    called
        Melds called, so that hands have three tiles less for each.

    Raises
    ------
    ArgumentError
        If the tile set has too many hands.

    References
    ----------
    .. [1] S. Li and X. Yan (2019), Let's Play Mahjong!, arXiv:1903.03294.

    Examples
    --------
    >>> from mjopt import M0
    >>> found = deficiency_levels(TileSet("one suit", M0.suits[:1]))
    >>> found.counts
    (13259, 91065, 14386, 90)
    >>> found.look_up([[3, 1, 1, 1, 1, 1, 1, 1, 4], [4, 0, 0, 4, 0, 0, 4, 0, 2]]).tolist()
    [0, 2]
    >>> deficiency_levels(M0)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: M0: 21,310,147,575 hands, expected at most 300,000,000
    """
    tiles, called = as_tiles(tiles), check_called(called)
    ways = _ways(tiles, called)
    number = int(ways[-1, -1])
    if number > MOST_HANDS:
        raise ArgumentError(f"{tiles.name}: {number:,} hands", expected=f"at most {MOST_HANDS:,}")
    levels: Levels = np.zeros(number, np.int8)
    find_levels(chow_starts(tiles), ways, levels)
    levels.setflags(write=False)
    return DeficiencyLevels(tiles=tiles, called=called, levels=levels)


def _ways(tiles: TileSet, called: int) -> Numbers:
    """Return the number of hands by kinds and tiles, shape ``(K + 1, size + 1)``."""
    size = 3 * (MAX_CALLED - called) + 2
    ways = np.zeros((tiles.num_kinds + 1, size + 1), np.int64)
    ways[0, 0] = 1
    for kinds in range(tiles.num_kinds):
        for copies in range(min(COPIES, size) + 1):
            ways[kinds + 1, copies:] += ways[kinds, : size + 1 - copies]
    return ways
