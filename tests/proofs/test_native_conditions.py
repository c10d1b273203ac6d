"""Each condition of the checker of native certificates alone: one forged certificate for each."""

import json
from typing import Any

import pytest
from helpers.certificate_corpus import HANDS, pairs, small
from helpers.forged import changed, message

from mjopt import FULL, TILE_SETS, Certificate, Hand, certify
from mjopt.hands.tiles import Suit, TileSet
from mjopt.proofs.native_schema import MOST_KINDS

Document = dict[str, Any]
SMALL, PAIRS = small(), pairs()
ORPHANS = HANDS["thirteen orphans"]().to_document()
CUT = HANDS["unreachable"]().to_document()
LIMITED = HANDS["limited"]().to_document()
NAMED = HANDS["called"]().to_document()
HONOURS = certify(Hand.parse("11m", melds=["111p", "222z", "789s", "3333s"])).to_document()


def suit(letter: str, ranks: list[int], has_chows: bool) -> Document:
    return {"letter": letter, "name": letter, "ranks": ranks, "has_chows": has_chows}


# Name: document, changes, start of the message. Each violates one condition.
CONDITIONS: dict[str, tuple[Document, list[tuple[Any, ...]], str]] = {
    "version 0": (SMALL, [("version", 0)], "version: 0, expected 1..1"),
    "deficiency beyond 14": (SMALL, [("deficiency", 15)], "deficiency: 15, expected 0..14"),
    "deficiency of 14": (SMALL, [("deficiency", 14)], "potential of the start is 2"),
    "held below 0": (SMALL, [("held", 9, -1)], "held: expected 27 numbers in 0..4"),
    "held is true": (SMALL, [("held", 9, True)], "held: expected 27 numbers in 0..4"),
    "held is short": (SMALL, [("held", lambda held: held[:-1])], "held: expected 27 numbers"),
    "held is long": (SMALL, [("held", lambda held: [*held, 0])], "held: expected 27 numbers"),
    "held is a number": (SMALL, [("held", 5)], "held: expected 27 numbers"),
    "held is an object": (SMALL, [("held", {})], "held: expected 27 numbers"),
    "unseen is short": (SMALL, [("unseen", lambda one: one[:-1])], "unseen: expected 27 numbers"),
    "unseen beyond four": (SMALL, [("unseen", 9, 5)], "unseen: expected 27 numbers"),
    "called below 0": (SMALL, [("called", -1)], "called: -1, expected 0..4"),
    "a fifth copy": (SMALL, [("unseen", 0, 4)], "unseen: more copies held, called and unseen"),
    "a fifth copy in a meld": (NAMED, [("unseen", 9, 2)], "unseen: more copies held, called and"),
    "a fifth copy in a kong": (NAMED, [("unseen", 20, 1)], "unseen: more copies held, called and"),
    "melds are no list": (NAMED, [("melds", {})], "melds: {}, expected a list"),
    "a meld more": (NAMED, [("melds", lambda melds: [*melds, "444p"])], "melds: 4 named, but 3"),
    "a chow with a gap": (NAMED, [("melds", 1, "124s")], "melds: '124s' is not a meld"),
    "a chow downwards": (NAMED, [("melds", 1, "321s")], "melds: '321s' is not a meld"),
    "a chow of four": (NAMED, [("melds", 1, "1234s")], "melds: '1234s' is not a meld"),
    "a pair as a meld": (NAMED, [("melds", 1, "11s")], "melds: '11s' is not a meld"),
    "five as a meld": (NAMED, [("melds", 1, "11111s")], "melds: '11111s' is not a meld"),
    "a meld of numbers": (NAMED, [("melds", 1, [1, 1, 1, "s"])], "melds: [1, 1, 1, 's'] is not"),
    "a meld of no kind": (NAMED, [("melds", 1, "000s")], "melds: '000s' names kinds that do not"),
    "a chow of honours": (HONOURS, [("melds", 1, "123z")], "melds: '123z' is not a meld"),
    "a meld of honours": (NAMED, [("melds", 1, "111z")], "melds: '111z' names kinds that do not"),
    "a red five of honours": (
        certify(Hand.parse("55z", tiles=FULL, called=4)).to_document(),
        [("hand", "05z")],
        "hand: '05z' is not the tiles of held",
    ),
    "two forms, one proof": (PAIRS, [("bounds", {})], "bounds: 'seven_pairs' is missing"),
    "forms are a text": (SMALL, [("forms", "standard")], "forms: 'standard', expected at least"),
    "forms are no list": (SMALL, [("forms", {"standard": 1})], "forms: {'standard': 1}, expected"),
    "a form twice, later": (
        PAIRS, [("forms", ["seven_pairs", "standard", "seven_pairs"])],
        "forms: seven_pairs is given twice",
    ),
    "no evidence": (SMALL, [("bounds", "standard", {})], "bounds.standard, expected one kind"),
    "evidence in a list": (SMALL, [("bounds", "standard", [[0]])], "bounds.standard, expected one"),
    "a cut that is an object": (
        CUT, [("bounds", "standard", "cut", {"0": 0})],
        "bounds.standard: 'cut' does not prove",
    ),
    "potentials for unreachable": (
        SMALL, [("deficiency", None), ("target", None)],
        "bounds.standard: 'potentials' does not prove the deficiency None",
    ),
    "another kind of evidence": (
        SMALL, [("bounds", "standard", {"duals": SMALL["bounds"]["standard"]["potentials"]})],
        "bounds.standard: 'duals' does not prove",
    ),
    "potentials for pairs": (
        PAIRS, [("bounds", "seven_pairs", {"potentials": 1})],
        "bounds.seven_pairs: 'potentials' does not prove",
    ),
    "a least as a list": (
        PAIRS, [("bounds", "seven_pairs", "least", [1])],
        "bounds.seven_pairs: 'least' does not prove",
    ),
    "a least as a float": (
        PAIRS, [("bounds", "seven_pairs", "least", 1.0)],
        "bounds.seven_pairs: 'least' does not prove",
    ),
    "least of pairs lower": (
        PAIRS, [("bounds", "seven_pairs", "least", 0)], "bounds.seven_pairs: least is 1, not 0",
    ),
    "no least of pairs": (
        PAIRS, [("bounds", "seven_pairs", "least", None)],
        "bounds.seven_pairs: least is 1, not None",
    ),
    "least of orphans lower": (
        ORPHANS, [("bounds", "thirteen_orphans", "least", lambda least: least - 1)],
        "bounds.thirteen_orphans: least is ",
    ),
    "a least below the deficiency": (
        HANDS["seven pairs"]().to_document(), [("deficiency", 2)],
        "bounds.seven_pairs: 1 is below the deficiency 2",
    ),
    "unreachable with a least": (
        HANDS["seven pairs"]().to_document(), [("deficiency", None), ("target", None)],
        "bounds.seven_pairs: 1 is below the deficiency None",
    ),
    "a target of nothing": (CUT, [("target", SMALL["target"])], "target: a target, but"),
    "a claim of numbers": (SMALL, [("claim", "version", 1)], "claim: expected text"),
    "a claim of no text later": (SMALL, [("claim", "termination", [])], "claim: expected text"),
    "a claim more": (SMALL, [("claim", "note", "")], "claim: unknown 'note'"),
    # the tile set
    "tiles as text": (SMALL, [("tiles", "M0")], "tiles: 'M0', expected an object"),
    "suits as an object": (SMALL, [("tiles", "suits", {})], "tiles.suits: {}, expected a list"),
    "a suit as text": (SMALL, [("tiles", "suits", 0, "m")], "tiles.suits: 'm', expected an object"),
    "a suit with a note": (SMALL, [("tiles", "suits", 1, "note", 1)], "tiles.suits: unknown"),
    "a name that is no text": (SMALL, [("tiles", "name", 7)], "tiles.name: 7, expected text"),
    "a letter that is no text": (SMALL, [("tiles", "suits", 2, "letter", 1)], "tiles.suits: {"),
    "a suit's name is no text": (SMALL, [("tiles", "suits", 2, "name", 1)], "tiles.suits: {"),
    "ranks as a text": (SMALL, [("tiles", "suits", 2, "ranks", "123")], "tiles.suits: {"),
    "ranks as a number": (SMALL, [("tiles", "suits", 2, "ranks", 9)], "tiles.suits: {"),
    "one rank is a float": (SMALL, [("tiles", "suits", 2, "ranks", 8, 9.0)], "tiles.suits: {"),
    "chows as a number": (SMALL, [("tiles", "suits", 2, "has_chows", 1)], "tiles.suits: {"),
    # the target
    "a target as a list": (SMALL, [("target", [])], "target: [], expected an object"),
    "a form as a list": (SMALL, [("target", "form", ["standard"])], "target.form: ['standard']"),
    "blocks as an object": (SMALL, [("target", "blocks", {})], "target.blocks: {}, expected"),
    "fifteen blocks": (
        SMALL, [("target", "blocks", [["single", [0]]] * 15)], "target.blocks: [['single', [0]], ",
    ),
    "fourteen blocks": (
        SMALL, [("target", "blocks", [["single", [0]]] * 14)], "target.blocks: single, single",
    ),
    "a block of three parts": (
        SMALL, [("target", "blocks", 1, lambda block: [*block, 1])], "target.blocks: ['chow', ",
    ),
    "a block as a number": (SMALL, [("target", "blocks", 1, 7)], "target.blocks: 7, expected [sh"),
    "a block as an object": (
        SMALL, [("target", "blocks", 1, {"0": "chow", "1": [6, 7, 8]})], "target.blocks: {'0': 'ch",
    ),
    "one kind beyond the last": (
        SMALL, [("target", "blocks", 0, 1, [26, 27])], "target.blocks: ['eye', [26, 27]] names",
    ),
    "one kind below 0": (
        SMALL, [("target", "blocks", 0, 1, [0, -1])], "target.blocks: ['eye', [0, -1]] names",
    ),
    "an unknown shape of one tile": (
        SMALL, [("target", "blocks", 0, ["kong", [0]])], "target.blocks: ['kong', [0]] is not a ",
    ),
    "an unknown shape of no copy": (
        SMALL, [("target", "blocks", 0, ["kong", []])], "target.blocks: ['kong', []] names",
    ),
    "a shape that is no text": (
        SMALL, [("target", "blocks", 1, 0, 3)], "target.blocks: [3, [6, 7, 8]], expected [shape",
    ),
    "kinds that are no list": (
        SMALL, [("target", "blocks", 1, 1, "678")], "target.blocks: ['chow', '678'], expected [sh",
    ),
    "a block of nothing": (
        SMALL, [("target", "blocks", 1, 1, [])], "target.blocks: ['chow', []] names kinds that",
    ),
    "a kind below 0": (
        SMALL, [("target", "blocks", 0, 1, [-1, -1])], "target.blocks: ['eye', [-1, -1]] names",
    ),
    "a kind beyond the last": (
        SMALL, [("target", "blocks", 0, 1, [27, 27])], "target.blocks: ['eye', [27, 27]] names",
    ),
    "a kind that is true": (
        SMALL, [("target", "blocks", 0, 1, [True, True])], "target.blocks: ['eye', [True, True]]",
    ),
    "a chow of two": (SMALL, [("target", "blocks", 1, 1, [6, 7])], "target.blocks: ['chow', [6,"),
    "a chow from 8": (
        SMALL, [("target", "blocks", 1, 1, [7, 8, 9])], "target.blocks: ['chow', [7, 8, 9]] is not",
    ),
    "a pong of two": (
        SMALL, [("target", "blocks", 1, ["pong", [8, 8]])], "target.blocks: ['pong', [8, 8]] is",
    ),
    "an eye of three": (
        SMALL, [("target", "blocks", 0, ["eye", [0, 0, 0]])], "target.blocks: ['eye', [0, 0, 0]]",
    ),
    "an eye of two kinds": (
        SMALL, [("target", "blocks", 0, ["eye", [0, 1]])], "target.blocks: ['eye', [0, 1]] is not",
    ),
    "two eyes": (
        SMALL, [("target", "blocks", 1, ["eye", [8, 8]])], "target.blocks: eye, eye are not",
    ),
    "two melds": (
        SMALL, [("target", "blocks", 0, ["chow", [6, 7, 8]])], "target.blocks: chow, chow are not",
    ),
    "a single more": (
        SMALL, [("target", "blocks", lambda blocks: [*blocks, ["single", [3]]])],
        "target.blocks: eye, chow, single are not standard",
    ),
    "counts of other tiles": (
        SMALL, [("target", "counts", 3, 1)], "target.counts: not the tiles of target.blocks",
    ),
    "counts beyond four": (SMALL, [("target", "counts", 0, 5)], "target.counts: expected 27"),
    "draws as text": (SMALL, [("target", "draws", "0")], "target.draws: expected 27 numbers"),
    "a draw left out": (
        SMALL, [("target", "draws", 8, 0)], "target.draws: not what the target takes beyond",
    ),
    "a discard left out": (
        SMALL, [("target", "discards", 0, 0)], "target.discards: not what the hand holds beyond",
    ),
    "a discard more": (
        SMALL, [("target", "discards", 9, 1)], "target.discards: not what the hand holds beyond",
    ),
    "one copy fewer unseen than drawn": (
        SMALL, [("unseen", 8, 0)], "target.draws: 1 of 9m, but 0 can arrive",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_condition_alone_refuses_a_forged_certificate(name):
    document, changes, start = CONDITIONS[name]
    assert message(document) == ""
    assert message(changed(document, *changes)).startswith(start)


@pytest.mark.parametrize("form", ["seven_pairs", "thirteen_orphans"])
def test_evidence_about_the_standard_form_proves_nothing_about_another(form):
    """Seven pairs, and thirteen orphans, that win: a cut or potentials would deny it."""
    text = "1133557799m1133p" if form == "seven_pairs" else "119m19p19s1234567z"
    hand = Hand.parse(text, tiles=FULL)
    for unseen, claim in (([0] * 34, None), (None, certify(hand).deficiency)):
        document = certify(hand, unseen=unseen).to_document()
        [(kind, _)] = document["bounds"]["standard"].items()
        assert document["deficiency"] == claim
        forged = {"forms": [form], "bounds": {form: document["bounds"]["standard"]}}
        reason = message(changed(document, *forged.items()))
        assert reason.startswith(f"bounds.{form}: {kind!r} does not prove")


def test_meld_may_name_every_kind_of_a_small_set():
    three = TileSet("three", (Suit("m", "characters", (1, 2, 3)),))
    document = certify(Hand.parse("11m", tiles=three, melds=["123m"], partial=True)).to_document()
    assert message(document) == ""


def test_number_of_kinds_of_a_tile_set_is_limited():
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    suits = [suit(letter, list(range(1, 10)), True) for letter in letters]
    most = [*suits[:33], suit("Z", [1, 2, 3], False)]
    assert sum(len(one["ranks"]) for one in most) == MOST_KINDS
    for more in (0, 1):
        ranks = list(range(1, 4 + more))
        tiles = {"name": "wide", "suits": [*suits[:33], suit("Z", ranks, False)]}
        reason = message(SMALL | {"tiles": tiles})
        assert (reason == f"tiles.suits: more than {MOST_KINDS} kinds") == bool(more)


def test_text_may_name_red_fives_in_any_order_of_suits():
    for text in ("40m", "45m"):
        assert message(changed(HANDS["red"]().to_document(), ("hand", text))) == ""
    found = message(changed(HANDS["red"]().to_document(), ("hand", "44m")))
    assert found == "hand: '44m' is not the tiles of held, '45m'"


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("called", range(5))
def test_certificates_of_every_tile_set_and_called_melds_are_accepted(tiles, called):
    """And refused for the hand with one tile moved, or one deficiency more or less."""
    held = [0] * tiles.num_kinds
    for at in range(14 - 3 * called):
        held[at * 3 % tiles.num_kinds] += 1
    document = certify(Hand.from_counts(held, tiles=tiles, called=called)).to_document()
    Certificate.from_json(json.dumps(document)).verify()
    assert document["tiles"]["name"] == tiles.name
    for by in (-1, 1):
        assert message(changed(document, ("deficiency", lambda value, by=by: value + by)))
