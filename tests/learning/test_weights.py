"""Weights in a file: back as they were, whole or not at all, and no other file."""

import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from helpers.learning_states import TINY

from mjopt.errors import LearningError
from mjopt.learning import weights
from mjopt.learning.weights import initial_arrays


@pytest.fixture(scope="module")
def arrays():
    return initial_arrays(TINY, "normal", np.random.default_rng(1))


@pytest.fixture
def file(tmp_path, arrays):
    weights.save(tmp_path / "w.npz", TINY, arrays)
    return tmp_path / "w.npz"


def test_come_back_bit_for_bit(file, arrays):
    config, found = weights.load(file, TINY)
    assert config == TINY
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert (found[name] == array).all()
    assert weights.load_agent(file, "normal")[0] == TINY


def test_the_same_weights_make_the_same_bytes(file, arrays, tmp_path):
    weights.save(tmp_path / "again.npz", TINY, arrays)
    assert (tmp_path / "again.npz").read_bytes() == file.read_bytes()


def test_what_was_there_stays_if_writing_fails(file, monkeypatch):
    before = file.read_bytes()

    def fails(target, **_):
        target.write(b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr(np, "savez", fails)
    with pytest.raises(OSError, match="disk"):
        weights.save(file, TINY, {})
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["w.npz"]


def test_another_configuration_is_refused_with_what_differs(file):
    other = replace(TINY, channels=16, games=3, recent="hidden", batch=2, unroll=4)
    with pytest.raises(LearningError) as caught:
        weights.load(file, other)
    told = "another configuration: recent public, not hidden, channels 8, not 16, games 16, not 3"
    assert told in str(caught.value)
    assert str(caught.value).endswith(" and 2 more")


def archive(**members):
    told = io.BytesIO()
    np.savez(told, **members)
    return told.getvalue()


def damaged(content):
    """Flip a byte in the data of the largest array."""
    place = len(content) // 2
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


CONFIG = np.array(json.dumps(TINY.as_data()))
FILES = {
    "empty": b"",
    "text": b"not weights\n",
    "zip": b"PK\x03\x04 and then nothing",
    "npy": None,
    "no configuration": archive(a=np.zeros(1)),
    "pickled": archive(configuration=np.array({"blocks": 1}, dtype=object)),
    "no JSON": archive(configuration=np.array("{")),
    "a list": archive(configuration=np.array("[]")),
    "numbers": archive(configuration=np.zeros(3)),
    "another field": archive(configuration=np.array('{"colour": 1}')),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_what_is_no_file_of_weights_is_refused_in_one_line(content, tmp_path):
    path = tmp_path / "w.npz"
    if content is None:
        with path.open("wb") as target:
            np.save(target, np.zeros(3))
    else:
        path.write_bytes(content)
    with pytest.raises(LearningError) as caught:
        weights.load(path)
    assert str(caught.value).startswith(f"{path}: not weights of the learning agent (")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 120


def test_a_flipped_bit_and_a_cut_file_are_refused(file):
    content = file.read_bytes()
    for broken in (damaged(content), content[:-100], content[: len(content) // 2]):
        file.write_bytes(broken)
        with pytest.raises(LearningError, match="not weights"):
            weights.load(file)


def test_the_wrong_agent_and_missing_weights_are_refused(file, arrays):
    with pytest.raises(LearningError, match="weights of normal, expected those of a perfect agent"):
        weights.load_agent(file, "perfect")
    weights.save(file, TINY, {n: a for n, a in arrays.items() if n != "normal.moves.kernel"})
    with pytest.raises(LearningError, match=r"w\.npz: no weights normal\.moves\.kernel"):
        weights.load_agent(file, "normal")
    weights.save(file, replace(TINY, normal_channels=4), arrays)
    with pytest.raises(LearningError, match=r"float32 of shape \(3, 118, 8\), expected"):
        weights.load_agent(file, "normal")


def test_a_missing_file_is_told_as_one(tmp_path):
    with pytest.raises(FileNotFoundError):
        weights.load(tmp_path / "none.npz")


def test_it_is_an_archive_that_others_read_too(file):
    with zipfile.ZipFile(file) as found:
        assert found.testzip() is None
        assert "configuration.npy" in found.namelist()
