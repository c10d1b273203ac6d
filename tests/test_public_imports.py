"""Examples, documentation and the README import public names only.

Public is what the reference lists; everything else may change without notice.
"""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from tools.reference import FACES, public_names

ROOT: Final = Path(__file__).parents[1]
PUBLIC: Final = {
    *FACES,
    *(f"{face}.{name}" for face in FACES for name in public_names(face)),
    *(f"{name}.{part}" for name in FACES for part in [name.rpartition(".")[2]]),
    "mjopt.play",  # holds public packages
    "mjopt.chances",
    "mjopt.analysis",
    "mjopt.hands",
    "mjopt.play.solitaire",
    "mjopt.__version__",
}
PAGES: Final = [
    path
    for folder in ("examples", "docs")
    for pattern in ("*.py", "*.md", "*.rst")
    for path in sorted((ROOT / folder).rglob(pattern))
    if "generated" not in path.parts and path.name != "conf.py"
] + [ROOT / "README.md"]


def sources(path: Path) -> Iterator[str]:
    """Yield the Python of a file: all of it, or the blocks of a page without prompts."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield text
        return
    for block in re.findall(r"^```(?:python|pycon)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        prompted = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", block, re.MULTILINE)
        yield "\n".join(prompted) if prompted else block


def imported(source: str) -> Iterator[str]:
    """Yield what a source imports from mjopt, as dotted names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.split(".")[0] == "mjopt")
        elif isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "mjopt":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_pages_are_found() -> None:
    assert len(PAGES) > 50
    assert sum(1 for path in PAGES for source in sources(path) for _ in imported(source)) > 40


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_are_public(path: Path) -> None:
    private = {name for source in sources(path) for name in imported(source)} - PUBLIC
    assert not private


def test_a_private_name_is_found() -> None:
    source = "import mjopt\nfrom mjopt.models.solvers.base import safe_bound"
    assert {*imported(source)} - PUBLIC == {"mjopt.models.solvers.base.safe_bound"}
    assert import_module("mjopt.models.solvers").safe_bound
