"""Comparisons: kinds of error, what is counted, and the files that are written."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from audits.answers import audit_of, batch_of, errors_of
from helpers.support import AWKWARD

from mjopt import FULL, M0, UNREACHABLE, Certificate, Hand, deficiency, discards, get_rules
from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.answers import UNREAD
from mjopt.audits.comparison import Audit, compare
from mjopt.audits.export import claims_of, proved, write_findings
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.questions import ABSENT, BOTH, FARTHER, FEWER, MISSING, USELESS
from mjopt.errors import WorkerError
from mjopt.hands.rules.read_forms import read_forms

STANDARD = read_forms(None, FULL)
WAIT, DRAWN, WIN = "123m456p789s1122z", "123m456p789s1122z5m", "11122233344455s"


def test_errors_of_useful_tiles() -> None:
    answers = ("12z", "1z", "12z3m", "1z3m", "nothing", "", "-")
    expected = ["", MISSING, USELESS, BOTH, "not tiles", MISSING, ""]
    assert errors_of("useful", WAIT, *answers) == expected


def test_errors_of_discards() -> None:
    answers = ("5m", "1m", "9m", "5m1m", "x", "", "5m5m")
    expected = ["", FARTHER, ABSENT, FARTHER, "not tiles", ABSENT, ""]
    assert errors_of("discard", DRAWN, *answers) == expected
    hand = "13568m2479p14579s"  # several discards keep the deficiency
    ranked = discards(Hand.parse(hand, tiles=FULL))
    same = [each for each in ranked if each.deficiency == ranked[0].deficiency]
    assert same[-1].after.num_copies < same[0].after.num_copies
    assert errors_of("discard", hand, FULL.names[same[-1].kind]) == [FEWER]


def test_errors_of_numbers_and_wins() -> None:
    assert errors_of("deficiency", DRAWN, "1", "0", "2", "x") == [
        *("", "too low", "too high", "not a number"),
    ]
    assert errors_of("win", WIN, "yes", "no", "x") == ["", "win not found", "not yes or no"]
    assert errors_of("win", DRAWN, "no", "yes") == ["", "called a win"]
    assert errors_of("decompositions", WIN, 4, 1) == ["", "too low"]


def test_each_column_is_counted_alone() -> None:
    hands = batch_of(WAIT, DRAWN, WIN)
    answers = {"shanten": [0, 0, 1], "discard": ["-", "1m", "x"], "win": ["-", "-", 1]}
    with audit_of(hands, answers, "riichi") as audit:
        assert (audit.num_rows, audit.num_hands, audit.num_wrong) == (3, 3, 2)
        shanten, discard, win = audit.columns.values()
        assert [f.num_compared for f in (shanten, discard, win)] == [3, 1, 1]
        assert [f.num_skipped for f in (shanten, discard, win)] == [0, 1, 2]
        assert (discard.num_undefined, win.num_undefined) == (1, 0)
        assert [f.num_wrong for f in (shanten, discard, win)] == [1, 1, 0]
        assert [(row.line, row.column, row.kind) for row in audit.wrong()] == [
            (2, "shanten", "too high"),
            (1, "discard", FARTHER),
        ]
        document = json.loads(json.dumps(audit.to_document()))
    assert [column["wrong"] for column in document["columns"]] == [1, 1, 0]
    assert document["columns"][0]["by_deficiency"] == [
        {"deficiency": 0, "kind": "too high", "rows": 1}
    ]
    assert audit.name == "shanten, discard, win over standard, seven_pairs, thirteen_orphans"


def test_rows_that_are_not_hands_are_kept_apart() -> None:
    hands = batch_of(WIN)
    block = AnswerBlock(
        num_rows=2,
        hands=hands,
        lines=[2],
        given={"deficiency": np.array([UNREAD])},
        written=lambda *_: "x",
        text=hands.text,
        not_hands=[(3, "11111m", "a fifth 1m")],
    )
    seen: list[int] = []
    with Audit({"deficiency": "deficiency"}, tiles=FULL, forms=STANDARD) as audit:
        compare([block], audit, progress=seen.append)
        assert (audit.num_rows, audit.num_hands, audit.num_not_hands) == (2, 1, 1)
        assert [*audit.not_hands()] == [(3, "11111m", "a fifth 1m")]
        [row] = audit.wrong()
    assert (row.line, row.written, row.given, row.kind, row.cause) == (
        *(2, "x", None, "not a number", ""),
    )
    assert seen == [2]


def test_empty_cell_is_right_for_unreachable_hands() -> None:
    hands = batch_of("11m", tiles=M0, called=4)
    block = AnswerBlock.of(hands)
    forms = read_forms("seven_pairs", M0)
    for written, wrong in (("", 0), ("x", 1)):
        given = {"deficiency": np.array([UNREAD])}
        filled = AnswerBlock(
            num_rows=1, hands=hands, lines=block.lines, given=given, text=block.text,
            written=lambda *_, written=written: written,
        )  # fmt: skip
        with Audit({"deficiency": "deficiency"}, tiles=M0, forms=forms) as audit:
            audit.add(filled)
            assert audit.num_wrong == wrong
    with audit_of(hands, {"deficiency": [0]}, "seven_pairs") as audit:
        [row] = audit.wrong()
        assert (row.exact, row.deficiency) == (UNREACHABLE, UNREACHABLE)


def test_columns_without_answers_are_dropped() -> None:
    hands = batch_of(WAIT, DRAWN)
    with audit_of(hands, {"shanten": ["0", "5"], "win": ["E: no", "E: no"]}, "riichi") as audit:
        assert audit.num_wrong == 2
        audit.drop_unanswered("engine")
        assert [*audit.columns] == ["shanten"]
        assert (audit.num_wrong, [row.line for row in audit.wrong()]) == (1, [1])
    with (
        audit_of(hands, {"win": ["E: no", "E: no"]}, "riichi") as audit,
        pytest.raises(WorkerError, match="engine: no answer to win"),
    ):
        audit.drop_unanswered("engine")


def test_certificates_settle_each_kind_of_answer(tmp_path: Path) -> None:
    hands = batch_of(WAIT, DRAWN)
    answers = {"useful": ["1z3m", "-"], "discard": ["-", "1m"], "shanten": [1, 0]}
    with audit_of(hands, answers, "riichi") as audit:
        by_column = {row.column: claims_of(row, audit) for row in audit.wrong()}
        texts = {
            column: [(hand.to_text(), value) for hand, _, value in claims]
            for column, claims in by_column.items()
        }
        write_findings(tmp_path, audit)
    assert texts == {
        "useful": [(WAIT, 1), ("1233m456p789s1122z", 1), ("123m456p789s11222z", 0)],
        "discard": [("1235m456p789s1122z", 1), ("235m456p789s1122z", 2), (WAIT, 1)],
        "shanten": [(WAIT, 1)],
    }
    with (tmp_path / "disagreements.csv").open() as file:
        rows = list(csv.DictReader(file))
    proofs = (tmp_path / "certificates.jsonl").read_text().splitlines()
    for row in rows:
        lines = [int(line) - 1 for line in row["certificate"].split()]
        found = [Certificate.from_json(proofs[line]) for line in lines]
        assert [(c.hand.to_text(), c.deficiency) for c in found] == texts[row["column"]]
    assert len(proofs) == len(set(proofs)) == 6


def test_certificates_know_the_tiles_that_can_arrive(tmp_path: Path) -> None:
    hand = Hand.parse(WAIT, tiles=FULL)
    left = np.array(hand.unseen, np.uint8)
    left[27] = 0
    with audit_of(HandBatch.of([hand], left[None]), {"useful": ["12z"]}, "riichi") as audit:
        [row] = audit.wrong()
        assert row.kind == USELESS
        write_findings(tmp_path, audit)
    proofs = (tmp_path / "certificates.jsonl").read_text().splitlines()
    assert [Certificate.from_json(proof).deficiency for proof in proofs] == [1]


def test_a_proof_that_contradicts_a_value_is_an_error() -> None:
    hands = [known.hand for known in AWKWARD if known.tiles == FULL]
    claims = [(hand, None, deficiency(hand)) for hand in hands]
    assert [c.deficiency for c in proved(claims, forms="standard")] == [v for *_, v in claims]
    with pytest.raises(ValueError, match="1112223334444z: 2 is proved, not 1"):
        list(proved([(hands[0], None, 1)], forms="standard"))


def test_certificates_know_the_kinds_of_melds(tmp_path: Path) -> None:
    """Under the rules of a flush, melds of another suit are far from the tiles in the hand."""
    rules = get_rules("half-flush")
    hand = Hand.parse("1112345678m", rules=rules, melds=["1111p"])
    with audit_of(HandBatch.of([hand]), {"deficiency": [1]}) as audit:
        [row] = audit.wrong()
        assert (row.melds, row.exact) == (("1111p",), 11)
        assert row.hand(audit.tiles, rules) == hand
        write_findings(tmp_path, audit)
    [proof] = (tmp_path / "certificates.jsonl").read_text().splitlines()
    assert Certificate.from_json(proof).deficiency == 11
