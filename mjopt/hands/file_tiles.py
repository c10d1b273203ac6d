"""Infer the tile set and the called melds of a file of hands."""

from pathlib import Path

import numpy as np

from mjopt._internal.arrays import map_array
from mjopt.errors import FileError
from mjopt.hands.file_formats import LINES
from mjopt.hands.files import HandFile
from mjopt.hands.parquet_layout import stored_called
from mjopt.hands.text_rows import read_texts
from mjopt.hands.tiles import FULL, M0, TileSet


def tiles_in(
    path: Path, format: str, notation: str = "mpsz", name: str = ""
) -> tuple[TileSet, str]:
    """Infer the tile set of a file of hands from its content.

    Parameters
    ----------
    path, format, notation, name
        As for `HandFile`.

    Returns
    -------
    TileSet, str
        The tile set that the file names; else ``FULL`` if a hand holds honours or there are 34
        copies, else ``M0``; and the reason, empty for a set that the file names.

    Raises
    ------
    FileError
        If the file cannot be read, or no columns are hands.
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
    name = "" if layout.text is None else file.header[layout.text]
    if not layout.is_text:
        lists = (cells[layout.text] for _, cells in file.records({name}) if layout.text is not None)
        width = len(layout.copies or next(filter(None, lists), ()))
        what = "columns" if layout.text is None else "lists"
        is_full = width == FULL.num_kinds
        return (FULL, f"{what} of 34 kinds") if is_full else (M0, "no honours")
    for block in file.blocks({name}):
        texts = None if layout.text is None else block.column(layout.text)
        if texts is None:  # the error is reported when the hands are read
            continue
        honours = read_texts(texts, notation, FULL).counts[:, M0.num_kinds :]
        for row in np.flatnonzero(honours.any(axis=1))[:1].tolist():
            unit = "line" if format in LINES else "row"
            return FULL, f"{unit} {block.lines[row]} holds honours"
    return M0, "no honours"


def called_in(path: Path, format: str) -> int:
    """Return the called melds of every hand that a file names: that of a dataset; else 0."""
    if format != "parquet":
        return 0
    file = HandFile(path=path, format=format, tiles=M0)
    with file.parquet() as table:
        return stored_called(table.schema_arrow)
