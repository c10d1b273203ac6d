"""Distribution of the labels of a dataset, compared with exact shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import atomic_path
from mjopt._internal.optional_deps import need
from mjopt._internal.plot_style import set_log_ticks
from mjopt.datasets.labels.base import PER_KIND
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.reader import OpenDataset
from mjopt.datasets.recipes.stratified import find_strata
from mjopt.errors import ArgumentError, FileError, HandError
from mjopt.hands.tiles import M0
from mjopt.tables.census import census

DEFICIENCY = "deficiency"
LEAST_EXPECTED = 5.0  # cells with fewer expected rows are pooled
UNDATED = {".svg": "Date", ".png": "Software", ".pdf": "CreationDate"}
"""Metadata left out of figures by file type, since they depend on the date or the version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A chi-squared test of goodness of fit."""

    statistic: float
    degrees: int
    p_value: float
    rows: int
    # Whether the number of rows of each deficiency is deterministic; the p-value is then 1 or 0.
    is_certain: bool = False

    @property
    def effect(self) -> float:
        """Cohen's w, the root of statistic over rows."""
        return (self.statistic / self.rows) ** 0.5 if self.rows else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Distribution of the deficiencies of a dataset, and a summary of its other labels.

    Parameters
    ----------
    plan
        The dataset.
    counts
        Rows of each deficiency.
    expected
        Exact share of each deficiency; None if it is unknown for the recipe.
    fit
        Test of the counts against the exact shares.
    weighted
        Share of each deficiency, hands counted by their weight; None without weights.
    labels
        For every other label: minimum, mean and maximum (for a set of kinds, of its size).

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import build, describe_dataset, make_plan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = build(make_plan("deals:100", seed=1), folder)
    ...     found = describe_dataset(folder)
    >>> found.rows, sum(found.counts)
    (100, 100)
    """

    plan: DatasetPlan
    counts: tuple[int, ...]
    expected: tuple[Fraction, ...] | None
    fit: Fit | None
    weighted: tuple[float, ...] | None
    labels: tuple[tuple[str, int, float, int], ...]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(self.counts)

    @property
    def baseline(self) -> tuple[int, float]:
        """The most frequent deficiency, and its share: the accuracy of a constant prediction."""
        best = max(range(len(self.counts)), key=lambda value: self.counts[value])
        return best, self.counts[best] / self.rows

    def exact_share(self, value: int) -> float | None:
        """Return the exact share of a deficiency; None if it is unknown."""
        if self.expected is None:
            return None
        return float(self.expected[value]) if value < len(self.expected) else 0.0

    def to_document(self) -> dict[str, object]:
        """Return the description as JSON data."""
        test, (value, share) = self.fit, self.baseline
        return {
            "recipe": self.plan.recipe,
            "rows": self.rows,
            "by_deficiency": [
                {
                    "deficiency": value,
                    "rows": rows,
                    "share": rows / self.rows,
                    "exact": self.exact_share(value),
                    "weighted": None if self.weighted is None else self.weighted[value],
                }
                for value, rows in enumerate(self.counts)
            ],
            "always_same_answer": {"deficiency": value, "right": share},
            "chi_squared": None
            if test is None or test.is_certain
            else {
                "statistic": test.statistic,
                "degrees": test.degrees,
                "p_value": test.p_value,
                "rows": test.rows,
                "effect_w": test.effect,
            },
            "exactly_as_counted": bool(test.p_value) if test and test.is_certain else None,
            "labels": {
                name: {"least": low, "mean": mean, "greatest": high}
                for name, low, mean, high in self.labels
            },
        }


def exact_shares(plan: DatasetPlan) -> tuple[tuple[Fraction, ...], bool] | None:
    """Return the exact share of each deficiency, and whether the counts are deterministic.

    None if the shares of the recipe are unknown, as with a filter, or the forms of the rules
    cannot be counted.

    Examples
    --------
    >>> from mjopt.datasets import make_plan
    >>> shares, is_certain = exact_shares(make_plan("one-type"))
    >>> [int(118_800 * share) for share in shares], is_certain
    ([13259, 91065, 14386, 90], True)
    """
    word = "" if plan.where else plan.recipe.partition(":")[0]
    if word == "stratified":
        numbers = plan.hand_recipe.identity["rows_by_deficiency"]
        assert isinstance(numbers, list)
        return _shares(numbers), True
    if plan.rules is not None:
        return _shares_of_rules(plan, word)
    if word == "deals":
        return _shares(find_strata(plan.deal).num_deals.tolist()), False
    if plan.called or word not in ("one-type", "two-type", "three-type", "distinct", "all"):
        return None
    if word in ("distinct", "all"):
        return _shares(census(plan.deal.tiles, size=plan.size).counts), word == "all"
    is_certain, types = word == "one-type", {"one-type": 1, "two-type": 2, "three-type": 3}
    tiles = M0 if is_certain else plan.deal.tiles
    counted = census(tiles, size=plan.size, types=types[word])
    return _shares(counted.counts if is_certain else counted.deals), is_certain


def _shares_of_rules(plan: DatasetPlan, word: str) -> tuple[tuple[Fraction, ...], bool] | None:
    """Return the same for hands of a rule set, if the census can count its forms."""
    types = {"deals": None, "distinct": None, "all": None, "two-type": 2, "three-type": 3}
    if plan.called or word not in types:
        return None
    try:
        counted = census(rules=plan.rules, size=plan.size, types=types[word])
    except HandError:  # a form has no tables
        return None
    is_distinct = word in ("distinct", "all")
    return _shares(counted.counts if is_distinct else counted.deals), word == "all"


def _shares(numbers: Sequence[int]) -> tuple[Fraction, ...]:
    total = sum(numbers)
    return tuple(Fraction(number, total) for number in numbers)


def fit(counts: tuple[int, ...], shares: tuple[Fraction, ...], *, is_certain: bool = False) -> Fit:
    """Test counts against exact shares by chi-squared; rare values are pooled.

    Examples
    --------
    >>> found = fit((48, 52), (Fraction(1, 2), Fraction(1, 2)))
    >>> found.statistic, found.degrees, round(found.p_value, 3)
    (0.16, 1, 0.689)
    """
    rows = sum(counts)
    pairs = [
        (count, float(share * rows))
        for count, share in zip_longest(counts, shares, fillvalue=Fraction(0))
    ]
    if is_certain:
        same = all(abs(count - wanted) < 0.5 for count, wanted in pairs)
        statistic = 0.0 if same else float("inf")
        return Fit(statistic=statistic, degrees=0, p_value=float(same), rows=rows, is_certain=True)
    impossible = sum(1 for count, wanted in pairs if count and not wanted)
    cells = _pooled([(wanted, int(count)) for count, wanted in pairs if wanted > 0])
    statistic = sum((o - e) ** 2 / e for e, o in cells)
    if impossible:
        statistic = float("inf")  # a value with probability 0 occurred
    degrees = max(len(cells) + impossible - 1, 0)
    need("scipy", extra="datasets")
    from scipy.stats import chi2

    p_value = float(chi2.sf(statistic, degrees)) if degrees else 1.0
    return Fit(statistic=statistic, degrees=degrees, p_value=p_value, rows=rows)


def _pooled(cells: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Pool cells with few expected rows with the next more frequent one."""
    cells = sorted(cells, key=lambda cell: cell[0])
    while len(cells) > 1 and cells[0][0] < LEAST_EXPECTED:
        (e1, o1), (e2, o2), *rest = cells
        cells = sorted([(e1 + e2, o1 + o2), *rest], key=lambda cell: cell[0])
    return cells


def describe_dataset(folder: Path | str) -> Description:
    """Describe a dataset from its files, beside the exact census.

    Raises
    ------
    FileError
        If there is no dataset, or it has no deficiencies.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.datasets import build, make_plan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = build(make_plan("deals:100", seed=1), folder)
    ...     describe_dataset(folder).counts
    (0, 2, 14, 46, 35, 3)
    """
    data = OpenDataset.find(folder)
    plan = data.plan
    kinds = {column.name: column.kind for column in plan.columns()}
    if DEFICIENCY not in kinds:
        raise FileError("has no label deficiency to describe", argument=str(data.folder))
    others = [n for n, k in kinds.items() if k not in ("string", "float64", *PER_KIND)]
    others = [name for name in others if name not in (DEFICIENCY, "row")]
    wanted = [DEFICIENCY, *others, *(["weight"] if plan.is_weighted else [])]
    counts, weights = np.zeros(128, np.int64), np.zeros(128)
    extents: dict[str, list[tuple[int, int, int]]] = {name: [] for name in others}
    for record in data.manifest["shards"]:
        for split in data.splits:
            for values in data.read(record, split, wanted):
                found = values[DEFICIENCY].astype(np.int64)
                counts += np.bincount(found, minlength=128)
                if plan.is_weighted:
                    weights += np.bincount(found, values["weight"], minlength=128)
                for name in others if len(found) else ():
                    extents[name].append(_extent(values[name]))
    last = int(np.flatnonzero(counts)[-1]) + 1
    observed = tuple(counts[:last].tolist())
    law = exact_shares(plan)
    total = sum(observed)
    return Description(
        plan=plan,
        counts=observed,
        expected=None if law is None else law[0],
        fit=None if law is None else fit(observed, law[0], is_certain=law[1]),
        weighted=tuple((weights[:last] / weights.sum()).tolist()) if plan.is_weighted else None,
        labels=tuple(
            (name, min(lows), sum(sums) / total, max(highs))
            for name, (lows, sums, highs) in (
                (n, zip(*parts, strict=True)) for n, parts in extents.items()
            )
        ),
    )


def _extent(values: NDArray[np.generic]) -> tuple[int, int, int]:
    """Return minimum, sum and maximum of values; of sets of kinds, of their sizes."""
    if values.dtype.kind == "u":  # a set of kinds
        values = np.bitwise_count(values)
    return int(values.min()), int(values.sum(dtype=np.int64)), int(values.max())


def plot_description(found: Description, path: Path) -> None:
    """Plot observed and exact shares in a ``.svg``, ``.png`` or ``.pdf`` file.

    The same description gives the same file.
    """
    if path.suffix not in UNDATED:
        raise ArgumentError(
            f"ending {path.suffix!r}", argument=str(path), expected=", ".join(UNDATED)
        )
    need("matplotlib", extra="experiments")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    values = range(len(found.counts))
    with mpl.rc_context({"svg.hashsalt": "mjopt", "font.size": 9}):
        figure = Figure(figsize=(5, 3), layout="constrained")
        axes = figure.add_subplot()
        shares = [count / found.rows for count in found.counts]
        axes.bar(values, shares, width=0.6, color="#4477aa", label=f"{found.rows:,} rows")
        if found.expected is not None:
            exact = [float(share) for share in found.expected]
            axes.plot(range(len(exact)), exact, "o", mfc="none", color="#aa3377", label="exact")
        axes.set_yscale("log")
        set_log_ticks(axes.yaxis, *axes.get_ylim())
        axes.set_xticks(list(values))
        axes.set_xlabel("deficiency")
        axes.set_ylabel("share of hands")
        axes.set_title(_title(found))
        axes.legend()
        with atomic_path(path) as file:
            undated = {UNDATED[path.suffix]: None}
            figure.savefig(file, format=path.suffix[1:], dpi=150, metadata=undated)


def _title(found: Description) -> str:
    test = found.fit
    if test is None:
        return found.plan.recipe
    if test.is_certain:
        return f"{found.plan.recipe}: {'exact' if test.p_value else 'NOT exact'}"
    return (
        f"{found.plan.recipe}: chi-squared {test.statistic:.2f}, "
        f"{test.degrees} degrees, p = {test.p_value:.3f}"
    )
