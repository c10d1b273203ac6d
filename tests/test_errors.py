"""The exception classes, their fields and the texts composed from them."""

import copy
import inspect
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mjopt
from mjopt import FORMS, errors, label
from mjopt._internal.optional_deps import need
from mjopt.datasets import make_plan
from mjopt.errors import (
    ArgumentError,
    CertificateError,
    FileError,
    GameError,
    HandError,
    MissingExtraError,
    MjoptError,
    ModelError,
    NotationError,
    SolverError,
    SolverUnavailableError,
    TileError,
    WorkerError,
)
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.notation import get_notation
from mjopt.hands.notation.readings import read_text
from mjopt.instances import choose_hands
from mjopt.play.game import Action, Move, legal_moves, read_record, start, step, write_record
from mjopt.play.game.rules import GMJBG
from mjopt.play.game.wall import shuffle_wall
from mjopt.play.solitaire import rank_rules
from mjopt.proofs import Limits
from mjopt.statistics import critical_difference

CLASSES = {
    name: kind
    for name, kind in vars(errors).items()
    if inspect.isclass(kind) and issubclass(kind, BaseException)
}
FIELDS = {
    "message": "not a suit",
    "argument": "hand",
    "value": "'x'",
    "position": 3,
    "unit": "character",
    "expected": ("m", "p", "s"),
    "hint": "use notation paper",
}


def subclasses(kind: type) -> set[type]:
    return {kind}.union(*map(subclasses, kind.__subclasses__()))


def test_there_are_few_classes() -> None:
    assert set(CLASSES.values()) == {
        ArgumentError,
        CertificateError,
        FileError,
        GameError,
        HandError,
        MissingExtraError,
        MjoptError,
        ModelError,
        NotationError,
        SolverError,
        SolverUnavailableError,
        TileError,
        WorkerError,
    }


def test_no_module_adds_a_class() -> None:
    import mjopt.cli.main as cli

    for names in cli.COMMANDS.values():
        for name in names:
            cli.load_command(name)
    own = {kind for kind in subclasses(MjoptError) if kind.__module__.startswith("mjopt.")}

    assert own == set(CLASSES.values())


@pytest.mark.parametrize("kind", CLASSES.values(), ids=CLASSES)
@pytest.mark.parametrize(
    "duplicate",
    [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy],
    ids=["pickle", "copy", "deepcopy"],
)
def test_fields_survive_a_copy(
    kind: type[MjoptError], duplicate: Callable[[MjoptError], MjoptError]
) -> None:
    error = kind(**FIELDS)
    located = kind(**FIELDS)
    located.locate("hands.csv", 7, "line")
    for one in (error, located):
        other = duplicate(one)

        assert type(other) is kind
        assert vars(other) == vars(one)
        assert (str(other), repr(other)) == (str(one), repr(one))
    assert {name: getattr(error, name) for name in FIELDS} == FIELDS


def test_attributes_of_two_classes_survive_a_copy() -> None:
    with pytest.raises(NotationError) as ambiguous:
        read_text("B1B2B3")
    with pytest.raises(CertificateError) as long:
        Limits(bytes=9).check("bytes", 10, "JSON")

    for error, name in ((ambiguous.value, "readings"), (long.value, "limit")):
        assert getattr(pickle.loads(pickle.dumps(error)), name) == getattr(error, name)
    assert (list(ambiguous.value.readings), long.value.limit) == (["paper", "botzone"], "bytes")


@pytest.mark.parametrize("kind", CLASSES.values(), ids=CLASSES)
def test_every_class_has_an_example(kind: type[MjoptError]) -> None:
    assert ">>> " in (inspect.getdoc(kind) or "")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, ""),
        ({"message": "0 jobs"}, "0 jobs"),
        ({"message": "0 jobs", "expected": "at least 1"}, "0 jobs, expected at least 1"),
        ({"argument": "seed", "value": "-1", "expected": "0"}, "seed -1, expected 0"),
        ({"argument": "-o", "expected": "a folder"}, "-o: expected a folder"),
        ({"argument": "a.csv", "message": "is empty"}, "a.csv: is empty"),
        ({"argument": "a.csv", "message": "x", "hint": "remove it"}, "a.csv: x; remove it"),
        ({"message": "no", "expected": ("a", "b", "c")}, "no, expected one of a, b, c"),
        ({"message": "no", "position": 4, "unit": "line"}, "line 4: no"),
        ({"argument": "a", "position": 4, "unit": "line", "value": "x"}, "a line 4: x"),
        ({"value": "5", "position": 0, "expected": "0..4"}, "5 at position 0, expected 0..4"),
        (
            {"argument": "a", "message": "no", "position": 2, "unit": "character"},
            "a: character 2: no",
        ),
        (
            FIELDS,
            "hand: 'x' at character 3: not a suit, expected one of m, p, s; use notation paper",
        ),
    ],
)
def test_text_is_composed_of_the_fields(fields: dict[str, Any], text: str) -> None:
    assert str(MjoptError(**fields)) == text


def test_detail_is_the_text_without_the_argument() -> None:
    error = MjoptError(**FIELDS)

    assert error.detail == str(error).removeprefix("hand: ")
    assert MjoptError("no", argument="seed", value="-1").detail == "-1: no"


def test_outer_places_keep_what_is_expected() -> None:
    error = MjoptError(**FIELDS)
    error.locate(position=2, unit="item")
    error.locate("hands.csv", 7, "line")

    assert str(error) == (
        "hands.csv line 7: item 2: hand: 'x' at character 3: not a suit, expected one of m, p, s; "
        "use notation paper"
    )
    assert (error.argument, error.position, error.unit) == ("hands.csv", 7, "line")
    assert (error.expected, error.hint) == (FIELDS["expected"], FIELDS["hint"])


def test_same_argument_is_named_once() -> None:
    error = MjoptError(**FIELDS)
    error.locate("hand")

    assert {name: getattr(error, name) for name in FIELDS} == FIELDS


def fields_of(call: Callable[[], Any]) -> tuple[type, str, str, int | None, str, Any, str]:
    with pytest.raises(MjoptError) as raised:
        call()
    error = raised.value
    place = (error.position, error.unit if error.position is not None else "")
    return (type(error), error.argument, error.value, *place, error.expected, error.hint)


@pytest.mark.parametrize(
    ("call", "fields"),
    [
        (
            lambda: mjopt.deficiency("12x"),
            (NotationError, "hand", "'x'", 3, "character", "m, p, s or z", ""),
        ),
        (
            lambda: mjopt.Hand.parse("mps", notation="paper"),
            (NotationError, "", "'m'", 1, "character", "a rank 1..9 or B, C or D", ""),
        ),
        (
            lambda: mjopt.Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8"),
            (
                NotationError,
                "",
                "'B'",
                1,
                "character",
                "m, p, s or z",
                "it can be read in notation paper",
            ),
        ),
        (
            lambda: get_notation("mjai").parse("1m ?", mjopt.FULL),
            (NotationError, "", "'?'", 4, "character", "a known one", ""),
        ),
        (
            lambda: get_notation("morse"),
            (NotationError, "notation", "'morse'", None, "", tuple(mjopt.NOTATIONS), ""),
        ),
        (
            lambda: mjopt.deficiency([1, 5] + [0] * 25),
            (TileError, "hand", "5 copies of 2m", 1, "position", "0..4", ""),
        ),
        (
            lambda: mjopt.Hand.from_counts([1, 5] + [0] * 25),
            (TileError, "counts", "5 copies of 2m", 1, "position", "0..4", ""),
        ),
        (
            lambda: mjopt.deficiency(["1m", "2"]),
            (NotationError, "hand", "", 1, "item", "m, p, s or z after them", ""),
        ),
        (
            lambda: list(mjopt.expected_draws_many(["1112345678999m", "123m"])),
            (HandError, "hands", "", 1, "row", "14 or 13", ""),
        ),
        (lambda: mjopt.deficiency("123m"), (HandError, "hand", "", None, "", "14 or 13", "")),
        (
            lambda: label(np.array([[2] * 7 + [0] * 20, [4] * 4 + [0] * 23])),
            (HandError, "", "", 1, "row", "14 or 13", ""),
        ),
        (
            lambda: label(np.array([[2] * 7 + [0] * 20, [5] * 2 + [0] * 25])),
            (TileError, "", "5 copies of 1m", 1, "row", "0..4", ""),
        ),
        (
            lambda: mjopt.deficiency("1112345678999m", tiles="144"),
            (TileError, "tiles", "144", None, "", ("m0", "136", "sanma"), "108 is m0, full is 136"),
        ),
        (
            lambda: mjopt.deficiency("1112345678999m", forms="pairs"),
            (
                HandError,
                "forms",
                "'pairs'",
                None,
                "",
                (*FORMS, "riichi", "all", "a rule set", "FILE.toml"),
                "",
            ),
        ),
        (
            lambda: mjopt.solve("1112345678999m1p", solver="abacus"),
            (SolverError, "solver", "'abacus'", None, "", ("cp-sat", "highs", "cbc"), ""),
        ),
        (
            lambda: mjopt.play.battle(["l1"] * 4, games=1, rules="chess"),
            (GameError, "rules", "'chess'", None, "", ("m0", "gmjbg", "jj", "riichi"), ""),
        ),
        (
            lambda: mjopt.play.battle(["l1"] * 4, games=1, jobs=0),
            (ArgumentError, "jobs", "0", None, "", "at least 1", ""),
        ),
        (
            lambda: mjopt.heuristics.run("ndde", "1112345678999m1p", rng=-1),
            (
                ArgumentError,
                "rng",
                "",
                None,
                "",
                "a seed (0, 1, 2, ...) or a numpy.random.Generator",
                "",
            ),
        ),
        (
            lambda: make_plan("four-type:10", seed=1),
            (
                ArgumentError,
                "recipe",
                "'four-type:10'",
                None,
                "",
                (
                    "one-type",
                    "two-type:N",
                    "three-type:N",
                    "deals:N",
                    "distinct:N",
                    "stratified:N[:D=SHARE,...]",
                    "kongs:N[:K]",
                    "all",
                    "file:PATH",
                    "positions:PATH",
                    "FILE.py:NAME",
                ),
                "",
            ),
        ),
        (
            lambda: read_record("game0"),
            (FileError, "", "", None, "", "'game1'", ""),
        ),
    ],
)
def test_public_errors_have_fields(call: Callable[[], Any], fields: tuple[Any, ...]) -> None:
    assert fields_of(call) == fields


@pytest.mark.parametrize(
    ("content", "position", "expected", "text"),
    [
        ("11m\n12x\n", 2, "m, p, s or z", "line 2: '12x': 'x' at character 3: not a suit of FULL"),
        ("hand\n\n123m\n", 3, "14 or 13", "line 3: '123m': 3 tiles"),
    ],
)
def test_error_of_a_file_has_the_line(
    tmp_path: Path, content: str, position: int, expected: str, text: str
) -> None:
    path = tmp_path / "hands.txt"
    path.write_text(content)
    with pytest.raises(MjoptError) as raised:
        list(HandFile(path=path, format="text", tiles=mjopt.FULL, partial=position == 2).rows())
    error = raised.value

    assert (error.argument, error.position, error.unit) == (str(path), position, "line")
    assert (error.expected, str(error)) == (expected, f"{path} {text}, expected {expected}")


def test_error_of_a_missing_package_has_the_command() -> None:
    with pytest.raises(MissingExtraError) as raised:
        need("no_such_package", extra="play")

    assert raised.value.hint == "pip install 'mjopt[play]'"


def test_error_of_a_record_has_the_move() -> None:
    state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    while not state.is_over:
        state = step(state, legal_moves(state)[-1])
    line = write_record(state, names=["last"] * 4, seed=1, game=0)
    head, moves, tail = re.fullmatch(r"(.* moves=)(\S+)(.*)", line).groups()  # type: ignore[union-attr]
    with pytest.raises(FileError) as raised:
        read_record(f"{head}{moves[:8]}9D11{moves[12:]}{tail}")
    error = raised.value

    assert (error.value, error.position, error.unit) == ("'9D11'", 3, "move")
    assert error.expected == "a seat 0..3, a letter and two digits"


def test_illegal_move_is_named_by_its_tile() -> None:
    state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    seat = state.to_move
    assert seat is not None
    kind = state.hands[seat].index(0)
    name = GMJBG.tiles.names[kind]
    with pytest.raises(GameError, match=f"^seat {seat} cannot discard {name} now$"):
        step(state, Move(Action.DISCARD, kind))
    with pytest.raises(GameError, match=f"^seat {seat} cannot pass now$"):
        step(state, Move(Action.PASS))


def test_texts_have_at_most_1000_characters() -> None:
    long = "x" * 5000
    for error in (
        MjoptError(long),
        FileError(long, argument=long, value=long, hint=long),
        ArgumentError(argument="a", value=long, expected=(long, long)),
    ):
        assert len(str(error)) <= 1000
        assert len(error.detail) <= 1000
        assert str(error).startswith(("x", "a"))
    error = FileError("too long", argument=long)
    error.locate(long, 3)
    assert str(error).endswith("too long")
    assert error.argument == long


def test_large_numbers_make_short_texts() -> None:
    large = 10**4000
    for call in (
        lambda: choose_hands(large),
        lambda: choose_hands(7, seed=-large),
        lambda: critical_difference(large, 2),
        lambda: critical_difference(2, -large),
        lambda: rank_rules(["useful"], draws=large),
    ):
        with pytest.raises(ArgumentError) as caught:
            call()
        assert len(str(caught.value)) < 200
