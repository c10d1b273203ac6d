"""The analysis of a hand equals the package's functions and is cached."""

from pathlib import Path

import pytest

import mjopt
from mjopt.analysis.ceiling import TableKey, build_ceiling
from mjopt.analysis.explanation import explain
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import FULL
from mjopt.serve.hand_analysis import analyse, judge
from mjopt.serve.hand_form import FieldError, HandForm

HONOURS = "4569m13445788p2s4z"


def test_every_part_equals_the_public_function() -> None:
    forms = ("standard", "seven_pairs")
    hand = mjopt.Hand.parse(HONOURS)
    found = analyse(HandForm(hand=HONOURS, forms=",".join(forms)).parse())

    assert found.certificate == mjopt.certify(hand, forms=forms)
    assert found.certificate.deficiency == mjopt.deficiency(hand, forms=forms)
    assert found.explanation == explain(found.certificate)
    assert [row for row, _ in found.throws] == mjopt.rank_discards(hand, forms=forms)
    left = {after.kind: after for after in mjopt.discards(hand, forms=forms)}
    assert {after.kind: after for _, after in found.throws} == left
    near = mjopt.targets(hand, forms=forms)
    assert (found.num_targets, list(found.targets)) == (near.number, list(near)[:6])
    assert (found.wins, found.useful, found.draws) == ((), None, None)


def test_hand_before_its_draw_lists_useful_tiles() -> None:
    hand = mjopt.Hand.parse("2378m345p6688s11z")
    asked = HandForm(hand="2378m345p6688s11z", call="4m").parse()

    assert analyse(asked).useful == mjopt.useful_tiles(hand)
    assert analyse(asked).draws == mjopt.expected_draws(hand)
    assert analyse(asked).throws == ()
    assert list(judge(asked)) == mjopt.judge_calls(hand, "4m")


def test_win_lists_all_its_decompositions() -> None:
    found = analyse(HandForm(hand="11122233344455s").parse())

    assert found.wins == ("standard",)
    assert list(found.decompositions) == mjopt.decompositions("11122233344455s")


def test_seven_pairs_win_without_a_decomposition() -> None:
    found = analyse(HandForm(hand="1133557799m1133p", forms="chiitoi").parse())

    assert (found.wins, found.decompositions) == (("seven_pairs",), ())


@pytest.mark.parametrize(
    ("unseen", "wall", "draws_from"),
    [("123m456p", "", "123m456p"), ("123m456p", "122m", "122m"), ("", "44p", "44p")],
)
def test_unseen_tiles_default_to_the_wall(unseen: str, wall: str, draws_from: str) -> None:
    text = "1112345678999m"
    found = analyse(HandForm(hand=text, unseen=unseen, wall=wall, tiles="m0").parse())

    assert found.draws == mjopt.expected_draws(text, wall=draws_from)
    assert found.useful == mjopt.useful_tiles(text, unseen=unseen or None)


def test_offered_discard_is_not_in_the_wall() -> None:
    hand = mjopt.Hand.parse("2378m345p6688s11z")
    gone = tuple(copies - (kind == 3) for kind, copies in enumerate(hand.unseen))
    for left in (hand.unseen, gone):
        unseen = get_notation("mpsz").write(left, (0,) * 34, FULL)
        asked = HandForm(hand=hand.to_text(), unseen=unseen, call="4m").parse()

        assert list(judge(asked)) == mjopt.judge_calls(hand, "4m", wall=gone)


def test_equivalent_queries_share_a_cache_entry() -> None:
    first = analyse(HandForm(hand="1112345678999m1p").parse())
    again = HandForm(hand="C1C1C1C2C3C4C5C6C7C8C9C9C9D1", notation="paper", tiles="m0").parse()

    assert analyse(again) is first


def test_call_after_the_draw_is_refused() -> None:
    with pytest.raises(FieldError, match="before its draw") as refused:
        judge(HandForm(hand="1112345678999m1p", call="2m").parse())
    assert refused.value.field == "call"


def test_discards_are_ranked_by_ceiling_where_a_table_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = TableKey(called=3)
    table = build_ceiling(tmp_path / key.file_name, key=key)
    monkeypatch.setenv("MJOPT_DATA", str(tmp_path))
    expected = mjopt.ceiling("2377m9p", called=3, table=table)
    found = analyse(HandForm(hand="2377m9p", called="3").parse())
    seen = analyse(HandForm(hand="2377m9p", called="3", wall="1234m").parse())

    assert [row.kind for row, _ in found.throws] == [row.kind for row in expected.discards]
    assert found.ceilings == {row.kind: row.value for row in expected.discards}
    assert not seen.ceilings
