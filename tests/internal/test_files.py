"""Atomic writes and folder locks."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from mjopt._internal.files import (
    atomic_path,
    atomic_write,
    check_output,
    lock_folder,
    lock_output,
    make_folder,
    remove_stale_temp,
    sha256_of,
)
from mjopt.errors import FileError

HOLD_LOCK = """
import sys
from mjopt._internal.files import atomic_path, lock_folder
with lock_folder(sys.argv[1]) as folder, atomic_path(folder / "file") as temporary:
    temporary.write_text("half")
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    atomic_write(path, "old")

    def fail(temporary: Path) -> None:
        temporary.write_text("half")
        assert path.read_text() == "old"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), atomic_path(path) as temporary:
        fail(temporary)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_full_disk_error_is_one_line_with_the_path(tmp_path: Path) -> None:
    def fail(temporary: Path) -> None:
        temporary.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    message = rf"^{tmp_path}/file: No space left on device$"
    with pytest.raises(FileError, match=message), atomic_path(tmp_path / "file") as temporary:
        fail(temporary)
    assert os.listdir(tmp_path) == []


def test_errors_about_other_files_are_not_translated(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="other"), atomic_path(tmp_path / "file"):
        (tmp_path / "other").read_bytes()


def test_targets_that_cannot_be_replaced_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, reason in {
        "folder": "is a folder, expected a file name",
        "pipe": "is not a regular file",
        "none/file": f"the folder {tmp_path}/none does not exist",
        "n" * 256: "File name too long",
    }.items():
        with pytest.raises(FileError, match=rf"^{tmp_path}/{name}: {reason}$"):
            atomic_write(tmp_path / name, b"")
        if reason != "File name too long":
            with pytest.raises(FileError, match=rf"^{tmp_path}/{name}: {reason}$"):
                check_output(tmp_path / name)
    check_output(tmp_path / "new")
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_links_and_permissions_are_preserved(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.touch()
    target.chmod(0o640)
    link.symlink_to("target")
    atomic_write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_folder_appears_complete(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "new") as temporary:
        temporary.mkdir()
        (temporary / "file").touch()
        assert not (tmp_path / "new").exists()
    assert os.listdir(tmp_path / "new") == ["file"]


def test_a_second_writer_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLD_LOCK, str(tmp_path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        with (
            pytest.raises(FileError, match=f"^{tmp_path}: another process is writing here now$"),
            lock_folder(tmp_path),
        ):
            pytest.fail("two writers")
        other.kill()
    assert len(os.listdir(tmp_path)) == 2  # the lock and the temporary file
    with lock_folder(tmp_path):
        remove_stale_temp(tmp_path)
        assert os.listdir(tmp_path) == [".mjopt.lock"]
    assert os.listdir(tmp_path) == []


def killed_writer(path: Path) -> Path:
    """Return the temporary folder that a killed writer of a file has left."""
    code = """
import os, sys
from mjopt._internal.files import atomic_path
with atomic_path(sys.argv[1]) as temporary:
    temporary.write_text("half")
    print(temporary.parent, flush=True)
    os.kill(os.getpid(), 9)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, path], check=False, capture_output=True, text=True
    )
    return Path(done.stdout.strip())


def test_temporary_files_of_killed_writers_are_removed_by_name(tmp_path: Path) -> None:
    left = [killed_writer(tmp_path / name) for name in ("a", "b", "a.b")]
    assert len(os.listdir(tmp_path)) == 3
    atomic_write(tmp_path / "a", b"")
    assert sorted(os.listdir(tmp_path)) == sorted(["a", *(path.name for path in left[1:])])
    remove_stale_temp(tmp_path)
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("content", [None, b""])
def test_a_folder_of_a_writer_killed_before_it_signed_is_removed(
    tmp_path: Path, content: bytes | None
) -> None:
    folder = tmp_path / ".a.0123456789abcdef.mjopt.tmp"
    folder.mkdir()
    if content is not None:
        (folder / ".mjopt.owner").write_bytes(content)
    remove_stale_temp(tmp_path, "b")
    assert os.listdir(tmp_path) == [folder.name]
    remove_stale_temp(tmp_path, "a")
    assert not os.listdir(tmp_path)


def test_a_writer_whose_empty_folder_is_removed_makes_it_again(tmp_path: Path) -> None:
    """Other writers see the folder before it is signed, and remove it."""
    steps = ["mkdir", "open"]

    def removing(step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            done = function(*arguments, **options)
            if step in steps and list(tmp_path.glob(".*.mjopt.tmp")):
                steps.remove(step)
                remove_stale_temp(tmp_path)
            return done

        return call

    with (
        patch.object(Path, "mkdir", removing("mkdir", Path.mkdir)),
        patch.object(Path, "open", removing("open", Path.open)),
    ):
        atomic_write(tmp_path / "a", b"whole")
    assert not steps
    assert (tmp_path / "a").read_bytes() == b"whole"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_an_unsigned_folder_with_something_in_it_stays(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / ".a.0123456789abcdef.mjopt.tmp"
    folder.mkdir()
    inside = folder / "a"
    if kind == "file":
        inside.write_text("mine")
    elif kind == "folder":
        inside.mkdir()
    else:
        inside.symlink_to("elsewhere")
    for owner in (False, True):
        if owner:
            (folder / ".mjopt.owner").touch()
        before = sorted(tmp_path.rglob("*"))
        remove_stale_temp(tmp_path)
        assert sorted(tmp_path.rglob("*")) == before


def test_names_as_long_as_the_system_takes_are_written(tmp_path: Path) -> None:
    """The temporary folder has a shorter name; a killed writer's is found all the same."""
    for name in ("n" * 250 + ".html", "東" * 80 + ".html"):
        killed_writer(tmp_path / name)
        [left] = os.listdir(tmp_path)
        assert left.endswith(".mjopt.tmp")
        remove_stale_temp(tmp_path, "other")
        assert os.listdir(tmp_path) == [left]
        with atomic_path(tmp_path / name) as temporary:
            assert temporary.name == name
            temporary.write_text("whole")
        assert os.listdir(tmp_path) == [name]
        (tmp_path / name).unlink()


def test_temporary_files_of_a_running_writer_stay(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "a") as temporary:
        temporary.write_text("half")
        atomic_write(tmp_path / "a", b"other")
        remove_stale_temp(tmp_path)
        assert temporary.read_text() == "half"
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "half"


@pytest.mark.parametrize("change", ["add a file", "change the content", "link to it"])
def test_temporary_files_that_others_have_changed_stay(tmp_path: Path, change: str) -> None:
    left = killed_writer(tmp_path / "a")
    if change == "add a file":
        (left / "notes.txt").write_text("mine")
    elif change == "change the content":
        (left / ".mjopt.owner").write_text("mine")
    else:
        moved = left.rename(tmp_path / "moved")
        left.symlink_to(moved)
    before = sorted(tmp_path.rglob("*"))
    remove_stale_temp(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_lock_of_another_program_stays(tmp_path: Path) -> None:
    (tmp_path / ".lock").write_text("mine")
    with lock_folder(tmp_path):
        pass
    assert (tmp_path / ".lock").read_text() == "mine"


def test_folders_that_cannot_be_created_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file: is a file, expected a folder"):
        make_folder(tmp_path / "file")
    with pytest.raises(FileError, match="none does not exist"):
        make_folder(tmp_path / "none" / "new", parents=False)
    with pytest.raises(FileError, match="file/new: Not a directory"):
        make_folder(tmp_path / "file" / "new")


def test_checksums_of_file_and_bytes_agree(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert sha256_of(tmp_path / "file") == sha256_of(b"abc")


def test_an_output_is_locked_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "out"
    message = f"^{path}: another process is writing here now$"
    with lock_output(path, "parts") as beside:
        assert beside == tmp_path / ".out.parts"
        with pytest.raises(FileError, match=message), lock_output(path, "parts"):
            pytest.fail("two writers")
        assert beside.is_dir()
    assert os.listdir(tmp_path) == []


def test_temporary_folders_of_killed_processes_are_removed(tmp_path: Path) -> None:
    """Regression: a killed `mjopt certify --hands` left its hands for good."""
    code = """
import os, sys
from mjopt._internal.files import temporary_folder
with temporary_folder("hands") as folder:
    (folder / "hands.npy").write_text("half")
    print(*sorted(os.listdir(folder.parent)), sep="\\n", flush=True)
    if sys.stdin.read() == "kill":
        os.kill(os.getpid(), 9)
"""

    def start() -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )

    foreign = tmp_path / f"mjopt-hands-{'0' * 16}"
    foreign.mkdir()
    (foreign / "notes").touch()
    with start() as running:
        assert running.stdout is not None
        own = {running.stdout.readline().strip() for _ in range(2)} - {foreign.name}
        with start() as killed:
            killed.communicate("kill")
        assert len(os.listdir(tmp_path)) == 3
        with start() as last:
            seen, _ = last.communicate("")
        assert {*seen.split()} > {foreign.name, *own}
        assert len(seen.split()) == 3  # not that of the killed process
        assert {*os.listdir(tmp_path)} == {foreign.name, *own}
        running.communicate("")
    assert os.listdir(tmp_path) == [foreign.name]
