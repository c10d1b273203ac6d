"""Run solvers on an instance set, and compare every answer with the certified optimum."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

from mjopt._internal.files import as_path, atomic_write, lock_folder, sha256_of, temporary_folder
from mjopt._internal.progress import ignore
from mjopt._internal.sanitize import MESSAGE, short_repr, shorten
from mjopt._internal.unit_store import Facts, UnitStore, are_whole, claim_run
from mjopt._internal.validation import is_number
from mjopt.errors import ArgumentError, FileError, MjoptError, SolverError
from mjopt.instances.check import CheckedInstance, check_instance
from mjopt.instances.checksums import CHECKSUMS, read_checked, read_checksums, write_checksums
from mjopt.instances.external import RunClaim, SolverCommand, run_command
from mjopt.instances.index import Instance, read_index
from mjopt.instances.parts import FOLDER, Rows, in_units, run_units
from mjopt.models.solvers.base import SolveOptions
from mjopt.models.solvers.registry import SOLVERS, get_solver

ROWS: Final = "runs.csv"
CONFIG: Final = "runs.json"
UNIT_PROGRAMS: Final = 20
SLACK: Final = 1e-4  # of the objective of a solver with floating-point arithmetic


class Verdict(StrEnum):
    """The result of one run.

    Examples
    --------
    >>> [verdict.value for verdict in Verdict]
    ['optimal', 'wrong', 'unsettled', 'failed', 'not applicable']
    """

    OPTIMAL = "optimal"  # claims the certified optimum
    WRONG = "wrong"  # claims something else
    UNSETTLED = "unsettled"  # claims nothing, for example after the time limit
    FAILED = "failed"  # an error, or an answer that cannot be read
    NOT_APPLICABLE = "not applicable"  # the program cannot be written in the solver's format


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run of one solver.

    Parameters
    ----------
    instance, model
        The program and its formulation.
    solver
        Name of the solver or of the command.
    verdict
        The result.
    objective
        The objective that it found; None without a solution.
    seconds
        Wall-clock time of the solver; for a command, of its process.
    problem
        The reason for a failure; empty otherwise.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mjopt.instances import build_instances, solve_instances
    >>> with TemporaryDirectory() as folder:
    ...     _ = build_instances(f"{folder}/set", hands=7, seed=1)
    ...     solved = solve_instances(
    ...         f"{folder}/set", f"{folder}/runs", solvers=["highs"], models=["blockwise"], jobs=1
    ...     )
    >>> run = solved[0]
    >>> run.model, run.solver, run.verdict.name
    ('blockwise', 'highs', 'OPTIMAL')
    """

    instance: str
    model: str
    solver: str
    verdict: Verdict
    objective: float | None
    seconds: float
    problem: str = ""


def solve_instances(
    folder: str | Path,
    output: str | Path,
    *,
    solvers: Sequence[str] = tuple(SOLVERS),
    commands: Sequence[SolverCommand] = (),
    models: Sequence[str] | None = None,
    time_limit: float = 10.0,
    jobs: int | None = None,
    begin: Callable[[int], object] = ignore,
    advance: Callable[[int], object] = ignore,
) -> list[Run]:
    """Run solvers on every program, or continue an interrupted run.

    Parameters
    ----------
    folder
        An instance set by :func:`build_instances`.
    output
        Folder of the results, created if needed; ``runs.csv`` has a row for each run.
    solvers
        Names in ``mjopt.SOLVERS``.
    commands
        External solvers, by :func:`mjopt.instances.external.read_command`.
    models
        The formulations; by default all in the set.
    time_limit
        Seconds for each run.
    jobs
        Processes; times are comparable only if there is a core for each.
    begin, advance
        Called with the number of programs, and with the number that were finished.

    Raises
    ------
    SolverError
        If a solver is unknown or cannot be loaded, or two have the same name.
    FileError
        If the results in the folder are of other solvers or programs, or a file is damaged.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mjopt.instances import build_instances
    >>> with TemporaryDirectory() as folder:
    ...     _ = build_instances(f"{folder}/set", hands=7, seed=1)
    ...     solved = solve_instances(
    ...         f"{folder}/set", f"{folder}/runs", solvers=["highs"], models=["blockwise"], jobs=1
    ...     )
    >>> {run.verdict.name for run in solved}
    {'OPTIMAL'}
    """
    where = as_path(folder, "folder", utf8=True).absolute()
    names = [*solvers, *(command.name for command in commands)]
    for name in solvers:
        get_solver(name)
    if not names or len(set(names)) < len(names):
        raise SolverError(
            argument="solvers",
            value=shorten(", ".join(names)),
            expected="at least one, each only once",
        )
    if not (is_number(time_limit) and time_limit > 0):
        raise ArgumentError(
            argument="time_limit", value=short_repr(time_limit), expected="seconds above 0"
        )
    every = read_index(where)
    known = list(dict.fromkeys(instance.model for instance in every))
    chosen = known if models is None else list(models)
    if unknown := [model for model in chosen if model not in known]:
        raise SolverError(argument="model", value=short_repr(unknown[0]), expected=tuple(known))
    instances = [instance for instance in every if instance.model in chosen]
    if not instances:
        raise SolverError(argument="model", expected=f"some of {', '.join(known)}")
    config = {
        "programs": sha256_of(
            "".join(each.mps_sha256 + each.opb_sha256 for each in instances).encode()
        ),
        "solvers": list(solvers),
        "commands": [asdict(command) for command in commands],
        "time_limit": time_limit,
    }
    begin(len(instances))
    with lock_folder(as_path(output, "output").absolute()) as target:
        claim_run(target, CONFIG, config, what="run of solvers")
        store = UnitStore(target / FOLDER, config)
        if (target / CHECKSUMS).exists() and are_whole(target, read_checksums(target)):
            store.finish()
            advance(len(instances))
            return _read_runs(target, [(each.name, name) for each in instances for name in names])
        run = partial(_run_unit, where, tuple(solvers), tuple(commands), float(time_limit))

        def finished(rows: int) -> None:
            advance(rows // len(names))

        units = in_units(instances, UNIT_PROGRAMS)
        rows = run_units(store, units, run, jobs=jobs, scheduler=None, advance=finished)
        runs = [_run_of(row) for row in rows]
        _write_runs(target, runs)
        write_checksums(target, [ROWS])
        store.finish()
    return runs


def _run_unit(
    folder: Path,
    solvers: tuple[str, ...],
    commands: tuple[SolverCommand, ...],
    time_limit: float,
    instances: list[Instance],
) -> tuple[Rows, list[Path]]:
    """Run all solvers on some programs."""
    rows = []
    checksums = read_checksums(folder)
    for instance in instances:
        checked = check_instance(folder, instance, checksums)
        for name in solvers:
            started = time.perf_counter()
            try:
                result = get_solver(name).solve(
                    checked.program, SolveOptions(time_limit=time_limit)
                )
                is_settled = result.is_optimal or result.is_infeasible
                claim = RunClaim(is_settled=is_settled, objective=result.objective)
            except MjoptError as error:
                claim = RunClaim(problem=shorten(str(error), MESSAGE))
            rows.append(_row(instance, name, claim, time.perf_counter() - started))
        rows += [_run_external(checked, instance, command, time_limit) for command in commands]
    return rows, []


def _run_external(
    checked: CheckedInstance, instance: Instance, command: SolverCommand, time_limit: float
) -> Facts:
    text = checked.texts.get(command.format)
    if text is None:
        run = Run(
            instance=instance.name,
            model=instance.model,
            solver=command.name,
            verdict=Verdict.NOT_APPLICABLE,
            objective=None,
            seconds=0.0,
        )
        return asdict(run)
    with temporary_folder("solve") as scratch:
        path = scratch / f"{instance.name}.{command.format}"
        path.write_text(text)
        started = time.perf_counter()
        claim = run_command(command, path, time_limit)
        return _row(instance, command.name, claim, time.perf_counter() - started)


def _row(instance: Instance, solver: str, claim: RunClaim, seconds: float) -> Facts:
    run = Run(
        instance=instance.name,
        model=instance.model,
        solver=solver,
        verdict=judge(claim, instance.optimum),
        objective=claim.objective,
        seconds=round(seconds, 6),
        problem=claim.problem,
    )
    return asdict(run)


def judge(claim: RunClaim, optimum: int | None) -> Verdict:
    """Compare a claim with the certified optimum; None means that there is no solution.

    A point below the optimum is wrong even where the solver claims nothing.

    Examples
    --------
    >>> judge(RunClaim(is_settled=True, objective=3.00001), 3), judge(RunClaim(objective=2.0), 3)
    (<Verdict.OPTIMAL: 'optimal'>, <Verdict.WRONG: 'wrong'>)
    """
    if claim.problem:
        return Verdict.FAILED
    value = claim.objective
    if claim.is_settled:
        is_right = (
            value is None
            if optimum is None
            else value is not None and (abs(value - optimum) <= SLACK)
        )
        return Verdict.OPTIMAL if is_right else Verdict.WRONG
    is_impossible = value is not None and (optimum is None or value < optimum - SLACK)
    return Verdict.WRONG if is_impossible else Verdict.UNSETTLED


def _run_of(row: Facts) -> Run:
    return Run(**{**row, "verdict": Verdict(row["verdict"])})


def _write_runs(folder: Path, runs: list[Run]) -> None:
    import pandas as pd

    frame = pd.DataFrame([{**asdict(run), "verdict": str(run.verdict)} for run in runs])
    atomic_write(folder / ROWS, frame.to_csv(index=False))


def _read_runs(folder: Path, expected: list[tuple[str, str]]) -> list[Run]:
    """Return the runs of a finished folder, which are of the expected programs and solvers."""
    import pandas as pd

    path = folder / ROWS
    content = read_checked(folder, ROWS, read_checksums(folder))
    try:
        frame = pd.read_csv(BytesIO(content), dtype=str, keep_default_na=False)
        rows: list[Facts] = frame.to_dict("records")
        for row in rows:
            row["objective"] = None if row["objective"] == "" else float(row["objective"])
            row["seconds"] = float(row["seconds"])
        runs = [_run_of(row) for row in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise FileError(
            f"not the runs of solvers ({shorten(str(error))})", argument=str(path)
        ) from None
    if [(run.instance, run.solver) for run in runs] != expected:
        raise FileError("not a run of each solver on each program", argument=str(path))
    return runs
