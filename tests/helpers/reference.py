"""Write docs/reference/api.md: every public name of every package, with its summary line.

Run by `make reference`; `tests/test_reference.py` compares the page with the package.
"""

import ast
import importlib.util
import inspect
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
FACES = (
    "mjopt",
    "mjopt.heuristics",
    "mjopt.game",
    "mjopt.game.agents",
    "mjopt.analysis.draws",
    "mjopt.analysis.win_chance",
    "mjopt.analysis.formats",
    "mjopt.learning",
    "mjopt.datasets",
    "mjopt.datasets.recipes",
    "mjopt.datasets.labels",
    "mjopt.studies",
    "mjopt.tournaments",
    "mjopt.audits.advice",
    "mjopt.audits.packages",
    "mjopt.audits.paper",
    "mjopt.models",
    "mjopt.models.solvers",
    "mjopt.tables",
    "mjopt.proofs",
    "mjopt.hands.notation",
    "mjopt.errors",
    "mjopt.studies.statistics",
)
HEAD = """# Every public name

What the rooms of mjopt show to the outside, and the first line of what is said of it;
`help(mjopt.deficiency)` and the pages of the site say the rest. What is not listed may change
without a word. Written by `make reference`.

```{eval-rst}
.. autosummary::
   :toctree: api
   :template: autosummary/module.rst

   FACES
```
"""


def public_names(face: str) -> list[str]:
    """Return the public names of a package in reading order."""
    module = import_module(face)
    own = [name for name, value in vars(module).items() if inspect.isclass(value)]
    return sorted(getattr(module, "__all__", own), key=lambda name: (name.lower(), name))


def summary(face: str, name: str) -> str:
    """Return the first paragraph of a docstring on one line; empty if there is none."""
    found = getattr(import_module(face), name)
    if inspect.ismodule(found) or inspect.isclass(found) or inspect.isroutine(found):
        # The generated docstring of a dataclass is not informative.
        own = found.__doc__ if not str(found.__doc__).startswith(f"{name}(") else ""
    else:
        own = said_below(face, name)
    return _line(own)


def _line(text: str | None) -> str:
    """Return the first paragraph of a docstring as a line of Markdown."""
    line = " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())
    return re.sub(r":\w+:(?=`)", "", line).replace("``", "`")


def said_below(module: str, name: str) -> str:
    """Return the string below the assignment of a name, in the module that defines it."""
    body = _parsed(module).body
    for statement, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = getattr(statement, "targets", None) or [statement.target]
            assigned = [node for target in targets for node in ast.walk(target)]
            if name in [getattr(node, "id", "") for node in assigned]:
                is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                return str(below.value.value) if is_text else ""
    return said_below(home, name) if (home := _home(module, name)) else ""


def _home(module: str, name: str) -> str:
    """Return the module from which a package imports a name, also lazily."""
    for node in ast.walk(_parsed(module)):
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return str(node.module)
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if getattr(key, "value", None) == name and isinstance(value, ast.Constant):
                    return str(value.value)
    return ""


@cache
def _parsed(module: str) -> ast.Module:
    return ast.parse(Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8"))


def reference() -> str:
    """Return the page."""
    parts = [HEAD.replace("FACES", "\n   ".join(FACES))]
    for face in FACES:
        module = import_module(face)
        parts.append(f"\n## `{face}`\n\n{_line(module.__doc__)}\n\n")
        for name in public_names(face):
            called = "()" if inspect.isroutine(getattr(module, name)) else ""
            parts.append(f"- `{name}{called}`: {summary(face, name)}\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
    sys.exit(0)
