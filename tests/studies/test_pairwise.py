"""The statistical tests of a study, their families and their descriptions in words."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_study import make_study

from mjopt.studies import pairwise
from mjopt.studies.pairwise import (
    compare_accuracies,
    compare_pairs,
    compare_seconds,
    pairs_of,
    rank_methods,
)
from mjopt.studies.statistics import TestResult, friedman, holm, rank_sum, signed_rank, t_test
from mjopt.studies.summary import Summary, summarise
from mjopt.studies.summary_text import (
    disagreement_text,
    headline,
    overview,
    pairwise_lines,
    set_line,
)
from mjopt.studies.tables import (
    all_tests_table,
    pairwise_table,
    plotted,
    post_hoc_table,
    ranking_table,
)


@pytest.fixture(scope="module")
def summary(tmp_path_factory) -> Summary:
    return summarise(make_study(tmp_path_factory.mktemp("study"), hands=80, runs=5))


def test_each_pair_is_compared_on_each_set_by_three_tests(summary):
    found = compare_accuracies(summary)
    assert {name: len(findings) for name, findings in found.items()} == {
        "one-type": 9,
        "two-type-60": 9,
    }
    ndde, pso, _ = summary.sets[0].methods
    welch, ranks, signed, *_ = found["one-type"]
    assert welch.statistic == t_test(ndde.shares, pso.shares).statistic
    assert ranks.p_value == rank_sum(ndde.shares, pso.shares).p_value
    assert signed.p_value == signed_rank(ndde.share_of_hand, pso.share_of_hand).p_value
    assert welch.names == ("ndde-20-50", "pso-20-50")


def test_a_family_is_one_test_over_all_pairs_and_sets(summary):
    found = compare_accuracies(summary)
    for test in ("Welch t-test", "Wilcoxon rank-sum", "Wilcoxon signed-rank"):
        family = [one for findings in found.values() for one in findings if one.test == test]
        assert len(family) == 6
        family = [one for one in family if one.p_value is not None]
        assert len(family) == (2 if test == "Wilcoxon rank-sum" else 6)
        assert [one.corrected_p for one in family] == pytest.approx(
            holm([one.p_value for one in family])
        )


def test_deterministic_method_runs_once(summary):
    """In the paper's t-test the 30 runs of tree search are one constant."""
    found = compare_accuracies(summary)["one-type"]
    ndde, _, tree = summary.sets[0].methods
    (one,) = (o for o in found if o.test == "Welch t-test" and o.names == (ndde.label, tree.label))
    assert one.n == (5, 1)
    assert one.note.startswith("tree-search is deterministic and ran once: tested as a constant")
    assert one.statistic == t_test(ndde.shares, [1.0] * 5).statistic
    (ranks,) = (o for o in found if o.test == "Wilcoxon rank-sum" and o.names == one.names)
    assert (ranks.n, ranks.p_value) == ((5, 1), None)
    assert ranks.note.endswith("and copies of a run are not a sample")
    rows = all_tests_table("t", "T", {"one-type": found}, caption="").rows
    assert {row[5] for row in rows} == {"5 + 5", "5 + once", "80"}


def test_one_timing_is_not_repeated(tmp_path):
    """Times vary, so one timing of tree search counts as one observation."""
    found = summarise(make_study(tmp_path / "s", hands=20, runs=3, sample=0, curves=0))
    findings = compare_seconds(found)["one-type"]
    with_tree = [one for one in findings if "tree-search" in one.names]
    assert len(with_tree) == 4
    assert all(one.p_value is None and "fewer than two runs" in one.note for one in with_tree)
    assert {one.test for one in findings} == {"Welch t-test", "Wilcoxon rank-sum"}


def test_many_methods_are_compared_only_with_the_first(summary, monkeypatch):
    assert pairs_of(summary)[1] == ("ndde-20-50", "tree-search")
    assert len(pairs_of(summary)) == 3
    monkeypatch.setattr(pairwise, "MAX_PAIRS", 2)
    assert pairs_of(summary) == (("ndde-20-50", "pso-20-50"), ("ndde-20-50", "tree-search"))
    monkeypatch.setattr("mjopt.studies.tables.MAX_PLOTTED", 2)
    assert plotted(summary) == ("ndde-20-50", "tree-search")


def test_rankings_over_sets_and_hands(summary):
    sets, hands, seconds = rank_methods(summary)
    assert (sets.blocks, hands.blocks) == ("hand set", "hand")
    assert (sets.test.n, hands.test.n, seconds.test.n) == ((2,), (160,), (2,))
    assert sets.ranks == (2.0, 3.0, 1.0)
    matrix = np.concatenate(
        [np.stack([one.share_of_hand for one in s.methods], axis=1) for s in summary.sets]
    )
    assert hands.test == friedman(matrix, names=summary.labels)
    # The fixture assigns times in this order, fastest first.
    assert seconds.ranks == (1.0, 2.0, 3.0)
    assert len(hands.nemenyi) == len(hands.holm) == 3


def test_results_as_tables(summary, monkeypatch):
    found = compare_accuracies(summary)
    table = all_tests_table("tests", "Tests", found, caption="")
    assert len(table.rows) == 18
    assert table.rows[0][1] == "ndde-20-50 > pso-20-50"
    rankings = rank_methods(summary)
    assert len(post_hoc_table(summary, rankings).rows) == 18
    monkeypatch.setattr(pairwise, "MAX_PAIRS", 2)
    few = post_hoc_table(summary, rankings)
    assert len(few.rows) == 12
    assert few.notes[-1].startswith("1 pairs without ndde-20-50 are not shown")
    assert ranking_table(summary, rankings).rows[0][3:6] == (2.0, 3.0, 1.0)


# In words -----------------------------------------------------------------------------


def test_the_main_result(summary):
    said = headline(summary, compare_accuracies(summary))
    gap = np.mean([1 - one.methods[0].accuracy.share for one in summary.sets])
    assert said.startswith(
        "tree-search is the most accurate, right for 100\u202f% of hands on every"
    )
    assert f"ndde-20-50 comes next, {100 * gap:.2f} points behind on the mean (significant" in said
    assert said.count(".") == said.rstrip(".").count(".") + 1  # one sentence


def test_main_result_of_equal_methods(tmp_path):
    study = make_study(
        tmp_path / "s", methods=("tree-a", "tree-b"), sets=("one-type",), hands=9, runs=1
    )
    found = summarise(study)
    said = headline(found, compare_accuracies(found))
    assert said == "tree-a and tree-b are equally accurate, right for 100\u202f% of hands."
    assert "once" not in overview(found)


def test_one_method(tmp_path):
    study = make_study(tmp_path / "s", methods=("ndde",), sets=("one-type",), hands=30, runs=1)
    found = summarise(study)
    assert compare_accuracies(found) == {"one-type": ()}
    assert all(one.test.p_value is None for one in rank_methods(found))
    said = headline(found, {})
    assert said.startswith("ndde found the true deficiency for ")
    assert overview(found).startswith(
        "1 method searched for the deficiency of 30 hands in 1 set, 1 run on each hand."
    )


def test_one_plain_sentence_for_each_pair(summary):
    found = compare_accuracies(summary)
    said = pairwise_lines(compare_pairs(summary, found))
    assert [line.split(":")[0] for line in said] == [
        "tree-search finds more right answers than ndde-20-50",
        "tree-search finds more right answers than pso-20-50",
        "ndde-20-50 finds more right answers than pso-20-50",
    ]
    for hands in summary.sets:
        shares = [100 * hands.method(label).accuracy.share for label in ("ndde-20-50", "pso-20-50")]
        figures = f"{shares[0]:.2f} against {shares[1]:.2f}\u202f% on {hands.name}, p"
        assert figures in said[2]
    assert said[2].endswith(", significant after correction.")


def test_indistinguishable_pairs_with_the_nemenyi_test(tmp_path):
    methods = ("ndde-20-50", "pso-20-50", "ga-20-50", "tlbo-20-50")
    study = make_study(
        tmp_path / "s", methods=methods, sets=("one-type",), hands=12, runs=3, undershoot=0.3
    )
    found = summarise(study)
    verdicts = compare_pairs(found, compare_accuracies(found))
    for one, line in zip(verdicts, pairwise_lines(verdicts), strict=True):
        assert one.is_significant == ("significant after correction" in line)
        assert one.is_significant != ("do not differ significantly: " in line)
        p = one.signed_rank.corrected_p
        assert line.count("p = " if p >= 0.0001 else "p < ") == 1
    table = pairwise_table(verdicts)
    assert len(table.rows) == 6
    assert any("exact: p is never below 0.1 with so few" in note for note in table.notes)
    disputed = [one for one in verdicts if one.tests_disagree]
    line = disagreement_text(
        [replace(one, nemenyi=OTHERWISE[one.is_significant]) for one in verdicts]
    )
    assert line.startswith("Nemenyi's test and the signed-rank test disagree about ")
    assert "; 2 more. Nemenyi ranks all methods within each hand" in line
    agreed = [one for one in verdicts if one not in disputed]
    assert disagreement_text(agreed) == ""


OTHERWISE = {
    told: TestResult(
        test="Nemenyi", names=("a", "b"), n=(12,), effect_name="", p_value=0.9 if told else 0.001
    )
    for told in (True, False)
}


def test_set_lines_count_undershoots(summary):
    for hands in summary.sets:
        line = set_line(hands)
        below = sum(one.accuracy.below for one in hands.methods)
        assert line.startswith(f"{hands.name} (80 hands): tree-search 100\u202f%, ndde-20-50")
        said = f"{below} value" if below else "No value"
        assert said in line
