"""Measure how often common advice is proven not to be the best discard.

The deals are of one or more recipes. The folder gets datasets of the judged deals, tables,
figures and summary.json; the same command resumes an interrupted run. With --ceiling, which needs
the table of `mjopt ceiling build --all-layers`, more verdicts hold for all ways to play.

    python -m advice.run stratified:1000:1=1 --tiles 136 -o advice

run from the folder `reproduction`.
"""

import argparse
import os
from collections.abc import Sequence

from rich.console import Console
from rich.progress import Progress

from advice.audit import audit_advice
from advice.report import advice_table, write_report
from mjopt.errors import MjoptError


def main(words: Sequence[str] | None = None) -> None:
    """Judge the deals, print the verdicts for the largest number of draws, write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recipes", nargs="+", metavar="RECIPE")
    parser.add_argument("-o", "--output", required=True, metavar="DIR")
    parser.add_argument("--tiles", default="m0")
    parser.add_argument("--draws", type=int, default=18, help="largest number of draws")
    parser.add_argument("--waste", type=int, default=1, help="as for mjopt win-chance")
    parser.add_argument("--seed", type=int, default=0, help="seed of the deals")
    parser.add_argument("--ceiling", action="store_true", help="also decide by ceiling tables")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        help="with --ceiling: also judge a rule, as for mjopt solitaire; repeatable",
    )
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(words)
    if options.rule and not options.ceiling:
        parser.error("--rule goes with --ceiling")
    try:
        with Progress(console=Console(stderr=True)) as bar:
            task = bar.add_task("judging deals", total=None)
            audit = audit_advice(
                options.recipes,
                options.output,
                draws=options.draws,
                waste=options.waste,
                ceiling=options.ceiling,
                rules=options.rule,
                seed=options.seed,
                tiles=options.tiles,
                jobs=options.jobs,
                begin=lambda total: bar.update(task, total=total),
                advance=lambda number: bar.advance(task, number),
            )
    except MjoptError as error:
        parser.error(str(error))
    write_report(audit, options.output)
    print(advice_table(audit, audit.at(audit.draws)).to_markdown())


if __name__ == "__main__":
    main()
