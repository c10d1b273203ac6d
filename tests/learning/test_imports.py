"""JAX is imported where networks are trained, and nowhere else."""

import re
from pathlib import Path

import mjopt

ROOM = Path(mjopt.__file__).parent
TRAINS = {"networks.py", "perfect_training.py", "normal_training.py"}
TRAINS |= {"learner.py", "checkpoints.py"}  # which these alone use
IMPORTED = re.compile(r"^\s*(?:import|from) (?:jax|equinox|optax)\b", re.MULTILINE)


def test_who_imports_jax():
    found = {
        path.relative_to(ROOM).as_posix()
        for path in ROOM.rglob("*.py")
        if IMPORTED.search(path.read_text(encoding="utf-8"))
    }
    assert "learning/networks.py" in found
    assert found <= {f"learning/{name}" for name in TRAINS}
