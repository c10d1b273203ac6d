"""Rankings of rules: the same deals for all, resumption, and tables."""

import json

import pytest
from helpers.ceiling_tables import install_flat_tables

from mjopt.errors import ArgumentError, FileError
from mjopt.hands.tiles import M0
from mjopt.play.solitaire import rule_ranking
from mjopt.play.solitaire.ceiling_play import play_deals
from mjopt.play.solitaire.discard_rules import read_rule
from mjopt.play.solitaire.rule_ranking import rank_rules, shown_draws, write_ranking
from mjopt.statistics import wilson

ASK = {"draws": 8, "seed": 5}


def wins(ranking):
    return {row.name: row.wins for row in ranking.rules}


def test_plays_the_deals_of_play_deals():
    ranking = rank_rules(["useful"], deals=700, **ASK)
    played = play_deals(read_rule("useful", tiles=M0, draws=8).choose, deals=700, **ASK)

    assert wins(ranking)["useful"] == played.wins
    assert ranking.rules[0].share(8) == pytest.approx(played.curve[-1])


def test_best_rule_is_first_and_differences_are_paired():
    ranking = rank_rules(["deficiency", "useful"], deals=600, **ASK)
    best, other = ranking.rules

    assert (best.name, other.name) == ("useful", "deficiency")
    assert best.behind == 0
    assert other.behind == pytest.approx((best.wins[-1] - other.wins[-1]) / 600)
    assert other.behind_interval.low < other.behind < other.behind_interval.high
    assert best.interval(8) == wilson(best.wins[-1], 600)


def test_interrupted_ranking_resumes(tmp_path):
    done = []

    def stop(number):
        done.append(number)
        if sum(done) >= 1000:
            raise KeyboardInterrupt

    names = ["useful", "deficiency"]
    with pytest.raises(KeyboardInterrupt):
        rank_rules(names, deals=1400, folder=tmp_path, advance=stop, **ASK)
    left = []
    ranking = rank_rules(names, deals=1400, folder=tmp_path, advance=left.append, **ASK)

    assert left[0] == 1000  # already played
    assert sum(left) == 2800
    assert ranking == rank_rules(names, deals=1400, **ASK)


def test_deals_and_rules_can_be_added_and_left_out(tmp_path):
    rank_rules(["useful"], deals=300, folder=tmp_path, **ASK)
    more = rank_rules(["deficiency", "useful"], deals=900, folder=tmp_path, **ASK)
    assert more == rank_rules(["deficiency", "useful"], deals=900, **ASK)
    fewer = rank_rules(["useful"], deals=200, folder=tmp_path, **ASK)
    assert fewer == rank_rules(["useful"], deals=200, **ASK)
    assert rank_rules(["useful"], deals=900, folder=tmp_path, **ASK).rules[0].deals == 900


def test_chunks_follow_each_other(monkeypatch):
    """The deals after a chunk are those of the next one."""
    monkeypatch.setattr(rule_ranking, "CHUNK", 500)
    both = rank_rules(["useful"], deals=1000, **ASK)
    first = rank_rules(["useful"], deals=500, **ASK)
    assert wins(both)["useful"][-1] > wins(first)["useful"][-1]
    assert rule_ranking.CHUNK % rule_ranking.SLICE == 0


def test_changed_rule_is_played_again(tmp_path):
    own = tmp_path / "own.py"
    own.write_text("def rule(hand, wall): return next(k for k, n in enumerate(hand.counts) if n)")
    name = f"{own}:rule"
    first = rank_rules([name], deals=300, folder=tmp_path / "out", **ASK)
    own.write_text(
        "import mjopt\ndef rule(hand, wall): return mjopt.discards(hand, unseen=wall)[0].kind"
    )
    second = rank_rules([name], deals=300, folder=tmp_path / "out", **ASK)
    assert wins(first)[name][-1] < wins(second)[name][-1]
    assert wins(second)[name] == wins(rank_rules(["useful"], deals=300, **ASK))["useful"]


@pytest.mark.parametrize(("option", "value"), [("seed", 6), ("draws", 9), ("tiles", "136")])
def test_other_deals_in_the_folder_are_refused(option, value, tmp_path):
    rank_rules(["useful"], deals=10, folder=tmp_path, **ASK)
    with pytest.raises(
        FileError, match=f"holds another ranking of rules \\({option} .*, not .*another fo"
    ):
        rank_rules(["useful"], deals=10, folder=tmp_path, **ASK | {option: value})


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04"])
def test_damaged_file_is_named(data, tmp_path):
    rank_rules(["useful"], deals=10, folder=tmp_path, **ASK)
    (tmp_path / "deals" / "useful.unit").write_bytes(data)
    with pytest.raises(FileError, match=r"useful\.unit: not as it was written"):
        rank_rules(["useful"], deals=10, folder=tmp_path, **ASK)


@pytest.mark.parametrize(
    ("rules", "options", "message"),
    [
        ([], {}, "no rules, expected one or more of deficiency"),
        (["useful", "useful"], {}, "rule 'useful' is named twice"),
        (["useful"], {"deals": 0}, "deals 0, expected 1..1000000000"),
        (["useful"], {"draws": 0}, "draws 0, expected 1..60"),
        (["useful"], {"draws": 61}, "draws 61, expected 1..60"),
        (["useful"], {"seed": -1}, "seed -1, expected 0 or more"),
    ],
)
def test_wrong_input_is_refused(rules, options, message):
    with pytest.raises(ArgumentError, match=message):
        rank_rules(rules, **options)


def test_report_has_the_ceiling_above_the_rules(tmp_path, monkeypatch):
    bare = rank_rules(["useful", "deficiency"], deals=200, **ASK)
    assert [row[0] for row in bare.to_table().shown_rows()] == ["useful", "deficiency"]
    install_flat_tables(monkeypatch, tmp_path)
    ranking = rank_rules(["useful", "deficiency"], deals=200, **ASK)
    assert ranking.ceilings == {3: 0, 6: 0, 8: 0}
    rows = ranking.to_table().shown_rows()
    assert rows[0][:4] == ["no play wins more", "0.00%", "0.00%", "0.00%"]
    assert rows[1][0] == "useful"

    write_ranking(ranking, tmp_path)
    assert "\nno play wins more,0" in (tmp_path / "ranking.csv").read_text(encoding="utf-8")
    document = json.loads((tmp_path / "summary.json").read_text())
    assert document == json.loads(json.dumps(ranking.to_document()))


def test_shown_draws_are_thirds():
    assert [shown_draws(draws) for draws in (1, 3, 18)] == [[1], [1, 2, 3], [6, 12, 18]]
