"""Look up the deficiencies of hands for any winning forms, in Python and in NumPy.

Nothing is compiled, so that one hand takes microseconds also in a new process.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.bundles.bundle import NO_HAND
from mjopt.tables.bundles.rule_arrays import RuleArrays, arrays_of
from mjopt.tables.bundles.rule_tables import SPARE
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.state_index import number_of, state_numbers

Labels = NDArray[np.int8]


class RuleLookup:
    """Look-ups for some templates of a tile set.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> sichuan = get_rules("sichuan")
    >>> templates = tuple(t for form in sichuan.forms for t in form.templates)
    >>> found = lookup_of(templates, sichuan.tiles)
    >>> hand = Hand.parse("1122334455667m1p", rules=sichuan)
    >>> found.one(bytes(hand.counts), 0), found.rows(np.array([hand.counts], np.uint8), 0)
    (1, array([1], dtype=int8))
    """

    def __init__(self, arrays: RuleArrays) -> None:
        self.arrays = arrays
        tables, layout = arrays.tables, arrays.layout
        self._most = tables.most
        self._groups = [group.kinds for group in groups_of(tables.tiles)]
        self._nones = layout.nones
        self._jokers = layout.jokers
        # Reading a memory view is several times faster than reading an array; it copies nothing.
        self._words = [arrays.words[start:].data for start in layout.starts]
        self._records = [arrays.records[start:].data for start in layout.record_starts]
        self._pairs, self._others = arrays.pairs.data, arrays.others.data
        self._answers: dict[tuple[int, bool, int], memoryview] = {}

    def with_more(self, held: Sequence[int], called: int, kind: int, more: int) -> int:
        """Return the deficiency of a hand with more copies of a kind, whatever its size.

        ``NO_HAND`` if the tables do not go so far.
        """
        counts = bytearray(held)
        counts[kind] += more
        for half in self._groups[:2], self._groups[2:]:
            if sum([sum(counts[kinds]) for kinds in half]) > self._most:
                return NO_HAND
        return self.one(bytes(counts), called, partial=True, spare=COPIES)

    def one(self, held: bytes, called: int, *, partial: bool = False, spare: int = 0) -> int:
        """Return the deficiency of one hand; ``NO_HAND`` if the counts are not a hand.

        ``held`` is copies per kind. ``partial`` allows fewer tiles than a hand has, and
        ``spare`` tiles may be beyond those of a complete hand.
        """
        key = called, partial, spare
        answers = self._answers.get(key)
        if answers is None:
            every = self.arrays.answers(called, partial=partial, spare=spare)
            answers = self._answers[key] = every.data
        try:
            words = [
                part[number_of(held[kinds], self._most)]
                for part, kinds in zip(self._words, self._groups, strict=True)
            ]
        except ValueError:  # more than four of a kind, or too many tiles
            return NO_HAND
        if self._records:
            words = [part[word] for part, word in zip(self._records, words, strict=True)]
        pairs, others = self._pairs, self._others
        one, two, three, four = (
            words if len(words) == MOST_GROUPS else (*words, *[0] * (MOST_GROUPS - len(words)))
        )
        least = UNREACHABLE
        for shift, mask, pair, pair_row, other, other_row, has_jokers in self.arrays.layout.bundles:
            found = answers[
                pairs[pair + (one >> shift & mask) * pair_row + (two >> shift & mask)]
                + others[other + (three >> shift & mask) * other_row + (four >> shift & mask)]
            ]
            if has_jokers and 0 < found < UNREACHABLE:
                found = max(0, found - sum([held[kind] for kind in self._jokers]))
            least = min(least, found)
        return least

    def rows(
        self, rows: NDArray[np.uint8], called: int, *, partial: bool = False, spare: int = 0
    ) -> Labels:
        """Return the deficiency of every hand, shape ``(N, K)``; ``NO_HAND`` where a row is none.

        Rows have at most four copies of a kind; ``partial`` and ``spare`` are as for :meth:`one`.
        """
        numbers = []
        for kinds, none in zip(self._groups, self._nones, strict=True):
            part = rows[:, kinds]
            fits = part.sum(axis=1, dtype=np.int64) <= self._most
            number = np.full(len(rows), none)
            number[fits] = state_numbers(part[fits], self._most)
            numbers.append(number)
        held = rows[:, list(self._jokers)].sum(axis=1, dtype=np.int8)
        answers = self.arrays.answers(called, partial=partial, spare=spare)
        words = [self.words_of(group, number) for group, number in enumerate(numbers)]
        return self.join(words, held, answers)

    def neighbours(
        self, held: Sequence[int], called: int, *, discards: bool = True
    ) -> tuple[list[int], Labels]:
        """Return the kinds of the discards, and deficiencies after each of them and every draw.

        Deficiencies have one row for each discard and a last one for none, one column for each kind
        drawn and a last one for none. A draw of a fifth tile changes nothing. ``held`` is a hand
        before or after its draw, shape ``(K,)``. Nothing is compiled.
        """
        thrown = [kind for kind, copies in enumerate(held) if copies and discards]
        found = []
        for place, kinds in enumerate(self._groups):
            width = kinds.stop - kinds.start
            inside = [row for row, kind in enumerate(thrown) if kinds.start <= kind < kinds.stop]
            own = [thrown[row] - kinds.start for row in inside]
            numbers = self._numbers_near(list(held[kinds]), own, self._nones[place])
            rows = np.full(len(thrown) + 1, len(own))
            rows[inside] = np.arange(len(own))
            columns = np.full(len(held) + 1, width)
            columns[kinds] = np.arange(width)
            found.append(self.words_of(place, numbers)[rows[:, None], columns])
        jokers = np.zeros((len(thrown) + 1, len(held) + 1), np.int8)
        if self._jokers:
            jokers += np.int8(sum(held[kind] for kind in self._jokers))
            jokers[:-1][np.isin(thrown, self._jokers)] -= 1
            jokers[:, [kind for kind in self._jokers if held[kind] < COPIES]] += 1
        answers = self.arrays.answers(called, partial=True, spare=SPARE)
        return thrown, self.join(found, jokers, answers)

    def useful(
        self, held: Sequence[int], called: int, *, discards: bool = True
    ) -> list[tuple[int, list[int]]]:
        """Return the deficiency and the useful kinds after each discard, and last after none.

        The arguments are those of :meth:`neighbours`.
        """
        _, near = self.neighbours(held, called, discards=discards)
        row, kind = np.nonzero(near[:, :-1] < near[:, -1:])
        ends = np.searchsorted(row, np.arange(len(near) + 1)).tolist()
        kinds = kind.tolist()
        parts = [kinds[start:end] for start, end in pairwise(ends)]
        return list(zip(near[:, -1].tolist(), parts, strict=True))

    def _numbers_near(self, held: list[int], thrown: list[int], none: int) -> NDArray[np.int64]:
        """Return the state numbers of a group after each discard, and each draw."""
        width = len(held)
        # With at most two copies of each kind, no draw makes a fourth: state numbers are two bits a
        # kind, so a draw adds a power of four and a discard subtracts one.
        if max(held) < COPIES - 1:
            steps = 4 ** np.arange(width)
            number = int(held @ steps)
            fewer: NDArray[np.int64] = np.append(number - steps[thrown], number)
            near: NDArray[np.int64] = fewer[:, None] + np.append(steps, 0)
            return near
        rows = np.repeat(np.array([held], np.uint8), len(thrown) + 1, axis=0)
        rows[np.arange(len(thrown)), thrown] -= 1
        every = np.repeat(rows[:, None], width + 1, axis=1)
        kinds = np.arange(width)
        every[:, kinds, kinds] += rows < COPIES
        flat = every.reshape(-1, width)
        numbers = np.full(len(flat), none)
        fits = flat.sum(axis=1, dtype=np.int64) <= self._most
        numbers[fits] = state_numbers(flat[fits], self._most)
        found: NDArray[np.int64] = numbers.reshape(every.shape[:2])
        return found

    def words_of(self, group: int, numbers: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the words of some state numbers of a group, as signed numbers."""
        arrays, layout = self.arrays, self.arrays.layout
        words: NDArray[np.int64] = arrays.words[numbers + layout.starts[group]].astype(np.int64)
        if layout.record_starts:
            words = arrays.records[words + layout.record_starts[group]].astype(np.int64)
        return words

    def join(self, words: Sequence[NDArray[np.integer]], held: Labels, answers: Labels) -> Labels:
        """Return the deficiency of words, which broadcast, with some numbers of jokers."""
        every = [*words, *[np.zeros(1, np.int64)] * (MOST_GROUPS - len(words))]
        one, two, three, four = every
        arrays = self.arrays
        least: Labels | None = None
        for shift, mask, pair, pair_row, other, other_row, has_jokers in arrays.layout.bundles:
            first = (one >> shift & mask) * pair_row + (two >> shift & mask) + pair
            second = (three >> shift & mask) * other_row + (four >> shift & mask) + other
            found = answers[arrays.pairs[first].astype(np.int64) + arrays.others[second]]
            if has_jokers:
                is_known = (found >= 0) & (found < UNREACHABLE)
                found = np.where(is_known, np.maximum(found - held, 0), found)
            least = found if least is None else np.minimum(least, found)
        assert least is not None
        return least


@lru_cache(maxsize=64)
def lookup_of(templates: tuple[Template, ...], tiles: TileSet) -> RuleLookup:
    """Return the look-ups of :func:`mjopt.tables.bundles.rule_arrays.arrays_of`."""
    return RuleLookup(arrays_of(templates, tiles))
