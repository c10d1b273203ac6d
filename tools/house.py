"""Compare the size of the package with the ceilings in tools/house.toml.

``python -m tools.house`` prints each figure beside its ceiling or floor and fails if one is passed;
`make lint` runs it.
"""

import ast
import io
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CEILINGS: Final = Path(__file__).with_suffix(".toml")
PARENTS: Final = ("chances", "hands", "play")  # packages whose folders are rooms of their own
LONG: Final = 400  # lines of a file
LAYOUT: Final = (
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)
DEFINITIONS: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
ONE_HAND: Final = (
    "import sys, mjopt; mjopt.deficiency('1112345678999m1p');"
    "print(sum(name.partition('.')[0] == 'mjopt' for name in sys.modules))"
)


@dataclass(frozen=True, slots=True)
class Lines:
    """Numbers of lines of a source file."""

    code: int  # with a token that is no comment, docstrings excepted
    docstring: int
    comment: int  # with nothing but a comment
    total: int


def count_lines(source: str) -> Lines:
    """Count the lines of a source file."""
    docstring: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DEFINITIONS) and ast.get_docstring(node, clean=False) is not None:
            docstring |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    code, comment = set[int](), set[int]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comment.add(token.start[0])
        elif token.type not in LAYOUT:
            code |= set(range(token.start[0], token.end[0] + 1))
    code -= docstring
    return Lines(len(code), len(docstring), len(comment - code), source.count("\n"))


def room_of(path: Path) -> str:
    """Return the room of a file, given relative to the package: its folder, or its subfolder."""
    depth = 2 if path.parts[0] in PARENTS and len(path.parts) > 2 else 1
    return "/".join(path.parts[:depth]) if len(path.parts) > 1 else "."


def options() -> int:
    """Count the options of all commands, ``--help`` excepted."""
    from mjopt.cli.main import COMMANDS, load_command

    names = (name for names in COMMANDS.values() for name in names)
    commands = [(load_command(name), name) for name in names]
    each = [part for c, name in commands for part in getattr(c, "commands", {name: c}).values()]
    return sum(param.opts[0].startswith("-") for command in each for param in command.params)


def exported_names() -> int:
    """Count the public names of all packages."""
    from tools.reference import FACES, public_names

    return sum(len(public_names(face)) for face in FACES)


def modules_of_one_hand() -> int:
    """Count the modules of the package that the deficiency of one hand loads."""
    ran = subprocess.run(
        [sys.executable, "-c", ONE_HAND], check=True, capture_output=True, text=True, cwd=ROOT
    )
    return int(ran.stdout)


def figures() -> dict[str, dict[str, float]]:
    """Measure what the ceilings are about."""
    code, comment = Counter[str](), Counter[str]()
    long_files = 0
    for path in sorted((ROOT / "mjopt").rglob("*.py")):
        lines = count_lines(path.read_text(encoding="utf-8"))
        room = room_of(path.relative_to(ROOT / "mjopt"))
        code[room] += lines.code
        comment[room] += lines.comment
        long_files += lines.total > LONG
    counts = {
        "files_above_400_lines": long_files,
        "options": options(),
        "exported_names": exported_names(),
        "modules_of_one_hand": modules_of_one_hand(),
    }
    density = {room: round(100 * comment[room] / lines, 1) for room, lines in code.items() if lines}
    return {"most": counts, "most_code_lines": {**+code}, "least_comments": density}


def compare(
    measured: dict[str, dict[str, float]], limits: dict[str, dict[str, float]]
) -> Iterator[tuple[str, float, str, bool]]:
    """Yield the name of each figure, its value, its limit in words, and whether it is kept."""
    for section, named in limits.items():
        is_floor = section.startswith("least")
        for name, limit in named.items():
            value = measured[section].get(name, 0)
            is_kept = value >= limit if is_floor else value <= limit
            bound = "at least" if is_floor else "at most"
            yield f"{section} {name}", value, f"{bound} {limit:,}", is_kept
    for room in measured["most_code_lines"].keys() - limits["most_code_lines"].keys():
        yield f"most_code_lines {room}", measured["most_code_lines"][room], "a ceiling", False


def main() -> int:
    """Print the figures; return the exit status, 1 if a limit is passed."""
    limits = tomllib.loads(CEILINGS.read_text(encoding="utf-8"))
    passed = 0
    for name, value, limit, is_kept in compare(figures(), limits):
        print(f"{name:40}{value:>10,}  {limit}{'' if is_kept else '  PASSED'}")
        passed += not is_kept
    if passed:
        print(
            f"{passed} of the limits in {CEILINGS.relative_to(ROOT)} passed: make room, or raise "
            "the limit in the same commit and say what the addition replaces, or why nothing",
            file=sys.stderr,
        )
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
