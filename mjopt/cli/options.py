"""Options shared by commands."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import MISSING, dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

from typer import Argument, Option

from mjopt._internal.files import temporary_folder
from mjopt._internal.text_input import decode_text
from mjopt.cli.output import warn
from mjopt.errors import ArgumentError, FileError, HandError, MjoptError, TileError
from mjopt.hands.hand import Hand
from mjopt.hands.notation import read_tiles
from mjopt.hands.notation.registry import NOTATIONS
from mjopt.hands.rules.classic_forms import FORMS
from mjopt.hands.rules.read_forms import needs_honours, read_forms, rule_set_of
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, M0, TileSet, as_tiles
from mjopt.models.registry import FORMULATIONS
from mjopt.models.solve import DEFAULT_MODEL
from mjopt.models.solvers.registry import SOLVERS

if TYPE_CHECKING:
    from mjopt.hands.files.hand_file import HandFile

STDIN = "standard input"  # the name of `-` in messages
MOST_OF_STDIN = 1 << 30  # bytes

HandText = Annotated[
    str, Argument(help="A hand of 13 or 14 tiles; - for standard input.", metavar="HAND")
]
HandTexts = Annotated[
    list[str],
    Argument(help="Hands of 13 or 14 tiles; - for those on standard input.", metavar="HAND..."),
]
Folder = Annotated[str, Argument(help="The folder of a dataset.", metavar="DIR")]
TileSetName = Annotated[str, Option("--tiles", help="Tile set: m0 (or 108), 136 (or full), sanma.")]
TilesOfHands = Annotated[
    str | None,
    Option(
        "--tiles",
        help="Tile set: m0 (or 108), 136 (or full), sanma. "
        "[default: 136 if there are honours, else m0]",
    ),
]
NotationName = Annotated[
    str, Option("--notation", help=f"How tiles are written: {', '.join(NOTATIONS)}.")
]
NumCalled = Annotated[
    int | None, Option("--called", help="Melds already on the table, 0 to 4.", metavar="N")
]
Called = Annotated[
    list[str] | None,
    Option(
        "--called",
        "--meld",
        help="Melds already on the table: how many, or one of them, whose tiles are no longer "
        "unseen; repeatable.",
        metavar="N|MELD",
    ),
]
Partial = Annotated[bool, Option("--partial", help="Allow fewer tiles than a hand has.")]
Size = Annotated[
    int | None,
    Option(
        "--size",
        help="Tiles in a hand: those of a complete hand, or one fewer. [default: a complete hand]",
    ),
]
FORMS_HELP = (
    f"Winning forms, comma-separated: {', '.join(FORMS)}; riichi (these), all; or those of a rule "
    "set or of FILE.toml."
)
FormsOfHand = Annotated[
    str | None,
    Option("--forms", help=f"{FORMS_HELP} [default: those of --rules, else standard]"),
]
RuleSetName = Annotated[
    str | None,
    Option(
        "--rules",
        help="Rule set of the hand: its tiles, size and winning forms; see `mjopt forms`.",
        metavar="NAME|FILE",
    ),
]
Unseen = Annotated[
    str | None, Option("--unseen", help="Tiles that can still arrive, as tiles.", metavar="TILES")
]
Wall = Annotated[
    str | None,
    Option("--wall", help="The wall, as tiles. [default: all others]", metavar="TILES"),
]
Seen = Annotated[
    str | None,
    Option("--seen", help="Tiles seen elsewhere: not in the wall.", metavar="TILES"),
]
MODELS = f"{', '.join(FORMULATIONS)}, or FILE.py:CLASS"
Model = Annotated[
    str | None, Option("--model", help=f"Formulation: {MODELS}. [default: {DEFAULT_MODEL}]")
]
SolverName = Annotated[
    str | None,
    Option(
        "--solver",
        help=f"Solver: {', '.join(SOLVERS)}, or FILE.py:CLASS. [default: first available]",
    ),
]
HANDS_HELP = (
    "Hands: a recipe such as deals:1000, or a file (.txt, .csv, .jsonl, .parquet, .npy); - for "
    "stdin."
)
Hands = Annotated[str, Option("--hands", help=HANDS_HELP, metavar="RECIPE|FILE")]
HandsSeed = Annotated[int, Option("--seed", help="Seed of the hands of a recipe.")]
OutputFile = Annotated[
    str, Option("--output", "-o", help="File to write; - for stdout.", metavar="FILE")
]
FigureFile = Annotated[
    str | None,
    Option("--output", "-o", help="Also plot it: a .svg, .png or .pdf file.", metavar="FILE"),
]
StudySeed = Annotated[int, Option("--seed", help="Seed of the hands and of every run.")]
RulesName = Annotated[
    str, Option("--rules", help="m0, gmjbg or jj, with changes: jj,ready=0; or riichi.")
]
DecisionLimit = Annotated[
    float | None,
    Option("--time-limit", help="Seconds for a decision; a late player loses.", metavar="S"),
]
BattleFolder = Annotated[
    str | None,
    Option("--output", "-o", help="Folder for rows and reports; resumes there.", metavar="DIR"),
]
Jobs = Annotated[
    int | None, Option("--jobs", "-j", help="Processes. [default: one a core]", metavar="N")
]
Workers = Annotated[
    str | None,
    Option(
        "--jobs",
        "--scheduler",
        "-j",
        help="Processes, or a Dask scheduler, tcp://HOST:PORT. [default: one a core]",
        metavar="N|ADDRESS",
    ),
]
Json = Annotated[bool, Option("--json", help="Print one JSON document.")]


def expanded(command: Callable[..., object]) -> Callable[..., object]:
    """Expand parameters of a command that are dataclasses: each field becomes an option.

    Fields without an option annotation keep their default.
    """
    records: dict[str, type] = {}
    options: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation):
            records[parameter.name] = parameter.annotation
            options += (
                Parameter(
                    f.name,
                    Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if f.default is MISSING else f.default,
                    annotation=f.type,
                )
                for f in fields(parameter.annotation)
                if hasattr(f.type, "__metadata__")
            )
        else:
            options.append(parameter)

    def call(**values: object) -> object:
        for name, kind in records.items():
            names = [field.name for field in fields(kind) if field.name in values]
            values[name] = kind(**{field: values.pop(field) for field in names})
        return command(**values)

    call.__name__, call.__doc__ = command.__name__, command.__doc__
    call.__signature__ = Signature(options)  # type: ignore[attr-defined]
    return call


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReader:
    """Options for reading hands."""

    tiles: TilesOfHands = None
    notation: NotationName = "mpsz"
    called: Called = None
    partial: Partial = False
    rules: RuleSetName = None

    @property
    def _num_called(self) -> int | None:
        """The number of called melds, if given."""
        numbers = [int(text) for text in self.called or () if _NUMBER.fullmatch(text)]
        return numbers[-1] if numbers else None

    @property
    def _melds(self) -> list[str]:
        """The called melds whose tiles are given."""
        return [text for text in self.called or () if not _NUMBER.fullmatch(text)]

    def hand(self, text: str, *beside: str | None, forms: str | None = None) -> Hand:
        """Read one hand, or standard input for ``-``; errors quote the text.

        The tile set is also FULL if the tiles ``beside`` it or the forms contain honours.
        """
        hands = self.hands([text], *beside, forms=forms)
        if len(hands) != 1:
            raise HandError(f"{STDIN}: {len(hands)} hands", expected="one")
        return hands[0]

    def hands(
        self, texts: Sequence[str], *beside: str | None, forms: str | None = None
    ) -> list[Hand]:
        """Read hands separately; ``-`` reads standard input, one hand per line."""
        all_texts: list[str] = []
        for text in texts:
            all_texts += lines_of_stdin() if text == "-" else [text]
        return [self._hand(text, beside, forms) for text in all_texts]

    def forms(self, forms: str | None, hand: Hand) -> tuple[WinningForm, ...]:
        """Return the winning forms of a question about a hand."""
        return read_forms(forms, hand.tiles, hand.size, rules=hand.rules)

    def _hand(self, text: str, beside: Sequence[str | None], forms: str | None) -> Hand:
        tiles = None if self.tiles is None else as_tiles(self.tiles)
        rules = rules_of_options(self.rules, forms)
        if tiles is None and rules is None and forms is not None and needs_honours(forms):
            tiles = FULL
        for meld in self._melds:
            with _located("--called", meld):
                read_tiles([meld], self.notation)
        others = [other for other in beside if other is not None]
        if tiles is None and rules is None and others:
            with suppress(MjoptError):  # the later parse reports the error
                tiles = FULL if read_tiles(others, self.notation)[0] is FULL else None
        try:
            return Hand.parse(
                text,
                tiles=tiles,
                notation=self.notation,
                called=self._num_called,
                melds=self._melds,
                partial=self.partial,
                rules=rules,
            )
        except MjoptError as error:
            if os.path.isfile(text):  # a Path raises an error for a long text
                raise HandError(
                    "a file",
                    argument=text,
                    expected="a hand",
                    hint=f"for every hand of a file: mjopt label {text}",
                ) from None
            error.locate(repr(text))
            raise

    def unseen(self, text: str | None, hand: Hand) -> tuple[int, ...] | None:
        """Read the unseen tiles of a hand."""
        return None if text is None else self.counts("--unseen", text, hand.tiles)

    def wall(self, hand: Hand, wall: str | None, seen: str | None) -> tuple[int, ...] | None:
        """Read the wall of a hand less the tiles seen elsewhere; None without both options."""
        if wall is None and seen is None:
            return None
        wall_counts = hand.unseen if wall is None else self.counts("--wall", wall, hand.tiles)
        if seen is None:
            return wall_counts
        pairs = list(zip(wall_counts, self.counts("--seen", seen, hand.tiles), strict=True))
        for kind, (most, num_seen) in enumerate(pairs):
            if num_seen > most:
                raise TileError(
                    f"--seen {seen!r}: {num_seen} copies of {hand.tiles.names[kind]}, "
                    f"but only {most} can be anywhere else"
                )
        return tuple(most - num_seen for most, num_seen in pairs)

    def counts(self, option: str, text: str, tiles: TileSet) -> tuple[int, ...]:
        """Read tiles; errors name the option."""
        with _located(option, text):
            return read_tiles([text], self.notation, tiles)[1][0].counts

    def file_reader(self) -> "FileReader":
        """Return the same options for a file of hands."""
        if self._melds:
            raise ArgumentError(
                f"--called {self._melds[0]} is for one hand; a file of hands takes --called N"
            )
        return FileReader(
            tiles=self.tiles,
            notation=self.notation,
            called=self._num_called,
            partial=self.partial,
            rules=self.rules,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeHandReader(HandReader):
    """As HandReader, without --partial."""

    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader:
    """Options for reading files of hands."""

    tiles: TilesOfHands = None
    notation: NotationName = "mpsz"
    called: NumCalled = None
    partial: bool = False
    rules: RuleSetName = None

    @contextmanager
    def hands_file(self, name: str, forms: str | None = None) -> "Iterator[HandFile]":
        """Open a file of hands, ``-`` for text on standard input."""
        from mjopt.hands.files.formats import READABLE, file_format
        from mjopt.hands.files.hand_file import HandFile

        with input_paths([name]) as [path]:
            if name != "-" and not path.is_file():
                raise FileError("no such file", argument=str(path))
            kind = "text" if name == "-" else file_format(path, READABLE)
            label = STDIN if name == "-" else name
            tiles, why = self.tiles_of(path, kind, forms, label)
            yield HandFile(
                path=path,
                format=kind,
                tiles=tiles,
                notation=self.notation,
                called=self.called,
                partial=self.partial,
                name=label,
                rules=rules_of_options(self.rules, forms),
            )
            if why:  # after reading, so that an error is the only output
                warn(f"{label}: {why}")

    @contextmanager
    def recipe_or_file(
        self, text: str, forms: str | None = None, *, seed: int = 0
    ) -> "Iterator[HandFile]":
        """Open a file of hands as `hands_file` does, or the hands of a recipe as such a file."""
        from mjopt.hands.files.hand_file import HandFile

        if is_file(text):
            with self.hands_file(text.removeprefix("file:"), forms) as file:
                yield file
            return

        import numpy as np

        from mjopt.datasets.recipes.registry import read_recipe

        rules = rules_of_options(self.rules, forms)
        if rules is not None:
            tiles = self._tiles_by(rules)
        else:
            tiles = as_tiles(self.tiles or ("136" if needs_honours(forms or ()) else "m0"))
        called = self.called or 0
        with temporary_folder("hands") as folder:
            path = folder / "hands.npy"
            recipe = read_recipe(text, tiles=tiles, called=called, rules=rules)
            np.save(path, recipe.counts(seed=seed))
            yield HandFile(
                path=path,
                format="npy",
                tiles=tiles,
                notation=self.notation,
                called=called,
                rules=rules,
            )

    def tiles_of(
        self, path: Path, format: str, forms: str | None = None, name: str = ""
    ) -> tuple[TileSet, str]:
        """Return the tile set of a file of hands, and the reason if it was inferred."""
        from mjopt.hands.files.file_tiles import tiles_in

        if (rules := rules_of_options(self.rules, forms)) is not None:
            return self._tiles_by(rules), ""
        if self.tiles is not None:
            return as_tiles(self.tiles), ""
        has_orphans, tiles, why = needs_honours(forms or ()), M0, ""
        if not has_orphans or format == "parquet":  # which may name its tile set
            tiles, why = tiles_in(path, format, self.notation, name)
        if has_orphans and tiles is M0:
            tiles, why = FULL, "the forms need honours"
        return tiles, f"{why}: {_READ_AS[tiles.key]}" if why else ""

    def _tiles_by(self, rules: RuleSet) -> TileSet:
        """Return the tile set of a rule set; another in --tiles is an error."""
        if self.tiles is not None and as_tiles(self.tiles) != rules.tiles:
            raise TileError(
                f"--tiles {self.tiles}, but the rules {rules.name} are about {rules.tiles.name}"
            )
        return rules.tiles


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeFileReader(FileReader):
    """As FileReader, without --partial."""

    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineReader(WholeFileReader):
    """As WholeFileReader, without --notation: hands are written in mpsz."""

    notation: str = "mpsz"


class WorkerOptions(TypedDict):
    """Keyword arguments of functions that use several processes or a cluster."""

    jobs: int
    scheduler: str | None


def count_jobs(jobs: int | None) -> int:
    """Return the number of processes or threads of the option."""
    if jobs is not None and jobs < 1:
        raise ArgumentError(argument="--jobs", value=str(jobs), expected="at least 1")
    return jobs or os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Options for the workers: processes, or those of a cluster."""

    jobs: Workers = None

    @property
    def scheduler(self) -> str | None:
        """The address of a Dask scheduler, if given."""
        return self.jobs if self.jobs is not None and ":" in self.jobs else None

    @property
    def num_jobs(self) -> int:
        """The number of processes."""
        if self.jobs is None or self.scheduler is not None:
            return count_jobs(None)
        if not _NUMBER.fullmatch(self.jobs):
            raise ArgumentError(
                argument="--jobs", value=self.jobs, expected="a number, or tcp://HOST:PORT"
            )
        return count_jobs(int(self.jobs))

    @property
    def workers(self) -> WorkerOptions:
        """The keyword arguments ``jobs`` and ``scheduler``."""
        return {"jobs": self.num_jobs, "scheduler": self.scheduler}


def is_file(text: str) -> bool:
    """Return whether a text names a file of hands, or standard input, and no recipe."""
    from mjopt.hands.files.formats import is_readable

    is_named = text.startswith("file:") or text == "-"
    return is_named or os.path.exists(text) or is_readable(Path(text))


def rules_of_options(rules: str | None, forms: str | None) -> RuleSet | None:
    """Return the rule set of --rules; without it, that which --forms names, if one."""
    if rules is None:
        return rule_set_of(forms)
    from mjopt.hands.rules.rule_file import get_rules  # of no use to most commands

    return get_rules(rules)


_NUMBER = re.compile(r"-?[0-9]{1,9}")
_READ_AS = {
    "m0": "all hands are read as M0, --tiles 136 reads them as FULL",
    "136": "all hands are read as FULL",
}


@contextmanager
def _located(option: str, text: str) -> Iterator[None]:
    """Name the option and its text in an error."""
    try:
        yield
    except MjoptError as error:
        error.locate(option, value=repr(text))
        raise


def as_recipes(texts: Iterable[str]) -> list[str]:
    """Return recipes, with ``file:`` before the names of files of hands."""
    from mjopt.hands.files.formats import is_readable

    def is_file(text: str) -> bool:
        path = Path(re.sub(r"@\d+$", "", text))
        return is_readable(path) and path.is_file()

    stripped = (text.strip() for text in texts)
    return [f"file:{text}" if is_file(text) else text for text in stripped]


def tiles_of_recipes(name: str | None, recipes: Iterable[str]) -> tuple[TileSet, str]:
    """Return the tile set of the option, else of a ``file:`` recipe, and the reason."""
    for recipe in recipes if name is None else ():
        path = Path(re.sub(r"@\d+$", "", recipe.strip().removeprefix("file:")))
        if recipe.strip().startswith("file:") and path.is_file():
            from mjopt.hands.files.formats import READABLE, file_format

            tiles, why = FileReader().tiles_of(path, file_format(path, READABLE))
            if tiles is not M0:
                return tiles, f"{path}: {why}" if why else ""
    return as_tiles(name or "m0"), ""


def lines_of_stdin() -> list[str]:
    """Return the lines on standard input without comments, as in files of hands."""
    try:
        text = decode_text(sys.stdin.buffer.read(), MOST_OF_STDIN)
    except FileError as error:
        error.locate(STDIN)
        raise
    lines = [line.strip() for line in text.splitlines()]
    hands = [line for line in lines if line and not line.startswith("#")]
    if not hands:
        raise HandError(f"{STDIN}: no hands", expected="one a line")
    return hands


def position_text(text: str, given: dict[str, str | None]) -> str:
    """Return the text form of a position, given a part of it and the options."""
    if text == "-":
        lines = lines_of_stdin()
        if len(lines) != 1:
            raise HandError(f"{STDIN}: {len(lines)} positions", expected="one")
        [text] = lines
    words = [text]
    for name, value in given.items():
        if value is None:
            continue
        word = value.replace(" ", "")
        if not word and name != "seen":
            raise ArgumentError("nothing", argument=name, expected="a value")
        words.append(f"{name}={word}")
    return " ".join(words)


@contextmanager
def input_paths(names: Sequence[str]) -> Iterator[list[Path]]:
    """Yield files that can be read more than once; standard input is copied to a temporary file."""
    with temporary_folder("stdin") as folder:
        stdin = folder / "stdin"
        if "-" in names:
            with stdin.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        yield [stdin if name == "-" else Path(name) for name in names]
