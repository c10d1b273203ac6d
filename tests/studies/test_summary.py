"""The summary of a study, recomputed from the raw rows with pandas."""

from math import ceil, inf

import numpy as np
import pandas
import pytest
from helpers.made_study import make_study

from mjopt.errors import FileError
from mjopt.studies.metrics import Accuracy
from mjopt.studies.parameter_grids import grids
from mjopt.studies.results import Study, certificates_path
from mjopt.studies.summary import Summary, summarise


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    return make_study(tmp_path_factory.mktemp("study"), hands=80, runs=5)


@pytest.fixture(scope="module")
def summary(study) -> Summary:
    return summarise(study)


def test_every_number_agrees_with_pandas(study, summary):
    for hands in summary.sets:
        truth = study.hands(hands.name)
        assert hands.certified == hands.hands == 80
        always_3 = 3 - truth["deficiency"]
        assert hands.baseline == Accuracy(
            (always_3 == 0).sum(), (always_3 < 0).sum(), (always_3 > 0).sum()
        )
        for result in hands.methods:
            rows = study.rows(hands.name, result.label).merge(truth, on="hand")
            gap = rows["value"].astype(int) - rows["deficiency"]
            right = gap == 0
            assert result.accuracy == Accuracy(right.sum(), (gap < 0).sum(), (gap > 0).sum())
            assert result.gaps == gap.value_counts().to_dict()
            assert result.shares == pytest.approx(right.groupby(rows["run"]).mean().tolist())
            assert result.right.tolist() == right.groupby(rows["hand"]).sum().tolist()
            for key, accuracy in result.strata["kongs"].items():
                assert accuracy.right == (right & (rows["num_kongs"] == key)).sum()
            for key, accuracy in result.strata["deficiency"].items():
                assert accuracy.below == ((gap < 0) & (rows["deficiency"] == key)).sum()
            for least, word in hands.labels["elements"].items():
                first, _, last = word.partition("-")
                inside = rows["num_elements"].between(int(first), int(last or first))
                assert int(first) == least
                assert result.strata["elements"][least].tries == inside.sum()
            spent = rows["hit_evaluations"].where(rows["hit_evaluations"] >= 0, rows["evaluations"])
            assert result.evaluations.until_stopped == spent.sum()
            assert result.evaluations.solved == right.sum()
            assert result.ecdf.share[-1] == pytest.approx(right.mean())


def test_times_with_and_without_early_stop(study, summary):
    for hands in summary.sets:
        for result in hands.methods:
            times = study.times(hands.name, result.label)
            main = times[~times["early_stop"]].sort_values("run")
            assert result.seconds_full_budget == pytest.approx((main.seconds / main.hands).tolist())
            assert len(result.seconds_full_budget) == study.config.runs
            assert len(result.seconds_stopped) == 1
            assert result.seconds(early_stop=True) == result.seconds_stopped


@pytest.mark.parametrize("early_stop", [False, True])
def test_both_ways_on_the_sample(tmp_path, early_stop):
    study = make_study(tmp_path / "s", early_stop=early_stop, hands=40, runs=2, sample=10)
    (hands, *_) = summarise(study).sets
    for result in hands.methods:
        both = result.early_stop
        assert both.hands == both.stopped.tries == both.full.tries == 10
        sample = study.sample_rows(hands.name, result.label)
        truth = study.hands(hands.name)["deficiency"].to_numpy()[sample["hand"]]
        # A deterministic method never stops early in the main rows.
        stops = early_stop and result.method.is_random
        assert result.stops_early == stops
        other = both.full if stops else both.stopped
        assert other.right == (sample["value"] == truth).sum()
        assert both.evaluations_stopped < both.evaluations_full
        # The main rows have run 0; the sample has the other stopping rule.
        spent = both.evaluations_full if stops else both.evaluations_stopped
        assert spent == sample["evaluations"].sum()


@pytest.mark.parametrize(("early_stop", "sample"), [(True, 10), (False, 10), (False, 0)])
def test_time_to_proof_agrees_with_pandas(tmp_path, early_stop, sample):
    study = make_study(
        tmp_path / "s", sets=["one-type"], runs=3, sample=sample, early_stop=early_stop
    )
    path = certificates_path(study.folder, "one-type")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:41]))  # 40 hands
    truth = study.hands("one-type")[["hand", "deficiency"]]
    [hands] = summarise(study).sets
    for result in hands.methods:
        rows = study.rows("one-type", result.label).merge(truth, on="hand")
        timed = study.times("one-type", result.label)
        stops = study.config.stops_early(result.method)
        is_used = timed["early_stop"] == (stops or bool(sample))
        stopped = rows if stops or not sample else study.sample_rows("one-type", result.label)
        spent = stopped["evaluations"].mean()
        rate = (timed.seconds[is_used] / timed.hands[is_used]).mean() / spent
        certificate = rows["hand"].map(pandas.read_csv(path).set_index("hand")["seconds"])
        rows = rows.assign(certificate=certificate).dropna()
        hit = rows["hit_evaluations"].where(rows["value"] == rows["deficiency"]) * rate
        of_one = (hit + rows["certificate"]).fillna(inf).sort_values(ignore_index=True)
        of_two = np.maximum(hit, rows["certificate"]).fillna(inf).sort_values(ignore_index=True)
        proof = result.proof
        tries = 40 * study.config.num_runs(result.method)
        assert (proof.tries, proof.proved) == (tries, hit.notna().sum())
        half, most = tries // 2 - 1, ceil(0.95 * tries) - 1
        assert proof.median == pytest.approx(of_one[half])
        assert proof.ninety_five == pytest.approx(of_one[most])
        assert proof.median_parallel == pytest.approx(of_two[half])
        assert proof.ninety_five_parallel == pytest.approx(of_two[most])


def test_curves_are_means_over_runs(study, summary):
    hands = summary.sets[0]
    assert sorted(hands.texts) == [0, 1, 2]
    for result in hands.methods:
        frame = study.curves(hands.name, result.label)
        for hand, curve in result.curves.items():
            wide = frame[frame["hand"] == hand].pivot(
                index="run", columns="generation", values="best"
            )
            assert curve == pytest.approx(wide.mean().to_numpy())


def test_without_sample_and_curves(tmp_path):
    study = make_study(tmp_path / "s", hands=10, runs=1, sample=0, curves=0)
    for hands in summarise(study).sets:
        assert not hands.texts
        assert all(result.early_stop is None and not result.curves for result in hands.methods)
        assert all(not result.seconds_stopped for result in hands.methods)


def test_order_by_accuracy(summary):
    assert summary.by_accuracy == ("tree-search", "ndde-20-50", "pso-20-50")


def test_missing_rows_are_an_error(tmp_path):
    study = make_study(tmp_path / "s", hands=10, runs=2)
    (study.folder / "rows.parquet").unlink()
    with pytest.raises(FileError, match=r"rows.parquet: no such file"):
        summarise(study)


def test_grids(tmp_path):
    cells = {"a-1": (10, 10), "a-2": (10, 50), "a-3": (20, 10), "b-1": (10, 10)}
    parameters = {label: {"population": p, "generations": g} for label, (p, g) in cells.items()}
    study = make_study(
        tmp_path / "s", methods=(*cells, "tree-search"), hands=5, runs=1, parameters=parameters
    )
    (grid,) = grids(summarise(study))
    assert (grid.name, grid.slug) == ("a", "grid-a")
    assert grid.populations == (10, 20)
    assert grid.generations == (10, 50)
    assert grid.labels == {(10, 10): "a-1", (10, 50): "a-2", (20, 10): "a-3"}


def test_small_integers_of_the_rows_do_not_overflow(tmp_path):
    """At paper scale the total number of evaluations exceeds 32 bits."""
    study = make_study(tmp_path / "s", hands=50, runs=2, budget=2**31 - 1)
    result = summarise(study).sets[0].methods[0]
    assert result.evaluations.total == 100 * (2**31 - 1)
    assert isinstance(result.right, np.ndarray)
