"""One long suit: the setting of ZJOI2019 "Mahjong", for any number of ranks."""

from collections.abc import Iterable, Sequence

from mjopt.answers.draws.automaton import derive_automaton, minimise
from mjopt.answers.draws.tally import tally
from mjopt.answers.draws.waiting import Waiting
from mjopt.errors import HandError, TileError
from mjopt.hands.forms import FORMS, SEVEN_PAIRS, STANDARD
from mjopt.hands.hand import MAX_CALLED
from mjopt.hands.tiles import COPIES


def long_suit_draws(
    held: Sequence[int], *, forms: Iterable[str] = (STANDARD, SEVEN_PAIRS)
) -> Waiting:
    """Return the draws that complete a hand in a single suit of any length.

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
    chosen = frozenset(forms)
    if not chosen or not chosen <= {STANDARD, SEVEN_PAIRS}:
        known = ", ".join(sorted(chosen - set(FORMS) | chosen & {"thirteen_orphans"})) or "none"
        raise HandError(f"forms of one long suit: {known}, expected {STANDARD} or {SEVEN_PAIRS}")
    for place, copies in enumerate(held):
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
            tally(
                [(copies, COPIES - copies) for copies in held],
                0,
                lambda _, state, copies: steps[state][copies],
            )
        )
    )
