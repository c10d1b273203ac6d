"""The store of finished units: whole or missing, checked when read, strangers' files stay."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from helpers.crash_states import crash_states
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt._internal.files import sha256_of
from mjopt._internal.unit_store import UnitStore, claim_run
from mjopt.errors import FileError

VALUES = st.none() | st.integers() | st.text() | st.lists(st.floats(0, 1))


@pytest.fixture
def store(tmp_path: Path) -> UnitStore:
    """Two units, the first with a file of its own."""
    (tmp_path / "rows.csv").write_text("1,2")
    store = UnitStore(tmp_path / "units", {"seed": 1})
    store.write("first", {"sum": 3}, b"one", files=[tmp_path / "rows.csv"])
    store.write("second", {"sum": 4}, b"two")
    return store


def unit(store: UnitStore, key: str) -> Path:
    return store.folder / f"{key}.unit"


@settings(max_examples=20)
@given(st.dictionaries(st.text(), VALUES), st.binary())
def test_units_are_read_as_they_were_written(facts: dict[str, object], content: bytes) -> None:
    with TemporaryDirectory() as name:
        store = UnitStore(Path(name) / "units")
        store.write("a.b", facts, memoryview(content))
        assert store.missing(["a", "a.b"]) == ["a"]
        assert store.read("a.b") == (facts, content)
        with pytest.raises(FileError, match=r"a\.unit: missing, expected a finished unit"):
            store.read("a")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> UnitStore:
    store = UnitStore(tmp_path_factory.mktemp("run") / "units")
    store.write("first", {"sum": 3}, b"one")
    return store


@given(st.data())
def test_every_change_of_a_unit_is_one_line(written: UnitStore, data: st.DataObject) -> None:
    path = unit(written, "first")
    before = path.read_bytes()
    place = data.draw(st.integers(0, len(before) - 1))
    byte = before[place] ^ data.draw(st.integers(1, 255))
    changed = data.draw(
        st.sampled_from((before[:place], before[:place] + bytes([byte]) + before[place + 1 :]))
    )
    path.write_bytes(changed)
    for read in (written.read, lambda key: written.missing([key])):
        with pytest.raises(FileError, match=r"^.*/first\.unit: not as it was written.*$"):
            read("first")
    assert path.read_bytes() == changed
    path.write_bytes(before)


def test_swapped_units_are_refused(store: UnitStore) -> None:
    os.replace(unit(store, "second"), unit(store, "first"))
    with pytest.raises(FileError, match="expected the finished unit first"):
        store.missing(["first", "second"])


def test_units_of_another_run_are_missing_and_replaced(store: UnitStore) -> None:
    other = UnitStore(store.folder, {"seed": 2})
    assert other.missing(["first", "second"]) == ["first", "second"]
    other.write("first", content=b"new")
    assert other.read("first").content == b"new"
    assert store.missing(["first", "second"]) == ["first"]
    assert other.all_keys() == ["first", "second"]


def test_a_unit_without_its_file_is_missing(store: UnitStore, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").unlink()
    assert store.missing(["first", "second"]) == ["first"]


def test_a_modified_file_of_a_unit_is_refused_and_stays(store: UnitStore, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("1,3")
    with pytest.raises(FileError, match=r"rows\.csv: was modified \(SHA-256 differs\); remove it"):
        store.missing(["first"])
    store.remove("first")
    assert (tmp_path / "rows.csv").read_text() == "1,3"
    assert store.all_keys() == ["second"]


def test_a_modified_file_is_refused_if_another_is_missing(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.touch()
    store = UnitStore(tmp_path / "units")
    store.write("first", files=paths)
    paths[0].unlink()
    paths[1].write_text("mine")
    with pytest.raises(FileError, match="/b: was modified"):
        store.missing(["first"])


def test_removing_a_unit_removes_its_files(store: UnitStore, tmp_path: Path) -> None:
    store.remove("first")
    store.remove("first")  # a unit that is missing
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["second.unit"]


def test_finishing_keeps_the_files_of_units(store: UnitStore, tmp_path: Path) -> None:
    store.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]
    store.finish()  # a store without units


def test_files_of_others_stay(store: UnitStore) -> None:
    strangers = {
        "mine.unit": b"",
        "copy.unit": b"mjopt unit " + b"0" * 64 + b"\n",
        "list.unit": b"mjopt unit " + b"0" * 64 + b"\n[1]\n",
        "rows.csv": b"mine",
    }
    for name, content in strangers.items():
        (store.folder / name).write_bytes(content)
    (store.folder / "folder.unit").mkdir()
    assert store.all_keys() == ["first", "second"]
    for key in (*store.all_keys(), "mine", "copy", "list", "folder"):
        store.remove(key)
    store.finish()
    assert {p.name: p.read_bytes() for p in store.folder.iterdir() if p.is_file()} == strangers
    for key in ("mine", "copy", "folder"):
        with pytest.raises(FileError, match=rf"^{store.folder}/{key}\.unit: "):
            store.missing([key])


@pytest.mark.parametrize("name", ["../mine", "/tmp/mine", "a/../../mine"])
def test_no_file_outside_the_folder_is_removed(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine").touch()
    store = UnitStore(tmp_path / "run" / "units")
    store.write("first")
    mark, text = unit(store, "first").read_text().splitlines()
    document = json.loads(text) | {"files": {name: sha256_of(b"")}}
    line = json.dumps(document).encode() + b"\n"
    unit(store, "first").write_bytes(f"{mark[:11]}{sha256_of(line)}\n".encode() + line)
    store.remove("first")
    store.finish()
    assert (tmp_path / "mine").exists()
    with pytest.raises(FileError, match="not as it was written"):
        store.missing(["first"])


def test_a_unit_is_whole_or_missing_after_a_kill(tmp_path: Path) -> None:
    def work(folder: Path) -> None:
        store = UnitStore(folder / "units")
        for key in store.missing(["first", "second"]):
            store.write(key, content=key.encode())

    (tmp_path / "work").mkdir()
    states = crash_states(partial(work, tmp_path / "work"), tmp_path / "work", tmp_path / "copies")
    assert len(states) >= 4
    for state in states:
        store = UnitStore(state / "units")
        for key in {"first", "second"} - {*store.missing(["first", "second"])}:
            assert store.read(key).content == key.encode()


# The folder of a run ------------------------------------------------------------------


def claim(folder: Path, **config: object) -> bool:
    return claim_run(folder, "run.json", config, what="run")


def test_an_empty_folder_gets_the_configuration(tmp_path: Path) -> None:
    (tmp_path / ".hidden").touch()
    assert claim(tmp_path, seed=1, name="東")
    assert (tmp_path / "run.json").read_text() == '{\n "seed": 1,\n "name": "東"\n}\n'
    assert not claim(tmp_path, seed=1, name="東")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda f: (f / "b.txt").touch(), "holds b.txt and no run, expected an empty or a new"),
        (lambda f: claim(f, seed=1, n=3), r"holds another run \(seed 1, not 2\); name another"),
        (lambda f: (f / "run.json").write_text("[]"), r"run\.json: not the configuration of a run"),
        (lambda f: (f / "run.json").write_text("{"), r"run\.json: not JSON"),
        (lambda f: (f / "run.json").mkdir(), r"run\.json: Is a directory"),
    ],
)
def test_another_folder_is_refused_as_it_is(
    make: Callable[[Path], object], message: str, tmp_path: Path
) -> None:
    make(tmp_path)
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    with pytest.raises(FileError, match=rf"^{tmp_path}.*{message}"):
        claim(tmp_path, seed=2, n=3)
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_a_run_can_continue_with_another_configuration(tmp_path: Path) -> None:
    claim(tmp_path, games=1)
    found: list[dict[str, object]] = []
    assert claim_run(tmp_path, "run.json", {"games": 2}, what="run", accept=found.append)
    assert not claim_run(tmp_path, "run.json", {"games": 2}, what="run", accept=found.append)
    assert found == [{"games": 1}]
