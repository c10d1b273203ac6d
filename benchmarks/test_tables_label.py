"""Nanoseconds per hand: labels in bulk, packed, limited, single, and of other packages.

Every measurement is the best of several rounds, and compared calls alternate within one run, so
the ratios are meaningful on a busy machine.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

import nyanten
from mjopt import FULL, label, label_packed, pack
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.tables import label_limited, label_one
from mjopt.tables.standard import table_file
from paired import Comparison, Side, installed, measure

NUM_HANDS = 1_000_000
FORMS = ("standard", "seven_pairs", "thirteen_orphans")
GOALS = {27: 4.0, 34: 6.0, "packed": 2.5}  # nanoseconds per hand, one thread


def deal(num_kinds: int, number: int = NUM_HANDS, size: int = 14) -> NDArray[np.uint8]:
    """Deal hands uniformly."""
    rng = np.random.default_rng(2023)
    hands = np.zeros((number, num_kinds), np.uint8)
    for start in range(0, number, 50_000):
        order = rng.random((50_000, 4 * num_kinds)).argpartition(size, axis=1)[:, :size]
        np.add.at(hands, (start + np.arange(50_000)[:, None], order // 4), 1)
    return hands


@pytest.fixture(scope="module")
def hands(request: pytest.FixtureRequest) -> dict[int, NDArray[np.uint8]]:
    number = 50_000 if request.config.getoption("--quick") else NUM_HANDS
    return {kinds: deal(kinds, number) for kinds in (27, 34)}


def in_turn(
    calls: dict[str, tuple[Callable[[], object], int]], rounds: int = 15
) -> dict[str, float]:
    """Return the nanoseconds per hand of each call, the best of several alternating rounds."""
    best = dict.fromkeys(calls, float("inf"))
    for call, _ in calls.values():
        call()
    for _ in range(rounds):
        for name, (call, num_hands) in calls.items():
            start = time.perf_counter()
            call()
            best[name] = min(best[name], (time.perf_counter() - start) / num_hands * 1e9)
    return best


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kinds", [27, 34])
def test_label(
    benchmark: BenchmarkFixture, hands: dict[int, NDArray[np.uint8]], kinds: int, threads: int
) -> None:
    out = np.empty(NUM_HANDS, np.int8)
    benchmark(label, hands[kinds], out=out, threads=threads)
    benchmark.extra_info["ns_per_hand"] = benchmark.stats["min"] / NUM_HANDS * 1e9


RULES = {"taiwan": 34, "half-flush": 34, "full-flush": 34, "sichuan": 27, "mcr": 34}


@pytest.mark.parametrize("name", RULES)
def test_label_rules(benchmark: BenchmarkFixture, name: str) -> None:
    """Label hands of a rule set, beside the standard form of the same number of hands."""
    rules, number = get_rules(name), 100_000
    rows = deal(RULES[name], number, rules.size)
    standard, out = deal(34, number), np.empty(number, np.int8)
    benchmark(label, rows, rules=rules, out=out)
    found = in_turn(
        {
            name: (lambda: label(rows, rules=rules, out=out), number),
            "standard": (lambda: label(standard, out=out), number),
        }
    )
    benchmark.extra_info["ns_per_hand"] = found[name]
    sys.stdout.write("".join(f"\n{key:16}{ns:6.2f} ns a hand" for key, ns in found.items()))


def test_label_card(benchmark: BenchmarkFixture) -> None:
    """Label hands of a card of 178 templates of fixed tiles."""
    rng, number = np.random.default_rng(1), 100_000
    templates = []
    for _ in range(178):
        fixed = np.zeros(34, np.int64)
        fixed[rng.choice(34, 6, replace=False)] = rng.permutation([4, 3, 2, 2, 2, 1])
        templates.append(Template(fixed=tuple(fixed.tolist())))
    form = WinningForm("card", FULL, tuple(templates))
    card = RuleSet(name="card", title="", tiles=FULL, size=14, forms=(form,))
    rows, out = deal(34, number), np.empty(number, np.int8)
    benchmark.pedantic(label, (rows,), {"rules": card, "out": out}, rounds=5)
    each = benchmark.stats["min"] / number / len(templates) * 1e9
    benchmark.extra_info["ns_per_template"] = each
    sys.stdout.write(f"\n{each:.1f} ns a hand and template")


@pytest.mark.parametrize("kinds", [27, 34])
def test_label_packed(
    benchmark: BenchmarkFixture, hands: dict[int, NDArray[np.uint8]], kinds: int
) -> None:
    packed, out = pack(hands[kinds]), np.empty(NUM_HANDS, np.int8)
    benchmark(label_packed, packed, out=out)
    benchmark.extra_info["ns_per_hand"] = benchmark.stats["min"] / NUM_HANDS * 1e9


@pytest.mark.parametrize("kinds", [27, 34])
def test_label_limited(
    benchmark: BenchmarkFixture, hands: dict[int, NDArray[np.uint8]], kinds: int
) -> None:
    rows = hands[kinds][:20_000]
    unseen = np.random.default_rng(1).integers(0, 5, rows.shape).astype(np.uint8)
    benchmark(label_limited, rows, unseen)
    benchmark.extra_info["ns_per_hand"] = benchmark.stats["min"] / len(rows) * 1e9
    assert benchmark.extra_info["ns_per_hand"] < 20_000


def test_label_one(benchmark: BenchmarkFixture, hands: dict[int, NDArray[np.uint8]]) -> None:
    some = [tuple(hand) for hand in hands[34][:1000].tolist()]
    benchmark(lambda: [label_one(hand) for hand in some])
    benchmark.extra_info["us_per_hand"] = benchmark.stats["min"] / len(some) * 1e6


def test_loading_the_tables(benchmark: BenchmarkFixture) -> None:
    benchmark(table_file.load_tables.__wrapped__)


def test_goals_and_threads(hands: dict[int, NDArray[np.uint8]]) -> None:
    """Compare one thread with the goals, and two threads with one.

    The second comparison needs two idle processors, and enough hands to hide the cost of
    waking a thread. Nothing is asserted, since other processes affect the times.
    """
    out = np.empty(NUM_HANDS, np.int8)
    packed = pack(hands[27])
    many = np.tile(hands[27], (4, 1))
    many_out = np.empty(len(many), np.int8)
    found = in_turn(
        {
            "27": (lambda: label(hands[27], out=out), NUM_HANDS),
            "34": (lambda: label(hands[34], out=out), NUM_HANDS),
            "packed": (lambda: label_packed(packed, out=out), NUM_HANDS),
            "one thread": (lambda: label(many, out=many_out), len(many)),
            "two threads": (lambda: label(many, out=many_out, threads=2), len(many)),
        }
    )
    sys.stdout.write("".join(f"\n{name:16}{ns:6.2f} ns a hand" for name, ns in found.items()))
    for name, goal in GOALS.items():
        sys.stdout.write(f"\n{name}: goal {goal} ns, {found[str(name)] / goal:.2f} of it")
    ratio = found["one thread"] / found["two threads"]
    sys.stdout.write(f"\ntwo threads are {ratio:.2f} times as fast as one (goal 1.8)")


LAYOUTS = {
    "rows": lambda rows: rows,
    "columns": np.asfortranarray,
    "every other row": lambda rows: np.repeat(rows, 2, axis=0)[::2],
}


def test_types_and_layouts(hands: dict[int, NDArray[np.uint8]]) -> None:
    """Labels of other integer types and layouts, compared with one pass over all counts."""
    kinds, out = 34, np.empty(NUM_HANDS, np.int8)
    for layout, arrange in LAYOUTS.items():
        for kind in ("u1", "i1", "i2", "i4", "i8"):
            rows = arrange(hands[kinds].astype(kind))
            found = in_turn(
                {
                    "label": (lambda rows=rows: label(rows, out=out), NUM_HANDS),  # type: ignore[misc]
                    "largest": (lambda rows=rows: rows.max(), NUM_HANDS),  # type: ignore[misc]
                },
                rounds=7,
            )
            told = f"{layout}, {kind}: {found['label']:.1f} ns a hand"
            sys.stdout.write(f"\n{told}, the largest count alone {found['largest']:.1f}")


PEERS = {"riichienv": (2000, "Rust"), "xiangting": (2000, "Rust"), "mahjong": (300, "Python")}


def peer_call(name: str, counts: list[list[int]]) -> Callable[[int], object]:
    """Return a function that gets the value of every hand from a package, for the three forms."""
    package = import_module(name)
    if name == "riichienv":
        tiles = [
            [4 * kind + copy for kind, n in enumerate(hand) for copy in range(n)] for hand in counts
        ]
        return lambda _: [package.calculate_shanten(ids) + 1 for ids in tiles]
    if name == "xiangting":
        find, four = package.calculate_replacement_number, package.PlayerCount.FOUR
        return lambda _: [find(hand, four) for hand in counts]
    find = import_module("mahjong.shanten").Shanten().calculate_shanten
    return lambda _: [find(hand) + 1 for hand in counts]


@pytest.mark.claim
def test_peers(
    benchmark: BenchmarkFixture, hands: dict[int, NDArray[np.uint8]], quick: bool
) -> None:
    """Compare values and time with nyanten's algorithm and three published packages."""
    rows = hands[34][: 20_000 if quick else 200_000]
    ours = label(rows, forms=FORMS)
    assert (ours == nyanten.label(rows, all_forms=True)).all()
    assert (label(rows) == nyanten.label(rows)).all()
    singles = [tuple(hand) for hand in rows[:1000].tolist()]
    out, batch = np.empty(len(rows), np.int8), "all hands in one call"
    by_numba = "in one call; built again here, compiled by Numba"
    sides = [
        Side(
            name="mjopt, label",
            run=lambda _: label(rows, out=out, forms=FORMS),
            units=len(rows),
            note=batch,
        ),
        Side(
            name="mjopt, label, standard form",
            run=lambda _: label(rows, out=out),
            units=len(rows),
            note=batch,
        ),
        Side(
            name="mjopt, label_one",
            run=lambda _: [label_one(hand, forms=FORMS) for hand in singles],
            units=len(singles),
            note="a call for each hand, in Python",
        ),
        Side(
            name="nyanten's algorithm",
            run=lambda _: nyanten.label(rows, all_forms=True),
            units=len(rows),
            note=by_numba,
        ),
        Side(
            name="nyanten's algorithm, standard form",
            run=lambda _: nyanten.label(rows),
            units=len(rows),
            note=by_numba,
        ),
    ]
    present, absent = installed(PEERS)
    absent["nyanten (C++)"] = "no Python package; its algorithm is above"
    for name, title in present.items():
        most, language = PEERS[name]
        number = min(most, 10) if quick else most
        call = peer_call(name, rows[:number].tolist())
        assert call(0) == ours[:number].tolist(), name
        note = f"a call for each hand; {language}"
        sides.append(Side(name=title, run=call, units=number, note=note))
    compared = Comparison(
        claim="labels",
        unit="hand",
        sides=sides,
        base=sides[0].name,
        absent=absent,
        figures={"hands": len(rows)},
    )
    measure(benchmark, compared, rounds=2 if quick else 30)


def test_first_call_after_an_installation(tmp_path: Path) -> None:
    """Start a process without compiled code, compile, and label."""
    program = (
        "import numpy as np, time; start = time.perf_counter()\n"
        "from mjopt import label\n"
        "label(np.tile(np.array([2] * 7 + [0] * 20, np.uint8), (1000, 1)))\n"
        "print(time.perf_counter() - start)"
    )
    environment = {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    sys.stdout.write(f"\nfirst call {float(done.stdout):.2f} s")


def test_census_from_a_cold_start() -> None:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "from mjopt import census; census()"], check=True)
    taken = time.perf_counter() - start
    sys.stdout.write(f"\ncensus of M0, a new process {taken:.2f} s")
