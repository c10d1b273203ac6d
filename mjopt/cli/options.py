"""Options shared by commands."""

import os
import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, TypedDict

from typer import Argument, Option

from mjopt.errors import ArgumentError
from mjopt.hands.notation.registry import NOTATIONS
from mjopt.hands.rules.classic_forms import FORMS
from mjopt.models.registry import FORMULATIONS
from mjopt.models.solve import DEFAULT_MODEL
from mjopt.models.solvers.registry import SOLVERS

WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")

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
        if not WHOLE_NUMBER.fullmatch(self.jobs):
            raise ArgumentError(
                argument="--jobs", value=self.jobs, expected="a number, or tcp://HOST:PORT"
            )
        return count_jobs(int(self.jobs))

    @property
    def workers(self) -> WorkerOptions:
        """The keyword arguments ``jobs`` and ``scheduler``."""
        return {"jobs": self.num_jobs, "scheduler": self.scheduler}
