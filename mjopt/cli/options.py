"""Options that commands share, and what they stand for."""

from dataclasses import dataclass
from typing import Annotated

import typer

from mjopt.errors import MjoptError, TileError
from mjopt.hands.forms import FORMS, check_forms
from mjopt.hands.hand import Hand
from mjopt.hands.notation import NOTATIONS, get_notation
from mjopt.hands.tiles import TILE_SETS, TileSet
from mjopt.models.registry import FORMULATIONS
from mjopt.models.solvers.base import SolveOptions
from mjopt.models.solvers.registry import SOLVERS
from mjopt.models.solving import DEFAULT_MODEL

TileSetName = Annotated[
    str, typer.Option("--tiles", help=f"Tile set: {', '.join(TILE_SETS)}.", show_default=True)
]
NotationName = Annotated[
    str, typer.Option("--notation", help=f"How tiles are written: {', '.join(NOTATIONS)}.")
]
Called = Annotated[
    int | None, typer.Option("--called", help="Melds already on the table, 0 to 4.", metavar="N")
]
Melds = Annotated[
    list[str] | None,
    typer.Option("--meld", help="A called meld, once each: its tiles are no longer unseen."),
]
Partial = Annotated[bool, typer.Option("--partial", help="Allow fewer tiles than a hand has.")]
Forms = Annotated[
    str, typer.Option("--forms", help=f"Winning forms, comma-separated: {', '.join(FORMS)}.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Model = Annotated[
    str | None,
    typer.Option(
        "--model", help=f"Formulation: {', '.join(FORMULATIONS)}. [default: {DEFAULT_MODEL}]"
    ),
]
SolverName = Annotated[
    str | None,
    typer.Option("--solver", help=f"Solver: {', '.join(SOLVERS)}. [default: first available]"),
]
Unseen = Annotated[
    str | None,
    typer.Option("--unseen", help="Tiles that can still arrive, as tiles.", metavar="TILES"),
]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", help="Seconds for each solve.", metavar="S")
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of the solver.")]
Threads = Annotated[int, typer.Option("--threads", help="Threads of the solver.")]


def get_tiles(name: str) -> TileSet:
    """Return a tile set by its name on the command line."""
    if name not in TILE_SETS:
        raise TileError(f"--tiles {name}: expected one of {', '.join(TILE_SETS)}")
    return TILE_SETS[name]


def split_forms(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list."""
    return tuple(form.strip() for form in text.split(","))


def read_forms(text: str, tiles: TileSet) -> tuple[str, ...]:
    """Read winning forms; refuse unknown ones and those the tiles cannot make."""
    return check_forms(split_forms(text), tiles)


def solve_options(time_limit: float | None, seed: int, threads: int) -> SolveOptions:
    """Collect what every solve shares."""
    return SolveOptions(time_limit=time_limit, seed=seed, threads=threads)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReader:
    """How the hands of one command are written, and what lies on the table."""

    tiles: str
    notation: str
    called: int | None = None
    melds: list[str] | None = None
    partial: bool = False

    def hand(self, text: str) -> Hand:
        """Read one hand; an error names the text it is about."""
        try:
            return Hand.parse(
                text,
                tiles=get_tiles(self.tiles),
                notation=self.notation,
                called=self.called,
                melds=self.melds or (),
                partial=self.partial,
            )
        except MjoptError as error:
            raise type(error)(f"{text!r}: {error}") from None

    def unseen(self, text: str | None) -> tuple[int, ...] | None:
        """Read the unseen tiles."""
        if text is None:
            return None
        try:
            return get_notation(self.notation).parse(text, get_tiles(self.tiles)).counts
        except MjoptError as error:
            raise type(error)(f"--unseen {text!r}: {error}") from None
