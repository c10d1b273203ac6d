"""Mutation tests: the mutants of a module, and the list of those that change nothing."""

from pathlib import Path

import pytest

import mjopt
from tools import mutants as program
from tools.mutants import load_equivalent
from tools.mutations import mutants, mutated

SOURCE = '''"""A module."""

LIMIT = 4


def check(rows: list[list[int]], low: int = 0) -> int:
    """Return the sum of the largest values."""
    if any(map(len, rows)) and rows:
        raise ValueError(f"below {low + 1}")
    assert len(rows) < 100
    total = -1
    for values in rows:
        total += max(values, 2)
    return total
'''
NAMES = [
    "module: LIMIT = 4 -> LIMIT = 5",
    "module: LIMIT = 4 -> LIMIT = 3",
    "check: rows: list[list[int]], low: int=0 -> rows: list[list[int]], low: int=1",
    "check: rows: list[list[int]], low: int=0 -> rows: list[list[int]], low: int=-1",
    "check: any(map(len, rows)) and rows -> rows",
    "check: any(map(len, rows)) and rows -> any(map(len, rows))",
    "check: any(map(len, rows)) and rows -> any(map(len, rows)) or rows",
    "check: any(map(len, rows)) and rows -> all(map(len, rows)) and rows",
    "check: raise ValueError(f'below {low + 1}') -> pass",
    "check: total = -1 -> total = 1",
    "check: total = -1 -> total = -2",
    "check: total = -1 -> total = -0",
    "check: total += max(values, 2) -> pass",
    "check: total += max(values, 2) -> total -= max(values, 2)",
    "check: total += max(values, 2) -> total += min(values, 2)",
    "check: total += max(values, 2) -> total += max(values, 3)",
    "check: total += max(values, 2) -> total += max(values, 1)",
]


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "module.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_each_mutant_changes_one_place(module):
    """Not in messages, annotations and assertions."""
    assert [one.name for one in mutants(module)] == NAMES


def test_mutant_is_the_module_with_that_change(module):
    limits, sums = set(), set()
    for one in mutants(module):
        names: dict = {}
        exec(compile(mutated(one), str(module), "exec"), names)
        limits.add(names["LIMIT"])
        assert one.outermost == ("check" if one.line > 6 else "")
        sums.add(names["check"]([]) if "rows -> rows" not in one.name else None)
    assert limits == {3, 4, 5}
    assert sums == {-2, -1, 0, 1, None}


def test_each_equivalent_mutant_has_a_reason():
    root = Path(mjopt.__file__).parents[1]
    for path, reasons in load_equivalent().items():
        assert (root / path).is_file()
        assert all(len(reason) > 10 for reason in reasons.values())


def test_tests_of_a_module_are_those_of_its_room_and_of_files_that_import_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not of files that import another module, or whose room has long random tests."""
    monkeypatch.chdir(tmp_path)
    files = {
        "mjopt/tables/cost.py": "",
        "tests/tables/test_one.py": "from mjopt.tables.cost import least",
        "tests/paper/deep/test_two.py": "def test_two():\n    from mjopt.tables.cost import least",
        "tests/test_three.py": "from mjopt.tables import cost",
        "tests/paper/test_four.py": "from mjopt.tables import costs",
        "tests/paper/test_five.py": "from mjopt.tables.cost_table import cost",
        "tests/play/test_six.py": "from mjopt.tables.cost import least",
        "tests/helpers/seven.py": "from mjopt.tables.cost import least",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    room = ["tests/tables", "mjopt/tables"]
    found = program.tests_of(Path("mjopt/tables/cost.py"), program.imports_of_tests())
    assert found == [*room, "tests/paper/deep/test_two.py", "tests/test_three.py"]
