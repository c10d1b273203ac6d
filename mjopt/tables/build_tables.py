"""Derive the tables from the rules alone: ``python -m mjopt.tables.build_tables``."""

import hashlib
import math
import sys
import zlib
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt.hands.rules.classic_forms import classic_forms
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, FULL, M0, SANMA, TileSet
from mjopt.tables.bundles.bundle import derive_bundle
from mjopt.tables.bundles.bundle_file import SHIPPED, file_name, pack, to_bytes
from mjopt.tables.bundles.layers import (
    FEW_KINDS,
    demand_content,
    demand_file,
    demand_of,
    derive_demand,
)
from mjopt.tables.bundles.rule_tables import SPARE
from mjopt.tables.standard.hand_tables import StateClasses, join_classes, number_classes
from mjopt.tables.standard.table_file import DIGEST, PATH, SECTIONS
from mjopt.tables.suits.costs import cost_vectors
from mjopt.tables.suits.groups import groups_of
from mjopt.tables.suits.state_index import MOST_TILES, num_states, state_copies


def _shipped(tiles: TileSet) -> Iterator[tuple[tuple[Template, ...], TileSet, bool]]:
    """Yield the templates of each bundle of the classic forms, and whether it knows sizes."""
    melds, *others = [form.templates for form in classic_forms(tiles)]
    yield melds, tiles, True
    for number in range(1, len(others) + 1):
        yield sum(others[:number], ()), tiles, False


SHIPPED_TEMPLATES: Final = tuple(part for tiles in (M0, FULL, SANMA) for part in _shipped(tiles))
"""The templates, the tile set and whether sizes are known, of each bundle in the package."""

SHIPPED_DEMANDS: Final = tuple(
    dict.fromkeys(
        demand_of(template, FULL, group.kinds)
        for form in classic_forms(FULL)
        for template in form.templates
        for group in groups_of(FULL)
        if group.width >= FEW_KINDS
    )
)
"""The demands whose automata are in the package."""


def derive() -> bytes:
    """Return the bytes of every table, in the order of ``SECTIONS``.

    Takes one or two seconds and 100 MB, without compilation.
    """
    suits = _group_classes(9, has_chows=True)
    honours = _group_classes(7, has_chows=False)
    groups = {
        "suit": suits,
        "honour": honours,
        "pair": join_classes(suits, suits),
        "mixed": join_classes(suits, honours),
    }
    arrays: dict[str, NDArray[np.integer]] = {}
    for name, group in groups.items():
        shape = SECTIONS[f"{name}_class"][1]
        arrays[f"{name}_class"] = group.numbers.ravel()[: math.prod(shape)]
        arrays[f"{name}_cost"] = np.minimum(group.costs, MOST_TILES + 1)
        arrays[f"{name}_size"] = group.sizes
    parts = []
    for name, (kind, shape) in SECTIONS.items():
        assert arrays[name].size == math.prod(shape), (name, arrays[name].shape, shape)
        parts.append(np.ascontiguousarray(arrays[name]).astype(kind).tobytes())
    return b"".join(parts)


def _group_classes(num_kinds: int, *, has_chows: bool) -> StateClasses:
    """Return the classes of the states of a suit, or of honours."""
    states = np.arange(num_states(num_kinds), dtype=np.uint32)
    copies = state_copies(states, num_kinds).astype(np.int64)
    place = copies @ (COPIES + 1) ** np.arange(num_kinds)[::-1]
    costs = cost_vectors(num_kinds, has_chows=has_chows)[place]
    return number_classes(costs, copies.sum(axis=1))


def main() -> int:
    """Derive the tables and write the files that are part of the package.

    Files of another version are not removed.
    """
    derived = derive()
    SHIPPED.mkdir(exist_ok=True)
    for templates, tiles, is_sized in SHIPPED_TEMPLATES:
        bundle = derive_bundle(templates, tiles, MOST_TILES + SPARE, is_sized=is_sized)
        name = file_name(templates, tiles, MOST_TILES + SPARE, is_sized=is_sized)
        (SHIPPED / name).write_bytes(to_bytes(bundle))
    for demand in SHIPPED_DEMANDS:
        content = pack(*demand_content(derive_demand(demand)))
        (SHIPPED / demand_file(demand)).write_bytes(content)
    found = hashlib.sha256(derived).hexdigest()
    PATH.write_bytes(zlib.compress(derived, 9))
    sys.stdout.write(f"{PATH.name}: {PATH.stat().st_size} bytes, SHA-256 {found}\n")
    if found != DIGEST:
        sys.stdout.write("table_file.DIGEST differs: replace it by this one\n")
    return int(found != DIGEST)


if __name__ == "__main__":
    sys.exit(main())
