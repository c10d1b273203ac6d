"""Parts that tables share: column formats, notes, and differences in standard errors."""

from math import inf, sqrt
from typing import Final

import numpy as np

from mjopt.studies.config import StudyConfig
from mjopt.studies.reproduction.paper_methods import WORDS
from mjopt.studies.reproduction.published_results import SETS

FORMATS: Final = {
    **dict.fromkeys(("ours", "published", "best", "worst", "median", "mean", "from", "to"), ".3%"),
    "sd": ".4%",
    "ours less published": "+.3%",
    "in standard errors": "+,.1f",
}
MACHINE: Final = "Published: Python on an i7-6700; the factor includes machine and language."
MEASURED: Final = "Times are measured: another run gives other digits."


def standard_errors(difference: float, *variances: float) -> float | None:
    """Return a difference in standard errors; None if the standard error is 0.

    Examples
    --------
    >>> standard_errors(0.02, 0.0001), standard_errors(0.0, 0.0)
    (2.0, 0.0)
    """
    error = sqrt(sum(variances))
    if error:
        return difference / error
    return 0.0 if not difference else inf * np.sign(difference)


def sizes_of(config: StudyConfig) -> str:
    """Return the number of hands of each set, as text."""
    return ", ".join(
        f"{WORDS[types]} {hands.num_hands:,}"
        for types, hands in zip(SETS, config.sets, strict=True)
    )
