"""`mjopt train`: train the learning agents and write them to a folder."""

import shlex
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.optional_deps import need
from mjopt._internal.progress import minutes
from mjopt._internal.sanitize import plain
from mjopt.cli.options import Json, count_jobs
from mjopt.cli.output import print_json, warn
from mjopt.cli.progress import Bar
from mjopt.errors import ArgumentError
from mjopt.play.learning.config import PRESETS, read_configuration
from mjopt.play.learning.training import KINDS, train

TEACHER = "draws"  # of an agent trained by imitation


def command(
    agent: Annotated[str, Argument(help=f"One of {', '.join(KINDS)}.", metavar="AGENT")],
    *,
    source: Annotated[
        str | None,
        Option(
            "--from",
            help="Teacher: for normal, the folder of the trained perfect agent; for imitation, an "
            f"agent: {TEACHER} (the default), deficiency, rollout, ...",
            metavar="DIR|AGENT",
        ),
    ] = None,
    preset: Annotated[str, Option(help=f"One of {', '.join(PRESETS)}.")] = "small",
    output: Annotated[
        str, Option("--output", "-o", help="Folder of the results; resumes there.", metavar="DIR")
    ],
    seed: Annotated[int, Option(help="Seed of walls, weights and all random choices.")] = 0,
    settings: Annotated[
        list[str] | None,
        Option(
            "--set",
            help="Override a setting of the preset, such as games (for each version of the perfect "
            "agent) or normal_games (for the others); repeatable.",
            metavar="KEY=VALUE",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        Option(
            "--jobs",
            "-j",
            help="Processes that play the games of an imitated agent. [default: one a core]",
            metavar="N",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Train the learning agents: the perfect one, the normal one, one by imitation.

    The perfect agent sees all tiles and learns by self-play. The normal agent sees only public
    information and its hand, and imitates the perfect one: the hidden planes fade out, or never
    exist with `--set dropout=none`. The third imitates another agent; discards that this teacher
    rates as equal count as equally correct. The same command resumes an interrupted run and gives
    the same weights.

    Example: `mjopt train imitation --from draws --preset small -o imitation`
    """
    if seed < 0:
        raise ArgumentError(argument="--seed", value=str(seed), expected="at least 0")
    config = read_configuration(preset, settings or [])
    if (source is None) == (agent == "normal") and agent != "imitation":
        if source is None:
            raise ArgumentError(expected="--from DIR, a trained perfect agent")
        raise ArgumentError("the perfect agent has none", argument="--from")
    if jobs is not None and agent != "imitation":
        raise ArgumentError(f"the {agent} agent learns in one process", argument="--jobs")
    source = TEACHER if source is None and agent == "imitation" else source or ""
    need("jax", "optax", "equinox", extra="learning")
    with Bar(agent, resumes=True) as bar:
        result = train(
            agent,
            config,
            Path(output),
            seed=seed,
            source=source,
            progress=bar,
            jobs=count_jobs(jobs) if agent == "imitation" else 1,
        )
    if json:
        document = {"trained": agent, "preset": preset, "seed": seed}
        seconds = round(result.seconds, 3)
        document |= {"steps": result.steps, "seconds": seconds, "last": result.last}
        print_json(document | {"weights": str(result.weights), "report": str(result.report)})
        return
    for name, value in result.last.items():
        print(f"{name} {value:g}")
    print(plain(f"{result.weights}, {result.report}"))
    player = shlex.quote(f"{'mcts' if agent == 'perfect' else 'normal'}:{result.weights}")
    seen = " --perfect-information" if agent == "perfect" else ""
    battle = f"mjopt battle {player} l3 deficiency l3 --rules {shlex.quote(config.rules)}{seen}"
    print(plain(f"play it: {battle}"))
    warn(f"{result.steps} steps in {minutes(result.seconds)}")
