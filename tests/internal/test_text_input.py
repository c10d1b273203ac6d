"""Compressed and encoded text is recognised by its first bytes, in files and in memory."""

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from mjopt._internal.text_input import decode_text, open_text
from mjopt.errors import FileError

TEXT = "hand\n123m東\n"
PACKINGS = {"plain": bytes, "gzip": gzip.compress, "xz": lzma.compress, "bzip2": bz2.compress}
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")


def read(path: Path) -> str:
    with open_text(path, "FILE", newline="") as file:
        return file.read()


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("packing", PACKINGS)
def test_every_packing_and_encoding_is_the_same_text(
    packing: str, encoding: str, tmp_path: Path
) -> None:
    data = PACKINGS[packing](TEXT.encode(encoding))
    path = tmp_path / "file"
    path.write_bytes(data)
    assert decode_text(data, 1 << 20) == read(path) == TEXT


@pytest.mark.parametrize("packing", ["gzip", "xz", "bzip2"])
def test_damaged_packings_are_one_line(packing: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    for cut in (8, 20, -1):
        data = PACKINGS[packing](TEXT.encode() * 50)[:cut]
        path.write_bytes(data)
        with pytest.raises(FileError, match=f"^{packing} that cannot be unpacked"):
            decode_text(data, 1 << 20)
        with pytest.raises(FileError, match=f"^FILE: {packing} that cannot be unpacked"):
            read(path)


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"12\xff", "not UTF-8 text at byte 2"), (b"\xff\xfe1\0\0\xd8", "not UTF-16 text at byte 4")],
)
def test_other_bytes_are_no_text(data: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(FileError, match="^" + what):
        decode_text(data, 1 << 20)
    with pytest.raises(FileError, match="^FILE: " + what):
        read(path)


@pytest.mark.parametrize("packing", PACKINGS)
def test_more_than_the_limit_is_refused_before_it_is_decoded(packing: str) -> None:
    with pytest.raises(FileError, match="more than 1 MiB"):
        decode_text(PACKINGS[packing](b"1" * (1 << 22)), 1 << 20)


def test_empty_files_are_empty(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    assert read(path) == decode_text(b"", 10) == ""
