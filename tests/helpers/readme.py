"""Commands and Python block of the README, with their expected output.

As a program, it checks them with the installed mjopt: ``python -I tests/helpers/readme.py``, where
``-I`` prevents the import of the checkout's mjopt. It needs only the standard library.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")


def sessions() -> list[tuple[str, str]]:
    """Return every `$ mjopt ...` of the console blocks, with its expected output."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            words, _, printed = part.partition("\n")
            if words.startswith("mjopt "):
                found.append((words, printed))
    return found


def plain(text: str) -> list[str]:
    """Normalise white space: expand tabs and strip line ends."""
    return [line.rstrip() for line in text.expandtabs().rstrip().splitlines()]


def python_block() -> doctest.DocTest:
    """Return the block of Python as a doctest."""
    [block] = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    return doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)


def check_installed() -> None:
    """Run the commands and the Python; exit at the first difference in output."""
    import mjopt

    if Path(mjopt.__file__).is_relative_to(CHECKOUT / "mjopt"):
        sys.exit(f"this is the checkout's own mjopt, not an installed one: {mjopt.__file__}")
    command = Path(sysconfig.get_path("scripts"), "mjopt")
    commands = sessions()
    for words, printed in commands:
        done = subprocess.run(
            [command, *shlex.split(words)[1:]],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            check=False,
        )
        if plain(done.stdout) != plain(printed) or done.stderr:
            sys.exit(f"$ {words}\n{done.stdout}{done.stderr}\nThe README says:\n{printed}")
    block = python_block()
    if not commands or not block.examples or doctest.DocTestRunner().run(block).failed:
        sys.exit("the README's Python prints something else, or there are no examples")
    print(f"{len(commands)} commands and {len(block.examples)} lines of Python print what the")
    print(f"README says, by mjopt {mjopt.__version__} in {Path(mjopt.__file__).parent}")


if __name__ == "__main__":
    check_installed()
