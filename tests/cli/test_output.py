"""Tables on narrow terminals, and output files: complete, alone, and written before printing."""

import errno
import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.surroundings import environment
from rich.table import Table

from mjopt._internal.tables import Table as ResultTable
from mjopt.cli.main import execute
from mjopt.cli.output import print_table

HAND = "1112345678999m1p"
LONG = "deficiency:ties=first,calls=never"
METHODS = "ndde:population=6,generations=5,out_of_range=wrap pso:population=6,generations=5"
BATTLE = f"battle first random first {LONG} -n 1 -j 1"

TABLES: dict[str, tuple[str, ...]] = {
    "discards 4569m13445788p2s4z": ("8p", "4z", "4p(2)", "discard", "deficiency"),
    "draws 11m123p --called 3 --wall 123m4p": ("1p",),
    "advise 11m12p --meld 123s,456s,789s --offered 3p --draws 3": ("chow 123p, discard 1m",),
    "danger 123m406p123789s11z --opponent discards=19m": ("safe by rule", "deals in, if ready"),
    "win-chance 1123m --called 3 --draws 2": ("discard",),
    "audit wrong.csv": ("too low", HAND),
    "census --tiles 136": ("326,520,504,500",),
    f"compare {METHODS} --hands two-type:2 --runs 1 -j 1 -o study": (
        "ndde-6-5-out_of_range-wrap",
        "pso-6-5",
        "accuracy",
    ),
    "reproduce table1 -o made": ("ndde-20-50",),
    "dataset sample set": ("split", "hand", "deficiency"),
    BATTLE: ("deficiency-first-never",),
    f"league first random {LONG} -n 4 -j 1": ("deficiency-first-never", "rating"),
    "review game.txt": ("discards", "deficiency"),
    "models": ("predecomposition", "available"),
}
"""Commands that print tables, with texts that must not be cut."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a file of each kind that the commands read."""
    path = tmp_path_factory.mktemp("printed")
    (path / "wrong.csv").write_text(f"hand,deficiency\n{HAND},0\n")
    game = "battle first random first first -n 1 -j 1 --records"
    assert execute([*game.split(), str(path / "game.txt")]) == 0
    labels = "deficiency,useful,discards,win"
    build = f"dataset build deals:3 -j 1 --labels {labels} -o {path}/set"
    assert execute(build.split()) == 0
    return path


@pytest.fixture
def narrow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set a terminal of 80 columns, and replace a reproduction by a wide table."""
    wide = ResultTable(
        name="wide",
        title="wider than any terminal",
        rows=[{"method": "ndde-20-50", **{f"share {number}": 0.5 for number in range(20)}}],
        optional=tuple(f"share {number}" for number in range(20, 5, -1)),
    )
    monkeypatch.setattr("mjopt.cli.reproduce.reproduce", lambda *_, **__: [wide])
    with chdir(folder), environment(COLUMNS="80", TERM="dumb"):
        yield


@contextmanager
def printing(*, terminal: bool) -> Iterator[io.TextIOWrapper]:
    """Print on a terminal, or to a file; the file is to be read at the end."""

    class Stream(io.TextIOWrapper):
        def isatty(self) -> bool:
            return terminal

    out = Stream(io.BytesIO(), encoding="utf-8", newline="\n")
    with redirect_stdout(out):
        yield out
    out.seek(0)


def printed(words: str, *, terminal: bool) -> str:
    """Return the output of a command on a terminal, or in a file."""
    with printing(terminal=terminal) as out:
        assert execute(shlex.split(words)) != 2
    return out.read()


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(("words", "names"), TABLES.items())
def test_tables_fit_on_80_columns_and_cut_no_name(words: str, names: tuple[str, ...]) -> None:
    text = printed(words, terminal=True)
    assert max(map(len, text.splitlines())) <= 80
    assert all(name in text for name in names)


@environment(COLUMNS="40", TERM="xterm")
def test_optional_columns_are_left_out_of_narrow_tables() -> None:
    def show(*, terminal: bool) -> str:
        table = Table("agent", "wins", "losses", "a-long-heading")
        table.add_row("name-of-an-agent", "12.5", "3.25", "1")
        with printing(terminal=terminal) as out:
            print_table(table, optional=["losses", "a-long-heading | wins"])
        return re.sub("\x1b\\[[0-9;]*m", "", out.read())

    full = show(terminal=False)
    assert all(word in full for word in ("name-of-an-agent", "12.5", "3.25", "a-long-heading"))
    narrow = show(terminal=True)
    assert max(map(len, narrow.splitlines()[:-2])) <= 40
    assert "name-of-an-agent" in narrow
    assert "12.5" not in narrow
    words = " ".join(narrow.split())
    assert "40 columns leave out: losses, wins, a-long-heading; --json has them" in words


@pytest.mark.usefixtures("narrow")
def test_redirected_output_has_all_columns() -> None:
    piped = printed(BATTLE, terminal=False)
    assert "calls" in piped


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("battle first random first first -n 1 -j 1 -o kept", "kept/report.json"),
        ("audit wrong.csv -o kept", "kept/summary.json"),
        ("certify 11m --called 4 -o kept.json", "kept.json"),
        ("dataset describe set -o kept.svg", "kept.svg"),
    ],
)
def test_files_are_written_before_results_are_printed(
    words: str, written: str, tmp_path: Path
) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with redirect_stdout(Full()):
        assert execute(shlex.split(words.replace("kept", str(tmp_path / "kept")))) == 2
    assert (tmp_path / written).stat().st_size


@pytest.mark.parametrize(
    "words", [f"certify {HAND} -o", f"export {HAND} -o", f"{BATTLE} --records"]
)
def test_output_file_is_replaced_atomically(mjopt: Call, tmp_path: Path, words: str) -> None:
    path = tmp_path / "output.lp"
    path.write_text("old")
    assert mjopt(*shlex.split(words), str(path)).status == 0
    assert path.stat().st_size > 3
    assert os.listdir(tmp_path) == ["output.lp"]


def test_records_can_be_in_the_folder_of_their_battle(mjopt: Call, tmp_path: Path) -> None:
    words = (*shlex.split(BATTLE), "-o", str(tmp_path), "--records", str(tmp_path / "games.txt"))
    assert mjopt(*words).status == 0
    assert len((tmp_path / "games.txt").read_text().splitlines()) == 4
