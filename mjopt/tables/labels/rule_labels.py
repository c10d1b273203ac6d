"""Deficiencies of rows of hands for some templates: from tables, or by the dynamic program."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import is_few
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.bundles.rule_arrays import RuleArrays, arrays_of
from mjopt.tables.bundles.rule_lookup import lookup_of
from mjopt.tables.bundles.rule_tables import are_ready, has_tables
from mjopt.tables.bundles.template_columns import MOST_KINDS, Columns, has_columns
from mjopt.tables.rows._array_input import as_bytes, flat, is_in_place, share_out
from mjopt.tables.rows.validation import faulty_rows
from mjopt.tables.suits.state_index import rank_tables
from mjopt.tables.suits.template_cost import least_missing

# D(hand) is a minimum over templates (docs/reference/winning-forms.md), and each template is
# answered in the first way that knows it: tables, if all tiles not held can arrive; sums
# over kinds, if it has no melds (`template_columns`); else a dynamic program. Tables write the
# labels first, and the other ways lower them.

FEW: Final = 4096
"""Fewer rows are looked up in NumPy, which takes less time than loading numba."""

FEW_IN_NUMPY: Final = 64
"""Fewer rows are looked up one by one, which takes less time than starting NumPy's functions."""

FEW_DERIVED: Final = 64
"""Fewer rows are answered without tables, which takes less time than deriving them."""

FEW_PROGRAMS: Final = 16
"""Fewer rows are answered one by one, which takes less time than loading the dynamic program."""

LEAST_KINDS: Final = 16
"""Fewest kinds of a tile set whose rows a kernel reads, sixteen bytes at a time."""

_PART: Final = 16384
"""Rows that two ways work on one after the other, so that they stay in the CPU cache."""

Rows = NDArray[np.integer]
Bytes = NDArray[np.uint8]
Labels = NDArray[np.int8]


class RuleLabels:
    """The least deficiency of hands over some templates of the same number of tiles.

    The tile set and the called melds are those of all hands. ``num_rows``, the number of hands,
    decides what is worth deriving and compiling. ``is_limited``: whether fewer copies can arrive
    than are not held. A hand may have ``spare`` tiles beyond those of a complete hand.
    """

    def __init__(
        self,
        templates: tuple[Template, ...],
        tiles: TileSet,
        called: int,
        *,
        num_rows: int,
        is_limited: bool = False,
        spare: int = 0,
    ) -> None:
        self._tiles, self._called = tiles, called
        self._size = templates[0].num_tiles + spare
        self._all = templates
        self._spare = spare
        able = tuple(template for template in templates if template.melds >= called)
        is_worth = not is_few(num_rows, FEW_DERIVED) or are_ready(templates, tiles)
        self._arrays: RuleArrays | None = None
        others = able
        if able and not is_limited and has_tables(tiles) and is_worth:
            self._arrays = arrays_of(templates, tiles)
            without = self._arrays.tables.others
            others = tuple(template for template in able if template in without)
        columns = [
            template
            for template in others
            if tiles.num_kinds <= MOST_KINDS and has_columns(template, is_limited=is_limited)
        ]
        self._by_columns = columns
        self._by_program = tuple(template for template in others if template not in columns)
        self._compiles = not is_few(num_rows, FEW) and tiles.num_kinds >= LEAST_KINDS
        self._has_programs = not is_few(num_rows, FEW_PROGRAMS)

    def fill(
        self,
        rows: Rows,
        unseen: Bytes | None,
        labels: Labels,
        *,
        partial: bool,
        threads: int | None = 1,
    ) -> int:
        """Write the labels, shape ``(N,)`` in C order; return the first row that is no hand, or -1.

        Rows have shape ``(N, K)``. ``unseen`` copies can still arrive, one row for all or one each;
        None means all not held. ``partial`` allows fewer tiles than a hand has.
        """
        answers = None
        if self._arrays is not None:
            answers = self._arrays.answers(self._called, partial=partial, spare=self._spare)

        def fill_part(start: int, stop: int) -> int:
            part, some = rows[start:stop], labels[start:stop]
            if self._arrays is not None and self._compiles:
                octets = as_bytes(part)
                if self._by_kernel(octets, answers, some) < 0:
                    return start + int(self._faults(part, partial)[0])
            else:
                faults = self._faults(part, partial)
                if len(faults):
                    return start + int(faults[0])
                octets = as_bytes(part)
                some[:] = UNREACHABLE
                if self._arrays is not None:
                    lookup = lookup_of(self._all, self._tiles)
                    if len(octets) < FEW_IN_NUMPY and not self._spare:
                        some[:] = [
                            lookup.one(row.tobytes(), self._called, partial=True) for row in octets
                        ]
                    else:
                        some[:] = lookup.rows(octets, self._called, partial=True, spare=self._spare)
            left = unseen if unseen is None or unseen.ndim == 1 else unseen[start:stop]
            self._update_minimum_by_columns(octets, left, some)
            if self._by_program:
                self._update_minimum_by_programs(octets, left, some)
            return -1

        def work(start: int, stop: int) -> int:
            # Several ways read the same rows one after the other, in parts that stay in the CPU
            # cache.
            is_one_way = self._compiles and not (self._by_program or self._by_columns)
            length = stop - start if is_one_way else _PART
            parts = range(start, stop, length)
            faults = (fill_part(first, min(first + length, stop)) for first in parts)
            return next((fault for fault in faults if fault >= 0), -1)

        return share_out(work, len(rows), threads, in_place=is_in_place(rows))

    def _faults(self, rows: Rows, partial: bool) -> NDArray[np.intp]:
        return faulty_rows(rows, called=self._called, partial=partial, size=self._size)

    def _by_kernel(self, octets: Bytes, answers: Labels | None, labels: Labels) -> int:
        """Write the labels from tables; return a negative number if a row is no hand."""
        from mjopt.tables.labels._rule_kernels import label_kernel
        from mjopt.tables.standard._kernels import BLOCK

        arrays = self._arrays
        assert arrays is not None
        assert answers is not None
        some = labels
        if len(octets) < 4:  # a kernel reads four rows at once
            octets = np.concatenate([octets] * 4)
            some = np.empty(len(octets), np.int8)
        worst = label_kernel(self._tiles, arrays.layout)(
            flat(octets),
            arrays.words,
            arrays.records,
            arrays.pairs,
            arrays.others,
            answers,
            arrays.groups,
            *rank_tables(arrays.tables.most),
            np.empty(BLOCK // 4, np.int64),
            some,
        )
        if some is not labels:
            labels[:] = some[: len(labels)]
        return int(worst)

    def _update_minimum_by_columns(
        self, octets: Bytes, unseen: Bytes | None, labels: Labels
    ) -> None:
        jokers: tuple[int, ...] | None = None
        for template in self._by_columns:
            if template.jokers != jokers:
                jokers = template.jokers
                columns = Columns(octets, unseen, jokers)
            np.minimum(labels, columns.deficiency(template), out=labels)

    def _update_minimum_by_programs(
        self, octets: Bytes, unseen: Bytes | None, labels: Labels
    ) -> None:
        """Replace each label by the deficiency for a template without tables if that is less."""
        left = np.full(octets.shape[1], COPIES, np.uint8) if unseen is None else unseen
        if not self._has_programs:
            copies = np.minimum(np.broadcast_to(left, octets.shape), COPIES - octets)
            for row, counts in enumerate(octets.tolist()):
                value = least_missing(
                    self._by_program,
                    self._tiles,
                    tuple(counts),
                    tuple(copies[row].tolist()),
                    self._called,
                )
                labels[row] = min(labels[row], value)
            return
        from mjopt.tables.labels import _form_kernels
        from mjopt.tables.labels._template_kernels import program, update_minimum

        if any(template.jokers for template in self._by_program):  # jokers that can arrive
            left = np.minimum(left, COPIES - octets)
        step = 0 if left.ndim == 1 else octets.shape[1]
        held, arriving = flat(octets), flat(left)
        for template in self._by_program:
            if template.is_plain:
                begins, moves = _form_kernels.begins_chow(self._tiles), _form_kernels.MOVE_TABLE
                melds = template.melds - self._called
                _form_kernels.limited(held, arriving, step, begins, melds, moves, labels)
            else:
                plan = program(template, self._tiles, self._called)
                update_minimum(held, arriving, step, plan, labels)
