"""`mjopt replay`: recorded games checked line by line, shown, or converted."""

from typing import Annotated

import typer

NAME = "replay"
REFUSED = 1  # a record that the rules refuse: the answer is no


def command(
    source: Annotated[
        str, typer.Argument(help="Records, one game a line; - for stdin.", metavar="FILE")
    ],
    *,
    mjai: Annotated[
        bool, typer.Option("--mjai", help="Print mjai messages, one JSON document a line.")
    ] = False,
    show: Annotated[
        int | None, typer.Option("--show", help="Print one game move by move.", metavar="LINE")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Play recorded games again: every draw, move, ending and score is checked.

    Exit status 1 if some record is refused; the lines are named on stderr.

    Example: `mjopt battle l1 l3 l1 l2 -n 10 --records games.txt && mjopt replay games.txt`
    """
    from mjopt.cli.replay_run import ReplayRun, replay_file

    refused = replay_file(ReplayRun(source=source, mjai=mjai, show=show, as_json=json))
    if refused:
        raise typer.Exit(REFUSED)
