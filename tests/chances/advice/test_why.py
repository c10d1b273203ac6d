"""The sentences: every claim is true, and every text can appear."""

import random
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from chances.advice.random_positions import random_position

from mjopt import FULL, Advice, AdvisedOption, Hand, Position, advise, useful_tiles
from mjopt.chances.advice import why
from mjopt.chances.advice.estimate import Estimate
from mjopt.chances.advice.why import BREAKS, LONGEST, SEPARATOR, TEMPLATES, describe_chance, say_why
from mjopt.hands.blocks import Shape

EXAMPLES = {
    "11m123p melds=345m,678m,111z draws=1": "quick",  # a win
    "2378m345p6688s11z offered=4m draws=6": "quick",
    "22557m234p34789s3z draws=6": "quick",
    "2479m1368p159s127z draws=2": "quick",  # nothing can be won
    "222m3444m melds=111z,222z draws=3": "quick",
    "11112234m melds=111z,222z draws=3": "quick",
    "1m9p5s1z melds=345m,678m,111z draws=3 offered=1m": "quick",
    "122347m34p124s567z": "quick",  # no best option
    "222m88s225z called=2 seen=11234467788999m12455667999s244556677z draws=4": "quick",
    "455556m88p called=2 draws=2": "quick",
    "229m39p258s called=2 seen=34569m122477899p599s577z draws=4": "quick",
}

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

Claim = tuple[str, Mapping[str, object]]


def claims_of(advice: Advice, option: AdvisedOption) -> list[tuple[AdvisedOption, Claim]]:
    """Return the claims of a sentence, each with its option, and check that they are all of it."""
    groups: list[list[Claim]] = []
    wholes: list[Claim] = []

    def say(text: str, values: Mapping[str, object]) -> str:
        if text == SEPARATOR:
            groups.append([])
        elif text in (why.SENTENCE, why.ALONE, why.BESIDE_NEXT):
            wholes.append((text, values))
        else:
            groups[-1].append((text, values))
        return text % values

    sentence = say_why(advice, option, say=say)
    [(whole, values)] = wholes
    assert sentence == say_why(advice, option) == whole % values
    told = ["; ".join(text % value for text, value in group) for group in groups]
    assert all(groups)
    if option is not advice.options[0]:
        assert values == {"option": option.name, "reasons": told[0]}
        return [(option, claim) for claim in groups[0]]
    if whole == why.ALONE:
        assert values == {"reasons": told[0]}
        assert advice.best is None or option.action == "win" or len(advice.options) == 1
        return [(option, claim) for claim in groups[0]]
    following = advice.options[1]
    assert say_why(advice, option, with_next=False) == f"{told[0]}."
    assert values == {"reasons": told[0], "option": following.name, "others": told[1]}
    assert whole == why.BESIDE_NEXT
    pairs = ((option, groups[0]), (following, groups[1]))
    return [(each, claim) for each, group in pairs for claim in group]


@cache
def advice_of(text: str, effort: str) -> Advice:
    return advise(text, effort=effort)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ({"at_least": HALF, "at_most": HALF}, "50.00 %"),
        ({"at_least": THIRD, "at_most": HALF}, "at least 33.33 %"),
        ({"at_least": THIRD}, "at least 33.33 %"),
        ({"at_most": Fraction(0)}, "0.00 %"),
        ({"at_most": HALF, "estimate": Estimate(1, 4)}, "about 25 % (estimate)"),
        ({"at_most": HALF}, "not searched"),
    ],
)
def test_chance_tells_how_it_is_known(known: dict[str, Any], text: str) -> None:
    hand = Hand.parse("1m", called=4)
    option = AdvisedOption(
        action="pass",
        hand=hand,
        draws=1,
        deficiency=1,
        useful={},
        mean_draws_keeping_all=2,
        **known,
    )
    assert describe_chance(option) == text


def held_before(option: AdvisedOption) -> list[int]:
    return [held + (kind == option.kind) for kind, held in enumerate(option.hand.counts)]


def is_true(claim: Claim, advice: Advice, option: AdvisedOption) -> bool:
    """Check one claim from the rows and the hand."""
    (text, values), first, tiles = claim, advice.options[0], option.hand.tiles
    counts, after = held_before(option), option.hand.counts
    if text == why.COMPLETE:
        return option.action == "win"
    if text == why.UNWINNABLE:
        return option.at_most == 0
    if text == why.GIVES_UP:
        return first.action == "win" != option.action
    if text == why.LOOSE:
        kind = option.kind
        runs = [range(first, first + 3) for first in tiles.chow_starts]
        near = {k for run in runs if kind in run for k in run if k != kind and counts[k]}
        return values["tile"] == tiles.names[kind] and counts[kind] == 1 and not near
    if text in BREAKS.values():
        [shape] = [shape for shape, one in BREAKS.items() if one == text]
        block = str(values["block"])
        kinds = [tiles.names.index(f"{rank}{block[-1]}") for rank in block[:-1]]
        assert option.kind in kinds
        if shape in (Shape.EYE, Shape.PONG, Shape.KONG):
            return set(kinds) == {option.kind} and counts[option.kind] == len(kinds)
        steps = [later - kind for kind, later in pairwise(kinds)]
        assert steps == [1, 1] if shape is Shape.CHOW else steps in ([1], [2])
        return all(counts[kind] for kind in kinds) and not after[option.kind]
    if text == why.USEFUL:
        left = useful_tiles(option.hand, unseen=advice.position.wall, forms=advice.position.forms)
        names = [tiles.names[kind] for kind, _ in left.copies]
        more = " ..." if len(names) > LONGEST else ""
        shown = " ".join(names[:LONGEST]) + more
        return values == {"number": left.num_copies, "kinds": shown} and left.num_copies > 0
    if text == why.FEWER:
        assert option.deficiency == first.deficiency
        assert values == {"number": option.num_useful, "best": first.num_useful}
        return option.num_useful < first.num_useful
    if text == why.FARTHER:
        assert values == {"number": option.deficiency, "best": first.deficiency}
        return 1 <= first.deficiency < option.deficiency <= 14
    if text == why.LOSES:
        assert values == {"points": f"{100 * float(option.lost):.1f}"}
        return values["points"] != "0.0"
    if text == why.WORSE:
        return option.at_most is not None and option.at_most < (first.at_least or 0)
    assert text == why.EQUAL
    if advice.measure == "draws":
        return option.deficiency <= first.deficiency
    return (option.lost or 0) < 0.0005


@pytest.mark.parametrize("text", EXAMPLES)
def test_claims_about_examples_are_true(text: str) -> None:
    advice = advice_of(text, EXAMPLES[text])
    for option in advice.options:
        for each, claim in claims_of(advice, option):
            assert is_true(claim, advice, each), (option.name, claim)


def test_claims_about_random_positions_are_true() -> None:
    for seed in range(16):
        position = random_position(random.Random(seed), called=(1, 2, 3, 4))
        advice = advise(position, effort="quick")
        for option in advice.options:
            for each, claim in claims_of(advice, option):
                assert is_true(claim, advice, each), (position.to_text(), option.name, claim)


def test_every_text_can_appear() -> None:
    told = {why.SENTENCE, why.ALONE, why.BESIDE_NEXT}
    for text, effort in EXAMPLES.items():
        advice = advice_of(text, effort)
        for option in advice.options:
            told |= {text for _, (text, _) in claims_of(advice, option)}
    assert set(TEMPLATES) - {SEPARATOR} - told == set()


def test_sentences_are_plain() -> None:
    """No "1 tiles", no empty reason, a full stop at the end."""
    for text, effort in EXAMPLES.items():
        advice = advice_of(text, effort)
        for option in advice.options:
            sentence = say_why(advice, option)
            assert " 1 tiles" not in sentence
            assert sentence.endswith(".")
            assert ";;" not in sentence.replace(" ", "")


def test_best_and_second_of_the_documentation() -> None:
    advice = advice_of("22557m234p34789s3z draws=6", "quick")
    assert say_why(advice, advice.options[0]) == (
        "3z is in no run or pair; useful tiles left: 16 (2m 5m 6m 2s 5s). Next best is discard 7m: "
        "7m would break 57m, two tiles of a run; useful tiles left: 12 in place of 16; it loses "
        "about 1.8 points."
    )
    assert Position.parse("22557m234p34789s3z").hand.tiles is FULL
