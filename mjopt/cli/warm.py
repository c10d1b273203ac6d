"""`mjopt warm`: run one small example of each use of kernels, which compiles them all."""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import Final

import numpy as np

from mjopt._internal.executor import open_executor
from mjopt._internal.files import temporary_folder
from mjopt._internal.jit import compile_always, compiled_kernels, loaded_kernels
from mjopt._internal.kernel_cache import open_cache
from mjopt.cli.options import Jobs, Json, count_jobs
from mjopt.cli.output import print_json
from mjopt.cli.progress import Bar
from mjopt.errors import ArgumentError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, M0, SANMA, TileSet
from mjopt.heuristics import HEURISTICS, deficiency_levels, problem, run, run_batch

READY: Final = "1112345678999m"  # a win at the next draw of any 1m to 9m


def command(*, jobs: Jobs = None, json: Json = False) -> None:
    """Compile every kernel now, so that no command waits for it later.

    Example: `mjopt warm`
    """
    if problem := open_cache().problem:
        raise MjoptError(
            f"compiled kernels cannot be kept: {problem} (NUMBA_CACHE_DIR=FOLDER names another)"
        )
    start = time.perf_counter()
    processes = min(count_jobs(jobs), len(EXAMPLES))
    compiled, loaded = set[str](), set[str]()
    with (
        Bar("compiling", len(EXAMPLES), unit="examples") as bar,
        open_executor(processes) as workers,
    ):
        for new, old in bar.each(workers.map(run_example, EXAMPLES)):
            compiled |= {*new}
            loaded |= {*old}
    seconds = time.perf_counter() - start
    num_there = len(loaded - compiled)
    if json:
        counts = {"compiled": len(compiled), "loaded": num_there}
        print_json({**counts, "seconds": round(seconds, 3)})
    elif compiled:
        before = f", {num_there} were compiled before" if num_there else ""
        print(f"{len(compiled)} kernels compiled in {seconds:.1f} s{before}")
    else:
        print(f"nothing to do: all {num_there} kernels are compiled")


def run_example(name: str) -> tuple[list[str], list[str]]:
    """Run an example, and return which kernels this process compiled, and which it loaded."""
    with compile_always():
        EXAMPLES[name]()
    return compiled_kernels(), loaded_kernels()


def _win_chance() -> None:
    from mjopt.chances.win_chance.optimal_play import optimal_play

    optimal_play(Hand.parse("1123m", called=3), draws=2, waste=1, table=False)


def _advice() -> None:
    from mjopt.chances.advice.advise import advise

    advise("147m258p369s1234z draws=6")  # far from a win, so that a chance is estimated


def _draws() -> None:
    from mjopt.chances.draws.expected_draws import expected_draws, float_mean

    hand = Hand.parse(READY)
    expected_draws(hand)
    float_mean(hand)


def _search(name: str) -> None:
    rows = np.tile(Hand.parse("11223344556677m").counts, (100, 1))
    run_batch(HEURISTICS[name](), rows, seed=0, method=name, hand_numbers=np.arange(100), run=0)


def _dataset(tiles: TileSet) -> None:
    from mjopt.datasets import LABELS, make_plan
    from mjopt.datasets.shard import hand_rows, read_block
    from mjopt.datasets.splits import split_of

    for recipe in ("kongs:100", "all", "two-type:100") if tiles is M0 else ():
        read_block(make_plan(recipe), 0, 0, 100)
    plan = make_plan("deals:100", tiles=tiles)
    rows = hand_rows(plan, read_block(plan, 0, 0, 100))
    split_of(rows.hands, (("train", 0.5), ("test", 0.5)), tiles)
    for name in LABELS.keys() - {"certificate", "digest"}:
        with suppress(ArgumentError):  # not every label exists for every tile set
            make_plan("deals:100", tiles=tiles, labels=(name,))
            LABELS[name].values(rows)


def _label(tiles: TileSet) -> None:
    from mjopt.analysis.batch import discards_many
    from mjopt.tables import label_limited
    from mjopt.tables.labels.batch import label
    from mjopt.tables.standard.packed import label_packed, pack, unpack

    rows = np.zeros((100, tiles.num_kinds), np.uint8)
    rows[:, 9:23] = 1
    label([READY.replace("m", "p")], tiles=tiles)
    numbers = pack(rows, tiles=tiles)
    label_packed(numbers, tiles=tiles)
    unpack(numbers, tiles=tiles)
    label(rows, tiles=tiles)
    label(rows, tiles=tiles, forms="all")
    label_limited(rows, 4 - rows, tiles=tiles, forms="all")
    label_limited(rows, np.full(tiles.num_kinds, 4), tiles=tiles, forms="all")
    discards_many(rows, tiles=tiles)
    discards_many(rows, tiles=tiles, unseen=np.ones_like(rows))


def _label_rules(name: str) -> None:
    from mjopt.tables.labels.batch import label

    rules = get_rules(name)
    rows = np.zeros((100, rules.tiles.num_kinds), np.uint8)
    rows[:, 9 : 9 + rules.size] = 1
    label(rows, rules=rules)


def _label_templates(tiles: TileSet) -> None:
    from mjopt.tables.labels.batch import label

    every = tuple(range(tiles.num_kinds))
    template = Template(fixed=(0,) * tiles.num_kinds, melds=1, eyes=1, kinds=every)
    form = WinningForm("small", tiles, (template,))
    rules = RuleSet(name="small", title="", tiles=tiles, size=template.num_tiles, forms=(form,))
    rows = np.zeros((100, tiles.num_kinds), np.uint8)
    rows[:, :5] = 1
    label(rows, rules=rules)
    label(rows, rules=rules, unseen=np.ones(tiles.num_kinds, np.uint8))


def _files() -> None:
    from mjopt.hands.files.row_blocks import line_blocks

    list(line_blocks(BytesIO(b"1m\n"), "", 1))


def _problem() -> None:
    problem(READY).evaluate_batch(np.zeros((1, 5)))


def _recursive() -> None:
    run("recursive", "147m258p369s12345z", rng=0, max_hands=1)
    honours = deficiency_levels(TileSet("honours", FULL.suits[3:]), called=4)
    honours.look_up([[2, 0, 0, 0, 0, 0, 0]])


def _ceiling() -> None:
    from mjopt.chances.ceiling import TableKey, build_ceiling, describe_table
    from mjopt.play.solitaire.ceiling_play import lookahead_rule, play_deals

    key = TableKey(called=4, draws=2, all_layers=True)
    with temporary_folder("warm") as folder:
        table = build_ceiling(f"{folder}/table", key=key)
        describe_table(table)
        play_deals(lookahead_rule(table), deals=100, draws=key.draws, called=key.called)


def _learning() -> None:
    from mjopt.play.learning.mcts_tree import SearchTrees

    trees = SearchTrees(np.ones((1, 2)), np.zeros((1, 4), np.float32), 2)
    indices, ends = np.zeros(1, np.int64), np.zeros(1, np.bool_)
    trees.grow(1, trees.select(indices, 1.0), indices, np.zeros((1, 4)), ends)


def _playouts() -> None:
    from mjopt.play.game import JJ, legal_moves, shuffle_wall, start, view_of
    from mjopt.play.rollout.playout import deal_unseen, play_out, sample_scores

    state = start(JJ, shuffle_wall(0, 0, JJ.tiles))
    play_out(state)
    view = view_of(state, 0)
    deal_unseen(view, seed=0)
    sample_scores(view, legal_moves(state)[:2], 1, seed=0)


EXAMPLES: Final[dict[str, Callable[[], None]]] = {
    "advice": _advice,
    "win chance": _win_chance,
    **{f"search {name}": partial(_search, name) for name in HEURISTICS},
    **{f"datasets {tiles.key}": partial(_dataset, tiles) for tiles in (M0, FULL)},
    **{f"labels {tiles.key}": partial(_label, tiles) for tiles in (M0, FULL, SANMA)},
    **{
        f"templates {tiles.key}": partial(_label_templates, tiles)
        for tiles in (M0, FULL, SANMA, TileSet("one suit", M0.suits[:1]))
    },
    **{f"labels of {name}": partial(_label_rules, name) for name in RULE_SETS},
    "draws": _draws,
    "files": _files,
    "problem": _problem,
    "recursive": _recursive,
    "ceiling": _ceiling,
    "learning": _learning,
    "playouts": _playouts,
}
"""Examples that use kernels, the slowest first."""
