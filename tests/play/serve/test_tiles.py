"""Images and names of the tiles."""

import re
import xml.etree.ElementTree as ET
from importlib.resources import files

import pytest

from mjopt.errors import TileError
from mjopt.hands.tiles import FULL
from mjopt.play.serve.templating import make_environment
from mjopt.play.serve.tiles import NAMES, drawn, spoken, tile_name, tile_words

SVG = "{http://www.w3.org/2000/svg}"
SPRITE = files("mjopt.play.serve").joinpath("static", "tiles.svg").read_text(encoding="utf-8")
SYMBOLS = {symbol.get("id"): symbol for symbol in ET.fromstring(SPRITE)}


def _painted(symbol: ET.Element) -> list[str]:
    return [path.get("d", "") for path in symbol.iter(f"{SVG}path")]


def test_every_tile_is_drawn_once():
    root = ET.fromstring(SPRITE)
    assert sorted(symbol.get("id") for symbol in root) == sorted(NAMES)
    assert all(_painted(symbol) for symbol in root)


def test_tiles_are_visually_distinct():
    looks = {
        ET.tostring(symbol).replace(f'id="{name}"'.encode(), b"")
        for name, symbol in SYMBOLS.items()
    }

    assert len(looks) == len(NAMES)


def test_red_five_differs_by_more_than_colour():
    for suit in "mps":
        assert sorted(_painted(SYMBOLS[f"0{suit}"])) != sorted(_painted(SYMBOLS[f"5{suit}"]))


def test_every_tile_has_a_name_in_words():
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


@pytest.mark.parametrize("bad", [37, -2, "", "5q", "0z", "8z", "5pp", "BACK"])
def test_unknown_tiles_are_refused(bad):
    with pytest.raises(TileError, match="no tile"):
        tile_words(bad)


@pytest.mark.parametrize(
    ("sentence", "tiles"),
    [
        ("Discard 5p: wins 5.70 % within 5 draws.", ["5p"]),
        ("chow 234m, discard 8s", ["2m", "3m", "4m", "8s"]),
        ("useful tiles left: 3 (2m 0p 7z ...)", ["2m", "0p", "7z"]),
        ("打8s，留1z", ["8s", "1z"]),
        ("12 more, 1.5s, 8z, x5p, 5px, 3%", []),
    ],
)
def test_tiles_in_a_sentence_become_pictures_with_names(sentence, tiles):
    page = str(drawn(make_environment(), sentence))
    assert re.findall(r'<use href="/static/tiles.svg#(\w+)"/>', page) == tiles
    names = [tile_words(name) for name in tiles]
    assert re.findall(r'aria-label="([^"]*)"><title>\1</title>', page) == names
    assert all(name in spoken(sentence) for name in names)
    assert (spoken(sentence) == sentence) == (not tiles)


def test_sentence_is_escaped():
    assert str(drawn(make_environment(), "<b>5p</b>")).startswith("&lt;b&gt;<svg")
    assert "<b>" not in str(drawn(make_environment(), "<b>"))
