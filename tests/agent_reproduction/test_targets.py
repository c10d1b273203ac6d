"""Figures and tables about the learning agent: every one from end to end, at a tiny scale."""

import json
import shutil
from dataclasses import replace
from math import inf

import pytest

pytest.importorskip("mjopt.learning.networks", exc_type=ImportError)

from mjopt._internal.progress import Quiet
from mjopt.agent_reproduction.bench import Bench, Scale, place_of
from mjopt.agent_reproduction.measures import Claim, slope
from mjopt.agent_reproduction.normal_targets import PARITY
from mjopt.agent_reproduction.reproducing import (
    TARGETS,
    normal_seconds,
    perfect_seconds,
    read_agent_targets,
    reproduce_agent,
    seconds_of,
)
from mjopt.cli.main import execute
from mjopt.errors import LearningError, StudyError
from mjopt.learning import normal_training, perfect_training
from mjopt.learning.checkpoints import WEIGHTS, snapshots_in
from mjopt.learning.config import PRESETS
from mjopt.learning.learner import make_learner
from mjopt.learning.weights import load, load_agent
from mjopt.reports.statistics import Interval
from mjopt.tournaments.rating import stable_rank

CONFIG = replace(
    PRESETS["tiny"],
    simulations=2,
    evaluation_simulations=2,
    steps=20,
    versions=1,
    games=4,
    gate_games=2,
    buffer_versions=1,
    normal_games=16,
    decay=0.5,
    decay_steps=7,
)
SCALE = Scale((1,), (1, 2), 30, 5, tournaments=2, games=2, walls=2, seeds=1)
ALONE = ", in evaluation alone"
WORDS = ["reproduce-agent", "--preset", "tiny", "-j", "1", "--decisions", "9", "--seeds", "1"]


def make_cheap(patch):
    """Figures of trainings take long, and so does a step that is compiled for each of them."""
    patch.setattr("mjopt.learning.training_curves.find_spec", lambda _: None)
    for where in (normal_training, perfect_training):
        patch.setattr(where, "make_learner", lambda _, *of: make_learner(CONFIG, *of))
    patch.setattr(normal_training, "loss_of", lambda _, of=normal_training.loss_of: of(CONFIG))


@pytest.fixture(autouse=True)
def cheap(monkeypatch):
    make_cheap(monkeypatch)


def bench(folder, progress=None, **how):
    given = {"config": CONFIG, "scale": SCALE, **how}
    return Bench(folder=folder, progress=progress or Quiet(), **given)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        make_cheap(patch)
        return folder, reproduce_agent(list(TARGETS), bench(folder))


def by_name(tables):
    return {table.name: table for table in tables}


def test_every_target_is_written(made):
    folder, tables = made
    for target in TARGETS:
        assert (folder / f"{target}.html").is_file()
        assert (folder / "tables" / f"{target}.csv").is_file()
        assert (folder / "figures" / f"{target}.svg").is_file() == target.startswith("fig")
    found = by_name(tables)
    assert [row[:2] for row in found["fig6"].rows] == [(1, 0), (2, 0)]
    shown = [f"{what}{how}" for what in ("random", "removed") for how in ("", ALONE)]
    assert {row[:2] for row in found["fig7"].rows} == {
        (what, number) for what in ("all", "simulator", *shown) for number in (1, 2)
    }
    assert [row[:2] for row in found["fig8"].rows] == [
        (name, when) for name in ("Bernoulli", "control") for when in ("start", "end")
    ]
    assert all(row[-1] == 20 for row in found["fig7"].rows)  # the test part of 30
    asked = {row[0]: row[2] for row in found["table6-seeds"].rows}
    assert asked["draws"] == 1 > asked["l3"]
    assert [row[2] for row in found["table7"].rows][:3] == [4, 4, 4]
    assert sum(row[2] for row in found["table8"].rows if row[0] == "published") == 428
    assert (folder / "trainings" / "normal-none-0" / "at-04.npz").is_file()
    taught = "learned from games of deficiency first"
    assert taught in (folder / "fig6.html").read_text("utf-8")


def test_a_second_run_makes_nothing_anew(made, monkeypatch):
    folder, tables = made
    for name in ("bench.train", "bench.play_match", "bench.Asked", "decisions.play_game"):
        at = f"mjopt.agent_reproduction.{name}"
        monkeypatch.setattr(at, lambda *_, **__: pytest.fail("made again"))
    assert reproduce_agent(list(TARGETS), bench(folder)) == tables


def test_stopped_anywhere_it_goes_on_to_the_same(made, tmp_path):
    _, tables = made

    class Stops(Quiet):
        def __init__(self, left):
            self.left = left

        def advance(self, number=1):
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt

    targets, stops = ["fig8", "table8"], 0
    while True:
        try:  # each later than the one before: so much is played again
            made_later = reproduce_agent(targets, bench(tmp_path, Stops(23 + 3 * stops)))
        except KeyboardInterrupt:
            stops += 1
        else:
            break
    assert stops >= 4
    found = by_name(made_later)
    assert found == {name: table for name, table in by_name(tables).items() if name in found}


@pytest.mark.parametrize("kind", ["perfect", "normal"])
def test_weights_on_the_way_are_whole_files_of_the_agent(made, kind):
    folder, _ = made
    name = {"perfect": "perfect-2-0", "normal": "normal-none-0"}[kind]
    on_the_way = snapshots_in(folder / "trainings" / name)
    assert 0 < min(on_the_way) < 1
    config, told = load_agent(on_the_way[min(on_the_way)], kind)
    wanted, last = load_agent(folder / "trainings" / name / WEIGHTS, kind)
    assert config == wanted
    assert any((told[one] != last[one]).any() for one in last)


def test_trainings_that_stand_are_taken(made, tmp_path):
    folder, tables = made
    table = by_name(tables)["table6"]
    for source in (folder / "trainings", folder / "trainings" / "perfect-2-0"):
        one = bench(tmp_path / source.name, source=source)
        assert by_name(reproduce_agent(["table6"], one))["table6"] == table
        assert not (one.folder / "trainings").exists()
    assert seconds_of(["table6"], one) < 60


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("", "table6", "no weights.npz, expected a training that stands"),
        ("perfect-2-0", "fig6", "trained with simulations 2, expected 1"),
        ("perfect-2-0", "table8", "weights of perfect, expected those of a normal agent"),
        ("normal-none-0", "table8", "trained with dropout none, expected bernoulli"),
    ],
)
def test_what_is_no_such_training_is_refused(made, tmp_path, source, target, told):
    folder, _ = made
    place = folder / "trainings" / source if source else tmp_path
    with pytest.raises(LearningError) as error:
        reproduce_agent([target], bench(tmp_path / "out", source=place))
    assert told in str(error.value)


def test_features_are_trained_each_for_itself_and_shown_as_they_were_trained(made, tmp_path):
    """Changed in evaluation alone, the network is that of all features; one training has but it."""
    folder, tables = made
    place = folder / "trainings"
    for name, hidden in {"": "all", "-random": "random", "-none": "none"}.items():
        config, _ = load(place / f"perfect-2{name}-0" / WEIGHTS)
        assert config == replace(CONFIG, hidden=hidden)
    one = bench(tmp_path / "out", source=place / "perfect-2-0")
    rows = {row[:3]: row for row in by_name(reproduce_agent(["fig7"], one))["fig7"].rows}
    assert {what for what, *_ in rows} == {"all", f"random{ALONE}", f"removed{ALONE}", "simulator"}
    assert rows == {row[:3]: row for row in by_name(tables)["fig7"].rows if row[:3] in rows}


def test_a_training_without_weights_on_the_way_is_refused_where_they_are_drawn(made, tmp_path):
    folder, _ = made
    for name in ("normal-bernoulli-0", "normal-none-0"):
        (tmp_path / name).mkdir()
        shutil.copy(folder / "trainings" / name / WEIGHTS, tmp_path / name)
    with pytest.raises(LearningError, match="no at-"):
        reproduce_agent(["fig8"], bench(tmp_path / "out", source=tmp_path))


def test_another_configuration_in_the_same_folder_is_refused(made):
    folder, _ = made
    with pytest.raises(LearningError, match="another configuration"):
        reproduce_agent(["table6"], bench(folder, config=replace(CONFIG, exploration=1.0)))


def test_five_dan_are_parity():
    """Whatever four equal players can, each is as often first as fourth."""
    for games in (1, 25, 832):
        assert stable_rank([games] * 4) == (5 * games + 2 * games) / games - 2 == PARITY
    assert stable_rank([832, 832, 832, 832]) == 5  # the 3,328 games of Table 7


def test_places_of_equal_points_go_to_who_sits_earlier():
    assert [place_of([6, 0, 6, -12], seat) for seat in range(4)] == [0, 2, 1, 3]
    assert [place_of([0, 0, 0, 0], seat) for seat in range(4)] == [0, 1, 2, 3]


def test_verdicts():
    def claim(*gaps, within=None):
        return Claim("", "", "", gaps, within)

    assert claim(0.1, 0.11, 0.12).verdict == "holds"
    assert claim(-0.1, -0.11, -0.12).verdict == "does not hold"
    undecided = [claim(0.1, -0.1, 0.2), claim(0.5), claim(), claim(float("nan"), 1.0), claim(inf)]
    assert {one.verdict for one in undecided} == {"not to be told at this scale"}
    assert claim(0.5, within=Interval(0.1, 0.9)).verdict == "holds"
    low, high = claim(1.0, 2.0, 3.0).interval
    assert (round(low, 3), round(high, 3)) == (-0.484, 4.484)  # t of 2 degrees: 4.303
    assert slope({2: 1.0}) != slope({2: 1.0})


def test_times_are_told_before():
    small = PRESETS["small"]
    assert 5 < perfect_seconds(small, 25) / 60 < 16
    assert 4 < normal_seconds(small) / 60 < 12
    assert perfect_seconds(PRESETS["paper"], 250) > 100 * 24 * 3600


def test_targets_are_read_in_order_and_others_refused():
    assert read_agent_targets(["table6", "fig6"]) == ["fig6", "table6"]
    assert read_agent_targets(["all"]) == list(TARGETS)
    with pytest.raises(StudyError, match="expected one of fig6"):
        read_agent_targets(["fig9"])


def test_the_command_tells_tables_and_the_time_before(made, tmp_path, capfd):
    folder, _ = made
    source = str(folder / "trainings" / "normal-bernoulli-0")
    words = [*WORDS, "table8", "--walls", "2", "--from", source, "-o", str(tmp_path / "out")]
    assert execute(words) == 0
    ran = capfd.readouterr()
    assert "table8 in" in ran.err
    assert "seeds 0; about" in ran.err
    assert "| published | 1 | 378 | 88.3 |" in ran.out
    assert execute([*words, "--json", "-q"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["targets"], document["seeds"], document["preset"]) == (["table8"], [0], "tiny")
    assert WEIGHTS not in str(document)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fig9"], "'fig9': expected one of fig6"),
        (["fig6", "--from", "nowhere"], "--from nowhere: no folder"),
        (["fig6", "--decisions", "2"], "--decisions 2, expected at least 3"),
        (["fig6", "--seed", "4294967296"], "seed 4294967296, expected 0..2**32"),
        (["fig6", "--set", "colour=1"], "--set colour=1: unknown"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(words, told, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert execute([*WORDS, *words]) == 2
    [line] = capfd.readouterr().err.splitlines()
    assert told in line
    assert not list(tmp_path.iterdir())
