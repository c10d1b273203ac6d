"""Advice where a form without melds is nearer than four melds and an eye."""

from fractions import Fraction

import pytest

from mjopt import FULL, advise
from mjopt.chances.win_chance.bounds import ONE
from mjopt.chances.win_chance.graph import SearchSpace, form_deficiencies
from mjopt.chances.win_chance.search import lower_bounds
from mjopt.hands.hand import Hand
from mjopt.hands.rules.read_forms import check_forms

NEARLY = Fraction(3, 1000)


def best_of_form(hand: Hand, name: str) -> Fraction:
    """Return the greatest lower bound for 18 draws of one form alone, at waste 1."""
    forms = check_forms(name, hand.tiles)
    [away] = form_deficiencies(hand, forms)
    space = SearchSpace(hand=hand, wall=hand.unseen, forms=forms, deficiency=away, waste=1)
    bounds = lower_bounds(space, 18)
    assert bounds is not None
    return Fraction(max(bounds.values()), ONE)


@pytest.mark.parametrize(
    ("text", "effort", "name", "least"),
    [  # with waste of the nearest form alone: .202, .283 and .216
        ("113337m22p23s3355z", "quick", "discard 7m", ".232"),
        ("3344566m22p1229s1z", "quick", "discard 1z", ".335"),
        ("34477m1155p16s333z", "quick", "discard 1s", ".282"),
        # .138 for 5m, and .092
        pytest.param(
            *("35m899p12566s5566z", "normal", "discard 1s", ".164"), marks=pytest.mark.slow
        ),
        pytest.param(
            *("48m226p34s1122345z", "normal", "discard 3z", ".131"), marks=pytest.mark.slow
        ),
    ],
)
def test_waste_counts_for_each_form_by_itself(
    text: str, effort: str, name: str, least: str
) -> None:
    best = advise(text, effort=effort).options[0]

    assert best.name == name
    assert best.at_least is not None
    assert best.at_least > Fraction(least)


@pytest.mark.parametrize("form", ["standard", "seven_pairs"])
def test_advice_is_as_good_as_for_one_form_alone(form: str) -> None:
    hand = Hand.parse("3344566m22p1229s1z", tiles=FULL)
    best = advise(hand, effort="quick").options[0]

    assert best.at_least is not None
    assert best.at_least >= best_of_form(hand, form) - NEARLY


def test_open_riichi_forms_name_their_assumptions() -> None:
    """Only those forms, and only the winds that are asked about."""
    position = "1m11p23s melds=555m,123m,%s draws=0"
    forms = ["riichi-open.red_dragon", "riichi-open.east_wind"]
    [text] = advise(position % "111z", forms=forms).assumptions
    assert text.startswith("A pong of 1z counts as a yaku")
    [text] = advise(position % "777z", forms="riichi-open").assumptions
    assert text.startswith("The called pong of dragons is a yaku")
    assert advise(position % "111z").assumptions == ()


def test_forms_within_four_melds_and_an_eye_are_left_out() -> None:
    """After a called value pong the other forms of riichi-open change no number."""
    position = "99m44p568s1z melds=123m,555z draws=2"
    every = advise(position, forms="riichi-open")
    plain = advise(position)
    assert [form.name for form in every.position.forms] == ["riichi-open.white_dragon"]
    assert [(o.kind, o.at_least, o.at_most) for o in every.options] == [
        (o.kind, o.at_least, o.at_most) for o in plain.options
    ]
