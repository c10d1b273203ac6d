"""Labels by a heuristic: what it finds, and how many evaluations it took."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mjopt import __version__
from mjopt.datasets.labels.base import DatasetColumn, HandRows, Values
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import RecipeError
from mjopt.runtime.named import read_options


@dataclass(frozen=True)
class HeuristicAnswer:
    """The best cost that one run of a heuristic finds.

    Parameters
    ----------
    name
        ``heuristic:METHOD`` or ``heuristic:METHOD:NAME=VALUE:...``.
    method
        One of ``mjopt.heuristics.HEURISTICS``.
    parameters
        The method's own.
    """

    name: str
    method: str
    parameters: tuple[tuple[str, Any], ...]

    @property
    def engine(self) -> str:
        """The method with its parameters, and the version of this package."""
        given = ", ".join(f"{name}={value}" for name, value in self.parameters)
        return f"{self.method}({given}) of mjopt {__version__}"

    @cached_property
    def _heuristic(self) -> Any:
        from mjopt.heuristics.registry import get_heuristic  # compiled on its first use

        return get_heuristic(self.method, **dict(self.parameters))

    def check(self, _: Deal) -> None:
        """Refuse a method or a parameter that does not exist."""
        try:
            _ = self._heuristic
        except ValueError as error:
            raise RecipeError(f"label {self.name}: {error}") from None

    def columns(self, _: Deal) -> tuple[DatasetColumn, ...]:
        """Return its two columns."""
        word = self.method.replace("-", "_")
        return (
            DatasetColumn(
                f"{word}_value", "int8", f"best cost that {self.method} found in one run"
            ),
            DatasetColumn(f"{word}_evaluations", "int32", "fitness evaluations of that run"),
        )

    def values(self, rows: HandRows) -> Values:
        """Run it once on every hand; the stream is named by seed, method and row."""
        from mjopt.heuristics.running import run_batch

        found = run_batch(
            self._heuristic,
            rows.hands,
            seed=rows.seed,
            method=self.method,
            hand_numbers=rows.rows,
            run=0,
            tiles=rows.deal.tiles,
            called=rows.deal.called,
        )
        value, evaluations = (column.name for column in self.columns(rows.deal))
        return {value: found.value, evaluations: found.evaluations}

    def again(self, rows: HandRows) -> dict[str, Any]:
        """Run it again on the one hand: the stream is the same."""
        return {name: column[0].item() for name, column in self.values(rows.row(0)).items()}


def read_heuristic(name: str) -> HeuristicAnswer:
    """Read ``heuristic:METHOD:NAME=VALUE:...``.

    Examples
    --------
    >>> read_heuristic("heuristic:ndde:population=10:generations=30").parameters
    (('population', 10), ('generations', 30))
    """
    _, _, rest = name.partition(":")
    method, *given = rest.split(":")
    if not method:
        raise RecipeError(f"label {name!r}: expected heuristic:METHOD")
    parameters = tuple(read_options(given, what=f"label {name!r}", error=RecipeError))
    return HeuristicAnswer(name=name, method=method, parameters=parameters)
