"""What code says: the files behind it, and a digest that comments and docstrings leave alone."""

import ast
import hashlib
import io
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from mjopt._internal.user_module import source_digest

_HAVE_DOCSTRINGS: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def digest_of(files: Mapping[str, bytes]) -> str:
    r"""Return the SHA-256 of what some files of Python say, in hexadecimal.

    Comments, docstrings, blank lines and where the files lie change nothing.

    Examples
    --------
    >>> one = digest_of({"a.py": b"x = 1"})
    >>> one == digest_of({"a.py": b"'''What it is.'''\nx = 1  # one"})
    True
    >>> one == digest_of({"a.py": b"x = 2"})
    False
    """
    said = ((name, bare_code(files[name])) for name in sorted(files))
    return hashlib.sha256(repr(list(said)).encode()).hexdigest()


def code_digest(things: Iterable[type | str]) -> str | None:
    """Return the digest of the code behind classes, with their bases, and modules by name.

    Of a module the modules of the same package that it imports belong to it; of this package,
    those in the same room. None if the code of one cannot be had.
    """
    files: dict[str, bytes] = {}
    for thing in things:
        kinds = [thing] if isinstance(thing, str) else thing.__mro__
        for name in dict.fromkeys(one if isinstance(one, str) else one.__module__ for one in kinds):
            if name.partition(".")[0] in sys.stdlib_module_names:
                continue
            module = sys.modules.get(name)
            if name.startswith("mjopt_user_") and module is not None:
                files[name] = source_digest(str(module.__file__)).encode()
                continue
            if (place := _place_of(name, module)) is None:
                return None
            path, root, scope = place
            files |= code_files(path, root, scope)
    return digest_of(files)


def _place_of(name: str, module: Any) -> tuple[Path, Path, Path] | None:
    """Return the file of a module, the folder that names count from, and what belongs to it."""
    words = name.split(".")
    if words[0] == "mjopt":
        root = Path(__file__).parents[2]
        path = _found(root, words)
        return None if path is None else (path, root, root.joinpath(*words[:2]))
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).is_file():  # typed in, or in an archive
        return None
    path = Path(file)
    if len(words) == 1 and path.name != "__init__.py":
        return path, path.parent, path
    root = path.parents[len(words) - (path.name != "__init__.py")]
    return path, root, root / words[0]


def code_files(start: Path, root: Path, scope: Path) -> dict[str, bytes]:
    """Return a file of Python and all that it imports out of a folder, by their names from root.

    Parameters
    ----------
    start
        The file.
    root
        The folder in which names of modules begin.
    scope
        The folder (or the one file) beyond which nothing is followed.

    Raises
    ------
    OSError
        If the first file cannot be read.
    """
    files: dict[str, bytes] = {}
    waiting = [start]
    while waiting:
        path = waiting.pop()
        name = path.relative_to(root).as_posix()
        if name in files or not (path == start or path.is_relative_to(scope)):
            continue
        files[name] = path.read_bytes()
        imported = _imports(files[name], path.relative_to(root).parts[:-1])
        found = (_found(root, words) or _found(root, words[:-1]) for words in imported)
        waiting.extend(filter(None, found))
    return files


def _found(root: Path, words: Iterable[str]) -> Path | None:
    """Return the file of a module, or None."""
    base = root.joinpath(*words)
    paths = (base.with_name(f"{base.name}.py"), base / "__init__.py")
    return next((path for path in paths if base != root and path.is_file()), None)


@cache
def _imports(source: bytes, package: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the dotted names that some code imports, in words."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return ()
    found: list[tuple[str, ...]] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [tuple(one.name.split(".")) for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            found += [(*base, one.name) for one in node.names]
    return tuple(found)


@cache
def bare_code(source: bytes) -> str:
    r"""Return code without comments, docstrings and blank lines; what is no code as it is.

    Examples
    --------
    >>> bare_code(b"def f():\n    '''Say 1.'''\n\n    return 1  # why\n")
    'def f():\n    return 1'
    """
    try:
        nodes = list(ast.walk(ast.parse(source)))
        lines = io.TextIOWrapper(io.BytesIO(source), _encoding(source)).read().split("\n")
        tokens = list(tokenize.tokenize(io.BytesIO(source).readline))
    except (SyntaxError, ValueError, tokenize.TokenError):
        return repr(source)
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    raw = source.split(b"\n")
    docstrings = [
        node
        for owner in nodes
        for node in _docstring(owner)
        if not raw[node.lineno - 1][: node.col_offset].strip()  # else code stands in the same line
        and not raw[(node.end_lineno or 1) - 1][node.end_col_offset :].partition(b"#")[0].strip()
    ]
    dropped = {row for node in docstrings for row in _rows(node)}
    texts = (
        n for n in nodes if isinstance(n, ast.Constant | ast.JoinedStr) and n not in docstrings
    )
    kept = {row for node in texts for row in _rows(node)}  # blank lines in a text are text
    return "\n".join(
        line.rstrip()
        for row, line in enumerate(lines, start=1)
        if row in kept or (line.strip() and row not in dropped)
    )


def _encoding(source: bytes) -> str:
    return tokenize.detect_encoding(io.BytesIO(source).readline)[0]


def _docstring(owner: ast.AST) -> Iterator[ast.Constant]:
    if isinstance(owner, _HAVE_DOCSTRINGS) and owner.body:
        first = owner.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            yield first.value


def _rows(node: ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
