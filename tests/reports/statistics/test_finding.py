"""What a test found cannot contradict itself."""

import math

import pytest

from mjopt.errors import StudyError
from mjopt.reports.statistics import (
    Finding,
)


@pytest.mark.parametrize(
    "change",
    [
        {"p_value": 1.5},
        {"p_value": math.nan},
        {"effect": math.nan},
        {"p_value": None},
        {"corrected_p": 0.1, "correction": "holm"},
        {"corrected_p": 0.3},
        {"direction": "up"},
    ],
)
def test_a_finding_cannot_contradict_itself(change):
    good = {
        "test": "t",
        "sides": ("a", "b"),
        "n": (3, 3),
        "statistic": 1.0,
        "statistic_name": "t",
        "p_value": 0.2,
        "effect": 1.0,
        "effect_name": "d",
    }
    assert Finding(**good).p_value == 0.2
    with pytest.raises(StudyError):
        Finding(**{**good, **change})
