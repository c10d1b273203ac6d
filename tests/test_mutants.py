"""Mutation tests: the mutants of a module, and the list of those that change nothing."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

import mjopt
from tools import kill_matrix, mutant_runs
from tools import mutants as program
from tools.kill_matrix import KillMatrix, MatrixRow
from tools.mutant_runs import MutantRun
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


def test_imports_of_types_are_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("if TYPE_CHECKING:\n    import ast\nif DEBUG:\n    import sys\n", "utf-8")
    assert [one.name for one in mutants(path)] == ["module: DEBUG -> not DEBUG"]


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


def test_matrix_tells_quick_tests_from_slow_ones_and_lists_idle_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A test that ran on few mutants is not idle, and one run may kill where another does not."""

    def tests(runs: int) -> dict[str, MatrixRow]:
        seconds = {"a": 0.1, "b": 0.2, "slow": 2.0, "idle": 1.0, "new": 0.1}
        return {
            node: MatrixRow(took, node == "slow", 1 if node == "new" else runs)
            for node, took in seconds.items()
        }

    KillMatrix({"x:1 one": ["a", "slow"], "x:2 two": ["import"]}, tests(2)).write(tmp_path / "1")
    KillMatrix({"x:3 three": ["slow"], "x:4 four": []}, tests(2)).write(tmp_path / "2")
    KillMatrix({"x:4 four": ["b"], "x:5 five": []}, tests(2)).write(tmp_path / "3")
    files = [str(tmp_path / name) for name in "123"]
    monkeypatch.setattr("sys.argv", ["kill_matrix", *files, "--least", "6"])
    kill_matrix.main()
    assert capsys.readouterr().out.splitlines() == [
        "5 mutants run: 3 (60.0 %) killed by quick tests, 4 (80.0 %) by all tests",
        "killed by none:",
        "x:5 five",
        "killed by slow tests alone, the first one as a line of tests/quick_tests.txt:",
        "slow  # x:3 three",
        "tests that killed none of 6 mutants or more, with seconds and mutants:",
        "idle  # 1.00 s, 6",
    ]


def test_crash_counts_as_a_failure_of_the_test_that_ran() -> None:
    tests = mutant_runs.Tests({}, further=1)

    def work() -> list[str]:
        for word, test in (("ran", "a[x y]"), ("failed", "a[x y]"), ("ran", "b"), ("ran", "c")):
            tests._note(word, test)
        os._exit(3)

    assert tests.in_journal(work) == MutantRun(["a[x y]", "b", "c"], ["a[x y]", "c"], False)
    assert tests.in_journal(list) == MutantRun([], [], True)
    assert tests.in_journal(lambda: os._exit(3)) == MutantRun([], ["import"], False)


class Item(SimpleNamespace):
    """As much of a test as runs need."""

    def get_closest_marker(self, name: str) -> str | None:
        return name if self.is_slow else None


@pytest.mark.parametrize(
    ("further", "ran"),
    [(0, ["a", "b"]), (1.6, ["a", "b", "c", "d"]), (9, ["a", "b", "c", "d", "s"])],
)
def test_tests_run_until_one_fails_and_some_seconds_further(
    module: Path, further: float, ran: list[str]
) -> None:
    """The slow ones come last, although they are the shortest."""
    tests = mutant_runs.Tests({module: [str(module)]}, further=further)
    tests.seconds = {"s": 0.2, "a": 0.5, "b": 0.6, "c": 0.7, "d": 0.8}

    def run_test(item: Item, nextitem: Item | None) -> None:
        if item.nodeid in "bd":
            report = SimpleNamespace(nodeid=item.nodeid, duration=1, failed=True)
            tests.pytest_runtest_logreport(report)

    hook = SimpleNamespace(pytest_runtest_protocol=run_test)
    items = [
        Item(nodeid=node, path=module, is_slow=node == "s", config=SimpleNamespace(hook=hook))
        for node in tests.seconds
    ]
    found = tests.in_journal(lambda: tests.run(items, mutants(module)[0]))
    assert found == MutantRun(ran, [node for node in ran if node in "bd"], has_ended=True)


def test_a_constant_is_mutated_even_if_a_conftest_file_imports_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pytest imports those of the folders it is given before its plugins are configured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("constants.py").write_text("LIMIT = 4\n", "utf-8")
    Path("own").mkdir()
    Path("own/conftest.py").write_text("import constants\n", "utf-8")
    test = "import constants\n\ndef test_limit():\n    assert constants.LIMIT == 4\n"
    Path("own/test_limit.py").write_text(test, "utf-8")
    path = Path("constants.py")
    tests = mutant_runs.Tests({path: ["own"]})
    tests.seconds = {"own/test_limit.py::test_limit": 0.1}
    assert tests.run_outside(mutants(path)[0]).failed == ["own/test_limit.py::test_limit"]
