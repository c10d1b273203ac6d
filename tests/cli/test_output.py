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
from mjopt.cli import output
from mjopt.cli.main import COMMANDS, execute, load_command
from mjopt.cli.output import print_table
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
        "11m123p --called 3 --wall 123m4p --within 1 --throw": ("1p",),
        "11m12p --call 3p --called 3 --wall 1234p1m": ("chow 123p, discard 1m",),
    },
    "win-chance": {"1123m --called 3 --draws 2": ("discard",)},
    "export": {HAND: ()},
    "label": {"hands.txt -q": ()},
    "audit": {
        "wrong.csv -q": ("too low", "1112345678999m1p"),
        "--advice stratified:2:1=1 --draws 1 -o made -q -j 1": ("deficiency",),
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
    monkeypatch.setattr(mjopt.cli.reproduce, "reproduce", lambda *_, **__: [wide])
    sums = {"suit_states": 1, "honour_states": 1, "joins": 1, "seconds": 1.0}
    monkeypatch.setattr(mjopt.cli.tables, "certify_tables", lambda: sums)
    monkeypatch.setattr(mjopt.cli.warm, "BATCHES", {"none": lambda: None})
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


def test_optional_columns_are_left_out_where_there_is_no_room(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "unknown")

    def show(*, terminal: bool, wide: bool = False) -> str:
        monkeypatch.setattr(output, "is_terminal", lambda: terminal)
        table = Table("agent", "wins", "losses", "a-long-heading")
        table.add_row("name-of-an-agent", "12.5", "3.25", "1")
        print_table(table, optional=["losses", "a-long-heading | wins"], wide=wide)
        return capsys.readouterr().out

    full = show(terminal=False)
    assert all(word in full for word in ("name-of-an-agent", "12.5", "3.25", "a-long-heading"))
    assert show(terminal=True, wide=True) == full
    narrow = show(terminal=True)
    assert max(map(len, narrow.splitlines()[:-2])) <= 40
    assert "name-of-an-agent" in narrow
    assert "12.5" not in narrow
    words = " ".join(narrow.split())
    assert "40 columns leave out: losses, wins, a-long-heading; --wide shows them" in words


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
