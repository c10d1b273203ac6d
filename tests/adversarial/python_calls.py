"""Public functions with arguments of wrong types, shapes, dtypes and sizes."""

import itertools
import random
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from adversarial.attack import Attack, Judge
from adversarial.certificates import texts

import mjopt
from mjopt import (
    FULL,
    M0,
    Certificate,
    Hand,
    MjoptError,
    datasets,
    game,
    heuristics,
    proofs,
    tournaments,
)

HAND = Hand.parse("123m456p1122789s")
FULL_HAND = Hand.parse("4569m13445788p2s4z", tiles=FULL)
COUNTS = np.array([HAND.counts, Hand.parse("11122233344455s").counts], np.uint8)
WALL = tuple(min(1, count) for count in HAND.unseen)


class Sneaky:
    """An object that looks like a number, a sequence and an array, and fails on use."""

    def __index__(self) -> int:
        raise TypeError("no number")

    def __len__(self) -> int:
        return 27

    def __getitem__(self, place: object) -> object:
        raise IndexError

    def __array__(self, *_: object, **__: object) -> object:
        raise TypeError("no array")


class Number(int):
    pass


def wrong_values() -> list[Any]:
    """Return values of every wrong kind; created each time, since some are iterators."""
    looped: list[Any] = []
    looped.append(looped)
    counts = COUNTS
    return [
        None, True, False, 0, 1, -1, 3, 14, 10**30, -(10**30), 0.0, 1.5, float("nan"),
        float("inf"), 1j, Fraction(1, 2), Decimal("NaN"), "", "x", "123m", "\udcff", "1" * 5000,
        b"", b"123m", bytearray(b"x"), memoryview(b"xy"), (), [], {}, set(), [[]], [None], [1.5],
        ["x"],
        [10**30], [-1] * 27, [5] * 27, [1] * 26, [1] * 35, [1.0] * 27, [True] * 27, ["1"] * 27,
        {"standard": 1}, {0: 1}, range(27), iter([1] * 27), (x for x in ["standard"]), looped,
        itertools.repeat, object(), object, type, lambda *_: 1 / 0, Exception("x"), NotImplemented,
        ..., slice(3), Number(3), Path("x"), M0, FULL, HAND, [HAND], [HAND, None],
        [FULL_HAND, HAND],
        FULL_HAND, COUNTS[0], COUNTS.astype(float), COUNTS + 0.5, COUNTS.astype(np.int64) - 9,
        COUNTS.astype(object), COUNTS.astype(str), COUNTS.astype("S1"), COUNTS.astype(">i8"),
        COUNTS.astype(np.uint64) + 2**63, COUNTS.astype(bool), COUNTS.astype(complex),
        COUNTS.astype("datetime64[s]"), COUNTS.T, COUNTS[:, ::-1], COUNTS[:, ::2], counts[:0],
        np.zeros((0, 0)), np.zeros((3, 5), np.uint8), np.zeros((2, 27, 1), np.int8), np.array(3),
        np.full((2, 27), np.nan), np.full((2, 27), 255, np.uint8), np.zeros(2, [("a", "u1")]),
        np.ma.masked_array(COUNTS, COUNTS > 0), np.asfortranarray(COUNTS),
        np.float64(2), np.int8(-3),
        np.array([[1], None], object), np.broadcast_to(np.uint8(1), (3, 27)), np.random.default_rng,
        np.random.default_rng(1), Sneaky(), [Sneaky()],
    ]  # fmt: skip


Call = tuple[Callable[..., Any], tuple[Any, ...], Mapping[str, Any]]
ASKED = {"forms": ("standard",), "unseen": None}
DRAWN = {"forms": ("standard",), "wall": WALL}
SOLVED = {"model": "network", "solver": "highs", "options": None}
SMALL = Hand.parse("1278m", called=3)


def use(function: Callable[..., Any], *args: Any, **named: Any) -> Call:
    return function, args, named


# A three-player game that ends immediately, in the URL that requests it.
REVIEWED = "https://tenhou.net/6/#json=" + quote(
    '{"rule": {"disp": "三", "aka": 1}, "log": [[[0, 0, 0], [0, 0, 0], [11], [],'
    "[21,22,23,24,25,26,27,28,29,41,42,43,44], [45], [60],"
    "[31,32,33,34,35,36,37,38,39,41,42,43,44], [], [],"
    '[21,22,23,24,25,26,27,28,29,41,42,45,45], [], [], ["九種九牌"]]]}'
)

CALLS: dict[str, Call] = {
    "Hand": use(Hand, tiles=M0, counts=HAND.counts, called=0, melds=(), red=(), partial=False),
    "Hand.parse": use(Hand.parse, "1278m", tiles=M0, notation="mpsz", called=3, partial=True),
    "Hand.parse melds": use(Hand.parse, "11223m", melds=["111p", "789s", "3333s"]),
    "Hand.from_counts": use(Hand.from_counts, HAND.counts, tiles=M0, called=0, partial=False),
    "Hand.to_text": use(HAND.to_text, "mpsz"),
    "Certificate.from_json": use(Certificate.from_json, texts("native")[0][0]),
    "SolveOptions": use(mjopt.SolveOptions, time_limit=1.0, seed=0, threads=1),
    "TileSet": use(mjopt.TileSet, "M0", M0.suits),
    "Predecomposition": use(mjopt.Predecomposition, HAND, ()),
    "Block": use(mjopt.Block, (0, 1, 2), mjopt.candidates(HAND)[0].shape),
    "candidates": use(mjopt.candidates, HAND),
    "census": use(mjopt.census, M0, size=13, forms=("standard",), types=1),
    "certify": use(mjopt.certify, SMALL, **ASKED, **SOLVED),
    "explain": use(mjopt.explain, SMALL, **ASKED),
    "verify": use(mjopt.verify, "none.json", limits=proofs.LIMITS),
    "certify_many": use(mjopt.certify_many, [SMALL], jobs=1, **ASKED),
    "decompositions": use(mjopt.decompositions, HAND, solver="highs", options=None),
    "deficiency": use(mjopt.deficiency, HAND, **ASKED),
    "shanten": use(mjopt.shanten, HAND, **ASKED),
    "deficiency by a model": use(mjopt.deficiency, SMALL, **ASKED, **SOLVED),
    "discards": use(mjopt.discards, HAND, **ASKED, improving=False),
    "expected_draws": use(mjopt.expected_draws, SMALL, **DRAWN),
    "expected_draws_many": use(mjopt.expected_draws_many, [SMALL], walls=[WALL], threads=1),
    "is_win": use(mjopt.is_win, HAND, forms=("standard",), solver="highs", options=None),
    "judge_calls": use(mjopt.judge_calls, Hand.parse("1122m", called=3), "1m", **DRAWN),
    "label": use(mjopt.label, COUNTS, called=0, forms=("standard",), unseen=None, partial=False,
                 threads=1, out=None),
    "label by forms": use(mjopt.label, COUNTS, forms=("standard", "seven_pairs"), called=[0, 0]),
    "label limited": use(mjopt.label, COUNTS, unseen=4 - COUNTS, partial=True),
    "pack": use(mjopt.pack, COUNTS, threads=1),
    "unpack": use(mjopt.unpack, mjopt.pack(COUNTS), threads=1),
    "label_packed": use(mjopt.label_packed, mjopt.pack(COUNTS), called=0, partial=False, threads=1,
                        out=None),
    "rank_discards": use(mjopt.rank_discards, Hand.parse("11223m", called=3), **DRAWN, exact=True),
    "optimal_play": use(mjopt.optimal_play, Hand.parse("1123m", called=3), tiles=None, wall=None,
                        draws=3, waste=0, seconds=0.1, forms=("standard",), called=None),
    "review": use(mjopt.review, REVIEWED, forms=("standard",), draws=False, seat=None),
    "solve": use(mjopt.solve, SMALL, **SOLVED, unseen=None),
    "targets": use(mjopt.targets, SMALL, **ASKED),
    "useful_tiles": use(mjopt.useful_tiles, SMALL, **ASKED),
    "useful_tiles_many": use(mjopt.useful_tiles_many, COUNTS[:1], called=0, unseen=None,
                             forms=("standard",), threads=1),
    "discards_many": use(mjopt.discards_many, COUNTS[1:], called=0, unseen=None, improving=False,
                         forms=("standard",), threads=1),
    "battle": use(mjopt.battle, ("first", "random", "first", "l1"), games=1, rules="m0", seed=1,
                  rounds=1, dealer="turns", time_limit=None, jobs=1),
    "compare": use(mjopt.compare, "tree-search", hands="two-type:2", runs=1, seed=1, tiles="m0",
                   early_stop=False, sample=0, curves=0, certificates=0),
    "heuristics.run": use(heuristics.run, "ndde", HAND, rng=np.random.default_rng(1), population=4,
                          generations=2),
    "heuristics.read_method": use(heuristics.read_method, "ndde:population=4"),
    "heuristics.evaluate": use(heuristics.evaluate, HAND, ()),
    "datasets.make_plan": use(datasets.make_plan, "deals:9", seed=1, shards=2,
                              labels=("deficiency",), splits="a=1"),
    "datasets.check_dataset": use(datasets.check_dataset, Path("nowhere")),
    "datasets.sample_rows": use(datasets.sample_rows, Path("nowhere"), 2),
    "game.shuffle_wall": use(game.shuffle_wall, 1, 0, M0),
    "game.read_record": use(game.read_record, "x"),
    "game.get_rules": use(game.get_rules, "m0"),
    "battles.Plan": use(
        tournaments.BattleConfig, agents=("l1",) * 4, rules="m0", seed=1, games=1, rounds=1
    ),
    "battles.stable_rank": use(tournaments.stable_rank, [1, 2, 3, 4]),
    "proofs.verify_win_chance": use(proofs.verify_win_chance, texts("native")[0][0]),
    "proofs.read_native": use(proofs.read_native, texts("native")[0][0]),
    "proofs.check_native": use(proofs.check_native, {}),
}  # fmt: skip
FEW = {"jobs", "threads", "games", "runs"}  # arguments whose large values take long
MADE_BY_OTHERS = {
    "Answer", "CallDraws", "Census", "Certificate", "Discard", "DiscardBatch", "DiscardDraws",
    "Draws", "Explanation", "MjoptError", "Play", "PlayedDiscard", "Review", "Targets",
    "UsefulBatch", "UsefulTiles",
}  # fmt: skip
"""Records of answers: functions above make them."""


def judge(name: str, call: Call) -> Judge:
    def case(rng: random.Random, folder: Path) -> str | None:
        function, args, named = call
        given, options = list(args), dict(named)
        told = []
        places: list[Any] = [*range(len(args)), *named]
        for place in rng.sample(places, min(len(places), rng.choice([1, 1, 1, 2]))):
            number = rng.randrange(len(wrong_values()))
            wrong = wrong_values()[number]
            if place in FEW and isinstance(wrong, int) and wrong > 16:
                continue
            told.append(f"{place}={_shown(wrong)}")
            (given if isinstance(place, int) else options)[place] = wrong
        try:
            found = function(*given, **options)
            if hasattr(found, "__next__"):
                list(itertools.islice(found, 9))
        except (MjoptError, TypeError) as error:
            if isinstance(error, MjoptError) and len(str(error).splitlines()) > 1:
                return f"{name}({', '.join(told)}): more than one line: {error}"
        except OSError as error:  # a file name that the system rejects
            return None if error.filename else f"{name}({', '.join(told)}): {error}"
        except Exception as error:
            return f"{name}({', '.join(told)}): {type(error).__name__}: {error}"
        return None

    return case


def _shown(value: Any) -> str:
    try:
        text = f"{type(value).__name__} {value!r}"
    except Exception:  # its repr fails too
        text = type(value).__name__
    return text[:80]


ATTACK = Attack(
    "Python calls",
    "public functions with wrong types, shapes and sizes",
    {name: judge(name, call) for name, call in CALLS.items()},
)
