"""What our rows say about the numbers of the paper's tables."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from mjopt.experiments.studies.accuracy import Spread, Tally, share_by_run, spread, tally
from mjopt.experiments.studies.methods import make_method, plan_method
from mjopt.experiments.studies.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The accuracy of a method on a set.

    Parameters
    ----------
    tally
        All runs pooled.
    shares
        The accuracy of each run.
    between_hands
        Variance over hands of the share of runs that were right.
    num_hands
        How many there are.
    """

    tally: Tally
    shares: tuple[float, ...]
    between_hands: float
    num_hands: int

    @property
    def spread(self) -> Spread:
        """Best, worst, median, mean and standard deviation over runs."""
        return spread(self.shares)


def measure(study: Study, hands: str, label: str, *, repeats: int = 1) -> Measured:
    """Read the accuracy of every run of a method on a set.

    Parameters
    ----------
    study, hands, label
        Where to look.
    repeats
        How often to count the one run of a method that draws nothing: it would be the
        same each time.
    """
    truth = study.hands(hands)["deficiency"].to_numpy()
    rows = study.rows(hands, label)
    values = rows["value"].to_numpy().reshape(-1, len(truth))
    shares = share_by_run(values, truth)
    return Measured(
        tally=tally(values, truth),
        shares=shares * repeats if len(shares) == 1 else shares,
        between_hands=float((values == truth).mean(axis=0).var()),
        num_hands=len(truth),
    )


def accuracy_at(study: Study, hands: str, label: str, population: int, most: int) -> Tally:
    """Return the accuracy after a smaller budget, from a run with a larger one.

    A run with fewer generations is the beginning of one with more: same stream, same
    population, same first hit. It is right if that hit came in time and was exact.

    Parameters
    ----------
    study, hands, label
        A run of NDDE that stopped at the certified value.
    population, most
        The cell: its population, and its Gmax.
    """
    budget = make_method(plan_method(f"ndde:population={population},generations={most}"))
    truth = study.hands(hands)["deficiency"].to_numpy()
    rows = study.rows(hands, label, run=0)
    hit = rows["hit_generation"].to_numpy()
    in_time = (hit >= 0) & (hit <= budget.num_generations)
    gap = rows["value"].to_numpy().astype(np.int16) - truth
    right = int((in_time & (gap == 0)).sum())
    below = int((in_time & (gap < 0)).sum())
    return Tally(right, below, len(truth) - right - below)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seconds:
    """CPU seconds a hand of each timed run.

    Parameters
    ----------
    stopped, ran_on
        With and without early stop; perhaps none.
    """

    stopped: tuple[float, ...]
    ran_on: tuple[float, ...]


def seconds_per_hand(study: Study, hands: str, label: str) -> Seconds:
    """Read the times of a method on a set."""
    frame = study.times(hands, label)
    sums = frame.groupby(["stop_at_target", "run"], sort=True)[["seconds", "hands"]].sum()
    found: dict[bool, tuple[float, ...]] = {True: (), False: ()}
    for (stop, _), row in sums.iterrows():
        found[bool(stop)] += (float(row["seconds"] / row["hands"]),)
    return Seconds(stopped=found[True], ran_on=found[False])


def standard_errors(difference: float, *variances: float) -> float | None:
    """Return a difference in standard errors; None if there is nothing to divide by.

    Examples
    --------
    >>> standard_errors(0.02, 0.0001), standard_errors(0.0, 0.0)
    (2.0, 0.0)
    """
    error = sqrt(sum(variances))
    if error:
        return difference / error
    return 0.0 if not difference else inf * np.sign(difference)
