"""Streams, stopping, parameters, results, batches and the registry."""

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.made_hands import EMPTY, ONE_ELEMENT, UNDERSHOT, OtherGenerator
from helpers.surroundings import install, package_folder

import mjopt
from mjopt import Hand
from mjopt.errors import ArgumentError, HandError, TileError
from mjopt.heuristics import (
    HEURISTICS,
    NDDE,
    NEVER,
    Result,
    Stop,
    StopReason,
    evaluations,
    generations,
    get_heuristic,
    reached,
    read_method,
    run,
    run_batch,
    seconds,
    stream,
)
from mjopt.heuristics.evaluation_count import counted_by
from mjopt.heuristics.registry import is_method
from mjopt.heuristics.seeding import generator, stream_keys, stream_states

HAND = Hand.parse("B4B4B6B6B6B7B7B7B7B8B9B9B9B9", notation="paper")  # H1, deficiency 1
POPULATION_METHODS = ("ndde", "pso", "ga", "tlbo")


def test_import_is_lazy_and_name_resolves() -> None:
    program = (
        "import sys, mjopt\n"
        "assert 'mjopt.heuristics' not in sys.modules and 'numpy' not in sys.modules\n"
        "mjopt.heuristics.run\n"
        "hand = '1123m46p789s11225z'\n"
        "first = mjopt.heuristics.run('ndde', hand, rng=1)\n"
        "assert 'numba' not in sys.modules\n"  # one hand compiles nothing
        "assert mjopt.heuristics.run('ndde', hand, rng=1) == first\n"
        "assert 'numba' in sys.modules"  # from the second one on
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert mjopt.heuristics.run is run


# Streams


def test_streams_differ_in_every_key() -> None:
    names = [
        (seed, method, hand, number)
        for seed in (0, 1, 2**32)
        for method in ("", "a", "b", "ab")
        for hand in (0, 1, 2**31)
        for number in (0, 1)
    ]
    first = {stream(*name).random() for name in names}
    assert len(first) == len(names)
    assert stream(1, "a", 2, 3).random() == stream(1, "a", 2, 3).random()


def test_states_of_many_streams_are_those_of_each() -> None:
    keys = stream_keys(3, "ndde", [0, 5, 2**40 - 1], 7)
    states = stream_states(keys)
    for key, state in zip(keys, states, strict=True):
        assert state.tolist() == generator(key).bit_generator.state["state"]["state"].tolist()


def test_neighbouring_streams_are_jointly_uniform() -> None:
    """First and second draws of 5,000 neighbouring hands: means and correlations."""
    drawn = np.array([stream(1, "ndde", hand, 0).random(3) for hand in range(5_000)])
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 5 * np.sqrt(1 / 12 / 5_000)
    both = np.concatenate([drawn[:-1], drawn[1:]], axis=1)
    correlations = np.corrcoef(both.T)[np.triu_indices(6, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(5_000)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, "a", [0], 0), "seed -1, expected at least 0"),
        ((1, "a", [-1], 0), "hand numbers .* expected a list of numbers 0..1099511627775"),
        ((1, "a", [2**40], 0), "hand numbers"),
        ((1, "a", [0], -1), "run -1, expected 0..16777215"),
        ((1, "a", [0], 2**24), "run 16777216"),
    ],
)
def test_invalid_stream_keys_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        stream_keys(*arguments)


# Stopping


def test_history_before_an_incomplete_generation_is_that_of_the_whole_search() -> None:
    """A generation of 20 evaluations that a limit cuts short, with a better value in it."""
    options = {"seed": 1, "method": "pso", "hand_numbers": range(12), "run": 0, "history": True}
    hands = [HAND.counts] * 12
    whole = run_batch(get_heuristic("pso"), hands, **options)
    cut = run_batch(get_heuristic("pso", max_evaluations=79), hands, **options)
    assert whole.history is not None
    assert cut.history is not None
    assert (cut.generations == 2).all()
    assert (cut.history[:, :3] == whole.history[:, :3]).all()
    assert (cut.history[:, 3:] == cut.value[:, None]).all()
    assert (cut.value < cut.history[:, 2]).any()


@pytest.mark.parametrize("name", POPULATION_METHODS)
def test_every_limit_stops(name: str) -> None:
    def search(stop: Stop, hand: Hand = HAND, **parameters: Any) -> Result:
        return run(name, hand, rng=stream(1, name, 5, 0), stop=stop, **parameters)

    whole = search(NEVER)
    assert (whole.stopped, whole.generations) == (StopReason.GENERATIONS, 51)
    assert len(whole.history) == 52
    few = search(evaluations(50))
    assert (few.stopped, few.evaluations) == (StopReason.EVALUATIONS, 50)
    same = search(NEVER, max_evaluations=50)
    assert same == few
    assert search(evaluations(500), max_evaluations=50) == few
    cut = search(generations(3))
    assert (cut.stopped, cut.generations) == (StopReason.GENERATIONS, 3)
    assert cut.history == whole.history[:4]
    none = search(generations(0))
    assert (none.generations, none.evaluations) == (0, 20)
    soon = search(seconds(1e-9))
    assert (soon.stopped, soon.generations) == (StopReason.SECONDS, 0)
    first = search(reached(whole.history[0]))
    assert (first.stopped, first.generations) == (StopReason.REACHED, 0)
    assert first.evaluations <= 20
    assert search(reached(-1)).stopped is StopReason.GENERATIONS
    assert search(reached(3) | generations(0)).stopped is not None


def test_target_hit_is_recorded_without_side_effects() -> None:
    noted = run("ndde", HAND, rng=stream(1, "a", 1, 0), target=1)
    plain = run("ndde", HAND, rng=stream(1, "a", 1, 0))
    assert noted.hit_evaluations is not None
    assert noted.hit_generation is not None
    assert dataclasses.replace(noted, hit_evaluations=None, hit_generation=None) == plain
    stopped = run("ndde", HAND, rng=stream(1, "a", 1, 0), target=1, stop=reached(1))
    assert stopped.evaluations == stopped.hit_evaluations == noted.hit_evaluations
    assert noted.history[noted.hit_generation] <= 1 < noted.history[noted.hit_generation - 1]


def test_limits_can_be_combined() -> None:
    both = generations(5) | generations(3) | seconds(2.0) | reached(1) | reached(2)
    assert both == Stop(generations=3, seconds=2.0, value=2)
    assert NEVER | both == both | NEVER == both
    for limits in ({"generations": -1}, {"evaluations": 0}, {"seconds": 0.0}):
        with pytest.raises(ArgumentError, match="expected"):
            Stop(**limits)
    assert all(reason.words for reason in StopReason)


@pytest.mark.parametrize("name", POPULATION_METHODS)
def test_empty_and_single_s(name: str) -> None:
    empty = run(name, EMPTY, rng=stream(1, name, 0, 0))
    assert (empty.value, empty.evaluations, empty.history) == (9, 1, (9,))
    assert empty.stopped is StopReason.EMPTY
    at_once = run(name, EMPTY, rng=stream(1, name, 0, 0), stop=reached(9))
    assert at_once.stopped is StopReason.REACHED
    single = run(name, ONE_ELEMENT, rng=stream(1, name, 0, 0))
    assert single.value == 8
    assert [block.text(EMPTY.tiles) for block in single.predecomposition.pieces] == ["11z"]


@pytest.mark.parametrize("name", POPULATION_METHODS)
def test_undershoots_are_not_clipped(name: str) -> None:
    method = get_heuristic(name, population=50, generations=200)
    keys = {"seed": 1, "method": name, "hand_numbers": range(3), "run": 0}
    assert 2 in run_batch(method, [UNDERSHOT.counts] * 3, **keys).value


# One hand, compiled and in Python


@pytest.mark.parametrize("name", [*POPULATION_METHODS, "ndde-refill"])
@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.SFC64, np.random.MT19937])
def test_compiled_code_draws_as_python_does(name: str, bits: type[np.random.BitGenerator]) -> None:
    method = get_heuristic(name, population=6, generations=5)
    for stop in (NEVER, seconds(1000), evaluations(23), reached(4)):
        fast, slow = np.random.Generator(bits(7)), OtherGenerator(bits(7))
        for rng in (fast, slow):
            rng.integers(5, dtype=np.uint32)  # which leaves half of a word
        assert run(method, HAND, rng=fast, stop=stop) == run(method, HAND, rng=slow, stop=stop)
        assert str(fast.bit_generator.state) == str(slow.bit_generator.state)


# Parameters and results


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("ndde", {"population": 3}, "population = 3, expected a whole number 4 to 10000"),
        ("ndde", {"population": 4.5}, "population = 4.5, expected a whole number"),
        ("ndde", {"population": "x"}, "population = 'x', expected a whole number"),
        ("ndde", {"generations": -1}, "generations = -1"),
        ("ndde", {"scale": 2.1}, "scale = 2.1, expected 0.0 to 2.0"),
        ("ndde", {"crossover": float("nan")}, "crossover = nan"),
        ("ndde", {"repair": "none"}, "repair = 'none', expected one of pmelds-first"),
        ("ndde", {"order": "x"}, "order = 'x', expected one of by-kind, by-tile"),
        ("ndde", {"out_of_range": "x"}, "expected one of clip, redraw, wrap"),
        ("ndde", {"rounding": "x"}, "expected one of half-even, half-up"),
        ("ndde", {"selection": "x"}, "expected one of in-place, after-generation"),
        ("ndde", {"max_evaluations": 0}, "max_evaluations = 0"),
        ("ndde", {"special_case_1": "no"}, "special_case_1 = 'no', expected one of True, False"),
        ("ndde", {"popsize": 3}, "ndde has no parameter 'popsize', expected one of population"),
        ("pso", {"inertia": 3}, "inertia = 3, expected 0.0 to 2.0"),
        ("pso", {"empties": "x"}, "expected one of redraw, redraw-all"),
        ("pso", {"cognitive": -0.1}, "cognitive = -0.1, expected 0.0 to 10.0"),
        ("pso", {"social": -0.1}, "social = -0.1, expected 0.0 to 10.0"),
        ("pso", {"max_speed": -0.1}, "max_speed = -0.1, expected 0.0 to 10.0"),
        ("ga", {"crossover": -0.1}, "crossover = -0.1, expected 0.0 to 1.0"),
        ("ga", {"mutation": -0.1}, "mutation = -0.1, expected 0.0 to 1.0"),
        ("ga", {"scaling": "rank"}, "expected one of linear, inverse"),
        ("ndde-refill", {"population": 3}, "ndde-refill: population = 3"),
        ("ndde-refill", {"refill": "some"}, "ndde-refill: refill = 'some', expected one of"),
        ("ndde-refill", {"variation": "none"}, "variation = 'none', expected one of"),
        ("tlbo", {"population": 1}, "population = 1, expected a whole number 2"),
        ("nde", {}, "heuristic 'nde': unknown, expected one of ndde, pso"),
    ],
)
def test_error_names_the_bad_parameter(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        get_heuristic(name, **parameters)


def test_parameters_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        NDDE().population = 5  # type: ignore[misc]


def test_contradictory_results_are_refused() -> None:
    result = run("ndde", HAND, rng=stream(1, "a", 1, 0))
    value, entries, number = result.value, len(result.history), result.evaluations
    higher = {"value": value + 1, "history": (9,) * (entries - 1) + (value + 1,)}
    for words, *contradictions in (
        ("value .*, expected .*, the cost of the predecomposition", higher, {"value": value - 1}),
        (
            "history .*, expected costs that never rise",
            {"history": ()},
            {"history": (1, 2, 1)},
            {"history": (3, 2)},
        ),
        ("end at the value", {"history": (9,) * (entries - 1) + (value + 1,)}),
        ("generations .*, expected", {"generations": -1}, {"generations": 3}),
        ("generations .*, expected", {"generations": entries}, {"generations": entries - 3}),
        ("expected 0 for a history of 1 costs", {"history": (value,)}),
        ("for a history of", {"history": (9, 9, *result.history)}),
        ("generations -1, expected", {"history": (value,), "generations": -1}),
        ("evaluations .*, expected", {"evaluations": 0}, {"evaluations": entries - 1}),
        ("expected both or neither", {"hit_evaluations": 1}, {"hit_generation": 1}),
        ("hit_evaluations .*, expected", {"hit_evaluations": number + 1, "hit_generation": 0}),
        ("hit_evaluations 0, expected 1..", {"hit_evaluations": 0, "hit_generation": 0}),
        ("hit_generation .*, expected", {"hit_evaluations": 1, "hit_generation": entries}),
        ("hit_generation -1, expected 0..", {"hit_evaluations": 1, "hit_generation": -1}),
    ):
        for wrong in contradictions:
            with pytest.raises(ArgumentError, match=words):
                dataclasses.replace(result, **wrong)
    for sound in (
        {"generations": entries - 2},  # and a last one that is incomplete
        {"evaluations": entries},
        {"hit_evaluations": number, "hit_generation": entries - 1},
        {"hit_evaluations": 1, "hit_generation": 0},
        {**higher, "completes": True},  # Eq. 8 may cost less than the deficiency
    ):
        assert dataclasses.replace(result, **sound) != result


# Batches


def batch(counts: Any, **arguments: Any) -> Any:
    number = len(counts)
    given = {"hand_numbers": range(number), "seed": 1, "method": "m", "run": 0, **arguments}
    return run_batch(NDDE(population=5, generations=3), counts, **given)


@pytest.mark.parametrize(
    ("counts", "arguments", "error", "message"),
    [
        ([[1] * 34], {}, ArgumentError, r"counts of shape \(1, 34\), expected \(N, 27\)"),
        ([[0] * 27, [5] + [0] * 26], {}, TileError, "row 1: counts: 5 copies of 1m"),
        ([[4] * 4 + [0] * 23], {}, HandError, "row 0: 16 tiles, expected at most 14"),
        ([[4] * 3 + [0] * 24], {"called": 1}, HandError, "row 0: 12 tiles, expected at most 11"),
        ([[0] * 27], {"hand_numbers": [1, 2]}, ArgumentError, "hand numbers of shape"),
        ([[0] * 27], {"targets": [1, 2]}, ArgumentError, "targets of shape"),
        ([[0] * 27], {"targets": [float("nan")]}, ArgumentError, "whole numbers up to 127"),
        ([[0] * 27], {"targets": [0.5]}, ArgumentError, "whole numbers up to 127"),
        ([[0] * 27], {"targets": [300]}, ArgumentError, "whole numbers up to 127"),
        ([[0] * 27], {"targets": [1j]}, ArgumentError, "whole numbers up to 127"),
        ([[0] * 27], {"targets": [[1], []]}, ArgumentError, "targets: "),
        ([[0] * 27], {"stop_at_target": True}, ArgumentError, "stop_at_target needs targets"),
        ([[0] * 27], {"stop_at_target": 1}, TypeError, "stop_at_target: 1, expected a bool"),
        ([[0] * 27], {"history": 1}, TypeError, "history: 1, expected a bool"),
        ([[0] * 27], {"hand_numbers": [-1]}, ArgumentError, "hand numbers"),
    ],
)
def test_invalid_batches_are_refused(
    counts: Any, arguments: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        batch(counts, **arguments)


def test_empty_batches_and_lists_are_accepted() -> None:
    assert len(batch(np.zeros((0, 27), np.uint8))) == 0
    rows = [list(HAND.counts), [0] * 27]
    found = batch(rows, targets=[9, 9], stop_at_target=True, history=True)
    assert found.stopped.tolist() == [StopReason.REACHED, StopReason.REACHED]
    assert found.evaluations.tolist() == [1, 1]
    assert found.history.shape == (2, 5)
    assert batch(rows).history is None
    assert batch(rows).hit_evaluations.tolist() == [-1, -1]
    assert batch(rows).stopped.tolist() == [StopReason.GENERATIONS, StopReason.EMPTY]


def test_short_forms() -> None:
    assert repr(batch([HAND.counts] * 2)) == "<Batch of 2 searches>"
    assert repr(StopReason.EMPTY) == "StopReason.EMPTY"
    assert is_method("ndde")
    assert is_method("scipy:direct")
    assert not is_method("nde")


@dataclasses.dataclass(frozen=True)
class Alone(NDDE):
    """Without a batch of its own, so that its rows are searched one by one."""

    search_batch = None  # type: ignore[assignment]


@pytest.mark.parametrize("heuristic", [NDDE, Alone])
def test_each_row_has_its_own_target(heuristic: type[NDDE]) -> None:
    """The hand has deficiency 1, so it never reaches 0, and its first candidate reaches 9."""
    found = run_batch(
        heuristic(population=5, generations=3),
        [HAND.counts] * 3,
        seed=1,
        method="m",
        run=0,
        hand_numbers=range(3),
        targets=[9, 0, 9],
        stop_at_target=True,
    )
    assert (found.stopped == StopReason.REACHED).tolist() == [True, False, True]
    assert (found.hit_evaluations == 1).tolist() == [True, False, True]
    assert (found.evaluations == 1).tolist() == [True, False, True]


@dataclasses.dataclass
class Tally:
    """Count evaluations."""

    evaluations: int = 0

    def count(self, number: int) -> None:
        self.evaluations += number


@pytest.mark.parametrize(
    "name", [*POPULATION_METHODS, "ndde-refill", "recursive", "tree-search", "scipy:direct"]
)
def test_evaluations_count_for_the_search_around(name: str) -> None:
    """Of one hand, and of a batch."""
    hand = Hand.parse("1112345678999m1p")
    outer, inner = Tally(), Tally(5)
    with counted_by(outer):
        with counted_by(inner):
            found = run(name, hand, rng=1)
        assert inner.evaluations == 5 + found.evaluations > 5
        assert outer.evaluations == inner.evaluations
        many = run_batch(
            get_heuristic(name), [hand.counts] * 2, seed=1, method="m", hand_numbers=[0, 1], run=0
        )
        assert outer.evaluations == inner.evaluations + many.evaluations.sum()
        assert many.evaluations.min() > 0


# The registry


PLUGINS = """
from dataclasses import dataclass
from mjopt.heuristics import TLBO

@dataclass(frozen=True)
class Half(TLBO):
    pass

class NotADataclass:
    name, is_random, num_generations, search = "x", True, 0, None
"""

POINTS = """
[mjopt.heuristics]
half = plugged:Half
gone = no_such_module:X
wrong = plugged:dataclass
bare = plugged:NotADataclass
ndde = plugged:Half
"""


def test_plugins_are_discovered(tmp_path: Path) -> None:
    with package_folder(install(tmp_path / "packages", "plugged", PLUGINS, POINTS)):
        assert HEURISTICS.names[-4:] == ("half", "gone", "wrong", "bare")
        half = get_heuristic("half", population=7)
        assert (type(half).__module__, half.population) == ("plugged", 7)
        assert isinstance(get_heuristic("ndde"), NDDE)  # the built-in one comes first
        with pytest.raises(ArgumentError, match="'gone' from no_such_module:X fails: ModuleNot"):
            get_heuristic("gone")
        with pytest.raises(ArgumentError, match="is no heuristic: it has no 'name'"):
            get_heuristic("wrong")
        with pytest.raises(ArgumentError, match="expected a dataclass"):
            get_heuristic("bare")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("ndde", "ndde-20-50"),
        ("ndde:population=50,generations=500", "ndde-50-500"),
        (" ndde : population = 50 , scale=0.9", "ndde-50-50-scale-0.9"),
        ("pso:takes_equal=true", "pso-20-50-takes_equal-True"),
        ("ndde:max_evaluations=none", "ndde-20-50"),
    ],
)
def test_method_texts_are_parsed(text: str, label: str) -> None:
    assert read_method(text)[0] == label


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ndde:population", "method 'ndde:population': 'population', expected NAME=VALUE"),
        ("ndde:=5", "'=5', expected NAME=VALUE"),
        ("ndde:population=many", "population = 'many', expected a whole number"),
        ("", "heuristic '': unknown"),
    ],
)
def test_bad_method_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        read_method(text)


# Method objects and seeds


@dataclasses.dataclass(frozen=True, kw_only=True)
class Renamed(NDDE):
    """An unregistered user method."""

    name = "renamed"


def test_method_is_accepted_as_name_object_or_class() -> None:
    wanted = run("ndde", HAND, rng=np.random.default_rng(3), population=8, generations=4)
    for method, parameters in (
        (NDDE(population=8, generations=4), {}),
        (Renamed(population=8, generations=4), {}),
        (Renamed, {"population": 8, "generations": 4}),
    ):
        assert run(method, HAND.to_text(), rng=3, **parameters) == wanted


@pytest.mark.parametrize(
    ("method", "parameters", "words"),
    [
        (NDDE(), {"population": 8}, "population: the method that is given has its own: NDDE"),
        (NDDE, {"popsize": 8}, "ndde has no parameter 'popsize', expected one of population"),
        (dict, {}, "method: <class 'dict'> is no heuristic: it has no 'name'"),
        (None, {}, "method: None is no heuristic"),
    ],
)
def test_non_methods_are_refused(method: Any, parameters: Any, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        run(method, HAND, rng=1, **parameters)


@pytest.mark.parametrize("number", [-1, 0.5, "3", None])
def test_number_of_generations_of_a_method_is_checked(number: Any) -> None:
    @dataclasses.dataclass(frozen=True)
    class Counted(NDDE):
        num_generations = number

    message = f"heuristic ndde: num_generations = {number!r}, expected a whole number, 0 or more"
    with pytest.raises(ArgumentError, match=message):
        run(Counted, HAND, rng=1)


@pytest.mark.parametrize("rng", [None, "1", True, 0.5, np.random.RandomState(1)])
def test_invalid_rng_is_refused(rng: Any) -> None:
    with pytest.raises(TypeError, match=r"rng: .*, expected a seed \(0, 1, 2, ...\) or a numpy"):
        run("ndde", HAND, rng=rng)
    with pytest.raises(ValueError, match="rng: -1, expected a seed"):
        run("ndde", HAND, rng=-1)
