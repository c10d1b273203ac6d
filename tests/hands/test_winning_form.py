"""Winning forms as records, and the few files that know the names of the classic ones."""

import ast
import copy
import json
import pickle
import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import mjopt
from mjopt import FULL, M0, SANMA, RuleSet, TileSet, WinningForm, get_rules
from mjopt.analysis.deficiency import winning_forms
from mjopt.errors import HandError
from mjopt.hands.pairs_and_orphans import missing_tiles
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import FORMS, classic_form, classic_forms, is_classic, names_of
from mjopt.hands.rules.read_forms import check_forms, read_forms, rule_set_of
from mjopt.hands.rules.template import Template

FILES = {
    "hands/rules/classic_forms.py": "defines the classic forms and their aliases",
    "play/game/rules.py": "the rules of the games, as data",
    "play/serve/hand_form.py": "the words of the page",
    "audits/packages.py": "the forms that other packages count",
    "datasets/labels/registry.py": "the names of labels, which datasets store",
}
NAMES = {"STANDARD", "SEVEN_PAIRS", "THIRTEEN_ORPHANS"}
TEXT = re.compile(r"seven_pairs|thirteen_orphans|\Astandard\Z")


def mentions(source: str) -> Iterator[str]:
    """Yield the names and texts of classic forms in a module, except in its docstrings."""
    tree = ast.parse(source)
    docstrings = {
        id(node.value)
        for parent in ast.walk(tree)
        if isinstance(parent, ast.Module | ast.ClassDef | ast.FunctionDef)
        for node in parent.body
        if isinstance(node, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.alias):
            name = node.id if isinstance(node, ast.Name) else node.name
            if name in NAMES:
                yield name
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
            and TEXT.search(node.value)
        ):
            yield node.value


def test_few_files_know_the_names_of_the_classic_forms() -> None:
    root = Path(mjopt.__file__).parent
    sources = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.py")}
    likely = re.compile("|".join([*NAMES, *FORMS]))
    found = {name for name, text in sources.items() if likely.search(text) and any(mentions(text))}
    assert found == {*FILES}


def one(template: Template, name: str = "mine", tiles: TileSet = FULL) -> WinningForm:
    return WinningForm(name, tiles, (template,))


def test_forms_are_equal_by_name_tiles_and_templates() -> None:
    form = classic_form("standard", FULL)
    assert form == WinningForm("standard", FULL, form.templates)
    assert hash(form) == hash(WinningForm("standard", FULL, form.templates))
    others = [
        one(form.templates[0]),
        classic_form("standard", M0),
        one(classic_form("seven_pairs", FULL).templates[0], "standard"),
        "standard",
    ]
    assert form not in others
    assert {form: 1} == {classic_form("standard", FULL): 1}
    assert classic_form("standard", SANMA) != classic_form("standard", M0)  # 27 kinds each


def test_a_form_is_its_name_in_texts_and_cannot_change() -> None:
    form = get_rules("mcr").forms[-1]
    assert (str(form), f"{form}") == ("mcr.honours_and_knitted",) * 2
    assert f"{form:>25}|" == "  mcr.honours_and_knitted|"
    assert repr(form) == "<WinningForm mcr.honours_and_knitted>"
    with pytest.raises(FrozenInstanceError):
        form.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("form", [*get_rules("mcr").forms, *get_rules("sichuan").forms], ids=str)
def test_copies_are_equal(form: WinningForm) -> None:
    for twin in (copy.copy(form), copy.deepcopy(form), pickle.loads(pickle.dumps(form))):
        assert (twin, hash(twin), twin.digest) == (form, hash(form), form.digest)
        assert (twin.is_plain, twin.is_pairs) == (form.is_plain, form.is_pairs)
    # The hash of a text differs between processes, so it is no part of a pickle.
    assert form.__reduce__() == (WinningForm, (form.name, form.tiles, form.templates))


def test_what_is_not_a_form_is_refused() -> None:
    template = classic_form("standard", FULL).templates[0]
    with pytest.raises(TypeError, match="name: 3, expected a str"):
        WinningForm(3, FULL, (template,))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="tiles: 'm0', expected a TileSet"):
        WinningForm("mine", "m0", (template,))  # type: ignore[arg-type]
    with pytest.raises(HandError, match="'mine': no templates"):
        WinningForm("mine", FULL, ())


def test_shapes_are_those_of_the_templates() -> None:
    shapes = [(f.is_plain, f.is_pairs, f.is_singles) for f in classic_forms(FULL)]
    assert shapes == [(True, False, False), (False, True, False), (False, False, True)]
    shipped = {form for name in mjopt.RULE_SETS for form in get_rules(name).forms}
    assert all(
        is_classic((form,)) or not (form.is_plain or form.is_pairs or form.is_singles)
        for form in shipped
    )
    own = one(classic_form("standard", FULL).templates[0])
    assert own.is_plain
    assert not is_classic((own,))


def test_a_rule_set_takes_names_and_forms_of_its_tiles() -> None:
    about = {"name": "mine", "title": "", "tiles": FULL, "size": 14}
    by_name = RuleSet(**about, forms=("standard", "seven_pairs"))
    assert by_name == RuleSet(**about, forms=check_forms("standard, seven_pairs", FULL))
    with pytest.raises(HandError, match="standard is a form of M0, not of FULL"):
        RuleSet(**about, forms=classic_forms(M0))


def test_classic_forms_follow_the_tiles_of_the_hand() -> None:
    """As their names do; a form of a rule set stays what it is."""
    riichi = get_rules("riichi").forms
    assert read_forms(riichi[:2], M0) == check_forms(riichi[:2], M0) == classic_forms(M0)
    assert rule_set_of(riichi) is None
    with pytest.raises(HandError, match="thirteen_orphans needs 13 terminals and honours"):
        read_forms(riichi, M0)
    with pytest.raises(HandError, match="hands of M0, but this one is of FULL"):
        read_forms(get_rules("sichuan").forms, FULL)
    with pytest.raises(HandError, match="only standard, seven_pairs, .* are possible here"):
        check_forms(get_rules("mcr").forms, FULL)


def test_another_form_with_a_classic_name_keeps_its_definition() -> None:
    """It is neither taken for the classic form nor mixed with it."""
    pongs = one(get_rules("full-flush").forms[0].templates[0], "standard")
    hand = "123456789m11122s"
    assert mjopt.deficiency(hand, tiles="136", forms=pongs) == 5
    assert mjopt.deficiency(hand, tiles="136") == 0
    for model in ("network", "blockwise"):
        assert mjopt.solve(mjopt.Hand.parse(hand, tiles="136"), forms=pongs, model=model).value == 5
    with pytest.raises(HandError, match="forms 'standard': two different forms of that name"):
        read_forms([pongs, "standard"], FULL)


def test_own_names_of_classic_templates_give_the_same_answers() -> None:
    hand = mjopt.Hand.parse("1122334455667m8p", tiles=FULL)
    for form in classic_forms(FULL):
        own = one(form.templates[0])
        assert mjopt.deficiency(hand, forms=own) == mjopt.deficiency(hand, forms=form)
        assert mjopt.certify(hand, forms=own).deficiency == mjopt.deficiency(hand, forms=form)
        if not form.is_plain:
            assert missing_tiles(own, hand, hand.unseen) == missing_tiles(form, hand, hand.unseen)


@pytest.mark.parametrize("rules", ["riichi", "mcr", "taiwan"])
def test_results_name_their_forms(rules: str) -> None:
    known = get_rules(rules)
    text = "123456789m123p12355s" if known.size == 17 else "123456789m12355s"
    full = mjopt.Hand.parse(text, rules=rules)
    hand = full.with_one(full.counts.index(2), -1)
    certificate = mjopt.certify(hand)
    document = json.loads(certificate.to_json())
    names = names_of(known.forms)
    assert certificate.form == document["target"]["form"] == names[0]
    assert tuple(document["forms"]) == tuple(dict(certificate.bounds)) == names
    assert mjopt.Certificate.from_json(certificate.to_json()).forms == known.forms
    assert mjopt.solve(hand, forms=known.forms[0]).form == names[0]
    assert winning_forms(full) == [names[0]]
    found = mjopt.targets(full)
    assert (found.forms, found.forms_of(full.counts)) == (known.forms[:1], names[:1])
    assert list(found.of(names[0])) == list(found.of(known.forms[0])) == [full.counts]
    assert HandQuery(full, general=True).forms == known.forms
