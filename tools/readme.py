"""Console blocks and the Python block of the README, with their expected output.

As a program, it checks them with the installed mjopt: ``python -I tools/readme.py``, where
``-I`` prevents the import of the checkout's mjopt. It needs only the standard library. Blocks that
need an extra are checked only if that extra is installed.
"""

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PACKAGES = {"datasets": "pyarrow", "experiments": "scikit_posthocs"}
"""For each extra of a block, a package that only this extra installs; OR-Tools brings pandas."""

Run = Callable[[str], tuple[int, str, str]]
"""Runs a command; returns its status, output and messages."""


def sessions() -> list[str]:
    """Return the console blocks that run mjopt."""
    blocks: list[str] = re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL)
    return [block for block in blocks if commands(block)]


def commands(block: str) -> list[tuple[str, str]]:
    """Return every `$ mjopt ...` and `$ printf ...` of a block, with its expected output."""
    parts = [part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [
        (words, printed) for words, _, printed in parts if words.startswith(("mjopt ", "printf "))
    ]


def missing_extras(block: str) -> list[str]:
    """Return the extras that a block installs and that are not installed here."""
    needed = re.findall(r"pip install '\.\[(\w+)\]'", block)
    return [extra for extra in needed if importlib.util.find_spec(PACKAGES[extra]) is None]


def plain(text: str) -> list[str]:
    """Normalise white space: expand tabs and strip line ends."""
    return [line.rstrip() for line in text.expandtabs().rstrip().splitlines()]


def python_block() -> doctest.DocTest:
    """Return the block of Python as a doctest."""
    [block] = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    return doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)


def in_shell(mjopt: str, folder: str) -> Run:
    """Return a function that runs commands in a folder, with a program in place of ``mjopt``."""

    def run(words: str) -> tuple[int, str, str]:
        is_mjopt = words.startswith("mjopt ")
        done = subprocess.run(
            f"{mjopt}{words.removeprefix('mjopt')}" if is_mjopt else words,
            shell=True,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    return run


def differences(block: str, run: Run) -> str:
    """Run the commands of a block; return the first unexpected output, if any."""
    for words, printed in commands(block):
        status, out, err = run(words)
        got, want = ("".join(f"{line}\n" for line in plain(text)) for text in (out, printed))
        # Status 1 is an answer, such as that of an audit; the output is compared all the same.
        if status > 1 or not doctest.OutputChecker().check_output(want, got, FLAGS):
            return f"$ {words}\n{out}{err}\nThe README says:\n{printed}"
    return ""


def check_installed() -> None:
    """Run the commands and the Python; exit at the first difference in output."""
    import mjopt

    if Path(mjopt.__file__).is_relative_to(CHECKOUT / "mjopt"):
        sys.exit(f"this is the checkout's own mjopt, not an installed one: {mjopt.__file__}")
    command = shlex.quote(str(Path(sysconfig.get_path("scripts"), "mjopt")))
    done = 0
    with tempfile.TemporaryDirectory() as folder:
        for block in sessions():
            if missing := missing_extras(block):
                print(f"not checked, because the extra {missing[0]} is missing: {block.strip()}")
            elif found := differences(block, in_shell(command, folder)):
                sys.exit(found)
            else:
                done += len(commands(block))
    block = python_block()
    if missing := missing_extras(block.docstring or ""):
        print(f"not checked, because the extra {missing[0]} is missing: the Python block")
    elif not block.examples or doctest.DocTestRunner(optionflags=FLAGS).run(block).failed:
        sys.exit("the README's Python prints something else, or there are no examples")
    if not done:
        sys.exit("the README has no command that the installed package can run")
    print(f"{done} commands print what the README says, by mjopt {mjopt.__version__}")
    print(f"in {Path(mjopt.__file__).parent}")


if __name__ == "__main__":
    check_installed()
