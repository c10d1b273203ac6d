"""Infer the tile set of a file of hands."""

from pathlib import Path

import numpy as np

from mjopt._internal.arrays import map_array
from mjopt.errors import FileError
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.tiles import FULL, M0, TileSet

WIDTHS = (M0.num_kinds, FULL.num_kinds)  # lengths of lists of copies


def tiles_in(
    path: Path, format: str, notation: str = "mpsz", name: str = ""
) -> tuple[TileSet, str]:
    """Infer the tile set of a file of hands, and the reason, empty for a set that the file names.

    Without such a name it is ``FULL`` if a hand holds honours or there are 34 copies, else ``M0``.
    The arguments are those of `HandFile`.
    """
    file = HandFile(path=path, format=format, tiles=FULL, notation=notation, name=name)
    if format == "npy":
        is_full = map_array(path).shape[1:] == (FULL.num_kinds,)
        return (FULL, "34 columns") if is_full else (M0, "not 34 columns")
    try:
        layout = file.layout
    except FileError:
        return M0, "no honours"  # copies of 27 kinds; otherwise reading as M0 reports the error
    if layout.list_tiles is not None:
        return layout.list_tiles, ""
    if layout.text is None:
        why = "columns of 34 kinds" if len(layout.copies) == FULL.num_kinds else ""
    else:
        why = _honours_in(file, layout.text)
    return (FULL, why) if why else (M0, "no honours")


def _honours_in(file: HandFile, column: int) -> str:
    """Return where a column of texts or lists holds honours or copies of them; empty if nowhere."""
    for block in file.blocks({file.header[column]}):
        if block.column(column) is None:
            cells = [block.cells(row)[column] for row in np.flatnonzero(block.is_whole).tolist()]
            widths = {len(cell) for cell in cells if isinstance(cell, list)}
            if found := widths.intersection(WIDTHS):
                return "lists of 34 kinds" if FULL.num_kinds in found else ""
        counts = file.read(block).counts  # errors are reported when the hands are read
        for row in np.flatnonzero(counts[:, M0.num_kinds :].any(axis=1))[:1].tolist():
            return f"{file.unit} {block.lines[row]} holds honours"
    return ""
