"""The statistical tests of a study, their families and their descriptions in words."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_study import make_study

from mjopt.statistics import TestResult, friedman, holm, rank_sum, signed_rank, t_test
from mjopt.studies import pairwise
from mjopt.studies.pairwise import (
    compare_accuracies,
    compare_pairs,
    compare_seconds,
    pairs_of,
    rank_methods,
)
from mjopt.studies.summary import Summary, summarise
from mjopt.studies.summary_text import (
    code_note,
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
    results = compare_accuracies(summary)
    assert {name: len(tests) for name, tests in results.items()} == {
        "one-type": 9,
        "two-type-60": 9,
    }
    ndde, pso, _ = summary.sets[0].methods
    welch, ranks, signed, *_ = results["one-type"]
    assert welch.statistic == t_test(ndde.shares, pso.shares).statistic
    assert ranks.p_value == rank_sum(ndde.shares, pso.shares).p_value
    assert signed.p_value == signed_rank(ndde.share_of_hand, pso.share_of_hand).p_value
    assert welch.names == ("ndde-20-50", "pso-20-50")


def test_a_family_is_one_test_over_all_pairs_and_sets(summary):
    results = compare_accuracies(summary)
    for name in ("Welch t-test", "Wilcoxon rank-sum", "Wilcoxon signed-rank"):
        family = [test for tests in results.values() for test in tests if test.test == name]
        assert len(family) == 6
        family = [test for test in family if test.p_value is not None]
        assert len(family) == (2 if name == "Wilcoxon rank-sum" else 6)
        assert [test.corrected_p for test in family] == pytest.approx(
            holm([test.p_value for test in family])
        )


def test_deterministic_method_runs_once(summary):
    """In the paper's t-test the 30 runs of tree search are one constant."""
    results = compare_accuracies(summary)["one-type"]
    ndde, _, tree = summary.sets[0].methods
    welch, ranks, _ = (test for test in results if test.names == (ndde.label, tree.label))
    assert (welch.test, ranks.test) == ("Welch t-test", "Wilcoxon rank-sum")
    assert welch.n == (5, 1)
    assert welch.note.startswith("tree-search is deterministic and ran once: tested as a constant")
    assert welch.statistic == t_test(ndde.shares, [1.0] * 5).statistic
    assert (ranks.n, ranks.p_value) == ((5, 1), None)
    assert ranks.note.endswith("and copies of a run are not a sample")
    rows = all_tests_table("t", "T", {"one-type": results}, caption="").rows
    assert {row[5] for row in rows} == {"5 + 5", "5 + once", "80"}


def test_one_timing_is_not_repeated(tmp_path):
    """Times vary, so one timing of tree search counts as one observation."""
    summary = summarise(make_study(tmp_path / "s", hands=20, runs=3, sample=0, curves=0))
    tests = compare_seconds(summary)["one-type"]
    with_tree = [test for test in tests if "tree-search" in test.names]
    assert len(with_tree) == 4
    assert all(test.p_value is None and "fewer than two runs" in test.note for test in with_tree)
    assert {test.test for test in tests} == {"Welch t-test", "Wilcoxon rank-sum"}


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
        [np.stack([m.share_of_hand for m in hands.methods], axis=1) for hands in summary.sets]
    )
    assert hands.test == friedman(matrix, names=summary.labels)
    # The fixture assigns times in this order, fastest first.
    assert seconds.ranks == (1.0, 2.0, 3.0)
    assert len(hands.nemenyi) == len(hands.holm) == 3


def test_results_as_tables(summary, monkeypatch):
    results = compare_accuracies(summary)
    table = all_tests_table("tests", "Tests", results, caption="")
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
    text = headline(summary, compare_accuracies(summary))
    gap = np.mean([1 - one.methods[0].accuracy.share for one in summary.sets])
    assert text.startswith(
        "tree-search is the most accurate, right for 100\u202f% of hands on every"
    )
    assert f"ndde-20-50 comes next, {100 * gap:.2f} points behind on the mean (significant" in text
    assert text.count(".") == text.rstrip(".").count(".") + 1  # one sentence


def test_main_result_without_a_significant_difference(tmp_path):
    methods = ("ndde-a", "pso-b")
    study = make_study(tmp_path / "s", methods=methods, sets=("one-type",), hands=3, runs=2, seed=3)
    summary = summarise(study)
    text = headline(summary, compare_accuracies(summary))
    assert "most accurate" not in text
    assert "(not significant; signed-rank over hands, Holm-corrected)." in text


def test_cpu_times_of_own_code_are_marked(summary):
    own = replace(summary.config.methods[0], code="sha256:0")
    config = replace(summary.config, methods=(own, *summary.config.methods[1:]))
    assert code_note(summary) == ""
    assert code_note(replace(summary, config=config)).startswith("ndde-20-50 runs its own code")


def test_main_result_of_equal_methods(tmp_path):
    study = make_study(
        tmp_path / "s", methods=("tree-a", "tree-b"), sets=("one-type",), hands=9, runs=1
    )
    summary = summarise(study)
    text = headline(summary, compare_accuracies(summary))
    assert text == "tree-a and tree-b are equally accurate, right for 100\u202f% of hands."
    assert "once" not in overview(summary)


def test_one_method(tmp_path):
    study = make_study(tmp_path / "s", methods=("ndde",), sets=("one-type",), hands=30, runs=1)
    summary = summarise(study)
    assert compare_accuracies(summary) == {"one-type": ()}
    assert all(ranking.test.p_value is None for ranking in rank_methods(summary))
    text = headline(summary, {})
    assert text.startswith("ndde found the true deficiency for ")
    assert overview(summary).startswith(
        "1 method searched for the deficiency of 30 hands in 1 set, 1 run on each hand."
    )


def test_one_plain_sentence_for_each_pair(summary):
    results = compare_accuracies(summary)
    lines = pairwise_lines(compare_pairs(summary, results))
    assert [line.split(":")[0] for line in lines] == [
        "tree-search finds more right answers than ndde-20-50",
        "tree-search finds more right answers than pso-20-50",
        "ndde-20-50 finds more right answers than pso-20-50",
    ]
    for hands in summary.sets:
        shares = [100 * hands.method(label).accuracy.share for label in ("ndde-20-50", "pso-20-50")]
        figures = f"{shares[0]:.2f} against {shares[1]:.2f}\u202f% on {hands.name}, p"
        assert figures in lines[2]
    assert lines[2].endswith(", significant after correction.")


def test_indistinguishable_pairs_with_the_nemenyi_test(tmp_path):
    methods = ("ndde-20-50", "pso-20-50", "ga-20-50", "tlbo-20-50")
    study = make_study(
        tmp_path / "s", methods=methods, sets=("one-type",), hands=12, runs=3, undershoot=0.3
    )
    summary = summarise(study)
    verdicts = compare_pairs(summary, compare_accuracies(summary))
    for verdict, line in zip(verdicts, pairwise_lines(verdicts), strict=True):
        assert verdict.is_significant == ("significant after correction" in line)
        assert verdict.is_significant != ("do not differ significantly: " in line)
        p = verdict.signed_rank.corrected_p
        assert line.count("p = " if p >= 0.0001 else "p < ") == 1
    table = pairwise_table(verdicts)
    assert len(table.rows) == 6
    assert any("exact: p is never below 0.1 with so few" in note for note in table.notes)
    disputed = [verdict for verdict in verdicts if verdict.tests_disagree]
    line = disagreement_text(
        [replace(verdict, nemenyi=OTHERWISE[verdict.is_significant]) for verdict in verdicts]
    )
    assert line.startswith("Nemenyi's test and the signed-rank test disagree about ")
    assert "; 2 more. Nemenyi ranks all methods within each hand" in line
    agreed = [verdict for verdict in verdicts if verdict not in disputed]
    assert disagreement_text(agreed) == ""


OTHERWISE = {
    is_significant: TestResult(
        test="Nemenyi", names=("a", "b"), n=(12,), effect_name="", p_value=p_value
    )
    for is_significant, p_value in ((True, 0.9), (False, 0.001))
}


def test_set_lines_count_undershoots(summary):
    for hands in summary.sets:
        line = set_line(hands)
        below = sum(one.accuracy.below for one in hands.methods)
        assert line.startswith(f"{hands.name} (80 hands): tree-search 100\u202f%, ndde-20-50")
        text = f"{below} value" if below else "No value"
        assert text in line
