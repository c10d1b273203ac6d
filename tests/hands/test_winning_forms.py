"""Special winning forms, and limited unseen tiles."""

import pytest

from mjopt import FULL, M0, UNREACHABLE, Hand, deficiency, is_win
from mjopt.errors import HandError


def full(text: str, **options: object) -> Hand:
    return Hand.parse(text, tiles=FULL, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("1122334455667m8p", "seven_pairs", 1),
        ("11223344556677m", "seven_pairs", 0),
        ("11112233445566m", "seven_pairs", 2),  # four of a kind is not two pairs
        ("11112222333344m", "seven_pairs", 6),
        ("19m19p19s12345677z", "thirteen_orphans", 0),
        ("19m19p19s1234567z", "thirteen_orphans", 1),
        ("1119m19p19s123456z", "thirteen_orphans", 1),
        ("2345678m2345678p", "thirteen_orphans", 14),
    ],
)
def test_known_deficiency_by_form(text: str, form: str, expected: int) -> None:
    hand = full(text)
    assert deficiency(hand, forms=(form,)) == expected
    assert is_win(hand, forms=(form,)) == (expected == 0)
    assert deficiency(hand, forms=("standard", form)) == min(expected, deficiency(hand))


def test_only_the_standard_form_is_the_default() -> None:
    hand = full("1133557799m1133p")
    assert deficiency(hand, forms=("seven_pairs",)) == 0
    assert deficiency(hand) > 0
    assert not is_win(hand)


def test_called_melds_exclude_special_forms() -> None:
    hand = full("11223344556m", called=1)
    assert deficiency(hand, forms=("seven_pairs",)) == UNREACHABLE
    assert deficiency(hand, forms=("seven_pairs", "thirteen_orphans")) == UNREACHABLE
    assert deficiency(hand, forms=("standard", "seven_pairs")) == deficiency(hand)


def test_limited_unseen_tiles_raise_the_deficiency() -> None:
    hand = full("1122334455667m8p")
    none, seven = [0] * 34, [0] * 34
    seven[6] = 1
    assert deficiency(hand, forms=("seven_pairs",), unseen=none) == UNREACHABLE
    assert deficiency(hand, forms=("seven_pairs",), unseen=seven) == 1
    wait = full("19m19p19s1234567z")
    one_left = [0] * 34
    one_left[33] = 1
    assert deficiency(wait, forms=("thirteen_orphans",), unseen=one_left) == 1
    assert deficiency(wait, forms=("thirteen_orphans",), unseen=none) == UNREACHABLE


def test_bad_forms_are_refused() -> None:
    hand = Hand.parse("1112345678999m1p")
    with pytest.raises(HandError, match="forms 'pairs': unknown, expected one of standard"):
        deficiency(hand, forms=("pairs",))
    with pytest.raises(HandError, match="M0 has 6"):
        deficiency(hand, forms=("thirteen_orphans",))
    with pytest.raises(HandError, match="no form given"):
        deficiency(hand, forms=())
    assert M0 is hand.tiles
