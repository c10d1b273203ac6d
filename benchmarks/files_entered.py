"""Count the files of mjopt whose functions a call runs: ``python benchmarks/files_entered.py``.

A function counts when it is called; module and class bodies do not (``co_flags & 1``, optimised
locals). Each call runs in a fresh process, so that nothing is loaded or cached in memory.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

IS_FUNCTION: Final = 1  # of ``co_flags``: code with optimised locals

COUNTER: Final = """
import os, sys, threading

entered = set()

def profile(frame, event, argument):
    if event == "call" and frame.f_code.co_flags & {flag}:
        entered.add((frame.f_code.co_filename, frame.f_code.co_qualname))

{setup}
threading.setprofile(profile)
sys.setprofile(profile)
try:
    {statement}
finally:
    sys.setprofile(None)
    import mjopt
    root = os.path.dirname(mjopt.__file__)
    own = {{(file, name) for file, name in entered if file.startswith(root)}}
    with open({output!r}, "w") as out:
        print(len({{file for file, _ in own}}), len(own), file=out)
"""

CALLS: Final = {
    "mjopt.deficiency": (
        "import mjopt",
        'mjopt.deficiency("4569m13445788p2s4z")',
        10,
    ),
    "mjopt compare": (
        "from mjopt.cli.main import execute",
        'execute("compare ndde ga --hands two-type:100 -j 1 -o {folder}/study".split())',
        60,
    ),
    "mjopt dataset build": (
        "from mjopt.cli.main import execute",
        'execute("dataset build deals:2000 -j 1 -o {folder}/data".split())',
        40,
    ),
}
"""Of each call: its imports, the call, and the most files that are expected."""

MOST_WRITTEN: Final = 15  # files, by ``compare``


def count_entered(setup: str, statement: str, folder: Path) -> tuple[int, int]:
    """Return how many files of mjopt a statement enters, and how many functions."""
    output = folder / "counts.txt"
    program = COUNTER.format(
        flag=IS_FUNCTION, setup=setup, statement=statement.format(folder=folder), output=str(output)
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
    files, functions = output.read_text().split()
    return int(files), int(functions)


def main() -> None:
    """Print the counts beside those that are expected."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, (setup, statement, most) in CALLS.items():
            files, functions = count_entered(setup, statement, folder)
            print(f"{title}: {files} files entered (at most {most}), {functions} functions")
        written = sum(path.is_file() for path in (folder / "study").rglob("*"))
        print(f"mjopt compare: {written} files written (at most {MOST_WRITTEN})")


if __name__ == "__main__":
    main()
