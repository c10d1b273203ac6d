"""Plain Python version of PSO."""

from dataclasses import dataclass
from typing import cast

from reference_implementations.heuristics.search import Judged, PlainSearch

from mjopt.heuristics.pso import PSO


@dataclass(slots=True)
class Particle:
    """Position, velocity and best position of a particle."""

    at: tuple[int, ...]
    best: Judged
    speed: list[float]


def first(search: PlainSearch) -> list[Particle]:
    """Return the initial swarm, with uniform velocities."""
    swarm = [Particle(judged[0], judged, []) for judged in search.initial_population()]
    most = _most(search)
    for particle in swarm:
        particle.speed = [most * (2 * search.rng.random() - 1) for _ in particle.at]
    return swarm


def generation(search: PlainSearch, swarm: list[Particle]) -> list[Particle]:
    """Move each particle once."""
    takes_equal = cast("PSO", search.method).takes_equal
    for particle in swarm:
        moved = [_move(search, particle, j) for j in range(len(particle.at))]
        judged = search.judge(moved)
        particle.at = judged[0]
        if judged[1] < particle.best[1] or (judged[1] == particle.best[1] and takes_equal):
            particle.best = judged
    return swarm


def _most(search: PlainSearch) -> float:
    return cast("PSO", search.method).max_speed * search.encoding.num_elements


def _move(search: PlainSearch, particle: Particle, j: int) -> int:
    method, most = cast("PSO", search.method), _most(search)
    to_own, to_all = search.rng.random(), search.rng.random()
    anywhere = search.element()
    places = particle.at[j], particle.best[0][j], search.best[0][j]
    at = places[0] or anywhere
    own, leader = places[1] or at, places[2] or at
    speed = method.inertia * particle.speed[j]
    speed += method.cognitive * to_own * (own - at)
    speed += method.social * to_all * (leader - at)
    particle.speed[j] = min(max(speed, -most), most)
    if method.empties == "redraw-all" and not all(places):
        return anywhere
    return search.clip(at + particle.speed[j])
