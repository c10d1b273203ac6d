"""Plain Python version of NDDE with a refill."""

from collections.abc import Sequence
from typing import cast

from reference_implementations.heuristics.ndde import cross
from reference_implementations.heuristics.refilling import refill
from reference_implementations.heuristics.search import Judged, PlainSearch

from mjopt.heuristics.ndde import NDDERefill
from mjopt.heuristics.repair import make_feasible

Population = list[Judged]


def first(search: PlainSearch) -> Population:
    """Return the initial population: random, repaired and refilled."""
    return [_judge(search, _anything(search)) for _ in range(search.method.population)]


def generation(search: PlainSearch, population: Population) -> Population:
    """Refill a trial for each individual; it replaces the individual unless it is worse."""
    method = cast("NDDERefill", search.method)
    later = population if method.selection == "in-place" else list(population)
    for i, (own, cost) in enumerate(population):
        if method.variation == "differential":
            made: Sequence[int] = cross(search, population, i, own)
        elif method.variation == "uniform":
            made = _anything(search)
        else:
            made = [x if search.rng.random() <= method.crossover else 0 for x in own]
        trial = _judge(search, made)
        if trial[1] <= cost:
            later[i] = trial
    return later


def _anything(search: PlainSearch) -> list[int]:
    return [search.element() for _ in range(search.encoding.num_positions)]


def _judge(search: PlainSearch, chosen: Sequence[int]) -> Judged:
    method = cast("NDDERefill", search.method)
    kept = make_feasible(chosen, search.encoding, rule=method.repair, rng=search.rng)
    return search.judge(refill(kept, search.encoding, rule=method.refill, rng=search.rng))
