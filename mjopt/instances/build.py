"""Write the instance set: programs, optima, certificates, index."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final

from mjopt._internal.files import as_path, atomic_write, lock_folder, make_folder, sha256_of
from mjopt._internal.optional_deps import need
from mjopt._internal.progress import ignore
from mjopt._internal.unit_store import UnitStore, are_whole, claim_run
from mjopt._version import __version__
from mjopt.analysis.certify import certify
from mjopt.errors import ModelError, SolverError
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.instances.check import INFEASIBLE, program_texts
from mjopt.instances.checksums import CHECKSUMS, read_checksums, write_checksums
from mjopt.instances.hands import InstanceHand, check_choice, choose_hands
from mjopt.instances.index import (
    COST_MODEL,
    CSV,
    INDEX,
    Instance,
    file_names,
    read_index,
    write_index,
)
from mjopt.instances.parts import FOLDER, Rows, in_units, run_units
from mjopt.instances.texts import LICENSE, readme_text
from mjopt.models.export import to_sol, write_text
from mjopt.models.program import Program
from mjopt.models.registry import get_formulation
from mjopt.models.solvers.base import DEFAULT_OPTIONS
from mjopt.models.solvers.registry import get_solver

MODELS: Final = ("completion", "blockwise", "network")
"""Formulations of the deficiency; their optimum is certified."""

FIRST_SOLVER: Final = "cp-sat"
SECOND_SOLVER: Final = "highs"
UNIT_HANDS: Final = 10
CONFIG: Final = "set.json"


@dataclass(frozen=True, kw_only=True)
class BuiltInstances:
    """A finished instance set.

    Parameters
    ----------
    folder
        Its folder.
    instances
        One entry for every program.
    num_hands
        Number of hands.
    num_bytes
        Size of all files.
    """

    folder: Path
    instances: list[Instance]
    num_hands: int
    num_bytes: int


def build_instances(
    folder: str | Path,
    *,
    hands: int = 1000,
    seed: int = 0,
    jobs: int | None = None,
    scheduler: str | None = None,
    begin: Callable[[int], object] = ignore,
    advance: Callable[[int], object] = ignore,
) -> BuiltInstances:
    """Build the instance set, or continue an interrupted build.

    Parameters
    ----------
    folder
        Its folder; created if it does not exist.
    hands
        Number of hands, at least one for each group of `GROUPS`.
    seed
        Seed of the choice of hands. The files depend only on hands, seed and the versions of the
        packages.
    jobs, scheduler
        Processes, or the address of a Dask scheduler.
    begin, advance
        Called with the number of hands, and with the number of hands that were finished.

    Returns
    -------
    BuiltInstances
        The set.

    Raises
    ------
    SolverError
        If solvers disagree with each other or the proof.
    FileError
        If the folder holds something else, or a file is damaged or cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     built = build_instances(name, hands=7, seed=1)
    ...     sorted(path.name for path in built.folder.iterdir())
    ['LICENSE', 'README.md', 'SHA256SUMS', 'certificates', 'index.csv', 'index.parquet', \
'programs', 'set.json', 'solutions']
    """
    need("pyarrow", "pandas", extra="experiments")
    where = as_path(folder, "folder", utf8=True).absolute()
    hands, seed = check_choice(hands, seed)
    config = {"hands": hands, "seed": seed}
    with lock_folder(where) as target:
        claim_run(target, CONFIG, config, what="instance set")
        store = UnitStore(target / FOLDER, {**config, "version": __version__})
        if not _is_finished(target):
            chosen = choose_hands(hands, seed=seed)
            begin(len(chosen))
            for part in ("programs", "solutions", "certificates"):
                make_folder(target / part)

            def finished(num_rows: int) -> None:
                advance(min(UNIT_HANDS, num_rows))

            units = in_units(chosen, UNIT_HANDS)
            write = partial(_write_hands, target)
            rows = run_units(store, units, write, jobs=jobs, scheduler=scheduler, advance=finished)
            instances = [Instance(**row) for row in rows]
            atomic_write(target / "README.md", readme_text(instances, seed))
            atomic_write(target / "LICENSE", LICENSE)
            write_index(target, instances)
            names = {name for instance in instances for name in instance.files}
            write_checksums(target, [INDEX, CSV, *names])
        store.finish()
    instances = read_index(where)
    files = [path for path in where.rglob("*") if path.is_file()]
    return BuiltInstances(
        folder=where,
        instances=instances,
        num_hands=len({instance.certificate for instance in instances}),
        num_bytes=sum(path.stat().st_size for path in files),
    )


def _is_finished(folder: Path) -> bool:
    """Return whether all files are there; FileError if one was modified."""
    return (folder / CHECKSUMS).exists() and are_whole(folder, read_checksums(folder))


def _write_hands(folder: Path, hands: list[InstanceHand]) -> tuple[Rows, list[Path]]:
    """Write the files of some hands; return their rows of the index, and the files."""
    written = [instance for hand in hands for instance in _write_hand(folder, hand)]
    names = dict.fromkeys(name for instance in written for name in instance.files)
    return [asdict(instance) for instance in written], [folder / name for name in names]


def _write_hand(folder: Path, chosen: InstanceHand) -> list[Instance]:
    query = chosen.query
    certificate = certify(chosen.hand, unseen=chosen.unseen)
    deficiency = None if certificate.deficiency == UNREACHABLE else certificate.deficiency
    proof = certificate.to_json() + "\n"
    written = []
    for model in (*MODELS, COST_MODEL):
        try:
            program = get_formulation(model).write(query)
        except ModelError:  # the article's program has no unseen tiles
            continue
        name = f"{chosen.name}.{model}"
        optimum, values = _solved(name, program, is_cost=model == COST_MODEL)
        if model != COST_MODEL and optimum != deficiency:
            raise SolverError(
                f"{name}: {FIRST_SOLVER} finds the optimum {optimum}, but the certificate proves "
                f"{deficiency}"
            )
        files = file_names(chosen.name, model)
        texts = program_texts(program)
        for ending, text in texts.items():
            write_text(folder / files[ending], text)
        digests = {ending: sha256_of(text.encode()) for ending, text in texts.items()}
        solution = f"{INFEASIBLE}\n" if values is None else to_sol(program, values)
        atomic_write(folder / files["solution"], solution)
        atomic_write(folder / files["certificate"], proof)
        written.append(
            Instance(
                name=name,
                group=chosen.group,
                hand=chosen.hand.to_text(),
                tiles=chosen.tiles,
                called=chosen.called,
                unseen="".join(map(str, chosen.unseen or ())),
                deficiency=deficiency,
                model=model,
                variables=program.num_variables,
                rows=len(program.rows),
                optimum=optimum,
                **(files if "opb" in texts else {**files, "opb": ""}),
                mps_sha256=digests["mps"],
                opb_sha256=digests.get("opb", ""),
            )
        )
    return written


def _solved(
    name: str, program: Program, *, is_cost: bool
) -> tuple[int | None, tuple[int, ...] | None]:
    """Return the optimum and an optimal point, or None twice if there is no solution.

    The costs of Eq. 8 have no certificate, so two solvers must agree.
    """
    results = [
        get_solver(solver).solve(program, DEFAULT_OPTIONS)
        for solver in ((FIRST_SOLVER, SECOND_SOLVER) if is_cost else (FIRST_SOLVER,))
    ]
    first = results[0]
    if not all(result.is_optimal or result.is_infeasible for result in results):
        raise SolverError(f"{name}: no solver answered")
    if len({result.objective for result in results}) != 1:
        answers = ", ".join(f"{result.solver} {result.objective}" for result in results)
        raise SolverError(f"{name}: the solvers disagree: {answers}")
    return first.objective, None if first.values is None else tuple(first.values)
