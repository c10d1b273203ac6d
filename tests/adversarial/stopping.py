"""Signals at random moments, also while a command loads: every process ends within five seconds."""

import os
import random
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from adversarial.attack import (
    TESTS,
    Attack,
    Judge,
    Ran,
    command,
    end,
    left_lying,
    left_running,
    start,
    told,
)
from adversarial.killing import inputs

from mjopt.instances import build_instances

SOON = 5.0  # seconds after the signal in which every process ends
LOADING = 0.7  # seconds in which a command usually loads
RESUMABLE = (".plan.json", ".out.ceiling.partial")  # of an unfinished dataset, of a table
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PLAYER = TESTS / "data" / "players" / "player.py"

# A solver or an engine with a descendant; both ignore the signals that can be ignored. The engine
# may answer, with a pause.
SOLVER = """
import signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
for line in sys.stdin if sys.argv[1:] == ["endless"] else ():
    print(0, flush=True)
    time.sleep(0.001)
time.sleep(600)
"""
ENGINE = """
import time

def lasting(hand):
    time.sleep(0.001)
    return 0
"""

USES = {
    "label": "label many.txt --model blockwise -o out.csv -j 2",
    "label by tables": "label many.txt -o out.csv --check 1000",
    "certify": "certify --hands many.txt -o out.jsonl -j 2",
    "certify alone": "certify --hands many.txt -o out.jsonl -j 1",
    "audit": "audit far.csv -o out -j 2",
    "audit package": "audit-engine mahjong --hands deals:20000 -o out -j 2",
    "audit function": "audit-engine engine.py:lasting --ask win --hands deals:20000",
    "audit silent program": "audit-engine --command 'SOLVER' --ask win --timeout 600",
    "audit program": "audit-engine --command 'SOLVER endless' --ask win --hands deals:100000",
    "compare": "compare ndde tree-search --hands two-type:60 --runs 3 -o out -j 2",
    "reproduce": "reproduce table1 -o out -j 2",
    "battle": "battle l1 l3 deficiency draws -n 30 -o out -j 2",
    "battle of programs": f"battle 'process:{sys.executable} {PLAYER} stubborn' l1 l2 l3 -n 3 "
    "--time-limit 600 -o out -j 2",
    "league": "league l1 deficiency l2 -n 40 -o out -j 2",
    "solitaire": "solitaire useful second-order -n 20000 -j 2",
    "dataset": "dataset build deals:20000 -o out --shards 24 --labels deficiency,digest "
    "--splits a=1,b=1 -j 2",
    "instances": "instances build --number 60 -o out -j 2",
    "solvers": "instances solve set -o out -j 2",
    "solvers alone": "instances solve set -o out -j 1 --solver cp-sat",
    "outside solver": "instances solve set -o out -j 2 --time-limit 600 --solver 'o=SOLVER {mps}'",
    "census": "census --tiles 136 --size 13",
    "ceiling": "ceiling build --called 2 --draws 12 -o out.ceiling",
    "tables": "tables certify -o out.json",
    "win chance": "win-chance 22557m234p34789s3z --draws 12 -o out.json.gz",
    "draws": "draws 4569m13445788p2s4z --forms standard,chiitoi",
    "train": "train imitation --from deficiency --preset tiny -o out",
    "serve": "serve --port 0",
    "compiling": "warm -j 2",
}


@cache
def instance_set() -> Path:
    """Return a small instance set, built once; it goes with the worker process."""
    folder = Path(tempfile.mkdtemp()) / "set"
    build_instances(folder, hands=7, seed=1)
    return folder


def stopped(name: str) -> Judge:
    """Send a signal, sometimes twice, to the command or its process group."""

    def case(rng: random.Random, folder: Path) -> str | None:
        inputs(folder)
        temporary = folder / "temporary"
        temporary.mkdir()
        if "set" in (words := shlex.split(USES[name])):
            shutil.copytree(instance_set(), folder / "set")
        (folder / "solver.py").write_text(SOLVER)
        (folder / "engine.py").write_text(ENGINE)
        solver = f"{sys.executable} {folder / 'solver.py'}"
        mark = f"{rng.getrandbits(64):x}"
        changes = {"ATTACK_MARK": mark, "TMPDIR": str(temporary)}
        if name == "compiling":
            changes["NUMBA_CACHE_DIR"] = str(folder / "kernels")
        run = start(
            command("--quiet", *(word.replace("SOLVER", solver) for word in words)),
            folder,
            preexec_fn=os.setsid,
            **changes,
        )
        moment = rng.uniform(0, LOADING) if rng.random() < 0.3 else rng.uniform(LOADING, 6)
        time.sleep(moment)
        how, send = rng.choice(SIGNALS), rng.choice([os.kill, os.killpg])
        gap = rng.choice([None, None, None, 0.0, rng.uniform(0, 1)])
        _send(send, run.pid, how)
        if gap is not None:
            time.sleep(gap)
            _send(send, run.pid, how)
        late = left_running(mark, SOON)
        twice = "" if gap is None else f", again after {gap:.2f} s"
        where = f"{how.name} by {send.__name__} after {moment:.2f} s{twice}"
        ran = end(run, folder)
        if fault := late or _fault(ran, how, folder, moment):
            return f"{where}: {fault}"
        return None

    return case


def _send(send: Callable[[int, int], None], pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        send(pid, number)


def _fault(ran: Ran, how: signal.Signals, folder: Path, moment: float) -> str | None:
    """Return what is wrong with the end of a command, or None."""
    allowed = {0, 1, 128 + how}
    if moment < LOADING:  # before the handlers are there
        allowed.add(-how)
    if ran.status not in allowed:
        return f"status {ran.status}: {ran.err[-300:]!r}"
    lines = [line for line in told(ran) if "serving on" not in line]
    if ran.status == 128 + how and len(lines) > 1:
        return f"{len(lines)} lines: {ran.err[-300:]!r}"
    if left := [path.name for path in (folder / "temporary").iterdir()]:
        return f"left in the temporary folder: {left[:3]}"
    return left_lying(folder, also=RESUMABLE)


ATTACK = Attack(
    "stops",
    "SIGINT, SIGTERM and SIGHUP at random moments of every long command",
    {name: stopped(name) for name in USES},
)
