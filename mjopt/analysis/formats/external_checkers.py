"""Run the checkers of VIPR and VeriPB files: viprchk, veripb and CakePB."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mjopt._internal.programs import MAX_OUTPUT, run_program

TIME_LIMIT: Final = 120  # seconds

SOURCES: Final = {
    "viprchk": "https://github.com/scipopt/vipr",
    "veripb": "https://gitlab.com/MIAOresearch/software/VeriPB",
    "cake_pb": "https://cakeml.org",
}
"""Address of each checker by name."""

_UNSUPPORTED = re.compile(r"unsupported\b.*\bversion|version\b.*(?:\bun|\bnot )supported", re.I)


@dataclass(frozen=True, slots=True)
class CheckerVerdict:
    """The verdict of a checker."""

    program: str
    accepted: bool | None  # None if it gave no verdict
    message: str  # its last line of output, or why there is no verdict


def run_viprchk(proof: Path) -> CheckerVerdict:
    """Check a VIPR file with ``viprchk``."""
    return _run("viprchk", [proof])


def run_veripb(instance: Path, proof: Path) -> CheckerVerdict:
    """Check a VeriPB proof with ``veripb``, and with ``cake_pb`` where that is installed.

    CakePB, whose correctness is proved down to machine code, reads what VeriPB elaborates.
    """
    if shutil.which("cake_pb") is None:
        return _run("veripb", [instance, proof])
    elaborated = proof.with_suffix(".elaborated.pbp")
    verdict = _run("veripb", ["--elaborate", elaborated, instance, proof])
    return _run("cake_pb", [instance, elaborated]) if verdict.accepted else verdict


def _run(name: str, arguments: list[str | Path]) -> CheckerVerdict:
    program = shutil.which(name)
    if program is None:
        return CheckerVerdict(
            name, None, f"{name} is not installed; its source is at {SOURCES[name]}"
        )
    try:
        done = run_program([program, *map(str, arguments)], time_limit=TIME_LIMIT)
    except OSError as error:
        return CheckerVerdict(name, None, f"{name} cannot be run: {error.strerror or error}")
    if done.status is None:
        limit = f"{MAX_OUTPUT:,} bytes" if done.is_too_long else f"{TIME_LIMIT} s"
        return CheckerVerdict(name, None, f"{name} gave no verdict within {limit}")
    lines = [line.strip() for line in done.output.split("\n") if line.strip()]
    message = lines[-1] if lines else ""
    if done.status < 0:
        hint = "; build it with -DNDEBUG" if name == "viprchk" else ""
        message = f"{name} ended by signal {-done.status} ({message}){hint}"
        return CheckerVerdict(name, None, message)
    if done.status and _UNSUPPORTED.search(done.output):
        hint = "mjopt.analysis.formats.to_opb writes older ones, with version="
        if name == "viprchk":
            hint = "mjopt writes VIPR 1.1; install a newer viprchk"
        return CheckerVerdict(name, None, f"{name} does not read this version ({message}): {hint}")
    return CheckerVerdict(name, done.status == 0, message)
