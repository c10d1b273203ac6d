"""ZJOI2019 "Mahjong": expected draws in a single suit with any number of ranks."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import comb
from typing import TypeVar

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import expect_all, whole
from mjopt.chances.draws.automaton import derive_automaton, minimise
from mjopt.chances.draws.distribution import Waiting
from mjopt.errors import HandError, TileError
from mjopt.hands.hand import MAX_CALLED
from mjopt.hands.tiles import COPIES, as_list
from mjopt.hands.winning_forms import FORMS, SEVEN_PAIRS, STANDARD

State = TypeVar("State", bound=Hashable)


def long_suit_draws(
    held: Sequence[int], *, forms: Iterable[str] = (STANDARD, SEVEN_PAIRS)
) -> Waiting:
    """Return the distribution of draws in a single suit with any number of ranks.

    All copies not held are in the wall. The contest holds 13 tiles of up to 100 ranks.

    Parameters
    ----------
    held
        Copies of each rank, each in ``0..4``; any two ranks apart by one are
        neighbours in a chow.
    forms
        ``standard``, ``seven_pairs`` or both.

    References
    ----------
    .. [1] ZJOI2019, "Mahjong", loj.ac problem 3042.

    Examples
    --------
    >>> waiting = long_suit_draws([3, 3, 3, 3, 1])
    >>> waiting.mean, waiting.mean_modulo(998244353)
    (Fraction(8, 7), 855638018)
    """
    chosen = frozenset([forms] if isinstance(forms, str) else expect_all(forms, str, "forms"))
    if not chosen or not chosen <= {STANDARD, SEVEN_PAIRS}:
        known = ", ".join(sorted(chosen - set(FORMS) | chosen & {"thirteen_orphans"})) or "none"
        known = shorten(known)
        raise HandError(f"forms of one long suit: {known}, expected {STANDARD} or {SEVEN_PAIRS}")
    ranks = [whole(copies, "held") for copies in as_list(held, "held")]
    for place, copies in enumerate(ranks):
        if copies not in range(COPIES + 1):
            raise TileError(f"{copies} copies of rank {place + 1}, expected 0..{COPIES}")
    needed = MAX_CALLED if STANDARD in chosen else None
    automaton = minimise(derive_automaton(needed, pairs=SEVEN_PAIRS in chosen))
    steps = [
        [None if automaton.wins[target] else target for target in line]
        for line in automaton.steps.tolist()
    ]
    return Waiting(
        ways=tuple(
            ways_kind_by_kind(
                [(copies, COPIES - copies) for copies in ranks],
                0,
                lambda _, state, copies: steps[state][copies],
            )
        )
    )


def ways_kind_by_kind(
    kinds: Sequence[tuple[int, int]],
    start: State,
    step: Callable[[int, State, int], State | None],
    *,
    is_incomplete: Callable[[State], bool] = lambda _: True,
) -> list[int]:
    """Count the draws of 0, 1, ... tiles that end in an incomplete state.

    A direct way to the counts of :mod:`mjopt.chances.draws.incomplete_counts`, for any state
    that can be updated kind by kind. A polynomial in the number of draws is one Python integer
    with a fixed number of bits for each coefficient; a shift draws another tile.

    Parameters
    ----------
    kinds
        Of each kind, the copies held and those in the wall.
    start
        The state before the first kind.
    step
        From a kind, a state and the copies held after the draws to the next state;
        None if the hand is complete whatever follows.
    is_incomplete
        Whether a last state counts.

    Returns
    -------
    list of int
        One number for each number of draws, up to the whole wall.

    Examples
    --------
    Three of one kind held, waiting for a pair of the other:

    >>> won_by = lambda least: lambda kind, _, copies: None if copies >= least + kind else 0
    >>> ways_kind_by_kind([(3, 0), (1, 2)], 0, won_by(2))
    [0, 0, 0]
    >>> ways_kind_by_kind([(2, 1), (0, 2)], 0, won_by(3))
    [1, 2, 1, 0]
    """
    for pair in as_list(kinds, "kinds", "pairs"):
        numbers = [whole(number, "kinds") for number in as_list(pair, "kinds")]
        if len(numbers) != 2 or min(numbers) < 0:
            raise TileError(f"kinds: {short_repr(pair)}, expected copies held and in the wall")
    size = sum(left for _, left in kinds)
    bits = size + 1  # no coefficient exceeds C(size, i), less than 2**bits
    ways: dict[State, int] = {start: 1}
    for kind, (held, left) in enumerate(kinds):
        after: dict[State, int] = {}
        choices = [(held + drawn, bits * drawn, comb(left, drawn)) for drawn in range(left + 1)]
        for state, packed in ways.items():
            for copies, shift, times in choices:
                target = step(kind, state, copies)
                if target is not None:
                    after[target] = after.get(target, 0) + (packed << shift) * times
        ways = after
    packed = sum(packed for state, packed in ways.items() if is_incomplete(state))
    mask = (1 << bits) - 1
    return [packed >> bits * draws & mask for draws in range(size + 1)]
