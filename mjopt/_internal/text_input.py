"""Compression and character encoding of input files, detected from their first bytes."""

import bz2
import codecs
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Final, TextIO, cast

from mjopt._internal.sanitize import shorten
from mjopt.errors import FileError

_COMPRESSIONS: Final[dict[bytes, tuple[str, Callable[..., object]]]] = {
    b"\x1f\x8b": ("gzip", gzip.open),
    b"\xfd7zXZ\0": ("xz", lzma.open),
    b"BZh": ("bzip2", bz2.open),
}
_HEAD: Final = max(map(len, _COMPRESSIONS))
ENCODING_BYTES: Final = 4
"""The first bytes of a text that tell its encoding."""
_UTF_16: Final[dict[tuple[bool, ...], str]] = {
    (True, False, True, False): "utf-16-be",
    (False, True, False, True): "utf-16-le",
}  # by which bytes are 0
UNPACK_ERRORS: Final = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What reading a damaged compressed file may raise."""


def unpacked(file: BinaryIO) -> tuple[BinaryIO, str]:
    """Return a binary file that decompresses another, and the name of the compression.

    The file is seekable and at its beginning: gzip, xz, bzip2, or not compressed (then it is
    returned, with the name ``""``). Reading a damaged one raises one of :data:`UNPACK_ERRORS`.

    Examples
    --------
    >>> file, name = unpacked(BytesIO(bz2.compress(b"123m")))
    >>> file.read(), name
    (b'123m', 'bzip2')
    """
    head = file.read(_HEAD)
    file.seek(0)
    for magic, (name, opener) in _COMPRESSIONS.items():
        if head.startswith(magic):
            return cast("BinaryIO", opener(file)), name
    return file, ""


def encoding_of(head: bytes) -> str:
    """Return the encoding of a text: UTF-16 with or without a byte order mark, else UTF-8.

    ``head`` is its first :data:`ENCODING_BYTES`. Without a mark, UTF-16 is recognised by two
    characters that are ASCII.

    Examples
    --------
    >>> [encoding_of("<a>".encode(name)) for name in ("utf-8-sig", "utf-16", "utf-16-be")]
    ['utf-8-sig', 'utf-16', 'utf-16-be']
    """
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    is_zero = tuple(byte == 0 for byte in head[:ENCODING_BYTES])
    return _UTF_16.get(is_zero, "utf-8-sig")


@contextmanager
def open_text(path: Path, name: str, newline: str | None = None) -> Iterator[TextIO]:
    """Open a text file, decompressed and decoded as it is read, without a byte order mark.

    If it proves to be damaged or no text, then or while it is read, `FileError` is raised with
    ``name``.
    """
    with path.open("rb") as raw:
        file, compression = unpacked(raw)
        try:
            encoding = encoding_of(file.read(ENCODING_BYTES))
            file.seek(0)
            yield TextIOWrapper(file, encoding=encoding, newline=newline)
        except UnicodeDecodeError as error:
            what = f"not {_name_of(encoding)} text"
            raise FileError(value=what, argument=name, position=error.start, unit="byte") from None
        except UNPACK_ERRORS as error:
            if not compression:
                raise
            raise FileError(_damage(compression, error), argument=name) from None


@contextmanager
def open_utf8(path: Path) -> Iterator[BinaryIO | None]:
    """Open a text file as bytes in UTF-8, decompressed; None if it is in another encoding.

    Faults of a compressed file are left to :func:`open_text`: None if they show at the beginning,
    else reading raises one of :data:`UNPACK_ERRORS`.
    """
    with path.open("rb") as raw:
        file, compression = unpacked(raw)
        try:
            head = file.read(ENCODING_BYTES)
            file.seek(0)
        except UNPACK_ERRORS:
            if not compression:
                raise
            head = codecs.BOM_UTF16
        yield file if encoding_of(head) == "utf-8-sig" else None


def decode_text(data: bytes, most: int) -> str:
    """Return the text of a file's content: decompressed, decoded, without a byte order mark.

    `FileError` is raised if it is damaged, not text, or larger than ``most`` bytes, whole MiB,
    after decompression.
    """
    file, compression = unpacked(BytesIO(data))
    try:
        plain = file.read(most + 1)
    except UNPACK_ERRORS as error:
        raise FileError(_damage(compression, error)) from None
    if len(plain) > most:
        raise FileError(f"more than {most >> 20} MiB")
    encoding = encoding_of(plain)
    try:
        return plain.decode(encoding)
    except UnicodeDecodeError as error:
        what = f"not {_name_of(encoding)} text"
        raise FileError(value=what, position=error.start, unit="byte") from None


def _name_of(encoding: str) -> str:
    return "UTF-8" if encoding == "utf-8-sig" else "UTF-16"


def _damage(compression: str, error: Exception) -> str:
    return f"{compression} that cannot be unpacked: {shorten(str(error))}"
