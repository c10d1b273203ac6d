"""Nothing that a stored file names is imported: a folder or file from others runs no code.

Each kind of stored folder is written by mjopt, one of its texts after the other is replaced by the
name of a class, and every command and function that reads the folder runs.
"""

import ast
import csv
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, closing, suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.browsing import OWNER, Wire, search_nothing
from helpers.checksums import reseal
from helpers.learning_states import normal_file, perfect_file
from helpers.own_method import write_method
from helpers.plain_reports import simplify_reports
from helpers.surroundings import install, package_folder
from helpers.table_summary import table_summary
from helpers.toy_method import install_toy
from matplotlib.figure import Figure

import mjopt
from mjopt import FORMULATIONS, datasets
from mjopt.analysis.certificate import Certificate
from mjopt.chances.ceiling.table import HEADER_SIZE, CeilingTable
from mjopt.cli.main import COMMANDS, execute, load_command
from mjopt.datasets.labels.registry import LABELS
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import FileError, MjoptError
from mjopt.heuristics import HEURISTICS
from mjopt.instances import read_index
from mjopt.play import battle, league
from mjopt.play.game.agents import AGENTS, read_agent
from mjopt.play.game.record import read_record
from mjopt.play.learning import weights
from mjopt.play.learning.checkpoints import TrainingRun
from mjopt.play.learning.config import PRESETS
from mjopt.play.matches.match_session import MatchSettings
from mjopt.play.matches.match_store import SUFFIX, Matches, read_match
from mjopt.play.puzzles.puzzle import shipped_puzzles
from mjopt.play.puzzles.record import PuzzleAnswer
from mjopt.play.puzzles.store import PlayerRecords
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.solitaire.discard_rules import RULES
from mjopt.play.solitaire.rule_ranking import rank_rules
from mjopt.studies import Study, StudyConfig, run_study
from mjopt.studies.instances import read_hand_set
from mjopt.studies.reproduction.run import Scale, reproduce

HAND: Final = "1112345678999m1p"
LOGS: Final = Path(__file__).parent / "data" / "logs"
MARKER: Final = "marker"
EVIL: Final = "open({marker!r}, 'w').close()\n\n\nclass Evil: ...\n"
BOT: Final = """
class Bot:
    name = "bot"

    def choose(self, view, moves, *, rng):
        return moves[0]
"""
RULE: Final = "def last(hand, wall):\n    return max(k for k, n in enumerate(hand.counts) if n)\n"


Place = tuple[str, ...]
"""The keys of a text in a JSON document, or the name of its column."""


class Planted(NamedTuple):
    """The names of a class that must not be loaded."""

    file: str
    plugin: str


Edit = Callable[[Path, Planted], None]


@dataclass(frozen=True)
class Stored:
    """A kind of stored folder or file.

    Parameters
    ----------
    build
        Writes one into the working folder.
    commands
        Commands that read it.
    calls
        Public functions that read it.
    files
        Those of its files that are read.
    """

    build: Callable[[], object]
    commands: tuple[str, ...] = ()
    calls: tuple[Callable[[], object], ...] = ()
    files: tuple[str, ...] = ("**/*",)


def run(words: str) -> None:
    assert execute(words.split()) in (0, 1)


def build_study() -> None:
    write_method(Path())
    run("compare sa.py:SA tree-search --hands two-type:20 --runs 1 -o study -j 1")


def build_dataset() -> None:
    Path("keep.py").write_text("def some(rows):\n    return rows.rows % 2 == 0\n")
    labels = "--labels deficiency,heuristic:ndde"
    run(f"dataset build deals:60 {labels} --check 1 --where keep.py:some -o data -j 1")


def build_instances() -> None:
    run("instances build --number 7 -o set -j 1")
    run("instances solve set -o runs --solver highs --model blockwise -j 1")


def build_battle() -> None:
    Path("bot.py").write_text(BOT)
    run("battle bot.py:Bot l1 first l1 -n 2 --rounds 1 --records games.txt -o battle -j 1")


def build_league() -> None:
    Path("bot.py").write_text(BOT)
    run("league bot.py:Bot first -n 8 -o league -j 1")


def build_ranking() -> None:
    Path("rule.py").write_text(RULE)
    run("solitaire rule.py:last useful -n 5 --draws 3 -o ranking -j 1")


def build_review() -> None:
    shutil.copytree(LOGS, "logs", ignore=shutil.ignore_patterns("*.md", "LICENSE*", "*-01*"))
    run("review logs -o review -j 1")


def build_riichi() -> None:
    run("battle first first first first -n 1 --rounds 1 --rules riichi -j 1 --records hand.txt")


def build_weights() -> None:
    normal_file(Path("normal.npz"))
    perfect_file(Path("weights.npz"))


def build_training() -> None:
    Path("training").mkdir()
    run_ = TrainingRun(folder=Path("training"), config=PRESETS["tiny"], settings={"seed": 0})
    run_.start_or_resume({}, 10)
    perfect_file(Path("training/weights.npz"))


def build_matches() -> None:
    Path("games").mkdir()
    matches = Matches(Path("games"), new_seed=lambda: 1)
    matches.start(MatchSettings(rules="m0"), OWNER)
    matches.start(MatchSettings(position="445m34677p2346s55z draws=6"), OWNER)
    records = PlayerRecords(Path("games"))
    position = next(iter(shipped_puzzles()))
    answer = PuzzleAnswer(puzzle=position, tile="1m", is_right=False, time=0.0)
    records.update(OWNER, lambda record: record.with_answer(answer))
    records.update(OWNER, lambda record: record.with_daily(date(2026, 11, 26), ("1m",)))
    run("battle l1 l1 first l1 -n 1 --rounds 1 --records games/games.txt -o games/battle -j 1")


def build_certificates() -> None:
    run(f"certify {HAND} -o certificate.json")
    run("win-chance 11123m456m789m1s2s --draws 2 -o chance.json")


def build_values() -> None:
    Path("values.csv").write_text(f"hand,deficiency\n{HAND},1\n{HAND},2\n")
    run("label values.csv -o labels.csv")


SMALL: Final = Scale(
    hands={"one": "one-type@9", "two": "two-type:9", "three": "three-type:9"},
    runs=1,
    sample=2,
    timed=2,
)


def read_matches() -> None:
    app = make_app(Settings(games=Path("games")))
    with closing(Wire(app)) as wire:
        pages = [
            "/play",
            "/games",
            "/statistics",
            "/puzzles",
            "/puzzles/next",
            "/daily",
        ]
        for path in pages:
            _, text = wire.ask("GET", path)
            links = re.findall(rb'href="(/(?:play|games)/[^"?#]+)"', text)
            links += re.findall(rb"^location: (/\S+)", text, re.MULTILINE)
            pages += [link for link in map(bytes.decode, links) if link not in pages]
    for path in Path("games").glob(f"*{SUFFIX}"):
        read_match(path)


def each_row(path: str) -> None:
    for line in Path(path).read_text().splitlines():
        read_record(line)


def open_plan() -> None:
    document = json.loads(Path("data/manifest.json").read_text())["plan"]
    datasets.build(DatasetPlan.from_document(document, "data"), "again")


KINDS: Final[dict[str, Stored]] = {
    "study": Stored(
        build_study,
        (
            "compare -o study",
            "compare tree-search --hands two-type:20 --runs 1 -o study -j 1",
        ),
        (
            lambda: run_study(Study("study").config, "study"),
            lambda: run_study(Study("study").config, "again"),
            lambda: [method.text for method in Study("study").config.methods],
            lambda: StudyConfig.from_json(Path("study/study.json").read_text()),
        ),
        ("study/study.json", "study/units.csv", "study/rows.parquet"),
    ),
    "dataset": Stored(
        build_dataset,
        (
            "dataset check data",
            "dataset card data",
            "dataset describe data",
            "dataset sample data",
            "dataset build deals:60 -o data -j 1",
        ),
        (
            lambda: datasets.check_dataset("data"),
            lambda: datasets.describe_dataset("data"),
            lambda: [*datasets.sample_rows("data", 2, rng=1)],
            lambda: datasets.to_numpy("data"),
            lambda: datasets.to_pandas("data"),
            open_plan,
        ),
    ),
    "instances": Stored(
        build_instances,
        (
            "instances build --number 7 -o set -j 1",
            "instances solve set -o runs --solver highs --model blockwise -j 1",
            "instances solve set -o new --solver highs --model blockwise -j 1",
        ),
        (lambda: [instance.program() for instance in read_index("set")],),
        ("set/index.parquet", "runs/*"),
    ),
    "battle": Stored(
        build_battle,
        (
            "battle l1 l1 first l1 -n 2 --rounds 1 -o battle -j 1",
            "replay games.txt",
            "replay games.txt -o -",
            "replay games.txt --show 1",
            "replay games.txt -o page.html",
        ),
        (
            lambda: battle(["l1", "l1", "first", "l1"], games=2, rounds=1, folder="battle"),
            partial(each_row, "games.txt"),
        ),
        ("battle/battle.json", "games.txt"),
    ),
    "league": Stored(
        build_league,
        ("league first l1 -n 8 -o league -j 1",),
        (lambda: league(["first", "l1"], games=8, folder="league"),),
        ("league/*/battle.json",),
    ),
    "ranking": Stored(
        build_ranking,
        ("solitaire useful -n 5 --draws 3 -o ranking -j 1",),
        (lambda: rank_rules(["useful"], deals=5, draws=3, folder="ranking"),),
        ("ranking/deals/*",),
    ),
    "review": Stored(
        build_review,
        ("review logs -o review -j 1",),
        files=("logs/**/*", "review/**/*.json", "review/**/*.unit"),
    ),
    "riichi": Stored(build_riichi, ("replay hand.txt",), files=("hand.txt",)),
    "weights": Stored(
        build_weights,
        ("battle normal:normal.npz first first first -n 1 --rounds 1 --rules jj -j 1",),
        (
            lambda: weights.load(Path("normal.npz")),
            lambda: read_agent("normal:normal.npz"),
            lambda: read_agent("mcts:weights.npz", perfect_information=True),
        ),
    ),
    "training": Stored(
        build_training,
        (
            "train perfect --preset tiny --set games=3 --seed 5 -o training",
            "train normal --from training --preset tiny --set normal_games=3 --seed 5 -o training",
            "train imitation --preset tiny --set normal_games=3 --seed 5 -o training",
        ),
    ),
    "matches": Stored(
        build_matches,
        calls=(read_matches,),
        files=("games/*.json", "games/*.txt", "games/battle/battle.json"),
    ),
    "certificates": Stored(
        build_certificates,
        ("verify certificate.json", "verify chance.json"),
        (lambda: Certificate.from_json(Path("certificate.json").read_text()),),
    ),
    "ceiling": Stored(
        lambda: run("ceiling build --draws 1 --called 4 -o table.ceiling"),
        (
            "ceiling build --draws 1 --called 4 -o table.ceiling",
            "ceiling check table.ceiling --quick --sample 5",
            "ceiling describe table.ceiling",
            "win-chance 1m --called 4 --draws 1 --ceiling table.ceiling",
        ),
        (lambda: CeilingTable.open(Path("table.ceiling")),),
    ),
    "tables": Stored(
        lambda: Path("tables.json").write_text(json.dumps(table_summary())),
        ("tables verify tables.json",),
    ),
    "hands": Stored(
        build_values,
        (
            "audit values.csv",
            "audit-engine xiangting --hands values.csv",
            "label values.csv -o labels.csv",
            "certify --hands values.csv -o certificates -j 1",
            "dataset build file:values.csv -o data -j 1",
            "compare tree-search --hands values.csv --runs 1 -o study -j 1",
        ),
        files=("values.csv",),
    ),
    "reproduction": Stored(
        lambda: reproduce(["figure4"], SMALL, Path("reproduction")),
        ("reproduce figure4 --seed 1 -o reproduction -j 1",),
        (lambda: reproduce(["figure4"], SMALL, Path("reproduction")),),
        files=("reproduction/**/study.json",),
    ),
}
"""Every kind of stored folder and file, with everything that reads it."""

WRITTEN: Final = frozenset(
    {
        "draws --output",
        "win-chance --output",
        "export --output",
        "dataset describe --output",
        "dataset positions --output",
        "ceiling describe --output",
        "tables certify --output",
        "battle --records",
        "play --records",
        "replay --output",
        "compare --log",
        "certify --format",
        "audit --output",
        "audit-engine --output",
    }
)
"""Options with files that are only written, or with their format."""

NAMED: Final = (
    frozenset({f"{name} --model" for name in ("deficiency", "export", "label")})
    | frozenset({f"{name} --solver" for name in ("deficiency", "export", "label")})
    | frozenset({"dataset check --code", "dataset build --labels", "dataset build --where"})
    | frozenset({"dataset build --licence"})
    | frozenset({"search --method", "compare methods", "battle agents", "mjai agent"})
    | frozenset({"solitaire rules", "audit-engine name", "audit-engine --command", "league agents"})
)
"""Options with code that the user names."""

RULE_FILES: Final = ("--rules", "--forms")
"""Options of every command about hands that read a file of rules; see below."""

NUMBERS_ONLY: Final = frozenset({"advise --prior", "danger --prior"})
"""Options with TOML files of numbers: tests/chances/danger/test_prior.py."""

LOG_FILES: Final = frozenset({"dataset positions files"})
"""Options with logs, which the reader of reviews reads."""

SERVED: Final = frozenset({"serve --games"})
"""Options of the page, whose folders :func:`read_matches` visits."""

KNOWN_OPTIONS: Final = WRITTEN | NAMED | NUMBERS_ONLY | LOG_FILES | SERVED

READERS: Final = {
    "mjopt._internal.unit_store": "ranking",
    "mjopt.chances.ceiling.table": "ceiling",
    "mjopt.datasets.manifest": "dataset",
    "mjopt.datasets.reader": "dataset",
    "mjopt.play.review.detect_format": "review",
    "mjopt.play.riichi.record": "riichi",
    "mjopt.play.riichi.replay": "riichi",
    "mjopt.hands.files.row_file": "hands",
    "mjopt.instances.index": "instances",
    "mjopt.instances.solve": "instances",
    "mjopt.play.learning.checkpoints": "training",
    "mjopt.play.learning.replay_buffer": "training",
    "mjopt.play.learning.weights": "weights",
    "mjopt.proofs.native_check": "certificates",
    "mjopt.play.puzzles.store": "matches",
    "mjopt.play.matches.match_store": "matches",
    "mjopt.studies.config": "study",
    "mjopt.studies.report": "study",
    "mjopt.studies.study_files": "study",
    "mjopt.studies.runner": "study",
    "mjopt.play.tournaments.checkpoint": "battle",
    "mjopt.play.tournaments.league": "league",
}
"""The kind that each module reads, of those that parse JSON, Parquet or arrays."""

NO_FILES: Final = {
    "mjopt._internal.strict_json",  # the parser
    "mjopt.audits.comparison",  # rows that it has just written
    "mjopt.audits.engines",  # answers of a program
    "mjopt.tables.bundles.bundle_file",  # numbers and arrays, which only mjopt writes
    "mjopt.play.game.agents.program",  # answers of a program
    "mjopt.play.mjai.player",  # messages on standard input
    "mjopt.studies.reproduction.published_results",  # a file of the package
}

KNOWN: Final = {*HEURISTICS, *AGENTS, *FORMULATIONS, *LABELS, *RULES}
"""Names of built-in classes, in whose place a stored file could name a plug-in."""

PARSERS: Final = {
    "read_json",
    "read_json_file",
    "read_stored_file",
    "ParquetFile",
    "read_metadata",
} | {
    ("json", "loads"),
    ("np", "load"),
    ("pd", "read_parquet"),
    ("pd", "read_csv"),
    ("pq", "read_table"),
}


# The walk ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a kind, written once."""
    folders: dict[str, Path] = {}

    def get(kind: str) -> Path:
        if kind not in folders:
            folders[kind] = tmp_path_factory.mktemp(kind)
            with chdir(folders[kind]):
                KINDS[kind].build()
        return folders[kind]

    return get


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[Planted]:
    """Return the names of a class: of a file, and of a plug-in that is installed."""
    home = tmp_path / "elsewhere"
    groups = ("heuristics", "agents", "models")
    points = "".join(f"[mjopt.{group}]\nplanted = evil:Evil\n" for group in groups)
    install(home, "evil", EVIL.format(marker=str(tmp_path / MARKER)), points)
    with package_folder(home):
        yield Planted(f"{home}/evil.py:Evil", "planted")


# The files of a reproduction are those of a study; those of instances take long.
SLOW: Final = ("instances", "reproduction")
IN_TURN = [pytest.param(k, marks=pytest.mark.slow) if k in SLOW else k for k in KINDS]


@pytest.mark.parametrize("kind", IN_TURN)
def test_stored_names_are_not_imported(
    kind: str,
    pristine: Callable[[str], Path],
    planted: Planted,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Each edit writes reports and pages.
    simplify_reports(monkeypatch)
    draw_no_figures(monkeypatch)
    search_nothing(monkeypatch)
    source = pristine(kind)
    files = {path for glob in KINDS[kind].files for path in source.glob(glob) if path.is_file()}
    changes = [("", overwrite_user_files), *edits(source, sorted(files))]
    for changed, edit in changes:
        folder = tmp_path / "copy"
        shutil.copytree(source, folder)
        edit(folder, planted)
        with chdir(folder):
            for words in (words for words in KINDS[kind].commands if changed in words):
                check_command(words, capfd)
                assert not (tmp_path / MARKER).exists(), (words, edit)
            for call in KINDS[kind].calls:
                with suppress(MjoptError):
                    call()
                assert not (tmp_path / MARKER).exists(), (call, edit)
        shutil.rmtree(folder)


def draw_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write files of figures without drawing them."""
    monkeypatch.setattr(Figure, "get_layout_engine", lambda _: None)
    monkeypatch.setattr(Figure, "savefig", lambda _, file, **_options: file.write(b"<svg></svg>"))


def check_command(words: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Run a command: it ends as documented, and bad input is one line."""
    capfd.readouterr()
    status = execute(["--quiet", *words.split()])
    err = capfd.readouterr().err
    assert status in (0, 1, 2, 3)
    assert "Traceback" not in err
    if status == 2:
        notes = [line for line in err.splitlines() if not line.startswith("mjopt: seed ")]
        assert len(notes) == 1, err


def overwrite_user_files(folder: Path, names: Planted) -> None:
    """Give all files of the user's classes the content of the class that must not be loaded."""
    evil = Path(names.file.partition(":")[0]).read_text()
    for path in folder.glob("*.py"):
        path.write_text(evil)


def edits(folder: Path, files: Sequence[Path]) -> Iterator[tuple[str, Edit]]:
    """Yield functions that each change texts of a file, with the name that commands use.

    One text after the other becomes the name of a class of a file, and one known name after the
    other that of a plug-in, also within longer texts.
    """
    for path in files:
        at = path.relative_to(folder)
        found: dict[Place, set[str]] = {}

        def note(place: Place, text: str, found: dict[Place, set[str]] = found) -> str:
            found.setdefault(place, set()).add(text)
            return text

        rewrite(path, note)
        for place in found:
            yield at.parts[0], partial(_replace, at, place)
        for name in sorted(KNOWN):
            word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])")
            if any(word.search(text) for texts in found.values() for text in texts):
                yield at.parts[0], partial(_rename, at, word)


def _replace(at: Path, wanted: Place, folder: Path, names: Planted) -> None:
    rewrite(folder / at, lambda place, text: names.file if place == wanted else text)


def _rename(at: Path, word: re.Pattern[str], folder: Path, names: Planted) -> None:
    rewrite(folder / at, lambda _, text: word.sub(names.plugin, text))


def rewrite(path: Path, change: Callable[[Place, str], str]) -> None:
    """Change every text in a file; equal places in the items of a list are one."""
    if path.suffix == ".json":
        path.write_text(json.dumps(with_texts(json.loads(path.read_text()), change), indent=1))
    elif path.suffix == ".jsonl":
        lines = [with_texts(json.loads(line), change) for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    elif path.suffix == ".ceiling":
        content = path.read_bytes()
        document = with_texts(json.loads(content[:HEADER_SIZE]), change)
        head = json.dumps(document).encode().ljust(HEADER_SIZE - 1) + b"\n"
        path.write_bytes(head + content[HEADER_SIZE:])
    elif path.suffix == ".unit":
        _, line, content = path.read_bytes().split(b"\n", 2)
        rest = json.dumps(with_texts(json.loads(line), change)).encode() + b"\n" + content
        path.write_bytes(f"mjopt unit {sha256(rest).hexdigest()}\n".encode() + rest)
    elif path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            np_arrays = {name: with_document(archive[name], change) for name in archive.files}
        np.savez(path, **np_arrays)
    elif path.suffix == ".parquet":
        table = pq.read_table(path, partitioning=None)
        for index, field in enumerate(table.schema):
            if "string" in str(field.type):
                texts = [change((field.name,), text) for text in table[field.name].to_pylist()]
                table = table.set_column(index, field, pa.array(texts, field.type))
        pq.write_table(table, path)
    elif path.suffix == ".csv":
        with path.open(newline="") as file:
            head, *rows = csv.reader(file)
        rows = [
            [
                cell if cell.isdecimal() else change((name,), cell)
                for name, cell in zip(head, row, strict=True)
            ]
            for row in rows
        ]
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([head, *rows])
    elif path.suffix == ".txt":
        words = re.compile(r"(\w+)=(\S+)")
        path.write_text(words.sub(lambda m: f"{m[1]}={change((m[1],), m[2])}", path.read_text()))
    if (path.parent / "SHA256SUMS").exists():
        reseal(path.parent)


def with_document(array: Any, change: Callable[[Place, str], str]) -> Any:
    """Change the texts of a JSON document in an array; other arrays stay."""
    if array.dtype.kind == "U" and array.ndim == 0:
        return np.array(json.dumps(with_texts(json.loads(str(array)), change)))
    if array.dtype == np.uint8 and array.ndim == 1 and bytes(array[:1]) == b"{":
        document = with_texts(json.loads(array.tobytes()), change)
        return np.frombuffer(json.dumps(document).encode(), np.uint8)
    return array


def with_texts(value: Any, change: Callable[[Place, str], str], place: Place = ()) -> Any:
    """Return a JSON document with changed texts."""
    if isinstance(value, str):
        return change(place, value)
    if isinstance(value, dict):
        return {key: with_texts(item, change, (*place, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [with_texts(item, change, (*place, "[]")) for item in value]
    return value


# What the user names is loaded ------------------------------------------------------------


@pytest.mark.usefixtures("in_tmp_path")
def test_the_same_command_resumes_a_study_of_a_users_class(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    simplify_reports(monkeypatch)
    build_study()
    rows = Path("study/rows.parquet").read_bytes()
    Path("study/rows.parquet").unlink()
    with pytest.raises(FileError, match=r"method sa-2: .*'sa\.py:SA', which is loaded only when"):
        run_study(with_hands(Study("study").config), "study")
    build_study()
    assert Path("study/rows.parquet").read_bytes() == rows
    report = Path("study/report.html").read_bytes()
    Path("sa.py").unlink()
    run("compare -o study")
    assert Path("study/report.html").read_bytes() == report
    assert b"sa-2" in report


def with_hands(config: StudyConfig) -> StudyConfig:
    """Return the configuration with the hands that a folder does not hold."""
    [two] = config.sets
    counts = read_hand_set(two.recipe, seed=two.seed).counts
    return replace(config, sets=(replace(two, counts=counts),))


@pytest.mark.usefixtures("in_tmp_path")
def test_check_loads_the_plug_in_of_a_named_label(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    packages, label = install_toy(tmp_path / "packages"), "heuristic:toy:generations=2"
    with package_folder(packages):
        run(f"dataset build deals:50 --labels deficiency,{label} -o data -j 1")
    with package_folder(packages):
        capfd.readouterr()
        assert execute(["dataset", "check", "data"]) == 2
        assert f"data: label {label} is not built in" in capfd.readouterr().err
        for words in ("dataset sample data", "dataset check data --sample 0"):
            run(words)
        assert "toy_method_of_mine" not in sys.modules
        assert execute(["dataset", "check", "data", "--code", label]) == 0
        assert "4 rows proved again" in capfd.readouterr().out


# The lists above are complete ---------------------------------------------------------------


def test_every_option_that_takes_a_file_is_tested() -> None:
    read = {words for stored in KINDS.values() for words in stored.commands}
    for name, param in path_parameters():
        option = max(param.opts, key=len)
        if getattr(param, "is_flag", False) or f"{name} {option}" in KNOWN_OPTIONS:
            continue
        if option in RULE_FILES:
            continue
        flags = [o for o in param.opts if o.startswith("-")]
        own = [words for words in read if words.startswith(f"{name} ")]
        assert any(not flags or {*flags} & {*words.split()} for words in own), (name, option)


@pytest.mark.parametrize("key", ["name", "title", "tiles", "kinds", "fixed", "of"])
def test_a_file_of_rules_imports_nothing(tmp_path: Path, monkeypatch, capfd, key: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text(EVIL.format(marker=MARKER))
    values = {"name": "mine", "title": "Mine", "tiles": "136"} | {key: "evil.py:Evil"}
    top = [f'{name} = "{values.pop(name)}"' for name in ("name", "title", "tiles")]
    form = [f'{name} = "{text}"' for name, text in values.items()]
    Path("own.toml").write_text("\n".join([*top, "[[form]]", "melds = 4", "eyes = 1", *form]))

    for words in ("deficiency 1112345678999m --rules", "discards 1112345678999m --forms"):
        assert execute([*words.split(), "own.toml"]) == (0 if key == "title" else 2)
    assert "own.toml" in capfd.readouterr().err or key == "title"
    assert not Path(MARKER).exists()


def path_parameters() -> Iterator[tuple[str, Any]]:
    """Yield the command and option of every parameter whose help speaks of files or folders."""
    words = re.compile(r"FILE|DIR\b|PLACE|[Ff]ile|[Ff]older|\.[a-z]{3,7}\b|[Ll]ogs?\b|summary")
    for name in (name for commands in COMMANDS.values() for name in commands):
        command = load_command(name)
        for sub, one in getattr(command, "commands", {"": command}).items():
            for param in one.params:
                if words.search(f"{param.metavar or ''} {getattr(param, 'help', '') or ''}"):
                    yield f"{name} {sub}".strip(), param


def test_every_module_that_parses_files_is_tested() -> None:
    root = Path(mjopt.__file__).parent
    names = {name if isinstance(name, str) else name[1] for name in PARSERS}
    called = re.compile(rf"\b({'|'.join(names)})\(")  # most files call none
    parsing = set()
    for path in root.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if called.search(text) and any(map(is_parser, ast.walk(ast.parse(text)))):
            parsing.add(".".join(path.relative_to(root.parent).with_suffix("").parts))
    assert parsing == {*READERS} | NO_FILES
    assert {*READERS.values()} <= {*KINDS}


def is_parser(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        return {(node.func.value.id, node.func.attr), node.func.attr} & PARSERS != set()
    return isinstance(node.func, ast.Name) and node.func.id in PARSERS


@pytest.mark.parametrize("key", ["recipe", "labels", "own_labels"])
def test_reading_a_dataset_imports_no_class(tmp_path: Path, capfd, key: str) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'marker')!r}, 'w')\n")
    folder = tmp_path / "data"
    assert execute(["dataset", "build", "deals:5", "-o", str(folder)]) == 0
    document = json.loads((folder / "manifest.json").read_text())
    evil = f"{tmp_path}/evil.py:Evil"
    document["plan"] |= {
        "recipe": {"recipe": f"{evil}:5"},
        "labels": {"labels": [evil, f"heuristic:{evil}"]},
        "own_labels": {
            "labels": ["deficiency", evil],
            "own_labels": {evil: [["x", "int8", "a column"]]},
        },
    }[key]
    (folder / "manifest.json").write_text(json.dumps(document))
    for command in ("check", "describe"):
        execute(["dataset", command, str(folder)])
    assert not (tmp_path / "marker").exists()
