"""Derived tables on disk: some are part of the package, others are derived once on a machine.

A file holds a checksum and, compressed, a line of JSON with the shapes of the arrays, and these
arrays. It is never unpickled; tables whose file is damaged, or not by mjopt, are derived again.
"""

import hashlib
import json
import lzma
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.cache_folder import note_use, open_cache_folder, unused
from mjopt._internal.files import atomic_write, read_regular
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import TileSet
from mjopt.tables.bundles.bundle import Bundle, derive_bundle
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.state_index import num_states

VERSION: Final = 1
"""Of the derivation and of the file. It is part of the names of the files of bundles, layers and
gains, so one of another version is never found, and a change renames all files of the package."""

SHIPPED: Final = Path(__file__).parents[1] / "data"
FOLDER: Final = "tables"
SUFFIX: Final = ".bundle"
LEAST_KEPT: Final = 8
"""Fewest kinds of the widest group of a tile set whose bundles are kept; others take no time."""

MOST_BYTES: Final = 1 << 26  # of a file, also uncompressed
_DIGEST_BYTES: Final = 32
_MUCH: Final = 1 << 23  # bytes: the best compression of more takes seconds
_ARRAYS: Final = ("pair", "other", "answers")
_KINDS: Final = {"u1": np.uint8, "u2": np.uint16, "u4": np.uint32, "i1": np.int8}

Array = NDArray[np.integer]
Table = TypeVar("Table")
Header = dict[str, Any] | None  # for JSON; None stands for tables that are too large


def load_bundle(
    templates: Sequence[Template], tiles: TileSet, most: int, *, is_sized: bool
) -> Bundle | None:
    """Return the tables of `derive_bundle`, from a file if there is one.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> from mjopt.hands.tiles import FULL
    >>> load_bundle([standard_template(FULL)], FULL, 14, is_sized=True).answers.shape
    (5, 340, 451)
    """
    if not are_kept(tiles):
        return derive_bundle(templates, tiles, most, is_sized=is_sized)
    return load_file(
        file_name(templates, tiles, most, is_sized=is_sized),
        lambda header, arrays: _read(tiles, most, header, arrays),
        lambda: derive_bundle(templates, tiles, most, is_sized=is_sized),
        _content,
    )


def are_kept(tiles: TileSet) -> bool:
    """Return whether tables of a tile set are kept in files."""
    return max(group.width for group in groups_of(tiles)) >= LEAST_KEPT


def load_file(
    name: str,
    read: Callable[[Header, Sequence[Array]], Table],
    derive: Callable[[], Table],
    content: Callable[[Table], tuple[Header, Sequence[Array]]],
) -> Table:
    """Return derived tables, from a file if there is one; else it is written.

    ``content`` returns a header for JSON and the arrays of a file, and ``read`` makes tables of
    both: it raises ValueError, or what a look-up in a wrong header raises, if they do not fit.
    """
    cache = open_cache_folder(FOLDER)
    for folder in (SHIPPED, cache.folder):
        if folder is not None:
            with suppress(OSError, ValueError):
                found = _unpack(read_regular(folder / name, MOST_BYTES), read)
                if folder != SHIPPED:
                    note_use(folder / name)
                return found
    derived = derive()
    if cache.folder is not None and cache.is_writable:
        with suppress(OSError):  # a full disk
            atomic_write(cache.folder / name, pack(*content(derived)))
            for path in unused(cache.folder.glob(f"*{Path(name).suffix}")):
                path.unlink(missing_ok=True)
    return derived


def has_bundle(templates: Sequence[Template], tiles: TileSet, most: int, *, is_sized: bool) -> bool:
    """Return whether there is a file of a bundle."""
    name = file_name(templates, tiles, most, is_sized=is_sized)
    folders = SHIPPED, open_cache_folder(FOLDER).folder
    return any(folder is not None and (folder / name).is_file() for folder in folders)


def file_name(templates: Sequence[Template], tiles: TileSet, most: int, *, is_sized: bool) -> str:
    """Return the name of the file of a bundle: a digest of all that it depends on."""
    content = {
        "version": VERSION,
        "tiles": [asdict(suit) for suit in tiles.suits],
        "templates": [asdict(template) for template in templates],
        "most": most,
        "is_sized": is_sized,
    }
    text = json.dumps(content, sort_keys=True)
    return f"{hashlib.sha256(text.encode()).hexdigest()[:32]}{SUFFIX}"


def to_bytes(bundle: Bundle | None) -> bytes:
    """Return the content of a file; None stands for templates whose tables are too large."""
    return pack(*_content(bundle))


def _content(bundle: Bundle | None) -> tuple[Header, Sequence[Array]]:
    if bundle is None:
        return None, []
    distinct = list({id(numbers): numbers for numbers in bundle.numbers}.values())
    places = [id(numbers) for numbers in distinct]
    arrays = [*distinct, *(getattr(bundle, name) for name in _ARRAYS), *(bundle.sizes or ())]
    return {"groups": [places.index(id(numbers)) for numbers in bundle.numbers]}, arrays


def pack(header: Header, arrays: Sequence[Array]) -> bytes:
    """Return the content of a file."""
    narrow = [_narrow(array) for array in arrays]
    shapes = [(array.dtype.str[1:], array.shape) for array in narrow]
    line = json.dumps(header and header | {"arrays": shapes}).encode()
    content = b"\n".join([line, b"".join([array.tobytes() for array in narrow])])
    packed = lzma.compress(content, preset=6 if len(content) < _MUCH else 1)
    return hashlib.sha256(packed).digest() + packed


def _narrow(array: Array) -> Array:
    """Return an array in the fewest bytes, lowest byte first."""
    kind = np.min_scalar_type(array.max(initial=0)) if array.dtype != np.int8 else np.dtype("i1")
    return np.ascontiguousarray(array, kind.newbyteorder("<"))


def from_bytes(data: bytes, tiles: TileSet, most: int) -> Bundle | None:
    """Return the bundle of a file, for states of at most ``most`` tiles.

    Content that mjopt has not written for such a tile set raises ``ValueError``.
    """
    return _unpack(data, lambda header, arrays: _read(tiles, most, header, arrays))


def _unpack(data: bytes, read: Callable[[Header, Sequence[Array]], Table]) -> Table:
    digest, packed = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
    if hashlib.sha256(packed).digest() != digest:
        raise ValueError("the checksum differs")
    try:
        # With a limit, because a small file can hold very long runs.
        content = lzma.LZMADecompressor().decompress(packed, MOST_BYTES)
        line, _, arrays = content.partition(b"\n")
        header = json.loads(line)
        shapes = [] if header is None else header["arrays"]
        return read(header, list(_arrays(shapes, arrays)))
    except (
        AttributeError,
        IndexError,
        KeyError,
        OverflowError,
        TypeError,
        lzma.LZMAError,
    ) as error:
        raise ValueError("not the content of a table file") from error


def _read(tiles: TileSet, most: int, header: Header, arrays: Sequence[Array]) -> Bundle | None:
    """Return the bundle of a header and arrays, after checks that no look-up leaves its array."""
    if header is None:
        return None
    groups = header["groups"]
    number = 1 + max(groups)
    distinct, (pair, other, answers, *sizes) = arrays[:number], arrays[number:]
    if len(sizes) not in (0, 2):
        raise ValueError(f"{len(arrays)} arrays")
    bundle = Bundle(
        numbers=tuple(distinct[place] for place in groups),
        pair=pair,
        other=other,
        answers=answers.view(np.int8),
        sizes=(sizes[0], sizes[1]) if sizes else None,
    )
    numbers = [num_states(group.width, most) + 1 for group in groups_of(tiles)]
    if list(map(len, bundle.numbers)) != numbers or not _is_consistent(bundle):
        raise ValueError("the arrays do not fit together")
    return bundle


def _arrays(shapes: Sequence[tuple[str, Sequence[int]]], content: bytes) -> Iterator[Array]:
    """Yield the arrays of a file, which cannot be written to."""
    start = 0
    for kind, shape in shapes:
        dtype = np.dtype(_KINDS[kind]).newbyteorder("<")
        size = math.prod(shape)
        if min(shape) < 1:
            raise ValueError("an empty array")
        yield np.frombuffer(content, dtype, size, start).reshape(shape)
        start += size * dtype.itemsize


def _is_consistent(bundle: Bundle) -> bool:
    """Return whether every class is a valid index, so that no look-up leaves its array."""
    shape = bundle.answers.shape[1:]
    if bundle.sizes is not None and (len(bundle.sizes[0]), len(bundle.sizes[1])) != shape:
        return False
    rows = [*bundle.pair.shape, *bundle.other.shape]
    groups = [*bundle.numbers, *[np.zeros(1, np.uint8)] * (MOST_GROUPS - len(bundle.numbers))]
    return (
        all(int(numbers.max()) < most for numbers, most in zip(groups, rows, strict=True))
        and int(bundle.pair.max()) < bundle.answers.shape[1]
        and int(bundle.other.max()) < bundle.answers.shape[2]
    )
