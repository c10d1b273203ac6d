"""Reproduce figures 6 to 8 and tables 6 to 8 of Ouyang and Zhou (2023).

    python reproduction/agent/run.py fig6 table8 --preset small -o learned

It trains missing agents, measures every agent on held-out decisions of exact agents or in games,
and writes ``FOLDER/report``: a Markdown page, CSV tables and an SVG figure for each target. After
an interruption, the same command reuses finished trainings and measurements.
It needs ``pip install 'mjopt[learning,experiments]'``.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from evaluation import SCALES, Evaluation
from mjopt.errors import MjoptError
from mjopt.play.learning.config import read_configuration
from multi_seed import prepare_seeds
from normal_agent_experiments import fig8, table7, table8
from perfect_agent_experiments import fig6, fig7, table6

TARGETS = {
    "fig6": fig6,
    "fig7": fig7,
    "fig8": fig8,
    "table6": table6,
    "table7": table7,
    "table8": table8,
}


def main() -> None:
    """Parse the command line, run the experiments and print the reports."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="+", choices=[*TARGETS, "all"], metavar="TARGET")
    parser.add_argument("--preset", default="small", choices=SCALES)
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER")
    parser.add_argument("--seed", type=int, default=0, help="of the first training")
    parser.add_argument("--seeds", type=int, help="trainings of each kind")
    parser.add_argument("--decisions", type=int, help="held-out decisions")
    parser.add_argument("--walls", type=int, help="duplicate walls of a battle")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="processes")
    args = parser.parse_args()
    changes = {
        name: getattr(args, name)
        for name in ("seeds", "decisions", "walls")
        if getattr(args, name) is not None
    }
    scale = replace(SCALES[args.preset], **changes)
    names = [name for name in TARGETS if name in args.targets or "all" in args.targets]
    folder = args.output or Path(f"learning-{args.preset}")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        config = read_configuration(args.preset, args.set)
        evaluation = Evaluation(
            config=config,
            scale=scale,
            folder=folder,
            seeds=range(args.seed, args.seed + scale.seeds),
            jobs=args.jobs,
        )
        prepare_seeds(evaluation, [TARGETS[name] for name in names], args.jobs)
        for name in names:
            evaluation.log(name)
            settings = f"Seeds {', '.join(map(str, evaluation.seeds))}; {scale}; {config}"
            if config.first_games != "self":
                settings = (
                    f"The perfect agents learned from games of {config.first_games} first "
                    "(first_games), unlike the article's: part of their agreement with exact "
                    f"agents comes from there.\n\n{settings}"
                )
            print(TARGETS[name](evaluation).write(folder / "report", name, settings))
    except MjoptError as error:
        raise SystemExit(f"error: {error}") from None


if __name__ == "__main__":
    main()
