"""Old module names: still importable, with a warning that names the new place."""

import subprocess
import sys
import warnings
from importlib import import_module

import pytest

from mjopt.runtime.moved import MOVED

INSIDE = {
    "mjopt.solvers.base": "mjopt.models.solvers.base",
    "mjopt.recipes.read": "mjopt.datasets.recipes.read",
    "mjopt.draws.expect": "mjopt.answers.draws.expect",
    "mjopt.battles.rating": "mjopt.experiments.battles.rating",
}


@pytest.mark.parametrize(("old", "new"), [*MOVED.items(), *INSIDE.items()])
def test_the_old_name_is_the_same_module(old: str, new: str) -> None:
    for name in [name for name in sys.modules if name == old or name.startswith(f"{old}.")]:
        del sys.modules[name]
    with pytest.warns(DeprecationWarning, match=rf"^{old} is {new} now"):
        found = import_module(old)
    assert found is import_module(new)
    assert found.__name__ == found.__spec__.name == new


def test_names_are_found_in_old_packages() -> None:
    script = "from mjopt.solvers import SOLVERS; from mjopt.hand import Hand; import mjopt.draws"
    ran = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout) == (0, "")


def test_no_module_of_the_package_uses_an_old_name() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ran = subprocess.run(
            [sys.executable, "-W", "error::DeprecationWarning", "-c", "import mjopt.cli.main"],
            check=False,
            capture_output=True,
            text=True,
        )
    assert ran.returncode == 0, ran.stderr


def test_what_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("mjopt.no_such_module")
