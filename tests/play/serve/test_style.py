"""Contrast and size of the style sheet in the light and dark themes."""

import re
from importlib.resources import files

import pytest

STYLE, BOARD, SPRITE = (
    files("mjopt.play.serve").joinpath("static", name).read_text(encoding="utf-8")
    for name in ("style.css", "board.css", "tiles.svg")
)
RED_FACE, RED = "#fbdcd6", "#b8141f"  # of red fives
INKS = set(re.findall(r"#[0-9a-f]{6}\b", SPRITE)) - {"#fffdf4", "#767c87", RED_FACE}
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#\w+)", block))
    for block in re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)
)
TABLE, DARK_TABLE = (
    dict(re.findall(r"--([\w-]+): (#\w+)", block))
    for block in re.findall(r"\.board, \.match \{(.*?)\}", BOARD, flags=re.DOTALL)
)
GROUNDS = ("paper", "shade")
TEXTS = [(text, ground) for text in ("ink", "muted", "link") for ground in GROUNDS]
TEXTS += [(text, ground) for text in ("good", "bad") for ground in ("paper", "shade")]
TEXTS += [("ink", "now"), ("on-link", "link")]
TABLE_TEXTS = [
    *TEXTS,
    *((text, "felt") for text in ("ink", "muted", "link", "good", "bad", "seen")),
]
TABLE_TEXTS += [("good", "now"), ("bad", "now"), ("seen", "shade")]
EDGES = [("control", ground) for ground in ("paper", "shade", "now")]
EDGES += [(edge, ground) for edge in ("tile-edge", "link", "last") for ground in GROUNDS]
TABLE_EDGES = [(edge, "felt") for edge in ("control", "link", "last", "seen", "tile-face")]


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_follows_the_wcag_definition():
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("dark", [False, True])
def test_text_and_borders_have_enough_contrast(dark):
    colours = LIGHT | DARK if dark else LIGHT
    low = {pair for pair in TEXTS if contrast(colours[pair[0]], colours[pair[1]]) < 4.5}
    low |= {pair for pair in EDGES if contrast(colours[pair[0]], colours[pair[1]]) < 3}
    low |= {ink for ink in INKS if contrast(ink, colours["tile-face"]) < 4.5}
    table = colours | TABLE | (DARK_TABLE if dark else {})
    low |= {pair for pair in TABLE_TEXTS if contrast(table[pair[0]], table[pair[1]]) < 4.5}
    low |= {pair for pair in TABLE_EDGES if contrast(table[pair[0]], table[pair[1]]) < 3}

    assert low == set()
    assert contrast(RED, RED_FACE) > 4.5


def test_style_sheet_is_small_and_self_contained():
    assert len(STYLE.encode()) <= 14_000
    assert not re.search(r"url\(|@import|@font-face|https?:", STYLE + BOARD)


def test_animations_respect_reduced_motion():
    calm, _, moving = STYLE.partition("@media (prefers-reduced-motion: no-preference)")

    assert moving
    assert not re.search(r"transition|animation|scroll-behavior", calm)


def test_every_template_class_is_styled():
    """Every class used in the shared templates has a rule in the style sheet."""
    folder = files("mjopt.play.serve").joinpath("templates")
    shared = "".join(
        folder.joinpath(f"{name}.html").read_text(encoding="utf-8")
        for name in ("base", "board", "error")
    )
    used = {word for value in re.findall(r'class="([^"{]*)', shared) for word in value.split()}

    assert used - set(re.findall(r"\.([a-z]+)", STYLE + BOARD)) == set()
