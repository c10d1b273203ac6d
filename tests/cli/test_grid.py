"""What every command prints: on a narrow terminal, and in an encoding that lacks signs."""

import errno
import io
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from rich.table import Table

from mjopt._internal.report import make_table
from mjopt.cli.grid import print_grid
from mjopt.cli.main import COMMANDS, execute, load_command
from mjopt.learning.training import TrainingResult

HAND = "4569m13445788p2s4z --tiles 136"
LONG = "deficiency:ties=first,calls=never"
METHODS = "ndde:population=6,generations=5,out_of_range=wrap pso:population=6,generations=5"
SOME = "--hands two-type:2 --runs 1 --sample 1 -q -j 1 -o made"

# The words of each command, and names in its tables that must be whole.
CALLS: dict[str, dict[str, tuple[str, ...]]] = {
    "deficiency": {HAND: (), "\U0001f007\U0001f007 --notation unicode --called 4": ()},
    "win": {"11122233344455s": ()},
    "discards": {f"{HAND} --improving": ("8p", "4z", "4p(2)", "discard", "deficiency")},
    "targets": {HAND: ()},
    "draws": {
        "113399s --called 2 --partial --wall 1223s2z --tiles 136 --model all": ("infinite",),
        "11m123p --called 3 --wall 123m4p --model all --within 1 --throw": ("1p", "by draw 1"),
        "11m12p --call 3p --called 3 --wall 1234p1m": ("chow 123p, discard 1m",),
    },
    "win-chance": {"1123m --called 3 --draws 2": ("discard",)},
    "export": {HAND: ()},
    "label": {"hands.txt -q": ()},
    "audit": {
        "wrong.csv -q": ("too low", "1112345678999m1p"),
        "--advice stratified:2:1=1 --draws 1 -o made -q -j 1": ("most useful tiles", "deficiency"),
    },
    "census": {"": ("139,737,927,523,546,800",), "--tiles 136": ("326,520,504,500",)},
    "certify": {HAND: ()},
    "verify": {"sound.json": ()},
    "explain": {HAND: ()},
    "tables certify": {"-o tables.json": ()},
    "tables verify": {"sound.json": ()},
    "search": {"11122233344455m --seed 1 -p generations=1": ()},
    "compare": {f"{METHODS} {SOME}": ("ndde-6-5-out_of_range-wrap", "pso-6-5", "accuracy")},
    "reproduce": {"table1 -o made -q": ("ndde-20-50",)},
    "dataset build": {"deals:3 -o set -q -j 1 --labels deficiency,useful,discards,win": ()},
    "dataset check": {"set -q": ()},
    "dataset card": {"set": ()},
    "dataset describe": {"set": ()},
    "dataset sample": {"set": ("split", "hand", "deficiency")},
    "battle": {f"first random first {LONG} -n 1 -q -j 1": ("deficiency-first-never",)},
    "league": {f"first random {LONG} -n 4 -q -j 1": ("deficiency-first-never", "rating")},
    "play": {"first first first --seed 1": ()},
    "review": {"game.txt": ("discards", "deficiency")},
    "serve": {"--port 0": ()},
    "replay": {"game.txt --show 1": ()},
    "train perfect": {"--preset tiny -o made -q": ()},
    "train normal": {"--from other --preset tiny -o made -q": ()},
    "train imitation": {"--preset tiny -o made -q": ()},
    "models": {"": ("thirteen_orphans", "available")},
    "warm": {"-q": ()},
    "methods": {"": ()},
    "agents": {"": ()},
    "shanten": {HAND: ()},
}
TRAINED = TrainingResult(
    weights=Path("made/weights.npz"),
    report=Path("made/report.html"),
    steps=40,
    seconds=2.5,
    last={"loss": 4.5},
)
ALL = [
    (f"{command} {words}", names)
    for command, calls in CALLS.items()
    for words, names in calls.items()
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind that is read."""
    path = tmp_path_factory.mktemp("printed")
    hand = "1112345678999m1p"
    (path / "hands.txt").write_text(f"{hand}\n")
    (path / "wrong.csv").write_text(f"hand,deficiency\n{hand},0\n")
    game = "battle first random first first -n 1 -q -j 1 --records"
    assert execute([*game.split(), str(path / "game.txt")]) == 0
    assert execute(["certify", hand, "-o", str(path / "sound.json")]) == 0
    made = f"dataset {next(iter(CALLS['dataset build']))}".replace("-o set", f"-o {path}/set")
    assert execute(["dataset", "build", *made.split()[1:]]) == 0
    return path


@pytest.fixture
def ready(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes minutes is done already."""
    import mjopt.cli.compare
    import mjopt.cli.reproduce
    import mjopt.cli.tables
    import mjopt.cli.train
    import mjopt.cli.warm

    wide = make_table(
        "wide",
        "µ: as wide as no terminal",
        "method | " + " | ".join(f"share {number}:percent" for number in range(20)),
        [("ndde-20-50", *[0.5] * 20)],
        optional=[f"share {number}" for number in range(20, 5, -1)],
    )
    monkeypatch.setattr(mjopt.cli.compare, "write_report", lambda _: None)
    monkeypatch.setattr(mjopt.cli.reproduce, "reproduce", lambda *_, **__: [wide])
    sums = {"suit_states": 1, "honour_states": 1, "joins": 1, "seconds": 1.0}
    monkeypatch.setattr(mjopt.cli.tables, "certify_tables", lambda: sums)
    monkeypatch.setattr(mjopt.cli.warm, "WORKS", {"none": lambda: None})
    monkeypatch.setattr(mjopt.cli.train, "train", lambda *_, **__: TRAINED)
    monkeypatch.setattr("mjopt.serve.server.serve", lambda *_, **__: print("on"))  # it would wait
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    monkeypatch.chdir(folder)
    for name, value in {"COLUMNS": "80", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    for name in ("made", "tables.json"):
        path = folder / name
        path.rename(tmp_path / name) if path.exists() else None


def stream(encoding: str, *, terminal: bool = False) -> io.TextIOWrapper:
    class Stream(io.TextIOWrapper):
        def isatty(self) -> bool:
            return terminal

    return Stream(io.BytesIO(), encoding=encoding, errors="mjopt.plainly", newline="\n")


def printed(words: str, out: io.TextIOWrapper) -> str:
    with redirect_stdout(out):
        assert execute(shlex.split(words)) != 2
    out.flush()
    return out.buffer.getvalue().decode(out.encoding)  # type: ignore[attr-defined]


def test_every_command_is_here() -> None:
    names = [name for names in COMMANDS.values() for name in names]
    several = {name: getattr(load_command(name), "commands", None) for name in names}
    every = [
        f"{name} {one}".strip() for name, commands in several.items() for one in commands or [""]
    ]
    assert set(every) == set(CALLS)


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("words", [words for words, _ in ALL])
def test_in_ascii_nothing_is_lost_and_nothing_fails(words: str) -> None:
    shown = printed(words, stream("ascii"))
    assert shown.strip()
    assert "\\u" not in shown
    if "\U0001f007" in words:
        assert "11m" in shown


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("words", ["census", "compare --rebuild kept", "models"])
def test_in_a_code_page_of_windows(words: str) -> None:
    if "kept" in words:
        printed(f"compare {METHODS} {SOME.replace('made', 'kept')}", stream("utf-8"))
    shown = printed(words, stream("cp1252"))
    assert ("#" in shown) == (words == "census")
    assert ("µs" in shown) == ("kept" in words)


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(("words", "names"), [(words, names) for words, names in ALL if names])
def test_on_80_columns_no_line_is_longer_and_no_name_is_cut(
    words: str, names: tuple[str, ...]
) -> None:
    shown = printed(words, stream("utf-8", terminal=True))
    assert max(map(len, shown.splitlines())) <= 80
    assert all(name in shown for name in names)
    wide = printed(f"{words} --wide", stream("utf-8", terminal=True))
    assert "leave out" not in wide


@pytest.mark.usefixtures("ready")
def test_a_name_with_blanks_stays_on_its_line_as_long_as_it_can(tmp_path: Path) -> None:
    """Columns go for it; of two that have no room together no letter is lost."""
    names = "a bot that has a rather long name", "another bot of the same kind, as long"
    (tmp_path / "bots.py").write_text(
        f"class One:\n    name = {names[0]!r}\n"
        "    def choose(self, view, moves, *, rng): return moves[0]\n"
        f"class Two(One): name = {names[1]!r}\n"
    )
    two = f"{tmp_path}/bots.py:One {tmp_path}/bots.py:Two"
    for words in (f"battle {two} {two} -n 1 -q -j 1", f"league {two} -n 4 -q -j 1"):
        shown = printed(words, stream("utf-8", terminal=True))
        assert max(map(len, shown.splitlines())) <= 80
        for table in shown.split("\n\n"):
            if names[0].split()[1] in table and "less" not in table:
                assert all(name in table for name in names)
    shown = printed(f"battle {two} {two} -n 1 -q -j 1", stream("utf-8", terminal=True))
    pair = next(table for table in shown.split("\n\n") if "less" in table)
    assert all(word in pair for name in names for word in name.split())


@pytest.mark.usefixtures("ready")
def test_headings_that_leave_no_room_are_numbered() -> None:
    names = [f"agent-of-a-rather-long-name-{n}" for n in "ab"]

    def shown(*, terminal: bool) -> list[str]:
        table = Table("", *names, "l1")
        for name in names:
            table.add_row(name, "12.5", "-3.0", "8")
        out = stream("utf-8", terminal=terminal)
        with redirect_stdout(out):
            print_grid(table, notes=["a note"])
        out.flush()
        return out.buffer.getvalue().decode().splitlines()  # type: ignore[attr-defined,no-any-return]

    lines = shown(terminal=True)
    assert max(map(len, lines)) <= 80
    # The second has room, once the first is short; the rows keep their names.
    assert [name in lines[1] for name in names] == [False, True]
    assert "(1)" in lines[1]
    assert "l1" in lines[1]
    assert [name in line for name, line in zip(names, lines[3:], strict=False)] == [True, True]
    assert lines[-2:] == [f"(1) {names[0]}", "a note"]
    piped = shown(terminal=False)
    assert all(name in piped[1] for name in names)
    assert "(1)" not in "".join(piped)


@pytest.mark.usefixtures("ready")
def test_where_stdout_is_no_terminal_nothing_is_left_out() -> None:
    words = next(iter(CALLS["battle"]))
    piped = printed(f"battle {words}", stream("utf-8"))
    assert "calls" in piped
    assert piped == printed(f"battle {words} --wide", stream("utf-8", terminal=True))


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize(
    ("words", "written"),
    [
        (
            "battle first random first first -n 1 -q -j 1 -o kept --records r.txt",
            "kept/report.json",
        ),
        ("league first random -n 4 -q -j 1 -o kept", "kept/league.json"),
        ("audit wrong.csv -q -o kept", "kept/summary.json"),
        ("certify 11m --called 4 -o kept.json", "kept.json"),
        ("dataset describe set --figure kept.svg", "kept.svg"),
        ("tables certify -o kept.json", "kept.json"),
    ],
)
def test_what_took_work_is_on_disk_before_it_is_printed(
    words: str, written: str, tmp_path: Path, folder: Path
) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    place = str(tmp_path / "kept")
    with redirect_stdout(Full()):
        assert execute(shlex.split(words.replace("kept", place).replace("r.txt", place + "r"))) == 2
    assert (tmp_path / written).stat().st_size
