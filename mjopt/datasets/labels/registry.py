"""Labels by name, each with a second method for verification.

To add a label, write a `Label`, one line in ``BUILTIN`` and, if it is another one for hands of a
rule set, one in ``_FOR_RULES`` of `rule_labels`. ``mine.py:MINE`` names one in a file.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from mjopt._internal.registry import USER_CLASS, PluginRegistry
from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.user_module import UserCode, load_member, source_digest
from mjopt._internal.validation import expect
from mjopt._version import __version__
from mjopt.datasets.labels.base import Label
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import ArgumentError
from mjopt.hands.rules.rule_set import RuleSet

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_HERE: Final = "mjopt.datasets.labels"


def _is_label(given: object) -> "TypeIs[Label]":
    return isinstance(given, Label)


BUILTIN: Final = {
    "deficiency": f"{_HERE}.hand_labels:DEFICIENCY",
    "seven_pairs": f"{_HERE}.hand_labels:DEFICIENCY_OF_PAIRS",
    "thirteen_orphans": f"{_HERE}.hand_labels:DEFICIENCY_OF_ORPHANS",
    "win": f"{_HERE}.hand_labels:WIN",
    "useful": f"{_HERE}.hand_labels:USEFUL",
    "discards": f"{_HERE}.hand_labels:DISCARDS",
    "targets": f"{_HERE}.hand_labels:TARGETS",
    "decompositions": f"{_HERE}.hand_labels:DECOMPOSITIONS",
    "cost": f"{_HERE}.hand_labels:COST",
    "digest": f"{_HERE}.hand_labels:DIGEST_OF_CERTIFICATE",
    "certificate": f"{_HERE}.hand_labels:CERTIFICATE",
}

LABELS: Final = PluginRegistry[Label](
    "label",
    _HERE,
    BUILTIN,
    ArgumentError,
    lambda given: None if _is_label(given) else "expected a mjopt.datasets.Label",
    lambda spec: load_member(spec, "label", _is_label),
)
"""Every label except those with a parameter, such as ``deficiency:FORM`` and ``advice:N``."""

MAKERS: Final = PluginRegistry[Callable[[str], Label]](
    "label",
    f"{_HERE}.makers",
    {
        "deficiency": f"{_HERE}.rule_labels:form_label",
        "win_within": f"{_HERE}.win_chance:win_within_label",
        "advice": f"{_HERE}.win_chance:advice_label",
        "heuristic": f"{_HERE}.heuristic:heuristic_label",
        "danger": f"{_HERE}.danger:danger_label",
    },
    ArgumentError,
    lambda given: None if callable(given) else "expected a function of its text",
)
"""Functions that create labels with parameters, named ``WORD:...``, by that word."""


def get_label(name: str) -> Label:
    """Return a label by its name.

    Examples
    --------
    >>> get_label("useful").engine[:7]
    'tables '
    >>> get_label("beauty")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: label 'beauty', expected one of deficiency, seven_pairs ...
    """
    expect(name, str, "label")
    word, colon, _ = name.partition(":")
    if colon and word in MAKERS:
        make = _make_label.__wrapped__ if _is_file(name) else _make_label  # a file may change
        return make(word, name)
    if name in LABELS:
        return LABELS[name]
    if not LABELS.is_known(name):
        made = (
            *("deficiency:FORM", "win_within:N", "advice:N", "heuristic:METHOD"),
            "danger:PRIOR",
        )
        known = (*LABELS.names, *made, "FILE.py:NAME")
        raise ArgumentError(argument="label", value=short_repr(name), expected=tuple(known))
    label = LABELS.find(name)
    spec = USER_CLASS.fullmatch(name)
    engine = f"{label.engine} sha256:{source_digest(spec[1])[:12]}" if spec else label.engine
    return replace(label, name=name, engine=engine, plugin=name)


def _is_file(name: str) -> bool:
    return USER_CLASS.fullmatch(name.partition(":")[2]) is not None


@cache
def _make_label(word: str, name: str) -> Label:
    return MAKERS[word](name)


def get_labels(
    names: Sequence[str], deal: Deal, *, trusted: Container[str], own: Sequence[Label] = ()
) -> tuple[Label, ...]:
    """Return labels by name; ArgumentError if one does not apply to these hands.

    Only the trusted ones, which the user has named, can load a plug-in or a file; `own` are labels
    that are no built-in ones and that need not be found by name.
    """
    if len(set(names)) < len(names):
        raise ArgumentError(f"labels {shorten(', '.join(names))}: a label is repeated")
    known = {label.name: label for label in own}
    labels: list[Label] = []
    for name in names:
        is_ours = name in LABELS or (name.partition(":")[0] in MAKERS and not _is_file(name))
        is_code = LABELS.is_known(name) or _is_file(name)
        if is_code and not (is_ours or name in known or name in trusted):
            raise ArgumentError(f"label {short_repr(name)}: a stored dataset loads no plug-in")
        label = known.get(name) or get_label(name)
        if deal.rules is not None and is_ours:
            label = _of_rules(label, deal.rules)
        labels.append(label if label.name in trusted else label.without_plugin())
    for label in labels:
        with UserCode(label.validate, f"label {shorten(label.name)} fails", ArgumentError):
            label.validate(deal)
    names_of = [column.name for label in labels for column in label.columns]
    if len(set(names_of)) < len(names_of):
        raise ArgumentError(f"labels {shorten(', '.join(names))}: two of them fill the same column")
    return tuple(labels)


def _of_rules(label: Label, rules: RuleSet) -> Label:
    from mjopt.datasets.labels.rule_labels import label_of_rules  # takes a while to load

    return label_of_rules(label, rules)


def engines(labels: Sequence[Label]) -> str:
    """Return the methods that computed the labels, with versions, as stored in every row.

    Examples
    --------
    >>> engines([get_label("deficiency"), get_label("useful")])  # doctest: +ELLIPSIS
    'mjopt ...; deficiency, useful: tables 98cf11dc6376'
    """
    by_engine: dict[str, list[str]] = {}
    for label in labels:
        by_engine.setdefault(label.engine, []).append(label.name)
    parts = [f"{', '.join(names)}: {engine}" for engine, names in by_engine.items()]
    return "; ".join([f"mjopt {__version__}", *parts])
