"""Documents of results, entry by entry, and what their properties say."""

import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import mjopt
from mjopt import FULL, SANMA, Hand
from mjopt.chances.advice.search import EFFORTS, Effort
from mjopt.chances.ceiling import CeilingTable, TableKey, build_ceiling, describe_table
from mjopt.chances.ceiling.table import MAX_DRAWS
from mjopt.chances.draws.distribution import Waiting

HAND = Hand.parse("11244m", called=3)
WALL = [1, 1, 1, 1, 3, 2] + [0] * 21

# Of nine tiles, 1m and 4m win after the discard of 2m.
WAITING = {
    "mean": "15/7",
    "mean_float": 15 / 7,
    "variance": pytest.approx(0.6859410430839),
    "is_certain": True,
    "deficiency": 1,
    "most": 4,
    "quantiles": {"0.1": 1, "0.5": 2, "0.9": 3},
    "curve": pytest.approx([0, 2 / 9, 25 / 36, 79 / 84, 1, 1, 1, 1, 1, 1]),
    "ways": ["1", "7", "11", "5", "0", "0", "0", "0", "0", "0"],
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> CeilingTable:
    key = TableKey(called=4, draws=3)
    return build_ceiling(tmp_path_factory.mktemp("table") / key.file_name, key=key)


def test_document_of_draws() -> None:
    waiting = Waiting(ways=(1, 5, 8, 4, 0, 0))
    without = {
        "mean": "16/5",
        "mean_float": 3.2,
        "variance": 0.56,
        "is_certain": True,
        "deficiency": 2,
        "most": 4,
        "quantiles": {"0.1": 2, "0.5": 3, "0.9": 4},
        "curve": [0, 0, 0.2, 0.6, 1, 1],
        "ways": ["1", "5", "8", "4", "0", "0"],
    }
    within = {"limit": 3, "probability": "3/5", "conditional_mean": "8/3", "mean": "14/5"}
    assert waiting.to_document() == without
    assert waiting.to_document(3) == {**without, "within": within}


@pytest.mark.parametrize("ways", [(1, 5.0, 0), (1, "5", 0), (1, None, 0), [1, 5, 0]])
def test_ways_are_whole_numbers(ways: Any) -> None:
    with pytest.raises((mjopt.MjoptError, TypeError), match="ways"):
        Waiting(ways=ways)


def test_document_of_draws_that_may_never_suffice() -> None:
    found = mjopt.expected_draws(Hand.parse("1m", called=4), wall=[0, 1, 1] + [0] * 24)
    assert found.to_document(1) == {
        "mean": None,
        "mean_float": None,
        "variance": None,
        "is_certain": False,
        "deficiency": None,
        "most": None,
        "quantiles": {"0.1": None, "0.5": None, "0.9": None},
        "curve": [0, 0, 0],
        "ways": ["1", "2", "1"],
        "within": {"limit": 1, "probability": "0", "conditional_mean": None, "mean": "1"},
    }


def test_document_of_a_ranking() -> None:
    best, second, *_ = mjopt.rank_discards(HAND, wall=WALL)
    own = {"discard": "2m", "rank": 1, "is_tied": False, "change": "0", "change_float": 0}
    within = {"limit": 2, "probability": "25/36", "conditional_mean": "42/25", "mean": "16/9"}
    useful = {"useful": {"1m": 1, "4m": 1}}
    assert best.to_document() == {**own, **useful, **WAITING}
    assert best.to_document(2) == {**own, **useful, **WAITING, "within": within}
    assert (best.num_useful, second.num_useful) == (2, 1)
    document = second.to_document()
    assert (document["discard"], document["rank"], document["useful"]) == ("4m", 2, {"3m": 1})
    assert (document["change"], document["change_float"]) == ("41/84", 41 / 84)
    [quick, *_] = mjopt.rank_discards(HAND, wall=WALL, exact=False)
    assert quick.to_document() == {**own, **useful}
    endless = mjopt.rank_discards(HAND, wall=[0, 1] + [0] * 25)
    rows = [row.to_document() for row in endless]
    assert {(row["change"], row["change_float"], row["mean"]) for row in rows} == {("0", 0, None)}
    some = mjopt.rank_discards(HAND, wall=[1] + [0] * 26)
    assert [row.to_document()["change"] for row in some] == ["0", None, None]


def test_document_of_play() -> None:
    play = mjopt.optimal_play(HAND, wall=WALL, draws=2, waste=0)
    document = play.to_document()
    rows = document.pop("discards")
    assert document == {
        "draws": 2,
        "deficiency": 1,
        "waste": 0,
        "states": 3,
        "stopped": "given",
        "best_proven": True,
        "ceiling_is_bound": None,
    }
    assert rows[0] == {
        "discard": "2m",
        "lower": "5/12",
        "lower_float": pytest.approx(5 / 12),
        "upper": "5/12",
        "upper_float": pytest.approx(5 / 12),
        "upper_any": "25/36",
        "upper_any_float": pytest.approx(25 / 36),
        "is_searched": True,
        "is_exact": True,
        "value": "5/12",
        "regret": "0",
        "regret_float": 0,
        "ceiling": None,
    }
    assert [row["discard"] for row in rows] == ["2m", "1m", "4m"]
    for row, played in zip(rows, play.discards, strict=True):
        for name in ("lower", "upper", "upper_any", "regret"):
            exact = getattr(played, name)
            assert row[name] == str(exact)
            assert abs(row[f"{name}_float"] - exact) < Fraction(1, 10**15)
        assert row["lower_float"] <= played.lower <= played.upper <= row["upper_float"]
        assert row["upper_any_float"] >= played.upper_any
        assert row["regret_float"] >= played.regret
    assert (rows[1]["is_exact"], rows[1]["value"]) == (False, None)


def test_document_of_play_before_the_draw_with_a_table(table: CeilingTable) -> None:
    play = mjopt.optimal_play(Hand.parse("1m", called=4), draws=3, table=table)
    document = play.to_document()
    [row] = document["discards"]
    assert (row["discard"], document["ceiling_is_bound"]) == (None, True)
    assert Fraction(row["ceiling"]) == play.best.ceiling > play.best.lower


def test_a_table_helps_fresh_hands_only(table: CeilingTable) -> None:
    """That of the standard form, where the class does not contain all plays."""
    hand = Hand.parse("15m", called=4)
    assert mjopt.optimal_play(hand, draws=4, waste=0).has_no_table
    assert mjopt.optimal_play(hand, draws=MAX_DRAWS, waste=0, table=False).has_no_table
    pair = Hand.parse("11m", called=4)
    assert mjopt.optimal_play(pair, draws=1, waste=0, table=False).has_no_table
    assert not mjopt.optimal_play(hand, draws=3, waste=0, table=table).has_no_table
    assert not mjopt.optimal_play(hand, draws=MAX_DRAWS + 1, waste=0).has_no_table
    assert not mjopt.optimal_play(hand, draws=0, waste=0).has_no_table
    assert not mjopt.optimal_play(hand, draws=1, waste="auto").has_no_table  # complete
    wall = [0, *hand.unseen[1:]]
    assert not mjopt.optimal_play(hand, draws=4, waste=0, wall=wall).has_no_table
    sanma = Hand.parse("19m", called=4, tiles=SANMA)
    assert not mjopt.optimal_play(sanma, draws=4, waste=0).has_no_table


def test_waste_0_names_no_best_among_several_discards() -> None:
    hand = Hand.parse("15m", called=4)
    assert mjopt.optimal_play(hand, draws=4, waste=0).names_no_best
    assert not mjopt.optimal_play(hand, draws=4, waste=1).names_no_best
    assert not mjopt.optimal_play(hand, draws=1, waste="auto").names_no_best
    assert not mjopt.optimal_play(Hand.parse("1m", called=4), draws=4, waste=0).names_no_best


def test_document_of_a_ceiling(table: CeilingTable) -> None:
    hand = Hand.parse("15m", called=4)
    found = mjopt.ceiling(hand, draws=3, table=table)
    assert found.to_document() == {
        "draws": 3,
        "ceiling": str(found.value),
        "table_draws": 3,
        "discards": [
            {"discard": FULL.names[row.kind], "ceiling": str(row.value)} for row in found.discards
        ],
    }
    assert [row["discard"] for row in found.to_document()["discards"]] == ["1m", "5m"]


def test_document_of_a_table(table: CeilingTable) -> None:
    found = describe_table(table)
    document = found.to_document()
    assert document["means"] == list(found.means)
    assert document["all"] == found.every.to_document()
    assert document["by_deficiency"] == [group.to_document() for group in found.groups]
    pairs, others = found.groups
    assert pairs.to_document() == {
        "deficiency": 0,
        "deals": 27 * 6,
        "mean": pytest.approx(1, abs=1e-4),
        "quantiles": dict.fromkeys(document["all"]["quantiles"], pytest.approx(1, abs=1e-4)),
        "highest": {"hand": pairs.highest[0].to_text(), "ceiling": str(pairs.highest[1])},
        "lowest": {"hand": pairs.lowest[0].to_text(), "ceiling": str(pairs.lowest[1])},
    }
    assert others.to_document()["mean"] == float(others.mean) < 0.2
    json.dumps(document)


def test_pickled_table_opens_its_file_again(table: CeilingTable) -> None:
    again = pickle.loads(pickle.dumps(table))
    assert (again.path, again.key, again.means) == (table.path, table.key, table.means)
    assert len(pickle.dumps(table)) < 1_000
    assert isinstance(again.path, Path)


def test_chances_are_estimated_where_no_class_can_be_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Within four standard deviations of the exact values of two draws."""
    monkeypatch.setitem(EFFORTS, "normal", Effort(first=1, more=1))
    advice = mjopt.advise("15m melds=123s,444z,555z,666z draws=2 seen=55m")
    assert (advice.measure, advice.waste) == ("estimate", None)
    best, other = advice.options
    assert (best.name, other.name) == ("discard 5m", "discard 1m")
    for row in advice.options:
        play = mjopt.optimal_play(row.hand, wall=advice.position.wall, draws=2, waste=9)
        assert play.best.is_exact
        exact = float(play.best.lower)
        assert abs(row.estimate.mean - exact) < 4 * (exact / row.estimate.tries) ** 0.5
    assert best.lost == 0
    assert float(other.lost) == pytest.approx(best.estimate.mean - other.estimate.mean)


def test_estimates_rank_before_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few draws are left, so fewer draws on average are not the better chance."""
    monkeypatch.setitem(EFFORTS, "normal", Effort(first=1, more=1))
    options = mjopt.advise("1m12p17s tiles=m0 called=3 draws=4").options
    means = [row.estimate.mean for row in options]
    draws = [row.mean_draws_keeping_all for row in options]
    assert len(means) == 5
    assert means == sorted(means, reverse=True)
    assert draws != sorted(draws)
