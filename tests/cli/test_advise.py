"""`mjopt advise`: its table, its document, and hands for which other measures mislead."""

import pytest
from cli.conftest import Call

import mjopt as package
from mjopt import Position

CALL = "2378m345p6688s11z"


def test_document_is_that_of_the_call_in_python(mjopt: Call) -> None:
    words = (CALL, "--offered", "4m", "--draws", "6", "--seen", "11m")
    document = mjopt("advise", *words, "--json").json
    advice = package.advise(f"{CALL} offered=4m draws=6 seen=11m")
    assert {**advice.to_document(), "why": document["why"]} == document
    assert Position.parse(document["position"]) == advice.position
    assert document["best"] == "chow 234m, discard 8s"
    assert len(document["why"]) == 1
    assert mjopt("advise", f"{CALL} seen=11m offered=4m draws=6", "--json").json == document
    assert mjopt("advise", "-", "--json", stdin=f"{document['position']}\n").json == document


def test_table_has_every_option_and_says_what_is_ignored(mjopt: Call) -> None:
    ran = mjopt("advise", "11m123p", "--meld", "123s", "--meld", "456s", "--meld", "789s")
    for text in ("win", "discard 1m", "discard 3p", "deficiency", "The hand is complete."):
        assert text in ran.out
    assert "Yaku, points, danger, wins on discards and later calls are ignored." in ran.out
    assert "11m123p melds=123s,456s,789s" in ran.out


def test_nothing_is_advised_without_draws(mjopt: Call) -> None:
    ran = mjopt("advise", "122347m34p124s567z", "--draws", "0")
    assert "Nothing can be won by own draws." in ran.out
    assert "Searched" not in ran.out
    document = mjopt("advise", "122347m34p124s567z", "--draws", "0", "--json").json
    assert (document["best"], document["measure"]) == (None, "nothing")


def test_barred_discards_are_named_and_left_out(mjopt: Call) -> None:
    words = ("1456m67p11678s barred=1m4m", "--meld", "234m", "--draws", "3")
    ran = mjopt("advise", *words)
    assert "Must not be discarded right after the call: 1m 4m." in ran.out
    assert "discard 1m" not in ran.out
    document = mjopt("advise", *words, "--json").json
    assert document["position"] == "1456m67p11678s melds=234m draws=3 barred=1m4m"
    assert not {"1m", "4m"} & {row["discard"] for row in document["options"]}


def test_not_searched_is_no_zero(mjopt: Call) -> None:
    ran = mjopt("advise", "1479m1479p147s127z", "--draws", "7")
    assert "not searched" in ran.out
    assert "estimate" in ran.out
    assert "Searched" not in ran.out


@pytest.mark.parametrize(
    ("words", "best", "least"),
    [
        (("122347m34p124s567z",), {"discard 5z", "discard 6z", "discard 7z"}, 0.199),
        (("1234456m358p1246s",), {"discard 1s"}, 0.341),
        ((CALL, "--offered", "4m"), {"chow 234m, discard 8s"}, 0.439),
    ],
)
def test_best_option_of_misleading_hands(
    mjopt: Call, words: tuple[str, ...], best: set[str], least: float
) -> None:
    """At waste 0 the first is 7m with .0947 and the second 8p with .2489; draws say to pass."""
    document = mjopt("advise", *words, "--json").json
    assert document["best"] in best
    assert document["options"][0]["at_least_float"] >= least


def test_step_back_wins_in_spite_of_its_deficiency(mjopt: Call) -> None:
    document = mjopt("advise", "1345588m145p12s15z", "--json").json
    chances = {row["discard"]: row["at_least_float"] for row in document["options"]}
    assert chances["1s"] > 0.18


def test_only_that_an_option_is_worse_is_called_proven(mjopt: Call) -> None:
    ran = mjopt("advise", "123456m789p1146s1z", "--draws", "6")
    document = package.advise("123456m789p1146s1z draws=6").to_document()
    assert "lost, about" in ran.out
    for row in document["options"][1:]:
        assert row["is_lost_proven"]
        assert f"{100 * row['lost_float']:.1f} (proven worse)" in ran.out


def test_danger_stands_beside_the_chance(mjopt: Call) -> None:
    hand, opponent = "445m34677p2346s55z draws=3", "discards=19m4z7s ready=yes"
    ran = mjopt("advise", hand, "--opponent", opponent)
    found = package.danger(hand, opponent)
    for row in found.discards:
        assert any(
            f"discard {row.name}" in line and row.text in line for line in ran.out.splitlines()
        )
    assert "The ranking ignores danger, which stands beside it" in ran.out
    document = mjopt("advise", hand, "--opponent", opponent, "--prior", "uniform", "--json").json
    assert document["danger"] == package.danger(hand, opponent, prior="uniform").to_document()
    plain = mjopt("advise", hand, "--json").json
    assert plain == {key: value for key, value in document.items() if key != "danger"}


def test_wrong_opponent_is_one_line(mjopt: Call) -> None:
    ran = mjopt("advise", "445m34677p2346s55z", "--opponent", "discards=5x")
    assert ran.status == 2
    assert "opponent 1" in ran.err


def test_prior_without_an_opponent_is_one_line(mjopt: Call) -> None:
    ran = mjopt("advise", "445m34677p2346s55z", "--prior", "uniform")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "mjopt: --prior goes with --opponent\n"
