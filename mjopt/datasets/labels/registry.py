"""Labels by name."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from mjopt import __version__
from mjopt.datasets.labels.base import DatasetColumn, Label
from mjopt.datasets.labels.certificates import CERTIFICATE, DIGEST
from mjopt.datasets.labels.counting import DECOMPOSITIONS, TARGETS
from mjopt.datasets.labels.from_tables import DISCARDS, PAPER_COST, USEFUL, WIN, deficiency_label
from mjopt.datasets.labels.heuristic import read_heuristic
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import RecipeError
from mjopt.hands.forms import FORMS, STANDARD

_KNOWN: Final[tuple[Label, ...]] = (
    *(deficiency_label("deficiency" if form == STANDARD else form, form) for form in FORMS),
    WIN,
    USEFUL,
    DISCARDS,
    TARGETS,
    DECOMPOSITIONS,
    PAPER_COST,
    DIGEST,
    CERTIFICATE,
)

LABELS: Final = {label.name: label for label in _KNOWN}
"""Every label but the heuristics', which are named ``heuristic:METHOD``."""


@cache
def get_label(name: str) -> Label:
    """Return a label by its name.

    Examples
    --------
    >>> get_label("useful").engine[:7]
    'tables '
    >>> get_label("beauty")
    Traceback (most recent call last):
    mjopt.errors.RecipeError: label 'beauty': expected one of deficiency, seven_pairs, ...
    """
    if name.startswith("heuristic:"):
        return read_heuristic(name)
    if name not in LABELS:
        raise RecipeError(f"label {name!r}: expected one of {', '.join(LABELS)}, heuristic:METHOD")
    return LABELS[name]


def get_labels(names: Sequence[str], deal: Deal) -> tuple[Label, ...]:
    """Return labels by name, once it is clear that they are about these hands."""
    if len(set(names)) < len(names):
        raise RecipeError(f"labels {', '.join(names)}: one stands twice")
    labels = tuple(get_label(name) for name in names)
    for label in labels:
        label.check(deal)
    names_of = [column.name for label in labels for column in label.columns(deal)]
    if len(set(names_of)) < len(names_of):
        raise RecipeError(f"labels {', '.join(names)}: two of them fill the same column")
    return labels


def label_columns(labels: Sequence[Label], deal: Deal) -> tuple[DatasetColumn, ...]:
    """Return the columns of some labels."""
    return tuple(column for label in labels for column in label.columns(deal))


def engines(labels: Sequence[Label]) -> str:
    """Name what made the labels, with versions: what stands in every row.

    Examples
    --------
    >>> engines([get_label("deficiency"), get_label("useful")])
    'mjopt 0.1.0; deficiency, useful: tables 98cf11dc6376'
    """
    by_engine: dict[str, list[str]] = {}
    for label in labels:
        by_engine.setdefault(label.engine, []).append(label.name)
    parts = [f"{', '.join(names)}: {engine}" for engine, names in by_engine.items()]
    return "; ".join([f"mjopt {__version__}", *parts])
