"""The analysis of a hand equals the package's functions and is cached."""

import pytest

import mjopt
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import FULL
from mjopt.play.serve.hand_analysis import analyse
from mjopt.play.serve.hand_form import HandForm

HONOURS = "4569m13445788p2s4z"
ALL = ("standard", "seven_pairs", "thirteen_orphans")


def test_every_part_equals_the_public_function() -> None:
    forms = ("standard", "seven_pairs")
    hand = mjopt.Hand.parse(HONOURS)
    found = analyse(HandForm(hand=HONOURS, forms=",".join(forms)).parse())

    assert found.deficiency == mjopt.deficiency(hand, forms=forms)
    assert dict(found.distances) == {form: mjopt.deficiency(hand, forms=(form,)) for form in forms}
    assert list(found.discards) == mjopt.discards(hand, forms=forms)
    near = mjopt.targets(hand, forms=forms)
    assert found.num_targets == near.number
    chances = [chance for _, chance in found.targets]
    assert chances == sorted(chances, reverse=True)
    assert {target for target, _ in found.targets} <= {*near}
    assert (found.wins, found.useful) == ((), None)


def test_hand_before_its_draw_lists_useful_tiles() -> None:
    hand = mjopt.Hand.parse("2378m345p6688s11z")
    asked = HandForm(hand="2378m345p6688s11z", offered="4m").parse()

    assert analyse(asked).useful == mjopt.useful_tiles(
        hand, unseen=asked.hand_query.unseen, forms=ALL
    )
    assert analyse(asked).discards == ()


def test_win_lists_all_its_decompositions() -> None:
    found = analyse(HandForm(hand="11122233344455s").parse())

    assert found.wins == ("standard",)
    assert list(found.decompositions) == mjopt.decompositions(
        mjopt.Hand.parse("11122233344455s", tiles="136")
    )


def test_seven_pairs_win_without_a_decomposition() -> None:
    found = analyse(HandForm(hand="1133557799m1133p").parse())

    assert (found.wins, found.decompositions) == (("seven_pairs",), ())


def test_called_melds_leave_the_standard_form() -> None:
    found = analyse(HandForm(hand="23m67p44s1z", melds="345m 777z").parse())

    assert list(found.distances) == ["standard"]


@pytest.mark.parametrize(
    ("unseen", "seen", "left"), [("123m456p", "", "123m456p"), ("122m7s", "2m7s", "12m")]
)
def test_tiles_come_from_the_unseen_ones(unseen: str, seen: str, left: str) -> None:
    text, forms = "1112345678999m", ("standard", "seven_pairs")
    query = HandForm(hand=text, unseen=unseen, seen=seen, tiles="m0").parse()
    found = analyse(query)

    assert query.hand_query.unseen == mjopt.Hand.parse(left, tiles="m0", partial=True).counts
    assert found.useful == mjopt.useful_tiles(text, unseen=left, forms=forms)


def test_offered_discard_is_not_in_the_wall() -> None:
    hand = mjopt.Hand.parse("2378m345p6688s11z")
    gone = tuple(copies - (kind == 3) for kind, copies in enumerate(hand.unseen))
    for left in (hand.unseen, gone):
        unseen = get_notation("mpsz").write(left, (0,) * 34, FULL)
        asked = HandForm(hand=hand.to_text(), unseen=unseen, offered="4m").parse()

        assert asked.position == mjopt.Position.parse(f"{hand.to_text()} offered=4m")
        assert asked.hand_query.unseen == gone


def test_equivalent_queries_share_a_cache_entry() -> None:
    first = analyse(HandForm(hand="1112345678999m1p", tiles="m0").parse())
    again = HandForm(hand="C1C1C1C2C3C4C5C6C7C8C9C9C9D1", tiles="108").parse()

    assert analyse(again) is first


def test_partial_hand_has_no_list_of_complete_hands() -> None:
    assert analyse(HandForm(hand="1m").parse()).num_targets == 0
