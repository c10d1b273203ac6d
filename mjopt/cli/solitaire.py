"""`mjopt solitaire`: rank rules for discards by the random deals that they win alone."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt.cli.options import Jobs, Json, TileSetName, count_jobs
from mjopt.cli.output import print_json, print_tables, warn
from mjopt.cli.progress import Bar
from mjopt.hands.tiles import as_tiles


def command(
    rules: Annotated[
        list[str],
        Argument(
            help="Rules: deficiency, useful, second-order, mixture, draws, ceiling, "
            "ceiling-lookahead, or FILE.py:FUNCTION.",
            metavar="RULE...",
        ),
    ],
    *,
    deals: Annotated[int, Option("--deals", "-n", help="Deals that each rule plays.")] = 10_000,
    draws: Annotated[int, Option(help="Draws after the first discard.")] = 18,
    tiles: TileSetName = "m0",
    seed: Annotated[int, Option(help="Seed of the deals.")] = 0,
    output: Annotated[
        str | None,
        Option("--output", "-o", help="Folder for deals and report; resumes there.", metavar="DIR"),
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Rank rules for discards by the random deals that they win alone, without calls.

    All rules play the same deals. The mean ceiling over all deals, from a table of
    `mjopt ceiling build`, says how much any way to play can win. A function of your own gets the
    hand and the wall, and returns the kind to discard or its name: FILE.py:FUNCTION. The rule
    draws takes a tenth of a second a deal, the other built-in ones a millisecond at most.

    Example: `mjopt solitaire useful second-order ceiling --deals 100000`
    """
    from mjopt.play.solitaire.rule_ranking import rank_rules, write_ranking

    folder = None if output is None else Path(output)
    resumes = folder is not None
    with Bar("playing", unit="deals", resumes=resumes) as bar:
        ranking = rank_rules(
            rules,
            deals=deals,
            draws=draws,
            tiles=as_tiles(tiles),
            seed=seed,
            folder=folder,
            jobs=count_jobs(jobs),
            begin=bar.begin,
            advance=bar.advance,
        )
    if not ranking.ceilings:
        warn("no ceiling of all plays: `mjopt ceiling build` builds its table")
    if folder is not None:
        write_ranking(ranking, folder)
    if json:
        print_json(ranking.to_document())
    else:
        print_tables([ranking.to_table()])
