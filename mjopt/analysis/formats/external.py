"""The field's own checkers, asked as well where they are installed."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mjopt.proofs.veripb_read import PROOF_VERSIONS

TIME_LIMIT = 120  # seconds
PROGRAMS = {"VIPR": "viprchk", "VeriPB": "veripb"}

_VERSION = re.compile(r"\b[0-9]+(?:\.[0-9]+)+\S*")
_UNSUPPORTED = re.compile(r"unsupported\b.*\bversion|version\b.*(?:\bun|\bnot )supported", re.I)


@dataclass(frozen=True, slots=True)
class External:
    """What another checker said.

    Parameters
    ----------
    program
        Its name.
    version
        Its version; empty if it is not on the path, or does not say.
    accepted
        Its verdict; None if there is none.
    words
        Its last line, or why there is no verdict.
    has_failed
        Whether it was asked and gave no verdict: it cannot read the version of the file,
        crashed, or took too long.
    """

    program: str
    version: str
    accepted: bool | None
    words: str
    has_failed: bool = False


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
    if not all(path.is_file() for path in paths):
        return External(name, "", None, f"{name} reads files, no pipe: it was not asked")
    version = _version(_run([program, "--version"]))
    found = _run([program, *map(str, paths)])
    failure = f"within {TIME_LIMIT} s" if found is None else _failure(name, found, paths[-1])
    if found is None or failure:
        return External(name, version, None, failure, has_failed=True)
    return External(name, version, found.returncode == 0, _said(found, -1))


def _version(found: subprocess.CompletedProcess[str] | None) -> str:
    """Return the version that a program names first; a usage text names none."""
    line = "" if found is None or found.returncode else _said(found, 0)
    number = _VERSION.search(line)
    return number[0] if number and "usage" not in line.lower() else ""


def _failure(name: str, found: subprocess.CompletedProcess[str], proof: Path) -> str:
    """Say why a program that ended gave no verdict; empty if it gave one."""
    if found.returncode < 0:
        hint = "; it must be built with -DNDEBUG" if name == "viprchk" else ""
        return f"ended by signal {-found.returncode} ({_said(found, -1)}){hint}"
    if not found.returncode or not _UNSUPPORTED.search(f"{found.stdout}\n{found.stderr}"):
        return ""
    with proof.open(encoding="utf-8", errors="replace") as file:
        number = _VERSION.search(file.readline(100))
    given = number[0] if number else "?"
    older = [version for version in PROOF_VERSIONS if version < given and version != "1.1"]
    if not older:
        return f"it does not read version {given} ({_said(found, -1)})"
    return f"it does not read proofs of version {given}: certify with --proof-version {older[-1]}"


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
