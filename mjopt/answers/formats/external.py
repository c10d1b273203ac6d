"""The field's own checkers, asked as well where they are installed."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

TIME_LIMIT = 120  # seconds
PROGRAMS = {"VIPR": "viprchk", "VeriPB": "veripb"}


@dataclass(frozen=True, slots=True)
class External:
    """What another checker said.

    Parameters
    ----------
    program
        Its name.
    version
        How it introduces itself; empty if it is not on the path, or does not say.
    accepted
        Its verdict; None if it was not asked because it is not on the path.
    words
        Its last line.
    """

    program: str
    version: str
    accepted: bool | None
    words: str


def ask_external(format: str, paths: list[Path]) -> External:
    """Let ``viprchk`` or ``veripb`` check files, if it is on the path.

    Examples
    --------
    >>> ask_external("native", []).words
    'no other checker reads this format'
    """
    name = PROGRAMS.get(format)
    if name is None:
        return External("", "", None, "no other checker reads this format")
    program = shutil.which(name)
    if program is None:
        return External(name, "", None, f"{name} is not on the path")
    version = _said(_run([program, "--version"]), 0)
    found = _run([program, *map(str, paths)])
    if found is None:
        return External(name, version, False, f"no verdict within {TIME_LIMIT} s")
    return External(name, version, found.returncode == 0, _said(found, -1))


def _run(words: list[str]) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIME_LIMIT,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return None


def _said(found: subprocess.CompletedProcess[str] | None, at: int) -> str:
    """Return a line of what a program printed, the errors after the results."""
    lines = [] if found is None else f"{found.stdout}\n{found.stderr}".split("\n")
    lines = [line.strip() for line in lines if line.strip()]
    return lines[at] if lines else ""
