"""Gain tables of several bundles as one, read from files or derived."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import TileSet
from mjopt.tables.bundles.bundle import Bundle
from mjopt.tables.bundles.bundle_file import Header, are_kept, file_name, load_file
from mjopt.tables.bundles.rule_tables import RuleTables
from mjopt.tables.gains.gain_derivation import derive_gains
from mjopt.tables.gains.gain_layout import CLASS_BITS, JOKERS, SET_BITS, GainPlaces, GainTables
from mjopt.tables.suits.groups import MOST_GROUPS

VERSION: Final = 1
"""Of the derivation and of the file; part of the names of the files."""

SUFFIX: Final = ".gains"

Integers = NDArray[np.integer]


@lru_cache(maxsize=32)
def gain_tables(tables: RuleTables, called: int) -> GainTables | None:
    """Return the gain tables of all bundles; None if they do not fit in their bits.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> from mjopt.hands.tiles import M0
    >>> from mjopt.tables.bundles.rule_tables import rule_tables
    >>> found = gain_tables(rule_tables((standard_template(M0),), M0), 0)
    >>> found.words.dtype, found.places.shape
    (dtype('uint16'), (1, 33))
    """
    found = []
    for bundle, templates, jokers in zip(
        tables.bundles, tables.templates, tables.jokers, strict=True
    ):
        if called < len(bundle.answers) and templates:
            some = load_gains(bundle, templates, tables.tiles, tables.most, called)
            if some is None:
                return None
            places = some.places.copy()
            places[:, JOKERS] = bool(jokers)
            found.append(replace(some, places=places))
    return _joined(found) if found else None


def _joined(found: Sequence[GainTables]) -> GainTables | None:
    """Return the tables of several bundles as one."""
    states, places = [], []
    num_states_before = num_words = num_deep = 0
    for some in found:
        if (int(some.states.max()) >> CLASS_BITS) + num_words >= 1 << 32 - CLASS_BITS:
            return None
        states.append(some.states + np.uint32(num_words << CLASS_BITS))
        for row in some.places.tolist():
            at, jokers = GainPlaces.of(row[:JOKERS]), row[JOKERS]
            moved = at._replace(
                state=tuple(start + num_states_before for start in at.state),
                deep=tuple(start + num_deep for start in at.deep),
                deep_end=tuple(end + num_deep for end in at.deep_end),
                **{
                    name: tuple(start + num_words for start in getattr(at, name))
                    for name in ("join", "rest", "way")
                },
            )
            places.append([*sum(moved, ()), jokers])
        num_states_before += len(some.states)
        num_words += len(some.words)
        num_deep += len(some.deep)
    return GainTables(
        np.concatenate(states),
        np.concatenate([some.words for some in found]),
        np.concatenate([some.deep for some in found]),
        np.array(places, np.uint64),
        min(some.least_deep for some in found),
    )


def load_gains(
    bundle: Bundle, templates: Sequence[Template], tiles: TileSet, most: int, called: int
) -> GainTables | None:
    """Return the gain tables of one bundle, from a file if there is one."""
    if not are_kept(tiles):
        return derive_gains(bundle, templates, tiles, most, called)
    return load_file(
        gains_file(bundle, templates, tiles, most, called),
        _read,
        lambda: derive_gains(bundle, templates, tiles, most, called),
        content_of,
    )


def gains_file(
    bundle: Bundle, templates: Sequence[Template], tiles: TileSet, most: int, called: int
) -> str:
    """Return the name of the file of a bundle: that of the bundle, with the called melds."""
    name = file_name(templates, tiles, most, is_sized=bundle.sizes is not None)
    return f"{Path(name).stem}-{VERSION}-{called}{SUFFIX}"


def content_of(tables: GainTables | None) -> tuple[Header, Sequence[Integers]]:
    """Return the header and the arrays of a file."""
    if tables is None:
        return None, []
    return {"least_deep": tables.least_deep}, [
        tables.states,
        tables.words,
        tables.deep,
        tables.places.astype(np.uint32),
    ]


def _read(header: Header, arrays: Sequence[Integers]) -> GainTables | None:
    """Return the tables of a file, after checks that no look-up leaves its array."""
    if header is None:
        return None
    states, words, deep, places = arrays
    found = GainTables(
        states.astype(np.uint32),
        words.astype(np.uint16),
        deep.astype(np.uint32),
        places.astype(np.uint64),
        int(header["least_deep"]),
    )
    if places.shape != (1, JOKERS + 1) or not _is_consistent(found):
        raise ValueError("the arrays do not fit together")
    return found


def _is_consistent(tables: GainTables) -> bool:
    """Return whether every number is a valid index, so that no look-up leaves its array."""
    at = GainPlaces.of(tables.places[0].tolist()[:JOKERS])
    words, states, end = tables.words, tables.states, len(tables.words)
    sizes = at.way_row  # number of classes of each group
    for half in range(2):
        one, two = sizes[2 * half : 2 * half + 2]
        joins = words[at.join[half] : at.join[half] + one * two]
        # The rests of the other half have a column for each class of this half.
        row = at.rest_row[2 - 2 * half]
        if len(joins) < one * two or at.join_row[half] != two or int(joins.max()) >= row:
            return False
        if at.rest_row[2 - 2 * half] != at.rest_row[3 - 2 * half]:
            return False
    every = sorted({*at.state, len(states)})
    for group in range(MOST_GROUPS):
        size, row = sizes[group], at.rest_row[group]
        rests = words[at.rest[group] : at.rest[group] + sizes[group ^ 1] * row]
        last = at.way[group] + (int(rests.max(initial=0)) + 1) * size
        if (
            len(rests) < sizes[group ^ 1] * row
            or last > end
            or at.deep_end[group] >= len(tables.deep)
        ):
            return False
        own = states[at.state[group] : every[every.index(at.state[group]) + 1]]
        ways = words[at.way[group] : last] & ((1 << SET_BITS) - 1)
        # The greatest place plus the greatest set: no look-up of the kernels is tested again.
        if not len(own) or int((own & np.uint32((1 << CLASS_BITS) - 1)).max()) >= size:
            return False
        if (int(own.max()) >> CLASS_BITS) + int(ways.max()) >= end:
            return False
    return True
