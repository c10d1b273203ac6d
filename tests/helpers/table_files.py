"""Files that are none of derived tables."""

import hashlib
import lzma


def with_checksum(content: bytes) -> bytes:
    packed = lzma.compress(content)
    return hashlib.sha256(packed).digest() + packed


FOREIGN = (
    b"",
    b"text",
    with_checksum(b""),
    with_checksum(b"\x80\x04."),
    with_checksum(b"[]\n"),
    with_checksum(b'{"groups": [0], "arrays": []}\n'),
    with_checksum(b'{"groups": [0, 1, 2], "arrays": [["u1", [-1]]]}\n'),
    with_checksum(b'{"groups": [0, 1, 2], "arrays": [["O", [1]]]}\n'),
    with_checksum(b'{"shares": [0], "arrays": [["u1", [1, 1]]]}\n\0'),
    with_checksum(b'{"shares": 0, "arrays": [["u1", [1, 1]]]}\n\0'),
)
