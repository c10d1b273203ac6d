"""The package uses public names of other packages only.

Names that begin with an underscore may change in any release, as may ``numba.core`` and the
``core`` packages of OR-Tools.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import mjopt

ROOT: Final = Path(mjopt.__file__).parent
ALLOWED: Final[dict[str, set[str]]] = {}
"""Private names that a file still uses; add none."""

LAZY: Final = ("numba.", "ortools.", "scipy.", "uvicorn.")  # some are imported by name
DOCUMENTED: Final = {"os._exit", "sys._getframe", "_thread", "_thread.interrupt_main"}


def is_private(name: str) -> bool:
    """Return whether a dotted name has a private part."""
    parts = name.split(".")
    hidden = any(part.startswith("_") and not part.endswith("__") for part in parts)
    return name not in DOCUMENTED and (
        hidden or (parts[0] in ("numba", "ortools") and "core" in parts[1:])
    )


def is_foreign(module: str | None, level: int = 0) -> bool:
    """Return whether an import is of another package."""
    return bool(module) and not level and str(module).partition(".")[0] != "mjopt"


def foreign_names(source: str) -> Iterator[str]:
    """Yield the names that a file imports from other packages, and their attributes."""
    tree = ast.parse(source)
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if is_foreign(alias.name):
                    yield alias.name
                    top = alias.name.partition(".")[0]
                    bound[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and is_foreign(node.module, node.level):
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield bound[alias.asname or alias.name]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            top, _, rest = dotted_name(node).partition(".")
            if top in bound:
                yield f"{bound[top]}.{rest}"
        elif isinstance(node, ast.Constant) and str(node.value).startswith(LAZY):
            yield str(node.value)


def dotted_name(node: ast.expr) -> str:
    """Return ``a.b.c`` for such an expression, and an empty text for others."""
    if isinstance(node, ast.Name):
        return node.id
    owner = dotted_name(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{owner}.{node.attr}" if owner and isinstance(node, ast.Attribute) else ""


def private_names(source: str) -> set[str]:
    """Return the private names of other packages that a file uses."""
    return {name for name in foreign_names(source) if is_private(name)}


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=str)
def test_no_private_name_of_another_package(path: Path) -> None:
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    assert private_names(path.read_text(encoding="utf-8")) == allowed


def test_no_solver_is_reached_through_ctypes() -> None:
    for path in (ROOT / "models" / "solvers").glob("*.py"):
        assert "ctypes" not in {*foreign_names(path.read_text(encoding="utf-8"))}, path


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import numba.core.caching", {"numba.core.caching"}),
        ("from numba.core import types", {"numba.core.types"}),
        ("from concurrent.futures import _base as b", {"concurrent.futures._base"}),
        (
            "import asyncio\nasyncio.events._get_running_loop()",
            {"asyncio.events._get_running_loop"},
        ),
        ("module('ortools.math_opt.core')", {"ortools.math_opt.core"}),
        ("import os\nos._exit(1)", set()),
        ("from numba.extending import intrinsic\nfrom mjopt.tables import _kernels", set()),
    ],
)
def test_private_names_are_found(source: str, names: set[str]) -> None:
    assert private_names(source) == names


def texts_of(source: str) -> Iterator[str]:
    """Yield the texts of a module except docstrings."""
    nodes = [*ast.walk(ast.parse(source))]
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            yield from [node.value] if isinstance(node.value, str) else []


def test_messages_name_no_page_that_a_wheel_lacks() -> None:
    """The documentation has no address yet, and an installed wheel does not hold it."""
    assert [*texts_of('"""docs/a.md"""\nx = f"see docs/b.md, {1}"')] == ["see docs/b.md, "]
    texts = {path: [*texts_of(path.read_text("utf-8"))] for path in ROOT.rglob("*.py")}
    for ending in ("html", "js", "po"):
        texts |= {path: [path.read_text("utf-8")] for path in ROOT.rglob(f"*.{ending}")}
    found = {
        path.name: text for path, several in texts.items() for text in several if "docs/" in text
    }
    assert found == {}
