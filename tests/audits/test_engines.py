"""Engines: functions and programs in both protocols, and what is wrong with them."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from audits.answers import batch_of

from mjopt import FULL, M0, SANMA, Hand, deficiency
from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.comparison import Audit
from mjopt.audits.engines import Engine, get_engine, in_full, with_hands_before_draw
from mjopt.audits.hand_batch import HandBatch
from mjopt.datasets import read_recipe
from mjopt.errors import ArgumentError, MjoptError, WorkerError
from mjopt.hands.rules.classic_forms import RIICHI
from mjopt.hands.rules.read_forms import read_forms
from mjopt.hands.tiles import TileSet

TEXT = """
import sys
for line in sys.stdin:
    hand, called = line.split()
    print(hand.count("1"), called, sep="\\t")
"""
JSON = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    asked["counts"] = len(asked["counts"]), sum(asked["counts"])
    print(json.dumps({"win": False, "ukeire": asked}))
"""


def program(folder: Path, code: str) -> str:
    path = folder / "engine.py"
    path.write_text(code)
    return f"{sys.executable} {path}"


def ask(engine: Engine, hands: HandBatch) -> Sequence[Mapping[str, object] | str]:
    [replies] = engine.ask([hands])
    return replies


def test_text_protocol(tmp_path: Path) -> None:
    command = program(tmp_path, TEXT)
    engine = get_engine(None, command=command, questions=["shanten", "deficiency"])
    assert engine.forms == RIICHI
    hands = HandBatch.of(
        [Hand.parse("1112345678999m", tiles=FULL), Hand.parse("11m", tiles=FULL, called=4)]
    )
    assert ask(engine, hands) == [
        {"shanten": "3", "deficiency": "0"},
        {"shanten": "2", "deficiency": "4"},
    ]


@pytest.mark.parametrize("tiles", [M0, FULL, SANMA])
def test_lines_of_text_are_the_hands(tiles: TileSet) -> None:
    counts = read_recipe("deals:300", tiles=tiles).counts(seed=6)
    called = np.zeros(300, np.int16)
    called[:2] = 3
    counts[:2] = 0
    counts[:2, -1], counts[0, 0] = 2, 3
    batch = HandBatch(counts=counts, called=called, tiles=tiles)
    engine = get_engine(None, command="cat", questions=["win"])
    found = [str(reply["win"]) for reply in ask(engine, batch) if isinstance(reply, Mapping)]
    assert found == [f"{batch.text(row)} {called[row]}" for row in range(300)]


@pytest.mark.parametrize("tiles", [M0, FULL, SANMA])
def test_json_protocol(tmp_path: Path, tiles: object) -> None:
    engine = get_engine(None, command=program(tmp_path, JSON), protocol="json")
    hand = Hand.parse("119m123p1456789s", tiles=tiles)  # type: ignore[arg-type]
    left = np.array([hand.unseen], np.uint8)
    left[0, 1] = 0
    [plain] = ask(engine, HandBatch.of([hand]))
    [limited] = ask(engine, HandBatch.of([hand], left))
    assert isinstance(plain, Mapping)
    assert isinstance(limited, Mapping)
    expected = {"hand": hand.to_text(), "counts": [34, hand.num_tiles], "called": 0}
    assert plain == {"win": False, "ukeire": expected}
    wide = dict(zip(hand.tiles.names, left[0].tolist(), strict=True))
    assert limited["ukeire"] == expected | {"unseen": [wide.get(name, 0) for name in FULL.names]}


@pytest.mark.parametrize(
    ("code", "protocol", "message"),
    [
        ("print('1\\t2\\t3')", "text", "1112345678999m 0: 3 answers in '1.t2.t3', expected 2"),
        ("print('x')", "json", "'x' is not JSON"),
        ("print('[1]')", "json", "'.1.' is not an object of JSON"),
    ],
)
def test_lines_that_are_no_answers(tmp_path: Path, code: str, protocol: str, message: str) -> None:
    engine = get_engine(
        None, command=program(tmp_path, code), protocol=protocol, questions=["win", "shanten"]
    )
    with pytest.raises(WorkerError, match=message):
        ask(engine, batch_of("1112345678999m"))


def test_errors_of_a_program_in_json_are_replies(tmp_path: Path) -> None:
    code = 'print(\'{"error": "no such hand"}\')'
    engine = get_engine(None, command=program(tmp_path, code), protocol="json")
    assert ask(engine, batch_of("1112345678999m")) == ["no such hand"]


def test_functions_return_one_answer_or_several(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "def one(hand): return sum(hand.counts)\n"
        "def several(hand): return {'win': False, 'useful': {'1m'}, 'ukeire': None}\n"
        "def bad(hand): return {}['x']\n"
    )
    hands = batch_of("1112345678999m")
    assert ask(get_engine(f"{path}:one", questions=["ukeire"]), hands) == [{"ukeire": 13}]
    with pytest.raises(ArgumentError, match="--ask names 0 questions, expected a dict of answers"):
        ask(get_engine(f"{path}:one"), hands)
    several = get_engine(f"{path}:several")
    [block] = several.blocks([AnswerBlock.of(hands)])
    assert block.written(0, "ukeire") == "-"
    assert block.given["win"].tolist() == [0]
    assert ask(get_engine(f"{path}:bad"), hands) == ["KeyError: 'x'"]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "no engine, expected one: NAME, FILE.py:FUNCTION or --command"),
        ({"name": "x", "command": "y"}, "two engines, expected one: NAME"),
        ({"name": "x"}, "package 'x': unknown, expected one of mahjong, "),
        ({"name": "no.py:x"}, "no.py"),
        ({"command": " ", "questions": ["win"]}, "--command ' ', expected a program"),
        ({"command": "cat '"}, "--command .*: No closing quotation"),
        ({"command": "cat"}, "--ask is missing"),
        ({"command": "cat", "questions": ["wins"]}, "question 'wins'"),
        (
            {"command": "cat", "protocol": "xml"},
            "--protocol 'xml': unknown, expected one of text, json",
        ),
        ({"command": "cat", "questions": ["win"], "timeout": 0.0}, "--timeout 0"),
        ({"command": "cat", "questions": ["win"], "timeout": float("nan")}, "--timeout nan"),
    ],
)
def test_wrong_arguments_are_named(how: dict[str, object], message: str) -> None:
    arguments = {"name": None} | how
    with pytest.raises(MjoptError, match=message):
        get_engine(**arguments)  # type: ignore[arg-type]


def test_hands_of_a_recipe_alternate() -> None:
    counts = read_recipe("deals:101", tiles=FULL).counts(seed=1)
    batch = HandBatch(counts=counts, called=np.zeros(101, np.int16), tiles=FULL)
    blocks = [AnswerBlock.of(batch)]
    [found], [again], [other] = (
        [*with_hands_before_draw(blocks, np.random.default_rng(seed))] for seed in (1, 1, 2)
    )
    assert found.hands is not None
    assert again.hands is not None
    assert other.hands is not None
    taken = counts.astype(int) - found.hands.counts
    assert taken.min() == 0
    assert taken.sum(axis=1).tolist() == [0, 1] * 50 + [0]
    assert (found.hands.counts == again.hands.counts).all()
    assert (found.hands.counts != other.hands.counts).any()
    assert found.text(1) == found.hands.text(1)
    # Each tile of a hand is as likely: of two kinds the one held more often goes more often.
    hand = np.zeros((4000, 34), np.uint8)
    hand[:, :4] = 4, 4, 4, 2
    many = HandBatch(counts=hand, called=np.zeros(4000, np.int16), tiles=FULL)
    [drawn] = with_hands_before_draw([AnswerBlock.of(many)], np.random.default_rng(3))
    assert drawn.hands is not None
    shares = (hand - drawn.hands.counts).sum(axis=0)[:4] / 2000
    assert np.abs(shares - np.array([4, 4, 4, 2]) / 14).max() < 0.06


def test_hands_of_m0_become_those_of_136_tiles() -> None:
    batch = batch_of("1112345678999m", tiles=M0)
    wide = in_full(AnswerBlock.of(batch)).hands
    assert wide is not None
    assert (wide.tiles, wide.text(0)) == (FULL, "1112345678999m")
    sanma = AnswerBlock.of(batch_of("19m123456789p11z", tiles=SANMA))
    assert in_full(sanma) is sanma


def test_blocks_are_answered_in_parts(tmp_path: Path) -> None:
    counts = read_recipe("deals:9000", tiles=FULL).counts(seed=2)
    batch = HandBatch(counts=counts, called=np.zeros(9000, np.int16), tiles=FULL)
    blocks = [AnswerBlock.of(batch), AnswerBlock(
        num_rows=1, hands=None, lines=[], given={}, written=lambda *_: "", text=batch.text,
        not_hands=[(9000, "x", "no hand")],
    )]  # fmt: skip
    engine = get_engine(None, command="sed s/.*/-1/", questions=["shanten"])
    with Audit({"shanten": "shanten"}, tiles=FULL, forms=read_forms("riichi", FULL)) as audit:
        lines = []
        for block in engine.blocks(blocks):
            lines += [*block.lines]
            audit.add(block)
        assert lines == [*range(9000)]
        assert (audit.num_rows, audit.num_hands, audit.num_not_hands) == (9001, 9000, 1)
        row = next(audit.wrong())
        expected = deficiency(Hand.from_counts(counts[row.line].tolist()), forms="riichi") - 1
        assert row.exact == expected
    assert json.dumps(audit.to_document())
