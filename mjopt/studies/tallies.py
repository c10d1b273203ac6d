"""Counts over the raw rows of a study, as tidy DataFrames; results are computed from them.

A value is **right** if it equals the deficiency. For a value **above** it, the search has not
improved enough. A value **below** it is an error of the paper's cost, which some hands cannot
reach. The two kinds of error are counted separately.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.optional_deps import need
from mjopt.errors import FileError
from mjopt.statistics import bootstrap_ratio
from mjopt.studies.method import Method
from mjopt.studies.metrics import NEVER, hit_times, quantile_of_tries
from mjopt.studies.study_rows import StudyRows

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tallies:
    """Counts over the rows of a study; every DataFrame has the columns ``set`` and ``method``."""

    # run, hands, right, below, above, evaluations, until_stopped (evaluations if each run had
    # stopped when its value was at most the deficiency)
    runs: "pd.DataFrame"
    # hand, right, below, above: number of runs
    hands: "pd.DataFrame"
    # gap (value less deficiency), tries
    gaps: "pd.DataFrame"
    # evaluations, tries: number of tries that had the true value after exactly as many
    hits: "pd.DataFrame"
    # run, early_stop, seconds: CPU seconds a hand of each timed run
    times: "pd.DataFrame"
    # early_stop, hands, right, below, evaluations: the same hands and random streams, both ways
    samples: "pd.DataFrame"
    # tries, proved, half, most, half_parallel, most_parallel: CPU seconds until half and 95 % of
    # the tries on certified hands were proved
    proofs: "pd.DataFrame"
    # hand, generation, evaluations, best: mean over the runs
    curves: "pd.DataFrame"
    # deficiency, early_stop, hands, evaluations and seconds (means of a hand), each with low and
    # high; None where not measured
    deficiencies: "pd.DataFrame"


COLUMNS = {
    "runs": ("run", "hands", "right", "below", "above", "evaluations", "until_stopped"),
    "hands": ("hand", "right", "below", "above"),
    "gaps": ("gap", "tries"),
    "hits": ("evaluations", "tries"),
    "times": ("run", "early_stop", "seconds"),
    "samples": ("early_stop", "hands", "right", "below", "evaluations"),
    "proofs": ("tries", "proved", "half", "most", "half_parallel", "most_parallel"),
    "curves": ("hand", "generation", "evaluations", "best"),
    "deficiencies": (
        *("deficiency", "early_stop", "hands", "evaluations", "evaluations_low"),
        *("evaluations_high", "seconds", "seconds_low", "seconds_high"),
    ),
}

BOOTSTRAP_SEED = 20_231_126
MAX_CLUSTERS = 250
"""Clusters of hands that an interval resamples."""


def tally(study: StudyRows, methods: Container[str] | None = None) -> Tallies:
    """Count over the rows of a study, one set and method at a time, by default all methods.

    The memory needed is a few times that of the rows of one method on one set, about 24 bytes a
    hand and run. A file of rows that is missing or damaged, or has rows of other hands, is a
    `FileError`.
    """
    need("pandas", "pyarrow", extra="experiments")
    import pandas as pd

    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in COLUMNS}
    for hands in study.sets:
        truth = study.hands(hands)["deficiency"].to_numpy()
        certificates = study.certificate_seconds(hands)
        for method in study.config.methods:
            if methods is not None and method.label not in methods:
                continue
            for name, columns in _tally_method(study, hands, method, truth, certificates).items():
                frame = pd.DataFrame(columns, columns=COLUMNS[name])
                frame.insert(0, "set", hands)
                frame.insert(1, "method", method.label)
                parts[name].append(frame)
    return Tallies(**{name: _concat(frames) for name, frames in parts.items()})


class TalliedStudy(StudyRows):
    """A study with its tallies and the tables computed from them, each computed once."""

    @cached_property
    def tallies(self) -> Tallies:
        """Counts over the rows of a complete study, from which its results are computed."""
        return tally(self)

    @cached_property
    def _tables(self) -> "dict[Table, pd.DataFrame]":
        return {}

    def table(self, compute: "Table") -> "pd.DataFrame":
        """Return the table that a function computes from this study; not to be changed."""
        if compute not in self._tables:
            self._tables[compute] = compute(self)
        return self._tables[compute]


Table = Callable[[TalliedStudy], "pd.DataFrame"]
"""A function from a study to a tidy DataFrame."""


def _concat(frames: "Iterable[pd.DataFrame]") -> "pd.DataFrame":
    import pandas as pd

    every = list(frames)
    return pd.concat([frame for frame in every if len(frame)] or every[:1], ignore_index=True)


Columns = Mapping[str, object] | Sequence[tuple[object, ...]]

SampleRow = tuple[bool, int, int, int, int]
"""A row of ``samples``: early_stop, hands, right, below, evaluations."""


def _tally_method(
    study: StudyRows,
    hands: str,
    method: Method,
    truth: NDArray[np.int8],
    certificates: NDArray[np.float64],
) -> dict[str, Columns]:
    runs, size = study.config.num_runs(method), len(truth)
    rows = study.rows(hands, method.label)
    if len(rows) != runs * size or not (
        (rows["hand"].to_numpy().reshape(runs, size) == np.arange(size)).all()
    ):
        raise FileError(
            f"rows of {method.label} on {hands}",
            expected=f"the {size} hands in order, {runs} times",
        )
    value, spent, generations, hit = (
        rows[column].to_numpy().reshape(runs, size)
        for column in ("value", "evaluations", "generations", "hit_evaluations")
    )
    del rows
    gaps = value.astype(np.int16) - truth
    until_stopped = np.where(hit >= 0, hit, spent)
    hits = hit_times(value, truth, spent, hit)
    times = seconds_per_hand(study, hands, method.label)
    samples = _samples(study, hands, method, truth, value[0], spent[0])
    signs = {"right": gaps == 0, "below": gaps < 0, "above": gaps > 0}
    tries, counts = np.unique(gaps, return_counts=True)
    at, solved = np.unique(hits[hits != NEVER], return_counts=True)
    return {
        "runs": {
            "run": np.arange(runs),
            "hands": size,
            **{name: which.sum(axis=1) for name, which in signs.items()},
            "evaluations": spent.sum(axis=1, dtype=np.int64),
            "until_stopped": until_stopped.sum(axis=1, dtype=np.int64),
        },
        "hands": {
            "hand": np.arange(size),
            **{name: which.sum(axis=0, dtype=np.int32) for name, which in signs.items()},
        },
        "gaps": {"gap": tries, "tries": counts},
        "hits": {"evaluations": at, "tries": solved},
        "times": [
            (run, stop, seconds)
            for stop, of_runs in times.items()
            for run, seconds in enumerate(of_runs)
        ],
        "samples": samples,
        "proofs": _proofs(
            hits,
            certificates,
            _seconds_per_evaluation(study, method, times, float(spent.mean()), samples),
        ),
        "curves": _curves(study, hands, method, spent, generations),
        "deficiencies": _deficiencies(study, hands, method, truth, spent, until_stopped),
    }


def seconds_per_hand(study: StudyRows, hands: str, label: str) -> dict[bool, tuple[float, ...]]:
    """Return the CPU seconds per hand of each timed run, with early stop (True) and without."""
    seconds: dict[bool, tuple[float, ...]] = {True: (), False: ()}
    for row in study.times(hands, label).sort_values(["early_stop", "run"]).itertuples():
        seconds[bool(row.early_stop)] += (float(row.seconds / row.hands),)
    return seconds


def _samples(
    study: StudyRows,
    hands: str,
    method: Method,
    truth: NDArray[np.int8],
    value: NDArray[np.integer],
    spent: NDArray[np.integer],
) -> list[SampleRow]:
    """Return the rows of run 0 on the sample, stopped early and run on; none without a sample."""
    frame = study.sample_rows(hands, method.label)
    if frame.empty:
        return []
    which = frame["hand"].to_numpy()
    stops = study.config.stops_early(method)
    ways = {
        stops: (value[which], spent[which]),
        not stops: (frame["value"].to_numpy(), frame["evaluations"].to_numpy()),
    }
    return [
        (
            early_stop,
            len(which),
            int((found == truth[which]).sum()),
            int((found < truth[which]).sum()),
            int(evaluations.sum(dtype=np.int64)),
        )
        for early_stop, (found, evaluations) in sorted(ways.items(), reverse=True)
    ]


def _deficiencies(
    study: StudyRows,
    hands: str,
    method: Method,
    truth: NDArray[np.int8],
    spent: NDArray[np.integer],
    until_stopped: NDArray[np.integer],
) -> list[tuple[object, ...]]:
    """Return evaluations and CPU time by deficiency, with early stop and without.

    The interval of evaluations resamples hands, that of the time blocks of hands.
    """
    blocks = study.blocks(hands, method.label)
    sample = study.sample_rows(hands, method.label)
    ways = {True: (np.arange(len(truth)), until_stopped.mean(axis=0))}
    if not study.config.stops_early(method):
        ways[False] = np.arange(len(truth)), spent.mean(axis=0)
    elif not sample.empty:
        ways[False] = sample["hand"].to_numpy(), sample["evaluations"].to_numpy(np.float64)
    rows = []
    for way, (numbers, evaluations) in ways.items():
        timed = blocks[blocks["early_stop"] == way]
        for deficiency in np.unique(truth[numbers]).tolist():
            own = evaluations[truth[numbers] == deficiency]
            of_hands = timed[timed["deficiency"] == deficiency][["seconds", "hands"]].to_numpy()
            values = (
                *_mean_interval(own, np.ones_like(own)),
                *(_mean_interval(*of_hands.T) if len(of_hands) else (None, None, None)),
            )
            rows.append((deficiency, way, len(own), *values))
    return rows


def _mean_interval(
    totals: NDArray[np.float64], sizes: NDArray[np.float64]
) -> tuple[float, float | None, float | None]:
    """Return a mean and its 95 % bootstrap interval over clusters; no interval for one cluster."""
    mean = float(totals.sum() / sizes.sum())
    if len(totals) < 2:
        return mean, None, None
    if totals.min() == totals.max() and sizes.min() == sizes.max():
        return mean, mean, mean
    group = np.arange(len(totals)) % MAX_CLUSTERS
    sums, counts = (np.bincount(group, weights=values) for values in (totals, sizes))
    low, high = bootstrap_ratio(sums, counts, rng=BOOTSTRAP_SEED)
    return mean, min(low, mean), max(high, mean)


def _seconds_per_evaluation(
    study: StudyRows,
    method: Method,
    seconds: Mapping[bool, tuple[float, ...]],
    mean_evaluations: float,
    samples: list[SampleRow],
) -> float:
    """Return the CPU seconds of an evaluation, in runs with early stop if some were timed.

    Such runs contain the constant cost of a search in the share that a time to proof needs.
    """
    stops = study.config.stops_early(method)
    if stops or not samples:
        return sum(seconds[stops]) / len(seconds[stops]) / mean_evaluations
    [of_sample] = seconds[True]
    _, hands, _, _, evaluations = samples[0]
    return of_sample * hands / evaluations


def _proofs(
    hits: NDArray[np.int64], certificates: NDArray[np.float64], seconds_per_evaluation: float
) -> list[tuple[object, ...]]:
    """Return the times until tries on certified hands are proved; none without certificates.

    On one processor a try takes the search until its value is the deficiency, and then the
    certificate; on two the longer of both. A try that does not end at the deficiency is not proved.
    """
    is_certified = ~np.isnan(certificates)
    if not is_certified.any():
        return []
    hits, proofs = hits[:, is_certified], certificates[is_certified]
    searches = np.where(hits == NEVER, inf, hits * seconds_per_evaluation)
    one, two = searches + proofs, np.maximum(searches, proofs)
    times = [quantile_of_tries(each, share) for each in (one, two) for share in (0.5, 0.95)]
    return [(hits.size, int((hits != NEVER).sum()), *times)]


def _curves(
    study: StudyRows,
    hands: str,
    method: Method,
    spent: NDArray[np.integer],
    generations: NDArray[np.integer],
) -> list[tuple[object, ...]]:
    means = (
        study.curves(hands, method.label).groupby(["hand", "generation"], sort=True)["best"].mean()
    )
    rows: list[tuple[object, ...]] = []
    for hand, part in means.groupby(level="hand", sort=True):
        best = part.to_numpy(np.float64)
        if len(best) == 1:  # no generations
            evaluations = spent[:, [hand]].mean(axis=0)
        else:
            evaluations = _evaluations_by_generation(len(best), method, spent, generations)
        rows += [(hand, at, *row) for at, row in enumerate(zip(evaluations, best, strict=True))]
    return rows


def _evaluations_by_generation(
    length: int, method: Method, spent: NDArray[np.integer], generations: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Return the evaluations by the end of each generation of a curve.

    The first population costs its size; the later generations share the rest equally.
    """
    longest = int(generations.argmax())  # a stopped run may end within a generation
    total, num_generations = float(spent.flat[longest]), int(generations.flat[longest])
    size = method.parameters.get("population")
    first = min(float(size), total) if isinstance(size, int) else total / (num_generations + 1)
    return first + (total - first) / max(num_generations, 1) * np.arange(length, dtype=np.float64)
