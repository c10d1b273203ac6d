"""Methods of one study that differ in population and generations alone."""

from collections.abc import Mapping
from dataclasses import dataclass

from mjopt.studies.summary import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One heuristic over a grid of two parameters."""

    name: str  # in the registry
    slug: str  # a name for files, different for every grid of a study
    labels: Mapping[tuple[int, int], str]  # of each (population, generations) of the study

    @property
    def populations(self) -> tuple[int, ...]:
        """The sizes of the population, ascending."""
        return tuple(sorted({population for population, _ in self.labels}))

    @property
    def generations(self) -> tuple[int, ...]:
        """The numbers of generations, ascending."""
        return tuple(sorted({generations for _, generations in self.labels}))


def grids(summary: Summary) -> tuple[Grid, ...]:
    """Return the grids of a study: at least two populations by two numbers of generations."""
    families: dict[tuple[str, tuple[tuple[str, str], ...]], dict[tuple[int, int], str]] = {}
    for method in summary.plan.methods:
        values = dict(method.parameters)
        population, generations = (values.pop(name, None) for name in ("population", "generations"))
        if isinstance(population, int) and isinstance(generations, int):
            rest = tuple(sorted((key, repr(value)) for key, value in values.items()))
            family = families.setdefault((method.name, rest), {})
            family[population, generations] = method.label
    found: list[Grid] = []
    for (name, _), labels in families.items():
        slug = f"grid-{name}".replace("_", "-").lower()
        number = sum(grid.name == name for grid in found)
        grid = Grid(name=name, slug=f"{slug}-{number + 1}" if number else slug, labels=labels)
        if len(grid.populations) > 1 and len(grid.generations) > 1:
            found.append(grid)
    return tuple(found)
