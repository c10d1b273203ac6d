"""Attacks, their kinds of cases, and the worker process that runs them.

Every case is determined by the attack's name, a seed and its number, so each can be
repeated alone. Case K is of kind K modulo the number of kinds.
"""

import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from helpers.waits import LONG, POLL

LIMIT = LONG  # seconds until a case counts as hanging; it may compile every kernel
LASTING = 10.0  # seconds after which no process of a case may run
TESTS = Path(__file__).parents[1]
PROC = Path("/proc")

Judge = Callable[[random.Random, Path], str | None]
"""Makes one case in an empty scratch folder; returns what failed, None if it held."""


class Skipped(Exception):  # noqa: N818 (no error: this machine lacks what the case needs)
    """Raised by a case that this machine does not support, with the reason."""


@dataclass(frozen=True)
class Attack:
    """A named attack with one function per kind of case."""

    name: str
    about: str
    kinds: Mapping[str, Judge]
    limit: float = LIMIT

    def kind(self, case: int) -> str:
        return list(self.kinds)[case % len(self.kinds)]


class Outcome(NamedTuple):
    """The outcome of one case."""

    attack: str
    case: int
    kind: str
    fault: str = ""
    skipped: str = ""
    seconds: float = 0.0


def run_case(attack: Attack, seed: int, case: int) -> Outcome:
    """Run one case in a temporary folder."""
    kind, begun = attack.kind(case), time.monotonic()
    rng = random.Random(f"{attack.name} {seed} {case}")
    fault = skipped = ""
    before = os.getcwd()
    outer = Path(tempfile.mkdtemp(prefix="attack-"))
    folder = outer / "scratch"
    folder.mkdir()
    os.environ["MJOPT_DATA"] = str(outer / "data")  # tables of the user stay as they are
    try:
        os.chdir(folder)
        fault = attack.kinds[kind](rng, folder) or ""
    except Skipped as reason:
        skipped = str(reason)
    except Exception as error:  # any exception is a failure
        fault = f"{type(error).__name__}: {error}"
    finally:
        os.chdir(before)
        shutil.rmtree(outer, ignore_errors=True)
    fault = fault.replace(str(folder), "SCRATCH")
    return Outcome(attack.name, case, kind, one_line(fault), skipped, time.monotonic() - begun)


def one_line(text: str, longest: int = 300) -> str:
    """Return any text as one printable line."""
    return " ".join(text.encode("ascii", "backslashreplace").decode().split())[:longest]


class Worker:
    """A process that runs cases, because they may hang, crash or exhaust memory."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, attack: Attack, seed: int, case: int) -> Outcome:
        process = self.process = self.process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        begun = time.monotonic()
        process.stdin.write(f"{json.dumps([attack.name, seed, case])}\n".encode())
        process.stdin.flush()
        is_there, _, _ = select.select([process.stdout], [], [], attack.limit)
        line = process.stdout.readline() if is_there else b""
        if line:
            return Outcome(*json.loads(line))
        fault = f"no end within {attack.limit:.0f} s"
        if is_there:
            fault = f"the process that made it ended with status {process.wait()}"
        self.close()
        seconds = time.monotonic() - begun
        return Outcome(attack.name, case, attack.kind(case), fault, "", seconds)

    def _start(self) -> "subprocess.Popen[bytes]":
        self.folder = tempfile.mkdtemp(prefix="attack-")  # goes with it, however it ends
        return subprocess.Popen(
            [sys.executable, "-m", "adversarial", "--worker"],
            env=environment(TMPDIR=self.folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def close(self) -> None:
        """Kill the worker and all processes of its session."""
        if self.process is not None:
            for leftover in (os.killpg, os.kill):
                with suppress(ProcessLookupError):
                    leftover(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
            shutil.rmtree(self.folder, ignore_errors=True)


def serve(attacks: Mapping[str, Attack]) -> None:
    """Run the cases named on stdin, one per line, and write only their outcomes to stdout."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # Commands would inherit ignored signals: a shell in the background ignores Ctrl-C, and `nohup`
    # SIGHUP.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for line in sys.stdin:
        name, seed, case = json.loads(line)
        print(json.dumps(run_case(attacks[name], seed, case)), file=answers, flush=True)


# Commands, in this process and in child processes


class Ran(NamedTuple):
    """The result of one command."""

    status: int
    out: str
    err: str


def environment(**changes: str | None) -> dict[str, str]:
    """Return an environment in which these tests can be imported; None removes a variable."""
    path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    every = {**os.environ, "PYTHONPATH": path, **changes}
    return {name: value for name, value in every.items() if value is not None}


def run_here(words: list[str], stdin: bytes = b"") -> Ran:
    """Run a command in this process and capture its file descriptors."""
    from mjopt.cli.main import execute

    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as erred, _stdin(stdin):
        with _redirected(1, said), _redirected(2, erred):
            try:
                status = execute(words)
            except SystemExit as error:
                status = error.code if isinstance(error.code, int) else 1
        texts = []
        for file in (said, erred):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    return Ran(status, *texts)


class _redirected:  # noqa: N801 (read as a function)
    """Redirect a descriptor, and its Python stream, to a file."""

    def __init__(self, descriptor: int, file: Any) -> None:
        self.descriptor, self.file = descriptor, file
        self.name = {1: "stdout", 2: "stderr"}[descriptor]

    def __enter__(self) -> None:
        self.stream = getattr(sys, self.name)
        self.stream.flush()
        self.kept = os.dup(self.descriptor)
        os.dup2(self.file.fileno(), self.descriptor)
        mine = open(os.dup(self.descriptor), "w", encoding="utf-8", errors="backslashreplace")
        setattr(sys, self.name, mine)

    def __exit__(self, *_: object) -> None:
        mine = getattr(sys, self.name)
        if not mine.closed:
            mine.close()
        setattr(sys, self.name, self.stream)
        os.dup2(self.kept, self.descriptor)
        os.close(self.kept)


class _stdin:  # noqa: N801
    def __init__(self, content: bytes) -> None:
        self.content = content

    def __enter__(self) -> None:
        self.file = tempfile.TemporaryFile()
        self.file.write(self.content)
        self.file.seek(0)
        self.stream, sys.stdin = sys.stdin, open(self.file.fileno(), closefd=False)

    def __exit__(self, *_: object) -> None:
        sys.stdin = self.stream
        self.file.close()


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "mjopt", *words]


def start(
    words: list[str],
    folder: Path,
    said: str = "said",
    preexec_fn: Callable[[], None] | None = None,
    **changes: str | None,
) -> "subprocess.Popen[bytes]":
    """Start a command in a folder, with its output in files of the folder ``.logs`` beside it.

    Pipes would stay open if a child process survived the command.
    """
    folder.mkdir(exist_ok=True)
    log = folder.parent / f".logs-{folder.name}"
    log.mkdir(exist_ok=True)
    with (log / f"{said}.out").open("wb") as out, (log / f"{said}.err").open("wb") as err:
        return subprocess.Popen(
            words,
            cwd=folder,
            env=environment(**changes),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            preexec_fn=preexec_fn,  # noqa: PLW1509 (no threads run here)
        )


def end(
    process: "subprocess.Popen[bytes]", folder: Path, said: str = "said", limit: float = LIMIT
) -> Ran:
    """Wait for a started command and return its result; raise if it hangs."""
    try:
        status = process.wait(limit)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise TimeoutError(f"no end within {limit:.0f} s") from None
    log = folder.parent / f".logs-{folder.name}"
    out, err = ((log / f"{said}.{end}").read_text(errors="replace") for end in ("out", "err"))
    return Ran(status, out, err)


def run_there(words: list[str], folder: Path, **changes: str | None) -> Ran:
    return end(start(words, folder, **changes), folder)


def unruly(ran: Ran, allowed: tuple[int, ...] = (0, 1, 2, 3)) -> str | None:
    """Return what is wrong with the exit status and messages of any command, or None."""
    lines = [line for line in ran.err.splitlines() if line.startswith("mjopt: ")]
    if "Traceback (most recent call last)" in ran.out + ran.err:
        return f"a traceback: {ran.err.strip().splitlines()[-1:]}"
    if ran.status not in allowed:
        return f"status {ran.status}: {ran.err[-200:]}"
    if ran.status == 2 and says_unreadable(ran):
        return None
    if ran.status == 2 and not (lines and ran.err.splitlines()[-1] == lines[-1]):
        return f"status 2, and stderr does not end with a line of mjopt: {ran.err[-200:]!r}"
    return None


def told(ran: Ran) -> list[str]:
    """Return the lines on stderr, except those on the random seed and on resumed work."""
    expected = re.compile(r"mjopt: seed \d+|resuming at row \d+ of \d+")
    return [line for line in ran.err.splitlines() if not expected.fullmatch(line)]


def says_unreadable(ran: Ran) -> bool:
    """Return whether the command reports an unreadable file as a result, as `verify` does."""
    signs = ("unreadable\t", "unchecked\t", '"readable": false', "is not installed; its source")
    return any(sign in ran.out for sign in signs)


# What is left


def survivors(mark: str) -> Iterator[int]:
    """Yield all processes with a marker in their environment, except this one."""
    for path in PROC.iterdir() if PROC.exists() else ():
        if path.name.isdigit() and int(path.name) != os.getpid():
            try:
                if mark.encode() in (path / "environ").read_bytes():
                    yield int(path.name)
            except OSError:
                continue


def left_running(mark: str, lasting: float = LASTING) -> str | None:
    """Wait until no marked process runs; kill and name the ones that remain.

    The time is counted in looks at all processes, which take longer on a busy machine.
    """
    for _ in range(round(lasting / POLL)):
        if not [*survivors(mark)]:
            return None
        time.sleep(POLL)
    names = []
    for pid in survivors(mark):
        with suppress(OSError):
            names.append((PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" "))
            os.kill(pid, signal.SIGKILL)
    return f"{len(names)} left running after {lasting:.0f} s: {names[:1]}" if names else None


def left_lying(folder: Path, *, also: tuple[str, ...] = ()) -> str | None:
    """Name a lock file or a temporary file that remains in a folder."""
    for path in folder.rglob(".*"):
        if path.name not in also and not path.name.endswith(".labels"):  # resumable work
            return f"left behind: {path.relative_to(folder)}"
    return None


# Bytes


def damaged(content: bytes, rng: random.Random) -> tuple[str, bytes]:
    """Damage a file's content as a disk, a copy or an editor might, and name the damage."""
    at = rng.randrange(len(content) + 1)
    flipped = bytearray(content or b"x")
    flipped[at % len(flipped)] ^= 1 << rng.randrange(8)
    return rng.choice(
        [
            ("truncated", content[:at]),
            ("flipped", bytes(flipped)),
            ("empty", b""),
            ("zeros", bytes(len(content))),
            ("doubled", content + content),
            ("a hole", content[: at // 2] + content[at:]),
            ("noise", rng.randbytes(rng.randrange(200))),
            ("UTF-16", content.decode("latin-1").encode("utf-16")),
        ]
    )
