"""Lookup arrays of a set of templates: the tables of all bundles, and where each begins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import TileSet
from mjopt.tables.bundles.rule_tables import RuleTables, rule_tables
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of

Words = NDArray[np.unsignedinteger]
Records = NDArray[np.uint64]
Labels = NDArray[np.int8]
Number = TypeVar("Number", bound=np.generic)

_WORDS: Final = (np.uint8, np.uint16, np.uint32)


class BundlePlaces(NamedTuple):
    """Where a bundle stands: its class in a word, and its joins."""

    shift: int  # of the class
    mask: int
    pair: int  # where the join of the first and the second group begins
    pair_row: int  # length of a row of it
    other: int  # where the join of the third and the fourth group begins
    other_row: int
    has_jokers: bool  # whether jokers are subtracted from the answers


class ArrayLayout(NamedTuple):
    """Where everything stands: all that a kernel knows of some templates."""

    starts: tuple[int, ...]  # of the words of each group
    nones: tuple[int, ...]  # the number of no state, of each group
    record_starts: tuple[int, ...]  # empty if there are no records
    bundles: tuple[BundlePlaces, ...]
    jokers: tuple[int, ...]  # kinds


@dataclass(frozen=True, slots=True, eq=False)
class RuleArrays:
    """The arrays of some templates.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> riichi = get_rules("riichi")
    >>> templates = tuple(t for form in riichi.forms for t in form.templates)
    >>> arrays = arrays_of(templates, riichi.tiles)
    >>> arrays.words.dtype, [(places.shift, places.mask) for places in arrays.layout.bundles]
    (dtype('uint16'), [(0, 255), (8, 255)])
    """

    tables: RuleTables
    layout: ArrayLayout
    # For every state of every group, one word with its class in each bundle; or, if that has more
    # than 32 bits, the number of such a word in ``records``. Equal groups are here once. Each group
    # is padded to a power of two with the word of too many tiles.
    words: Words
    records: Records  # words, if ``words`` are numbers of them
    # Joins of the first two groups, bundle after bundle: places in the answers.
    pairs: NDArray[np.uint32]
    others: NDArray[np.uint16]  # joins of the other groups, bundle after bundle
    _answers: dict[tuple[int, bool, int], Labels] = field(default_factory=dict)

    @property
    def groups(self) -> NDArray[np.int64]:
        """First kind, number of kinds, and the number of no state, for each of four groups."""
        groups = groups_of(self.tables.tiles)
        found = np.zeros((MOST_GROUPS, 3), np.int64)
        for row, group, none in zip(found, groups, self.layout.nones, strict=False):
            row[:] = group.start, group.width, none
        return _read_only(found)

    def answers(self, called: int, *, partial: bool = False, spare: int = 0) -> Labels:
        """Return the deficiency by the classes of the two halves of a hand, bundle after bundle.

        It has one dimension and is before jokers are subtracted; ``NO_HAND`` where the number of
        tiles is wrong. A hand may have ``spare`` tiles beyond those of a complete hand; more than
        ``SPARE`` hold for hands whose halves have no more tiles than the tables know. ``partial``
        allows fewer tiles.
        """
        key = called, partial, spare
        if key not in self._answers:
            size = self.tables.size + spare - 3 * called
            self._answers[key] = _in_a_row(
                bundle.answers_of(called, size, partial=partial) for bundle in self.tables.bundles
            )
        return self._answers[key]


@lru_cache(maxsize=64)
def arrays_of(templates: tuple[Template, ...], tiles: TileSet) -> RuleArrays:
    """Return the arrays of :func:`mjopt.tables.bundles.rule_tables.rule_tables`."""
    tables = rule_tables(templates, tiles)
    bundles = tables.bundles
    shifts = _starts([bundle.num_bits for bundle in bundles])
    size = next((k for k in _WORDS if 8 * np.dtype(k).itemsize >= tables.num_bits), None)
    words: list[Records] = []
    records: list[Records] = []
    known: dict[tuple[int, ...], tuple[int, int, int]] = {}
    places = []
    for group in range(len(groups_of(tiles))):
        classes = [bundle.numbers[group] for bundle in bundles]
        key = tuple(map(id, classes))  # equal groups share their arrays
        if key not in known:
            # The class of each bundle has its own bits of a word.
            word = np.zeros(len(classes[0]), np.uint64)
            for numbers, shift in zip(classes, shifts, strict=True):
                word |= numbers.astype(np.uint64) << np.uint64(shift)
            known[key] = sum(map(len, words)), sum(map(len, records)), len(word)
            if size is None:
                # Few of the possible words occur, so a number of 32 bits or less finds one.
                record, number = np.unique(word, return_inverse=True)
                records.append(record)
                word = number.astype(np.uint64)
            words.append(_padded(word))
            known[key] = *known[key][:2], len(words[-1]) - 1
        places.append(known[key])
    every = np.concatenate(words)
    starts, record_starts, nones = zip(*places, strict=True)
    answer_starts = _starts([bundle.answers[0].size for bundle in bundles])
    return RuleArrays(
        tables,
        ArrayLayout(
            starts,
            nones,
            record_starts if records else (),
            _places(tables, shifts),
            tuple(sorted({kind for jokers in tables.jokers for kind in jokers})),
        ),
        _read_only(every.astype(size or np.min_scalar_type(every.max()))),
        _in_a_row(records or [np.zeros(1, np.uint64)]),
        _in_a_row(
            np.uint32(start) + bundle.pair.astype(np.uint32) * np.uint32(bundle.answers.shape[2])
            for bundle, start in zip(bundles, answer_starts, strict=True)
        ),
        _in_a_row(bundle.other.astype(np.uint16) for bundle in bundles),
    )


def _places(tables: RuleTables, shifts: Sequence[int]) -> tuple[BundlePlaces, ...]:
    """Return where each bundle stands."""
    pairs = _starts([bundle.pair.size for bundle in tables.bundles])
    others = _starts([bundle.other.size for bundle in tables.bundles])
    return tuple(
        BundlePlaces(
            shifts[place],
            (1 << bundle.num_bits) - 1,
            pairs[place],
            bundle.pair.shape[1],
            others[place],
            bundle.other.shape[1],
            bool(tables.jokers[place]),
        )
        for place, bundle in enumerate(tables.bundles)
    )


def _starts(sizes: Sequence[int]) -> list[int]:
    """Return where parts of some sizes begin, one after the other."""
    return list(accumulate(sizes[:-1], initial=0))


def _padded(words: Records) -> Records:
    """Return words, and the last one for every greater number."""
    every = np.full(1 << (len(words) - 1).bit_length(), words[-1], words.dtype)
    every[: len(words)] = words
    return every


def _in_a_row(parts: Iterable[NDArray[Number]]) -> NDArray[Number]:
    return _read_only(np.concatenate([part.reshape(-1) for part in parts]))


def _read_only(array: NDArray[Number]) -> NDArray[Number]:
    array.setflags(write=False)
    return array
