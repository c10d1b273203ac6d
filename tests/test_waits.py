"""No test has a fixed time of its own: helpers/waits.py has them all, with their reasons."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
OTHERS = {
    "adversarial",  # attacks at random moments
    "data",  # programs that import nothing
    "reference_implementations",
}
FIXED = re.compile(
    r"\b(?:sleep|wait|result|join|exception|wait_for_timeout)\((?:\w+=)?(?!0\))[\d.]+\)"
    r"|\b(?:timeout|delay)=[\d.]"
    r"|\bTimer\([\d.]"
)


def test_fixed_times_are_recognised() -> None:
    for fixed in ("time.sleep(0.1)", "run.wait(60)", "x.result(timeout=3)", "Timer(.5, end)"):
        assert FIXED.search(fixed)
    for named in ("time.sleep(POLL)", "asyncio.sleep(0)", "run.wait()", "timeout=LONG"):
        assert not FIXED.search(named)


def test_every_fixed_time_is_one_of_the_list() -> None:
    paths = [p for p in TESTS.rglob("*.py") if p.relative_to(TESTS).parts[0] not in OTHERS]
    assert len(paths) > 300
    found = {
        f"{path.relative_to(TESTS)}: {match[0]}"
        for path in paths
        if path != Path(__file__)
        for match in FIXED.finditer(path.read_text("utf-8"))
    }
    if found:
        pytest.fail("fixed times, expected names of helpers/waits.py: " + ", ".join(sorted(found)))
