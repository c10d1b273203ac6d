"""What writes a split of a shard, in one of the formats."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from mjopt.datasets.plan import DatasetPlan

Columns = dict[str, Any]
"""Values by column: an array, `Texts`, an array of strings, or one string for all rows."""


class Writer(Protocol):
    """Writes rows as they come; files are in place once the stack it was given closes."""

    def __init__(
        self, plan: DatasetPlan, folder: Path, split: str, shard: int, stack: ExitStack
    ) -> None: ...

    def add(self, columns: Columns) -> None:
        """Write some rows."""
        ...

    def finish(self) -> list[dict[str, Any]]:
        """Write what is left; return what the manifest says of each file."""
        ...


def rows_of(columns: Columns) -> int:
    """Return how many rows some columns are."""
    return len(columns["row"])
