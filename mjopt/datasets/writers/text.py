"""Hands as mpsz text, many at once; CSV files, where a set of kinds is a number of bits."""

import csv
import io
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.writers.base import Columns, Writer

WIDTH: Final = 20  # fourteen ranks and four letters, rounded up
_LETTERS: Final = np.frombuffer(b"mpsz", np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts of at most 20 ASCII characters.

    Parameters
    ----------
    padded
        Their bytes, shape (N, 20), filled up with zeros.
    lengths
        How many of them count, shape (N,).
    """

    padded: NDArray[np.uint8]
    lengths: NDArray[np.int32]

    def take(self, which: NDArray[Any]) -> "Texts":
        """Return some of the texts."""
        return Texts(self.padded[which], self.lengths[which])

    def to_list(self) -> list[str]:
        """Return the texts as strings."""
        words = np.ascontiguousarray(self.padded).view(f"S{WIDTH}").ravel()
        return [word.decode() for word in words.tolist()]

    def joined(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return where each text begins, one longer, and all bytes one after the other."""
        offsets = np.zeros(len(self.lengths) + 1, np.int32)
        np.cumsum(self.lengths, out=offsets[1:])
        return offsets, self.padded[np.arange(WIDTH) < self.lengths[:, None]]


def hand_texts(hands: NDArray[np.uint8]) -> Texts:
    """Write hands of 27 or 34 kinds in mpsz.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("11m99p123456789s1m")
    >>> hand_texts(np.array([hand.counts], np.uint8)).to_list()
    ['111m99p123456789s']
    """
    from mjopt.datasets._kernels import write_text

    padded = np.empty((len(hands), WIDTH), np.uint8)
    lengths = np.empty(len(hands), np.int32)
    write_text(np.ascontiguousarray(hands), _LETTERS, padded, lengths)
    return Texts(padded, lengths)


class CsvWriter(Writer):
    """Writes one split of one shard as CSV; ``mjopt label`` reads it back."""

    def __init__(self, *what: Any) -> None:
        super().__init__(*what)
        # The text stands under "hand": two columns of the same would be one too many.
        self._names = [column.name for column in self._columns if column.name != "text"]
        self._write([self._names])

    def _write(self, rows: Any) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(rows)
        self._files[0].write(text.getvalue().encode())

    def _add(self, columns: Columns) -> None:
        lists = []
        for name in self._names:
            values = columns[name]
            if isinstance(values, str):
                lists.append([values] * len(columns["row"]))
            elif name == "hand":
                lists.append(hand_texts(values).to_list())
            else:
                lists.append(values.tolist())
        self._write(zip(*lists, strict=True))
