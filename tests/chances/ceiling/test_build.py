"""Building: interrupted and killed builds resume; missing memory and disk are refused."""

import os
import shutil
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from chances.ceiling.conftest import Table
from helpers.crash_states import crash_states
from helpers.waits import OLD

from mjopt._internal import memory
from mjopt._internal.files import lock_folder
from mjopt._internal.progress import NoProgress
from mjopt.chances.ceiling import TableKey, build, build_ceiling, requirements, sweeps
from mjopt.errors import ArgumentError, FileError

KEYS = (TableKey(called=3, draws=3, all_layers=True), TableKey(called=4, draws=4, tiles="136"))


class Stop(NoProgress):
    """Interrupts the build after some reports of progress."""

    def __init__(self, after: int) -> None:
        self.left = after
        self.said: list[str] = []

    def advance(self, *_: object) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt

    def say(self, text: str) -> None:  # type: ignore[override]
        self.said.append(text)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_a_build_interrupted_anywhere_gives_the_same_bytes(
    key: TableKey, table: Table, tmp_path: Path
) -> None:
    whole = table(**{name: getattr(key, name) for name in TableKey.__dataclass_fields__})
    kept = []
    for after in count(1):
        path, stop = tmp_path / f"{after}.ceiling", Stop(after)
        try:
            build_ceiling(path, key=key, threads=1, progress=stop)
            break
        except KeyboardInterrupt:
            kept.append(build.finished_layers(path, key))
        assert not path.exists()
        resumed = Stop(-1)
        build_ceiling(path, key=key, threads=1, progress=resumed)
        text = f"resumes after layer {kept[-1]} of {key.draws}"
        assert resumed.said[0].endswith(text) == bool(kept[-1])
        assert path.read_bytes() == whole.path.read_bytes()
    assert {*kept} == set(range(key.draws + 1))  # stopped after every layer
    assert names(tmp_path) == sorted(f"{number}.ceiling" for number in range(1, after + 1))


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_a_build_killed_anywhere_gives_the_same_bytes(
    key: TableKey, table: Table, tmp_path: Path
) -> None:
    whole = table(**{name: getattr(key, name) for name in TableKey.__dataclass_fields__})
    folder, copies = tmp_path / "made", tmp_path / "copies"
    folder.mkdir()
    work = partial(build_ceiling, folder / "t.ceiling", key=key, threads=1)
    states = crash_states(work, folder, copies)
    assert len(states) > 2 * key.draws
    for state in states:
        layers = state / ".t.ceiling.partial" / "layers"
        if layers.exists() and build.finished_layers(state / "t.ceiling", key) < key.draws:
            with layers.open("ab") as file:  # killed while it wrote the next layer
                file.write(b"part of a layer")
        build_ceiling(state / "t.ceiling", key=key, threads=1)
        assert (state / "t.ceiling").read_bytes() == whole.path.read_bytes()
        assert names(state) == ["t.ceiling"]


@pytest.mark.parametrize("layers", range(3))
def test_progress_begins_at_the_finished_layers(
    layers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Tally(NoProgress):
        def begin(self, total: float, unit: str, done: int) -> None:
            self.total, self.sum = total, float(done)

        def advance(self, number: float) -> None:  # type: ignore[override]
            self.sum += number

    monkeypatch.setattr(sweeps, "MILLION", 7)
    tally = Tally()
    with sweeps.sweeping(TableKey(called=4, draws=2), 1, tally) as resumed:
        resumed.done = layers
        resumed.run()
    assert tally.total - 1 < tally.sum < tally.total + 1e-6  # it begins at a whole number


def test_bytes_do_not_depend_on_threads(table: Table, tmp_path: Path) -> None:
    whole = table(called=3, draws=3)
    for threads in (1, 3):
        path = tmp_path / f"{threads}.ceiling"
        build_ceiling(path, key=whole.key, threads=threads)
        assert path.read_bytes() == whole.path.read_bytes()


def test_a_finished_table_is_returned_as_it_is(tmp_path: Path) -> None:
    path, key = tmp_path / "t.ceiling", TableKey(called=4, draws=2)
    build_ceiling(path, key=key)
    stop = Stop(1)
    os.utime(path, OLD)
    assert build_ceiling(path, key=key, progress=stop).key == key
    assert (path.stat().st_mtime, stop.said) == (OLD[1], [])
    (tmp_path / ".t.ceiling.partial").mkdir()  # killed while it removed its checkpoints
    build_ceiling(path, key=key, progress=stop)
    assert names(tmp_path) == ["t.ceiling"]
    with pytest.raises(FileError, match="holds the table of tiles m0, draws 2, called 4; name"):
        build_ceiling(path, key=TableKey(called=4, draws=3))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(FileError, match="the file is damaged"):
        build_ceiling(path, key=key)


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path, key = tmp_path / "t.ceiling", TableKey(called=4, draws=2)
    with (
        lock_folder(tmp_path / ".t.ceiling.partial"),
        pytest.raises(FileError, match="another process is writing here now"),
    ):
        build_ceiling(path, key=key)
    build_ceiling(path, key=key)
    assert names(tmp_path) == ["t.ceiling"]


def test_a_table_that_another_process_finished_meanwhile_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, key = tmp_path / "t.ceiling", TableKey(called=4, draws=2)
    build_ceiling(tmp_path / "other.ceiling", key=key)

    def lock(folder: Path) -> object:
        shutil.copy(tmp_path / "other.ceiling", path)
        return lock_folder(folder)

    monkeypatch.setattr(build, "lock_folder", lock)
    stop = Stop(1)
    assert build_ceiling(path, key=key, progress=stop).key == key
    assert stop.said == []


def test_too_little_memory_or_disk_is_refused_before_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.ceiling"
    needed = requirements(TableKey())
    with monkeypatch.context() as patch:
        patch.setattr(build, "available_memory", lambda: needed.memory - 1)
        with pytest.raises(FileError, match=r"4.0 GB of memory available, this takes 4.0 GB"):
            build_ceiling(path)
    with monkeypatch.context() as patch:
        usage = shutil.disk_usage(tmp_path)._replace(free=10**9)
        patch.setattr(shutil, "disk_usage", lambda _: usage)
        with pytest.raises(FileError, match=r"1.0 GB free, the table takes 2.4 GB while it is"):
            build_ceiling(path)
    assert names(tmp_path) == []
    with pytest.raises(FileError, match="folder .* does not exist"):
        build_ceiling(tmp_path / "none" / "t.ceiling")
    with pytest.raises(ArgumentError, match="threads 0, expected 1 or more"):
        build_ceiling(path, threads=0)


def test_memory_that_the_system_refuses_is_an_error_of_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError("Unable to allocate 2.45 GiB")

    monkeypatch.setattr(sweeps.np, "empty", refuse)
    with pytest.raises(FileError, match="Unable to allocate"):
        build_ceiling(tmp_path / "t.ceiling", key=TableKey(called=4, draws=2))
    assert names(tmp_path) == []


def test_a_full_disk_names_the_file_and_keeps_finished_layers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, key, calls = tmp_path / "t.ceiling", KEYS[0], count()
    fsync = build.os.fsync

    def fail(number: int) -> None:
        if next(calls) == 4:  # the configuration, two layers and one checkpoint are written
            raise OSError(28, "No space left on device")
        fsync(number)

    with monkeypatch.context() as patch:
        patch.setattr(build.os, "fsync", fail)
        with pytest.raises(
            FileError, match=r"checkpoint\.unit: No space left|layers: No space left"
        ):
            build_ceiling(path, key=key)
    assert build.finished_layers(path, key) == 1
    build_ceiling(path, key=key)
    assert names(tmp_path) == ["t.ceiling"]


@pytest.mark.parametrize("size", [0, -1])
def test_a_damaged_checkpoint_is_one_line(size: int, tmp_path: Path) -> None:
    path, key = tmp_path / "t.ceiling", KEYS[0]
    after = count(1)
    while not path.exists() and not build.finished_layers(path, key):
        with pytest.raises(KeyboardInterrupt):
            build_ceiling(path, key=key, threads=1, progress=Stop(next(after)))
    checkpoint = tmp_path / ".t.ceiling.partial" / "checkpoint.unit"
    checkpoint.write_bytes(checkpoint.read_bytes()[:size])
    with pytest.raises(FileError, match=f"^{checkpoint}: not as it was written"):
        build_ceiling(path, key=key)
    checkpoint.unlink()
    build_ceiling(path, key=key)
    assert names(tmp_path) == ["t.ceiling"]


def test_files_of_others_in_the_folder_beside_the_table_stay(tmp_path: Path) -> None:
    path, key, work = tmp_path / "t.ceiling", KEYS[0], tmp_path / ".t.ceiling.partial"
    work.mkdir()
    (work / "layers").write_text("mine")
    with pytest.raises(FileError, match="holds layers and no unfinished table, expected an empty"):
        build_ceiling(path, key=key)
    assert (work / "layers").read_text() == "mine"
    (work / "layers").rename(work / ".mine")
    build_ceiling(path, key=key)
    assert build_ceiling(path, key=key).key == key
    assert names(work) == [".mine"]


def test_requirements_state_the_size_of_the_file(table: Table) -> None:
    for options in ({"called": 3, "draws": 3}, {"called": 4, "draws": 2, "all_layers": True}):
        made = table(**options)
        assert made.path.stat().st_size == requirements(made.key).file
    assert requirements(TableKey(all_layers=True)).file == 18 * 2 * 240_772_620 + 16384
    assert requirements(TableKey(tiles="136")).hands == (435_893_471, 1_236_330_548)


def test_limits_of_the_container_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "memory.max").write_text("5000000\n")
    (tmp_path / "memory.current").write_text("3000000\n")
    (tmp_path / "memory.stat").write_text("anon 1\nactive_file 100\ninactive_file 1000\n")
    monkeypatch.setattr(memory, "_control_groups", lambda: [tmp_path])
    assert memory.available_memory() == 2_001_100
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.available_memory() != 2_001_100


@pytest.mark.parametrize(("name", "number"), [("called", -1), ("called", 5), ("draws", 0)])
def test_table_key_out_of_range_is_refused(name: str, number: int) -> None:
    with pytest.raises(ArgumentError, match=f"{name} {number}, expected"):
        TableKey(**{"called": 0, "draws": 1, name: number})
