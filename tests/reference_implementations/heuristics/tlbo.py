"""Plain Python version of TLBO."""

from typing import cast

from reference_implementations.heuristics.search import Judged, PlainSearch

from mjopt.heuristics.tlbo import TLBO

Population = list[Judged]


def first(search: PlainSearch) -> Population:
    """Return the initial class."""
    return search.initial_population()


def generation(search: PlainSearch, population: Population) -> Population:
    """Run the teacher phase, then the learner phase."""
    means = [_mean(column) for column in zip(*(x for x, _ in population), strict=True)]
    teacher = min(range(len(population)), key=lambda i: population[i][1])
    for i in range(len(population)):
        _settle(search, population, i, _teach(search, population, i, teacher, means))
    for i in range(len(population)):
        _settle(search, population, i, learn(search, population, i))
    return population


def _mean(column: tuple[int, ...]) -> float | None:
    """Return the mean of a position, without empty entries."""
    filled = [x for x in column if x]
    return sum(filled) / len(filled) if filled else None


def _teach(
    search: PlainSearch, population: Population, i: int, teacher: int, means: list[float | None]
) -> list[int]:
    """Move a learner by the difference between the teacher and the mean."""
    factor = 1 + search.integer(2)
    best = population[teacher][0]
    trial = []
    for own, leader, mean in zip(population[i][0], best, means, strict=True):
        rate, anywhere = search.rng.random(), search.element()
        # The teacher may have changed since the means were computed.
        step = rate * (leader - factor * mean) if leader and mean is not None else 0.0
        trial.append(_moved(search, own or anywhere, step, anywhere, bool(own and leader)))
    return trial


def learn(search: PlainSearch, population: Population, i: int) -> list[int]:
    """Move a learner away from a worse learner, or towards one that is not worse."""
    other = search.integer(len(population) - 1)
    other += other >= i
    (x, cost), (theirs, their_cost) = population[i], population[other]
    towards = -1 if cost < their_cost else 1
    trial = []
    for own, their in zip(x, theirs, strict=True):
        rate, anywhere = search.rng.random(), search.element()
        at = own or anywhere
        step = towards * rate * ((their or at) - at)
        trial.append(_moved(search, at, step, anywhere, bool(own and their)))
    return trial


def _moved(search: PlainSearch, at: int, step: float, anywhere: int, is_whole: bool) -> int:
    redraws_all = cast("TLBO", search.method).empties == "redraw-all"
    return anywhere if redraws_all and not is_whole else search.clip(at + step)


def _settle(search: PlainSearch, population: Population, i: int, trial: list[int]) -> None:
    """Accept a trial if it is better."""
    judged = search.judge(trial)
    cost = population[i][1]
    if judged[1] < cost or (judged[1] == cost and cast("TLBO", search.method).takes_equal):
        population[i] = judged
