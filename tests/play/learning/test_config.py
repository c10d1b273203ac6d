"""Configurations: presets, conversion to data, settings and errors."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mjopt.errors import ArgumentError
from mjopt.play.learning.agents import TRAINED
from mjopt.play.learning.config import NEWER, PRESETS, Configuration
from mjopt.play.learning.weights import load, save


@pytest.mark.parametrize("name", PRESETS)
def test_presets_survive_json(name):
    one = PRESETS[name]
    again = Configuration.from_data(json.loads(json.dumps(one.as_data())))
    assert again == one
    assert again.digest == one.digest
    assert hash(again) == hash(one)


def test_preset_paper_has_the_numbers_of_the_article():
    paper = PRESETS["paper"]
    assert paper == Configuration()
    assert (paper.blocks, paper.channels, paper.normal_blocks, paper.normal_channels) == (
        12, 128, 64, 256,
    )  # fmt: skip
    assert (paper.simulations, paper.exploration, paper.unroll, paper.batch) == (250, 1.5, 6, 256)
    # Table 5: 11 values of p with 60,000 steps each are 0.66 million.
    assert (round(1 / paper.decay) + 1) * paper.decay_steps == 660_000
    assert not paper.rule_set.ready
    assert (paper.kinds, paper.num_planes, replace(paper, last_event=True).num_planes) == (
        27, 118, 129,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"channels": 0}, "channels=0, expected at least 1"),
        ({"channels": True}, "channels=True, expected a value such as 128"),
        ({"channels": 1.5}, "channels=1.5, expected a value such as 128"),
        ({"noise": 2.0}, "noise=2.0, expected 0 to 1"),
        ({"noise": float("nan")}, "noise=nan, expected 0 to 1"),
        ({"recent": "shown"}, "recent='shown', expected one of public, hidden"),
        ({"rates": (0.1,)}, "expected one more than 2"),
        ({"rates": ()}, "rates=(), expected a value such as"),
        ({"rules": "riichi"}, "rules 'riichi'"),
        ({"rules": "jj,colour=1"}, "'colour=1', expected CHOICE=NUMBER"),
    ],
)
def test_invalid_fields_are_refused_in_one_line(change, expected):
    with pytest.raises(ArgumentError) as caught:
        Configuration(**change)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_field_is_refused():
    data = PRESETS["tiny"].as_data()
    del data["blocks"]
    with pytest.raises(ArgumentError, match="no blocks"):
        Configuration.from_data(data)


def test_default_values_of_newer_fields_are_not_written(tmp_path):
    """The digest is that of weights written before these fields existed."""
    older = {
        "games": 5000,
        "versions": 16,
        "steps": 9600,
        "unroll": 6,
        "rates": (0.01, 0.001, 1e-4),
    }
    older |= {"rate_versions": (8, 12), "gate_games": 100, "normal_games": 5000, "decay_steps": 250}
    before = replace(PRESETS["small"], **older, **NEWER)
    assert before.digest == "1bfbcc544b41253aa7c39ba5852fd8fa037e22e253dea273801f5a5184fcbae3"
    _, arrays = load(TRAINED / "taught.npz")
    save(tmp_path / "before.npz", before, arrays)
    told = json.loads(str(np.load(tmp_path / "before.npz")["configuration"]))
    assert not NEWER.keys() & told.keys()
    assert load(tmp_path / "before.npz")[0] == before


def test_included_weights_are_rewritten_to_the_same_bytes(tmp_path):
    file = TRAINED / "taught.npz"
    save(tmp_path / "again.npz", *load(file))
    assert (tmp_path / "again.npz").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("change", [{"hidden": "none"}, {"normal_cooling": 0.5}])
def test_other_values_of_newer_fields_are_written(change):
    paper = PRESETS["paper"]
    other = replace(paper, **change)
    assert other.as_data() == paper.as_data() | change
    assert Configuration.from_data(other.as_data()) == other
    assert (len(paper.differences(other)), other.digest == paper.digest) == (1, False)
    assert all(f"{name}={value}" in str(other) for name, value in change.items())


def test_changed_fields_change_the_digest_and_are_listed():
    tiny = PRESETS["tiny"]
    other = replace(tiny, blocks=2, recent="hidden")
    assert other.digest != tiny.digest
    assert tiny.differences(other) == ["recent public, not hidden", "blocks 1, not 2"]
    assert tiny.differences(tiny) == []
