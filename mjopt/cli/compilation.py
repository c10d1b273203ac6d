"""Compilation of kernels ahead of their use, in batches that compile what some work needs."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from mjopt._internal.executor import WorkerProcesses
from mjopt._internal.jit import (
    compile_always,
    compiled_kernels,
    in_python,
    marker_folder,
    start_note,
)
from mjopt.hands.tiles import FULL, M0, SANMA, TileSet
from mjopt.hands.winning_forms import STANDARD, check_forms
from mjopt.heuristics.population import PopulationMethod
from mjopt.heuristics.registry import HEURISTICS


@contextmanager
def compile_ahead(names: Iterable[str]) -> Iterator[bool]:
    """Compile in other processes while a block runs; yield whether there is anything to compile.

    Kernels that the block needs meanwhile it compiles itself, or waits for those processes.

    Parameters
    ----------
    names
        Keys of `BATCHES`; those that were compiled before are skipped.
    """
    folder, num_cores = marker_folder(), os.cpu_count() or 1
    missing = [name for name in names if folder and not _marker(folder, name).exists()]
    if not missing or num_cores == 1:
        yield False
        return
    from concurrent.futures import wait

    import cloudpickle

    note, workers = start_note(), WorkerProcesses(max(2, min(num_cores, len(missing))))
    try:
        function = cloudpickle.dumps(compile_batch)
        tasks = [workers.submit(function, cloudpickle.dumps(name)) for name in missing]
        tasks[-1].add_done_callback(lambda _: note.cancel())
        yield True
        wait(tasks)
    finally:
        note.cancel()
        workers.terminate()  # they keep nothing, and would take long to unload their libraries


def compile_batch(name: str) -> list[str]:
    """Run a small batch, and return the names of the kernels that this process compiled."""
    with compile_always():
        BATCHES[name]()
    if folder := marker_folder():
        _marker(folder, name).touch()
    return compiled_kernels()


def _marker(folder: Path, name: str) -> Path:
    """Return the path of an empty file that exists once a batch is compiled."""
    return folder / f"{name}.batch"


def _hands(tiles: TileSet) -> Any:
    from mjopt.datasets.plan import make_plan

    return make_plan("deals:100", tiles=tiles).hand_recipe.block(0, seed=0)[:100]


def _label(tiles: TileSet) -> None:
    from mjopt.analysis.batch import discards_many
    from mjopt.tables import label, label_limited
    from mjopt.tables.packed import label_packed, pack, unpack

    rows = _hands(tiles)
    forms = check_forms("all", tiles)
    label(rows, tiles=tiles, forms=forms)
    label(rows, tiles=tiles)
    label_limited(rows, 4 - rows, tiles=tiles, forms=forms)
    label_limited(rows, np.full(tiles.num_kinds, 4), tiles=tiles, forms=forms)
    label_packed(pack(rows, tiles=tiles), tiles=tiles)
    unpack(pack(rows, tiles=tiles), tiles=tiles)
    discards_many(rows, tiles=tiles)
    discards_many(rows, tiles=tiles, unseen=np.ones_like(rows))


def _dataset(tiles: TileSet) -> None:
    from mjopt.datasets.arrow import hand_texts
    from mjopt.datasets.labels.registry import LABELS
    from mjopt.datasets.plan import make_plan
    from mjopt.datasets.shard import hand_rows, read_block
    from mjopt.datasets.splits import split_of
    from mjopt.errors import RecipeError

    recipes = ["deals:100", "distinct:100", "two-type:100", "stratified:100", "kongs:100", "all"]
    for recipe in recipes if tiles is M0 else recipes[:1]:
        plan = make_plan(recipe, tiles=tiles)
        columns = read_block(plan, 0, 0, 100)
    rows = hand_rows(plan, columns)
    hand_texts(rows.hands, tiles)
    split_of(rows.hands, (("train", 0.5), ("test", 0.5)), tiles)
    for name in LABELS:
        if name not in ("certificate", "digest"):
            try:
                make_plan("deals:100", tiles=tiles, labels=(name,))
            except RecipeError:  # the recipe does not support this tile set
                continue
            LABELS[name].values(rows)


def _search(name: str) -> None:
    method: Any = HEURISTICS[name]()
    if isinstance(method, PopulationMethod):
        method.compile_kernel()  # the command compiles the kernel that lists S
        return
    _run(method)


def _run(method: Any) -> None:
    """Run a method on hands from no sampler, which would compile, too."""
    from mjopt.heuristics.runner import run_batch

    rows = np.tile(np.repeat([1, 0], [13, 14]).astype(np.uint8), (100, 1))
    run_batch(method, rows, seed=0, method=method.name, hand_numbers=np.arange(100), run=0)


def _problem() -> None:
    from mjopt.heuristics.problem import problem

    problem("1112345678999m").evaluate_batch(np.zeros((1, 5)))
    _run(HEURISTICS["ndde"]())  # also the kernel that lists S for every search


def _draws() -> None:
    from mjopt.chances.draws.expected_draws import expected_draws, float_mean
    from mjopt.hands.hand import Hand

    hand = Hand.parse("1112345678999m")
    expected_draws(hand)
    float_mean(hand)


def _play() -> None:
    from mjopt.chances.win_chance.optimal_play import optimal_play
    from mjopt.hands.hand import Hand

    optimal_play(Hand.parse("1123m", called=3), draws=2, waste=1, table=False)


def _play_bounds() -> None:
    """Compile the kernels that a search for a play calls last, in the reverse order.

    Their arguments come from Python, so that no other kernel is compiled first.
    """
    from mjopt.chances.win_chance import _depletion_kernels, _policy_kernels, bounds
    from mjopt.chances.win_chance.graph import WORDS, Graph, SearchSpace
    from mjopt.hands.hand import Hand

    none, kinds = np.zeros(0, np.int64), M0.num_kinds
    graph = Graph(  # 1m, which wins by another one
        space=SearchSpace(
            hand=Hand.parse("1m", called=4),
            wall=(1,) * kinds,
            forms=(STANDARD,),
            deficiency=1,
            waste=0,
        ),
        roots={-1: 0},
        states=np.eye(1, kinds, dtype=np.uint8),
        left=np.ones((1, kinds), np.int64),
        num_new=np.zeros(1, np.int64),
        edge_state=none,
        edge_kind=none,
        edge_full=np.zeros(0, np.int32),
        win_state=np.zeros(1, np.int64),
        win_kind=np.zeros(1, np.int64),
    )
    values, factors = np.zeros((2, 1), np.int64), np.zeros((1, kinds), np.int64)
    bounds.depletion_bounds(graph, values, kinds, factors.astype(np.int8))
    root, leaves = np.zeros(1, np.int64), np.zeros((1, 0), np.int32)
    follow = in_python(_policy_kernels.follow_kernel)
    rows = follow(graph.arrays, leaves, values, root, np.zeros(3, np.int64), np.zeros(1, np.int64))
    words = np.zeros((1, WORDS), np.uint64)
    reached, refused = np.ones(1, np.bool_), np.zeros(WORDS, np.uint64)
    depletion: Any = graph.arrays, rows, reached, words, refused
    in_python(_depletion_kernels.depletion_caps_kernel)(*depletion)
    bounds.lower_bounds(graph, rows, reached, words, factors, kinds)
    _depletion_kernels.depletion_caps_kernel(*depletion)


def _ceiling() -> None:
    from mjopt.chances.ceiling import TableKey, build_ceiling, describe_table
    from mjopt.play.solitaire.ceiling_play import lookahead_rule, play_deals
    from mjopt.play.solitaire.relaxation import relaxed_bound

    key = TableKey(called=4, draws=2, all_layers=True)
    with TemporaryDirectory() as folder:
        table = build_ceiling(f"{folder}/table", key=key)
        describe_table(table)
        play_deals(lookahead_rule(table), deals=100, draws=key.draws, called=key.called)
        relaxed_bound(table, deals=2)


def _learning() -> None:
    from mjopt.play.learning.mcts_tree import SearchTrees

    trees = SearchTrees(np.ones((1, 2)), np.zeros((1, 4), np.float32), 2)
    indices, ends = np.zeros(1, np.int64), np.zeros(1, np.bool_)
    trees.grow(1, trees.select(indices, 1.0), indices, np.zeros((1, 4)), ends)


def _audits() -> None:
    from mjopt.audits.packages.causes import unlimited_deficiency
    from mjopt.hands.hand import Hand

    unlimited_deficiency(Hand.parse("1111m123p112233s"))


BATCHES: Final[dict[str, Callable[[], None]]] = {
    **{f"search {name}": partial(_search, name) for name in HEURISTICS},
    "datasets m0": partial(_dataset, M0),
    "datasets 136": partial(_dataset, FULL),
    "labels m0": partial(_label, M0),
    "labels 136": partial(_label, FULL),
    "labels sanma": partial(_label, SANMA),
    "draws": _draws,
    "problem": _problem,
    "play": _play,
    "play bounds": _play_bounds,
    "audits": _audits,
    "ceiling": _ceiling,
    "learning": _learning,
}
"""Functions that compile kernels, the slowest first."""
