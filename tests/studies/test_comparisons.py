"""Which tests are made of a study, in which families, and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made_study import make_study

from mjopt.errors import StudyError
from mjopt.reports.statistics import Finding, adjust, friedman, rank_sum, signed_rank, t_test
from mjopt.studies.comparisons import (
    Analysis,
    compare_accuracies,
    compare_seconds,
    judge_pairs,
    rank_methods,
)
from mjopt.studies.finding_tables import (
    comparison_table,
    pairs_table,
    ranking_table,
    verdict_table,
)
from mjopt.studies.report_words import (
    dispute_line,
    headline,
    pair_lines,
    set_lines,
    what_was_compared,
)
from mjopt.studies.summary import Summary, summarise


@pytest.fixture(scope="module")
def summary(tmp_path_factory) -> Summary:
    return summarise(make_study(tmp_path_factory.mktemp("study"), hands=80, runs=5))


def test_each_pair_on_each_set_by_three_tests(summary):
    found = compare_accuracies(summary, Analysis())
    assert {name: len(findings) for name, findings in found.items()} == {
        "one-type": 9,
        "two-type-60": 9,
    }
    ndde, pso, _ = summary.sets[0].methods
    welch, ranks, signed, *_ = found["one-type"]
    assert welch.statistic == t_test(ndde.shares, pso.shares).statistic
    assert ranks.p_value == rank_sum(ndde.shares, pso.shares).p_value
    assert signed.p_value == signed_rank(ndde.share_of_hand, pso.share_of_hand).p_value
    assert welch.sides == ("ndde-20-50", "pso-20-50")


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "benjamini-hochberg"])
def test_a_family_is_one_test_over_all_pairs_and_sets(summary, correction):
    found = compare_accuracies(summary, Analysis(correction=correction))
    for test in ("Welch t-test", "Wilcoxon rank-sum", "Wilcoxon signed-rank"):
        family = [one for findings in found.values() for one in findings if one.test == test]
        assert len(family) == 6
        family = [one for one in family if one.p_value is not None]
        assert len(family) == (2 if test == "Wilcoxon rank-sum" else 6)
        assert [one.corrected_p for one in family] == pytest.approx(
            adjust([one.p_value for one in family], correction)
        )


def test_a_method_without_draws_ran_once(summary):
    """The paper's t-test against tree search: its 30 runs are all the same, a constant."""
    found = compare_accuracies(summary, Analysis(t_test="pooled"))["one-type"]
    ndde, _, tree = summary.sets[0].methods
    (one,) = (
        o for o in found if o.test == "Student t-test" and o.sides == (ndde.label, tree.label)
    )
    assert one.n == (5, 1)
    assert one.note.startswith("tree-search draws nothing and ran once: tested as a constant")
    assert one.statistic == t_test(ndde.shares, [1.0] * 5, kind="pooled").statistic
    (ranks,) = (o for o in found if o.test == "Wilcoxon rank-sum" and o.sides == one.sides)
    assert (ranks.n, ranks.p_value) == ((5, 1), None)
    assert ranks.note.endswith("and copies of a run are no sample")
    rows = comparison_table("t", "T", {"one-type": found}, Analysis()).rows
    assert {row[5] for row in rows} == {"5 + 5", "5 + once", "80"}


def test_one_timing_is_not_repeated(tmp_path):
    """A time is not a value that must come again: one timing of tree search stays one."""
    found = summarise(make_study(tmp_path / "s", hands=20, runs=3, sample=0, curves=0))
    findings = compare_seconds(found, Analysis(t_test="paired"))["one-type"]
    with_tree = [one for one in findings if "tree-search" in one.sides]
    assert len(with_tree) == 4
    assert all(one.p_value is None and "fewer than two runs" in one.note for one in with_tree)
    assert {one.test for one in findings} == {"Welch t-test", "Wilcoxon rank-sum"}


def test_many_methods_are_compared_with_the_reference(summary):
    few = Analysis(most_pairs=2, reference="pso-20-50")
    assert few.pairs_of(summary) == (("pso-20-50", "ndde-20-50"), ("pso-20-50", "tree-search"))
    assert Analysis().pairs_of(summary)[0] == ("ndde-20-50", "pso-20-50")
    assert Analysis(most_drawn=2, reference="pso-20-50").drawn(summary) == (
        "pso-20-50",
        "tree-search",
    )


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"correction": "none"}, "correction 'none', expected one of holm"),
        ({"t_test": "z"}, "t-test 'z'"),
        ({"effect": "r"}, "effect 'r'"),
        ({"rank_effect": "r"}, "rank effect 'r'"),
        ({"alpha": 0}, "alpha 0"),
        ({"confidence": 95}, "confidence 95"),
    ],
)
def test_readings_are_checked(choice, message):
    with pytest.raises(StudyError, match=message):
        Analysis(**choice)


def test_an_unknown_reference_is_refused(summary):
    with pytest.raises(StudyError, match="no method 'nobody'"):
        Analysis(reference="nobody").reference_of(summary)


def test_rankings_over_sets_and_hands(summary):
    sets, hands, seconds = rank_methods(summary, Analysis())
    assert (sets.blocks, hands.blocks) == ("hand set", "hand")
    assert (sets.test.n, hands.test.n, seconds.test.n) == ((2,), (160,), (2,))
    assert sets.ranks == (2.0, 3.0, 1.0)
    matrix = np.concatenate(
        [np.stack([one.share_of_hand for one in s.methods], axis=1) for s in summary.sets]
    )
    assert hands.test == friedman(matrix, sides=summary.labels)
    assert seconds.ranks == (1.0, 2.0, 3.0)  # made up in this order: fastest first
    assert len(hands.nemenyi) == len(hands.holm) == 3


def test_findings_as_tables(summary):
    analysis = Analysis()
    found = compare_accuracies(summary, analysis)
    table = comparison_table("tests", "Tests", found, analysis)
    assert len(table.rows) == 18
    assert table.rows[0][1] == "ndde-20-50 > pso-20-50"
    rankings = rank_methods(summary, analysis)
    assert len(pairs_table(summary, rankings, analysis).rows) == 18
    few = pairs_table(summary, rankings, Analysis(most_pairs=2))
    assert len(few.rows) == 12
    assert few.notes[-1].startswith("Pairs without ndde-20-50 (1) are not shown")
    assert ranking_table(summary, rankings).rows[0][3:6] == (2.0, 3.0, 1.0)


# In words -----------------------------------------------------------------------------


def test_the_main_result(summary):
    analysis = Analysis()
    said = headline(summary, compare_accuracies(summary, analysis), analysis)
    gap = np.mean([1 - one.methods[0].accuracy.share for one in summary.sets])
    assert said.startswith(
        "tree-search is the most accurate, right for 100\u202f% of hands on every"
    )
    assert f"ndde-20-50 comes next, {100 * gap:.2f} points behind on the mean (significant" in said
    assert said.count(".") == said.rstrip(".").count(".") + 1  # one sentence


def test_the_main_result_when_all_are_alike(tmp_path):
    study = make_study(
        tmp_path / "s", methods=("tree-a", "tree-b"), sets=("one-type",), hands=9, runs=1
    )
    found = summarise(study)
    said = headline(found, compare_accuracies(found, Analysis()), Analysis())
    assert said == "tree-a and tree-b are equally accurate, right for 100\u202f% of hands."
    assert "once" not in what_was_compared(found)


def test_a_difference_that_is_none_is_called_so(tmp_path):
    study = make_study(
        tmp_path / "s", methods=("ndde", "tree"), sets=("one-type",), hands=4, runs=1
    )
    found = summarise(study)
    if found.sets[0].methods[0].accuracy.share < 1:
        assert "(not significant; " in headline(
            found, compare_accuracies(found, Analysis()), Analysis()
        )


def test_one_method(tmp_path):
    study = make_study(tmp_path / "s", methods=("ndde",), sets=("one-type",), hands=30, runs=1)
    found = summarise(study)
    assert compare_accuracies(found, Analysis()) == {"one-type": ()}
    assert all(one.test.p_value is None for one in rank_methods(found, Analysis()))
    said = headline(found, {}, Analysis())
    assert said.startswith("ndde found the true deficiency for ")
    assert what_was_compared(found).startswith(
        "1 method looked for the deficiency of 30 hands in 1 set, 1 run on each hand."
    )


def test_one_plain_sentence_for_each_pair(summary):
    found = compare_accuracies(summary, Analysis())
    said = pair_lines(judge_pairs(summary, found, Analysis()))
    assert [line.split(":")[0] for line in said] == [
        "tree-search finds more right answers than ndde-20-50",
        "tree-search finds more right answers than pso-20-50",
        "ndde-20-50 finds more right answers than pso-20-50",
    ]
    assert all(said.values())
    for hands in summary.sets:
        shares = [100 * hands.method(label).accuracy.share for label in ("ndde-20-50", "pso-20-50")]
        figures = f"{shares[0]:.2f} against {shares[1]:.2f}\u202f% on {hands.name}, p"
        assert figures in list(said)[2]
    assert list(said)[2].endswith(", significant after correction.")


def test_pairs_that_are_not_told_apart_and_what_nemenyi_makes_of_them(tmp_path):
    methods = ("ndde-20-50", "pso-20-50", "ga-20-50", "tlbo-20-50")
    study = make_study(
        tmp_path / "s", methods=methods, sets=("one-type",), hands=12, runs=3, undershoot=0.3
    )
    found = summarise(study)
    verdicts = judge_pairs(found, compare_accuracies(found, Analysis()), Analysis())
    for one, (line, told) in zip(verdicts, pair_lines(verdicts).items(), strict=True):
        assert told == one.is_significant == ("significant after correction" in line)
        assert told != ("not told apart at this size: " in line)
        p = one.signed_rank.corrected_p
        assert line.count("p = " if p >= 0.0001 else "p < ") == 1
    table = verdict_table(verdicts)
    assert len(table.rows) == 6
    assert any("exact: p is never below 0.1 with so few" in note for note in table.notes)
    disputed = [one for one in verdicts if one.is_disputed]
    line = dispute_line([replace(one, nemenyi=OTHERWISE[one.is_significant]) for one in verdicts])
    assert line.startswith("Nemenyi's test and the signed-rank test disagree about ")
    assert "; 2 more: Nemenyi ranks all methods within each hand" in line
    agreed = [one for one in verdicts if one not in disputed]
    assert dispute_line(agreed) == ""


OTHERWISE = {
    told: Finding(
        test="Nemenyi", sides=("a", "b"), n=(12,), effect_name="", p_value=0.9 if told else 0.001
    )
    for told in (True, False)
}


def test_set_lines_count_undershoots(summary):
    for hands, line in zip(summary.sets, set_lines(summary), strict=True):
        below = sum(one.accuracy.below for one in hands.methods)
        assert line.startswith(f"{hands.name} (80 hands): tree-search 100\u202f%, ndde-20-50")
        said = f"{below} value" if below else "No value"
        assert said in line
