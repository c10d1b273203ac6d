"""What a program is made of, as far as its command tells: to see whether it is still the same."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from mjopt._internal.folder import file_digest
from mjopt._internal.sanitize import one_line
from mjopt._internal.source_code import code_files, digest_of

INTERPRETERS: Final = ("bash", "java", "julia", "lua", "node", "perl", "php", "py", "ruby", "sh")
"""How programs begin that run another: an upgrade of them is no change of the bot."""

ANSWER_SECONDS: Final = 5.0  # for `--version`
ITS_OWN: Final = "changes as it plays"  # a file that the program writes: it tells nothing


def program_code(command: Sequence[str]) -> dict[str, str]:
    """Return what tells whether a program has changed: its files, version or time.

    Every word that names a file counts, with what a Python file imports beside it; also
    ``--weights=FILE``, and the module behind ``-m`` if it lies here. An interpreter does not.
    A command that names no file is found on the path, if nothing but options follows; else it
    is asked for its ``--version``, and where it has none the time of the program counts.

    Examples
    --------
    >>> program_code(["python3", "-c", "print(1)"])  # its code is its command
    {}
    """
    if "-c" in command[1:2]:
        return {}
    try:
        if found := {word: _digest(path, root) for word, path, root in _files(command)}:
            return found
    except OSError:  # it may be run, but not read
        pass
    if answer := _version(command):
        return {"--version": answer}
    program = shutil.which(command[0])
    if program is None:
        return {}
    modified = datetime.fromtimestamp(Path(program).stat().st_mtime, UTC)
    return {"modified": modified.isoformat(timespec="milliseconds")}


def _files(command: Sequence[str]) -> Iterator[tuple[str, Path, Path]]:
    """Yield the files of a command: the word, the file, the folder that its imports begin in."""
    program, *words = command
    none = True
    for before, word in zip(command, words, strict=False):
        path, root = Path(word), Path(word).parent
        if before == "-m":
            base = Path(*word.split("."))
            places = base.with_suffix(".py"), base / "__main__.py"
            path, root = next(filter(Path.is_file, places), path), Path()
        elif not path.is_file() and "=" in word:
            path = Path(word.partition("=")[2])
            root = path.parent
        if path.is_file():
            none = False
            yield word, path, root
    is_path = Path(program).name != program and Path(program).is_file()
    if is_path and not Path(program).name.startswith(INTERPRETERS):
        yield program, Path(program), Path(program).parent
    elif none and all(word.startswith("-") and word != "-m" for word in words):
        yield from ((program, path, path.parent) for path in _on_path(program))


def _on_path(program: str) -> list[Path]:
    found = shutil.which(program)
    return [] if found is None else [Path(found)]


def _digest(path: Path, root: Path) -> str:
    if path.suffix != ".py":
        return file_digest(path)
    root = root.absolute()
    return digest_of(code_files(path.absolute(), root, root))


def _version(command: Sequence[str]) -> str:
    """Return what a program answers to ``--version``; nothing if it does not."""
    try:
        told = subprocess.run(
            [*command, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ANSWER_SECONDS,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return one_line((told.stdout or told.stderr).decode(errors="replace"))
