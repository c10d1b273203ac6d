"""`mjopt train`: output, errors and resumption after Ctrl-C."""

import json
import shlex

import pytest
from helpers.surroundings import without_packages

pytest.importorskip("mjopt.play.learning.networks", exc_type=ImportError)

from mjopt.cli.main import execute
from mjopt.cli.progress import Bar
from mjopt.errors import ArgumentError
from mjopt.play.learning.config import read_configuration
from mjopt.play.learning.weights import WEIGHTS

WORDS = ["train", "imitation", "--from", "deficiency", "--preset", "tiny", "--seed", "2"]
WORDS += ["--set", "normal_games=17", "--set", "decay=0.5", "--set", "decay_steps=8"]
WORDS += ["--jobs", "1"]


@pytest.fixture(autouse=True)
def no_figures():
    """Skip figures, which would take most of the time."""
    with without_packages("jinja2"):
        yield


def test_interrupted_training_resumes_to_the_same_weights(tmp_path, monkeypatch, capfd):
    folder, whole = tmp_path / "made", tmp_path / "whole"
    done, advance = [], Bar.advance

    def stop(bar, number=1):
        done.append(number)
        if sum(done) == 17 + 13:  # 17 games, a checkpoint after ten steps, a few more
            raise KeyboardInterrupt
        advance(bar, number)

    with monkeypatch.context() as patch:
        patch.setattr(Bar, "advance", stop)
        assert execute([*WORDS, "-o", str(folder)]) == 130
    assert "interrupted; the same command resumes" in capfd.readouterr().err
    assert (folder / "units" / "checkpoint.unit").is_file()
    assert not (folder / WEIGHTS).exists()
    assert execute([*WORDS, "-o", str(folder), "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["trained"], document["steps"], document["seed"]) == ("imitation", 24, 2)
    assert 0 < document["last"]["loss"] < 6
    assert execute([*WORDS, "-o", str(whole)]) == 0
    assert (whole / WEIGHTS).read_bytes() == (folder / WEIGHTS).read_bytes()
    out = capfd.readouterr().out
    assert str(whole / WEIGHTS) in out
    program, *words = shlex.split(out.splitlines()[-1].removeprefix("play it: "))
    assert (program, words[:2]) == ("mjopt", ["battle", f"normal:{whole / WEIGHTS}"])
    assert words[words.index("--rules") + 1] == "jj,ready=0"  # the rules of the training
    assert execute([*words, "-n", "1", "--rounds", "1"]) == 0


def test_unknown_teacher_is_refused_with_the_known_ones(tmp_path, capfd):
    words = ["train", "imitation", "--from", "nobody", "-o", str(tmp_path / "made")]
    assert execute(words) == 2
    [line] = capfd.readouterr().err.splitlines()
    assert line.startswith("mjopt: agent 'nobody': unknown, expected one of l1, l2, l3, deficiency")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["normal"], "expected --from DIR, a trained perfect agent"),
        (["perfect", "--from", "draws"], "--from: the perfect agent has none"),
        (["perfect", "--jobs", "2"], "--jobs: the perfect agent learns in one process"),
        (["imitation", "--jobs", "0"], "--jobs 0, expected at least 1"),
        (["best"], "train 'best', expected one of perfect, normal, imitation"),
    ],
)
def test_teacher_and_agent_must_fit(tmp_path, capfd, words, message):
    assert execute(["train", *words, "-o", str(tmp_path / "made")]) == 2
    assert capfd.readouterr().err == f"mjopt: {message}\n"
    assert not (tmp_path / "made").exists()


def test_teacher_in_another_program_is_refused_in_one_line(tmp_path, capfd):
    words = ["train", "imitation", "--from", "process:bot", "-o", str(tmp_path / "made")]
    assert execute(words) == 2
    [line] = capfd.readouterr().err.splitlines()
    assert "'process:bot' is another program" in line
    assert not (tmp_path / "made").exists()


def test_settings_change_fields_by_name():
    words = ["channels=16", "dropout=none", "last_event=true", "rates=0.1,0.02,0.003"]
    config = read_configuration("small", words)
    assert (config.channels, config.dropout, config.last_event) == (16, "none", True)
    assert config.rates == (0.1, 0.02, 0.003)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("colour=1", "setting colour=1: unknown, expected one of rules"),
        ("channels", "setting channels: unknown"),
        ("channels=x", "setting channels=x, expected a number"),
        ("last_event=1", "setting last_event=1, expected true or false"),
        ("channels=0", "channels=0, expected at least 1"),
        ("dropout=all", "dropout='all', expected one of bernoulli, none"),
    ],
)
def test_invalid_settings_are_refused(word, message):
    with pytest.raises(ArgumentError) as error:
        read_configuration("small", [word])
    assert str(error.value).startswith(message)
