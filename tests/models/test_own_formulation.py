"""A formulation of a user's own: as class, object, registered name and file."""

import sys
from pathlib import Path

import pytest

import mjopt
from mjopt.errors import ModelError
from mjopt.models import Formulation, Goal
from mjopt.models.completion import Completion

HAND = "1112345678999m1p"
SOURCE = """
from mjopt.models import Formulation, Goal
from mjopt.models.completion import Completion

class Mine(Completion):
    name = "mine"

class Broken(Formulation):
    name = "broken"
    goal = Goal.DEFICIENCY
    form = "standard"
    def write(self, query):
        return 1 / 0

class Wordy(Broken):
    name = "wordy"
    def write(self, query):
        return "no program"

class NoModel:
    name = "none"
"""


class Mine(Completion):
    name = "mine"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "own.py"
    path.write_text(SOURCE)
    return str(path)


@pytest.mark.parametrize("model", [Mine, Mine()])
def test_class_and_object_are_models(model: object) -> None:
    answer = mjopt.solve(HAND, model=model)
    assert (answer.value, answer.model) == (1, "mine")
    assert mjopt.deficiency(HAND, model=model, solver="cbc") == 1
    assert mjopt.certify(HAND, model=model).certified


def test_file_is_a_model(file: str, tmp_path: Path) -> None:
    assert mjopt.solve(HAND, model=f"{file}:Mine").value == 1
    mjopt.export(HAND, tmp_path / "h.mps", model=f"{file}:Mine")
    assert (tmp_path / "h.mps").read_text().startswith("NAME  mine_")


def test_registered_name_is_a_model_until_it_is_taken() -> None:
    mjopt.FORMULATIONS["mine"] = Mine
    try:
        mjopt.FORMULATIONS["mine"] = Mine
        assert mjopt.solve(HAND, model="mine").value == 1
        with pytest.raises(ModelError, match="model 'mine' exists already"):
            mjopt.FORMULATIONS["mine"] = Completion
    finally:
        del mjopt.FORMULATIONS["mine"]


def test_installed_package_adds_a_model(file: str, tmp_path: Path) -> None:
    import subprocess

    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mjopt.models]\nmine = own:Mine\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import mjopt; "
        f"print(mjopt.solve({HAND!r}, model='mine').value); "
        "print('mine' in mjopt.FORMULATIONS.names)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["1", "True"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Broken", "model broken fails: ZeroDivisionError: division by zero"),
        ("Wordy", "model wordy: write returns 'no program', expected a Program"),
        ("NoModel", "own.py:NoModel is no model: it has no 'goal'"),
        ("Missing", "Missing"),
    ],
)
def test_faulty_model_is_one_line(file: str, name: str, message: str) -> None:
    with pytest.raises(mjopt.MjoptError, match=message) as caught:
        mjopt.solve(HAND, model=f"{file}:{name}")
    assert "\n" not in str(caught.value)


def test_model_of_another_goal_finds_no_deficiency() -> None:
    class Cost(Mine):
        name = "cost"
        goal = Goal.PAPER_COST

    with pytest.raises(ModelError, match="model cost does not answer with a deficiency"):
        mjopt.deficiency(HAND, model=Cost)


def test_formulation_needs_a_goal() -> None:
    class Odd(Formulation):
        name = "odd"
        goal = "fun"  # type: ignore[assignment]

    with pytest.raises(ModelError, match="goal 'fun' is not a Goal"):
        mjopt.FORMULATIONS["odd"] = Odd
