"""The hypothesis tests of a study: every pair of methods on every hand set.

All comparisons by one test, over all pairs and hand sets, are one family and Holm-corrected
together. A difference is called significant at 0.05.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.statistics import (
    TestResult,
    friedman,
    holm_correct,
    mean_ranks,
    nemenyi,
    rank_sum,
    rank_z,
    signed_rank,
    t_test,
)
from mjopt.statistics.result import direction_of
from mjopt.studies.tallies import TalliedStudy

if TYPE_CHECKING:
    import pandas as pd

ALPHA: Final = 0.05
MAX_PAIRS: Final = 15
"""With more pairs of methods, only those with the first method are tested."""

DECIDES: Final = "Wilcoxon signed-rank"
"""The test that alone generalises to other hands, and depends on the two methods only."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """What the tests compare: one method on one hand set."""

    label: str
    is_random: bool
    shares: tuple[float, ...]  # accuracy of each run
    share_of_hand: NDArray[np.float64]  # share of runs that were right about each hand
    accuracy: float
    seconds: tuple[float, ...]  # CPU seconds a hand of each main run

    @property
    def runs(self) -> int:
        """The number of runs."""
        return len(self.shares)

    def shares_as_often(self, runs: int) -> tuple[float, ...]:
        """Return the accuracy of each run; that of a deterministic method is repeated."""
        return self.shares if self.is_random else self.shares * max(runs, self.runs)


def read_samples(study: TalliedStudy) -> dict[str, list[Sample]]:
    """Return for each hand set the samples of all methods."""
    tallies = study.tallies
    runs, hands, times = (
        dict(list(frame.groupby(["set", "method"])))
        for frame in (tallies.runs, tallies.hands, tallies.times)
    )
    samples: dict[str, list[Sample]] = {name: [] for name in study.sets}
    for name in study.sets:
        for method in study.config.methods:
            key = name, method.label
            of_runs, seconds = runs[key], times[key]
            is_main = seconds["early_stop"] == study.config.stops_early(method)
            right, tries = int(of_runs["right"].sum()), int(of_runs["hands"].sum())
            samples[name].append(
                Sample(
                    label=method.label,
                    is_random=method.is_random,
                    shares=tuple((of_runs["right"] / of_runs["hands"]).tolist()),
                    share_of_hand=hands[key]["right"].to_numpy() / len(of_runs),
                    accuracy=right / tries,
                    seconds=tuple(seconds["seconds"][is_main].tolist()),
                )
            )
    return samples


def labels_by_accuracy(samples: dict[str, list[Sample]]) -> list[str]:
    """Return the labels of the methods by mean accuracy over the sets, best first."""
    means = {
        of_sets[0].label: float(np.mean([sample.accuracy for sample in of_sets]))
        for of_sets in zip(*samples.values(), strict=True)
    }
    return sorted(means, key=lambda label: -means[label])


def pairs_of(labels: Sequence[str]) -> tuple[Pair, ...]:
    """Return the pairs of methods that are compared."""
    pairs = tuple(combinations(labels, 2))
    if len(pairs) <= MAX_PAIRS:
        return pairs
    reference, *others = labels
    return tuple((reference, label) for label in others)


def tests(study: TalliedStudy) -> "pd.DataFrame":
    """Return every test of two methods.

    Accuracies of runs are compared by t-test and rank-sum test, those of hands by signed-rank
    test and Nemenyi's test; CPU times of runs by t-test and rank-sum test. Mean ranks over hand
    sets, as in the paper, and over hands are compared by Nemenyi's test and z-test.

    Columns are measure, set (or the blocks of the mean ranks), first, sign, second, test, n,
    statistic, value, p, corrected_p, correction, effect, effect_size, significant and note.
    """
    import pandas as pd

    samples, pairs = read_samples(study), pairs_of(study.methods)
    rows = [
        _test_row("accuracy", name, test)
        for name, of_set in _test_pairs(
            samples, pairs, _means_of_runs, _ranks_of_runs, _signed_ranks
        ).items()
        for test in of_set
    ]
    for name, of_set in samples.items():
        # Ranked within the hand set, since the other tests are about this set only.
        shares = np.stack([sample.share_of_hand for sample in of_set], axis=1)
        rows += _of_pairs("accuracy", name, nemenyi(shares, names=study.methods), pairs)
    rows += [
        _test_row("CPU time", name, test)
        for name, of_set in _test_pairs(samples, pairs, _mean_times, _rank_times).items()
        for test in of_set
    ]
    for measure, blocks, values in _blocks(samples):
        is_better = measure == "accuracy"
        for post_hoc in (nemenyi, rank_z):
            found = post_hoc(values, names=study.methods, higher_is_better=is_better)
            rows += _of_pairs(measure, blocks, found, pairs)
    return pd.DataFrame(rows, columns=COLUMNS)


COLUMNS: Final = (
    *("measure", "set", "first", "sign", "second", "test", "n", "statistic", "value", "p"),
    *("corrected_p", "correction", "effect", "effect_size", "significant", "note"),
)


def _test_row(measure: str, name: str, test: TestResult) -> tuple[object, ...]:
    first, second = test.names
    is_significant = None if test.p_value is None else test.is_significant(ALPHA)
    return (
        *(measure, name, first, test.direction, second, test.test, " + ".join(map(str, test.n))),
        *(test.statistic_name, test.statistic, test.p_value, test.corrected_p, test.correction),
        *(test.effect, test.effect_name, is_significant, test.note),
    )


def _of_pairs(
    measure: str, name: str, results: Sequence[TestResult], pairs: Sequence[Pair]
) -> list[tuple[object, ...]]:
    chosen = set(map(frozenset, pairs))
    return [_test_row(measure, name, test) for test in results if frozenset(test.names) in chosen]


def pairs(study: TalliedStudy) -> "pd.DataFrame":
    """Return the tests of accuracy of every pair on every set side by side.

    Columns are set, first, sign and second (the method more accurate over all sets first; ``>`` or
    ``<`` if the signed-rank test is significant, ``=`` if not, ``/`` if ranks and accuracies differ
    in opposite directions), first_accuracy, second_accuracy, significant, and the final p-values
    signed_rank_p, nemenyi_p, rank_sum_p and t_test_p.
    """
    import pandas as pd

    every = study.table(tests)
    every = every[(every["measure"] == "accuracy") & every["set"].isin(study.sets)]
    samples = read_samples(study)
    order = labels_by_accuracy(samples)
    accuracies = {
        (name, sample.label): sample.accuracy
        for name, of_set in samples.items()
        for sample in of_set
    }
    rows = []
    for (name, *pair), found in every.groupby(["set", "first", "second"], sort=False):
        first, second = sorted(pair, key=order.index)
        by_test = found.set_index("test")
        p_values = by_test["corrected_p"].fillna(by_test["p"])
        shares = accuracies[name, first], accuracies[name, second]
        decisive = by_test.loc[DECIDES]
        is_flipped = decisive["first"] != first
        rows.append(
            {
                "set": name,
                "first": first,
                "sign": _sign(decisive, shares[0] - shares[1], is_flipped=is_flipped),
                "second": second,
                "first_accuracy": shares[0],
                "second_accuracy": shares[1],
                "significant": bool(decisive["significant"]),
                "signed_rank_p": p_values[DECIDES],
                "nemenyi_p": p_values["Nemenyi"],
                "rank_sum_p": p_values["Wilcoxon rank-sum"],
                "t_test_p": p_values["Welch t-test"],
            }
        )
    rows.sort(key=lambda row: [order.index(row[name]) for name in ("first", "second")])
    return pd.DataFrame(rows)


def _sign(decisive: "pd.Series", difference: float, *, is_flipped: bool) -> str:
    import pandas as pd

    if pd.isna(decisive["p"]):
        return ""
    if not decisive["significant"]:
        return "="
    by_rank = str(decisive["sign"])
    if is_flipped:
        by_rank = {">": "<", "<": ">"}.get(by_rank, by_rank)
    return by_rank if by_rank == direction_of(difference) else "/"


def ranks(study: TalliedStudy) -> "pd.DataFrame":
    """Return mean ranks with Friedman's test: over hand sets, as in the paper, and over hands.

    Columns are measure, blocks, num_blocks, method, rank (1 is best), and for all methods of a
    measure chi2, p, kendall_w and note.
    """
    import pandas as pd

    rows = []
    for measure, blocks, values in _blocks(read_samples(study)):
        test = friedman(values, names=study.methods)
        found = mean_ranks(values, higher_is_better=measure == "accuracy")
        rows += [
            {
                "measure": measure,
                "blocks": blocks,
                "num_blocks": test.n[0],
                "method": label,
                "rank": rank,
                "chi2": test.statistic,
                "p": test.p_value,
                "kendall_w": test.effect,
                "note": test.note,
            }
            for label, rank in zip(study.methods, found, strict=True)
        ]
    return pd.DataFrame(rows)


def _blocks(
    samples: dict[str, list[Sample]],
) -> list[tuple[str, str, NDArray[np.float64]]]:
    """Return measure, kind of block and values of each ranking, shape ``(blocks, methods)``."""
    every = samples.values()
    accuracies = np.array([[one.accuracy for one in row] for row in every])
    shares = [np.stack([one.share_of_hand for one in row], axis=1) for row in every]
    seconds = np.array([[np.mean(one.seconds) for one in row] for row in every])
    return [
        ("accuracy", "hand sets", accuracies),
        ("accuracy", "hands", np.concatenate(shares)),
        ("CPU time", "hand sets", seconds),
    ]


# Tests of two samples -------------------------------------------------------------------

PairTest = Callable[[Sample, Sample], TestResult]


def _test_pairs(
    samples: dict[str, list[Sample]], pairs: Sequence[Pair], *tests: PairTest
) -> dict[str, list[TestResult]]:
    """Apply each test to every pair on every set; the results of one test are a family."""
    by_label = {name: {one.label: one for one in of_set} for name, of_set in samples.items()}
    every = [(name, of[a], of[b]) for name, of in by_label.items() for a, b in pairs]
    families = [holm_correct(test(a, b) for _, a, b in every) for test in tests]
    results: dict[str, list[TestResult]] = {name: [] for name in samples}
    for (name, _, _), of_pair in zip(every, zip(*families, strict=True), strict=True):
        results[name] += of_pair
    return results


def _ran_once(*samples: Sample) -> str:
    """Name the deterministic methods of a pair, which ran once; empty without any."""
    once = [sample.label for sample in samples if not sample.is_random]
    if len(once) == 2:
        return f"{once[0]} and {once[1]} are deterministic and ran once"
    return f"{once[0]} is deterministic and ran once" if once else ""


def _means_of_runs(a: Sample, b: Sample) -> TestResult:
    """Compare accuracies of runs; that of a deterministic method is a constant."""
    shares = a.shares_as_often(b.runs), b.shares_as_often(a.runs)
    result, note = t_test(*shares, names=(a.label, b.label)), _ran_once(a, b)
    if not note or result.p_value is None:
        return result
    note = f"{note}: tested as a constant" + (f"; {result.note}" if result.note else "")
    return replace(result, n=(a.runs, b.runs), note=note)


def _ranks_of_runs(a: Sample, b: Sample) -> TestResult:
    if note := _ran_once(a, b):
        return TestResult(
            test="Wilcoxon rank-sum",
            names=(a.label, b.label),
            n=(a.runs, b.runs),
            effect_name="A12",
            note=f"not made: {note}, and copies of a run are not a sample",
        )
    return rank_sum(a.shares, b.shares, names=(a.label, b.label))


def _signed_ranks(a: Sample, b: Sample) -> TestResult:
    return signed_rank(a.share_of_hand, b.share_of_hand, names=(a.label, b.label))


def _mean_times(a: Sample, b: Sample) -> TestResult:
    return t_test(a.seconds, b.seconds, names=(a.label, b.label))


def _rank_times(a: Sample, b: Sample) -> TestResult:
    return rank_sum(a.seconds, b.seconds, names=(a.label, b.label))
