"""A study reduced to what its tables and figures need, one set and method at a time."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import StudyError
from mjopt.experiments.studies.accuracy import (
    Accuracy,
    accuracy_by,
    bins,
    constant_accuracy,
    count_right,
    gap_counts,
    right_by_hand,
    share_by_run,
)
from mjopt.experiments.studies.effort import Climb, Effort, climb, hits, total_effort
from mjopt.experiments.studies.plan import Plan, PlannedMethod
from mjopt.experiments.studies.study import Study

BASELINE = 3
"""The number that the baseline says of every hand."""

STRATA = {
    "deficiency": "true deficiency",
    "elements": "size of S",
    "kongs": "kinds held four times",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyStop:
    """The same hands and streams, stopped at the certified value and run to the end."""

    hands: int
    stopped: Accuracy
    ran_on: Accuracy
    evaluations_stopped: int
    evaluations_ran_on: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MethodOnSet:
    """Everything a study says about one method on one set.

    Parameters
    ----------
    method
        Its place in the plan.
    runs, hands
        How many.
    stops_early
        Whether its main rows stop at the certified value.
    accuracy
        All runs pooled.
    strata
        For each key of `STRATA`, the accuracy for each value (or bin) that occurs.
    gaps
        How often each signed gap (value less deficiency) occurred.
    shares
        The accuracy of each run.
    right
        Runs that were right about each hand, shape ``(N,)``.
    effort, climb
        Evaluations spent, and the ECDF of those until the true value.
    seconds_stopped, seconds_ran_on
        CPU seconds a hand, one for each run that was timed, with and without early stop;
        perhaps none.
    early_stop
        Both ways on the same sample, if the plan has one.
    curves
        Mean best value over the runs after each generation, for each hand that has one.
    """

    method: PlannedMethod
    runs: int
    hands: int
    stops_early: bool
    accuracy: Accuracy
    strata: Mapping[str, Mapping[int, Accuracy]]
    gaps: Mapping[int, int]
    shares: tuple[float, ...]
    right: NDArray[np.int32]
    effort: Effort
    climb: Climb
    seconds_stopped: tuple[float, ...]
    seconds_ran_on: tuple[float, ...]
    early_stop: EarlyStop | None
    curves: Mapping[int, NDArray[np.float64]]

    @property
    def label(self) -> str:
        """The label of the method."""
        return self.method.label

    @property
    def share_of_hand(self) -> NDArray[np.float64]:
        """The share of runs that were right about each hand, shape ``(N,)``."""
        return self.right / self.runs

    def shares_as_often(self, runs: int) -> tuple[float, ...]:
        """Return the accuracy of each run; of a method that draws nothing, so many times.

        Its one run stands for as many as others made: each would be the same.
        """
        return self.shares if self.method.is_random else self.shares * max(runs, self.runs)

    @property
    def main_seconds(self) -> tuple[float, ...]:
        """CPU seconds a hand of each timed run, made as the main rows were."""
        return self.seconds(self.stops_early)

    @property
    def mean_seconds(self) -> float:
        """Their mean."""
        return sum(self.main_seconds) / len(self.main_seconds)

    def seconds(self, early_stop: bool) -> tuple[float, ...]:
        """Return the CPU seconds a hand of each timed run, with or without early stop."""
        return self.seconds_stopped if early_stop else self.seconds_ran_on


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetSummary:
    """One set of hands and what every method made of it.

    Parameters
    ----------
    name, recipe, seed
        From the plan.
    hands, certified
        How many there are, and how many of their values have a checked certificate.
    strata
        For each key of `STRATA`, how many hands have each value.
    words
        For each key of `STRATA`, how each value (or bin) is written.
    baseline
        What saying `BASELINE` of every hand gets right.
    texts, truths
        The hands that have curves, in mpsz, and their deficiencies.
    methods
        In the order of the plan.
    """

    name: str
    recipe: str
    seed: int
    hands: int
    certified: int
    strata: Mapping[str, Mapping[int, int]]
    words: Mapping[str, Mapping[int, str]]
    baseline: Accuracy
    texts: Mapping[int, str]
    truths: Mapping[int, int]
    methods: tuple[MethodOnSet, ...]

    def method(self, label: str) -> MethodOnSet:
        """Return what one method made of it."""
        return next(one for one in self.methods if one.label == label)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Summary:
    """A study, reduced."""

    plan: Plan
    sets: tuple[SetSummary, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the methods that were read, in the order of the plan."""
        return tuple(one.label for one in self.sets[0].methods)

    @property
    def by_accuracy(self) -> tuple[str, ...]:
        """The labels from the most accurate on the mean over sets to the least."""
        means = {
            label: float(np.mean([hands.method(label).accuracy.share for hands in self.sets]))
            for label in self.labels
        }
        return tuple(sorted(self.labels, key=lambda label: -means[label]))


def summarise(study: Study, *, only: Container[str] | None = None) -> Summary:
    """Read the raw rows of a study, one set and method at a time, and reduce them.

    The memory this takes is that of the rows of one method on one set, some 24 bytes
    a hand and run, a few times over.

    Parameters
    ----------
    study
        The study.
    only
        Labels of the methods to read; rows of others need not be there.

    Raises
    ------
    FileError
        If a file of rows is missing or damaged.
    StudyError
        If the rows are not those of the hands.
    """
    methods = [one for one in study.plan.methods if only is None or one.label in only]
    return Summary(
        plan=study.plan, sets=tuple(_summarise_set(study, name, methods) for name in study.sets)
    )


def _summarise_set(study: Study, name: str, planned_methods: list[PlannedMethod]) -> SetSummary:
    planned = study.plan.hand_set(name)
    frame = study.hands(name)
    truth = frame["deficiency"].to_numpy()
    of_bin, of_words = bins(frame["num_elements"].to_numpy())
    keys = {
        "deficiency": truth.astype(np.int64),
        "elements": of_bin,
        "kongs": frame["num_kongs"].to_numpy().astype(np.int64),
    }
    known = {what: np.unique(of, return_counts=True) for what, of in keys.items()}
    strata = {
        what: dict(zip(values.tolist(), counts.tolist(), strict=True))
        for what, (values, counts) in known.items()
    }
    words = {what: {value: str(value) for value in found} for what, found in strata.items()}
    words["elements"] = of_words
    methods = tuple(_summarise_method(study, name, one, truth, keys) for one in planned_methods)
    drawn = sorted({hand for method in methods for hand in method.curves})
    return SetSummary(
        name=name,
        recipe=planned.recipe,
        seed=planned.seed,
        hands=len(truth),
        certified=int(frame["certified"].sum()),
        strata=strata,
        words=words,
        baseline=constant_accuracy(truth, BASELINE),
        texts={hand: str(frame["text"].iloc[hand]) for hand in drawn},
        truths={hand: int(truth[hand]) for hand in drawn},
        methods=methods,
    )


def _summarise_method(
    study: Study,
    name: str,
    method: PlannedMethod,
    truth: NDArray[np.int8],
    keys: Mapping[str, NDArray[np.int64]],
) -> MethodOnSet:
    runs, size = study.plan.num_runs(method), len(truth)
    frame = study.rows(name, method.label)
    if len(frame) != runs * size or not (
        (frame["hand"].to_numpy().reshape(runs, size) == np.arange(size)).all()
    ):
        raise StudyError(
            f"rows of {method.label} on {name}: expected the {size} hands in order, {runs} times"
        )
    value, spent, hit = (
        frame[column].to_numpy().reshape(runs, size)
        for column in ("value", "evaluations", "hit_evaluations")
    )
    del frame
    seconds = seconds_per_hand(study, name, method.label)
    return MethodOnSet(
        method=method,
        runs=runs,
        hands=size,
        stops_early=study.plan.stops_early(method),
        accuracy=count_right(value, truth),
        strata={what: accuracy_by(value, truth, of) for what, of in keys.items()},
        gaps=gap_counts(value, truth),
        shares=share_by_run(value, truth),
        right=right_by_hand(value, truth),
        effort=total_effort(value, truth, spent, hit),
        climb=climb(hits(value, truth, spent, hit)),
        seconds_stopped=seconds[True],
        seconds_ran_on=seconds[False],
        early_stop=_early_stop(study, name, method.label, truth, value[0], spent[0]),
        curves=_mean_curves(study, name, method.label),
    )


def seconds_per_hand(study: Study, name: str, label: str) -> dict[bool, tuple[float, ...]]:
    """Return the CPU seconds a hand of each timed run, with early stop (True) and without."""
    frame = study.times(name, label)
    sums = frame.groupby(["stop_at_target", "run"], sort=True)[["seconds", "hands"]].sum()
    found: dict[bool, tuple[float, ...]] = {True: (), False: ()}
    for (stop, _), row in sums.iterrows():
        found[bool(stop)] += (float(row["seconds"] / row["hands"]),)
    return found


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
    found = count_right(frame["value"].to_numpy(), truth[which])
    other = (found, int(frame["evaluations"].sum()))
    stops = study.plan.stops_early(study.plan.method(label))
    (stopped, few), (ran_on, many) = (main, other) if stops else (other, main)
    return EarlyStop(
        hands=len(which),
        stopped=stopped,
        ran_on=ran_on,
        evaluations_stopped=few,
        evaluations_ran_on=many,
    )


def _mean_curves(study: Study, name: str, label: str) -> dict[int, NDArray[np.float64]]:
    frame = study.curves(name, label)
    means = frame.groupby(["hand", "generation"], sort=True)["best"].mean()
    return {
        int(hand): part.to_numpy(np.float64)
        for hand, part in means.groupby(level="hand", sort=True)
    }
