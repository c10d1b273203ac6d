"""The labels of hands of a rule set, and labels of one winning form."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

import numpy as np

from mjopt._internal.arrays import Array
from mjopt._internal.progress import report
from mjopt._internal.sanitize import short_repr
from mjopt.analysis.batch import useful_tiles_many
from mjopt.analysis.certify import certify
from mjopt.analysis.deficiency import decompositions
from mjopt.analysis.targets import targets
from mjopt.analysis.useful_rows import drawn_kinds
from mjopt.datasets.labels.base import DatasetColumn, HandRows, Label
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import ArgumentError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, FORMS, is_classic
from mjopt.hands.rules.document import rules_digest
from mjopt.hands.rules.read_forms import read_forms, rules_of
from mjopt.hands.rules.rule_file import is_rule_file
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.splits import find_splits
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.tables.labels.batch import label as deficiencies
from mjopt.tables.standard.table_file import DIGEST

MASK_KINDS: Final = 64
"""Most kinds of a set of kinds: one bit each."""

_LISTED: Final = 10_000  # targets that are listed to verify their number

_TABLES: Final = f"tables {DIGEST[:12]}"


def label_of_rules(label: Label, rules: RuleSet) -> Label:
    """Return a label as it is about hands of a rule set.

    Labels without an entry in ``_FOR_RULES`` stay as they are, such as those of users: one about
    the standard form alone calls `refuse_rules` when it validates.
    """
    word, colon, _ = label.name.partition(":")
    make = _FOR_RULES.get(f"{word}:" if colon else word)
    return label if make is None else make(label, rules)


def with_meaning(label: Label, meaning: str) -> tuple[DatasetColumn, ...]:
    """Return the one column of a label with another meaning."""
    [column] = label.columns
    return (replace(column, meaning=meaning),)


def _engine(method: str, rules: RuleSet) -> str:
    """Return the engine of a label: the values also depend on the definition of the rules."""
    return f"{method}, {rules.name} sha256:{rules_digest(rules)[:12]}"


def _by_rules(rows: HandRows) -> Array:
    return deficiencies(rows.hands, rules=rows.deal.rules, called=rows.deal.called)


def _is_full(rows: HandRows) -> Array:
    full = rows.deal.complete - 3 * rows.deal.called
    return np.asarray(rows.hands.sum(axis=1, dtype=np.int64) == full)


def _deficiency(label: Label, rules: RuleSet) -> Label:
    return replace(
        label,
        engine=_engine(label.engine, rules),
        columns=with_meaning(label, f"tile changes to a complete hand of the rules {rules.name}"),
        compute=_by_rules,
        verify=lambda hand: certify(hand).deficiency,
    )


def _win(label: Label, rules: RuleSet) -> Label:
    return replace(
        label,
        engine=_engine(label.engine, rules),
        columns=with_meaning(label, f"complete: a winning form of the rules {rules.name}"),
        compute=lambda rows: np.asarray((_by_rules(rows) == 0) & _is_full(rows)),
    )


def _useful(label: Label, rules: RuleSet) -> Label:
    def compute(rows: HandRows) -> Array:
        return _as_masks(drawn_kinds(rows.hands, rules, rows.deal.called))

    return replace(
        label,
        engine=_engine(label.engine, rules),
        compute=compute,
        validate=partial(_check_mask, label),
    )


def _discards(label: Label, rules: RuleSet) -> Label:
    def compute(rows: HandRows) -> Array:
        called, value = rows.deal.called, _by_rules(rows)
        row, kind = np.nonzero(rows.hands * (value > 0)[:, None])
        after = rows.hands[row]
        after[np.arange(len(row)), kind] -= 1
        # Some tile is in no nearest hand, so that its discard keeps the deficiency.
        keeps = deficiencies(after, rules=rules, called=called) == value[row]
        row, kind = row[keeps], kind[keeps]
        copies = np.full(rows.hands.shape, -1, np.int16)
        found = useful_tiles_many(after[keeps], rules=rules, called=called)
        copies[row, kind] = found.num_copies
        best = (copies == copies.max(axis=1, keepdims=True)) & (copies >= 0)
        return _as_masks(best)

    def validate(deal: Deal) -> None:
        label.validate(deal)
        _check_mask(label, deal)

    return replace(label, engine=_engine(label.engine, rules), compute=compute, validate=validate)


def _check_mask(label: Label, deal: Deal) -> None:
    if deal.tiles.num_kinds > MASK_KINDS:
        raise ArgumentError(
            f"label {label.name}: {deal.tiles.num_kinds} kinds", expected=f"at most {MASK_KINDS}"
        )


def _as_masks(flags: Array) -> Array:
    """Return sets of kinds as whole numbers, bit k for kind k."""
    wide = np.zeros((len(flags), MASK_KINDS), np.bool_)
    wide[:, : flags.shape[1]] = flags
    return np.packbits(wide, axis=1, bitorder="little").view(np.uint64).ravel()


def _targets(label: Label, rules: RuleSet) -> Label:
    def compute(rows: HandRows) -> Array:
        number = np.zeros(len(rows.hands), np.int64)
        for place in range(len(rows.hands)):
            number[place] = targets(rows.row(place).hand).number
            report(1)
        return number

    return replace(
        label,
        engine=_engine("walk along the network 2", rules),
        columns=with_meaning(label, "complete hands at the least distance"),
        compute=compute,
        verify=_listed_targets,
    )


def _listed_targets(hand: Hand) -> int:
    """List the targets, and count those that are complete and at the distance."""
    found = targets(hand)
    if not found.forms:
        return 0
    most = found.number
    listed = np.array([*islice(found, _LISTED)], np.uint8)
    missing = np.maximum(listed.astype(np.int8) - np.array(hand.counts, np.int8), 0)
    labels = deficiencies(listed, rules=hand.rules, called=hand.called)
    is_target = (labels == 0) & (missing.sum(axis=1) == found.deficiency)
    distinct = len(np.unique(listed[is_target], axis=0))
    return most if most > _LISTED and distinct == _LISTED else distinct


def _decompositions(label: Label, rules: RuleSet) -> Label:
    templates = [template for form in rules.forms for template in form.templates]

    def compute(rows: HandRows) -> Array:
        number = np.zeros(len(rows.hands), np.int64)
        for row in np.flatnonzero((_by_rules(rows) == 0) & _is_full(rows)).tolist():
            counts, called = tuple(rows.hands[row].tolist()), rows.deal.called
            splits = (find_splits(counts, rules.tiles, part, called) for part in templates)
            number[row] = len(set().union(*splits))
        return number

    return replace(
        label,
        engine=_engine("search of splits 1", rules),
        columns=with_meaning(label, "ways to split it into the parts of a winning form"),
        compute=compute,
        verify=lambda hand: len(decompositions(hand)) if hand.is_full else 0,  # by set partition
    )


def _proof(label: Label, rules: RuleSet) -> Label:
    return replace(label, engine=_engine(label.engine, rules))


def _classic(label: Label, _: RuleSet) -> Label:
    """Return the label of seven pairs or thirteen orphans, for hands of rules of 14 tiles."""
    form = label.name
    return replace(
        label,
        compute=partial(_by_form, form),
        validate=partial(_check_form, label.name, form),
    )


def form_label(name: str) -> Label:
    """Return the label ``deficiency:FORM`` of the deficiency of one winning form.

    The form is one of ``FORMS``, or of a rule set that ships with mjopt, such as
    ``mcr.knitted_straight``. With hands of a rule set it may also have the short name of one of its
    forms, such as ``knitted_straight``.

    Examples
    --------
    >>> label = form_label("deficiency:mcr.knitted_straight")
    >>> label.columns[0].name, label.engine[-20:-12]
    ('deficiency_mcr_knitted_straight', ' sha256:')
    """
    text = _form_text(name)
    if not text or is_rule_file(text):
        hint = "the rules of FILE.toml are those of the hands" if text else ""
        raise ArgumentError(
            argument="label", value=short_repr(name), expected="deficiency:FORM", hint=hint
        )
    known = rules_of(text)
    form = known if isinstance(known, WinningForm) else text if text in FORMS else None
    if isinstance(known, RuleSet) and len(known.forms) == 1:
        [form] = known.forms
    return _label_of_form(name, form)


def form_label_of_rules(label: Label, rules: RuleSet) -> Label:
    """Return the label of :func:`form_label` for hands of a rule set, whose forms come first."""
    text = _form_text(label.name)
    form = next((f for f in rules.forms if text in (f.name, f.name.partition(".")[2])), None)
    return label if form is None else _label_of_form(label.name, form)


_FOR_RULES: Final[dict[str, Callable[[Label, RuleSet], Label]]] = {
    "deficiency": _deficiency,
    "win": _win,
    "useful": _useful,
    "discards": _discards,
    "targets": _targets,
    "decompositions": _decompositions,
    "digest": _proof,
    "certificate": _proof,
    **{form: _classic for form in FORMS if form != DEFAULT_FORM},
    "deficiency:": form_label_of_rules,  # with a parameter
    "danger:": _proof,
}


def _form_text(name: str) -> str:
    return name.partition(":")[2].strip()


def _label_of_form(name: str, form: str | WinningForm | None) -> Label:
    text = _form_text(name)
    engine = _TABLES
    if isinstance(form, WinningForm) and not is_classic((form,)):
        engine += f", {form} sha256:{form.digest[:12]}"
    column = DatasetColumn(
        f"deficiency_{re.sub(r'[^a-z0-9]', '_', text.lower())}",
        "int8",
        f"tile changes to a complete hand of the form {text if form is None else form}",
    )
    return Label(
        name=name,
        engine=engine,
        columns=(column,),
        compute=partial(_by_form, form),
        verify=lambda hand: certify(hand, forms=None if form is None else (form,)).deficiency,
        validate=partial(_check_form, name, form),
    )


def _by_form(form: str | WinningForm | None, rows: HandRows) -> Array:
    deal = rows.deal
    assert form is not None, "validated"
    return deficiencies(
        rows.hands, tiles=deal.tiles, rules=deal.rules, called=deal.called, forms=(form,)
    )


def _check_form(name: str, form: str | WinningForm | None, deal: Deal) -> None:
    """Raise unless hands can take a form."""
    if form is None:
        raise ArgumentError(f"label {short_repr(name)}: no such form", expected=_known(deal))
    try:
        [known] = read_forms((form,), deal.tiles, deal.complete)
    except MjoptError as error:
        raise ArgumentError(f"label {name}: {error}") from None
    most = max(template.melds for template in known.templates)
    if deal.called > most:
        few = ("nothing", "at most one meld", f"at most {most} melds")[min(most, 2)]
        raise ArgumentError(f"label {name}: needs hands with {few} called")


def _known(deal: Deal) -> tuple[str, ...]:
    forms = () if deal.rules is None else deal.rules.forms
    own = tuple(form.name.partition(".")[2] or form.name for form in forms)
    return (*own, *(form for form in FORMS if form not in own), "RULES.FORM")
