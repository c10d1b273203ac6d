"""Tables 1 and 2 of the paper: NDDE by population and generations, beside the published results."""

from collections.abc import Iterator, Mapping
from itertools import product
from statistics import median
from typing import Final

import numpy as np

from mjopt._internal.tables import Row, Table, format_micros
from mjopt.statistics import wilson
from mjopt.studies.method import Method, parse_method
from mjopt.studies.reproduction.paper_methods import NDDE, WORDS
from mjopt.studies.reproduction.published_results import (
    GENERATIONS,
    POPULATIONS,
    PUBLISHED_HANDS,
    SETS,
    published_cell,
)
from mjopt.studies.reproduction.table_parts import (
    FORMATS,
    MACHINE,
    MEASURED,
    sizes_of,
    standard_errors,
)
from mjopt.studies.study import Study
from mjopt.studies.tallies import seconds_per_hand

MARK: Final = " *"


def cell_method(population: int, generations: int) -> Method:
    """Return NDDE with these parameters."""
    return parse_method(NDDE.format(population, generations))


def accuracy_cells(study: Study) -> Iterator[tuple[str, int, int, int, int, int]]:
    """Yield set, population, generations and counts (right, below, all) of each cell of Table 1.

    A run with fewer generations is a prefix of one with more: same random numbers, same first hit.
    It is right if the hit is within its budget and exact.
    """
    for types, hands in zip(SETS, study.sets, strict=True):
        truth = study.hands(hands)["deficiency"].to_numpy()
        for population in POPULATIONS:
            rows = study.rows(hands, cell_method(population, GENERATIONS[-1]).label, run=0)
            hit = rows["hit_generation"].to_numpy()
            gap = rows["value"].to_numpy().astype(np.int16) - truth
            for generations in GENERATIONS:
                budget = cell_method(population, generations).make().num_generations
                in_time = (hit >= 0) & (hit <= budget)
                right, below = (int((in_time & which).sum()) for which in (gap == 0, gap < 0))
                yield types, population, generations, right, below, len(truth)


def time_cells(study: Study) -> Iterator[tuple[str, int, int, float, float]]:
    """Yield set, population, generations, and seconds per hand with and without early stop."""
    sets = zip(SETS, study.sets, strict=True)
    for (types, hands), population, generations in product(sets, POPULATIONS, GENERATIONS):
        seconds = seconds_per_hand(study, hands, cell_method(population, generations).label)
        yield types, population, generations, median(seconds[True]), seconds[False][0]


def _paper_layout(
    number: int, title: str, shown: Mapping[tuple[str, int, int], str], *notes: str
) -> Table:
    """Return a table of cell texts in the paper's layout."""
    return Table(
        name=f"table{number}",
        title=title,
        rows=[
            {
                "hands": WORDS[types],
                "NP": population,
                **{f"Gmax {most}": shown[types, population, most] for most in GENERATIONS},
            }
            for types, population in product(SETS, POPULATIONS)
        ],
        notes=notes,
        optional=tuple(f"Gmax {generations}" for generations in (30, 200, 10, 100, 500)),
    )


def table1(study: Study) -> tuple[Table, Table]:
    """Return Table 1 in the paper's layout, and cell by cell."""
    shown: dict[tuple[str, int, int], str] = {}
    cells: list[Row] = []
    for types, population, generations, right, below, tries in accuracy_cells(study):
        published = published_cell(1, types, population, generations)
        low, high = wilson(right, tries)
        share, inside = right / tries, low <= published <= high
        mark = "" if inside else MARK
        shown[types, population, generations] = f"{100 * share:.3f} / {100 * published:.3f}{mark}"
        difference = share - published
        cells.append(
            {
                "hands": WORDS[types],
                "NP": population,
                "Gmax": generations,
                "ours": share,
                "from": low,
                "to": high,
                "below the deficiency": below,
                "published": published,
                "ours less published": difference,
                "in standard errors": standard_errors(
                    difference,
                    share * (1 - share) / tries,
                    published * (1 - published) / PUBLISHED_HANDS[types],
                ),
                "published inside": "yes" if inside else "no",
            }
        )
    hands = (
        f"Hands: {sizes_of(study.config)}. The paper does not say how its hands of two and three "
        "types were drawn; ours are uniform deals, where every named type is present."
    )
    layout = _paper_layout(
        1,
        "Table 1: accuracy of NDDE in percent, ours / published",
        shown,
        "* the published value lies outside our 95 % Wilson interval; how far, in points "
        "and in standard errors, is in table1-cells.",
        "One run, as in the paper. A run with fewer generations is the beginning of one with more: "
        "each row is one run at Gmax 500, evaluated at six generations.",
        hands,
    )
    by_cell = Table(
        name="table1-cells",
        title="Table 1: accuracy cell by cell",
        rows=cells,
        formats=FORMATS,
        notes=(
            "From .. to is the 95 % Wilson interval. Standard errors are of the difference, both "
            "sides taken as one run on hands drawn at random; on one type, where both have "
            "all hands, they are too large, if anything.",
            hands,
        ),
    )
    return layout, by_cell


def table2(study: Study) -> tuple[Table, Table]:
    """Return Table 2 in the paper's layout, and cell by cell."""
    shown: dict[tuple[str, int, int], str] = {}
    cells: list[Row] = []
    for types, population, generations, stopped, ran_on in time_cells(study):
        published = published_cell(2, types, population, generations)
        shown[types, population, generations] = f"{1e6 * stopped:.1f} / {1e6 * published:,.0f}"
        cells.append(
            {
                "hands": WORDS[types],
                "NP": population,
                "Gmax": generations,
                "ours, early stop": stopped,
                "ours, run on": ran_on,
                "published": published,
                "published over ours": published / stopped,
            }
        )
    notes = (
        f"CPU time of one thread on {study.config.sets[0].num_hands:,} hands of each set, the "
        f"median of {study.config.runs} runs, early stop as in the paper: a run ends when the "
        f"certified value is found. {MACHINE}",
        MEASURED,
    )
    title = "Table 2: time a hand of NDDE in microseconds, ours / published"
    reference_note = "Without early stop, and the factor: table2-cells."
    by_cell = Table(
        name="table2-cells",
        title="Table 2: time cell by cell",
        rows=cells,
        formats={
            **dict.fromkeys(("ours, early stop", "ours, run on", "published"), format_micros),
            "published over ours": ",.0f",
        },
        notes=notes,
    )
    return _paper_layout(2, title, shown, *notes, reference_note), by_cell
