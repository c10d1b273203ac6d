"""Files of weights: round trip, atomic writes and refused files."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from helpers.learning_states import TINY
from helpers.surroundings import disk_full_after

from mjopt.errors import FileError
from mjopt.play.learning import weights
from mjopt.play.learning.weights import initial_arrays


@pytest.fixture(scope="module")
def arrays():
    return initial_arrays(TINY, "normal", np.random.default_rng(1))


@pytest.fixture
def file(tmp_path, arrays):
    weights.save(tmp_path / "w.npz", TINY, arrays)
    return tmp_path / "w.npz"


def test_saved_weights_are_loaded_exactly(file, arrays):
    config, found = weights.load(file, TINY)
    assert config == TINY
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert (found[name] == array).all()
    assert weights.load_agent(file, "normal")[0] == TINY


def test_equal_weights_give_equal_bytes(file, arrays, tmp_path):
    weights.save(tmp_path / "again.npz", TINY, arrays)
    assert (tmp_path / "again.npz").read_bytes() == file.read_bytes()


def test_failed_write_keeps_the_old_file(file, arrays):
    before = file.read_bytes()
    with disk_full_after(len(before) // 2), pytest.raises(FileError, match="File too large"):
        weights.save(file, TINY, arrays)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["w.npz"]


def test_other_configuration_is_refused_with_the_differences(file):
    other = replace(TINY, channels=16, games=3, recent="hidden", batch=2, unroll=4)
    with pytest.raises(FileError) as caught:
        weights.load(file, other)
    message = "configuration: recent public, not hidden, channels 8, not 16, games 16, not 3"
    assert message in str(caught.value)
    assert str(caught.value).endswith(" and 2 more")


def archive(**members):
    content = io.BytesIO()
    np.savez(content, **members)
    return content.getvalue()


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
def test_other_files_are_refused_in_one_line(content, tmp_path):
    path = tmp_path / "w.npz"
    if content is None:
        with path.open("wb") as target:
            np.save(target, np.zeros(3))
    else:
        path.write_bytes(content)
    with pytest.raises(FileError) as caught:
        weights.load(path)
    assert str(caught.value).startswith(f"{path}: not weights of the learning agent (")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 120


def test_damaged_and_truncated_files_are_refused(file):
    content = file.read_bytes()
    for broken in (damaged(content), content[:-100], content[: len(content) // 2]):
        file.write_bytes(broken)
        with pytest.raises(FileError, match="not weights"):
            weights.load(file)


def test_damaged_headers_are_refused(file):
    content = file.read_bytes()
    directory = content.index(b"PK\x01\x02")
    encrypted = content[: directory + 8] + b"\1" + content[directory + 9 :]
    for broken in (
        encrypted,
        content.replace(b", }", b", (", 1),
        content.replace(b", }", b", {(", 1),
    ):
        file.write_bytes(broken)
        with pytest.raises(FileError, match="not weights"):
            weights.load(file)


def test_wrong_agent_and_missing_weights_are_refused(file, arrays):
    with pytest.raises(FileError, match="weights of normal, expected those of a perfect agent"):
        weights.load_agent(file, "perfect")
    weights.save(file, TINY, {n: a for n, a in arrays.items() if n != "normal.moves.kernel"})
    with pytest.raises(FileError, match=r"w\.npz: no weights normal\.moves\.kernel"):
        weights.load_agent(file, "normal")
    weights.save(file, replace(TINY, normal_channels=4), arrays)
    with pytest.raises(FileError, match=r"float32 of shape \(3, 118, 8\), expected"):
        weights.load_agent(file, "normal")


def test_missing_file_raises_file_not_found(tmp_path):
    with pytest.raises(FileNotFoundError):
        weights.load(tmp_path / "none.npz")
