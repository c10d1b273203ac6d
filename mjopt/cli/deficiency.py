"""`mjopt deficiency`: how many tiles must change."""

from typing import Annotated, Any

import typer

from mjopt.answers import DEFAULT_MODEL, deficiency, solve
from mjopt.cli.options import (
    Called,
    Forms,
    HandReader,
    Json,
    Melds,
    Model,
    NotationName,
    Partial,
    Seed,
    SolverName,
    Threads,
    TileSetName,
    TimeLimit,
    Unseen,
    solve_options,
)
from mjopt.cli.show import as_text, blocks_text, print_json, tiles_text, value_text
from mjopt.forms import STANDARD, UNREACHABLE, check_forms

__all__ = ["NAME", "command"]

NAME = "deficiency"


def command(
    hands: Annotated[list[str], typer.Argument(help="Hands of 13 or 14 tiles.", metavar="HAND...")],
    *,
    tiles: TileSetName = "m0",
    notation: NotationName = "mpsz",
    called: Called = None,
    meld: Melds = None,
    partial: Partial = False,
    unseen: Unseen = None,
    forms: Forms = STANDARD,
    model: Model = None,
    solver: SolverName = None,
    time_limit: TimeLimit = None,
    seed: Seed = 0,
    threads: Threads = 1,
    json: Json = False,
) -> None:
    """Print the deficiency of each hand: the least number of tile changes to a win.

    Shanten is one less. With one form and a target found, the target, what to
    draw and what to discard follow.

    Example: `mjopt deficiency 123m456p789s1122s 1112345678999m1p`
    """
    reader = HandReader(tiles=tiles, notation=notation, called=called, melds=meld, partial=partial)
    read = [reader.hand(text) for text in hands]
    known = reader.unseen(unseen)
    options = solve_options(time_limit, seed, threads)
    chosen = check_forms(tuple(form.strip() for form in forms.split(",")), read[0].tiles)
    rows: list[dict[str, Any]] = []
    for hand in read:
        row: dict[str, Any] = {"hand": hand.to_text(notation), "forms": list(chosen)}
        if chosen == (STANDARD,):
            answer = solve(
                hand, model=model or DEFAULT_MODEL, solver=solver, unseen=known, options=options
            )
            value, name = answer.value, "deficiency"
            if model in ("predecomposition", "partition"):
                name = "cost" if model == "predecomposition" else "win"
            row |= {
                name: value == 0 if name == "win" else None if value == UNREACHABLE else value,
                "reachable": value != UNREACHABLE,
                "optimal": answer.is_optimal,
                "bound": None if answer.bound == UNREACHABLE else answer.bound,
                "decomposition": blocks_text(answer),
                "draws": tiles_text(answer.draws, hand, notation),
                "discards": tiles_text(answer.discards, hand, notation),
                "model": answer.model,
                "solver": answer.solver,
                "version": answer.version,
                "termination": str(answer.termination),
            }
            tail = ""
            if answer.target is not None and value != 0:
                tail = f"   draw {row['draws']}   discard {row['discards']}"
            if value is None or not answer.is_optimal:
                tail += f"   ({answer.termination}: not proved least)"
        else:
            value = deficiency(
                hand, forms=chosen, unseen=known, model=model, solver=solver, options=options
            )
            row |= {
                "deficiency": None if value == UNREACHABLE else value,
                "reachable": value != UNREACHABLE,
            }
            tail = ""
        rows.append(row)
        if not json:
            print(f"{value_text(value)}\t{as_text(hand, notation)}{tail}")
    if json:
        print_json(rows[0] if len(rows) == 1 else rows)
