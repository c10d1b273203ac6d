"""Datasets that depend on files of the user: filters, own labels, files of hands, licences."""

import shlex
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import chdir
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
from helpers.dataset_folders import everything

from mjopt.cli.main import execute
from mjopt.datasets import build, check_dataset, describe_dataset, make_plan, read_recipe, to_numpy
from mjopt.errors import ArgumentError, FileError, MjoptError

FILTER = """def is_even(rows):
    return rows.rows % 2 == 0

def has_quad(rows):
    return (rows.hands == 4).any(axis=1)

def never(rows):
    return rows.rows < 0
"""


@pytest.fixture
def code(tmp_path: Path) -> str:
    path = tmp_path / "keep.py"
    path.write_text(FILTER)
    return str(path)


def test_filter_keeps_the_numbers_of_the_rows(code: str, tmp_path: Path) -> None:
    plan = make_plan("deals:500", seed=1, shards=3, splits="a=1,b=1", where=f"{code}:is_even")
    report = build(plan, tmp_path / "out")
    assert (report.rows, report.drawn) == (250, 500)
    values = to_numpy(tmp_path / "out", ["row", "hand", "text"])
    assert values["row"].tolist() == list(range(0, 500, 2))
    assert (values["hand"] == read_recipe("deals:500").counts(seed=1)[::2]).all()
    assert len(values["text"]) == 250
    assert describe_dataset(tmp_path / "out").expected is None
    card = (tmp_path / "out" / "README.md").read_text()
    assert "\n250 hands of 14 tiles" in card
    assert f"`{code}:is_even` keeps, of 500" in card


class Elsewhere(Executor):
    """Run tasks as a worker on another machine would: on copies, without the user's files."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        run, values, names = cloudpickle.loads(cloudpickle.dumps((function, args, kwargs)))
        future.set_result(run(*values, **names))
        return future


def test_filter_does_not_depend_on_the_workers(code: str, tmp_path: Path) -> None:
    plan = make_plan("deals:90", seed=1, shards=2, where=f"{code}:is_even", check=3)
    build(plan, tmp_path / "one")
    hidden = Path(code).rename(tmp_path / "hidden.py")
    build(plan, tmp_path / "two", executor=Elsewhere())
    hidden.rename(code)
    assert everything(tmp_path / "one") == everything(tmp_path / "two")
    more = make_plan("deals:120", seed=1, shards=2, where=f"{code}:is_even", check=3)
    build(more, tmp_path / "one")
    build(more, tmp_path / "new")
    assert everything(tmp_path / "one") == everything(tmp_path / "new")


def test_check_verifies_the_filter_if_it_is_named(code: str, tmp_path: Path) -> None:
    where, folder = f"{code}:is_even", tmp_path / "out"
    build(make_plan("deals:40", seed=1, where=where), folder)
    assert check_dataset(folder, sample=40).is_sound
    assert check_dataset(folder, sample=40, where=where).is_sound
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace("is_even", "has_quad"))
    report = check_dataset(folder, sample=40, where=f"{code}:has_quad")
    assert "unlike the filter" in report.faults[0]
    Path(code).write_text(FILTER + "\n")
    with pytest.raises(FileError, match="has changed since the build"):
        check_dataset(folder, where=f"{code}:has_quad")


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("", "no_function", "has no function 'no_function'"),
        (
            "def f(rows):\n    return 1 / 0\n",
            "f",
            r"keep.py:f. fails: ZeroDivisionError: .* \(line 2\)",
        ),
        ("def f(rows):\n    return rows.rows\n", "f", "expected booleans of shape"),
        ("def f(rows):\n    return True\n", "f", r"not bool of shape \(\)"),
        ("", "", "where .keep., expected FILE.py:FUNCTION"),
        (FILTER, "never", "keeps none of 9 hands"),
    ],
)
def test_wrong_filters_are_one_line(tmp_path: Path, source: str, name: str, message: str) -> None:
    path = tmp_path / "keep.py"
    path.write_text(source)
    where = f"{path}:{name}" if name else "keep"
    with pytest.raises(MjoptError, match=message) as error:
        build(make_plan("deals:9", where=where), tmp_path / "out")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_changed_filter_is_refused(code: str, tmp_path: Path) -> None:
    build(make_plan("deals:9", where=f"{code}:is_even"), tmp_path / "out")
    for name in ("has_quad", "is_even"):
        Path(code).write_text(FILTER + "# another\n")
        with pytest.raises(FileError, match="holds another dataset"):
            build(make_plan("deals:9", where=f"{code}:{name}"), tmp_path / "out")


def test_stored_path_is_not_read(tmp_path: Path) -> None:
    """A dataset of hands from a file names a path, which may be any file of the reader."""
    path, folder = tmp_path / "h.npy", tmp_path / "out"
    np.save(path, read_recipe("deals:20").counts(seed=1))
    build(make_plan(f"file:{path}"), folder)
    with pytest.raises(ArgumentError, match="is loaded or read only if you name it yourself"):
        check_dataset(folder)
    assert check_dataset(folder, sample=0).is_sound
    assert check_dataset(folder, recipe=f"file:{path}").is_sound
    moved = path.rename(tmp_path / "elsewhere.npy")
    assert check_dataset(folder, recipe=f"file:{moved}").is_sound
    np.save(moved, read_recipe("deals:20").counts(seed=2))
    with pytest.raises(FileError, match="its hands have changed since the build began"):
        check_dataset(folder, recipe=f"file:{moved}")


LABEL = """from mjopt.datasets import DatasetColumn, Label

PAIRS = Label(
    name="pairs",
    engine="mine 1",
    columns=(DatasetColumn("pairs", "int8", "kinds held twice or more"),),
    compute=lambda rows: (rows.hands >= 2).sum(axis=1),
)
"""


def test_commands_of_the_card_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Regression: a card with an own label gave a check that failed without its code."""
    (tmp_path / "my own.py").write_text(LABEL + FILTER)
    (tmp_path / "h.txt").write_text("1112345678999m1p\n123m456p789s11122m\n")
    words = ["file:h.txt", "--labels", "deficiency,my own.py:PAIRS", "--where", "my own.py:is_even"]
    with chdir(tmp_path):
        assert execute(["dataset", "build", *words, "-o", "first", "-j", "1"]) == 0
        card = Path("first/README.md").read_text()
        made, check = [line for line in card.splitlines() if line.startswith(("- Made", "- `mj"))]
        command = shlex.split(made.split("`")[1].replace("FOLDER", "second"))
        assert execute([*command[1:], "-j", "1"]) == 0
        assert everything(Path("first")) == everything(Path("second"))
        assert execute(shlex.split(check.split("`")[1].replace("FOLDER", "first"))[1:]) == 0
        assert execute(["dataset", "check", "first"]) == 2
    outside = (
        "`file:h.txt`, `my own.py:PAIRS`, `my own.py:is_even`, which the dataset does not hold"
    )
    assert f"; with the same {outside}" in made
    capfd.readouterr()
    build(make_plan("deals:9"), tmp_path / "plain")
    assert "; the same command makes the same bytes." in (tmp_path / "plain/README.md").read_text()


def test_licence_is_in_the_card_and_in_a_file(tmp_path: Path) -> None:
    folder, plan = tmp_path / "out", make_plan("deals:9")
    text = tmp_path / "terms.txt"
    text.write_text("Only on Sundays.\n")

    def licence() -> tuple[str, str]:
        lines = (folder / "README.md").read_text().splitlines()
        named = "; ".join(line for line in lines if line.startswith("license"))
        return named, (folder / "LICENSE").read_text().splitlines()[0]

    expected = {
        None: ("license: mit", "SPDX-License-Identifier: MIT"),
        "cc-by-4.0": ("license: cc-by-4.0", "SPDX-License-Identifier: CC-BY-4.0"),
        str(text): (
            "license: other; license_name: other; license_link: LICENSE",
            "Only on Sundays.",
        ),
    }
    for given, lines in expected.items():
        build(plan, folder, licence=given)
        assert licence() == lines
        build(make_plan("deals:9"), folder)  # it stays
        assert licence() == lines
    build(make_plan("deals:12", labels=("deficiency", "win")), folder)
    assert licence() == expected[str(text)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("CC-BY-5.0", "licence 'CC-BY-5.0', expected one of MIT, Apache-2.0"),
        ("empty.txt", "empty.txt: not the text of a licence"),
        ("binary.txt", "binary.txt: not the text of a licence"),
        (".", "licence '.', expected one of"),
    ],
)
def test_unknown_licence_is_refused(tmp_path: Path, given: str, message: str) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    with chdir(tmp_path), pytest.raises(MjoptError, match=message):
        build(make_plan("deals:9"), "out", licence=given)
    assert not (tmp_path / "out").exists()
