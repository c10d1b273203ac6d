"""Common readings of a question that give other answers than the exact ones: likely causes.

Most readings change the distance from a win, such as one that waits for a fifth copy of a tile.
From a distance follow the answers to the other questions, so such a reading covers all of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.audits.danger_readings import rate_readings
from mjopt.audits.exact_answers import (
    UNDEFINED,
    Answers,
    Forms,
    as_masks,
    as_numbers,
    count_kinds,
    kinds_in,
    rates,
)
from mjopt.audits.hand_batch import Counts, HandBatch
from mjopt.audits.questions import CHOICE, DISTANCES, FLAG, NUMBER, QUESTIONS, RATE, TILES, Question
from mjopt.hands.rules.classic_forms import HAND_SIZE, UNREACHABLE, classic_forms, names_of
from mjopt.hands.rules.winning_form import templates_of
from mjopt.hands.tiles import COPIES, FULL, SANMA
from mjopt.hands.wide_rows import widen_rows
from mjopt.tables.neighbours import deficiencies
from mjopt.tables.suits.costs import NUM_COSTS, cost_vectors, suit_costs

FOUR_COPIES: Final = "ignores the four-copy limit"
MIXED_FORMS: Final = "mixed forms"
QUADS: Final = "counts four of a kind as two pairs"
CALLED: Final = "does not count called melds"
SEEN: Final = "ignores the tiles seen elsewhere"
OWN_COPIES: Final = "counts four copies of each useful tile, those held included"
KINDS: Final = "counts kinds, not copies"
AFTER_DISCARD: Final = "is about the hand after its best discard"
WIN_IS_ZERO: Final = "a win is given as 0"
READY: Final = "a ready hand is called a win"
HONOUR_RUNS: Final = "counts runs of honours"
NO_EYE: Final = "needs no pair"
FOUR_PLAYERS: Final = "counts tiles that three players lack"

_NUMBERS: Final = ("nothing", "one", "two", "three", "four", "five", "six")

Flags = NDArray[np.bool_]

_SAMPLE: Final = 32  # wrong answers that decide which reading is tried first
_AGREEMENT: Final = 0.9  # least share of right answers that a reading gives, too

Distance = Callable[[HandBatch], Answers]
Reading = Callable[[HandBatch], Answers | None]


@lru_cache(maxsize=1 << 17)
def _unlimited_costs(held: tuple[int, ...], has_chows: bool) -> tuple[int, ...]:
    """Return the fewest tiles that a suit lacks, by share, if copies are unlimited.

    Seven copies of a kind are enough. Chows and the eye use at most six, so a hand with
    eight copies includes a pong of which no tile is held; another pong lacks no more.
    """
    begins_chow = [has_chows and rank + 2 < len(held) for rank in range(len(held))]
    costs = suit_costs(held, [7] * len(held), begins_chow)
    return tuple(costs.get(share, UNREACHABLE) for share in range(NUM_COSTS))


_limited_costs = cache(cost_vectors)


def _suit_costs(states: Counts, has_chows: bool, has_fifth: bool) -> Answers:
    """Return the fewest tiles that each suit lacks by ``2 * melds + eyes``, shape ``(N, 10)``."""
    most, num_kinds = states.max(axis=1, initial=0), states.shape[1]
    place = (COPIES + 1) ** np.arange(num_kinds - 1, -1, -1)
    rows = np.minimum(states, COPIES) @ place
    costs: Answers = _limited_costs(num_kinds, has_chows=has_chows)[rows].astype(np.int64)
    costs[most > COPIES] = UNREACHABLE
    if has_fifth:  # matters only where all four copies are held
        for row in np.flatnonzero(most >= COPIES).tolist():
            costs[row] = _unlimited_costs(tuple(states[row].tolist()), has_chows)
    return costs


def standard_distance(
    hands: HandBatch,
    *,
    has_fifth: bool = False,
    honour_runs: bool = False,
    has_eye: bool = True,
) -> Answers:
    """Return the distance from four melds and an eye by other rules, of hands of any size.

    Five copies of a kind may be held. ``has_fifth``: there are more copies of kinds of which four
    are held. ``honour_runs``: three consecutive honours form a run. ``has_eye``: the eye is needed.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hands = HandBatch.of([Hand.parse("1111m123p112233s")])
    >>> standard_distance(hands), standard_distance(hands, has_fifth=True)  # 11m as the eye
    (array([2]), array([1]))
    """
    joined = np.zeros((len(hands), 1), np.int64)
    for suit, part in zip(hands.tiles.suits, hands.tiles.slices, strict=True):
        has_chows = suit.has_chows or honour_runs
        joined = _join(joined, _suit_costs(hands.counts[:, part], has_chows, has_fifth))
    share = 2 * (4 - hands.called.astype(np.int64)) + has_eye
    found: Answers = joined[np.arange(len(hands)), share]
    return found


def _join(first: Answers, second: Answers) -> Answers:
    """Return the fewest tiles that two parts of each hand lack together, by share."""
    both = np.full((len(first), NUM_COSTS), np.int64(UNREACHABLE))
    for share in range(first.shape[1]):
        for other in range(NUM_COSTS - share):
            if not share & other & 1:  # not two eyes
                total = both[:, share + other]
                np.minimum(total, first[:, share] + second[:, other], out=total)
    return both


def _nearest(hands: HandBatch, forms: Forms) -> Answers:
    """Return the distance of hands of any size, with a tile too many or fewer."""
    found = np.full(len(hands), UNREACHABLE, np.int64)
    if forms:
        for melds, rows in hands.by_called():
            part, templates = hands.take(rows), templates_of(forms)
            found[rows] = deficiencies(part.counts, templates, hands.tiles, melds, part.left)
    return found


def _by_distance(question: Question, hands: HandBatch, distance: Distance) -> Answers | None:
    """Return the answers that follow from a distance; None if none follow."""
    value = distance(hands)
    if question.name == "win":
        return as_numbers((value == 0) & hands.is_full)
    if question.scale == NUMBER and question.name != "ukeire":
        shanten = value - (value != UNREACHABLE)
        return {"deficiency": value, "shanten": shanten}.get(question.name)
    if question.scale != CHOICE:
        masks = _lowering(hands, value, distance)
        return masks if question.scale == TILES else count_kinds(masks, hands.copies)
    row, kind = np.nonzero((hands.counts > 0) & (hands.is_full & (value > 0))[:, None])
    after = _exchanged(hands, row, kind, -1)
    if after.left is None:
        after = replace(after, left=hands.copies[row])  # a discarded tile does not return
    left = distance(after)
    score = np.full(hands.counts.shape, -(1 << 30))
    score[row, kind] = count_kinds(_lowering(after, left, distance), after.copies) - 1000 * left
    return as_masks((score == score.max(axis=1, keepdims=True)) & (hands.counts > 0))


def _exchanged(hands: HandBatch, row: Answers, kind: Answers, change: int) -> HandBatch:
    """Return hands with a tile of a kind more or fewer."""
    part = hands.take(row)
    counts = part.counts.copy()
    counts[np.arange(len(row)), kind] += np.uint8(change % 256)
    return replace(part, counts=counts)


def _lowering(hands: HandBatch, value: Answers, distance: Distance) -> Answers:
    """Return the kinds that lower a distance, also a fifth copy."""
    row, kind = np.nonzero(np.broadcast_to((value > 0)[:, None], hands.counts.shape))
    lowers = np.zeros(hands.counts.shape, np.bool_)
    lowers[row, kind] = distance(_exchanged(hands, row, kind, 1)) < value[row]
    return as_masks(lowers)


def _with_standard(forms: Forms, distance: Distance) -> Distance:
    """Return the least over some forms, with another distance for the standard form."""
    others = tuple(form for form in forms if not form.is_plain)

    def least(hands: HandBatch) -> Answers:
        within = replace(hands, counts=hands.counts.clip(max=COPIES), left=None)
        return np.minimum(distance(hands), _nearest(within, others))

    return least


def _with_fifth(question: Question, forms: Forms, hands: HandBatch) -> Answers | None:
    """Return the answers if a fifth copy can arrive, which matters to hands that hold four."""
    found, rows = question.exact(hands, forms), np.flatnonzero((hands.counts >= COPIES).any(axis=1))
    least = _with_standard(forms, partial(standard_distance, has_fifth=True))
    some = _by_distance(question, hands.take(rows), least)
    if some is not None:
        found[rows] = some
    return found


def _with_quads(forms: Forms) -> Distance:
    others = tuple(form for form in forms if not form.is_pairs)

    def distance(hands: HandBatch) -> Answers:
        within = replace(hands, counts=hands.counts.clip(max=COPIES), left=None)
        pairs: Answers = 7 - (within.counts // 2).sum(axis=1, dtype=np.int64).clip(max=7)
        pairs[hands.called > 0] = UNREACHABLE
        return np.minimum(pairs, _nearest(within, others))

    return distance


def _uncalled(forms: Forms) -> Distance:
    def distance(hands: HandBatch) -> Answers:
        within = replace(hands, counts=hands.counts.clip(max=COPIES), left=None)
        return _nearest(replace(within, called=np.zeros_like(hands.called)), forms)

    return distance


def _other_forms(hands: HandBatch, forms: Forms) -> Iterator[tuple[str, Forms]]:
    """Yield other sets of forms that an answer may be about, each with its name as a cause."""
    size = HAND_SIZE if hands.rules is None else hands.rules.size
    others: list[Forms] = [(form,) for form in forms] if len(forms) > 1 else []
    if size == HAND_SIZE:
        every = classic_forms(hands.tiles)
        if set(every) != set(forms):
            yield MIXED_FORMS, every
        others += [every[:1], every[:2], *((form,) for form in every)]
    for some in dict.fromkeys(others):
        if set(some) != set(forms):
            yield f"counts only {', '.join(names_of(some))}", some


STANDARD_READINGS: Final[dict[str, Distance]] = {
    HONOUR_RUNS: partial(standard_distance, honour_runs=True),
    NO_EYE: partial(standard_distance, has_eye=False),
}


def readings(question: Question, hands: HandBatch, forms: Forms) -> Iterator[tuple[str, Reading]]:
    """Yield causes with functions from some of the hands to the answers of a reading."""
    if question.name == "ukeire":
        yield OWN_COPIES, lambda some: COPIES * _num_useful(some, forms)
        yield KINDS, lambda some: _num_useful(some, forms)
    if question.name == "shanten":
        yield WIN_IS_ZERO, lambda some: np.maximum(question.exact(some, forms), 0)
    if question.name == "win":
        yield READY, lambda some: as_numbers(_nearest(some, forms) <= 1)
    if hands.left is not None:
        yield SEEN, lambda some: question.exact(replace(some, left=None, melds=()), forms)
    if hands.tiles == SANMA and question.scale in (FLAG, NUMBER) and hands.left is None:
        yield FOUR_PLAYERS, lambda some: _in_full(question, some)
    for name, others in _other_forms(hands, forms):
        yield name, partial(_exact_over, question, others)
    every = classic_forms(hands.tiles)
    is_classic_size = hands.rules is None or hands.rules.size == HAND_SIZE
    if any(form.is_plain for form in forms) and is_classic_size:
        yield FOUR_COPIES, partial(_with_fifth, question, forms)
        for name, distance in STANDARD_READINGS.items():
            least = _with_standard(forms, distance)
            yield name, partial(_by_distance, question, distance=least)
    if is_classic_size and (hands.counts == COPIES).any():
        for some_forms in {*((forms,) if any(form.is_pairs for form in forms) else ()), every}:
            yield QUADS, partial(_by_distance, question, distance=_with_quads(some_forms))
    if hands.called.any():
        uncalled = _uncalled(forms)
        yield CALLED, lambda some: _by_distance(question, some, uncalled)
    if question.name in ("useful", "ukeire") and hands.is_full.any():
        yield AFTER_DISCARD, lambda some: _after_discard(question, some, forms)


def _rate_readings(hands: HandBatch, forms: Forms) -> Iterator[tuple[str, Reading]]:
    """Yield causes for wrong deal-in rates."""
    assert hands.asked is not None
    has_two_forms = {*classic_forms(hands.tiles)[:2]} <= {*forms}
    for name, rate in rate_readings(hands.asked.digits, has_two_forms=has_two_forms):
        yield name, partial(rates, forms=forms, rate=rate)


def _exact_over(question: Question, forms: Forms, hands: HandBatch) -> Answers:
    return question.exact(hands, forms)


def _in_full(question: Question, hands: HandBatch) -> Answers:
    full = replace(hands, counts=widen_rows(hands.counts, SANMA), tiles=FULL, rules=None)
    return question.exact(full, classic_forms(FULL))


def _num_useful(hands: HandBatch, forms: Forms) -> Answers:
    return count_kinds(QUESTIONS["useful"].exact(hands, forms), np.ones_like(hands.counts))


def _after_discard(question: Question, hands: HandBatch, forms: Forms) -> Answers | None:
    """Return the answers about the hands after their best discard, the first of equal ones."""
    best, found = QUESTIONS["discard"].exact(hands, forms), question.exact(hands, forms)
    rows = np.flatnonzero(best > 0)
    kinds = np.array([kinds_in(mask)[0] for mask in best[rows].tolist()], np.int64)
    if len(rows):
        after = _exchanged(hands, rows, kinds, -1)
        after = replace(after, left=hands.copies[rows])  # a discarded tile does not return
        found[rows] = question.exact(after, forms)
    return found


def explain(
    question: Question,
    hands: HandBatch,
    given: Answers,
    exact: Answers,
    forms: Forms,
    right: tuple[HandBatch, Answers] | None = None,
) -> list[str]:
    """Return the likely cause of each wrong answer.

    This is the reading that gives exactly this answer, of several the one that explains most; else
    for shanten and deficiency the size of the error, and an empty text for others. ``given`` and
    ``exact`` have shape ``(N,)``. ``right`` are other hands with right answers, at least one, with
    which a cause must agree, too.

    Examples
    --------
    >>> from mjopt.audits.questions import QUESTIONS
    >>> from mjopt.audits.exact_answers import distances
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.tiles import M0
    >>> from mjopt.hands.rules.read_forms import read_forms
    >>> hands = [Hand.parse(text) for text in ("1111m123p112233s", "1112345678999m1p")]
    >>> batch, forms = HandBatch.of(hands), read_forms(None, M0)
    >>> explain(QUESTIONS["deficiency"], batch, np.array([1, 4]), distances(batch, forms), forms)
    ['ignores the four-copy limit', 'too high by three']
    """
    causes = [""] * len(hands)
    if not causes:
        return causes

    def fits(find: Reading, some: HandBatch, answers: Answers) -> Flags:
        found = find(some)
        if found is None:
            return np.zeros(len(some), np.bool_)
        is_same: Flags = question.is_right(answers, found, some.tolerance) & (found != UNDEFINED)
        return is_same

    # A reading may fit some wrong answers by chance. One that an engine has also fits its right
    # answers, and of the others the one that fits most of a sample is tried first.
    is_rate = question.scale == RATE
    found = _rate_readings(hands, forms) if is_rate else readings(question, hands, forms)
    sample = np.arange(0, len(hands), len(hands) // _SAMPLE + 1)
    every = [
        (int(fits(find, hands.take(sample), given[sample]).sum()), name, find)
        for name, find in found
        if right is None or fits(find, *right).mean() >= _AGREEMENT
    ]
    unknown = np.arange(len(hands))
    for _, name, find in sorted(every, key=lambda each: -each[0]):
        is_explained = fits(find, hands.take(unknown), given[unknown])
        for row in unknown[is_explained].tolist():
            causes[row] = name
        unknown = unknown[~is_explained]
    if question.name in DISTANCES:
        has_quad = (hands.counts == COPIES).any(axis=1)
        for row in unknown.tolist():
            causes[row] = _size_of(int(given[row] - exact[row]), bool(has_quad[row]))
    return causes


def _size_of(error: int, has_quad: bool) -> str:
    number = _NUMBERS[abs(error)] if abs(error) < len(_NUMBERS) else str(abs(error))
    note = ", holding four of a kind" if has_quad else ""
    return f"too {'low' if error < 0 else 'high'} by {number}{note}"


def shift_cause(shift: int, name: str) -> str:
    """Name the mistake if every answer of a column has the same error.

    ``shift`` is the given value minus the true one, not 0; ``name`` is that of the question.

    Examples
    --------
    >>> shift_cause(-1, "deficiency")
    'off by one: shanten given as deficiency'
    >>> shift_cause(1, "shanten")
    'off by one: deficiency given as shanten'
    >>> shift_cause(2, "ukeire")
    'every value shifted by +2'
    """
    if (shift, name) == (-1, "deficiency"):
        return "off by one: shanten given as deficiency"
    if (shift, name) == (1, "shanten"):
        return "off by one: deficiency given as shanten"
    return f"every value shifted by {shift:+d}"
