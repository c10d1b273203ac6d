"""`mjopt warm`: compile every kernel ahead of time."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from mjopt._internal.executor import open_executor
from mjopt._internal.jit import cache_folder, compile_always, compiled_kernels
from mjopt.cli.options import Jobs, Json, Quiet, Work
from mjopt.cli.output import print_json
from mjopt.cli.progress import Bar
from mjopt.errors import MjoptError
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.hands.winning_forms import FORMS, THIRTEEN_ORPHANS
from mjopt.heuristics.registry import HEURISTICS


def command(*, jobs: Jobs = None, quiet: Quiet = False, json: Json = False) -> None:
    """Compile every kernel now, so that no command waits for it later.

    Example: `mjopt warm`
    """
    if cache_folder() is None:
        raise MjoptError(
            "compiled kernels cannot be kept: no folder can be written "
            "(NUMBA_CACHE_DIR=FOLDER names one)"
        )
    start = time.perf_counter()
    processes = min(Work(jobs=jobs).num_jobs, len(BATCHES))
    with (
        Bar("compiling", len(BATCHES), unit="batches", quiet=quiet) as bar,
        open_executor(processes) as workers,
    ):
        kernels = set[str]().union(*bar.each(workers.map(compile_for, BATCHES)))
    seconds = time.perf_counter() - start
    if json:
        print_json({"compiled": len(kernels), "seconds": round(seconds, 3)})
    elif kernels:
        print(f"{len(kernels)} kernels compiled in {seconds:.1f} s")
    else:
        print("nothing to do: every kernel is compiled")


def compile_for(name: str) -> list[str]:
    """Run a small batch, and return the names of the kernels that this process compiled."""
    with compile_always():
        BATCHES[name]()
    return compiled_kernels()


def _hands(tiles: TileSet) -> Any:
    from mjopt.datasets.plan import make_plan

    return make_plan("deals:100", tiles=tiles).hand_recipe.block(0, seed=0)[:100]


def _label(tiles: TileSet) -> None:
    from mjopt.analysis.batch import discards_many
    from mjopt.tables import label, label_limited
    from mjopt.tables.packed import label_packed, pack, unpack

    rows = _hands(tiles)
    forms = [form for form in FORMS if tiles is FULL or form != THIRTEEN_ORPHANS]
    label(rows, forms=forms)
    label(rows)
    label_limited(rows, 4 - rows, forms=forms)
    label_limited(rows, np.full(tiles.num_kinds, 4), forms=forms)
    label_packed(pack(rows))
    unpack(pack(rows))
    discards_many(rows)
    discards_many(rows, unseen=np.ones_like(rows))


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
    hand_texts(rows.hands)
    split_of(rows.hands, (("train", 0.5), ("test", 0.5)))
    for name in LABELS:
        if name not in ("certificate", "digest"):
            try:
                make_plan("deals:100", tiles=tiles, labels=(name,))
            except RecipeError:  # the recipe does not support this tile set
                continue
            LABELS[name].values(rows)


def _search(name: str) -> None:
    from mjopt.heuristics.runner import run_batch

    method: Any = HEURISTICS[name]()
    run_batch(method, _hands(M0), seed=0, method=name, hand_numbers=np.arange(100), run=0)


def _draws() -> None:
    from mjopt.analysis.draws.expected_draws import expected_draws, float_mean
    from mjopt.hands.hand import Hand

    hand = Hand.parse("1112345678999m")
    expected_draws(hand)
    float_mean(hand)


def _play() -> None:
    from mjopt.analysis.win_chance.optimal_play import optimal_play

    optimal_play("1123m", called=3, draws=2, waste=1)


def _learning() -> None:
    from mjopt.learning.mcts_tree import SearchTrees

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
    "draws": _draws,
    "play": _play,
    "audits": _audits,
    "learning": _learning,
}
"""Functions that compile kernels, the slowest first."""
