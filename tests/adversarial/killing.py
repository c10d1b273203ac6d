"""Commands killed at random moments, run concurrently, and run with other settings.

In all cases the same command finally writes the same bytes.
"""

import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from adversarial.attack import (
    LASTING,
    PROC,
    Attack,
    Judge,
    Ran,
    command,
    end,
    left_lying,
    left_running,
    run_there,
    start,
    survivors,
    told,
    unruly,
)
from helpers.dataset_folders import everything
from helpers.support import deal

from mjopt import FULL, M0

# Each takes seconds, so that kills hit the work, and resumes where it can.
USES = {
    "label": "label many.txt --model blockwise -o out.csv",
    "label by tables": "label many.txt -o out.csv --check 200",
    "battle": "battle l1 l3 deficiency draws -n 3 --seed 3 -o out",
    "battle records": "battle l1 l3 deficiency l2 -n 8 --seed 3 --records out.txt",
    "league": "league l1 deficiency l2 -n 4 --seed 3 -o out",
    "compare": "compare ndde:population=6,generations=5 tree-search --hands two-type:60 "
    "--runs 3 --seed 3 -o out",
    "dataset": "dataset build deals:600 -o out --shards 24 --seed 3 --labels deficiency,digest "
    "--splits a=1,b=1",
    "certify": "certify --hands many.txt -o out.jsonl",
    "certify few": "certify --hands few.txt -o out.jsonl",
    "certify folder": "certify --hands few.txt -o out",
    "audit": "audit values.csv -o out",
    "audit far": "audit far.csv -o out",
}
STOPS = 4  # of one case, at most
DRAWN = ("times", "report.json", "units.csv", "blocks.csv")  # measured times differ between runs
TIMED = ("report.html", "tables.md", "summary.json", "export")  # the same in a study


def inputs(folder: Path) -> None:
    rng = random.Random(5)
    hands = [deal(rng, M0, suits=3).to_text() for _ in range(1500)]
    (folder / "many.txt").write_text("\n".join(hands) + "\n")
    (folder / "few.txt").write_text("\n".join(hands[:300]) + "\n")
    rows = "".join(f"{hand},{rng.randrange(5)}\n" for hand in hands[:900])
    (folder / "values.csv").write_text(f"hand,deficiency\n{rows}")
    far = [f"{deal(rng, FULL).to_text()},9\n" for _ in range(1500)]  # large results of workers
    (folder / "far.csv").write_text("".join(["hand,deficiency\n", *far]))


@cache
def undisturbed(name: str) -> tuple[dict[str, str], float]:
    """Return the product of an undisturbed command and its duration; cached per process."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "calm"
        folder.mkdir()
        inputs(folder)
        begun = time.monotonic()
        ran = run_there(command("--quiet", *USES[name].split(), "-j", "2"), folder)
        assert ran.status in (0, 1), ran.err
        return product(folder), time.monotonic() - begun


def product(folder: Path) -> dict[str, str]:
    """Return the digest of every written file, except files that contain times."""
    made = {name: digest for name, digest in everything(folder).items() if name.startswith("out")}
    return {
        name: digest
        for name, digest in made.items()
        if not set(Path(name).parts) & {*DRAWN} and not name.endswith(".certificates.csv")
    }


def differs(name: str, folder: Path, ran: Ran) -> str | None:
    """Return what is wrong after the last run of a command, or None."""
    if ran.status not in (0, 1):
        return f"the last run: status {ran.status}: {ran.err[-200:]}"
    expected, found = undisturbed(name)[0], product(folder)
    names = {
        key
        for key in expected.keys() | found
        if name != "compare" or not set(Path(key).parts) & {*TIMED}
    }
    other = sorted(key for key in names if expected.get(key) != found.get(key))
    if other:
        return f"{len(other)} files differ from those of an undisturbed run: {other[:3]}"
    return unruly(ran) or left_lying(folder)


def keeps_books(pid: int) -> bool:
    """Return whether a process is Python's resource tracker, whose death prints a traceback."""
    with suppress(OSError):
        return b"resource_tracker" in (PROC / str(pid) / "cmdline").read_bytes()
    return False


def killed(name: str) -> Judge:
    """Kill the command or one of its workers a few times, then let it finish."""

    def case(rng: random.Random, folder: Path) -> str | None:
        _, lasting = undisturbed(name)
        inputs(folder)
        words = command("--quiet", *USES[name].split(), "-j", rng.choice(["1", "2", "2"]))
        for number in range(rng.randint(1, 3)):
            mark = f"{rng.getrandbits(64):x}"
            run = start(words, folder, ATTACK_MARK=mark)
            time.sleep(rng.uniform(0.1, lasting))
            workers = [pid for pid in survivors(mark) if pid != run.pid and not keeps_books(pid)]
            how = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
            who = run.pid if not workers or rng.random() < 0.6 else rng.choice(workers)
            with suppress(ProcessLookupError):
                os.kill(who, signal.SIGKILL if who != run.pid else how)
            ran = end(run, folder)
            fault = left_running(mark)
            allowed = (0, 1, 2, 130, 143, -how)
            if fault := fault or unruly(ran, allowed):
                victim = "a worker" if who != run.pid else how.name
                return f"{victim} at kill {number + 1}: {fault}"
            if ran.status == 0:
                break
        if USES[name].endswith("-o out") and name == "certify folder":
            shutil.rmtree(folder / "out", ignore_errors=True)  # the command requires a new folder
        return differs(name, folder, run_there(words, folder))

    return case


def stopped(name: str) -> Judge:
    """Send a signal to the command or its group: it ends soon, with one line."""

    def case(rng: random.Random, folder: Path) -> str | None:
        _, lasting = undisturbed(name)
        inputs(folder)
        words = command("--quiet", *USES[name].split(), "-j", "2")
        for number in range(STOPS):
            mark = f"{rng.getrandbits(64):x}"
            run = start(words, folder, preexec_fn=os.setsid, ATTACK_MARK=mark)
            how, send = (
                rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]),
                rng.choice([os.kill, os.killpg]),
            )
            moment = rng.uniform(0.5, lasting)
            time.sleep(moment)
            with suppress(ProcessLookupError):
                send(run.pid, how)
            begun = time.monotonic()
            ran = end(run, folder)
            took = time.monotonic() - begun
            where = f"{how.name} by {send.__name__} after {moment:.2f} s, stop {number + 1}"
            fault = left_running(mark) or unruly(ran, (0, 1, 129, 130, 143))
            if not fault and took > LASTING:
                fault = f"ended after {took:.0f} s"
            if not fault and ran.status > 128 and len(told(ran)) > 1:
                fault = f"{len(told(ran))} lines: {ran.err[-200:]!r}"
            if fault:
                return f"{where}: {fault}"
            if ran.status in (0, 1):
                break
        return differs(name, folder, run_there(words, folder))

    return case


def together(name: str) -> Judge:
    """Run two or three at once: refused ones print a line, and the result is correct."""

    def case(rng: random.Random, folder: Path) -> str | None:
        undisturbed(name)
        inputs(folder)
        words = command("--quiet", *USES[name].split(), "-j", "1")
        runs = []
        for number in range(rng.choice([2, 2, 3])):
            runs.append(start(words, folder, f"said-{number}"))
            time.sleep(rng.choice([0.0, 0.0, rng.uniform(0, 1)]))
        found = [end(run, folder, f"said-{number}") for number, run in enumerate(runs)]
        done = [ran for ran in found if ran.status in (0, 1)]
        for ran in found:
            if fault := unruly(ran):
                return fault
            if ran.status == 2 and len(lines := told(ran)) != 1:
                return f"refused in {len(lines)} lines: {lines}"
        return differs(name, folder, done[0]) if done else f"none went through: {found[0].err}"

    return case


def otherwise(name: str) -> Judge:
    """Use other numbers of workers and threads, another hash seed, another order of folders."""

    def case(rng: random.Random, folder: Path) -> str | None:
        undisturbed(name)
        inputs(folder)
        changes = {
            "PYTHONHASHSEED": rng.choice(["0", "1", "12345", "random"]),
            "NUMBA_NUM_THREADS": rng.choice(["1", "2", None]),
            "OMP_NUM_THREADS": rng.choice(["1", "2", None]),
            "TZ": rng.choice(["UTC", "Asia/Kolkata"]),
            "LC_ALL": rng.choice(["C", "C.UTF-8", None]),
            "PYTHONOPTIMIZE": rng.choice(["1", None]),
        }
        words = command("--quiet", *USES[name].split(), "-j", rng.choice(["1", "2", "3"]))
        fault = differs(name, folder, run_there(words, folder, **changes))
        return f"with {words[-1]} jobs and {changes}: {fault}" if fault else None

    return case


def kinds(make: Callable[[str], Judge], *without: str) -> dict[str, Judge]:
    return {name: make(name) for name in USES if name not in without}


KILLS = Attack("kills", "parents and workers killed at random moments", kinds(killed))
SIGNALS = Attack(
    "signals",
    "SIGINT, SIGTERM and SIGHUP during large results",
    kinds(stopped, "certify folder"),
)
WRITERS = Attack("writers", "two and three writers on one output", kinds(together))
EQUAL = Attack("equal", "other workers, threads and hash seeds", kinds(otherwise))
