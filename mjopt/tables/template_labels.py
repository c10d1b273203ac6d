"""Deficiencies of rows of hands for templates: each template by the fastest way that it has."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import is_few
from mjopt.hands.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables._array_input import flat
from mjopt.tables.state_index import rank_tables
from mjopt.tables.template_columns import BLOCK, MOST_KINDS, Columns, has_columns
from mjopt.tables.template_cost import least_missing
from mjopt.tables.template_tables import may_have_tables, template_tables
from mjopt.tables.validation import faulty_rows

FEW_ROWS: Final = 4096
"""Fewer rows are looked up in NumPy, sooner than numba loads."""

FEW_DERIVED: Final = 64
"""Fewer rows are answered one by one, sooner than tables are derived."""

FEW_PROGRAMS: Final = 16
"""Fewer rows are answered one by one, sooner than the dynamic program loads."""

Bytes = NDArray[np.uint8]
Labels = NDArray[np.int8]
Words = NDArray[np.uint64]


class TemplateLabels:
    """The least deficiency of hands over some templates.

    Parameters
    ----------
    templates
        Templates of the same number of tiles.
    tiles, called
        Of all hands.
    num_rows
        Number of hands, which decides what is worth deriving and compiling.
    is_limited
        Whether fewer copies can arrive than are not held.
    spare
        Tiles that a hand may have beyond those of a complete hand.
    """

    def __init__(
        self,
        templates: Sequence[Template],
        tiles: TileSet,
        called: int,
        *,
        num_rows: int,
        is_limited: bool,
        spare: int = 0,
    ) -> None:
        self._tiles, self._called, self._spare = tiles, called, spare
        self._num_tiles = templates[0].num_tiles + spare
        self._by_tables: list[Template] = []
        self._by_columns: list[Template] = []
        self._by_program: list[Template] = []
        self._one_by_one: list[Template] = []
        self._compiles = not is_few(num_rows, FEW_ROWS)
        for template in templates:
            if template.melds < called:
                continue
            if tiles.num_kinds <= MOST_KINDS and has_columns(template, is_limited=is_limited):
                self._by_columns.append(template)
            elif not is_limited and may_have_tables(template, tiles):
                if is_few(num_rows, FEW_DERIVED):
                    self._one_by_one.append(template)
                elif template_tables(template, tiles, spare) is not None:
                    self._by_tables.append(template)
                else:
                    self._by_program.append(template)
            elif is_few(num_rows, FEW_PROGRAMS):
                self._one_by_one.append(template)
            else:
                self._by_program.append(template)
        self._by_tables.sort(key=lambda template: len(template.jokers))

    @property
    def validates(self) -> bool:
        """Whether the look-ups find rows that are no hands."""
        return bool(self._compiles and self._by_tables and not self._by_tables[0].jokers)

    def lower(
        self, rows: Bytes, unseen: Bytes | None, labels: Labels, *, partial: bool, is_valid: bool
    ) -> int:
        """Lower labels to the deficiencies; return the first row that is no hand, or -1.

        Parameters
        ----------
        rows
            Copies per kind, shape ``(N, K)``, in C order.
        unseen
            Copies that can still arrive, one row for all or one each; None for all not held.
        labels
            The labels, shape ``(N,)``.
        partial
            Whether fewer tiles than a hand has are allowed.
        is_valid
            Whether the rows are known to be hands.
        """
        words = np.empty(2 * min(len(rows), BLOCK) * self._compiles, np.uint64)
        for start in range(0, len(rows), BLOCK):
            part, some = rows[start : start + BLOCK], labels[start : start + BLOCK]
            left = unseen if unseen is None or unseen.ndim == 1 else unseen[start : start + BLOCK]
            if not (is_valid or self.validates):
                faults = self._faults(part, partial)
                if len(faults):
                    return start + int(faults[0])
            if self._by_tables and self._lower_by_tables(part, words, some, partial) < 0:
                return start + int(self._faults(part, partial)[0])
            self._lower_by_columns(part, left, some)
            if self._by_program:
                self._lower_by_program(part, left, some)
            if self._one_by_one:
                copies = COPIES - part if left is None else np.minimum(left, COPIES - part)
                for row, counts in enumerate(part.tolist()):
                    value = least_missing(
                        self._one_by_one,
                        self._tiles,
                        tuple(counts),
                        tuple(copies[row].tolist()),
                        self._called,
                    )
                    some[row] = min(some[row], value)
        return -1

    def _faults(self, rows: Bytes, partial: bool) -> NDArray[np.intp]:
        return faulty_rows(rows, called=self._called, partial=partial, size=self._num_tiles)

    def _lower_by_tables(self, rows: Bytes, words: Words, labels: Labels, partial: bool) -> int:
        jokers: tuple[int, ...] | None = None
        worst = 0
        for template in self._by_tables:
            tables = template_tables(template, self._tiles, self._spare)
            assert tables is not None
            if template.jokers != jokers:
                jokers = template.jokers
                natural, held = _without(rows, jokers)
                if self._compiles:
                    words = words[: 2 * len(rows)]
                    self._read(natural, tables.groups, tables.most, words)
            if not self._compiles:
                found = tables.look_up(natural, self._called)
                np.minimum(labels, np.maximum(found - held, 0) if jokers else found, out=labels)
                continue
            from mjopt.tables._template_kernels import lower_by_tables

            answers = tables.answers(self._called, partial=partial or bool(jokers))
            result = lower_by_tables(
                words,
                (*tables.arrays, answers.reshape(-1)),
                tables.row_lengths,
                held,
                np.empty_like(labels),
                labels,
            )
            worst = min(worst, int(result))
        return worst

    def _read(self, rows: Bytes, groups: NDArray[np.int64], most: int, words: Words) -> None:
        """Write two words of state numbers for each row."""
        from mjopt.tables import _template_kernels

        octets = flat(rows)
        if self._tiles.is_built_in:
            read = _template_kernels.reader(self._tiles)
            read(octets, groups, *rank_tables(most), words)
        else:
            width = self._tiles.num_kinds
            _template_kernels.read_any(octets, width, groups, *rank_tables(most), words)

    def _lower_by_columns(self, rows: Bytes, unseen: Bytes | None, labels: Labels) -> None:
        jokers: tuple[int, ...] | None = None
        for template in self._by_columns:
            if template.jokers != jokers:
                jokers = template.jokers
                columns = Columns(rows, unseen, jokers)
            np.minimum(labels, columns.deficiency(template), out=labels)

    def _lower_by_program(self, rows: Bytes, unseen: Bytes | None, labels: Labels) -> None:
        from mjopt.tables._template_kernels import lower_by_program, program

        left = np.full(rows.shape[1], COPIES, np.uint8) if unseen is None else unseen
        if any(template.jokers for template in self._by_program):  # jokers that can arrive
            left = np.minimum(left, COPIES - rows)
        step = 0 if left.ndim == 1 else rows.shape[1]
        octets, copies = flat(rows), flat(left)
        for template in self._by_program:
            plan = program(template, self._tiles, self._called)
            lower_by_program(octets, copies, step, plan, labels)


def _without(rows: Bytes, jokers: tuple[int, ...]) -> tuple[Bytes, Labels]:
    """Return rows without jokers, and the number of jokers in each; no numbers if none count."""
    held = np.zeros(0, np.int8)
    if jokers:
        held = rows[:, list(jokers)].sum(axis=1, dtype=np.int8)
        rows = rows.copy()
        rows[:, list(jokers)] = 0
    held.setflags(write=False)
    return rows, held
