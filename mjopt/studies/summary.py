"""A study reduced to what its tables and figures need, one set and method at a time."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import StudyError
from mjopt.studies.accuracy import (
    Accuracy,
    accuracy_by,
    bins,
    count_right,
    gap_counts,
    how_often,
)
from mjopt.studies.effort import Climb, Effort, climb, hits, total_effort
from mjopt.studies.plan import Plan, PlannedMethod
from mjopt.studies.study import Study

BASELINE = 3
"""The number that the baseline says of every hand, the commonest deficiency of uniform
deals: a method that does not beat it has found nothing."""

STRATA = {
    "deficiency": "true deficiency",
    "elements": "size of S",
    "kongs": "kinds held four times",
}


class EarlyStop(NamedTuple):
    """The same hands and streams, stopped at the certified value and run to the end."""

    hands: int
    stopped: Accuracy
    evaluations_stopped: int
    ran_on: Accuracy
    evaluations_ran_on: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MethodOnSet:
    """Everything a study says about one method on one set."""

    method: PlannedMethod
    runs: int
    hands: int
    stops_early: bool  # whether its main rows stop at the certified value
    accuracy: Accuracy  # all runs pooled
    strata: Mapping[str, Mapping[int, Accuracy]]  # by key of `STRATA`, by value or bin
    gaps: Mapping[int, int]  # how often each signed gap (value less deficiency) occurred
    shares: tuple[float, ...]  # the accuracy of each run
    right: NDArray[np.int32]  # runs that were right about each hand, shape (N,)
    effort: Effort
    climb: Climb
    # CPU seconds a hand, one for each run that was timed; perhaps none.
    seconds_stopped: tuple[float, ...]
    seconds_ran_on: tuple[float, ...]
    early_stop: EarlyStop | None  # both ways on the same sample, if the plan has one
    # Mean best value over the runs after each generation, for each hand that has one.
    curves: Mapping[int, NDArray[np.float64]]
    spent: Mapping[int, NDArray[np.float64]]  # and how many evaluations that took

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
    """One set of hands and what every method made of it."""

    name: str
    recipe: str
    seed: int
    hands: int
    certified: int  # how many of their values have a checked certificate
    strata: Mapping[str, Mapping[int, int]]  # hands by key of `STRATA`, by value or bin
    words: Mapping[str, Mapping[int, str]]  # how each of those values (or bins) is written
    baseline: Accuracy  # what saying `BASELINE` of every hand gets right
    texts: Mapping[int, str]  # the hands that have curves, in mpsz
    truths: Mapping[int, int]  # and their deficiencies
    methods: tuple[MethodOnSet, ...]  # in the order of the plan

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
    strata = {what: how_often(of) for what, of in keys.items()}
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
        baseline=count_right(np.full(len(truth), BASELINE, np.int8), truth),
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
    value, spent, generations, hit = (
        frame[column].to_numpy().reshape(runs, size)
        for column in ("value", "evaluations", "generations", "hit_evaluations")
    )
    del frame
    right = value == truth
    seconds = seconds_per_hand(study, name, method.label)
    curves = _mean_curves(study, name, method.label)
    return MethodOnSet(
        method=method,
        runs=runs,
        hands=size,
        stops_early=study.plan.stops_early(method),
        accuracy=count_right(value, truth),
        strata={what: accuracy_by(value, truth, of) for what, of in keys.items()},
        gaps=gap_counts(value, truth),
        shares=tuple((right.sum(axis=1) / size).tolist()),
        right=right.sum(axis=0, dtype=np.int32),
        effort=total_effort(value, truth, spent, hit),
        climb=climb(hits(value, truth, spent, hit)),
        seconds_stopped=seconds[True],
        seconds_ran_on=seconds[False],
        early_stop=_early_stop(study, name, method.label, truth, value[0], spent[0]),
        curves=curves,
        spent={
            hand: spent[:, [hand]].mean(axis=0)
            if len(curve) == 1  # no generations
            else _spent_by(len(curve), method, spent, generations)
            for hand, curve in curves.items()
        },
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
    return EarlyStop(len(which), *main, *other) if stops else EarlyStop(len(which), *other, *main)


def _spent_by(
    length: int, method: PlannedMethod, spent: NDArray[Any], generations: NDArray[Any]
) -> NDArray[np.float64]:
    """Return the evaluations spent by the end of each generation of a curve.

    Rows tell how many a run spent in all: the first population costs its size, and the
    generations after it, which cost alike, the rest.
    """
    longest = int(generations.argmax())  # one that was stopped may end within a generation
    whole, number = float(spent.flat[longest]), int(generations.flat[longest])
    size = method.parameters.get("population")
    first = min(float(size), whole) if isinstance(size, int) else whole / (number + 1)
    return first + (whole - first) / max(number, 1) * np.arange(length, dtype=np.float64)


def _mean_curves(study: Study, name: str, label: str) -> dict[int, NDArray[np.float64]]:
    frame = study.curves(name, label)
    means = frame.groupby(["hand", "generation"], sort=True)["best"].mean()
    return {
        int(hand): part.to_numpy(np.float64)
        for hand, part in means.groupby(level="hand", sort=True)
    }
