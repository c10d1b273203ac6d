"""`mjopt play`: a game at the terminal against three agents."""

import sys
from typing import Annotated

import typer

NAME = "play"


def command(
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Three agents. [default: l1 l2 l3]", metavar="AGENT..."),
    ] = None,
    *,
    rules: Annotated[str, typer.Option("--rules", help="m0, gmjbg or jj.")] = "gmjbg",
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of the wall. [default: another each time]")
    ] = None,
    game: Annotated[int, typer.Option("--game", help="The number of the wall.")] = 0,
    seat: Annotated[int, typer.Option("--seat", help="Your seat, 1 to 4; seat 1 begins.")] = 1,
    notation: Annotated[
        str, typer.Option("--notation", help="How your hand is shown, such as unicode.")
    ] = "mpsz",
    hints: Annotated[
        bool, typer.Option("--hints", help="Show the best discards by the tables.")
    ] = False,
    records: Annotated[
        str | None, typer.Option("--records", help="Add the record to a file.", metavar="FILE")
    ] = None,
) -> None:
    """Play one game against three agents.

    Type a tile (`5m`) to discard it; `h` wins, `p` pongs, `k` kongs, `c 3m` chows from
    that tile, `n` or nothing passes, `q` leaves.

    Example: `mjopt play l3 deficiency draws --hints --seed 7`
    """
    # All of the game loads here: `mjopt --help` does not need it.
    import secrets

    from mjopt.cli.play_run import PlayRun, play
    from mjopt.game.agents.registry import read_agent

    for text in agents or ():
        read_agent(text)  # refused before anything is said
    if seed is None:
        seed = secrets.randbits(32)
    print(f"mjopt: seed {seed}", file=sys.stderr)
    play(
        PlayRun(
            agents=tuple(agents or ("l1", "l2", "l3")),
            rules=rules,
            seed=seed,
            game=game,
            seat=seat,
            notation=notation,
            hints=hints,
            records=records,
        )
    )
