"""Plain Python version of NDDE: Algorithm 1, line by line."""

from math import floor
from typing import cast

from reference_implementations.heuristics.search import Judged, PlainSearch

from mjopt.heuristics.ndde import NDDE

Population = list[Judged]


def first(search: PlainSearch) -> Population:
    """Return the initial population (lines 4 and 5)."""
    return search.initial_population()


def generation(search: PlainSearch, population: Population) -> Population:
    """Mutate, cross, repair, evaluate and select (lines 7 to 13)."""
    method = cast("NDDE", search.method)
    later = population if method.selection == "in-place" else list(population)
    for i, (own, cost) in enumerate(population):
        trial = search.judge(cross(search, population, i, own))
        if trial[1] <= cost:
            later[i] = trial
    return later


def cross(
    search: PlainSearch, population: Population, i: int, own: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the trial of individual i (Eq. 10).

    Each position draws twice: whether to keep it, and the element for an empty
    position of the mutant.
    """
    rate = cast("NDDE", search.method).crossover
    others = [population[r][0] for r in three_others(search, len(population), i)]
    trial = []
    for j, x in enumerate(own):
        keeps = search.rng.random() <= rate
        anywhere = search.element()
        mutant = mutate(search, (others[0][j], others[1][j], others[2][j]), anywhere)
        trial.append(x if x and keeps else mutant)
    return tuple(trial)


def three_others(search: PlainSearch, size: int, i: int) -> tuple[int, int, int]:
    """Draw three distinct individuals other than i, uniformly without replacement."""
    left = [k for k in range(size) if k != i]
    a, b, c = (left.pop(search.integer(len(left))) for _ in range(3))
    return a, b, c


def mutate(search: PlainSearch, others: tuple[int, int, int], anywhere: int) -> int:
    """Return one position of the mutant (Eq. 9)."""
    method, num_elements = cast("NDDE", search.method), search.encoding.num_elements
    if not all(others):
        return anywhere
    real = others[0] + method.scale * (others[1] - others[2])
    number = round(real) if method.rounding == "half-even" else floor(real + 0.5)
    if 1 <= number <= num_elements:
        return number
    if method.out_of_range == "clip":
        return 1 if number < 1 else num_elements
    return anywhere if method.out_of_range == "redraw" else (number - 1) % num_elements + 1
