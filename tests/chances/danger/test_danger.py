"""`mjopt.danger`: verdicts, shares, several opponents, and input that is refused."""

from fractions import Fraction
from math import prod
from pathlib import Path

import pytest

import mjopt
from mjopt import Opponent, Position
from mjopt.chances.danger.danger import FURITEN, IF_READY, INDEPENDENT_HANDS
from mjopt.errors import ArgumentError, HandError, MjoptError, TileError

HAND = "123m406p123789s11z"
RIICHI = "discards=19m4z passed=7s ready=yes"


def test_shares_are_weighted_numbers_of_hands() -> None:
    found = mjopt.danger(HAND, RIICHI)
    [row] = found.opponents
    weights = found.prior.weights
    assert found.kinds == row.kinds
    assert row.ready == sum(row.by_wait.values())
    uniform = mjopt.danger(HAND, RIICHI, prior="uniform")
    for kind, other in zip(found.kinds, uniform.kinds, strict=True):
        assert other.share == Fraction(other.hands, row.ready)
        assert (kind.hands, kind.verdict) == (other.hands, other.verdict)
    only = {wait: Fraction(1, 10**6) for wait in weights} | {"no_melds": 1}
    pairs = mjopt.danger(HAND, RIICHI, prior=mjopt.Prior(name="pairs", weights=only))
    alone = mjopt.danger(HAND, RIICHI, forms="seven_pairs,thirteen_orphans")
    assert pairs.of("5z").share_float == pytest.approx(alone.of("5z").share_float, rel=0.05)


def test_kinds_discarded_or_let_pass_are_safe_by_rule() -> None:
    found = mjopt.danger(HAND, RIICHI)
    safe = [row.name for row in found.kinds if row.verdict == "safe by rule"]
    assert safe == ["1m", "9m", "7s", "4z"]
    assert {(row.hands, row.share, row.text) for row in found.kinds if row.name in safe} == {
        (0, 0, "safe by rule")
    }


def test_zero_is_proved_and_no_small_share_looks_like_it() -> None:
    """An honour of which all other copies are seen completes only thirteen orphans."""
    seen = "111z9999m" + "11m"
    found = mjopt.danger("123m406p123789s1z5z", "ready=yes", seen=seen)
    proved = found.of("1z")
    assert (proved.verdict, proved.hands, proved.share) == ("proved safe", 0, 0)
    assert found.discards[0] == proved
    found = mjopt.danger("123m406p123789s1z5z", "ready=yes", seen="111z")
    orphans = found.of("1z")
    assert orphans.hands
    assert 0 < orphans.share < Fraction(1, 1000)
    assert (orphans.verdict, orphans.text) == ("possible", "under 2 %")


def test_discards_are_sorted_by_danger() -> None:
    found = mjopt.danger(HAND, RIICHI)
    shares = [row.share for row in found.discards]
    assert shares == sorted(shares)
    assert {row.name for row in found.discards} == {
        name
        for name, held in zip(mjopt.FULL.names, found.position.hand.counts, strict=True)
        if held
    }


def test_at_least_one_of_several_opponents_wins() -> None:
    words = [RIICHI, "melds=234p,777z discards=2s", "melds=1111z ready=yes"]
    words[2] = "melds=2222z ready=yes"
    both = mjopt.danger(HAND, words)
    for kind in both.kinds:
        each = [opponent.kinds[kind.kind] for opponent in both.opponents]
        assert kind.share == 1 - prod(1 - row.share for row in each)
        assert kind.hands is None
    assert both.is_conditional
    assert IF_READY in both.assumptions
    assert INDEPENDENT_HANDS in both.assumptions
    alone = mjopt.danger(HAND, RIICHI)
    assert not alone.is_conditional
    assert {IF_READY, INDEPENDENT_HANDS}.isdisjoint(alone.assumptions)
    assert FURITEN in alone.assumptions
    assert mjopt.danger(HAND, [RIICHI, RIICHI]).of("1m").text == "safe by rule"


def test_melds_and_discards_are_seen() -> None:
    """Alone they are all that is seen; beside other tiles seen they must be among them."""
    words = "melds=777z discards=19m4z ready=yes"
    alone = mjopt.danger(HAND, words)
    known = mjopt.danger(HAND, words, seen="77719z19m4z".replace("19z", "z"))
    assert alone.kinds == known.kinds
    more = mjopt.danger(HAND, words, seen="777z19m4z5555s")
    assert more.opponents[0].ready < alone.opponents[0].ready


def test_a_tile_on_offer_is_one_of_the_discards() -> None:
    position = Position.parse("123m406p123789s1z offered=4z")
    with_offer = mjopt.danger(position, "discards=4z ready=yes")
    as_seen = mjopt.danger("123m406p123789s1z", "discards=4z ready=yes")
    assert with_offer.kinds == as_seen.kinds


def test_melds_as_blocks_and_kinds_as_numbers() -> None:
    text = mjopt.danger(HAND, "melds=234p,7777z discards=9m4z passed=7s called=2")
    melds = [mjopt.Block((10, 11, 12), "chow"), "7777z"]
    made = Opponent(melds=melds, discards=[8, "4z"], passed=["7s"])
    assert mjopt.danger(HAND, made) == text


def test_numbers_of_melds_without_tiles() -> None:
    found = mjopt.danger(HAND, Opponent(called=4, is_ready=True))
    assert sum(row.hands for row in found.kinds) == found.opponents[0].ready
    assert found.of("1m").hands == 3


def test_no_ready_hand_is_said() -> None:
    """Under rules that want one suit, melds of two suits make no ready hand."""
    position = Position.parse("123m406p123789s11z", rules="full-flush")
    found = mjopt.danger(position, ["melds=222p,222s discards=1m"])
    assert found.opponents[0].ready == 0
    assert {(row.text, row.share) for row in found.kinds} == {
        ("safe by rule", None),
        ("no hand is ready", None),
    }
    both = mjopt.danger(position, ["melds=222p,222s discards=1m", "melds=333p"])
    assert both.of("5p").share == both.opponents[1].kinds[both.of("5p").kind].share
    assert both.of("1m").verdict == "proved safe"
    assert mjopt.danger(position, ["melds=222p,222s"] * 1 + ["melds=444p,444s"]).of("5p").text == (
        "no hand is ready"
    )


@pytest.mark.parametrize(
    ("rules", "hand", "opponent"),
    [
        ("taiwan", "123456m406p123789s1z", "melds=777z discards=9s"),
        ("sanma", "19m406p123789s112z", "melds=9999p discards=1m"),
        ("sichuan", "123m456789p1234s9m", "melds=777m"),
        ("mcr", "123m406p123789s11z", "discards=9m"),
    ],
)
def test_other_rules_name_the_games_of_the_prior(rules: str, hand: str, opponent: str) -> None:
    found = mjopt.danger(Position.parse(hand, rules=rules), opponent)
    assert found.opponents[0].ready > 0
    assert found.assumptions[0].startswith("riichi-2022: fitted to other rules, players in riichi")
    uniform = mjopt.danger(Position.parse(hand, rules=rules), opponent, prior="uniform")
    assert uniform.assumptions[0] == "uniform: weights that were fitted to no games"


def test_forms_of_opponents_do_not_depend_on_melds_of_the_player() -> None:
    called = mjopt.danger("406p123789s11z melds=123m seen=9m", "ready=yes")
    alone = mjopt.danger(HAND, "ready=yes", seen="9m")
    assert called.kinds == alone.kinds
    standard = mjopt.danger(HAND, "ready=yes", seen="9m", forms="standard")
    assert standard.opponents[0].by_wait["no_melds"] == 0


@pytest.mark.parametrize(
    ("error", "words", "message"),
    [
        (TileError, {"seen": "1111z"}, "seen: 4 of 1z, but only 2 can be elsewhere"),
        (TileError, {"seen": "11111m"}, "a fifth 1m, expected at most 4"),
        (TileError, {"opponents": "discards=11z1z"}, "3 copies of 1z in melds and discards"),
        (TileError, {"opponents": "melds=5555p"}, "4 copies of 5p in melds and discards, 1 else"),
        (TileError, {"opponents": "discards=5m", "seen": "1z"}, "1 copies of 5m discarded, but 0"),
        (TileError, {"opponents": "melds=555m", "seen": "5m"}, "3 copies of 5m in melds, but 1"),
        (
            HandError,
            {"opponents": "melds=222z,333z,444z,555z,666z"},
            "opponent 1: melds: 5 called melds, expected 0..4",
        ),
        (HandError, {"opponents": ["", "melds=12m"]}, "opponent 2: melds: called meld '12m'"),
        (HandError, {"opponents": Opponent(called=-1)}, "opponent 1: called: -1 called melds"),
        (ArgumentError, {"opponents": "called=-1"}, "opponent 1: called: '-1', expected 0 to 99"),
        (ArgumentError, {"opponents": "riichi"}, "opponent 1: 'riichi', expected words such as"),
        (ArgumentError, {"opponents": "read=yes"}, "opponent 1: 'read', expected melds, called,"),
        (ArgumentError, {"opponents": "ready=now"}, "ready: 'now', expected yes or no"),
        (TileError, {"opponents": "discards=1x"}, "opponent 1: discards: 'x' at character 2"),
        (TileError, {"opponents": Opponent(passed=[34])}, "opponent 1: passed: no tile 34"),
        (TileError, {"opponents": Opponent(discards=[0] * 5)}, "discards: 5 copies of 1m"),
        (ArgumentError, {"opponents": []}, "opponents: none, expected at least one"),
        (
            ArgumentError,
            {"prior": "flat"},
            "prior 'flat': unknown, expected one of uniform, riichi",
        ),
        (TileError, {"wall": [-1] + [4] * 33}, "wall: -1 copies of 1m"),
    ],
)
def test_wrong_input_is_one_line(error: type[MjoptError], words: dict, message: str) -> None:
    with pytest.raises(error) as refused:
        mjopt.danger(HAND, **{"opponents": "ready=yes"} | words)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_wrong_types_are_refused() -> None:
    for wrong in (3, [3], [None]):
        with pytest.raises(TypeError):
            mjopt.danger(HAND, wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="seen: given together with a Position"):
        mjopt.danger(Position.parse(HAND), "", seen="1m")


def test_jokers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "laizi.toml"
    path.write_text(
        'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1\n'
    )
    hand = mjopt.Hand.parse(HAND, rules=path)
    with pytest.raises(HandError, match="laizi: ready hands are not counted with jokers"):
        mjopt.danger(hand, "")


def test_document_has_exact_numbers_as_text() -> None:
    found = mjopt.danger(HAND, RIICHI)
    document = found.to_document()
    assert [Fraction(row["share"]) for row in document["kinds"]] == [k.share for k in found.kinds]
    assert int(document["opponents"][0]["ready"]) == found.opponents[0].ready
    assert document["discards"][0] == "1m"
