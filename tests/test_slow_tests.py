"""The lists of slow tests, and the choice of those that a change can reach."""

import re
from collections import defaultdict
from pathlib import Path

import pytest
from helpers.cost_plugin import COLLECTED, KEPT, SLOW, is_listed, read_list

from mjopt.cli.main import HELP
from tools.changed_tests import EVERYTHING, choose, distances, slow_tests

WITHOUT = {
    "tests/internal/test_planted_files.py": "three programs with workers; the attacks have more",
    "tests/play/review/test_page_size.py": "a game of 2,000 decisions",
    "tests/tables/test_compiled.py": "kernels compiled with checks of bounds",
    "mjopt/instances/build.py": "its tests build smaller sets",
    "mjopt/studies/report.py": "its tests write shorter reports",
}
"""Files whose tests are all slow, each with its reason."""


def test_each_file_keeps_a_quick_test(request: pytest.FixtureRequest) -> None:
    """So every room, command, page and reader has one."""
    slow, kept = read_list(SLOW), read_list(KEPT)
    quick = defaultdict(int)
    for node in request.config.stash[COLLECTED]:
        quick[node.partition("::")[0]] += is_listed(node, kept) or not is_listed(node, slow)
    assert {file for file, number in quick.items() if not number} <= WITHOUT.keys()


def test_each_command_keeps_a_quick_test(request: pytest.FixtureRequest) -> None:
    slow = read_list(SLOW)
    quick = {node for node in request.config.stash[COLLECTED] if not is_listed(node, slow)}
    if not any("test_exit_status" in node for node in quick):
        pytest.skip("the tests of commands were not collected")
    called = re.findall(r"test_exit_status\[\d-([\w-]+)", "\n".join(quick))
    assert HELP.keys() <= {*called}


def test_listed_tests_exist(request: pytest.FixtureRequest) -> None:
    """A list of tests that were renamed would let slow ones in."""
    collected = request.config.stash[COLLECTED]
    files = {node.partition("::")[0] for node in collected}
    known = collected | {node.partition("[")[0] for node in collected}
    listed = {node for node in read_list(SLOW) | read_list(KEPT) if node.split("::")[0] in files}
    assert listed <= known


def test_each_slow_test_has_its_seconds() -> None:
    assert slow_tests().keys() == read_list(SLOW)


def test_a_change_reaches_importers_but_not_through_the_package_itself() -> None:
    imports = {
        Path("mjopt/__init__.py"): {"mjopt.hands.hand"},
        Path("mjopt/hands/hand.py"): set[str](),
        Path("mjopt/tables/labels/batch.py"): {"mjopt.hands.hand.Hand", "mjopt.hands.hand"},
        Path("tests/helpers/deal.py"): {"mjopt.tables.labels.batch"},
        Path("tests/test_deals.py"): {"helpers.deal"},
        Path("tests/test_all.py"): {"mjopt", "mjopt.__init__"},
    }
    found = distances({Path("mjopt/hands/hand.py")}, imports)
    assert {str(path): steps for path, steps in found.items()} == {
        "mjopt/hands/hand.py": 0,
        "mjopt/__init__.py": 1,
        "mjopt/tables/labels/batch.py": 1,
        "tests/helpers/deal.py": 2,
        "tests/test_deals.py": 3,
    }


def test_nearest_slow_tests_come_first_within_the_budget() -> None:
    costs = {"a.py::far": 1.0, "a.py::farther": 2.0, "b.py::near": 3.0, "c.py::other": 1.0}
    found = {Path("a.py"): 5, Path("b.py"): 1}
    assert choose(costs, found, is_open=False, seconds=9) == [
        "b.py::near", "a.py::far", "a.py::farther"
    ]  # fmt: skip
    assert choose(costs, found, is_open=False, seconds=4) == ["b.py::near", "a.py::far"]
    assert choose(costs, found, is_open=True, seconds=9)[-1] == "c.py::other"
    assert EVERYTHING > 5
