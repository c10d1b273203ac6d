"""The reference page lists and describes every public name."""

import importlib.util
import inspect
import pkgutil
from importlib import import_module

import pytest

import mjopt
from tools.reference import FACES, PAGE, docstring_below, public_names, reference, summary


def test_every_package_with_public_names_is_listed() -> None:
    packages = ["mjopt"] + [
        found.name
        for found in pkgutil.walk_packages(mjopt.__path__, "mjopt.")
        if found.ispkg and importlib.util.find_spec(found.name) is not None
    ]
    assert {name for name in packages if hasattr(import_module(name), "__all__")} == {*FACES} - {
        "mjopt.errors",
    }


def test_every_class_and_function_is_public_at_one_place() -> None:
    """Except the base of all errors, which stands beside them and at the top."""
    places: dict[int, list[str]] = {}
    for face in FACES:
        for name in public_names(face):
            found = getattr(import_module(face), name)
            if not isinstance(found, int | float | str) and found is not mjopt.MjoptError:
                places.setdefault(id(found), []).append(f"{face}.{name}")
    assert [names for names in places.values() if len(names) > 1] == []


@pytest.mark.parametrize("face", FACES)
def test_every_public_name_has_a_summary(face: str) -> None:
    names = public_names(face)
    assert len(set(names)) == len(names)
    silent = [name for name in names if not summary(face, name).endswith((".", ":", "?"))]
    assert not silent


@pytest.mark.parametrize("face", FACES)
def test_every_public_name_has_an_example(face: str) -> None:
    """In its docstring or, for a class, in that of a method. The doctests run them."""
    module = import_module(face)
    without = []
    for name in public_names(face):
        found = getattr(module, name)
        if not (inspect.isclass(found) or inspect.isroutine(found)):
            continue  # constants and aliases
        members = vars(found).values() if inspect.isclass(found) else ()
        texts = [found.__doc__, *(getattr(member, "__doc__", "") for member in members)]
        if not any(">>> " in text for text in texts if isinstance(text, str)):
            without.append(name)
    assert not without


def test_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "make reference"


def test_docstring_below_a_constant_is_found() -> None:
    assert docstring_below("mjopt._internal.executor", "_SAME_VERSIONS") == ""
    assert docstring_below("mjopt", "UNREACHABLE").startswith("The deficiency of a hand that")
    assert summary("mjopt.datasets", "LABELS").startswith("Every label except")
