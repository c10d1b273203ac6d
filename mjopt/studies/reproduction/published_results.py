"""The tables of Yan and Li (2023), as printed."""

import json
from functools import cache
from importlib.resources import files
from typing import Final, TypedDict

from mjopt.studies.metrics import Spread

SETS: Final = ("one", "two", "three")
"""Number of suits in the hands of the three sets."""

PUBLISHED_HANDS: Final = {"one": 118_800, "two": 100_000, "three": 100_000}
PUBLISHED_RUNS: Final = 30
POPULATIONS: Final = (10, 20, 30, 50)
GENERATIONS: Final = (10, 30, 50, 100, 200, 500)


Grid = dict[str, list[list[float]]]
"""By set: a row for each population, a column for each number of generations."""

Spreads = dict[str, dict[str, tuple[float, float, float, float, float]]]
"""By set and method: best, worst, median, mean and standard deviation."""


class PublishedTables(TypedDict):
    """The tables in ``published.json``."""

    table1_accuracy: Grid
    table2_time: Grid
    table3_accuracy: Spreads
    table4_time: Spreads
    table5_accuracy: Spreads
    table6_time: Spreads
    table7_friedman_ranks: dict[str, dict[str, float]]


@cache
def _tables() -> PublishedTables:
    text = files("mjopt.studies.reproduction").joinpath("published.json").read_text("utf-8")
    tables: PublishedTables = json.loads(text)
    return tables


def published_cell(table: int, types: str, population: int, generations: int) -> float:
    """Return a cell of Table 1 (a share in 0..1) or Table 2 (seconds a hand).

    Examples
    --------
    >>> published_cell(1, "one", 20, 50), published_cell(2, "one", 20, 50)
    (0.93325, 0.0164)
    """
    tables = _tables()
    rows = {1: tables["table1_accuracy"], 2: tables["table2_time"]}[table][types]
    cell = float(rows[POPULATIONS.index(population)][GENERATIONS.index(generations)])
    return round(cell / 100, 8) if table == 1 else cell


def published_spread(table: int, types: str, method: str) -> Spread:
    """Return a row of Tables 3 to 6; accuracies as shares in 0..1, times in seconds a hand.

    The paper prints the lowest accuracy of NDDE1 in Table 3 under "best".

    Examples
    --------
    >>> published_spread(3, "one", "NDDE1").mean, published_spread(6, "two", "GA").median
    (0.93308, 0.017)
    """
    tables = _tables()
    best, worst, median, mean, sd = {
        3: tables["table3_accuracy"],
        4: tables["table4_time"],
        5: tables["table5_accuracy"],
        6: tables["table6_time"],
    }[table][types][method]
    # Accuracies are printed in percent, their deviation as a fraction.
    scale = 100 if table % 2 else 1
    best, worst, median, mean = (round(value / scale, 8) for value in (best, worst, median, mean))
    return Spread(best, worst, median, mean, sd)


def published_rank(kind: str, method: str) -> float:
    """Return a mean rank of Table 7; the kind is ``accuracy`` or ``time``.

    Examples
    --------
    >>> published_rank("accuracy", "GA"), published_rank("time", "GA")
    (3.67, 4.0)
    """
    return float(_tables()["table7_friedman_ranks"][kind][method])
