"""`mjopt warm`: compile every kernel ahead of time."""

import time

from mjopt._internal.executor import open_executor
from mjopt._internal.jit import cache_folder
from mjopt.cli.compilation import BATCHES, compile_batch
from mjopt.cli.options import Jobs, Json, Quiet, Work
from mjopt.cli.output import print_json
from mjopt.cli.progress import Bar
from mjopt.errors import MjoptError


def command(*, jobs: Jobs = None, quiet: Quiet = False, json: Json = False) -> None:
    """Compile every kernel now, so that no command waits for it later.

    Example: `mjopt warm`
    """
    if cache_folder() is None:
        raise MjoptError(
            "compiled kernels cannot be kept: no folder can be written "
            "(NUMBA_CACHE_DIR=FOLDER names one)"
        )
    start = time.perf_counter()
    processes = min(Work(jobs=jobs).num_jobs, len(BATCHES))
    with (
        Bar("compiling", len(BATCHES), unit="batches", quiet=quiet) as bar,
        open_executor(processes) as workers,
    ):
        kernels = set[str]().union(*bar.each(workers.map(compile_batch, BATCHES)))
    seconds = time.perf_counter() - start
    if json:
        print_json({"compiled": len(kernels), "seconds": round(seconds, 3)})
    elif kernels:
        print(f"{len(kernels)} kernels compiled in {seconds:.1f} s")
    else:
        print("nothing to do: every kernel is compiled")
