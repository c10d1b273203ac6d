"""The results of a study, computed again from the raw rows with pandas."""

from math import ceil, inf

import numpy as np
import pandas as pd
import pytest
from helpers.made_study import make_study

from mjopt.errors import ArgumentError, FileError
from mjopt.statistics import wilson, wilson_clustered
from mjopt.studies import RESULTS
from mjopt.studies.study import Study
from mjopt.studies.study_files import certificates_path


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    return make_study(tmp_path_factory.mktemp("study"), hands=80, runs=5)


@pytest.fixture(scope="module")
def reread_study(study) -> Study:
    return Study(study.folder)


def joined(study: Study, hands: str, method: str) -> pd.DataFrame:
    """Return the raw rows beside their hands, with the gap."""
    rows = study.rows(hands, method).merge(study.hands(hands), on="hand")
    return rows.assign(gap=rows["value"].astype(int) - rows["deficiency"])


def select(frame: pd.DataFrame, **values: object) -> pd.DataFrame:
    for column, value in values.items():
        frame = frame[frame[column] == value]
    return frame


@pytest.fixture
def methods_of_sets(study) -> list[tuple[str, str]]:
    return [(hands, method) for hands in study.sets for method in study.methods]


def test_accuracy(study, methods_of_sets):
    frame = study.results("accuracy")
    assert list(frame.groupby("set", sort=False).size()) == [4, 4]  # three methods, baseline
    for hands, method in methods_of_sets:
        gap = joined(study, hands, method)["gap"]
        [row] = select(frame, set=hands, method=method).itertuples()
        counts = (gap == 0).sum(), (gap > 0).sum(), (gap < 0).sum()
        assert (row.right, row.too_high, row.too_low) == counts
        assert (row.total, row.accuracy) == (len(gap), (gap == 0).mean())
        assert (row.low, row.high) == wilson(row.right, row.total)
        right = (gap == 0).groupby(joined(study, hands, method)["hand"]).sum()
        assert (row.hands_low, row.hands_high) == wilson_clustered(right, row.runs)
        assert row.mean_gap == pytest.approx(gap.mean())
    for hands in study.sets:
        truth = study.hands(hands)["deficiency"]
        best = truth.mode()[0]
        [row] = select(frame, set=hands, method=f"always {best}").itertuples()
        counts = (truth == best).sum(), (truth < best).sum(), (truth > best).sum()
        assert (row.right, row.too_high, row.too_low) == counts
        assert row.right == truth.value_counts().max()


def test_accuracy_over_runs(study, methods_of_sets):
    frame = study.results("accuracy-over-runs")
    for hands, method in methods_of_sets:
        rows = joined(study, hands, method)
        shares = (rows["gap"] == 0).groupby(rows["run"]).mean()
        [row] = select(frame, set=hands, method=method).to_dict("records")
        assert (row["best"], row["worst"]) == (shares.max(), shares.min())
        assert (row["median"], row["mean"]) == pytest.approx((shares.median(), shares.mean()))
        assert (row["runs"] == 1) == np.isnan(row["sd"])


def test_strata_and_gaps(study, methods_of_sets):
    strata, gaps = study.results("strata"), study.results("gaps")
    for hands, method in methods_of_sets:
        rows = joined(study, hands, method)
        found = select(gaps, set=hands, method=method)
        assert dict(zip(found["gap"], found["tries"], strict=True)) == (
            rows["gap"].value_counts().to_dict()
        )
        assert found["share"].sum() == pytest.approx(1)
        for row in select(strata, set=hands, method=method).itertuples():
            column = {"true deficiency": "deficiency", "size of S": "num_elements"}
            of = rows[column.get(row.by, "num_kongs")]
            first, _, last = row.value.partition("-")
            inside = rows[of.between(int(first), int(last or first))]
            assert row.tries == len(inside)
            assert row.hands == inside["hand"].nunique()
            assert row.right == (inside["gap"] == 0).sum()
            assert row.too_low == (inside["gap"] < 0).sum()
            assert (row.low, row.high) == wilson(row.right, row.tries)


def test_evaluations(study, methods_of_sets):
    evaluations, solved = study.results("evaluations"), study.results("solved")
    for hands, method in methods_of_sets:
        rows = joined(study, hands, method)
        [row] = select(evaluations, set=hands, method=method).itertuples()
        right = rows["gap"] == 0
        spent = rows["hit_evaluations"].where(rows["hit_evaluations"] >= 0, rows["evaluations"])
        at = spent.where(right, inf).sort_values(ignore_index=True)
        assert (row.solved, row.whole_budget) == (right.mean(), rows["evaluations"].mean())
        assert row.early_stop == pytest.approx(spent.mean())
        assert row.expected == pytest.approx(spent.sum() / right.sum())
        assert row.half == at[ceil(0.5 * len(at)) - 1]
        assert row.ninety == at[ceil(0.9 * len(at)) - 1]
        assert row.never_solved == (~right.groupby(rows["hand"]).any()).sum()
        curve = select(solved, set=hands, method=method)
        for step in curve.itertuples():
            assert step.solved == pytest.approx((at <= step.evaluations).mean())
        assert curve["solved"].iloc[-1] == pytest.approx(right.mean())


def test_a_method_without_success_needs_infinitely_many_evaluations(tmp_path):
    study = make_study(
        tmp_path / "s", methods=("ndde",), hands=3, runs=1, undershoot=1, seed=4, sets=("one-type",)
    )
    [row] = study.results("evaluations").itertuples()
    if not row.solved:  # the seed has no right value
        assert (row.expected, row.half, row.never_solved) == (inf, inf, 3)
    assert row.solved == 0


def test_times_with_and_without_early_stop(study, methods_of_sets):
    frame = study.results("times")
    for hands, method in methods_of_sets:
        timed = study.times(hands, method)
        for stops in (True, False):
            micros = 1e6 * (timed["seconds"] / timed["hands"])[timed["early_stop"] == stops]
            [row] = select(frame, set=hands, method=method, early_stop=stops).itertuples()
            assert row.runs == len(micros) == (1 if stops else study.config.runs)
            assert (row.best, row.worst) == pytest.approx((micros.min(), micros.max()))
            assert row.mean == pytest.approx(micros.mean())


def test_by_deficiency(study, methods_of_sets):
    frame = study.results("by-deficiency")
    for hands, method in methods_of_sets:
        rows, blocks = joined(study, hands, method), study.blocks(hands, method)
        until = np.where(rows["hit_evaluations"] >= 0, rows["hit_evaluations"], rows["evaluations"])
        for way, spent in ((False, rows["evaluations"]), (True, pd.Series(until))):
            means = spent.groupby(rows["deficiency"]).mean()
            of_way = select(frame, set=hands, method=method, early_stop=way)
            assert of_way["deficiency"].tolist() == means.index.tolist()
            assert of_way["evaluations"].tolist() == pytest.approx(means.tolist())
            sums = select(blocks, early_stop=way).groupby("deficiency")[["seconds", "hands"]].sum()
            times = of_way.set_index("deficiency")["microseconds"].dropna()
            assert times.to_dict() == pytest.approx(
                (1e6 * sums["seconds"] / sums["hands"]).to_dict()
            )
            counts = rows[rows["run"] == 0]["deficiency"].value_counts().sort_index()
            assert of_way["hands"].tolist() == counts.tolist()
        own = select(frame, set=hands, method=method)
        assert (
            (own["evaluations_low"] <= own["evaluations"]) | own["evaluations_low"].isna()
        ).all()
        assert ((own["microseconds"] <= own["high"]) | own["high"].isna()).all()


@pytest.mark.parametrize("early_stop", [False, True])
def test_both_ways_on_the_sample(tmp_path, early_stop):
    study = make_study(tmp_path / "s", early_stop=early_stop, hands=40, runs=2, sample=10)
    frame = study.results("early-stop")
    for hands in study.sets:
        for method in study.config.methods:
            stopped, full = select(frame, set=hands, method=method.label).itertuples()
            assert (stopped.early_stop, full.early_stop) == (True, False)
            assert stopped.hands == full.hands == 10
            assert stopped.evaluations < full.evaluations
            # The main rows have run 0; the sample has the other stopping rule. A deterministic
            # method never stops early in the main rows.
            other = full if early_stop and method.is_random else stopped
            sample = study.sample_rows(hands, method.label)
            truth = study.hands(hands)["deficiency"].to_numpy()[sample["hand"]]
            assert other.accuracy == (sample["value"] == truth).mean()
            assert other.evaluations == sample["evaluations"].mean()


@pytest.mark.parametrize(("early_stop", "sample"), [(True, 10), (False, 10), (False, 0)])
def test_time_to_proof(tmp_path, early_stop, sample):
    study = make_study(
        tmp_path / "s",
        sets=["one-type"],
        runs=3,
        sample=sample,
        early_stop=early_stop,
        certificates=40,
    )
    path = certificates_path(study.folder, "one-type")
    for method, row in zip(
        study.config.methods, study.results("time-to-proof").itertuples(), strict=True
    ):
        rows = joined(study, "one-type", method.label)
        timed = study.times("one-type", method.label)
        stops = study.config.stops_early(method)
        is_used = timed["early_stop"] == (stops or bool(sample))
        stopped = rows if stops or not sample else study.sample_rows("one-type", method.label)
        micros = 1e6 * (timed["seconds"] / timed["hands"])[is_used].mean()
        rate = micros / stopped["evaluations"].mean()
        certificate = 1e6 * rows["hand"].map(pd.read_csv(path).set_index("hand")["seconds"])
        rows = rows.assign(certificate=certificate).dropna()
        hit = rows["hit_evaluations"].where(rows["gap"] == 0) * rate
        of_one = (hit + rows["certificate"]).fillna(inf).sort_values(ignore_index=True)
        of_two = np.maximum(hit, rows["certificate"]).fillna(inf).sort_values(ignore_index=True)
        tries = 40 * study.config.num_runs(method)
        assert (row.tries, row.proved) == (tries, hit.notna().mean())
        half, most = tries // 2 - 1, ceil(0.95 * tries) - 1
        assert (row.half, row.most) == pytest.approx((of_one[half], of_one[most]))
        assert (row.half_parallel, row.most_parallel) == pytest.approx((of_two[half], of_two[most]))


def test_convergence_is_a_mean_over_runs(study, methods_of_sets):
    frame = study.results("convergence")
    assert sorted(frame["hand"].unique()) == [0, 1, 2]
    for hands, method in methods_of_sets:
        raw = study.curves(hands, method)
        for hand, curve in select(frame, set=hands, method=method).groupby("hand"):
            wide = raw[raw["hand"] == hand].pivot(index="run", columns="generation", values="best")
            assert curve["best"].tolist() == pytest.approx(wide.mean().tolist())
            assert curve["generation"].tolist() == wide.columns.tolist()
            assert curve["evaluations"].is_monotonic_increasing
            [text] = curve["text"].unique()
            assert text == study.hands(hands)["text"][hand]


def test_without_sample_and_curves(tmp_path):
    study = make_study(tmp_path / "s", hands=10, runs=1, sample=0, curves=0, certificates=0)
    assert study.results("convergence").empty
    assert study.results("early-stop").empty
    assert study.results("time-to-proof").empty
    assert not study.results("times")["early_stop"].any()


def test_methods_and_sets(study):
    assert study.results("methods")["method"].tolist() == list(study.methods)
    sets = study.results("sets")
    assert sets[["set", "hands", "certified"]].values.tolist() == [
        ["one-type", 80, 80],
        ["two-type-60", 80, 80],
    ]
    for row in sets.itertuples():
        assert row.mean_deficiency == pytest.approx(study.hands(row.set)["deficiency"].mean())


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_tidy(study, reread_study, name):
    frame = study.results(name)
    assert list(frame.columns) == list(dict.fromkeys(frame.columns))
    assert frame.index.equals(pd.RangeIndex(len(frame)))
    frame["method"] = None  # a copy
    assert study.results(name).equals(reread_study.results(name))


def test_an_unknown_result_is_refused(study):
    with pytest.raises(ArgumentError, match="result 'speed', expected one of accuracy, "):
        study.results("speed")


def test_missing_rows_are_an_error(tmp_path):
    study = make_study(tmp_path / "s", hands=10, runs=2)
    (study.folder / "rows.parquet").unlink()
    with pytest.raises(FileError, match=r"rows.parquet: no such file"):
        study.results("accuracy")


def test_small_integers_of_the_rows_do_not_overflow(tmp_path):
    """At paper scale the total number of evaluations exceeds 32 bits."""
    study = make_study(tmp_path / "s", hands=50, runs=2, budget=2**31 - 1)
    assert study.results("evaluations")["whole_budget"].iloc[0] == 2**31 - 1
