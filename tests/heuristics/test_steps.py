"""Mutation, crossover and selection pinned step by step with scripted random numbers.

The scripts drive the Python implementations; test_twins.py compares them with the kernels.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from reference_implementations.heuristics import ga, ndde, pso, tlbo
from reference_implementations.heuristics.search import Judged, PlainSearch

from mjopt import Hand, heuristics
from mjopt.heuristics import NEVER, Encoding
from mjopt.heuristics.ga import SCALINGS, GAParams, _spread

# Deterministic repair and immediate selection keep the scripts short.
NDDE = partial(heuristics.NDDE, repair="pmelds-first", selection="in-place")
PSO, GA, TLBO = (
    partial(method, repair="pmelds-first")
    for method in (heuristics.PSO, heuristics.GA, heuristics.TLBO)
)
HAND = Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper")
KEEP, LOSE = 0.0, 0.9  # draws that are at most Cr, or above it


class Script:
    """A random source that returns scripted numbers."""

    def __init__(self, draws: Sequence[float]) -> None:
        self.draws = list(draws)

    def random(self) -> float:
        return self.draws.pop(0)


def searching(method: Any, draws: Sequence[float] = ()) -> PlainSearch:
    return PlainSearch(method, Encoding(HAND, method.order), Script(draws), NEVER, None)


def judged(*chosen: int) -> Judged:
    """A feasible individual and its cost."""
    return chosen, Encoding(HAND).decode(chosen).cost()


def at(element: int, number: int = 16) -> float:
    """Return the random number that selects this element of 1..number."""
    return (element - 0.5) / number


def test_hand_has_expected_candidates() -> None:
    encoding = Encoding(HAND)
    names = [block.text(HAND.tiles) for block in encoding.elements]
    assert " ".join(names) == "45m 46m 56m 67p 68p 78p 12s 13s 23s 33s 88s 456m 678p 123s 333s 888s"


def test_integers_are_floor_of_uniform_times_range() -> None:
    search = searching(NDDE(), [0.0, 0.49, 0.5, 0.999, 0.999])
    assert [search.integer(4) for _ in range(4)] == [0, 1, 2, 3]
    assert search.element() == 16


def test_three_others_are_distinct() -> None:
    """The second draw is among the four remaining, the third among the three remaining."""
    draws = [0.0, 0.0, 0.0]
    assert ndde.three_others(searching(NDDE(), draws), 6, 0) == (1, 2, 3)
    assert ndde.three_others(searching(NDDE(), draws), 6, 2) == (0, 1, 3)
    last = [0.99, 0.99, 0.99]
    assert ndde.three_others(searching(NDDE(), last), 6, 5) == (4, 3, 2)
    seen = {
        ndde.three_others(searching(NDDE(), [a / 3 + 0.1, b / 2 + 0.1, 0.0]), 4, 1)
        for a in range(3)
        for b in range(2)
    }
    assert seen == {(0, 2, 3), (0, 3, 2), (2, 0, 3), (2, 3, 0), (3, 0, 2), (3, 2, 0)}


@pytest.mark.parametrize(
    ("others", "options", "mutant"),
    [
        ((4, 10, 6), {}, 6),  # 4 + 0.5 * (10 - 6)
        ((4, 6, 10), {}, 2),
        ((4, 7, 6), {}, 4),  # 4.5: half to even
        ((5, 7, 6), {}, 6),  # 5.5: half to even
        ((4, 7, 6), {"rounding": "half-up"}, 5),
        ((4, 6, 7), {"rounding": "half-up"}, 4),  # 3.5
        ((4, 10, 6), {"scale": 1.0}, 8),
        ((16, 9, 3), {}, 16),  # 19: clipped
        ((1, 3, 9), {}, 1),  # -2: clipped
        ((16, 9, 3), {"out_of_range": "wrap"}, 3),
        ((1, 3, 9), {"out_of_range": "wrap"}, 14),
        ((1, 3, 9), {"out_of_range": "redraw"}, 12),
        ((4, 10, 6), {"out_of_range": "redraw"}, 6),
        ((0, 10, 6), {}, 12),  # a donor is empty: any element
        ((4, 0, 6), {}, 12),
        ((4, 10, 0), {}, 12),
    ],
)
def test_mutation(others: tuple[int, int, int], options: dict[str, Any], mutant: int) -> None:
    assert ndde.mutate(searching(NDDE(**options)), others, 12) == mutant


def test_crossover_keeps_selected_nonempty_positions() -> None:
    population = [judged(1, 4, 0, 16, 0), *[judged(12, 13, 14, 0, 0)] * 3]
    draws = [0.0, 0.0, 0.0]  # any three: all are equal
    for keeps, element in zip((KEEP, LOSE, KEEP, LOSE, LOSE), (5, 6, 7, 8, 9), strict=True):
        draws += [keeps, at(element)]
    trial = ndde.cross(searching(NDDE(), draws), population, 0, population[0][0])
    # Kept; mutated 13 + 0.5 * 0; empty, so mutated despite the draw; empty donors give a
    # random element, twice.
    assert trial == (1, 13, 14, 8, 9)


def test_crossover_rate_is_inclusive() -> None:
    """A draw of exactly Cr keeps, as Eq. 10 is printed."""
    population = [judged(1, 0, 0, 0, 0), *[judged(12, 0, 0, 0, 0)] * 3]
    for draw, first in ((0.5, 1), (0.5000001, 12)):
        draws = [0.0] * 3 + [draw, 0.0] + [LOSE, 0.0] * 4
        assert ndde.cross(searching(NDDE(), draws), population, 0, population[0][0])[0] == first


def test_selection_takes_better_and_equal_trials_only() -> None:
    """Individual 0 becomes better, 1 another of equal cost, 2 is refused."""
    start = [judged(1, 0, 0, 0, 0), judged(12, 0, 0, 0, 0), judged(12, 13, 0, 0, 0)]
    start.append(judged(4, 0, 0, 0, 0))
    others = [0.0, 0.0, 0.0]  # the three donors in order; where one is empty, a draw decides
    better = [*others, KEEP, 0.0, LOSE, at(13)] + [LOSE, at(1)] * 3
    equal = others + [LOSE, at(13)] * 5  # 678p five times: four are removed
    worse = others + [LOSE, at(1)] * 5
    search = searching(NDDE(population=4), better + equal + worse + [0.0] * 13)
    later = ndde.generation(search, list(start))
    assert search.evaluations == 4
    assert later[0] == judged(0, 13, 0, 0, 1)
    assert later[1] == judged(0, 0, 0, 0, 13)
    assert later[1][1] == start[1][1]
    assert later[2] == start[2]


@pytest.mark.parametrize("selection", ["in-place", "after-generation"])
def test_selection_happens_in_place_or_after_the_generation(selection: str) -> None:
    """The second individual mutates with the first before or after its selection."""
    start = [judged(1, 0, 0, 0, 0), *[judged(13, 0, 0, 0, 0)] * 3]
    lose_all = [LOSE, at(16)] + [LOSE, at(1)] * 4
    first = [0.0, 0.0, 0.0, *lose_all]  # donors are equal: position 0 becomes 13
    second = [0.0, 0.0, 0.0, *lose_all]  # others 0, 2, 3: x0 + 0.5 * (13 - 13)
    method = NDDE(population=4, selection=selection)
    search = searching(method, first + second + [0.0] * 26)
    ndde_trials: list[tuple[int, ...]] = []
    original = search.encoding

    class Spy(PlainSearch):
        def judge(self, chosen: Sequence[int]) -> Judged:
            ndde_trials.append(tuple(chosen))
            return super().judge(chosen)

    spy = Spy(method, original, search.rng, NEVER, None)
    ndde.generation(spy, list(start))
    assert ndde_trials[0][0] == 13
    assert ndde_trials[1][0] == (13 if selection == "in-place" else 1)


def test_refused_trial_leaves_the_individual_unchanged() -> None:
    best = judged(12, 13, 14, 16, 0)  # 33s remains: cost 1
    start = [best] + [judged(1, 0, 0, 0, 0)] * 3
    draws = [0.0] * 3 + [LOSE, at(1)] * 5
    later = ndde.generation(searching(NDDE(population=4), draws + [0.0] * 39), list(start))
    assert later[0] == best


def test_particle_velocity_has_three_terms() -> None:
    """0.7 * 1 + 2 * 0.5 * (5 - 3) + 2 * 0.25 * (9 - 3) = 5.7, cut to a quarter of 16."""
    for max_speed, speed, place in ((0.25, 4.0, 7), (1.0, 5.7, 9)):
        search = searching(PSO(max_speed=max_speed), [0.5, 0.25, 0.0] + [0.0] * 12)
        search.best = judged(9, 0, 0, 0, 0)
        particle = pso.Particle((3, 0, 0, 0, 0), judged(5, 0, 0, 0, 0), [1.0] * 5)
        pso.generation(search, [particle])
        assert particle.speed[0] == pytest.approx(speed)
        assert particle.at[0] == place


@pytest.mark.parametrize(("empties", "place"), [("redraw", 11), ("redraw-all", 11)])
def test_empty_particle_position_is_drawn_uniformly(empties: str, place: int) -> None:
    search = searching(PSO(empties=empties, inertia=0.0), [0.5, 0.5, at(11)] + [0.0] * 12)
    search.best = judged(0, 0, 0, 0, 0)
    particle = pso.Particle((0, 0, 0, 0, 0), judged(0, 0, 0, 0, 0), [1.0] * 5)
    pso.generation(search, [particle])
    assert particle.at[0] == place


def test_equal_cost_replaces_personal_best_only_if_enabled() -> None:
    for takes_equal in (False, True):
        method = PSO(takes_equal=takes_equal, inertia=0.0, cognitive=0.0, social=0.0)
        search = searching(method, [0.0] * 15)
        search.best = judged(1, 0, 0, 0, 0)
        particle = pso.Particle((4, 0, 0, 0, 0), judged(2, 4, 0, 0, 0), [0.0] * 5)
        pso.generation(search, [particle])  # (4, 1, 1, 1, 1), repaired to (4, 0, 0, 0, 1)
        assert particle.at == (4, 0, 0, 0, 1)
        assert particle.best[0] == ((4, 0, 0, 0, 1) if takes_equal else (2, 4, 0, 0, 0))


def test_roulette_wheel_favours_low_cost() -> None:
    search = searching(GA(), [0.0, 0.49, 0.51, 0.999])
    assert [ga.spin(search, [1.0, 2.0, 4.0]) for _ in range(4)] == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("scaling", "shares"),
    [("linear", [4, 3, 1]), ("inverse", [1, 1 / 2, 1 / 4])],  # of costs 0, 1 and 3
)
def test_fitness_of_both_scalings(scaling: str, shares: list[float]) -> None:
    params = GAParams(0.8, 0.01, SCALINGS.index(scaling), redraws_empty=0, elitist=0)
    wheel = np.zeros(3)
    _spread(wheel, np.array([0, 1, 3]), params)
    assert wheel.tolist() == np.cumsum(shares).tolist()


def test_one_point_crossover() -> None:
    population = [((1, 2, 3, 4, 5), 3), ((6, 7, 8, 9, 10), 3)]
    # Parents 0 and 1; crossed; cut after the second position.
    search = searching(GA(), [0.0, 0.9, 0.0, 0.3])
    assert ga.breed(search, population, [1.0, 2.0]) == ((1, 2, 8, 9, 10), (6, 7, 3, 4, 5))
    copied = searching(GA(), [0.0, 0.9, 0.95])
    assert ga.breed(copied, population, [1.0, 2.0]) == (population[0][0], population[1][0])


def test_elite_replaces_the_worst_child() -> None:
    """Two parents are copied and every position mutates into 45m, so the children are worse."""
    start = [judged(12, 13, 14, 0, 0), judged(12, 13, 0, 0, 0)]
    draws = [0.0, 0.0, 0.95] + [0.0, at(1)] * 10
    for elitist, best in ((False, 8), (True, 3)):
        search = searching(GA(population=2, elitist=elitist, mutation=0.5), draws)
        later = ga.generation(search, list(start))
        assert min(cost for _, cost in later) == best


def test_teacher_moves_learners_away_from_the_mean() -> None:
    """The mean of position 0 is 6; 4 + 0.5 * (8 - 1 * 6) = 5, then 4 + 0.5 * (8 - 12) = 2."""
    for factor, place in ((0.0, 5), (0.5, 2)):
        start = [judged(8, 12, 0, 0, 0), judged(4, 0, 0, 0, 0)]
        moves = [0.5, 0.0] + [0.0, at(1)] * 4
        trials: list[tuple[int, ...]] = []

        class Spy(PlainSearch):
            def judge(self, chosen: Sequence[int], into: Any = trials) -> Judged:
                into.append(tuple(chosen))
                return super().judge(chosen)

        method = TLBO(population=2)
        draws = [factor, *moves, factor, *moves] + [0.0] * 22
        spy = Spy(method, Encoding(HAND), Script(draws), NEVER, None)
        tlbo.generation(spy, start)
        assert trials[1][0] == place


def test_learners_move_from_worse_and_towards_better_peers() -> None:
    """From 8 with the other at 4 and r = 0.5: to 10 if the other is worse, else to 6."""
    better, worse = judged(8, 12, 0, 0, 0), judged(8, 0, 0, 0, 0)
    other = judged(4, 0, 0, 0, 0)
    draws = [0.0, 0.5, 0.0] + [0.0, 0.0] * 4
    for own, place in ((better, 10), (worse, 6)):
        search = searching(TLBO(population=2), draws)
        assert tlbo.learn(search, [own, other], 0)[0] == place
