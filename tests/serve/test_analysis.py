"""The analysis of a hand is what the package answers, asked once."""

from threading import Event

import pytest

import mjopt
from mjopt.answers.explanation import explain
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import FULL, M0
from mjopt.serve import analysis
from mjopt.serve.analysis import FieldError, Written, certificate_files

HONOURS = "4569m13445788p2s4z"


def test_every_part_is_the_answer_of_the_public_function() -> None:
    forms = ("standard", "seven_pairs")
    hand = mjopt.Hand.parse(HONOURS)
    found = Written(hand=HONOURS, forms=",".join(forms)).read().analysis()

    assert found.certificate == mjopt.certify(hand, forms=forms)
    assert found.certificate.deficiency == mjopt.deficiency(hand, forms=forms)
    assert found.explanation == explain(found.certificate)
    assert [row for row, _ in found.throws] == mjopt.rank_discards(hand, forms=forms)
    left = {after.kind: after for after in mjopt.discards(hand, forms=forms)}
    assert {after.kind: after for _, after in found.throws} == left
    near = mjopt.targets(hand, forms=forms)
    assert (found.num_targets, list(found.targets)) == (near.number, list(near)[:6])
    assert (found.wins, found.useful, found.draws) == ((), None, None)


def test_a_hand_before_its_draw_shows_what_helps() -> None:
    hand = mjopt.Hand.parse("2378m345p6688s11z")
    asked = Written(hand="2378m345p6688s11z", call="4m").read()

    assert asked.analysis().useful == mjopt.useful_tiles(hand)
    assert asked.analysis().draws == mjopt.expected_draws(hand)
    assert asked.analysis().throws == ()
    assert list(asked.calls()) == mjopt.judge_calls(hand, "4m")


def test_a_win_falls_into_all_its_decompositions() -> None:
    found = Written(hand="11122233344455s").read().analysis()

    assert found.wins == ("standard",)
    assert list(found.decompositions) == mjopt.decompositions("11122233344455s")


def test_seven_pairs_win_without_a_decomposition() -> None:
    found = Written(hand="1133557799m1133p", forms="chiitoi").read().analysis()

    assert (found.wins, found.decompositions) == (("seven_pairs",), ())


@pytest.mark.parametrize(
    ("unseen", "wall", "draws_from"),
    [("123m456p", "", "123m456p"), ("123m456p", "122m", "122m"), ("", "44p", "44p")],
)
def test_unseen_tiles_are_the_wall_unless_it_is_told(
    unseen: str, wall: str, draws_from: str
) -> None:
    text = "1112345678999m"
    found = Written(hand=text, unseen=unseen, wall=wall, tiles="m0").read().analysis()

    assert found.draws == mjopt.expected_draws(text, wall=draws_from)
    assert found.useful == mjopt.useful_tiles(text, unseen=unseen or None)


def test_a_tile_that_another_discards_is_no_longer_in_the_wall() -> None:
    hand = mjopt.Hand.parse("2378m345p6688s11z")
    gone = tuple(copies - (kind == 3) for kind, copies in enumerate(hand.unseen))
    for left in (hand.unseen, gone):
        unseen = get_notation("mpsz").write(left, (0,) * 34, FULL)
        asked = Written(hand=hand.to_text(), unseen=unseen, call="4m").read()

        assert list(asked.calls()) == mjopt.judge_calls(hand, "4m", wall=gone)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (Written(hand="1112345678999m1p"), "M0"),
        (Written(hand="1112345678999m1z"), "FULL"),
        (Written(hand="1112345678999m", call="1z"), "FULL"),
        (Written(hand="1112345678999m", unseen="1z"), "FULL"),
        (Written(hand="1112345678999m", forms="riichi"), "FULL"),
        (Written(hand="1m", melds="111z 222p"), "FULL"),
        (Written(hand="1112345678999m", tiles="full"), "FULL"),
    ],
)
def test_the_tile_set_is_what_the_fields_say_together(written: Written, name: str) -> None:
    assert written.read().question.hand.tiles.name == name


def test_the_same_question_in_other_words_is_asked_once() -> None:
    first = Written(hand="1112345678999m1p").read().analysis()
    again = Written(hand="C1C1C1C2C3C4C5C6C7C8C9C9C9D1", notation="paper", tiles="m0").read()

    assert again.analysis() is first


def test_what_is_remembered_is_bounded() -> None:
    assert analysis._analysed.cache_info().maxsize == analysis.KEPT
    assert analysis._judged.cache_info().maxsize == analysis.KEPT


@pytest.mark.parametrize(
    ("field", "written"),
    [
        ("hand", Written(hand="12x")),
        ("hand", Written(hand="123")),
        ("hand", Written(hand="11111m")),
        ("hand", Written(hand="123456789m123456p")),
        ("hand", Written(hand="1" * 1001)),
        ("hand", Written(hand="1z", tiles="m0")),
        ("notation", Written(hand="1m", notation="tenhou")),
        ("melds", Written(hand="1m", melds="124m")),
        ("melds", Written(hand="1m", melds="111m 111p 111s 111z 222z")),
        ("called", Written(hand="1m", melds="111p", called="2")),
        ("called", Written(hand="1m", called="²")),
        ("unseen", Written(hand="1m", unseen="?")),
        ("wall", Written(hand="1111m", wall="1m")),
        ("tiles", Written(hand="1m", tiles="144")),
        ("forms", Written(hand="1m", forms="nine_gates")),
        ("forms", Written(hand="1m", forms="kokushi", tiles="m0")),
        ("call", Written(hand="1112345678999m", call="12m")),
    ],
)
def test_a_refusal_names_the_field_in_one_line(field: str, written: Written) -> None:
    with pytest.raises(FieldError) as refused:
        written.read()

    assert refused.value.field == field
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_refusal_says_what_to_choose() -> None:
    with pytest.raises(FieldError, match="reads as paper: choose notation paper$"):
        Written(hand="B1B2B3B3B3B8B8B8C4C5C6D6D7D8").read()


def test_a_call_cannot_be_judged_after_the_draw() -> None:
    with pytest.raises(FieldError, match="before its draw") as refused:
        Written(hand="1112345678999m1p", call="2m").read().calls()
    assert refused.value.field == "call"


@pytest.mark.parametrize(
    ("before", "add", "remove", "after"),
    [
        ("", "5m", "", "5m"),
        ("123m", "0m1z", "", "1230m1z"),
        ("1230m1z", "", "5m", "123m1z"),
        ("1250m", "", "5m", "120m"),
        ("1250m", "", "0m", "125m"),
        ("123m1z", "", "last", "123m"),
        ("123m", "", "9p", "123m"),
        ("", "", "last", ""),
    ],
)
def test_tiles_are_added_and_taken_out(before: str, add: str, remove: str, after: str) -> None:
    assert Written(hand=before).changed(add=add, remove=remove).hand == after


@pytest.mark.parametrize("notation", mjopt.NOTATIONS)
def test_tiles_are_added_in_every_notation(notation: str) -> None:
    text = mjopt.Hand.parse("123m456p", partial=True).to_text(notation)
    changed = Written(hand=text, notation=notation).changed(add="9s")

    assert changed.read().question.hand.to_text() == "123m456p9s"


@pytest.mark.parametrize(("hand", "add"), [("1111m", "1m"), ("1x", "1m"), ("1m", "1q")])
def test_what_cannot_be_added_is_refused(hand: str, add: str) -> None:
    with pytest.raises(FieldError):
        Written(hand=hand).changed(add=add)


def test_a_notation_without_honours_takes_none() -> None:
    with pytest.raises(FieldError, match="no sign in notation paper"):
        Written(hand="B1", notation="paper").changed(add="1z")


@pytest.mark.parametrize("tiles", [M0, FULL])
def test_certificates_of_every_form_and_format_can_be_written(tiles: mjopt.TileSet) -> None:
    forms = [form for form in mjopt.FORMS if tiles is FULL or form != "thirteen_orphans"]
    for form in forms:
        found = Written(hand="19m19p19s", tiles=tiles.key, forms=form).read().analysis()
        files = [certificate_files(found.certificate, each) for each in ("json", "vipr", "opb")]

        assert [list(each) for each in files] == [["json"], ["vipr"], ["opb", "pbp"]]


def test_who_warms_up_says_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    done = Event()
    monkeypatch.setattr(analysis, "is_warm", done)
    analysis.warm()

    assert done.is_set()
