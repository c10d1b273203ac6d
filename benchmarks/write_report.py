"""Measure every claim about speed and write ``docs/results/benchmarks.md``: ``make bench-report``.

Each claim is a benchmark with the mark ``claim``, whose sides run in turn in one process. This
program runs them with pytest-benchmark, and makes a page of the JSON files. Nothing is kept from
earlier runs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from mjopt._internal.files import atomic_write
from mjopt.errors import MjoptError
from report_sections import SECTIONS
from report_tables import Comparison, machine_table

CHECKOUT: Final = Path(__file__).parents[1]
OUTPUT: Final = CHECKOUT / "docs" / "results" / "benchmarks.md"
MINUTES: Final = 4  # on two quiet cores; 11 were seen beside a dozen other processes

INTRODUCTION: Final = """\
# Benchmarks

Each table on this page comes from one run, in which the sides took turns: every round began with
another side, and a ratio is that of two times of the same round. Tables show the median over the
rounds and the quartiles. Times are processor times of one core. They hold for the machine below;
ratios carry over to other machines better.

{load}

`make bench-report` measures everything again and writes this page (about {minutes} minutes on a
quiet machine).
"""
BUSY: Final = "Other work ran at the same time, so the spread is wider than on a quiet machine."
QUIET: Final = "The machine was quiet when it began."
QUICK: Final = "**This was a quick run (`--quick`): everything runs, but on too few hands.**"


def run_claim(file: str, folder: Path, quick: bool) -> dict[str, Any]:
    """Run the benchmark of one claim, and return what pytest-benchmark wrote.

    Raises
    ------
    MjoptError
        If the benchmark failed; its output is part of the message.
    """
    output = folder / f"{file}.json"
    command = [sys.executable, "-m", "pytest", f"benchmarks/{file}", "-m", "claim", "-q"]
    command += [f"--benchmark-json={output}", *(["--quick"] if quick else [])]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if done.returncode or not output.exists():
        raise MjoptError(f"benchmarks/{file} failed:\n{done.stdout}{done.stderr}")
    result: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return result


def page(results: dict[str, dict[str, Any]], load: float, quick: bool) -> str:
    """Return the page from the result of every claim."""
    first = next(iter(results.values()))
    is_busy = load > first["machine_info"]["cpu"]["count"] / 2
    parts = [
        INTRODUCTION.format(load=BUSY if is_busy else QUIET, minutes=MINUTES),
        machine_table(first["machine_info"], first["datetime"], load).to_markdown(2),
    ]
    if quick:
        parts.insert(1, QUICK + "\n")
    for section in SECTIONS:
        [benchmark] = results[section.claim]["benchmarks"]
        parts.append(section.to_markdown(Comparison(benchmark["extra_info"]["comparison"])))
    return "\n".join(parts)


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description="Measure every claim about speed; write a page.")
    parser.add_argument("--quick", action="store_true", help="few rounds and small sets: a minute")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT, metavar="FILE")
    options = parser.parse_args()
    if not options.output.absolute().parent.is_dir():
        parser.error(f"{options.output}: its folder does not exist")
    expected = "about a minute" if options.quick else f"about {MINUTES} minutes if quiet"
    print(f"measures {len(SECTIONS)} claims, {expected}; writes {options.output}", flush=True)
    load = os.getloadavg()[0]
    results = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            for section in SECTIONS:
                start = time.perf_counter()
                results[section.claim] = run_claim(section.file, Path(folder), options.quick)
                print(f"{section.claim}: {time.perf_counter() - start:.0f} s", flush=True)
        atomic_write(options.output, page(results, load, options.quick))
    except MjoptError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("interrupted; nothing was written")
    print(f"written: {options.output}")


if __name__ == "__main__":
    main()
