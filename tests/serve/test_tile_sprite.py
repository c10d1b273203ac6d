"""The pictures of the tiles, and the tiles in words."""

import re
import xml.etree.ElementTree as ET

import pytest
from starlette.testclient import TestClient

from mjopt.errors import TileError
from mjopt.hands.tiles import FULL
from mjopt.serve.app import make_app
from mjopt.serve.app_context import Settings
from mjopt.serve.tile_sprite import NAMES, sprite, tile_name, tile_words

SVG = "{http://www.w3.org/2000/svg}"
SYMBOLS = {symbol.get("id"): symbol for symbol in ET.fromstring(sprite())}
DRAWN = {"svg", "symbol", "rect", "g", "path"}


def _painted(symbol: ET.Element) -> list[str]:
    return [path.get("d", "") for path in symbol.iter(f"{SVG}path")]


def test_every_tile_is_drawn_once():
    root = ET.fromstring(sprite())
    ids = [symbol.get("id") for symbol in root]

    assert sorted(ids) == sorted(NAMES)
    assert len(set(ids)) == 34 + 3 + 1
    assert all(_painted(symbol) for symbol in root)


def test_no_two_tiles_look_alike():
    looks = {
        ET.tostring(symbol).replace(f'id="{name}"'.encode(), b"")
        for name, symbol in SYMBOLS.items()
    }

    assert len(looks) == len(NAMES)


def test_a_red_five_differs_by_more_than_its_colour():
    for suit in "mps":
        assert sorted(_painted(SYMBOLS[f"0{suit}"])) != sorted(_painted(SYMBOLS[f"5{suit}"]))


@pytest.mark.parametrize("rank", range(1, 10))
def test_as_many_dots_and_sticks_as_the_rank_says(rank):
    def places(name: str, mark: str) -> set[str]:
        found = re.compile(rf"M\S+ \S+?{mark}")
        return {at for d in _painted(SYMBOLS[name]) for at in found.findall(d)}

    assert len(places(f"{rank}p", r"h\.01")) == rank
    if rank > 1:  # the first is a bird
        assert len(places(f"{rank}s", r"h[78]")) == rank  # joints


def test_the_sprite_is_small_and_holds_nothing_but_shapes():
    assert len(sprite().encode()) <= 40_000
    assert {element.tag.removeprefix(SVG) for element in ET.fromstring(sprite()).iter()} == DRAWN
    assert not re.search(r"style=|href|url\(|on\w+=|<!|\?>", sprite())
    assert sprite() is sprite()


def test_strokes_stay_on_their_tile():
    """Every point of a stroke that is not moved lies within the border."""
    for symbol in SYMBOLS.values():
        for path in symbol.iter(f"{SVG}path"):
            if path.get("transform") is None:
                for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d", "")):
                    assert 3 <= float(x) <= 57
                    assert 3 <= float(y) <= 77


def test_words_of_every_tile():
    words = {name: tile_words(name) for name in NAMES}

    assert len(set(words.values())) == len(NAMES)
    assert all(re.fullmatch(r"[a-z -]+", text) for text in words.values())
    assert words["1m"] == "one of characters"
    assert words["9s"] == "nine of bamboos"
    assert words["0s"] == "red five of bamboos"
    assert [words[f"{rank}z"] for rank in range(1, 8)] == [
        "east wind",
        "south wind",
        "west wind",
        "north wind",
        "white dragon",
        "green dragon",
        "red dragon",
    ]


def test_a_kind_and_its_name_have_the_same_words():
    assert [tile_words(kind) for kind in range(34)] == [tile_words(name) for name in FULL.names]
    assert tile_name(-1) == "back"


@pytest.mark.parametrize("bad", [34, -2, "", "5q", "0z", "8z", "5pp", "BACK"])
def test_what_is_no_tile_is_refused(bad):
    with pytest.raises(TileError, match="no tile"):
        tile_words(bad)


def test_the_pictures_are_sent_once_a_day():
    with TestClient(make_app(Settings()), base_url="http://127.0.0.1") as client:
        answer = client.get("/static/tiles.svg")

    assert answer.text == sprite()
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "max-age=86400" in answer.headers["cache-control"]
    assert int(answer.headers["content-length"]) < 10_000  # packed
