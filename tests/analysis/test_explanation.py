"""The explanation of a proof: its numbers agree with brute force."""

import dataclasses
import random
import re

import pytest
from helpers.support import AWKWARD, hands, limits
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt import FULL, M0, UNREACHABLE, Hand, certify
from mjopt.analysis.explanation import explain
from mjopt.analysis.suit_shares import cheapest_shares, suit_costs
from mjopt.errors import CertificateError
from mjopt.models import brute_force


@settings(max_examples=40)
@given(st.data())
def test_minimum_over_shares_is_the_deficiency(data):
    hand = data.draw(hands())
    unseen = data.draw(limits(hand)) or hand.unseen
    cap = tuple(min(pair) for pair in zip(unseen, hand.unseen, strict=True))

    shares = cheapest_shares(hand, cap)

    least = brute_force.deficiency(hand, unseen=cap)
    assert shares.least == (None if least == UNREACHABLE else least)
    if shares.best:
        assert sum(m for m, _ in shares.best) == hand.melds_needed
        assert sum(e for _, e in shares.best) == 1
        paid = zip(shares.costs, shares.best, strict=True)
        assert sum(costs[share] for costs, share in paid) == least


def test_suit_costs_match_brute_force():
    hand = Hand.parse("1255m7p123456789s", partial=True)
    rng = random.Random(2)
    cap = tuple(rng.randint(0, left) for left in hand.unseen)
    for i, suit in enumerate(M0.suits):
        costs = suit_costs(hand, cap, i)
        held, left = hand.counts[M0.slices[i]], cap[M0.slices[i]]
        for share, choices in brute_force.suit_choices(suit).items():
            prices = [
                sum(max(0, w - h) for w, h in zip(want, held, strict=True))
                for want in choices.tolist()
                if all(w <= h + u for w, h, u in zip(want, held, left, strict=True))
            ]
            assert costs.get(share) == (min(prices) if prices else None)


@pytest.mark.parametrize("known", AWKWARD, ids=lambda known: known.text)
def test_awkward_hands_are_explained(known):
    cert = certify(known.hand)
    found = explain(cert)
    assert f"deficiency {known.deficiency}" in found.headline
    if known.deficiency:
        assert f"miss {known.deficiency} or more" in found.text
        missing = re.findall(r"missing (.*)", "\n".join(found.target))
        assert sum(len(words.split()) for words in missing) == known.deficiency
    else:
        assert found.reasons == ()


def test_unreachable_hand_is_explained():
    text = explain(certify(Hand.parse("123m456m789m1239p"), unseen=[0] * 27)).text
    assert "cannot complete it" in text
    assert "No tile at all can arrive." in text
    assert "All 45 ways to share them need more of some suit than it can make." in text


def test_dead_tiles_are_explained():
    unseen = [0, *[4] * 26]
    text = explain(certify(Hand.parse("12m", called=4), unseen=unseen)).text
    assert "No copy can arrive of 1m." in text
    assert "Draw 2m; 1m is not used." in text
    assert "12m with 4 called and every other tile unseen but 111m: 1 tile" in text


def test_several_forms_are_explained():
    hand = Hand.parse("1122334455667m8p")
    text = explain(certify(hand, forms=("standard", "seven_pairs"))).text
    assert "Why not fewer than 1 as seven pairs" in text
    assert "6 are held twice, 2 lack one tile and 19 lack two." in text
    pairs = explain(certify(hand, forms=("seven_pairs",), unseen=[0] * 27)).text
    assert "Only 6 kinds can become a pair." in pairs
    called = explain(certify(Hand.parse("12m", called=4), forms=("seven_pairs",))).text
    assert "The form has no called melds." in called


@pytest.mark.parametrize(
    ("text", "unseen", "words"),
    [
        ("19m19p199s122334z5m", None, ["Missing at all: 5z 6z 7z", "3 tiles short in all"]),
        ("19m19p19s1234567z", None, ["None is held twice: 1 short in all"]),
        ("19m19p19s1234567z", [0] * 34, ["A second copy of any of them cannot be had"]),
        ("19m19p19s1234566z", [0] * 34, ["No copy can be had of 7z"]),
    ],
)
def test_thirteen_orphans_are_explained(text, unseen, words):
    hand = Hand.parse(text, tiles=FULL)
    found = explain(certify(hand, forms=("thirteen_orphans",), unseen=unseen)).text
    assert all(part in found for part in words), found


def test_false_certificate_is_not_explained():
    cert = certify(Hand.parse("12m", called=4))
    with pytest.raises(CertificateError):
        explain(dataclasses.replace(cert, deficiency=2))


def test_a_hand_is_explained_like_its_certificate():
    hand, options = Hand.parse("12m", called=4), {"forms": ("standard",), "unseen": "3m"}
    assert mjopt.explain(hand, **options) == explain(certify(hand, **options))
    with pytest.raises(CertificateError, match="a certificate has its own unseen tiles"):
        mjopt.explain(certify(hand), unseen=[0] * 27)
