"""What stands where a file is written stays what it is: a device, a pipe, a link, a mode."""

import errno
import io
import os
import re
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from mjopt._internal.folder import hold_folder, new_folder, replace_whole, write_whole
from mjopt._internal.unfinished import open_number
from mjopt.cli.main import execute
from mjopt.errors import FileError

posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="what Windows lacks")


def made_device(folder: Path) -> Path:
    """A null device of our own, never the machine's."""
    device = folder / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.write_bytes(b"")
    except (OSError, AttributeError):
        pytest.skip("may not make a device")
    return device


@posix
def test_a_device_stays_a_device(tmp_path: Path) -> None:
    device = made_device(tmp_path)
    write_whole(device, b"gone")
    assert stat.S_ISCHR(device.stat().st_mode)
    (tmp_path / "link").symlink_to(device)
    write_whole(tmp_path / "link", b"gone")
    assert (tmp_path / "link").is_symlink()
    assert stat.S_ISCHR(device.stat().st_mode)


@posix
def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_whole(pipe, b"42")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    reader.join(60)
    assert found == [b"42"]


@posix
@pytest.mark.parametrize("mode", ["w", "a"])
def test_standard_output_is_gone_on_with(tmp_path: Path, mode: str) -> None:
    """By a link of our own to where ``/dev/stdout`` leads: never the machine's."""
    link, out = tmp_path / "stdout", tmp_path / "out"
    link.symlink_to("/proc/self/fd/1" if Path("/proc/self/fd/1").exists() else "/dev/fd/1")
    out.write_text("before\n")
    code = (
        "import sys; from pathlib import Path; from mjopt._internal.folder import write_whole\n"
        "print('first'); write_whole(Path(sys.argv[1]), b'42\\n'); print('last')"
    )
    with out.open(mode) as file:
        subprocess.run([sys.executable, "-c", code, str(link)], stdout=file, check=True)
    assert out.read_text() == "before\n" * (mode == "a") + "first\n42\nlast\n"
    assert link.is_symlink()


@posix
def test_an_array_of_labels_goes_through_a_pipe(tmp_path: Path) -> None:
    hands, pipe = tmp_path / "hands.txt", tmp_path / "labels.npy"
    hands.write_text("1112345678999m1p\n123m456p789s11122m\n")
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert execute(["label", str(hands), "-o", str(pipe), "-j", "1", "--quiet"]) == 0
    reader.join(60)
    assert np.load(io.BytesIO(found[0])).tolist() == [1, 0]


@posix
def test_names_of_what_this_process_has_open(tmp_path: Path) -> None:
    numbers = {"/dev/stdout": 1, "/dev/stderr": 2, "/dev/fd/7": 7, "/proc/self/fd/1": 1}
    for name, number in numbers.items():
        assert open_number(Path(name)) == number
    for name in ("/dev/null", "stdout", "/dev/fd/x", str(tmp_path)):
        assert open_number(Path(name)) is None


@posix
@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_is_followed(tmp_path: Path, is_there: bool) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "target", tmp_path / "link"
    if is_there:
        target.write_text("old")
    link.symlink_to(Path("far", "target"))
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["far", "link"]


@posix
def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match=re.escape(os.strerror(errno.ELOOP))):
        write_whole(tmp_path / "a", b"new")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_mode_is_kept_and_nobody_else_reads_meanwhile(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)
    with replace_whole(path) as file:
        file.write(b"new")
        assert not stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077 & ~mode
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == b"new"


@posix
@pytest.mark.skipif(not hasattr(os, "chown") or os.geteuid() != 0, reason="only root gives away")
def test_an_owner_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    os.chown(path, 12345, 23456)
    write_whole(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


@posix
def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    for umask in (0o022, 0o077):
        before = os.umask(umask)
        try:
            write_whole(tmp_path / f"{umask}", b"")
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / f"{umask}").stat().st_mode) == 0o666 & ~umask


def test_a_full_disk_leaves_the_old_file_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def full() -> bytes:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space") as found, replace_whole(path) as file:
        file.write(full())
    assert found.value.filename == str(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_that_takes_no_file_is_named_by_what_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def refuse(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "touch", refuse)  # root may write anywhere
    with pytest.raises(PermissionError) as found:
        write_whole(path, b"new")
    assert found.value.filename == str(path)
    assert path.read_text() == "old"


KILLED = """
import os, signal, sys
from pathlib import Path
from mjopt._internal.folder import new_folder, replace_whole
how = {"file": replace_whole, "folder": new_folder}[sys.argv[1]]
with how(Path(sys.argv[2])) as held:
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("kind", ["file", pytest.param("folder", marks=posix)])
def test_what_a_kill_left_goes_at_the_next_run_and_not_before(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a[1].json"
    words = [sys.executable, "-c", KILLED, kind, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        [theirs] = os.listdir(tmp_path)
        with suppress(ZeroDivisionError), replace_whole(path) as file:
            assert theirs in os.listdir(tmp_path)  # its writer lives
            file.write(b"1")
            raise ZeroDivisionError
        assert os.listdir(tmp_path) == [theirs]
        other.kill()
    assert os.listdir(tmp_path) == [theirs]
    write_whole(tmp_path / "other", b"")
    assert theirs in os.listdir(tmp_path)  # of another output
    if kind == "file":
        write_whole(path, b"2")
    else:
        with new_folder(path):
            pass
    assert sorted(os.listdir(tmp_path)) == ["a[1].json", "other"]


def test_a_new_folder_takes_its_place_whole(tmp_path: Path) -> None:
    with suppress(ZeroDivisionError), new_folder(tmp_path / "new") as folder:
        (folder / "file").touch()
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == []
    with new_folder(tmp_path / "new") as folder:
        (folder / "file").touch()
        assert not (tmp_path / "new").exists()
    assert os.listdir(tmp_path / "new") == ["file"]
    with pytest.raises(FileError, match="exists"), new_folder(tmp_path / "new"):
        pass


def test_what_is_written_in_a_held_folder_is_not_cleared_away(tmp_path: Path) -> None:
    with replace_whole(tmp_path / "records.txt") as file:
        with hold_folder(tmp_path):
            pass
        file.write(b"42")
    assert (tmp_path / "records.txt").read_bytes() == b"42"
