"""CSV files: a hand is its mpsz text, a set of kinds the number of its bits."""

import csv
import io
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from mjopt.datasets.folder import placed
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.text import hand_texts
from mjopt.datasets.writers.base import Columns, rows_of


class CsvWriter:
    """Writes one split of one shard as CSV; ``mjopt label`` reads it back.

    Parameters
    ----------
    plan, folder, split, shard, stack
        As for every writer.
    """

    def __init__(
        self, plan: DatasetPlan, folder: Path, split: str, shard: int, stack: ExitStack
    ) -> None:
        self._split = split
        # The text stands under "hand": two columns of the same would be one too many.
        self._names = [column.name for column in plan.columns() if column.name != "text"]
        self._file = stack.enter_context(placed(folder, plan.file_name(split, shard)))
        self._num_rows = 0
        self._write([self._names])

    def _write(self, rows: Any) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        self._file.write(text.getvalue().encode())

    def add(self, columns: Columns) -> None:
        """Write some rows."""
        num_rows = rows_of(columns)
        lists = []
        for name in self._names:
            values = columns[name]
            if isinstance(values, str):
                lists.append([values] * num_rows)
            elif name == "hand":
                lists.append(hand_texts(values).to_list())
            else:
                lists.append(values.tolist())
        self._write(zip(*lists, strict=True))
        self._num_rows += num_rows

    def finish(self) -> list[dict[str, Any]]:
        """Return what the manifest says of the file."""
        return [self._file.to_document(self._split, self._num_rows)]
