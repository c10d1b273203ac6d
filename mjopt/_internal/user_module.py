"""Load user classes and functions from ``FILE.py:NAME``.

Worker processes receive the loaded object by value (cloudpickle), so every worker and every machine
of a cluster runs the same version of the user's code.
"""

import ast
import inspect
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeVar

from mjopt._internal.files import sha256_of
from mjopt._internal.sanitize import MESSAGE, short_repr, shorten
from mjopt.errors import FileError, MjoptError

if TYPE_CHECKING:
    from typing_extensions import TypeIs

T = TypeVar("T")

_PREFIX: Final = "mjopt_user_"
_loaded: Final[dict[tuple[Path, str], ModuleType]] = {}


def load_class(spec: str) -> type:
    """Import a class from a user's Python file, given as ``path/to/file.py:ClassName``.

    The file runs once; it runs again only after it, or a module beside it that it imports, has
    changed. It can import modules beside it, and should do so at its top: workers on other machines
    do not have them later. `FileError` is raised if it cannot be read or run, or defines no such
    class; the message names the file, the line and the classes that it defines.
    """
    return load_member(spec, "class", inspect.isclass)


def load_function(spec: str) -> Callable[..., object]:
    """Import a function, given as ``path/to/file.py:function``; see :func:`load_class`."""
    return load_member(spec, "function", inspect.isfunction)


def load_member(spec: str, what: str, is_valid: "Callable[[object], TypeIs[T]]") -> T:
    """Return an object of a user's file that is valid, such as a class; see :func:`load_class`."""
    path, _, name = spec.rpartition(":")
    file = Path(path)
    key = file.absolute(), source_digest(file)
    if key not in _loaded:
        _loaded[key] = _run_file(file, f"{_PREFIX}{file.stem}_{key[1][:12]}")
    module = _loaded[key]
    value = getattr(module, name, None)
    if not is_valid(value):
        defined = [
            known
            for known, other in vars(module).items()
            if is_valid(other) and getattr(other, "__module__", "") == module.__name__
        ]
        raise FileError(
            f"{path} has no {what} {short_repr(name)}",
            expected=tuple(defined) or f"a {what} definition",
        )
    return value


def source_digest(path: str | Path) -> str:
    """Return the SHA-256 of a user's file and the modules beside it that it imports.

    A file that cannot be read is a `FileError`.
    """
    path = Path(path)
    try:
        sources = _read_sources(path.absolute())
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise FileError(str(reason), argument=str(path)) from None
    folder = path.absolute().parent
    parts = [(file.relative_to(folder).as_posix(), sources[file]) for file in sorted(sources)]
    return sha256_of(repr(parts).encode())


class UserCode:
    """Turn an exception of a class or function that is not mjopt's into an error of one line.

    It is no generator: these take an error whose cause is StopIteration for their own.

    ``owner`` is the class or function, and ``message`` begins the text of the ``error``.
    """

    def __init__(self, owner: object, message: str, error: type[MjoptError]) -> None:
        self._owner, self._message, self._error = owner, message, error

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, fault: BaseException | None, __: object) -> None:
        if fault is None or isinstance(fault, MjoptError):
            return
        if is_failure(fault) and not is_builtin(self._owner):
            raise self._error(f"{self._message}: {describe_failure(fault)}") from fault


def is_failure(fault: BaseException) -> bool:
    """Return whether an exception is a failure of code, as ``SystemExit`` of an agent is.

    Ctrl-C is none, and neither are the exceptions by which mjopt itself ends a search or a command.
    """
    return isinstance(fault, Exception) or not (
        isinstance(fault, KeyboardInterrupt) or is_builtin(type(fault))
    )


def describe_failure(fault: BaseException) -> str:
    """Return the type, the message and the line in the user's file of an exception, as one line."""
    line = _line_of(fault)
    return _reason(fault) + ("" if line is None else f" (line {line})")


def is_builtin(kind: object) -> bool:
    """Return whether a class or function is one of mjopt's."""
    while isinstance(kind, partial):
        kind = kind.func
    return str(getattr(kind, "__module__", "")).partition(".")[0] == __name__.partition(".")[0]


def code_version(kind: type) -> str:
    """Return the version of the code behind a class, to see whether stored results are current.

    This is the class's own ``code_version`` if it runs another package, the version of mjopt for
    another class of mjopt, else the digest of its file, as by
    :func:`source_digest`, or ``unknown`` for a class without a file.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> code_version(Hand).partition(" ")[0]
    'mjopt'
    """
    if own := getattr(kind, "code_version", ""):
        return str(own)
    if is_builtin(kind):
        return f"mjopt {version('mjopt')}"
    try:
        return f"sha256:{source_digest(inspect.getfile(kind))}"
    except (OSError, TypeError, FileError):  # defined at an interactive prompt
        return "unknown"


def _read_sources(start: Path) -> dict[Path, bytes]:
    """Read a file and, recursively, the modules in its folder that it imports."""
    sources: dict[Path, bytes] = {}
    paths = [start]
    while paths:
        path = paths.pop()
        if path not in sources:
            sources[path] = path.read_bytes()
            paths += _imported_files(sources[path], path.parent, start.parent)
    return sources


def _imported_files(source: bytes, package: Path, root: Path) -> list[Path]:
    """Return the files below a folder that a module imports."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):  # reported when the file is run
        return []
    bases: list[Path] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            bases += [root.joinpath(*alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            folders = [package, *package.parents]
            parent = folders[min(node.level, len(folders)) - 1] if node.level else root
            base = parent.joinpath(*(node.module or "").split("."))
            bases += [base, *(base / alias.name for alias in node.names)]
    files = [
        file for base in bases for file in (base.parent / f"{base.name}.py", base / "__init__.py")
    ]
    return [file for file in files if file.is_relative_to(root) and file.is_file()]


def _run_file(path: Path, name: str) -> ModuleType:
    """Run a file as a module that pickles by value, with the modules beside it."""
    import cloudpickle

    module = ModuleType(name)
    module.__file__ = str(path.absolute())
    folder = str(path.absolute().parent)
    imported_before = set(sys.modules)
    sys.modules[name] = module  # dataclasses need this entry
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, folder)
    try:
        # Not by an import loader: its cached bytecode misses an edit within the same second.
        exec(compile(path.read_bytes(), module.__file__, "exec"), vars(module))
    except BaseException as error:
        del sys.modules[name]
        if not is_failure(error):
            raise
        if isinstance(error, SyntaxError):
            file = path if error.filename == module.__file__ else error.filename
            raise FileError(
                str(error.msg), argument=str(file), position=error.lineno, unit="line"
            ) from None
        line = _line_of(error)
        raise FileError(
            f"fails: {_reason(error)}", argument=str(path), position=line, unit="line"
        ) from None
    finally:
        sys.dont_write_bytecode = writes_bytecode
        sys.path.remove(folder)
        # Another file may import other modules with these names. Modules that are not in
        # sys.modules pickle by value.
        for imported in set(sys.modules) - imported_before - {name}:
            file = getattr(sys.modules[imported], "__file__", None)
            if file is not None and Path(file).is_relative_to(folder):
                del sys.modules[imported]
    cloudpickle.register_pickle_by_value(module)
    if folder not in sys.path:  # for imports inside functions; last, so that it shadows nothing
        sys.path.append(folder)
    return module


def _reason(fault: BaseException) -> str:
    try:
        text = str(fault)
    except Exception:  # the exception of a user can fail, too
        text = ""
    return shorten(": ".join(filter(None, (type(fault).__name__, text))), MESSAGE)


def _line_of(error: BaseException) -> int | None:
    traceback, line = error.__traceback__, None
    while traceback is not None:
        if str(traceback.tb_frame.f_globals.get("__name__", "")).startswith(_PREFIX):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
