"""Public functions with arguments of wrong types, shapes, dtypes and sizes."""

import atexit
import itertools
import json
import random
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from adversarial.attack import Attack, Judge
from helpers.certificate_corpus import HANDS
from helpers.made_study import make_study

import mjopt
from mjopt import (
    FULL,
    M0,
    Certificate,
    Hand,
    MjoptError,
    audits,
    datasets,
    heuristics,
    instances,
    models,
    proofs,
    statistics,
    studies,
    tables,
)
from mjopt.analysis import formats
from mjopt.chances import ceiling, draws
from mjopt.datasets import labels
from mjopt.hands import notation
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.tiles import TileSet
from mjopt.models import solvers
from mjopt.play import game, learning, riichi, solitaire, tournaments
from mjopt.play.game import agents

HAND = Hand.parse("123m456p1122789s")
FULL_HAND = Hand.parse("4569m13445788p2s4z", tiles=FULL)
COUNTS = np.array([HAND.counts, Hand.parse("11122233344455s").counts], np.uint8)
PACKED = np.array([[21, 1344, 86026], [0, 0, 767]], np.uint32)  # packed by a kernel
TAIWAN = mjopt.get_rules("taiwan")
FORMS = ("standard", "seven_pairs")
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


class Later:
    """An argument that takes time to make: made once, when a call needs it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = cache(make)


def arguments(call: Call) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a valid call."""
    _, args, named = call
    of = lambda value: value.make() if isinstance(value, Later) else value  # noqa: E731
    return [of(value) for value in args], {name: of(value) for name, value in named.items()}


ASKED = {"forms": ("standard",), "unseen": None}
DRAWN = {"forms": ("standard",), "wall": WALL}
SOLVED = {"model": "network", "solver": "highs", "options": None}
SMALL = Hand.parse("1278m", called=3)


def use(function: Callable[..., Any], *args: Any, **named: Any) -> Call:
    return function, args, named


RULES = game.M0_RULES
STATE = game.start(RULES, game.shuffle_wall(1, 0, M0))
MOVE = game.legal_moves(STATE)[-1]
RIICHI_TABLE = riichi.deal_table(riichi.RIICHI_GAME, 1, 0)
RIICHI_TABLE.forfeit(0)
RIICHI_LINE = RIICHI_TABLE.record(["a", "b", "c", "d"], seed=1, game=0)
LINE = game.write_record(game.forfeit(STATE, 0), names=["a", "b", "c", "d"], seed=1, game=0)
CERTIFICATE = HANDS["14 tiles"]()
NATIVE = CERTIFICATE.to_json()
BLOCKS = [[3, 2, 1], [3, 1, 2], [2, 3, 1]]
KEY = ceiling.TableKey(called=4, draws=1)


@cache
def scratch() -> Path:
    """Return a folder for what the calls below read."""
    folder = Path(tempfile.mkdtemp(prefix="attack-calls-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def make_dataset() -> Path:
    datasets.build(datasets.make_plan("deals:9", seed=1, splits="a=1"), scratch() / "dataset")
    return scratch() / "dataset"


def make_answers() -> HandFile:
    path = scratch() / "answers.csv"
    path.write_text("hand,n\n1112345678999m,0\n")
    return HandFile(path=path, format="csv", tiles=M0)


DATASET = Later(make_dataset)
STUDY = Later(lambda: make_study(scratch() / "study", methods=("tree-search",), hands=2, runs=1))
STUDY_CONFIG = Later(lambda: STUDY.make().config)
STUDY_FOLDER = Later(lambda: STUDY.make().folder)
SMALL_TABLE = Later(lambda: ceiling.build_ceiling(scratch() / "table", key=KEY).path)
WIN_CHANCE = Later(
    lambda: json.dumps(mjopt.optimal_play(Hand.parse("1123m", called=3), draws=1).to_certificate())
)
BATTLE = Later(lambda: mjopt.play.battle(["first", "l1"] * 2, games=1, rules="m0", seed=1))

# A three-player game that ends immediately, in the URL that requests it.
REVIEWED = "https://tenhou.net/6/#json=" + quote(
    '{"rule": {"disp": "三", "aka": 1}, "log": [[[0, 0, 0], [0, 0, 0], [11], [],'
    "[21,22,23,24,25,26,27,28,29,41,42,43,44], [45], [60],"
    "[31,32,33,34,35,36,37,38,39,41,42,43,44], [], [],"
    '[21,22,23,24,25,26,27,28,29,41,42,45,45], [], [], ["九種九牌"]]]}'
)

BATCH = audits.HandBatch.of([HAND])
ANSWERS = replace(audits.AnswerBlock.of(BATCH), given={"n": np.array([4])})
AUDIT = audits.Audit({"n": "shanten"}, tiles=M0, forms=mjopt.get_rules("basic").forms)
ANSWER_FILE = Later(make_answers)

CALLS: dict[str, Call] = {
    "Hand": use(Hand, tiles=M0, counts=HAND.counts, called=0, melds=(), red=(), partial=False),
    "Hand.parse": use(Hand.parse, "1278m", tiles=M0, notation="mpsz", called=3, partial=True),
    "Hand.parse melds": use(Hand.parse, "11223m", melds=["111p", "789s", "3333s"]),
    "Hand.from_counts": use(Hand.from_counts, HAND.counts, tiles=M0, called=0, partial=False),
    "Hand.to_text": use(HAND.to_text, "mpsz"),
    "Certificate.from_json": use(Certificate.from_json, NATIVE),
    "SolveOptions": use(mjopt.SolveOptions, time_limit=1.0, seed=0, threads=1),
    "TileSet": use(mjopt.TileSet, "M0", M0.suits),
    "Predecomposition": use(mjopt.Predecomposition, HAND, ()),
    "Block": use(mjopt.Block, (0, 1, 2), mjopt.candidates(HAND)[0].shape),
    "candidates": use(mjopt.candidates, HAND),
    "get_rules": use(mjopt.get_rules, "taiwan"),
    "RuleSet": use(mjopt.RuleSet, name="mine", title="Mine", tiles=M0, size=14, forms=FORMS),
    "WinningForm": use(mjopt.WinningForm, "mine", FULL, TAIWAN.forms[0].templates),
    "census": use(mjopt.census, M0, size=13, forms=("standard",), types=1),
    "certify": use(mjopt.certify, SMALL, **ASKED, **SOLVED),
    "explain": use(mjopt.explain, SMALL, **ASKED),
    "export": use(mjopt.export, SMALL, "no/such/folder.lp", model="completion", format=None,
                  solution=False, unseen=None, solver=None),
    "verify": use(mjopt.verify, "none.json", limits=proofs.LIMITS),
    "certify_many": use(mjopt.certify_many, [SMALL], jobs=1, **ASKED),
    "decompositions": use(mjopt.decompositions, HAND, solver="highs", options=None),
    "deficiency": use(mjopt.deficiency, HAND, **ASKED),
    "shanten": use(mjopt.shanten, HAND, **ASKED),
    "deficiency by a model": use(mjopt.deficiency, SMALL, **ASKED, **SOLVED),
    "discards": use(mjopt.discards, FULL_HAND, **ASKED, improving=False),
    "expected_draws": use(mjopt.expected_draws, SMALL, **DRAWN),
    "expected_draws_many": use(mjopt.expected_draws_many, [SMALL], walls=[WALL], threads=1),
    "is_win": use(mjopt.is_win, HAND, forms=("standard",), solver="highs", options=None),
    "advise": use(mjopt.advise, mjopt.Position(hand=SMALL, draws=2), effort="quick"),
    "danger": use(mjopt.danger, SMALL, ["passed=1m"], prior="uniform", seen=None, wall=None,
                  forms=("standard",)),
    "Opponent": use(mjopt.Opponent, melds=("123m",), called=1, discards=(0,), passed=[1],
                    is_ready=True),
    "Opponent.parse": use(mjopt.Opponent.parse, "melds=123m,777z discards=1m passed=2m ready=yes"),
    "Prior": use(mjopt.Prior, name="mine", weights=mjopt.PRIORS["uniform"].weights, fitted_to=""),
    "judge_calls": use(mjopt.judge_calls, Hand.parse("1122m", called=3), "1m", **DRAWN, draws=2,
                       effort="quick"),
    "Position": use(mjopt.Position, hand=Hand.parse("1122m", called=3), wall=WALL, draws=2,
                    forms=("standard",), offered=0, calls=()),
    "Position.parse": use(mjopt.Position.parse, "1122m called=3 draws=2 offered=1m"),
    "CallOption": use(mjopt.CallOption, mjopt.candidates(HAND)[0], 2),
    "label": use(mjopt.label, COUNTS, called=0, forms=("standard",), unseen=None, partial=False,
                 threads=1, out=None),
    "label by forms": use(mjopt.label, COUNTS, forms=("standard", "seven_pairs"), called=[0, 0]),
    "label limited": use(mjopt.label, COUNTS, unseen=4 - COUNTS, partial=True),
    "pack": use(mjopt.pack, COUNTS, threads=1),
    "unpack": use(mjopt.unpack, PACKED, threads=1),
    "label_packed": use(mjopt.label_packed, PACKED, called=0, partial=False, threads=1,
                        out=None),
    "rank_discards": use(mjopt.rank_discards, Hand.parse("11223m", called=3), **DRAWN, exact=True),
    "optimal_play": use(mjopt.optimal_play, Hand.parse("1123m", called=3), wall=None,
                        draws=3, waste=0, seconds=0.1, forms=("standard",)),
    "play.review": use(mjopt.play.review, REVIEWED, forms=("standard",), by="draws", seat=None,
                       strict=False, jobs=1),
    "solve": use(mjopt.solve, SMALL, **SOLVED, unseen=None),
    "targets": use(mjopt.targets, SMALL, **ASKED),
    "useful_tiles": use(mjopt.useful_tiles, SMALL, **ASKED),
    "useful_tiles_many": use(mjopt.useful_tiles_many, COUNTS[:1], called=0, unseen=None,
                             forms=("standard",), threads=1),
    "discards_many": use(mjopt.discards_many, COUNTS[1:], called=0, unseen=None, improving=False,
                         forms=("standard",), threads=1),
    "play.battle": use(mjopt.play.battle, ("first", "random", "first", "l1"), games=1, rules="m0",
                       seed=1, rounds=1, dealer="turns", time_limit=None, jobs=1),
    "compare": use(mjopt.compare, "tree-search", hands="two-type:2", runs=1, seed=1, tiles="m0",
                   early_stop=False, sample=0, curves=0, certificates=0),
    "heuristics.run": use(heuristics.run, "ndde", HAND, rng=np.random.default_rng(1), population=4,
                          generations=2),
    "heuristics.read_method": use(heuristics.read_method, "ndde:population=4"),
    "heuristics.evaluate": use(heuristics.evaluate, [0] * 5, heuristics.Encoding(HAND)),
    "datasets.make_plan": use(datasets.make_plan, "deals:9", seed=1, shards=2,
                              labels=("deficiency",), splits="a=1", where="", rules="mcr"),
    "datasets.build": use(datasets.build, datasets.make_plan("deals:9"), "dataset", jobs=1,
                          licence="MIT"),
    "datasets.check_dataset": use(datasets.check_dataset, DATASET, sample=1, seed=1, recipe="",
                                  where=""),
    "datasets.describe_dataset": use(datasets.describe_dataset, DATASET),
    "datasets.sample_rows": use(datasets.sample_rows, DATASET, 2, rng=1, split="a"),
    "datasets.to_numpy": use(datasets.to_numpy, DATASET, ["deficiency"], split="a"),
    "datasets.to_pandas": use(datasets.to_pandas, DATASET, ["deficiency"], split="a"),
    "datasets.read_recipe": use(datasets.read_recipe, "deals:9", tiles=M0, size=14),
    "datasets.labels.get_label": use(labels.get_label, "advice:3"),
    "datasets.labels.best_discard_masks": use(labels.best_discard_masks, COUNTS[1:], called=0),
    "datasets.labels.num_decompositions": use(labels.num_decompositions, COUNTS[1:], called=0),
    "datasets.labels.num_targets": use(labels.num_targets, COUNTS, called=0),
    "datasets.labels.useful_masks": use(labels.useful_masks, COUNTS, called=0),
    "play.game.agent_stream": use(game.agent_stream, 1, 0, 0, run=0),
    "play.game.forfeit": use(game.forfeit, STATE, 0),
    "play.env": use(mjopt.play.env, "m0", declare="never", render_mode=None),
    "play.game.legal_moves": use(game.legal_moves, STATE),
    "play.game.mjai_lines": use(game.mjai_lines, LINE),
    "play.game.replay": use(game.replay, LINE),
    "play.game.replay_steps": use(game.replay_steps, LINE),
    "play.game.run_game": use(
        game.run_game, [agents.L1()] * 4, STATE.wall, rules=RULES, dealer=0, seed=1, game=0,
        rngs=[np.random.default_rng(1)] * 4, time_limit=9.0,
    ),
    "play.game.run_hand": use(
        game.run_hand, game.Match(rules=RULES, names=("l1",) * 4, seed=1), [agents.L1()] * 4,
        time_limit=9.0,
    ),
    "play.game.shuffle_wall": use(game.shuffle_wall, 1, 0, M0),
    "play.game.start": use(
        game.start, RULES, STATE.wall, dealer=0, unordered=False, rng=np.random.default_rng(1)
    ),
    "play.game.step": use(game.step, STATE, MOVE, rng=np.random.default_rng(1)),
    "play.game.read_record": use(game.read_record, LINE),
    "play.game.get_game_rules": use(game.get_game_rules, "m0"),
    "play.game.view_of": use(game.view_of, STATE, 0),
    "play.game.write_record": use(
        game.write_record, game.forfeit(STATE, 0), names=["a", "b", "c", "d"], seed=1, game=0,
        fault="slow",
    ),
    "play.game.agents.known_agents": use(agents.known_agents),
    "play.game.agents.read_agent": use(agents.read_agent, "l1", perfect_information=False),
    "play.riichi.deal_table": use(riichi.deal_table, RULES, 1, 0, dealer=1),
    "play.riichi.get_table_rules": use(riichi.get_table_rules, "m0"),
    "play.riichi.open_match": use(
        riichi.open_match, RULES, names=["a", "b", "c", "d"], seed=1, most_hands=1
    ),
    "play.riichi.run_next_hand": use(
        riichi.run_next_hand, game.Match(rules=RULES, names=("l1",) * 4, seed=1),
        [agents.L1()] * 4, time_limit=9.0,
    ),
    "play.riichi.replay_riichi": use(riichi.replay_riichi, RIICHI_LINE),
    "play.riichi.riichi_wall": use(riichi.riichi_wall, 1, 0),
    "heuristics.as_heuristic": use(heuristics.as_heuristic, "ndde", population=4),
    "heuristics.deficiency_levels": use(
        heuristics.deficiency_levels, TileSet("honours", FULL.suits[3:]), called=3
    ),
    "heuristics.evaluations": use(heuristics.evaluations, 5),
    "heuristics.generations": use(heuristics.generations, 5),
    "heuristics.get_heuristic": use(heuristics.get_heuristic, "ndde"),
    "heuristics.make_feasible": use(
        heuristics.make_feasible, [0] * 5, heuristics.Encoding(HAND), rule="pmelds-first", rng=1
    ),
    "heuristics.problem": use(heuristics.problem, HAND),
    "heuristics.reached": use(heuristics.reached, 5),
    "heuristics.run_batch": use(
        heuristics.run_batch, heuristics.NDDE(population=4, generations=2), COUNTS[:1], seed=1,
        method="ndde", hand_numbers=[0], run=0, targets=[0], stop_at_target=True, called=0,
    ),
    "heuristics.seconds": use(heuristics.seconds, 5),
    "heuristics.stream": use(heuristics.stream, 1, "ndde", 0, 0),
    "play.learning.action_planes": use(learning.action_planes, np.array([5]), 27),
    "play.learning.change_of": use(learning.change_of, 5, 27),
    "play.learning.encode": use(
        learning.encode, STATE, 0, learning.Configuration(), scores=(0, 0, 0, 0)
    ),
    "play.learning.encode_view": use(
        learning.encode_view, game.view_of(STATE, 0), learning.Configuration(),
        scores=(0, 0, 0, 0),
    ),
    "play.learning.full_number": use(learning.full_number, 5, 1, 3, 27),
    "play.learning.legal_numbers": use(
        learning.legal_numbers, [MOVE], tile=-1, drawn=3, kinds=27, declare="never"
    ),
    "play.learning.public_planes": use(learning.public_planes, learning.Configuration()),
    "play.learning.small_number": use(learning.small_number, MOVE, tile=-1, drawn=3, kinds=27),
    "play.learning.small_of_full": use(learning.small_of_full, 5, 27),
    "play.learning.transition_number": use(
        learning.transition_number, STATE, MOVE, game.step(STATE, MOVE), player_state="offered"
    ),
    "chances.draws.derive_automaton": use(draws.derive_automaton, 4, pairs=False),
    "chances.draws.minimise": use(draws.minimise, draws.derive_automaton(0)),
    "analysis.formats.dual_proof": use(formats.dual_proof, CERTIFICATE),
    "analysis.formats.to_opb": use(formats.to_opb, CERTIFICATE, version="3.0"),
    "analysis.formats.to_vipr": use(formats.to_vipr, CERTIFICATE),
    "analysis.formats.verify_files": use(
        formats.verify_files, [Path("none.json")], jobs=1, limits=proofs.LIMITS, stdin=None
    ),
    "models.chow": use(models.chow, 3),
    "models.eye": use(models.eye, 3),
    "models.pong": use(models.pong, 3),
    "models.uses": use(models.uses, [models.chow(0)], 1),
    "models.solvers.safe_bound": use(
        solvers.safe_bound, models.get_formulation("blockwise").build(HAND), 2.3
    ),
    "play.learning.search_states": use(
        learning.search_states, None, [], encode=None, rng=np.random.default_rng(1),
        settings=learning.SearchSettings(simulations=2), declare="never",
    ),
    "play.learning.toy_state": use(learning.toy_state, 1, 0, wall=6),
    "play.solitaire.rank_rules": use(
        solitaire.rank_rules, ["useful"], deals=2, draws=2, seed=1, tiles=M0, jobs=1
    ),
    "ceiling": use(
        mjopt.ceiling, Hand.parse("12m", called=4), draws=1, table=SMALL_TABLE
    ),
    "ceiling_many": use(
        mjopt.ceiling_many, np.eye(27, dtype=np.uint8), called=4, draws=1, table=SMALL_TABLE
    ),
    "chances.ceiling.build_ceiling": use(ceiling.build_ceiling, SMALL_TABLE, key=KEY, threads=1),
    "chances.ceiling.data_folder": use(ceiling.data_folder),
    "chances.ceiling.find_table": use(ceiling.find_table, M0, called=3, draws=1),
    "chances.ceiling.requirements": use(ceiling.requirements, KEY),
    "audits.compare": use(audits.compare, [ANSWERS], AUDIT, progress=None),
    "audits.get_engine": use(audits.get_engine, "mahjong", command=None, questions=["shanten"],
                             forms=None, tiles=FULL),
    "audits.get_engine of a command": use(audits.get_engine, None, command="cat",
                                          questions=["win"], protocol="text", timeout=1.0,
                                          forms=FORMS, tiles=M0),
    "audits.Audit": use(audits.Audit, {"n": "shanten"}, tiles=M0, forms=TAIWAN.forms, rules=None),
    "audits.HandBatch.of": use(audits.HandBatch.of, [HAND], left=None),
    "audits.AnswerBlock.of": use(audits.AnswerBlock.of, BATCH, 1),
    "audits.AnswerFile.open": use(audits.AnswerFile.open, ANSWER_FILE, columns={"n": "shanten"}),
    "hands.notation.get_notation": use(notation.get_notation, "mpsz"),
    "hands.notation.read_tiles": use(notation.read_tiles, ["12m"], "mpsz", M0),
    "instances.build_instances": use(instances.build_instances, "no/such/folder", hands=3, seed=1,
                                     jobs=1, scheduler=None),
    "instances.choose_hands": use(instances.choose_hands, 3, seed=1),
    "instances.read_index": use(instances.read_index, "none"),
    "instances.solve_instances": use(instances.solve_instances, "none", "no/such/folder",
                                     solvers=("cbc",), models=("completion",), time_limit=1.0,
                                     jobs=1),
    "models.get_formulation": use(models.get_formulation, "network"),
    "models.solvers.default_solver": use(solvers.default_solver),
    "models.solvers.get_solver": use(solvers.get_solver, "highs"),
    "models.solvers.root_bound": use(
        solvers.root_bound, models.get_formulation("blockwise").build(SMALL)
    ),
    "studies.certified_search": use(
        studies.certified_search, "ndde", SMALL, rng=1, stop=heuristics.generations(2)
    ),
    "studies.parse_methods": use(studies.parse_methods, ["ndde"]),
    "studies.read_hand_set": use(
        studies.read_hand_set, "two-type:2", seed=1, tiles=M0, name="two", certificates=0
    ),
    "studies.run_study": use(
        studies.run_study, STUDY_CONFIG, STUDY_FOLDER, jobs=1, only=["tree-search"]
    ),
    "studies.write_report": use(studies.write_report, STUDY),
    "statistics.bootstrap_ratio": use(statistics.bootstrap_ratio, [0, 1], [1, 2], rng=1),
    "statistics.bootstrap_mean": use(statistics.bootstrap_mean, [0, 1], rng=1),
    "statistics.cohens_d": use(statistics.cohens_d, [1, 2], [2, 4]),
    "statistics.critical_difference": use(
        statistics.critical_difference, 4, 14, alpha=0.05
    ),
    "statistics.equivalence": use(
        statistics.equivalence, [1, 2], [2, 4], margin=1.0, names=("a", "b")
    ),
    "statistics.friedman": use(statistics.friedman, BLOCKS, names=["a", "b", "c"]),
    "statistics.hedges_g": use(statistics.hedges_g, [1, 2], [2, 4]),
    "statistics.holm": use(statistics.holm, [0.1, 0.2]),
    "statistics.holm_correct": use(statistics.holm_correct, []),
    "statistics.mean_ranks": use(
        statistics.mean_ranks, BLOCKS, higher_is_better=True
    ),
    "statistics.nemenyi": use(
        statistics.nemenyi, BLOCKS, names=["a", "b", "c"], higher_is_better=True
    ),
    "statistics.rank_biserial": use(statistics.rank_biserial, [1, -2]),
    "statistics.rank_sum": use(
        statistics.rank_sum, [1, 2], [2, 4], names=("a", "b")
    ),
    "statistics.rank_z": use(
        statistics.rank_z, BLOCKS, names=["a", "b", "c"], higher_is_better=True
    ),
    "statistics.signed_rank": use(
        statistics.signed_rank, [1, 2], [2, 4], names=("a", "b")
    ),
    "statistics.t_test": use(
        statistics.t_test, [1, 2], [2, 4], kind="welch", names=("a", "b")
    ),
    "statistics.vargha_delaney": use(statistics.vargha_delaney, [1, 2], [2, 4]),
    "statistics.wilson": use(statistics.wilson, 8, 10, confidence=0.95),
    "statistics.wilson_clustered": use(statistics.wilson_clustered, [1, 2], 3),
    "tables.label_limited": use(tables.label_limited, COUNTS, 4 - COUNTS, called=0),
    "tables.label_limited_one": use(
        tables.label_limited_one, HAND.counts, [1] * 27, 0, forms=("standard",), partial=False
    ),
    "tables.label_one": use(
        tables.label_one, HAND.counts, 0, forms=("standard",), partial=False
    ),
    "play.tournaments.BattleConfig": use(
        tournaments.BattleConfig, agents=("l1",) * 4, rules="m0", seed=1, games=1, rounds=1
    ),
    "play.tournaments.bradley_terry": use(tournaments.bradley_terry, [[0, 3], [1, 0]]),
    "play.tournaments.compare": use(tournaments.compare, BATTLE, tests=True, margin=1.0),
    "play.tournaments.get_preset": use(tournaments.get_preset, "gmjbg-table-1"),
    "play.league": use(
        mjopt.play.league, ["l1", "first"], games=4, rules="m0", seed=1, jobs=1,
        time_limit=9.0,
    ),
    "play.tournaments.stable_rank": use(tournaments.stable_rank, [1, 2, 3, 4]),
    "play.tournaments.summarise": use(tournaments.summarise, BATTLE),
    "proofs.verify_win_chance": use(proofs.verify_win_chance, WIN_CHANCE),
    "proofs.read_native": use(proofs.read_native, NATIVE),
    "proofs.check_native": use(proofs.check_native, proofs.read_native(NATIVE)),
}  # fmt: skip
FEW = {"jobs", "threads", "games", "runs"}  # arguments whose large values take long
MADE_BY_OTHERS = {
    "Advice", "AdvisedOption", "Answer", "Ceiling", "CeilingDiscard", "Census", "Certificate",
    "Danger", "KindDanger", "OpponentDanger",
    "Discard", "DiscardBatch", "DiscardDraws", "Draws", "Explanation", "MjoptError", "Play",
    "PlayedDiscard", "Targets", "UsefulBatch", "UsefulTiles", "play.Review",
}  # fmt: skip
"""Records of answers: functions above make them."""


def judge(name: str, call: Call) -> Judge:
    def case(rng: random.Random, folder: Path) -> str | None:
        function = call[0]
        given, options = arguments(call)
        told = []
        places: list[Any] = [*range(len(given)), *options]
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
