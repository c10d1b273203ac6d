"""Options that commands share, and what they stand for."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from mjopt.errors import FileError, MjoptError, TileError
from mjopt.hands.forms import FORMS, check_forms
from mjopt.hands.hand import Hand
from mjopt.hands.notation import NOTATIONS, get_notation
from mjopt.hands.tiles import TILE_SETS, TileSet
from mjopt.models.registry import FORMULATIONS
from mjopt.models.solvers.base import SolveOptions
from mjopt.models.solvers.registry import SOLVERS
from mjopt.models.solving import DEFAULT_MODEL
from mjopt.runtime.compiling import heard_by

if TYPE_CHECKING:
    from mjopt.hands.files import HandFile

HandText = Annotated[str, Argument(help="A hand of 13 or 14 tiles.", metavar="HAND")]
Folder = Annotated[str, Argument(help="The folder of a dataset.", metavar="DIR")]
TileSetName = Annotated[
    str, Option("--tiles", help=f"Tile set: {', '.join(TILE_SETS)}.", show_default=True)
]
NotationName = Annotated[
    str, Option("--notation", help=f"How tiles are written: {', '.join(NOTATIONS)}.")
]
Called = Annotated[
    int | None, Option("--called", help="Melds already on the table, 0 to 4.", metavar="N")
]
Melds = Annotated[
    list[str] | None,
    Option("--meld", help="A called meld, once each: its tiles are no longer unseen."),
]
Partial = Annotated[bool, Option("--partial", help="Allow fewer tiles than a hand has.")]
Size = Annotated[int, Option("--size", help="Tiles in a hand: 13 or 14.")]
Forms = Annotated[
    str, Option("--forms", help=f"Winning forms, comma-separated: {', '.join(FORMS)}.")
]
Unseen = Annotated[
    str | None, Option("--unseen", help="Tiles that can still arrive, as tiles.", metavar="TILES")
]
Model = Annotated[
    str | None,
    Option("--model", help=f"Formulation: {', '.join(FORMULATIONS)}. [default: {DEFAULT_MODEL}]"),
]
SolverName = Annotated[
    str | None, Option("--solver", help=f"Solver: {', '.join(SOLVERS)}. [default: first available]")
]
TimeLimit = Annotated[
    float | None, Option("--time-limit", help="Seconds for each solve.", metavar="S")
]
SolverSeed = Annotated[int, Option("--seed", help="Seed of the solver.")]
Threads = Annotated[int, Option("--threads", help="Threads of the solver.")]
HandsFile = Annotated[
    str | None, Option("--hands", help="File of hands: .txt, .csv or .npy; - for stdin.")
]
OutputFile = Annotated[
    str, Option("--output", "-o", help="File to write; - for stdout.", metavar="FILE")
]
StudySeed = Annotated[int, Option("--seed", help="Draws the hands and every run.")]
RowsOnly = Annotated[
    bool, Option("--rows-only", help="Make the raw rows, and no tables or report yet.")
]
RulesName = Annotated[str, Option("--rules", help="m0, gmjbg or jj.")]
DecisionLimit = Annotated[
    float | None,
    Option("--time-limit", help="Seconds for a decision; who is late loses.", metavar="S"),
]
BattleFolder = Annotated[
    str | None, Option("--output", "-o", help="Keep rows, tables, figures there.", metavar="DIR")
]
Jobs = Annotated[
    int | None, Option("--jobs", "-j", help="Processes. [default: one a core]", metavar="N")
]
Scheduler = Annotated[
    str | None,
    Option(
        "--scheduler",
        help="A Dask scheduler, tcp://HOST:PORT, in place of --jobs processes.",
        metavar="ADDRESS",
    ),
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Show no progress.")]
Json = Annotated[bool, Option("--json", help="Print one JSON document.")]


def expanded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command take records of options: each field of such a record becomes an option.

    Fields that are no option, which are those not annotated as one, keep their default.
    """
    records: dict[str, Any] = {}
    options: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if is_dataclass(parameter.annotation):
            records[parameter.name] = parameter.annotation
            options += (
                Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=f.type)
                for f in fields(parameter.annotation)
                if hasattr(f.type, "__metadata__")
            )
        else:
            options.append(parameter)

    def call(**given: Any) -> Any:
        from mjopt.cli.progress import KernelBar  # rich takes a while to load

        quiet = bool(given.get("quiet"))
        for name, kind in records.items():
            names = [field.name for field in fields(kind) if field.name in given]
            given[name] = kind(**{field: given.pop(field) for field in names})
        with heard_by(KernelBar(quiet=quiet)):
            return command(**given)

    call.__name__, call.__doc__ = command.__name__, command.__doc__
    call.__signature__ = Signature(options)  # type: ignore[attr-defined]
    return call


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReader:
    """How the hands of one command are written, and what lies on the table."""

    tiles: TileSetName = "m0"
    notation: NotationName = "mpsz"
    called: Called = None
    meld: Melds = None
    partial: Partial = False

    def hand(self, text: str) -> Hand:
        """Read one hand; an error names the text it is about."""
        try:
            return Hand.parse(
                text,
                tiles=get_tiles(self.tiles),
                notation=self.notation,
                called=self.called,
                melds=self.meld or (),
                partial=self.partial,
            )
        except MjoptError as error:
            raise type(error)(f"{text!r}: {error}") from None

    def unseen(self, text: str | None) -> tuple[int, ...] | None:
        """Read the unseen tiles."""
        return None if text is None else self.counts("--unseen", text, get_tiles(self.tiles))

    def counts(self, option: str, text: str, tiles: TileSet) -> tuple[int, ...]:
        """Read tiles; an error names the option that gave them."""
        try:
            return get_notation(self.notation).parse(text, tiles).counts
        except MjoptError as error:
            raise type(error)(f"{option} {text!r}: {error}") from None

    @contextmanager
    def hands_file(self, name: str) -> "Iterator[HandFile]":
        """Open a file of hands, ``-`` for text on standard input."""
        from mjopt.hands.files import READABLE, HandFile, file_format

        with input_paths([name]) as [path]:
            if name != "-" and not path.is_file():
                raise FileError(f"{path}: no such file")
            yield HandFile(
                path=path,
                format="text" if name == "-" else file_format(path, READABLE),
                tiles=get_tiles(self.tiles),
                notation=self.notation,
                called=self.called or 0,
                partial=self.partial,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeHandReader(HandReader):
    """The same where a hand may not hold fewer tiles: that is no option."""

    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader(HandReader):
    """The same for a file of hands: one called meld would be that of all, so it is no option."""

    meld: list[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Solving:
    """What integer program is solved, and how."""

    model: Model = None
    solver: SolverName = None
    time_limit: TimeLimit = None
    seed: SolverSeed = 0
    threads: Threads = 1

    def how(self, default: str | None = DEFAULT_MODEL) -> dict[str, Any]:
        """Return what `solve`, `deficiency` and `certify` are told."""
        options = SolveOptions(time_limit=self.time_limit, seed=self.seed, threads=self.threads)
        return {
            "model": default if self.model is None else self.model,
            "solver": self.solver,
            "options": options,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Who does the work, and whether it is seen."""

    jobs: Jobs = None
    scheduler: Scheduler = None
    quiet: Quiet = False

    def num_jobs(self, refusal: str = "") -> int:
        """Return how many processes are asked for; refuse none in words, if any are given."""
        if refusal and self.jobs is not None and self.jobs < 1:
            raise MjoptError(f"--jobs {self.jobs}{refusal}")
        return (os.cpu_count() or 1) if self.jobs is None else self.jobs

    def workers(self, refusal: str = "") -> dict[str, Any]:
        """Return what a heavy function is told of who works."""
        return {"jobs": self.num_jobs(refusal), "scheduler": self.scheduler}


def get_tiles(name: str) -> TileSet:
    """Return a tile set by its name on the command line."""
    if name not in TILE_SETS:
        raise TileError(f"--tiles {name}: expected one of {', '.join(TILE_SETS)}")
    return TILE_SETS[name]


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list."""
    return tuple(name.strip() for name in text.split(","))


def read_forms(text: str, tiles: TileSet) -> tuple[str, ...]:
    """Read winning forms; refuse unknown ones and those the tiles cannot make."""
    return check_forms(split_names(text), tiles)


@contextmanager
def input_paths(names: Sequence[str]) -> Iterator[list[Path]]:
    """Give files that can be read more than once; standard input is put into one."""
    with tempfile.TemporaryDirectory() as folder:
        stdin = Path(folder) / "stdin"
        if "-" in names:
            with stdin.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        yield [stdin if name == "-" else Path(name) for name in names]
