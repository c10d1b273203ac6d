"""The exception classes and their fields."""

import copy
import inspect
import pickle

import pytest

from mjopt import errors
from mjopt.errors import MjoptError

CLASSES = {
    name: kind
    for name, kind in vars(errors).items()
    if inspect.isclass(kind) and issubclass(kind, BaseException)
}
FIELDS = {
    "message": "not a suit",
    "argument": "hands",
    "value": "'x'",
    "position": 3,
    "unit": "character",
    "expected": ("m", "p", "s"),
    "hint": "use notation paper",
}


def subclasses(kind: type) -> set[type]:
    return {kind}.union(*map(subclasses, kind.__subclasses__()))


def test_there_are_few_classes():
    assert sorted(CLASSES) == [
        "ArgumentError",
        "CertificateError",
        "FileError",
        "GameError",
        "HandError",
        "MissingExtraError",
        "MjoptError",
        "ModelError",
        "NotationError",
        "SolverError",
        "SolverUnavailableError",
        "TileError",
        "WorkerError",
    ]


def test_no_module_adds_a_class():
    from mjopt.cli.main import COMMANDS, load_command

    for commands in COMMANDS.values():
        for name in commands:
            load_command(name)
    own = {kind for kind in subclasses(MjoptError) if kind.__module__.startswith("mjopt")}
    assert own == set(CLASSES.values())


@pytest.mark.parametrize("kind", CLASSES.values(), ids=CLASSES)
@pytest.mark.parametrize(
    "copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy]
)
def test_fields_survive_pickling_and_copying(kind, copied):
    error = kind(**FIELDS)
    error.locate("hands.csv", 7, "line")
    other = copied(error)
    assert type(other) is kind
    assert vars(other) == vars(error)
    assert str(other) == str(error)


@pytest.mark.parametrize("kind", CLASSES.values(), ids=CLASSES)
def test_every_class_has_an_example(kind):
    assert ">>> " in inspect.getdoc(kind)
