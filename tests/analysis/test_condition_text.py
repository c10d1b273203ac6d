"""The message for an accepted certificate states the value and all its conditions."""

import pytest

from mjopt import FULL, M0, Certificate, Hand, certify
from mjopt.analysis.explanation import explain
from mjopt.analysis.formats import verify_files
from mjopt.hands.tiles import Suit, TileSet

NO_CHOWS = TileSet(
    "M0 too",
    (
        Suit("m", "characters", tuple(range(1, 10)), has_chows=False),
        Suit("z", "honours", (1, 3, 4, 5), has_chows=False),
    ),
)
TWO_RANKS = TileSet(
    "few", (Suit("m", "characters", (1, 2)), Suit("p", "dots", (4, 5, 6)), *M0.suits[2:])
)
ONLY = [0] * 26 + [1]
MELDS = ("111p", "789s", "3333s")
CASES = {
    "plain": (lambda: certify(Hand.parse("1112345678999m1p")), "1112345678999m1p has"),
    "unseen": (
        lambda: certify(Hand.parse("123456789m1199p"), unseen=ONLY),
        "123456789m1199p with only 9s unseen cannot be completed",
    ),
    "nothing unseen": (
        lambda: certify(Hand.parse("1278m", called=3), unseen=[0] * 27),
        "1278m with 3 called and no tile unseen cannot be completed",
    ),
    "nearly all unseen": (
        lambda: certify(Hand.parse("12m", called=4), unseen=[1, *[4] * 26]),
        "12m with 4 called and every other tile unseen but 11m has deficiency 1",
    ),
    "melds": (
        lambda: certify(Hand.parse("1278m", melds=MELDS), unseen=[*[4] * 9, *[0] * 18]),
        "1278m with (111p) (789s) (3333s) called and only "
        "11122233334444555566667778889999m unseen has deficiency 2",
    ),
    "all tiles": (
        lambda: certify(Hand.parse("1m", called=4, tiles=FULL)),
        "1m in FULL with 4 called has deficiency 1",
    ),
    "tiles of one's own": (
        lambda: certify(Hand.parse("1278m", called=3, tiles=NO_CHOWS)),
        "1278m in the tile set 'M0 too' (1-9 of m without chows, 1 3 4 5 of z without chows; "
        "4 copies of each) with 3 called has deficiency 3",
    ),
    "a suit of two ranks": (
        lambda: certify(Hand.parse("12m", called=4, tiles=TWO_RANKS)),
        "12m in the tile set 'few' (1 2 of m without chows, 4-6 of p with chows, "
        "1-9 of s with chows; 4 copies of each) with 4 called has deficiency 1",
    ),
    "a form": (
        lambda: certify(Hand.parse("5m", called=4), forms=("seven_pairs",)),
        "5m with 4 called cannot be completed (seven_pairs)",
    ),
    "no tile held": (
        lambda: certify(Hand.parse("", called=4, partial=True)),
        "no concealed tile with 4 called has deficiency 2",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_message_states_every_condition(name, tmp_path):
    make, words = CASES[name]
    certificate = make()
    (tmp_path / "a.json").write_text(certificate.to_json())
    [result] = verify_files([tmp_path / "a.json"])
    assert result.is_accepted, result.message
    assert result.message.startswith(words)
    subject = words.partition(" has")[0].partition(" cannot")[0]
    headline = explain(certificate).headline
    assert headline.startswith(subject)
    assert ("(seven_pairs)" in headline) == ("(seven_pairs)" in words)


def test_json_states_every_condition(tmp_path):
    certificate = CASES["melds"][0]()
    (tmp_path / "a.json").write_text(certificate.to_json())
    (tmp_path / "b.json").write_text(CASES["tiles of one's own"][0]().to_json())
    melds, tiles = (r.to_document() for r in verify_files(sorted(tmp_path.iterdir())))
    assert (melds["tiles"], melds["called"], melds["melds"]) == ("M0", 3, list(MELDS))
    assert melds["unseen"] == "11122233334444555566667778889999m"
    assert tiles["tiles"].startswith("the tile set 'M0 too' (1-9 of m without chows")
    assert (tiles["called"], tiles["melds"], tiles["unseen"]) == (3, [], None)


def test_tile_set_name_cannot_imitate_the_message(tmp_path):
    """The name of a tile set is arbitrary text."""
    named = TileSet("M0\n(accepted", M0.suits[:1])
    certificate = certify(Hand.parse("12m", called=4, tiles=named))
    path = tmp_path / "a.json"
    path.write_text(certificate.to_json())
    [result] = verify_files([path])
    assert "in the tile set 'M0\\n(accepted' (1-9 of m with chows; 4 copies" in result.message
    assert Certificate.from_json(certificate.to_json()) == certificate
