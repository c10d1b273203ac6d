"""Commands and Python blocks in the pages of docs/, with their output.

As a program, it updates the output in the pages after a change of printed text:
``python -m tools.pages [PAGE...]``. An output with ``...`` that still
matches stays unchanged.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mjopt import FORMULATIONS, SOLVERS
from mjopt.datasets import LABELS
from mjopt.heuristics import HEURISTICS
from mjopt.play.game.agents import AGENTS
from tools.readme import CHECKOUT, plain

DOCS = CHECKOUT / "docs"
EXAMPLES = CHECKOUT / "examples"
PAGES = sorted(
    path for path in DOCS.rglob("*.md") if "reproduction" not in path.relative_to(DOCS).parts
)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
RUN = ("mjopt ", "python ", "printf ", "cat ")
"""Prefixes of commands that are run; other commands install something or take an hour."""

Run = Callable[[str], str]


def block_pattern(*languages: str) -> re.Pattern[str]:
    """Return a pattern of a fenced block: first line, content, last line."""
    return re.compile(
        rf"^(```(?:{'|'.join(languages)})\n)(.*?)(^```$)", flags=re.DOTALL | re.MULTILINE
    )


@contextmanager
def registries_kept() -> Iterator[None]:
    """Restore the registries and remove imported examples on exit."""
    registries: list[MutableMapping[str, Any]] = [FORMULATIONS, SOLVERS, LABELS, AGENTS, HEURISTICS]
    before = [set(registry) for registry in registries]
    try:
        yield
    finally:
        for registry, kept in zip(registries, before, strict=True):
            for name in set(registry) - kept:
                del registry[name]
        for path in EXAMPLES.glob("*.py"):
            sys.modules.pop(path.stem, None)


@contextmanager
def among_examples(folder: Path, page: Path) -> Iterator[None]:
    """Change to a folder with importable copies of the examples; of a tutorial, those it shows."""
    shown = re.findall(r"^```\{literalinclude\} \S*/(\S+)$", page.read_text("utf-8"), re.MULTILINE)
    for path in EXAMPLES.iterdir():
        if path.suffix in {".py", ".js"} and (
            page.parent.name != "tutorials" or path.name in shown
        ):
            shutil.copy(path, folder)
    for pattern in ("rules/*.toml", "engines/*/engine.*"):
        for path in EXAMPLES.glob(pattern):
            shutil.copy(path, folder)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        with registries_kept():
            yield
    finally:
        sys.path.remove(str(folder))
        os.chdir(CHECKOUT)


def renewed(page: str, run: Run) -> str:
    """Return a page with the current output of all blocks, run in order in one folder."""
    names: dict[str, object] = {}

    def again(found: re.Match[str]) -> str:
        first, text, last = found.groups()
        if first.startswith("```console"):
            return first + _console(text, run) + last
        return first + _python(text, names) + last

    return block_pattern("console", "python").sub(again, page)


def _console(text: str, run: Run) -> str:
    """Return a console block with the current output."""
    before, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not before, f"no command before {before!r}"
    return "".join(f"$ {_command(part, run)}" for part in parts)


def _command(part: str, run: Run) -> str:
    """Return a command with its output."""
    found = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, flags=re.DOTALL)
    assert found, f"a command without an end: {part!r}"
    command, said = found.groups()
    if not command.startswith(RUN):
        return part
    printed = run(command.replace("\\\n", " ").strip())
    lines = [f"{line}\n" for line in plain(printed)]
    got, want = "".join(lines), "".join(f"{line}\n" for line in plain(said))
    if doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
        return part
    return command + got


class _Recorder(doctest.DocTestRunner):
    """Doctest runner that replaces the expected output by the current output."""

    def __init__(self) -> None:
        super().__init__(optionflags=FLAGS)
        self.got: list[tuple[doctest.Example, str]] = []

    def report_failure(
        self, out: object, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        self.got.append((example, got))

    def report_unexpected_exception(
        self, out: object, test: doctest.DocTest, example: doctest.Example, exc_info: object
    ) -> None:
        error_line = "".join(traceback.format_exception_only(exc_info[1]))  # type: ignore[index]
        self.got.append((example, f"Traceback (most recent call last):\n{error_line}"))


def _python(text: str, names: dict[str, object]) -> str:
    """Return a Python block with the current output."""
    assert ">>> " in text, f"not a session, and so not run: {text!r}"
    test = doctest.DocTestParser().get_doctest(text, names, "page", None, 0)
    recorder = _Recorder()
    recorder.run(test, clear_globs=False)
    names.update(test.globs)
    lines = text.splitlines(keepends=True)
    for example, got in reversed(recorder.got):
        begin = example.lineno + example.source.count("\n")
        lines[begin : begin + example.want.count("\n")] = got
    return "".join(lines)


def needs_shell(words: list[str]) -> bool:
    """Return whether a command needs a shell: a pipe, a redirection or a shell command."""
    return words[0] not in ("mjopt", "python") or bool({"|", ">", "<"} & set(words))


def run_outside(command: str, stdin: str = "") -> str:
    """Run a command in a shell; mjopt prints as on a terminal."""
    if command.startswith("mjopt ") and not needs_shell(shlex.split(command)):
        on_screen = shlex.quote(str(CHECKOUT / "tools" / "on_screen.py"))
        command = f"python {on_screen} {command.removeprefix('mjopt ')}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        stdout=subprocess.PIPE,
        input=stdin,
        encoding="utf-8",
        env=os.environ | {"PATH": path, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
        check=False,
    )
    return done.stdout


def main(pages: list[Path]) -> None:
    """Update the output in pages."""
    for path in pages:
        page = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder, among_examples(Path(folder), path):
            new = renewed(page, run_outside)
        if new != page:
            path.write_text(new, encoding="utf-8")
            print(f"{path.relative_to(CHECKOUT)}: renewed")


if __name__ == "__main__":
    main([Path(name).resolve() for name in sys.argv[1:]] or PAGES)
