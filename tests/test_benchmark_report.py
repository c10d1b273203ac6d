"""The page of benchmarks: every claim runs, and the page says what was measured."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.surroundings import arguments

import move_times
import write_report as report
from mjopt.errors import MjoptError
from mjopt.play.learning.config import PRESETS
from report_sections import SECTIONS, Environment, Labels
from report_tables import Comparison
from tools.readme import CHECKOUT

ALL_CLAIMS = tuple(section.claim for section in SECTIONS)


def comparison(seconds, **changes):
    sides = [{"name": name, "seconds": values, "note": ""} for name, values in seconds.items()]
    base = next(iter(seconds))
    stored = {"unit": "step", "base": base, "sides": sides, "absent": {}, "figures": {"hands": 7}}
    return Comparison(stored | changes)


@pytest.mark.parametrize(
    "claims",
    [("calls", "environment"), pytest.param(ALL_CLAIMS, marks=pytest.mark.slow)],
    ids=["two", "all"],
)
def test_a_quick_run_writes_every_section(
    claims: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sections = [section for section in SECTIONS if section.claim in claims]
    output = tmp_path / "page.md"
    monkeypatch.setattr(report, "SECTIONS", sections)
    for name in [name for name in os.environ if "PYTEST" in name]:
        monkeypatch.delenv(name)  # pytest-benchmark measures nothing in a worker of pytest-xdist
    with arguments("write_report.py", "--quick", "-o", output):
        report.main()
    printed = capsys.readouterr().out
    assert printed.startswith(f"measures {len(claims)} claims, about a minute; writes ")
    page = output.read_text("utf-8")
    parts = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    titles = [part.partition("\n")[0] for part in parts]
    assert titles == ["Machine and versions", *(section.title for section in sections)]
    for section, text in zip(sections, parts[1:], strict=True):
        finding, table = text.split("\n\n")[1:3]
        assert re.fullmatch(r"[^|\n]+\.", finding)
        assert table.startswith("### ")
        assert re.search(r"^\|:--", text, re.MULTILINE)
        assert f"benchmarks/{section.file} -m claim" in text
    assert str(CHECKOUT) not in page
    assert str(Path.home()) not in page
    assert not re.search(rf"\b{re.escape(platform.node())}\b", page)
    assert "```console" not in page  # tests would run its commands
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]


def test_the_program_runs_alone() -> None:
    """It needs no import path of the tests."""
    program = [sys.executable, CHECKOUT / "benchmarks" / "write_report.py", "--help"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(program, capture_output=True, text=True, check=True, env=environment)
    assert "--quick" in ran.stdout


def test_a_missing_folder_is_refused_before_the_measurement(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(report, "run_claim", lambda *_: pytest.fail("measured"))
    page = tmp_path / "none" / "page.md"
    with arguments("write_report.py", "-o", page), pytest.raises(SystemExit):
        report.main()
    assert capsys.readouterr().err.endswith("page.md: its folder does not exist\n")


def test_ratios_are_of_the_same_round() -> None:
    found = comparison({"ours": [1.0, 10.0, 2.0], "theirs": [3.0, 20.0, 2.0]})
    assert found.ratio("theirs") == (2.0, 1.5, 2.5)
    assert found.ratio("ours", "theirs").median == 0.5


def test_a_missing_package_is_a_row() -> None:
    found = comparison({"mjopt": [0.001, 0.001]}, absent={"rlcard": "not installed"})
    text = Environment().to_markdown(found)
    assert re.search(r"^\| rlcard +\|( +– \|){4} not installed +\|$", text, re.MULTILINE)
    assert "`mjopt.play.env()` makes 1,000 steps a second" in text
    assert "no other program ran" in text


def test_the_finding_has_no_direction() -> None:
    """It stays true where another program is the faster one."""
    found = comparison(
        {"mjopt, label": [2.0, 2.0], "mjopt, label_one": [4.0, 4.0], "xiangting 6": [1.0, 1.0]}
    )
    finding = Labels().finding(found)
    assert "`xiangting` takes 0.5 times as long" in finding
    assert "`mjopt.tables.label_one` takes 2.0 times as long" in finding


def test_a_failed_benchmark_leaves_the_page(tmp_path: Path) -> None:
    with pytest.raises(MjoptError, match=r"benchmarks/test_nothing\.py failed"):
        report.run_claim("test_nothing.py", tmp_path, quick=True)


def test_move_times_have_a_row_for_each_agent(capsys, monkeypatch):
    monkeypatch.setattr(move_times, "get_cpu_info", dict)
    move_times.main(["first", "l1", "mcts:none.npz", "--moves", "5", "--seed", "3"])
    out, err = capsys.readouterr()
    assert re.search(r"^\| `first` \| [\d.]+ \| [\d.]+ \| [\d.]+ \| 5 \|$", out, re.MULTILINE)
    assert re.search(r"^\| `l1` \| .* \| 5 \|$", out, re.MULTILINE)
    assert "| `mcts:none.npz` | not here | | | 0 |" in out
    assert "none.npz" in err
    assert "seed 3; unknown processor" in out


def test_move_times_stop_when_the_seconds_are_spent():
    positions = move_times.decisions(seed=1, number=20)
    assert all(len(decision.moves) > 1 for decision in positions)
    agent = move_times.read_agent("first")
    assert len(move_times.measure("first", agent, positions, 0.0, seed=1).seconds) == 3
    assert len(move_times.measure("first", agent, positions, 60.0, seed=1).seconds) == 20


def test_move_times_know_every_agent(tmp_path, monkeypatch):
    monkeypatch.setattr(move_times, "PRESETS", {"tiny": PRESETS["tiny"]})
    names = {text.partition(":")[0] for _, text in move_times.entries(tmp_path)}
    assert names | {"process", "mjai"} >= set(move_times.AGENTS)
