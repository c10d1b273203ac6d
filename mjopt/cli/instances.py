"""`mjopt instances`: build a set of integer programs, and run solvers on it."""

from pathlib import Path
from typing import Annotated

from rich.table import Table
from typer import Argument, Option

from mjopt._internal.plot_style import write_figure
from mjopt._internal.sanitize import plain
from mjopt.cli.options import Jobs, Json, count_jobs
from mjopt.cli.output import cell, print_json, print_table, right
from mjopt.cli.progress import Bar
from mjopt.instances.build import build_instances
from mjopt.instances.external import read_command
from mjopt.instances.profile import SolverSummary, plot_profiles, summarise
from mjopt.instances.solve import Run, Verdict, solve_instances
from mjopt.models.solvers.registry import SOLVERS

Folder = Annotated[str, Option("--output", "-o", help="Folder; resumes there.", metavar="DIR")]


def build(
    *,
    output: Folder,
    number: Annotated[int, Option(help="Number of hands.", metavar="N")] = 1000,
    seed: Annotated[int, Option(help="Seed of the choice of hands.")] = 0,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Write integer programs of chosen hands with certified optima, solutions and proofs.

    Hands of one, two and three suits, with honours, beside called melds, with few unseen tiles,
    and hands whose cost of Eq. 8 is below the deficiency. The same command resumes.

    Example: `mjopt instances build -o instances`
    """
    with Bar("building", unit="hands", resumes=True) as bar:
        built = build_instances(
            output,
            hands=number,
            seed=seed,
            begin=bar.begin,
            advance=bar.advance,
            jobs=count_jobs(jobs),
        )
    if json:
        document = {
            "folder": str(built.folder),
            "hands": built.num_hands,
            "programs": len(built.instances),
            "bytes": built.num_bytes,
        }
        print_json(document)
        return
    print(
        f"{plain(output)}: {len(built.instances):,} programs of {built.num_hands:,} hands, "
        f"{built.num_bytes / 1e6:.1f} MB"
    )
    print(f"  use: mjopt instances solve {plain(output)} -o runs")


def solve(
    folder: Annotated[str, Argument(help="A set by `mjopt instances build`.", metavar="DIR")],
    *,
    output: Folder,
    solver: Annotated[
        list[str] | None,
        Option(
            help=f"Solvers, separated by commas: {', '.join(SOLVERS)}; or the command line of "
            "another, [NAME=]COMMAND with {mps} or {opb}; repeatable. [default: all of ours]",
            metavar="NAMES|COMMAND",
        ),
    ] = None,
    model: Annotated[
        str | None, Option(help="Formulations, separated by commas. [default: all]")
    ] = None,
    time_limit: Annotated[float, Option(help="Seconds for each run.", metavar="S")] = 10.0,
    jobs: Jobs = 1,
    json: Json = False,
) -> int:
    """Run solvers on an instance set, and compare every answer with the certified optimum.

    Writes runs.csv and profile.svg, a performance profile: the share of programs solved within a
    multiple of the fastest solver's time. The same command resumes. Exit status 1 if an answer is
    wrong.

    Example: `mjopt instances solve instances -o runs --solver cbc --solver "scip -f {mps}"`
    """
    texts = solver or [",".join(SOLVERS)]
    commands = [read_command(text) for text in texts if "{" in text]
    names = [name.strip() for text in texts if "{" not in text for name in text.split(",")]
    models = None if model is None else [name.strip() for name in model.split(",")]
    with Bar("solving", unit="programs", resumes=True) as bar:
        runs = solve_instances(
            folder,
            output,
            solvers=names,
            commands=commands,
            models=models,
            time_limit=time_limit,
            jobs=jobs,
            begin=bar.begin,
            advance=bar.advance,
        )
    picture = Path(output) / "profile.svg"
    write_figure(picture, plot_profiles(runs))
    summaries = summarise(runs)
    status = int(any(run.verdict is Verdict.WRONG for run in runs))
    if json:
        print_json({"folder": output, "solvers": [_document(each) for each in summaries]})
        return status
    print_table(_table(summaries), title=f"{len(runs):,} runs")
    for run in _examples(runs):
        print(plain(f"{run.verdict}: {run.solver} on {run.instance}: {_story(run)}"))
    print(plain(str(picture)))
    return status


def _table(summaries: list[SolverSummary]) -> Table:
    columns = [str(verdict) for verdict in Verdict if verdict is not Verdict.NOT_APPLICABLE]
    table = Table("model", "solver", *right([*columns, "median ms", "fastest %"]))
    for each in summaries:
        seconds = each.median_seconds
        table.add_row(
            cell(each.model),
            cell(each.solver),
            *(f"{each.verdicts[Verdict(name)]:,}" for name in columns),
            "-" if seconds is None else f"{1e3 * seconds:.1f}",
            f"{100 * each.share_fastest:.0f}",
        )
    return table


def _document(each: SolverSummary) -> dict[str, object]:
    return {
        "model": each.model,
        "solver": each.solver,
        **{str(verdict).replace(" ", "_"): each.verdicts[verdict] for verdict in Verdict},
        "median_seconds": each.median_seconds,
        "share_fastest": each.share_fastest,
    }


def _examples(runs: list[Run], most: int = 3) -> list[Run]:
    """Return a few wrong runs and a few failures of every solver."""
    found: list[Run] = []
    for solver in dict.fromkeys(run.solver for run in runs):
        for verdict in (Verdict.WRONG, Verdict.FAILED):
            here = [run for run in runs if run.solver == solver and run.verdict is verdict]
            found += here[:most]
    return found


def _story(run: Run) -> str:
    return run.problem or f"claims {'no solution' if run.objective is None else run.objective}"


commands = (build, solve)
