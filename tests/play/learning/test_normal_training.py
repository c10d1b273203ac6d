"""Training of the normal agent: dropout, learning, reproducibility and refused checkpoints."""

import shutil
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from helpers.surroundings import without_packages

pytest.importorskip("mjopt.play.learning.networks", exc_type=ImportError)

import jax

from mjopt.errors import FileError
from mjopt.play.learning.config import PRESETS
from mjopt.play.learning.normal_training import fade, keep_probability_at, stages_of
from mjopt.play.learning.planes import public_planes
from mjopt.play.learning.training import train
from mjopt.play.learning.weights import WEIGHTS, load_agent

CONFIG = replace(PRESETS["tiny"], game="whole", normal_games=17, decay=0.5, decay_steps=8)
"""24 steps in three stages, and one held-out game."""

CHECKPOINT_FILE = "units/checkpoint.unit"

teach = partial(train, "imitation", source="deficiency", seed=3)


@pytest.fixture(autouse=True)
def no_figures():
    """Skip figures, which would take most of the time."""
    with without_packages("jinja2"):
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    return folder, teach(CONFIG, folder)


def weights(folder):
    return (folder / WEIGHTS).read_bytes()


def test_dropout_keeps_public_planes_and_a_share_p_of_hidden_ones():
    public = public_planes(CONFIG)
    planes = np.ones((40, CONFIG.num_planes, CONFIG.kinds), np.uint8)
    for seen in (0.0, 0.3, 1.0):
        found = np.asarray(fade(planes, public, seen, jax.random.PRNGKey(1)))
        assert (found[:, public] == 1).all()
        hidden = found[:, ~public]
        assert set(np.unique(hidden)) <= {0.0, 1.0}
        # 40 * 22 * 27 draws: five standard deviations
        assert hidden.mean() == pytest.approx(seen, abs=5 * 0.5 / hidden.size**0.5 * (0 < seen < 1))


def test_dropout_is_sampled_for_each_element_and_step():
    planes = np.ones((2, CONFIG.num_planes, CONFIG.kinds), np.uint8)
    key = jax.random.PRNGKey(1)
    one, other = (
        np.asarray(fade(planes, public_planes(CONFIG), 0.5, jax.random.fold_in(key, i)))
        for i in range(2)
    )
    assert (one != other).any()
    assert (one[0] != one[1]).any()
    hidden = one[0][~public_planes(CONFIG)]
    assert (hidden != hidden[:, :1]).any()
    assert (hidden != hidden[:1]).any()


def test_keep_probability_falls_to_zero():
    paper = stages_of(PRESETS["paper"])
    assert len(paper) == 11
    assert sum(stage.steps for stage in paper) == 660_000
    assert (paper[0].keep_probability, paper[-1].keep_probability) == (1.0, 0.0)
    assert [keep_probability_at(paper, step) for step in (59_999, 60_000, 659_999)] == [
        1.0,
        0.9,
        0.0,
    ]
    control = stages_of(replace(PRESETS["paper"], dropout="none"))
    assert {stage.keep_probability for stage in control} == {0.0}
    assert sum(stage.steps for stage in control) == 660_000


def test_training_on_a_teacher_reduces_the_loss(made):
    folder, trained = made
    config, arrays = load_agent(trained.weights, "normal")
    assert config == CONFIG
    assert trained.steps == 24
    assert all(np.isfinite(array).all() for array in arrays.values())
    losses = [
        float(line.split(",")[2]) for line in (folder / "curves.csv").read_text().splitlines()[1:]
    ]
    assert losses[-1] < losses[0]
    assert "Training of the imitation agent" in trained.report.read_text()


def test_weights_depend_only_on_the_seed(made, tmp_path):
    folder, _ = made
    teach(CONFIG, tmp_path / "again", jobs=2)
    assert weights(tmp_path / "again") == weights(folder)
    games = "units/samples-0000.unit"
    assert (tmp_path / "again" / games).read_bytes() == (folder / games).read_bytes()
    teach(CONFIG, tmp_path / "other", seed=4)
    assert weights(tmp_path / "other") != weights(folder)


def test_finished_training_is_not_repeated(made, tmp_path):
    again = shutil.copytree(made[0], tmp_path / "again")
    assert teach(CONFIG, again).steps == 24
    assert weights(again) == weights(made[0])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"config": replace(CONFIG, normal_channels=9)},
            "holds another training .normal_channels 8, not 9.; name another folder",
        ),
        ({"seed": 4}, "holds another training .seed 3, not 4."),
        (
            {"source": "deficiency:ties=first"},
            "holds another training .teacher deficiency, not deficiency-first.",
        ),
    ],
)
def test_other_training_in_the_folder_is_refused_in_one_line(made, change, words):
    folder, _ = made
    before = (folder / CHECKPOINT_FILE).read_bytes()
    how = {"config": CONFIG, "folder": folder, "seed": 3, "source": "deficiency", **change}
    with pytest.raises(FileError, match=words) as error:
        train("imitation", **how)
    assert "\n" not in str(error.value)
    assert (folder / CHECKPOINT_FILE).read_bytes() == before


@pytest.mark.parametrize("name", [CHECKPOINT_FILE, "units/samples-0000.unit"])
def test_damaged_unit_is_refused(name, made, tmp_path):
    folder = shutil.copytree(made[0], tmp_path / "damaged")
    (folder / name).write_bytes((folder / name).read_bytes()[:1000])
    with pytest.raises(FileError, match=f"{name}: not as it was written"):
        teach(CONFIG, folder)


def test_training_without_its_checkpoint_starts_again(made, tmp_path):
    folder = shutil.copytree(made[0], tmp_path / "again")
    (folder / CHECKPOINT_FILE).unlink()
    (folder / "samples-mine.npz").write_text("not of this training")
    teach(CONFIG, folder)
    assert weights(folder) == weights(made[0])
    assert (folder / "samples-mine.npz").read_text() == "not of this training"


def test_source_without_a_perfect_agent_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"no weights.npz of a perfect agent"):
        train("normal", CONFIG, tmp_path / "made", source=str(tmp_path))
