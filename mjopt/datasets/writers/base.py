"""What writes a split of a shard, in one of the formats."""

from abc import ABC, abstractmethod
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.manifest import placed
from mjopt.datasets.plan import DatasetPlan

Columns = dict[str, Any]
"""Values by column: an array, or one string for all rows."""

WIDTH: Final = 20  # of a hand's text: fourteen ranks and four letters, rounded up
_LETTERS: Final = np.frombuffer(b"mpsz", np.uint8)


def hand_texts(hands: NDArray[np.uint8]) -> NDArray[np.bytes_]:
    """Write hands of 27 or 34 kinds in mpsz.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("11m99p123456789s1m")
    >>> hand_texts(np.array([hand.counts], np.uint8)).tolist()
    [b'111m99p123456789s']
    """
    from mjopt.datasets._kernels import write_text

    texts = np.empty((len(hands), WIDTH), np.uint8)
    rows = np.ascontiguousarray(hands).view()
    rows.setflags(write=False)  # numba compiles for one of the two only
    write_text(rows, _LETTERS, texts)
    return texts.view(f"S{WIDTH}").ravel()


class Writer(ABC):
    """Writes rows as they come; files are in place once the stack it was given closes.

    Parameters
    ----------
    plan, folder, split, shard
        What, where, and which part.
    stack
        Closes the files.
    """

    def __init__(
        self, plan: DatasetPlan, folder: Path, split: str, shard: int, stack: ExitStack
    ) -> None:
        self._plan, self._split = plan, split
        self._columns = plan.columns()
        self._files = [
            stack.enter_context(placed(folder, name)) for name in plan.file_names(split, shard)
        ]
        self._num_rows = 0

    def add(self, columns: Columns) -> None:
        """Write some rows."""
        self._num_rows += len(columns["row"])
        self._add(columns)

    @abstractmethod
    def _add(self, columns: Columns) -> None: ...

    def finish(self) -> list[dict[str, Any]]:
        """Write what is left; return what the manifest says of each file."""
        self._finish()
        return [file.to_document(self._split, self._num_rows) for file in self._files]

    def _finish(self) -> None:  # noqa: B027 - a writer may have nothing left
        """Write what is left."""
