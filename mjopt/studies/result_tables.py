"""Tables of results: functions from a study to a tidy DataFrame."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.statistics import wilson, wilson_clustered
from mjopt.studies.metrics import (
    BASELINE,
    make_bins,
    most_frequent,
    reached_by,
    spread,
    thin_steps,
)
from mjopt.studies.tallies import TalliedStudy

if TYPE_CHECKING:
    import pandas as pd

MICRO: Final = 1e6


def _by_method(
    study: TalliedStudy, frame: "pd.DataFrame"
) -> "Iterator[tuple[str, str, pd.DataFrame]]":
    """Yield set, method and rows of every method on every set, in the order of the study."""
    parts = dict(list(frame.groupby(["set", "method"])))
    for name in study.sets:
        for label in study.methods:
            yield name, label, parts.get((name, label), frame[:0])


def accuracy(study: TalliedStudy) -> "pd.DataFrame":
    """Return the accuracy of each method on each set with 95 % intervals, and the baseline.

    The baseline gives the same answer for every hand of a set: its most frequent deficiency.

    Columns are set, method, hands, runs, right, total, accuracy, low, high, hands_low, hands_high,
    too_high, too_low and mean_gap.
    """
    import pandas as pd

    rows = []
    per_hand = dict(list(study.tallies.hands.groupby(["set", "method"])))
    gaps = study.tallies.gaps
    mean_gaps = (gaps["gap"] * gaps["tries"]).groupby([gaps["set"], gaps["method"]]).sum()
    runs = dict(list(study.tallies.runs.groupby(["set", "method"])))
    for name in study.sets:
        for label in study.methods:
            counts = runs[name, label][["right", "below", "above"]].sum().tolist()
            number = len(runs[name, label])
            right_of_hand = per_hand[name, label]["right"].to_numpy()
            gap = mean_gaps[name, label]
            rows.append(_accuracy_row(name, label, number, right_of_hand, counts, gap))
        truth = study.hands(name)["deficiency"].to_numpy().astype(int)
        answer = most_frequent(truth)
        signs = truth == answer, truth > answer, truth < answer
        gap = (answer - truth).sum()
        counts = [int(sign.sum()) for sign in signs]
        rows.append(_accuracy_row(name, f"{BASELINE}{answer}", 1, signs[0], counts, gap))
    return pd.DataFrame(rows)


def _accuracy_row(
    name: str,
    label: str,
    runs: int,
    right_of_hand: NDArray[np.generic],
    counts: Sequence[int],
    gap: int,
) -> dict[str, object]:
    """Return a row of `accuracy`; the counts are those of right, lower and higher values."""
    right, below, above = counts
    total = sum(counts)
    low, high = wilson(right, total)
    hands_low, hands_high = wilson_clustered(right_of_hand, runs)
    return {
        "set": name,
        "method": label,
        "hands": len(right_of_hand),
        "runs": runs,
        "right": right,
        "total": total,
        "accuracy": right / total,
        "low": low,
        "high": high,
        "hands_low": hands_low,
        "hands_high": hands_high,
        "too_high": above,
        "too_low": below,
        "mean_gap": int(gap) / total,
    }


def accuracy_over_runs(study: TalliedStudy) -> "pd.DataFrame":
    """Return the accuracy over runs, as the paper's Tables 3 and 5.

    Columns are set, method, runs, best, worst, median, mean and sd.
    """
    import pandas as pd

    rows = []
    for name, label, runs in _by_method(study, study.tallies.runs):
        shares = (runs["right"] / runs["hands"]).tolist()
        rows.append({"set": name, "method": label, "runs": len(runs), **spread(shares)._asdict()})
    return pd.DataFrame(rows)


def strata(study: TalliedStudy) -> "pd.DataFrame":
    """Return the accuracy by true deficiency, size of S and kinds held four times.

    Columns are set, method, by, value, hands, tries, right, too_high, too_low, accuracy, low and
    high.
    """
    import pandas as pd

    rows = []
    num_runs = study.tallies.runs.groupby(["set", "method"]).size()
    for name in study.sets:
        hands = study.hands(name)
        bins, bin_labels = make_bins(hands["num_elements"].to_numpy())
        keys = {
            "true deficiency": hands["deficiency"].to_numpy().astype(np.int64),
            "size of S": bins,
            "kinds held four times": hands["num_kongs"].to_numpy().astype(np.int64),
        }
        for label in study.methods:
            tallied = study.tallies.hands
            counts = tallied[(tallied["set"] == name) & (tallied["method"] == label)]
            for by, of in keys.items():
                sums = counts[["right", "below", "above"]].groupby(of).sum()
                for key, right, below, above in sums.itertuples():
                    tries = right + below + above
                    low, high = wilson(right, tries)
                    rows.append(
                        {
                            "set": name,
                            "method": label,
                            "by": by,
                            "value": bin_labels[key] if by == "size of S" else str(key),
                            "hands": tries // num_runs[name, label],
                            "tries": tries,
                            "right": right,
                            "too_high": above,
                            "too_low": below,
                            "accuracy": right / tries,
                            "low": low,
                            "high": high,
                        }
                    )
    return pd.DataFrame(rows)


def gaps(study: TalliedStudy) -> "pd.DataFrame":
    """Return the distribution of signed gaps: the value found less the true deficiency.

    Columns are set, method, gap, tries and share.
    """
    frame = study.tallies.gaps.copy()
    frame["share"] = frame["tries"] / frame.groupby(["set", "method"])["tries"].transform("sum")
    return frame


def evaluations(study: TalliedStudy) -> "pd.DataFrame":
    """Return the evaluations until the true value.

    Columns are set, method, solved (a share), whole_budget and early_stop (mean evaluations of a
    run), half and ninety (evaluations until that share of tries was solved), expected (with
    restarts) and never_solved (hands).
    """
    import pandas as pd

    hands = study.tallies.hands
    unsolved = (hands["right"] == 0).groupby([hands["set"], hands["method"]]).sum()
    hits = dict(list(study.tallies.hits.groupby(["set", "method"])))
    rows = []
    for name, label, runs in _by_method(study, study.tallies.runs):
        tries, solved, until_stopped = (
            int(runs[column].sum()) for column in ("hands", "right", "until_stopped")
        )
        steps = hits.get((name, label), study.tallies.hits[:0])
        counts = steps["evaluations"].to_numpy(), steps["tries"].to_numpy()
        stops = study.config.stops_early(study.config.method(label))
        rows.append(
            {
                "set": name,
                "method": label,
                "solved": solved / tries,
                "whole_budget": None if stops else int(runs["evaluations"].sum()) / tries,
                "early_stop": until_stopped / tries,
                "half": reached_by(*counts, tries, 0.5),
                "ninety": reached_by(*counts, tries, 0.9),
                "expected": until_stopped / solved if solved else inf,
                "never_solved": int(unsolved[name, label]),
            }
        )
    return pd.DataFrame(rows)


def solved(study: TalliedStudy) -> "pd.DataFrame":
    """Return the share of tries solved within a number of evaluations, at most 400 steps each.

    Columns are set, method, evaluations and solved.
    """
    import pandas as pd

    tries = study.tallies.runs.groupby(["set", "method"])["hands"].sum()
    parts = []
    for name, label, steps in _by_method(study, study.tallies.hits):
        share = np.cumsum(steps["tries"].to_numpy()) / tries[name, label]
        keep = thin_steps(steps["evaluations"].to_numpy())
        part = steps[["set", "method", "evaluations"]].iloc[keep]
        parts.append(part.assign(solved=share[keep]))
    return pd.concat(parts, ignore_index=True)


def times(study: TalliedStudy) -> "pd.DataFrame":
    """Return CPU microseconds a hand over runs, as the paper's Tables 4 and 6, both ways.

    Columns are set, method, early_stop, runs, best, worst, median, mean and sd.
    """
    import pandas as pd

    rows = []
    for name, label, timed in _by_method(study, study.tallies.times):
        for stops in (True, False):
            seconds = timed["seconds"][timed["early_stop"] == stops].tolist()
            if seconds:
                over_runs = spread(seconds, higher_is_better=False)._asdict()
                scaled = {key: None if v is None else MICRO * v for key, v in over_runs.items()}
                row = {"set": name, "method": label, "early_stop": stops, "runs": len(seconds)}
                rows.append({**row, **scaled})
    return pd.DataFrame(rows)


def by_deficiency(study: TalliedStudy) -> "pd.DataFrame":
    """Return evaluations and CPU microseconds a hand by true deficiency, both ways.

    Columns are set, method, deficiency, early_stop, hands, evaluations, evaluations_low,
    evaluations_high, microseconds, low and high.
    """
    frame = study.tallies.deficiencies.copy()
    names = {"seconds": "microseconds", "seconds_low": "low", "seconds_high": "high"}
    for column in names:
        frame[column] = MICRO * frame[column].astype(float)
    return frame.rename(columns=names)


def early_stop(study: TalliedStudy) -> "pd.DataFrame":
    """Return the same hands and random numbers with early stop and with the whole budget.

    Columns are set, method, early_stop, hands, accuracy, too_low, evaluations (a hand) and
    microseconds (CPU time a hand); no rows without a sample.
    """
    import pandas as pd

    timed = study.tallies.times
    mean = timed.groupby(["set", "method", "early_stop"])["seconds"].agg(lambda s: sum(s) / len(s))
    return pd.DataFrame(
        [
            {
                "set": row.set,
                "method": row.method,
                "early_stop": bool(row.early_stop),
                "hands": row.hands,
                "accuracy": row.right / row.hands,
                "too_low": row.below,
                "evaluations": row.evaluations / row.hands,
                "microseconds": MICRO * mean[row.set, row.method, row.early_stop],
            }
            for row in study.tallies.samples.itertuples()
        ]
    )


def time_to_proof(study: TalliedStudy) -> "pd.DataFrame":
    """Return CPU microseconds until the best value of a try meets the certified bound.

    Columns are set, method, tries, proved (a share), half and most (until half and 95 % of the
    tries were proved), half_parallel and most_parallel (with two processors); no rows if no
    certificate was timed.
    """
    frame = study.tallies.proofs.copy()
    frame["proved"] = frame["proved"] / frame["tries"]
    for column in ("half", "most", "half_parallel", "most_parallel"):
        frame[column] *= MICRO
    return frame


def convergence(study: TalliedStudy) -> "pd.DataFrame":
    """Return the mean best value over the runs after each generation, for a few hands of each set.

    Columns are set, method, hand, generation, evaluations, best, text and deficiency.
    """
    import pandas as pd

    curves = study.tallies.curves
    hands = [
        study.hands(name)[["hand", "text", "deficiency"]].assign(set=name) for name in study.sets
    ]
    return curves.merge(pd.concat(hands), on=["set", "hand"], how="left", sort=False)


def methods(study: TalliedStudy) -> "pd.DataFrame":
    """Return the methods with their parameters.

    Columns are method, heuristic, parameters, runs and code.
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "method": method.label,
                "heuristic": method.name,
                "parameters": ", ".join(f"{k} = {v}" for k, v in sorted(method.parameters.items())),
                "runs": study.config.num_runs(method),
                "code": method.code,
            }
            for method in study.config.methods
        ]
    )


def sets(study: TalliedStudy) -> "pd.DataFrame":
    """Return the hand sets.

    Columns are set, recipe, seed, hands, certified and mean_deficiency.
    """
    import pandas as pd

    rows = []
    for planned in study.config.sets:
        hands = study.hands(planned.name)
        rows.append(
            {
                "set": planned.name,
                "recipe": planned.recipe,
                "seed": planned.seed,
                "hands": len(hands),
                "certified": int(hands["certified"].sum()),
                "mean_deficiency": int(hands["deficiency"].sum()) / len(hands),
            }
        )
    return pd.DataFrame(rows)
