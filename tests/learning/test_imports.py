"""JAX is imported where networks are trained, and nowhere else."""

import ast
from pathlib import Path

import mjopt

ROOM = Path(mjopt.__file__).parent
TRAINS = {"networks.py", "perfect_training.py", "normal_training.py"}


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_who_imports_jax():
    found = {
        path.relative_to(ROOM).as_posix()
        for path in ROOM.rglob("*.py")
        if {name.partition(".")[0] for name in imported(path)} & {"jax", "equinox", "optax"}
    }
    assert "learning/networks.py" in found
    assert found <= {f"learning/{name}" for name in TRAINS}
