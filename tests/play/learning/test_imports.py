"""JAX is imported only by the modules that train or evaluate networks."""

import re
from pathlib import Path

import mjopt

PACKAGE = Path(mjopt.__file__).parent
ALLOWED = ("networks", "perfect_training", "normal_training", "learner", "checkpoints")
IMPORTED = re.compile(r"^\s*(?:import|from) (?:jax|equinox|optax)\b", re.MULTILINE)


def test_only_training_modules_import_jax():
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if IMPORTED.search(path.read_text(encoding="utf-8"))
    }
    assert "play/learning/networks.py" in found
    assert found <= {f"play/learning/{name}.py" for name in ALLOWED}
