"""Standard streams that are closed, full, or of an encoding that lacks characters."""

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from mjopt.cli import stdio
from mjopt.cli.main import execute
from mjopt.cli.output import warn
from mjopt.cli.progress import Bar

MJOPT = shlex.join([sys.executable, "-m", "mjopt"])
ONE = f"{MJOPT} deficiency 11m --called 4"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="/dev/full exists only on Linux")

Printed = Callable[..., bytes]


@pytest.fixture
def printed(tmp_path: Path) -> Printed:
    """Run a command whose stdout is a file in some encoding; return its content."""

    def call(encoding: str, *words: str) -> bytes:
        path = tmp_path / "stdout"
        with (
            path.open("w", encoding=encoding) as file,
            redirect_stdout(file),
            redirect_stderr(sys.stderr),  # put back at the end
        ):
            stdio.open_streams()
            assert execute(words) == 0
            assert stdio.close_streams() is None
        return path.read_bytes()

    return call


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_unencodable_bars_are_replaced(printed: Printed, encoding: str) -> None:
    rows = printed(encoding, "census").split(b"\n")
    assert max(row.count(b"#") for row in rows) > 5


def test_unencodable_tiles_are_written_as_mpsz(printed: Printed) -> None:
    words = ("deficiency", "\U0001f007\U0001f007", "--notation", "unicode", "--called", "4")
    assert printed("ascii", *words) == b"0\t11m\n"
    document = json.loads(printed("ascii", *words, "--json"))
    assert document["hand"] == "\U0001f007\U0001f007"
    assert "\U0001f007" in printed("utf-8", *words, "--json").decode()


def test_unencodable_signs_are_replaced_or_escaped() -> None:
    stdio.open_streams()
    text = "10\u202f000 \u00b5s \u2026 \u4e2d"
    assert text.encode("ascii", stdio.ERROR_HANDLER) == rb"10 000 us ... \u4e2d"


@on_linux
@pytest.mark.parametrize(
    ("line", "status", "err"),
    [
        (f"{ONE} >&-", 2, "mjopt: Bad file descriptor: standard output\n"),
        (f"{ONE} >/dev/full", 2, "mjopt: No space left on device: standard output\n"),
        (f"{MJOPT} label - <&-", 2, "mjopt: Bad file descriptor: standard input\n"),
        (f"{MJOPT} nonsense 2>&-", 2, ""),  # and nothing on stdout
        (f"{MJOPT} nonsense 2>/dev/full", 2, ""),
        (f"{ONE} <&- 2>&-", 0, ""),
    ],
    ids=lambda value: str(value).removeprefix(MJOPT),
)
def test_closed_or_full_stream_is_one_line(
    line: str, status: int, err: str, tmp_path: Path
) -> None:
    ran = subprocess.run(
        line, shell=True, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (ran.returncode, ran.stderr) == (status, err)
    assert ran.stdout == ("0\t11m\n" if status == 0 else "")


@pytest.mark.parametrize("words", ["label hands.txt", "census"])
def test_closed_pipe_has_status_0(words: str, tmp_path: Path) -> None:
    (tmp_path / "hands.txt").write_text("1112345678999m1p\n")
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as pipe:
        ran = subprocess.run(
            [sys.executable, "-m", "mjopt", *words.split()],
            stdout=pipe,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_failing_stderr_is_ignored() -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError("No space left on device")

        def flush(self) -> None:
            self.write("")

    with redirect_stderr(Full()):
        warn("a line")
        with Bar("games", 3) as bar:
            bar.say("a line")


def test_figures_need_no_display() -> None:
    code = (
        "import os, mjopt.cli.main as main\n"
        "main.execute = lambda: print(os.environ['MPLBACKEND']) or 0\n"
        "main.run()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "MPLBACKEND": "bogus"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "agg\n"
