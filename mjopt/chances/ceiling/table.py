"""Ceiling tables on disk: a header and one array of 16-bit bounds for each stored draw.

A stored number v means that the chance is at most v / 65535.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import open_regular
from mjopt._internal.sanitize import MESSAGE, short_repr, shorten
from mjopt._internal.strict_json import read_json
from mjopt._internal.validation import expect, is_number, whole
from mjopt.chances.ceiling.layout import Layout, make_layout
from mjopt.errors import ArgumentError, FileError, TileError
from mjopt.hands.coerce import TilesLike
from mjopt.hands.tiles import FULL, M0, TILE_SETS, TileSet, as_tiles

VERSION: Final = 1
"""Version of the file format and of the computation."""

BUILD_HINT: Final = "mjopt ceiling build makes it"
"""The remedy for a missing table."""

MAX_DRAWS: Final = 60
UNKNOWN: Final = "unknown"
KNOWN: Final = "known"
SUFFIX: Final = ".ceiling"

HEADER_SIZE: Final = 16384
"""Bytes of a file before its first layer."""

PART: Final = 1 << 20
"""Stored numbers that are read or written together."""

_MAGIC: Final = "mjopt ceiling table"

Stored = NDArray[np.uint16]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKey:
    """The question that a table answers.

    Parameters
    ----------
    tiles
        ``m0`` or ``136``.
    called
        Melds on the table, ``0..4``.
    draws
        Number of draws.
    melds
        Whether the tiles of called melds are ``unknown``, and count as tiles of the wall, or
        ``known``, and do not.
    all_layers
        Whether the table also holds a bound for each smaller number of draws.

    Examples
    --------
    >>> TableKey(called=2, draws=6)
    TableKey(tiles='m0', called=2, draws=6, melds='unknown', all_layers=False)
    """

    tiles: str = "m0"
    called: int = 0
    draws: int = 18
    melds: str = UNKNOWN
    all_layers: bool = False

    def __post_init__(self) -> None:
        """Validate the fields."""
        expect(self.tiles, str, "tiles")
        expect(self.melds, str, "melds")
        expect(self.all_layers, bool, "all_layers")
        object.__setattr__(self, "all_layers", bool(self.all_layers))
        if self.tiles not in (M0.key, FULL.key):
            raise TileError(f"tiles {short_repr(self.tiles)}: ceiling tables exist for m0 and 136")
        for name, least, most in (("called", 0, 4), ("draws", 1, MAX_DRAWS)):
            number = whole(getattr(self, name), name)
            if not least <= number <= most:
                raise ArgumentError(
                    argument=name, value=short_repr(number), expected=f"{least}..{most}"
                )
            object.__setattr__(self, name, number)
        if self.melds not in (UNKNOWN, KNOWN):
            raise ArgumentError(
                argument="melds", value=short_repr(self.melds), expected=f"{UNKNOWN} or {KNOWN}"
            )

    @property
    def tile_set(self) -> TileSet:
        """The tile set."""
        return TILE_SETS[self.tiles]

    @property
    def size(self) -> int:
        """Tiles in a hand after its discard."""
        return 13 - 3 * self.called

    @property
    def wall_size(self) -> int:
        """Tiles in the wall when the hand holds one tile more."""
        held = self.size + 1 + (3 * self.called if self.melds == KNOWN else 0)
        return self.tile_set.num_tiles - held

    @property
    def layers(self) -> range:
        """Numbers of draws with a stored layer."""
        return range(1 if self.all_layers else self.draws, self.draws + 1)

    @property
    def file_name(self) -> str:
        """Name of the file in the data folder."""
        known = "-known" if self.melds == KNOWN and self.called else ""
        every = "-all" if self.all_layers else ""
        return f"{self.tiles}-called{self.called}-draws{self.draws}{known}{every}{SUFFIX}"

    def describe(self) -> str:
        """Return what tells this table from others, in words.

        Examples
        --------
        >>> TableKey(called=3, draws=4, all_layers=True).describe()
        'tiles m0, draws 4, called 3, all layers'
        """
        words = [f"tiles {self.tiles}", f"draws {self.draws}"]
        words += [f"called {self.called}"] if self.called else []
        words += [f"melds {self.melds}"] if self.melds != UNKNOWN else []
        words += ["all layers"] if self.all_layers else []
        return ", ".join(words)


@dataclass(frozen=True, eq=False, kw_only=True)
class CeilingTable:
    """An open ceiling table; its layers are mapped into memory, not read.

    Parameters
    ----------
    path
        The file.
    key
        The question that it answers.
    means
        Mean value over all deals of a hand with its drawn tile, by the number of draws to come,
        ``0..draws``.
    digests
        SHA-256 of each stored layer.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt.chances.ceiling import TableKey, build_ceiling
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build_ceiling(f"{folder}/small", key=TableKey(called=4, draws=6))
    ...     table.key.called, table.layer(6).dtype
    (4, dtype('uint16'))
    """

    path: Path
    key: TableKey
    means: tuple[float, ...]
    digests: tuple[str, ...]

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a table.

        Raises
        ------
        FileError
            If the file is missing, truncated, no ceiling table, or of another version.
        """
        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"table: {short_repr(path)}, expected a path")
        path = Path(path)
        try:
            with open_regular(path) as file:
                head = file.read(HEADER_SIZE)
                size = os.fstat(file.fileno()).st_size
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "cannot be read"
            raise FileError(shorten(f"{path}: {reason}", MESSAGE)) from error
        key, means, digests = _read_header(head, path)
        table = cls(path=path, key=key, means=means, digests=digests)
        expected = HEADER_SIZE + len(key.layers) * table.layer_bytes
        if size != expected:
            raise FileError(
                f"{size:,} bytes", argument=str(path), expected=f"{expected:,}: the file is damaged"
            )
        return table

    def __reduce__(self) -> tuple[Callable[[Path], "CeilingTable"], tuple[Path]]:
        """Open the file again after pickling, instead of copying its layers."""
        return CeilingTable.open, (self.path,)

    @cached_property
    def layout(self) -> Layout:
        """The numbers of the hands after a discard."""
        return make_layout(self.key.tile_set, self.key.size)

    @property
    def layer_bytes(self) -> int:
        """Bytes of a stored layer."""
        return 2 * self.layout.num_states

    def layer(self, draws: int) -> "Stored":
        """Return the stored bounds of all hands after a discard, by hand number.

        Parameters
        ----------
        draws
            Number of draws to come; 0 is not stored.

        Raises
        ------
        FileError
            If the table has no such layer.
        """
        if draws not in self.key.layers:
            raise FileError(
                f"no layer for {draws} draws",
                argument=self.path.name,
                expected=f"{self.key.layers[0]}..{self.key.draws}",
                hint="" if self.key.all_layers else "a table with all layers holds it",
            )
        layer: Stored = self.all_layers[self.key.layers.index(draws)]
        return layer

    @cached_property
    def all_layers(self) -> "Stored":
        """All stored layers, shape ``(L, S)``, the one for the fewest draws first."""
        shape = (len(self.key.layers), self.layout.num_states)
        return np.asarray(np.memmap(self.path, np.uint16, "r", HEADER_SIZE, shape))

    def read_layer(self, draws: int) -> "Iterator[Stored]":
        """Read a layer in parts of a million, without keeping it in memory."""
        left = self.layout.num_states
        with open_regular(self.path) as file:
            file.seek(self._offset(draws))
            while left > 0:
                part = np.fromfile(file, np.uint16, size := min(left, PART))
                if len(part) < size:
                    raise FileError(f"layer {draws} is truncated", argument=str(self.path))
                left -= size
                yield part

    def _offset(self, draws: int) -> int:
        return HEADER_SIZE + self.key.layers.index(draws) * self.layer_bytes

    def check_digests(self) -> None:
        """Compare the SHA-256 of every layer with the header.

        Raises
        ------
        FileError
            If a layer is not as it was written.
        """
        for draws, digest in zip(self.key.layers, self.digests, strict=True):
            found = hashlib.sha256()
            for part in self.read_layer(draws):
                found.update(part.data)
            if found.hexdigest() != digest:
                raise FileError(
                    f"layer {draws} is damaged (wrong SHA-256)", argument=str(self.path)
                )


def header_bytes(key: TableKey, means: Iterable[float], digests: Iterable[str]) -> bytes:
    """Return the first bytes of a table file."""
    document = {
        "format": _MAGIC,
        "version": VERSION,
        **asdict(key),
        "wall_size": key.wall_size,
        "means": list(means),
        "sha256": list(digests),
    }
    text = json.dumps(document).encode()
    return text.ljust(HEADER_SIZE - 1) + b"\n"


def data_folder() -> Path:
    """Return the folder in which tables are kept; ``MJOPT_DATA`` names another.

    Examples
    --------
    >>> data_folder().is_absolute() or "MJOPT_DATA" in os.environ
    True
    """
    from platformdirs import user_data_path

    return Path(os.environ.get("MJOPT_DATA") or user_data_path("mjopt", appauthor=False))


def find_table(
    tiles: TilesLike = M0, *, called: int = 0, draws: int = 18, all_layers: bool = False
) -> CeilingTable | None:
    """Open the table of the data folder that is closest for a number of draws.

    Parameters
    ----------
    tiles, called
        Tile set and number of melds on the table; the tiles of the melds are unknown.
    draws
        Number of draws. A table with all layers for more draws also holds a bound, which is
        slightly greater than that of a table for this number.
    all_layers
        Accept only tables that hold all layers.

    Returns
    -------
    CeilingTable or None
        None if no such table has been built.

    Examples
    --------
    >>> find_table("m0", draws=60, all_layers=True) is None  # the data folder has no such table
    True
    """
    known = as_tiles(tiles if tiles is not None else M0)
    wanted = TableKey(called=called, draws=draws, all_layers=all_layers)
    if known not in (M0, FULL):
        return None
    wanted = replace(wanted, tiles=known.key)
    options = [] if all_layers else [wanted]
    options += [
        replace(wanted, draws=more, all_layers=True) for more in range(wanted.draws, MAX_DRAWS + 1)
    ]
    folder = data_folder()
    for key in options:
        if (path := folder / key.file_name).is_file():
            table = CeilingTable.open(path)
            if table.key == key:
                return table
    return None


def _read_header(head: bytes, path: Path) -> tuple[TableKey, tuple[float, ...], tuple[str, ...]]:
    try:
        document: Any = read_json(head.decode())
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("format") != _MAGIC:
        raise FileError("not a ceiling table", argument=str(path), expected="the header of one")
    if document.get("version") != VERSION:
        raise FileError(
            f"version {short_repr(document.get('version'))}",
            argument=str(path),
            expected=f"{VERSION}: build it again",
        )
    try:
        key = TableKey(**{name: document[name] for name in TableKey.__dataclass_fields__})
        means = tuple(float(mean) for mean in document["means"])
        digests = tuple(str(digest) for digest in document["sha256"])
        valid = (
            len(means) == key.draws + 1
            and all(map(is_number, document["means"]))
            # Means of chances, which no further draw lowers.
            and all(low <= high for low, high in pairwise((0.0, *means, 1.0)))
            and len(digests) == len(key.layers)
            and document["wall_size"] == key.wall_size
            and all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
        )
    except (KeyError, OverflowError, TypeError, ValueError):
        valid = False
    if not valid:
        raise FileError("the header is damaged", argument=str(path))
    return key, means, digests
