"""Labels are proved before anything is measured, and a wrong one stops the study."""

import numpy as np
import pytest

from mjopt.errors import StudyError
from mjopt.experiments.studies.certified import certify_labels, chosen_hands
from mjopt.experiments.studies.study_hands import describe_hands, read_hand_set


def test_as_many_as_planned_are_certified() -> None:
    hands = read_hand_set("two-type:40", seed=1, certificates=15)
    columns = describe_hands(hands)
    certify_labels(hands, columns)
    assert np.flatnonzero(columns["certified"]).tolist() == chosen_hands(40, 15).tolist()


def test_a_wrong_label_stops_the_study() -> None:
    hands = read_hand_set("two-type:40", seed=1)
    columns = describe_hands(hands)
    columns["deficiency"][23] += 1
    with pytest.raises(StudyError, match=r"two-type-40, hand 23 \(.*\): labelled \d, but"):
        certify_labels(hands, columns)
