"""The summary of a study: the data of its tables and figures, computed from the raw rows."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.validation import expect
from mjopt.errors import StudyError
from mjopt.studies.config import Method, StudyConfig
from mjopt.studies.metrics import (
    Accuracy,
    Ecdf,
    EvaluationCounts,
    ProofTimes,
    accuracy_by,
    count_evaluations,
    count_right,
    count_values,
    ecdf,
    hit_times,
    make_bins,
    proof_times,
)
from mjopt.studies.results import Study, read_certificate_seconds

BASELINE = 3
"""The answer of the baseline for every hand: the commonest deficiency of uniform deals."""

STRATA = {
    "deficiency": "true deficiency",
    "elements": "size of S",
    "kongs": "kinds held four times",
}


class EarlyStop(NamedTuple):
    """The same hands and random streams with early stop and with the full budget."""

    hands: int
    stopped: Accuracy
    evaluations_stopped: int
    full: Accuracy
    evaluations_full: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MethodResult:
    """The results of one method on one hand set."""

    method: Method
    runs: int
    hands: int
    stops_early: bool  # whether its main rows stop at the certified value
    accuracy: Accuracy  # all runs pooled
    strata: Mapping[str, Mapping[int, Accuracy]]  # by key of `STRATA`, by value or bin
    gaps: Mapping[int, int]  # count of each signed gap, value minus deficiency
    shares: tuple[float, ...]  # the accuracy of each run
    right: NDArray[np.int32]  # runs that were right about each hand, shape (N,)
    evaluations: EvaluationCounts
    ecdf: Ecdf
    # CPU seconds per hand for each timed run; may be empty.
    seconds_stopped: tuple[float, ...]
    seconds_full_budget: tuple[float, ...]
    early_stop: EarlyStop | None  # on the sample, if the study has one
    proof: ProofTimes | None  # if certificates were timed
    # Mean best value over the runs after each generation, for each hand that has one.
    curves: Mapping[int, NDArray[np.float64]]
    spent: Mapping[int, NDArray[np.float64]]  # evaluations after each generation

    @property
    def label(self) -> str:
        """The label of the method."""
        return self.method.label

    @property
    def share_of_hand(self) -> NDArray[np.float64]:
        """The share of runs that were right about each hand, shape ``(N,)``."""
        return self.right / self.runs

    def shares_as_often(self, runs: int) -> tuple[float, ...]:
        """Return the accuracy of each run; that of a deterministic method is repeated."""
        return self.shares if self.method.is_random else self.shares * max(runs, self.runs)

    @property
    def main_seconds(self) -> tuple[float, ...]:
        """CPU seconds per hand of each timed run, with the early stop of the main rows."""
        return self.seconds(self.stops_early)

    @property
    def mean_seconds(self) -> float:
        """The mean of the main seconds."""
        return sum(self.main_seconds) / len(self.main_seconds)

    def seconds(self, early_stop: bool) -> tuple[float, ...]:
        """Return the CPU seconds per hand of each timed run, with or without early stop."""
        return self.seconds_stopped if early_stop else self.seconds_full_budget


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetResult:
    """The results of all methods on one hand set."""

    name: str
    recipe: str
    seed: int
    hands: int
    certified: int  # number of values with a checked certificate
    strata: Mapping[str, Mapping[int, int]]  # hands by key of `STRATA`, by value or bin
    labels: Mapping[str, Mapping[int, str]]  # the label of each of those values or bins
    baseline: Accuracy  # accuracy of the answer `BASELINE` for every hand
    texts: Mapping[int, str]  # the hands that have curves, in mpsz
    truths: Mapping[int, int]  # and their deficiencies
    methods: tuple[MethodResult, ...]  # in the order of the study

    def method(self, label: str) -> MethodResult:
        """Return the result of a method by its label."""
        return next(result for result in self.methods if result.label == label)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Summary:
    """The results of a study.

    Examples
    --------
    >>> import mjopt
    >>> study = mjopt.compare(["tree-search"], hands="two-type:20", runs=1, seed=1)
    >>> study.summary.sets[0].methods[0].accuracy.share
    1.0
    """

    config: StudyConfig
    sets: tuple[SetResult, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the methods, in the order of the study."""
        return tuple(result.label for result in self.sets[0].methods)

    @property
    def by_accuracy(self) -> tuple[str, ...]:
        """The labels, by mean accuracy over the sets, best first."""
        means = {
            label: float(np.mean([hands.method(label).accuracy.share for hands in self.sets]))
            for label in self.labels
        }
        return tuple(sorted(self.labels, key=lambda label: -means[label]))


def summarise(study: Study, *, only: Container[str] | None = None) -> Summary:
    """Summarise the raw rows of a study, one set and method at a time.

    The memory needed is a few times that of the rows of one method on one set, about 24 bytes
    a hand and run.

    Parameters
    ----------
    study
        The study.
    only
        Labels of the methods to read; by default all.

    Raises
    ------
    FileError
        If a file of rows is missing or damaged.
    StudyError
        If the rows are not those of the hands.

    Examples
    --------
    >>> import mjopt
    >>> study = mjopt.compare(["tree-search"], hands="two-type:20", runs=1, seed=1)
    >>> summarise(study).sets[0].methods[0].accuracy.share
    1.0
    """
    expect(study, Study, "study")
    methods = [method for method in study.config.methods if only is None or method.label in only]
    return Summary(
        config=study.config, sets=tuple(_summarise_set(study, name, methods) for name in study.sets)
    )


def _summarise_set(study: Study, name: str, planned_methods: list[Method]) -> SetResult:
    planned = study.config.hand_set(name)
    frame = study.hands(name)
    truth = frame["deficiency"].to_numpy()
    bin_of, bin_labels = make_bins(frame["num_elements"].to_numpy())
    keys = {
        "deficiency": truth.astype(np.int64),
        "elements": bin_of,
        "kongs": frame["num_kongs"].to_numpy().astype(np.int64),
    }
    strata = {stratum: count_values(of) for stratum, of in keys.items()}
    labels = {
        stratum: {value: str(value) for value in counts} for stratum, counts in strata.items()
    }
    labels["elements"] = bin_labels
    certificates = read_certificate_seconds(study.folder, name, len(truth))
    methods = tuple(
        _summarise_method(study, name, one, truth, keys, certificates) for one in planned_methods
    )
    drawn = sorted({hand for method in methods for hand in method.curves})
    return SetResult(
        name=name,
        recipe=planned.recipe,
        seed=planned.seed,
        hands=len(truth),
        certified=int(frame["certified"].sum()),
        strata=strata,
        labels=labels,
        baseline=count_right(np.full(len(truth), BASELINE, np.int8), truth),
        texts={hand: str(frame["text"].iloc[hand]) for hand in drawn},
        truths={hand: int(truth[hand]) for hand in drawn},
        methods=methods,
    )


def _summarise_method(
    study: Study,
    name: str,
    method: Method,
    truth: NDArray[np.int8],
    keys: Mapping[str, NDArray[np.int64]],
    certificates: NDArray[np.float64],
) -> MethodResult:
    runs, size = study.config.num_runs(method), len(truth)
    frame = study.rows(name, method.label)
    if len(frame) != runs * size or not (
        (frame["hand"].to_numpy().reshape(runs, size) == np.arange(size)).all()
    ):
        raise StudyError(
            f"rows of {method.label} on {name}: expected the {size} hands in order, {runs} times"
        )
    value, spent, generations, hit = (
        frame[column].to_numpy().reshape(runs, size)
        for column in ("value", "evaluations", "generations", "hit_evaluations")
    )
    del frame
    right = value == truth
    seconds = seconds_per_hand(study, name, method.label)
    curves = _mean_curves(study, name, method.label)
    stops_early = study.config.stops_early(method)
    hits = hit_times(value, truth, spent, hit)
    early_stop = _early_stop(study, name, method.label, truth, value[0], spent[0])
    return MethodResult(
        method=method,
        runs=runs,
        hands=size,
        stops_early=stops_early,
        accuracy=count_right(value, truth),
        strata={what: accuracy_by(value, truth, of) for what, of in keys.items()},
        gaps=count_values(value.astype(np.int16) - truth),
        shares=tuple((right.sum(axis=1) / size).tolist()),
        right=right.sum(axis=0, dtype=np.int32),
        evaluations=count_evaluations(value, truth, spent, hit),
        ecdf=ecdf(hits),
        seconds_stopped=seconds[True],
        seconds_full_budget=seconds[False],
        early_stop=early_stop,
        proof=proof_times(
            hits,
            certificates,
            seconds_per_evaluation=_seconds_per_evaluation(
                seconds, float(spent.mean()), early_stop, stops_early=stops_early
            ),
        ),
        curves=curves,
        spent={
            hand: spent[:, [hand]].mean(axis=0)
            if len(curve) == 1  # no generations
            else _evaluations_by_generation(len(curve), method, spent, generations)
            for hand, curve in curves.items()
        },
    )


def seconds_per_hand(study: Study, name: str, label: str) -> dict[bool, tuple[float, ...]]:
    """Return the CPU seconds per hand of each timed run, with early stop (True) and without."""
    seconds: dict[bool, tuple[float, ...]] = {True: (), False: ()}
    for row in study.times(name, label).sort_values(["early_stop", "run"]).itertuples():
        seconds[bool(row.early_stop)] += (float(row.seconds / row.hands),)
    return seconds


def _seconds_per_evaluation(
    seconds: Mapping[bool, tuple[float, ...]],
    mean_evaluations: float,
    sample: EarlyStop | None,
    *,
    stops_early: bool,
) -> float:
    """Return the CPU seconds of an evaluation, in runs with early stop if some were timed.

    Such runs contain the constant cost of a search in the share that a time to proof needs.
    """
    if stops_early or sample is None:
        of_main = seconds[stops_early]
        return sum(of_main) / len(of_main) / mean_evaluations
    [of_sample] = seconds[True]
    return of_sample * sample.hands / sample.evaluations_stopped


def _early_stop(
    study: Study,
    name: str,
    label: str,
    truth: NDArray[np.int8],
    value: NDArray[Any],
    spent: NDArray[Any],
) -> EarlyStop | None:
    frame = study.sample_rows(name, label)
    if frame.empty:
        return None
    which = frame["hand"].to_numpy()
    main = (count_right(value[which], truth[which]), int(spent[which].sum(dtype=np.int64)))
    accuracy = count_right(frame["value"].to_numpy(), truth[which])
    other = (accuracy, int(frame["evaluations"].sum()))
    stops = study.config.stops_early(study.config.method(label))
    return EarlyStop(len(which), *main, *other) if stops else EarlyStop(len(which), *other, *main)


def _evaluations_by_generation(
    length: int, method: Method, spent: NDArray[Any], generations: NDArray[Any]
) -> NDArray[np.float64]:
    """Return the evaluations by the end of each generation of a curve.

    The first population costs its size; the later generations share the rest equally.
    """
    longest = int(generations.argmax())  # a stopped run may end within a generation
    total, num_generations = float(spent.flat[longest]), int(generations.flat[longest])
    size = method.parameters.get("population")
    first = min(float(size), total) if isinstance(size, int) else total / (num_generations + 1)
    return first + (total - first) / max(num_generations, 1) * np.arange(length, dtype=np.float64)


def _mean_curves(study: Study, name: str, label: str) -> dict[int, NDArray[np.float64]]:
    frame = study.curves(name, label)
    means = frame.groupby(["hand", "generation"], sort=True)["best"].mean()
    return {
        int(hand): part.to_numpy(np.float64)
        for hand, part in means.groupby(level="hand", sort=True)
    }
