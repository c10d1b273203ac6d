"""Plain Python version of GA."""

from itertools import accumulate
from typing import cast

from reference_implementations.heuristics.search import Judged, PlainSearch

from mjopt.heuristics.ga import GA

Population = list[Judged]


def first(search: PlainSearch) -> Population:
    """Return the initial population."""
    return search.initial_population()


def generation(search: PlainSearch, population: Population) -> Population:
    """Breed one generation, two children at a time."""
    method = cast("GA", search.method)
    wheel = _wheel(population, method.scaling)
    later: Population = []
    while len(later) < len(population):
        for child in breed(search, population, wheel)[: len(population) - len(later)]:
            later.append(search.judge(_mutate(search, child)))
    if method.elitist:
        costs = [cost for _, cost in later]
        worst, best = costs.index(max(costs)), min(population, key=lambda judged: judged[1])
        if best[1] < costs[worst]:
            later[worst] = best
    return later


def _wheel(population: Population, scaling: str) -> list[float]:
    worst = max(cost for _, cost in population)
    if scaling == "linear":
        return list(accumulate(float(worst + 1 - cost) for _, cost in population))
    return list(accumulate(1 / (1 + max(cost, 0)) for _, cost in population))


def spin(search: PlainSearch, wheel: list[float]) -> int:
    """Draw an index by roulette-wheel selection."""
    at = search.rng.random() * wheel[-1]
    return next((i for i, end in enumerate(wheel) if end > at), len(wheel) - 1)


def breed(
    search: PlainSearch, population: Population, wheel: list[float]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return two children, by one-point crossover with some probability."""
    mother, father = (population[spin(search, wheel)][0] for _ in range(2))
    crosses = search.rng.random() < cast("GA", search.method).crossover and len(mother) > 1
    cut = 1 + search.integer(len(mother) - 1) if crosses else len(mother)
    return mother[:cut] + father[cut:], father[:cut] + mother[cut:]


def _mutate(search: PlainSearch, child: tuple[int, ...]) -> list[int]:
    method = cast("GA", search.method)
    mutated = []
    for element in child:
        is_redrawn = search.rng.random() < method.mutation
        is_redrawn = is_redrawn or (method.redraws_empty and not element)
        mutated.append(search.element() if is_redrawn else element)
    return mutated
