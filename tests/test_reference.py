"""The page of every public name is whole, says something of each, and is what the package says."""

import importlib.util
import pkgutil
from importlib import import_module

import pytest
from helpers.reference import FACES, PAGE, public_names, reference, said_below, summary

import mjopt


def test_every_package_that_lists_names_is_a_face() -> None:
    packages = ["mjopt"] + [
        found.name
        for found in pkgutil.walk_packages(mjopt.__path__, "mjopt.")
        if found.ispkg and importlib.util.find_spec(found.name) is not None
    ]
    assert {name for name in packages if hasattr(import_module(name), "__all__")} == {*FACES} - {
        "mjopt.errors"
    }


@pytest.mark.parametrize("face", FACES)
def test_every_public_name_is_there_and_says_what_it_is(face: str) -> None:
    names = public_names(face)
    assert len(set(names)) == len(names)
    silent = [name for name in names if not summary(face, name).endswith((".", ":", "?"))]
    assert not silent


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "make reference"


def test_a_silent_name_is_noticed() -> None:
    assert said_below("mjopt._internal.pool", "SAME") == ""
    assert said_below("mjopt", "UNREACHABLE").startswith("The deficiency of a hand that")
    assert summary("mjopt.datasets", "LABELS") == summary("mjopt.datasets.labels", "LABELS")
