"""The published tables are complete and as printed."""

import pytest

from mjopt.studies.reproduction.method_tables import published_ranks
from mjopt.studies.reproduction.paper_methods import COMPARED, shown_name
from mjopt.studies.reproduction.published_results import (
    GENERATIONS,
    POPULATIONS,
    SETS,
    published_cell,
    published_rank,
    published_spread,
)


def test_grids_are_complete_and_increasing() -> None:
    for types in SETS:
        for population in POPULATIONS:
            shares = [published_cell(1, types, population, most) for most in GENERATIONS]
            assert shares == sorted(shares)
            assert 0.4 < shares[0] < shares[-1] <= 1
            times = [published_cell(2, types, population, most) for most in GENERATIONS]
            assert all(0.002 < seconds < 0.03 for seconds in times)


@pytest.mark.parametrize(
    ("table", "types", "method", "mean", "sd"),
    [  # Yan and Li (2023), Tables 3 to 6
        (3, "one", "NDDE2", 1.0, 3.19e-06),
        (4, "one", "tree search", 0.188, 1.66e-04),
        (5, "two", "TLBO", 0.913, 6.50e-04),
        (6, "three", "GA", 9.91e-03, 2.15e-04),
    ],
)
def test_spreads_equal_the_printed_values(
    table: int, types: str, method: str, mean: float, sd: float
) -> None:
    found = published_spread(table, types, method)
    assert (found.mean, found.sd) == (mean, sd)


def test_every_method_of_every_table_is_present() -> None:
    for table, names in COMPARED.items():
        for name in names:
            shown = shown_name(table, name)
            if table == 7:
                assert 1 <= published_rank("accuracy", shown) <= 4
                continue
            for types in SETS:
                low, high = sorted(published_spread(table, types, shown)[:2])
                assert low <= published_spread(table, types, shown).mean <= high


def test_columns_of_table_7_are_swapped_in_the_paper() -> None:
    """Its accuracy ranks match the times of Table 6, and vice versa."""
    names = ("NDDE", "PSO", "GA", "TLBO")
    printed = {k: tuple(published_rank(k, name) for name in names) for k in ("accuracy", "time")}
    assert printed == {"accuracy": (1.0, 2.0, 3.67, 3.33), "time": (1.0, 2.0, 4.0, 3.0)}
    assert published_ranks("accuracy") == printed["time"]
    assert published_ranks("time") == pytest.approx(printed["accuracy"], abs=0.005)
