"""Fixtures shared by the tests of all notations."""

from collections import Counter

import pytest

from mjopt.errors import NotationError
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import M0


@pytest.fixture(scope="session")
def reads():
    """Parse text into ``{"5m": copies}``, and the same for red fives."""

    def read(notation, text, tiles=M0):
        counts, red = get_notation(notation).parse(text, tiles)
        assert len(counts) == len(red) == tiles.num_kinds
        return tuple(
            {name: copies for name, copies in zip(tiles.names, given, strict=True) if copies}
            for given in (counts, red)
        )

    return read


@pytest.fixture(scope="session")
def writes():
    """Format a list of tile names, with ``"5mr"`` for a red five."""

    def write(notation, names, tiles=M0):
        held = Counter(name[:2] for name in names.split())
        reds = Counter(name[:2] for name in names.split() if name[2:] == "r")
        return get_notation(notation).write(
            tuple(held[name] for name in tiles.names),
            tuple(reds[name] for name in tiles.names),
            tiles,
        )

    return write


@pytest.fixture(scope="session")
def refuses():
    """Check the full message of a NotationError."""

    def check(notation, text, tiles, message):
        with pytest.raises(NotationError) as refused:
            get_notation(notation).parse(text, tiles)
        assert str(refused.value) == message

    return check
