"""`mjopt reproduce-agent`: figures and tables about the learning agent, ours and published."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import plain
from mjopt.cli.options import Json, Wide, Work
from mjopt.cli.output import print_json
from mjopt.cli.progress import Bar, minutes
from mjopt.cli.reproduce import show_tables, table_data
from mjopt.cli.train import PresetName, Seed, Set, configured
from mjopt.errors import StudyError


def command(
    targets: Annotated[
        list[str],
        Argument(help="fig6, fig7, fig8, table6, table7, table8, or all.", metavar="WHAT..."),
    ],
    *,
    preset: PresetName = "small",
    output: Annotated[
        str | None,
        Option("--output", "-o", help="The folder. [default: learning-PRESET]", metavar="DIR"),
    ] = None,
    source: Annotated[
        str | None,
        Option("--from", help="Trainings that stand: their folder, or one's own.", metavar="DIR"),
    ] = None,
    seed: Seed = 0,
    seeds: Annotated[
        int | None, Option("--seeds", help="Trainings of each kind. [default: the preset's]")
    ] = None,
    decisions: Annotated[
        int | None, Option("--decisions", help="Held-out decisions. [default: the preset's]")
    ] = None,
    walls: Annotated[
        int | None, Option("--walls", help="Duplicate walls a battle. [default: the preset's]")
    ] = None,
    set: Set = None,
    work: Work,
    wide: Wide = False,
    json: Json = False,
) -> None:
    """Reproduce figures and tables of Ouyang and Zhou (2023), the article's beside ours.

    Trains what is needed into sub-folders, asks every player about held-out decisions of exact
    agents, and says of each claim whether it holds at this scale. A run that was stopped goes on
    when the same command is given again.

    Example: `mjopt reproduce-agent fig6 --preset small -o learned`
    """
    need("jax", "optax", "equinox", extra="learning")
    need("matplotlib", "scipy", extra="experiments")
    from mjopt.agent_reproduction.bench import SCALES, Bench
    from mjopt.agent_reproduction.reproducing import (
        read_agent_targets,
        reproduce_agent,
        seconds_of,
    )

    wanted = read_agent_targets(targets)
    config = configured(preset, set or (), None)
    scale = SCALES[preset]
    for name, given in {"seeds": seeds, "decisions": decisions, "walls": walls}.items():
        least = 3 if name == "decisions" else 1
        if given is not None and given < least:
            raise StudyError(f"--{name} {given}, expected at least {least}")
        if given is not None:
            scale = replace(scale, **{name: given})  # type: ignore[arg-type]
    if source is not None and not Path(source).is_dir():
        raise StudyError(f"--from {source}: no folder")
    folder = Path(output or f"learning-{preset}")
    jobs = work.num_jobs(": expected at least 1")
    with Bar("evaluation", quiet=work.quiet, resumes=True) as bar:
        bench = Bench(
            config=config,
            scale=scale,
            folder=folder,
            seed=seed,
            source=None if source is None else Path(source),
            jobs=jobs,
            progress=bar,
        )
        bar.say(
            f"{', '.join(wanted)} in {folder}: seeds {', '.join(map(str, bench.seeds))}; "
            f"about {minutes(seconds_of(wanted, bench))}"
        )
        tables = reproduce_agent(wanted, bench)
    if json:
        document = {"folder": str(folder), "preset": preset, "seeds": list(bench.seeds)}
        print_json({**document, "targets": wanted, "tables": [table_data(one) for one in tables]})
        return
    show_tables(tables, wide=wide)
    print(plain(f"{folder}/{{{','.join(wanted)}}}.html, {folder}/tables, {folder}/figures"))
