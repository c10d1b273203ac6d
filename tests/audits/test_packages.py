"""Packages on awkward and random hands; skipped if not installed, else against stubs."""

import random
from collections.abc import Mapping
from types import SimpleNamespace

import pytest
from helpers.support import AWKWARD, deal

import mjopt
from mjopt import FULL, SANMA, Hand
from mjopt.audits.packages import ALL_FORMS, PACKAGES, Package, get_package
from mjopt.errors import ArgumentError, HandError, MissingExtraError
from mjopt.hands.tiles import COPIES

EXACT = {"mahjong", "xiangting", "riichienv", "jansou", "shanten-tools"}
"""The others count a fifth copy of a kind held four times (docs/results/packages.md)."""

QUESTIONS = {"useful", "ukeire", "shanten", "deficiency", "win", "decompositions", "discard"}


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest) -> Package:
    # The extra `test` installs some of them.
    pytest.importorskip(PACKAGES[request.param].module)
    return PACKAGES[request.param]


def check(answers: Mapping[str, object], hand: Hand, forms: object) -> None:
    """Compare all answers of a package with those of mjopt."""
    text = hand.to_text()
    deficiency = mjopt.deficiency(hand, forms=forms)
    assert answers.keys() <= QUESTIONS
    assert answers.get("shanten", deficiency - 1) == deficiency - 1, text
    assert answers.get("deficiency", deficiency) == deficiency, text
    if "win" in answers:
        assert answers["win"] is (deficiency == 0), text
    if "useful" in answers and not hand.is_full:
        useful = mjopt.useful_tiles(hand, forms=forms)
        kinds = {FULL.names.index(name) for name in answers["useful"]}
        assert {kind for kind in kinds if hand.counts[kind] < 4} == set(useful.kinds), text
        assert answers.get("ukeire", useful.num_copies) == useful.num_copies, text
    if "decompositions" in answers:
        assert answers["decompositions"] == len(mjopt.decompositions(hand, forms=forms)), text
    if "discard" in answers:
        ranks = {
            each.kind: (each.after.deficiency, -each.after.num_copies)
            for each in mjopt.discards(hand, forms=forms)
        }
        best = {kind for kind, rank in ranks.items() if rank == min(ranks.values())}
        assert {FULL.names.index(name) for name in answers["discard"]} == best, text


def known_forms(package: Package, choice: tuple[str, ...]) -> object:
    """Return the forms of a choice, those of the Chinese official rules as objects."""
    if package.name != "PyMahjongGB":
        return choice
    forms = {form.name: form for form in mjopt.get_rules("mcr").forms}
    return [forms[name] for name in choice]


def test_packages_are_right_on_awkward_hands(package: Package) -> None:
    for choice in package.forms:
        ask = package.load(choice)
        for known in AWKWARD:
            if package.name in EXACT or COPIES not in known.hand.counts:
                check(ask(known.hand), known.hand.in_full(), known_forms(package, choice))


@pytest.mark.parametrize(("size", "called"), [(14, 0), (13, 0), (11, 1), (7, 2), (5, 3), (1, 4)])
def test_packages_are_right_for_every_size_and_number_of_melds(
    package: Package, size: int, called: int
) -> None:
    rng = random.Random(size)
    for choice in package.forms:
        if called > 1 and "standard" not in choice:
            continue  # such a form allows at most one called meld
        ask = package.load(choice)
        for _ in range(10):
            kinds = rng.choice([None, max(5, size // 2)])
            hand = deal(rng, FULL, size=size, called=called, num_kinds=kinds)
            if package.name in EXACT or COPIES not in hand.counts:
                check(ask(hand), hand, known_forms(package, choice))


@pytest.mark.parametrize(
    "text", ["11122233344455s", "112233m112233p11s", "19m19p19s12345677z", "1133557799m1133p"]
)
def test_packages_know_complete_hands(package: Package, text: str) -> None:
    hand = Hand.parse(text, tiles=FULL)
    check(package.load()(hand), hand, known_forms(package, package.forms[0]))
    assert package.version


def test_packages_know_three_players(package: Package) -> None:
    if not package.sanma:
        with pytest.raises(HandError, match=r"no hands of SANMA, expected mahjong or xiangting"):
            package.load(tiles=SANMA)
        return
    ask = package.load(tiles=SANMA)
    rng = random.Random(3)
    for size in (13, 14) * 10:
        hand = deal(rng, SANMA, size=size, num_kinds=rng.choice([None, 8]))
        answers = {**ask(hand)}
        useful = answers.pop("useful", None)
        check(answers, hand, "riichi")
        if useful is not None and not hand.is_full:
            names = [SANMA.names[kind] for kind in mjopt.useful_tiles(hand, forms="riichi").kinds]
            assert useful == names


def test_unsupported_forms_are_refused() -> None:
    with pytest.raises(HandError) as error:
        PACKAGES["riichienv"].check_forms(("standard",))
    forms = "standard,seven_pairs,thirteen_orphans"
    assert str(error.value) == f"riichienv answers for {forms}, not standard"
    assert PACKAGES["mahjong"].check_forms(None) == ALL_FORMS
    assert PACKAGES["mahjong"].check_forms(("seven_pairs", "standard")) == ALL_FORMS[:2]


def test_missing_packages_are_refused() -> None:
    absent = Package(name="no-such-mahjong", module="no_such_mahjong", bind=lambda *_: dict)
    assert absent.version is None
    with pytest.raises(MissingExtraError) as error:
        absent.load()
    assert str(error.value) == "no-such-mahjong is not installed: pip install no-such-mahjong"
    with pytest.raises(ArgumentError, match=r"package 'tenhou': unknown, expected one of mahjong"):
        get_package("tenhou")


def bound(name: str, package: object, forms: tuple[str, ...] = ALL_FORMS):
    """Return the function that asks a stub of a package."""
    return PACKAGES[name].bind(package, forms, FULL)


def test_arguments_of_numbers_are_converted() -> None:
    """Each package takes tiles in its own way; called melds are implied or a number."""
    hand = Hand.parse("1123m", tiles=FULL, called=3)
    seen: list[object] = []

    def number(*arguments: object) -> int:
        seen.append(arguments)
        return 1

    kago = SimpleNamespace(
        shanten=SimpleNamespace(Shanten=SimpleNamespace(calculate_shanten=number)),
        hai=SimpleNamespace(Hai34Counter=tuple),
    )
    assert bound("kago-utils", kago)(hand) == {"shanten": 1}
    assert bound("shanten-tools", SimpleNamespace(shanten=number))(hand) == {"deficiency": 1}
    stub = SimpleNamespace(calculate_shanten=number, HandEvaluator=None)
    assert bound("riichienv", stub)(hand) == {"shanten": 1}
    counts, array, ids = (arguments[0] for arguments in seen)
    assert counts == tuple(array.tolist()) == hand.counts
    assert (ids, seen[0][1]) == ([0, 1, 4, 8], 3)


def test_useful_tiles_and_copies_of_jansou() -> None:
    analysis = SimpleNamespace(
        shanten=SimpleNamespace(shanten_counts=lambda *_: 0),
        efficiency=SimpleNamespace(acceptance_counts=lambda *_: {0: 2, 3: 4}),
    )
    ask = bound("jansou", SimpleNamespace(core=None, analysis=analysis))
    answers = ask(Hand.parse("1123m", tiles=FULL, called=3))
    assert answers == {"shanten": 0, "useful": {0, 3}, "ukeire": 6}


def test_pymahjonggb_judges_hands_of_13_tiles() -> None:
    """Of 14 tiles the best discard decides; useful tiles held four times are kept."""
    asked: list[tuple[str, ...]] = []

    def judge(hand: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        asked.append(hand)
        return (0, ("F1", "J3")) if len(hand) == 13 and "W1" not in hand else (2, ("W1",))

    package = SimpleNamespace(KnittedStraightShanten=judge)
    ask = bound("PyMahjongGB", package, ("mcr.knitted_straight",))
    ready = Hand.parse("258p369s4447m155z", tiles=FULL)
    assert ask(ready) == {"shanten": 0, "useful": {27, 31}}
    assert " ".join(asked[0]) == "W4 W4 W4 W7 B2 B5 B8 T3 T6 T9 F1 J3 J3"
    assert ask(ready.with_one(27, 1)) == {"shanten": -1}
    assert ask(ready.with_one(0, 1)) == {"shanten": 0}
    assert ask(Hand.parse("1123m", tiles=FULL, called=3)) == {}


def test_error_of_a_package_propagates() -> None:
    def refuse(counts: object) -> int:
        raise ValueError("not today")

    with pytest.raises(ValueError, match="not today"):
        bound("shanten-tools", SimpleNamespace(shanten=refuse))(Hand.parse("11m", called=4))
