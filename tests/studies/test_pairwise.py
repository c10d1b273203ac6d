"""The statistical tests of a study and their families."""

import numpy as np
import pandas as pd
import pytest
from helpers.made_study import make_study

from mjopt.statistics import friedman, holm, nemenyi, rank_sum, signed_rank, t_test
from mjopt.studies import pairwise
from mjopt.studies.study import Study

NDDE, PSO, TREE = METHODS = ("ndde-20-50", "pso-20-50", "tree-search")


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    return make_study(tmp_path_factory.mktemp("study"), hands=80, runs=5)


def shares(study: Study, hands: str, method: str) -> tuple[list[float], np.ndarray]:
    """Return the accuracy of each run, and the share of runs that were right about each hand."""
    rows = study.rows(hands, method).merge(study.hands(hands), on="hand")
    right = rows["value"] == rows["deficiency"]
    return right.groupby(rows["run"]).mean().tolist(), right.groupby(rows["hand"]).mean().to_numpy()


def find(frame: pd.DataFrame, **values: object) -> pd.DataFrame:
    for column, value in values.items():
        frame = frame[frame[column] == value]
    return frame


def test_each_pair_is_compared_on_each_set_by_four_tests(study):
    tests = study.results("tests")
    for hands in study.sets:
        assert len(find(tests, measure="accuracy", set=hands)) == 12
        found = find(tests, measure="accuracy", set=hands, first=NDDE, second=PSO)
        welch, ranks, signed, post_hoc = found.itertuples()
        (ndde, ndde_hands), (pso, pso_hands), (_, tree_hands) = (
            shares(study, hands, method) for method in METHODS
        )
        assert welch.value == pytest.approx(t_test(ndde, pso).statistic)
        assert ranks.p == rank_sum(ndde, pso).p_value
        assert signed.p == signed_rank(ndde_hands, pso_hands).p_value
        of_set = np.stack([ndde_hands, pso_hands, tree_hands], axis=1)
        assert post_hoc.p == nemenyi(of_set, names=METHODS)[0].p_value


def test_a_family_is_one_test_over_all_pairs_and_sets(study):
    tests = study.results("tests")
    for name in ("Welch t-test", "Wilcoxon rank-sum", "Wilcoxon signed-rank"):
        family = find(tests, measure="accuracy", test=name)
        assert len(family) == 6
        family = family.dropna(subset="p")
        assert len(family) == (2 if name == "Wilcoxon rank-sum" else 6)
        assert family["corrected_p"].tolist() == pytest.approx(holm(family["p"].tolist()))
        assert (family["significant"] == (family["corrected_p"] < 0.05)).all()


def test_deterministic_method_runs_once(study):
    """In the paper's t-test the 30 runs of tree search are one constant."""
    tests = study.results("tests")
    found = find(tests, measure="accuracy", set="one-type", first=NDDE, second=TREE)
    welch, ranks, *_ = found.itertuples()
    assert (welch.test, ranks.test) == ("Welch t-test", "Wilcoxon rank-sum")
    assert welch.n == ranks.n == "5 + 1"
    assert welch.note.startswith("tree-search is deterministic and ran once: tested as a constant")
    ndde, _ = shares(study, "one-type", NDDE)
    assert welch.value == pytest.approx(t_test(ndde, [1.0] * 5).statistic)
    assert np.isnan(ranks.p)
    assert ranks.note.endswith("and copies of a run are not a sample")


def test_one_timing_is_not_repeated(tmp_path):
    """Times vary, so one timing of tree search counts as one observation."""
    study = make_study(tmp_path / "s", hands=20, runs=3, sample=0, curves=0)
    tests = find(study.results("tests"), measure="CPU time", set="one-type")
    with_tree = find(tests, second=TREE)
    assert len(with_tree) == 4
    assert with_tree["p"].isna().all()
    assert with_tree["note"].str.contains("fewer than two runs").all()
    assert set(tests["test"]) == {"Welch t-test", "Wilcoxon rank-sum"}


def test_many_methods_are_compared_only_with_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr(pairwise, "MAX_PAIRS", 2)
    study = make_study(tmp_path / "s", hands=20, runs=2)
    tests = study.results("tests")
    pairs = {frozenset(pair) for pair in zip(tests["first"], tests["second"], strict=True)}
    assert pairs == {frozenset((NDDE, PSO)), frozenset((NDDE, TREE))}
    assert len(study.results("pairs")) == 4


def test_ranks_over_sets_and_hands(study):
    ranks = study.results("ranks")
    groups = ranks.groupby(["measure", "blocks"], sort=False)["rank"].agg(list).to_dict()
    assert groups["accuracy", "hand sets"] == [2.0, 3.0, 1.0]
    # The fixture assigns times in this order, fastest first.
    assert groups["CPU time", "hand sets"] == [1.0, 2.0, 3.0]
    matrix = np.concatenate(
        [
            np.stack([shares(study, hands, method)[1] for method in METHODS], axis=1)
            for hands in study.sets
        ]
    )
    test = friedman(matrix, names=METHODS)
    row = find(ranks, measure="accuracy", blocks="hands").iloc[0]
    assert (row["num_blocks"], row["chi2"], row["p"]) == (160, test.statistic, test.p_value)
    post_hoc = find(study.results("tests"), measure="accuracy", set="hands")
    assert len(post_hoc) == 6  # Nemenyi and z-test of three pairs


def test_pairs_have_the_final_p_values_of_the_tests(study):
    pairs, tests = study.results("pairs"), study.results("tests")
    assert pairs[["first", "sign", "second"]].values.tolist() == [
        *[[TREE, ">", NDDE]] * 2,
        *[[TREE, ">", PSO]] * 2,
        *[[NDDE, ">", PSO]] * 2,
    ]
    names = {
        "signed_rank_p": "Wilcoxon signed-rank",
        "nemenyi_p": "Nemenyi",
        "rank_sum_p": "Wilcoxon rank-sum",
        "t_test_p": "Welch t-test",
    }
    accuracy = study.results("accuracy").set_index(["set", "method"])["accuracy"]
    for row in pairs.to_dict("records"):
        assert row["first_accuracy"] == accuracy[row["set"], row["first"]]
        assert row["second_accuracy"] == accuracy[row["set"], row["second"]]
        assert row["significant"] == (row["signed_rank_p"] < 0.05)
        found = find(tests, measure="accuracy", set=row["set"])
        found = found[
            [
                {a, b} == {row["first"], row["second"]}
                for a, b in zip(found["first"], found["second"], strict=True)
            ]
        ].set_index("test")
        for column, test in names.items():
            p = found.loc[test, "corrected_p"]
            assert row[column] == p or (np.isnan(row[column]) and np.isnan(p))


def test_methods_that_do_not_differ(tmp_path):
    study = make_study(
        tmp_path / "s", methods=("ndde-a", "pso-b"), sets=("one-type",), hands=3, runs=2, seed=3
    )
    [row] = study.results("pairs").itertuples()
    assert (row.sign, row.significant) == ("=", False)
    study = make_study(
        tmp_path / "t", methods=("tree-a", "tree-b"), sets=("one-type",), hands=9, runs=1
    )
    [row] = study.results("pairs").itertuples()
    assert (row.first_accuracy, row.second_accuracy, row.significant) == (1, 1, False)


def test_one_method(tmp_path):
    study = make_study(tmp_path / "s", methods=("ndde",), sets=("one-type",), hands=30, runs=1)
    assert study.results("tests").empty
    assert study.results("pairs").empty
    assert study.results("ranks")["p"].isna().all()
