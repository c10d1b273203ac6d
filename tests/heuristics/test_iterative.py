"""Heuristics of users: what they evaluate is counted, limited and recorded outside them."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from mjopt import Hand, deficiency
from mjopt.errors import ArgumentError
from mjopt.heuristics import (
    NDDE,
    Batch,
    CountedProblem,
    Encoding,
    Heuristic,
    IterativeHeuristic,
    Problem,
    Result,
    Stop,
    StopReason,
    evaluations,
    generations,
    reached,
    run,
    run_batch,
    seconds,
    stream,
)
from mjopt.heuristics import problem as plain_problem
from mjopt.studies import certified_search

HAND = Hand.parse("1123m46p789s11225z")
EMPTY = Hand.parse("147m258p369s12345z")
State = tuple[CountedProblem, np.random.Generator]


@dataclass(frozen=True, kw_only=True)
class Draws(IterativeHeuristic[State]):
    """Random predecompositions, some in each generation."""

    generations: int = 20
    number: int = 5

    name: ClassVar[str] = "draws"

    def start(self, problem: CountedProblem, rng: np.random.Generator) -> State:
        return self.step((problem, rng))

    def step(self, state: State) -> State:
        problem, rng = state
        for _ in range(self.number):
            problem.evaluate(rng.uniform(*problem.bounds))
        return state


@dataclass(frozen=True, kw_only=True)
class Batches(Draws):
    """The same predecompositions, evaluated together."""

    name: ClassVar[str] = "batches"

    def step(self, state: State) -> State:
        problem, rng = state
        problem.evaluate_batch(rng.uniform(*problem.bounds, size=(self.number, 5)))
        return state


def plain_costs(number: int) -> list[int]:
    """Return the costs that `Draws` sees, one after the other."""
    problem, rng = plain_problem(HAND), np.random.default_rng(1)
    return [problem.evaluate(rng.uniform(*problem.bounds)) for _ in range(number)]


@pytest.mark.parametrize("kind", [Draws, Batches])
def test_counts_history_and_hits_follow_from_the_evaluations(kind: type[Draws]) -> None:
    costs = plain_costs(105)
    result = run(kind(), HAND, rng=1, target=4)
    assert result.evaluations == 105
    assert result.generations == 20
    assert result.history == tuple(min(costs[: 5 * (g + 1)]) for g in range(21))
    first = next(i for i, cost in enumerate(costs, start=1) if cost <= 4)
    assert (result.hit_evaluations, result.hit_generation) == (first, (first - 1) // 5)
    assert result.stopped is StopReason.GENERATIONS
    assert result.predecomposition.cost() == result.value == min(costs)


@pytest.mark.parametrize("kind", [Draws, Batches])
@pytest.mark.parametrize(
    ("stop", "expected"),
    [
        (evaluations(5), (5, 0, 1, StopReason.EVALUATIONS)),
        (evaluations(12), (12, 1, 3, StopReason.EVALUATIONS)),
        (evaluations(15), (15, 2, 3, StopReason.EVALUATIONS)),
        (evaluations(3), (3, 0, 1, StopReason.EVALUATIONS)),
        (generations(0), (5, 0, 1, StopReason.GENERATIONS)),
        (generations(7), (40, 7, 8, StopReason.GENERATIONS)),
        (seconds(1e-9), (1, 0, 1, StopReason.SECONDS)),
        (reached(9), (1, 0, 1, StopReason.REACHED)),
    ],
)
def test_every_limit_is_kept(kind: type[Draws], stop: Stop, expected: tuple[Any, ...]) -> None:
    result = run(kind(), HAND, rng=1, stop=stop)
    found = result.evaluations, result.generations, len(result.history), result.stopped
    assert found == expected


def test_the_first_evaluation_with_the_value_ends_the_search() -> None:
    whole = run(Draws(), HAND, rng=1, target=4)
    result = run(Draws(), HAND, rng=1, target=4, stop=reached(4))
    assert result.evaluations == result.hit_evaluations == whole.hit_evaluations
    assert result.stopped is StopReason.REACHED


def test_a_hand_without_pieces_has_one_evaluation() -> None:
    result = run(Draws(), EMPTY, rng=1)
    assert (result.value, result.evaluations, result.history) == (9, 1, (9,))
    assert result.stopped is StopReason.EMPTY
    assert run(Draws(), EMPTY, rng=1, stop=reached(9)).stopped is StopReason.REACHED


def test_batches_and_certified_search_take_it() -> None:
    batch = run_batch(
        Draws(),
        [HAND.counts, HAND.counts],
        seed=3,
        method="draws",
        hand_numbers=[0, 7],
        run=0,
        history=True,
        tiles=HAND.tiles,
    )
    for row, number in enumerate((0, 7)):
        result = run(Draws(), HAND, rng=stream(3, "draws", number, 0))
        assert batch.value[row] == result.value
        assert batch.history is not None
        assert tuple(batch.history[row]) == result.history
    found = certified_search(Draws(generations=3000), HAND, rng=1)
    assert found.result.value >= found.certificate.deficiency == deficiency(HAND)


# Lies ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Deaf(Draws):
    """Ignores the end of the search and evaluates further."""

    name: ClassVar[str] = "deaf"

    def step(self, state: State) -> State:
        problem, rng = state
        for _ in range(100):
            with suppress(BaseException):
                problem.evaluate(rng.uniform(*problem.bounds))
        return state


@dataclass(frozen=True, kw_only=True)
class Vain(Draws):
    """Changes the argument after its evaluation."""

    name: ClassVar[str] = "vain"

    def step(self, state: State) -> State:
        problem, rng = state
        x = rng.uniform(*problem.bounds)
        problem.evaluate(x)
        x[:] = 0
        return state


@dataclass(frozen=True, kw_only=True)
class Modest(Draws):
    """Sets its number of evaluations back."""

    name: ClassVar[str] = "modest"

    def step(self, state: State) -> State:
        state[0].evaluations = 1  # type: ignore[misc]
        return state


@dataclass(frozen=True, kw_only=True)
class Boaster(Draws):
    """Writes its own result."""

    name: ClassVar[str] = "boaster"

    def search(self, hand: Any, **_: Any) -> Result:  # type: ignore[override]
        pieces = Encoding(hand).decode([0] * 5)
        return Result(
            value=pieces.cost(),
            predecomposition=pieces,
            evaluations=1,
            generations=0,
            history=(pieces.cost(),),
            stopped=StopReason.GENERATIONS,
        )


@dataclass(frozen=True, kw_only=True)
class Aside(Draws):
    """Chooses its argument outside the problem that counts."""

    aside: str = ""

    name: ClassVar[str] = "aside"

    def start(self, problem: CountedProblem, rng: np.random.Generator) -> State:
        xs = rng.uniform(*problem.bounds, size=(500, problem.num_variables))
        keys = {"seed": 1, "method": "a", "run": 0, "hand_numbers": [0], "tiles": HAND.tiles}
        match self.aside:
            case "another problem":
                plain_problem(problem.hand).evaluate_batch(xs)
            case "one by one":
                other = plain_problem(problem.hand)
                for x in xs:
                    other.evaluate(x)
            case "the method of the base class":
                Problem.evaluate_batch(problem, xs)
            case "another heuristic":
                run("ndde", problem.hand, rng=rng, stop=evaluations(500))
            case "another heuristic of a user":
                run(Draws(generations=99), problem.hand, rng=rng)
            case "a batch":
                ndde = NDDE(max_evaluations=500)
                run_batch(ndde, [problem.hand.counts], **keys)
            case "a tree":
                for _ in range(500):
                    assert plain_problem(problem.hand).optimum == 2
        return self.step((problem, rng))


@dataclass(frozen=True, kw_only=True)
class Forger(Draws):
    """Writes into the record of its problem."""

    attribute: str = "evaluations"
    value: Any = 1

    name: ClassVar[str] = "forger"

    def step(self, state: State) -> State:
        state = Draws.step(self, state)
        setattr(state[0].log, self.attribute, self.value)
        return state


@dataclass(frozen=True, kw_only=True)
class OwnBatches(NDDE):
    """Searches batches with its own code, which counts for itself."""

    name: ClassVar[str] = "own-batches"

    def search_batch(self, counts: Any, **options: Any) -> Batch:  # type: ignore[override]
        batch = NDDE.search_batch(self, counts, **options)
        batch.evaluations[:] = batch.hit_evaluations[:] = 1
        return batch


@dataclass(frozen=True, kw_only=True)
class Idle(IterativeHeuristic[list[CountedProblem]]):
    """Evaluates in every second step."""

    name: ClassVar[str] = "idle"

    def start(self, problem: CountedProblem, rng: np.random.Generator) -> list[CountedProblem]:
        problem.evaluate([0] * 5)
        return [problem]

    def step(self, state: list[CountedProblem]) -> list[CountedProblem]:
        if len(state) % 2:
            state[0].evaluate([0] * 5)
        return [*state, state[0]]


@pytest.mark.parametrize(
    "aside",
    [
        "another problem",
        "one by one",
        "the method of the base class",
        "another heuristic",
        "another heuristic of a user",
        "a batch",
    ],
)
def test_evaluations_elsewhere_count_too(aside: str) -> None:
    result = run(Aside(aside=aside), HAND, rng=1)
    assert result.evaluations == 500 + run(Draws(), HAND, rng=1).evaluations
    result = run(Aside(aside=aside), HAND, rng=1, stop=evaluations(520))
    assert (result.evaluations, result.stopped) == (520, StopReason.EVALUATIONS)


def test_nodes_of_a_tree_count_too() -> None:
    assert run(Aside(aside="a tree"), HAND, rng=1).evaluations > 500 + 105


def test_a_limit_met_elsewhere_leaves_no_result() -> None:
    with pytest.raises(ArgumentError, match="aside: start evaluates nothing"):
        run(Aside(aside="another heuristic"), HAND, rng=1, stop=evaluations(400))


def test_a_step_without_an_evaluation_is_no_generation() -> None:
    result = run(Idle(generations=10), HAND, rng=1)
    assert (result.evaluations, result.generations, len(result.history)) == (6, 5, 6)
    assert result.stopped is StopReason.GENERATIONS


def test_evaluations_outside_a_search_count_nowhere() -> None:
    other = plain_problem(HAND)
    before = run(Draws(), HAND, rng=1)
    other.evaluate([0] * 5)
    assert run(Draws(), HAND, rng=1) == before


@pytest.mark.parametrize(("attribute", "value"), [("evaluations", 1), ("stopped", None)])
def test_the_record_cannot_be_written(attribute: str, value: Any) -> None:
    with pytest.raises(ArgumentError, match="forger fails: AttributeError"):
        run(Forger(attribute=attribute, value=value), HAND, rng=1)


def test_a_batch_search_of_its_own_is_refused() -> None:
    keys = {"seed": 1, "method": "a", "run": 0, "hand_numbers": [0], "tiles": HAND.tiles}
    for given in (OwnBatches, OwnBatches()):
        with pytest.raises(ArgumentError, match="it has its own search_batch; derive it from"):
            run_batch(given, [HAND.counts], **keys)


class Untold(Heuristic):
    """Derived from the protocol, with a search of its own."""

    def search(self, hand, *, rng, stop, target=None):  # type: ignore[no-untyped-def]
        return 1


class Empty(Heuristic):
    """Derived from the protocol, without a search."""


class Nameless(IterativeHeuristic[None]):
    """Has no name."""


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Untold, "it has its own search; derive it from mjopt.heuristics.IterativeHeuristic, and"),
        (Empty, "it has no search; derive it from mjopt.heuristics.IterativeHeuristic, and write"),
        (Nameless, "it has no 'name'; a class attribute with its name"),
        (object, "it has no 'name'; a class attribute with its name"),
    ],
)
def test_a_class_that_is_no_heuristic_names_the_remedy(kind: type, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        run(kind, HAND, rng=1)


def test_a_search_does_not_know_the_optimum() -> None:
    found = []

    @dataclass(frozen=True, kw_only=True)
    class Curious(Draws):
        name: ClassVar[str] = "curious"

        def step(self, state: State) -> State:
            found.append(hasattr(state[0], "optimum"))
            return Draws.step(self, state)

    run(Curious(generations=1), HAND, rng=1)
    assert set(found) == {False}
    assert plain_problem(HAND).optimum == 2


def test_no_evaluation_counts_after_the_end() -> None:
    result = run(Deaf(), HAND, rng=1, stop=evaluations(30))
    assert (result.evaluations, result.stopped) == (30, StopReason.EVALUATIONS)


def test_a_changed_argument_does_not_change_the_result() -> None:
    result = run(Vain(), HAND, rng=1)
    assert result.predecomposition.cost() == result.value < 9


def test_counts_cannot_be_written() -> None:
    with pytest.raises(ArgumentError, match="modest fails: "):
        run(Modest(), HAND, rng=1)


def test_a_search_of_its_own_is_refused() -> None:
    for given in (Boaster, Boaster()):
        with pytest.raises(ArgumentError, match="it has its own search; derive it from"):
            run(given, HAND, rng=1)


def test_a_value_that_its_predecomposition_does_not_have_is_refused() -> None:
    pieces = Encoding(HAND).decode([0] * 5)
    with pytest.raises(
        ArgumentError, match="value 0, expected 9, the cost of the predecomposition"
    ):
        Result(
            value=0,
            predecomposition=pieces,
            evaluations=1,
            generations=0,
            history=(0,),
            stopped=StopReason.GENERATIONS,
        )
