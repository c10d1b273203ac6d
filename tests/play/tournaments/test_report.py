"""Tables, figures and published figures of a battle."""

import json

import pytest
from helpers.surroundings import without_packages

from mjopt.play import battle as play_battle
from mjopt.play.game.agents import read_agent
from mjopt.play.tournaments import PRESETS, get_preset
from mjopt.play.tournaments.report import battle_report, write_report


@pytest.fixture(scope="module")
def battle():
    return play_battle(["l1", "l3", "l1", "l2"], seed=1, games=20)


@pytest.fixture(scope="module")
def report(battle):
    return battle_report(battle)


def test_tables_and_the_document_say_the_same(report):
    tables = {table.name: table for table in report.tables}
    assert list(tables) == ["agents", "sides", "pairs", "endings"]
    document = report.document
    for row, entrant in zip(tables["agents"].rows, document["entrants"], strict=True):
        shown = row["agent"], row["games"], row["wins"]
        assert shown == (entrant["name"], entrant["played"], entrant["win_share"])
    assert sum(row["games"] for row in tables["endings"].rows) == document["played"] == 80
    assert [pair["first"] for pair in document["pairs"]] == ["l1", "l1", "l3"]
    assert json.loads(json.dumps(document)) == document


def test_files_are_the_same_each_time(report, tmp_path):
    names = set()
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        write_report(report, folder)
        names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {"report.json", "tables.md", "report.html", "export/agents.csv"} <= names
    assert {"export/agents.tex", "export/agents.svg", "export/turns.svg"} <= names
    for name in names:
        one, two = ((tmp_path / folder / name).read_bytes() for folder in ("one", "two"))
        assert one == two


@without_packages("jinja2", "matplotlib", "pandas", "pyarrow", "scikit_posthocs", "scipy")
def test_without_the_extra_there_are_intervals_but_no_tests_and_no_page(battle, tmp_path):
    plain = battle_report(battle)
    write_report(plain, tmp_path)
    pairs = next(table for table in plain.tables if table.name == "pairs")
    assert all(row["p (paired t)"] is row["p (signed rank)"] is None for row in pairs.rows)
    assert all(pair["tests"] == {} for pair in plain.document["pairs"])
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_multipliers_are_shown_beside_the_published_ones():
    result = play_battle(["l3", "first", "l2", "l1"], rules="jj", seed=3, games=6)
    table = {one.name: one for one in battle_report(result).tables}["multipliers"]
    published = {row["multiplier"]: row["published"] for row in table.rows}
    assert [published[value] for value in (6, 12, 24, 48)] == [0.883, 0.089, 0.019, 0.007]
    shares = [sum(row[name] or 0 for row in table.rows) for name in result.names]
    assert all(share in (0, pytest.approx(1)) for share in shares)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_print_the_published_figures_beside_ours(name):
    preset = get_preset(name)
    config = preset.config
    small = play_battle(["l1", "l2"] * 2, rules=config.rules, games=10, rounds=config.rounds)
    table = battle_report(small, preset).tables[-1]
    published = [row["published"] for row in table.rows if row["published"] is not None]
    expected = [*preset.wins, *preset.own_draws]
    expected += [number for number in (preset.drawn, preset.score) if number is not None]
    assert published == expected
    for row in table.rows:
        assert row["low"] <= row["ours"] <= row["high"]


def test_the_presets_are_what_was_published():
    """Seed tables 4 and 5 (2017), and section 4.3 (2023)."""
    assert len(PRESETS) == 5
    first, second = PRESETS["gmjbg-table-1"], PRESETS["gmjbg-table-2"]
    battle = PRESETS["section-4.3"]
    for preset in (first, second):
        nearest = PRESETS[f"{preset.name}-nearest"]
        assert (nearest.wins, nearest.own_draws) == (preset.wins, preset.own_draws)
        names = [agent.name for agent in map(read_agent, nearest.config.agents)]
        assert names == [f"{level}-nearest" for level in preset.config.agents]
    assert first.config.games == second.config.games == 100_000
    assert (first.config.rounds, battle.config.rounds, battle.config.games) == (1, 2, 1000)
    assert sum(first.wins) + first.drawn == pytest.approx(99)
    assert sum(second.wins) + second.drawn == pytest.approx(99.8)
    names = [agent.name for agent in map(read_agent, battle.config.agents)]
    assert names == ["deficiency-ndde-20-50", "deficiency-tree-search"] * 2
