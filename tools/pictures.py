"""Pictures of hands for the docs, drawn with the tiles of the web page.

``python -m tools.pictures`` writes them into docs/pictures. They follow the
colour scheme of the page around them, light or dark. The tests compare the files with the package's
answers.
"""

import re
from collections import Counter
from importlib.resources import files

import mjopt
from tools.readme import CHECKOUT

PICTURES = CHECKOUT / "docs" / "pictures"
SPRITE = files("mjopt.play.serve").joinpath("static/tiles.svg").read_text(encoding="utf-8")
SYMBOLS = dict(re.findall(r'<symbol id="(\w+)" (.*?</symbol>)', SPRITE, flags=re.DOTALL))
WIDE, HIGH, STEP, MARGIN = 36, 48, 40, 24
# With the class before every selector, a picture inside a page does not change the page.
STYLE = (
    ".picture{--ink:#1c2331;--soft:#5b6472;--out:#b8141f;--in:#1a7f37;--line:#9aa2ae;--link:#0b57d0}"
    "@media(prefers-color-scheme:dark){.picture{--ink:#e8eaee;--soft:#a9b1bd;--out:#ff7b72;"
    "--in:#56d364;--line:#6b7380;--link:#8ab4f8}}"
    ".picture text{font:15px system-ui,sans-serif;fill:var(--ink)}"
    ".picture .soft{fill:var(--soft);font-size:13px}.picture .mid{text-anchor:middle}"
    ".picture :is(.out,.in){fill:none;stroke-width:3.5}"
    ".picture .out{stroke:var(--out)}.picture .in{stroke:var(--in)}"
    ".picture a{text-decoration:none}.picture a .soft{fill:var(--link);text-decoration:underline}"
    ".picture a:is(:hover,:focus-visible) :is(rect,polygon){stroke:var(--link);stroke-width:4}"
)


class Canvas:
    """An SVG picture that grows with its parts."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.used: set[str] = set()
        self.width = self.height = 0.0

    def grow(self, x: float, y: float) -> None:
        """Make room for a point."""
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(self, x: float, y: float, words: str, style: str = "") -> None:
        """Write a line of text."""
        self.parts.append(f'<text x="{x:g}" y="{y:g}" class="{style}">{words}</text>')
        self.grow(x if "mid" in style else x + 7.6 * len(words), y + 6)

    def tile(self, name: str, x: float, y: float, mark: str = "", note: str = "") -> None:
        """Draw a tile, with a frame of class ``mark`` and a note below it."""
        self.used.add(name)
        self.parts.append(
            f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}"/>'
        )
        if mark:
            self.parts.append(
                f'<rect class="{mark}" x="{x - 1:g}" y="{y - 1:g}" width="{WIDE + 2}" '
                f'height="{HIGH + 2}" rx="6"/>'
            )
        if note:
            self.text(x + WIDE / 2, y + HIGH + 18, note, "mid")
        self.grow(x + WIDE, y + HIGH)

    def tiles(self, names: list[str], x: float, y: float, marks: Counter[str], mark: str) -> float:
        """Draw tiles in a row; frame as many of each kind as ``marks`` counts, the last ones."""
        left = marks.copy()
        framed = []
        for name in reversed(names):
            framed.append(mark if left[name] > 0 else "")
            left[name] -= 1
        for name, frame in zip(names, reversed(framed), strict=True):
            self.tile(name, x, y, frame)
            x += STEP
        return x

    def svg(self, title: str, role: str = "img") -> str:
        """Return the picture as SVG text; with links, its role is ``group``."""
        symbols = "".join(f'<symbol id="{name}" {SYMBOLS[name]}' for name in sorted(self.used))
        width, height = self.width + MARGIN, self.height + MARGIN / 2
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" class="picture" role="{role}">'
            f"<title>{title}</title><style>{STYLE}</style><defs>{symbols}</defs>{''.join(self.parts)}</svg>\n"
        )


def names_of(counts: object, tiles: mjopt.TileSet) -> list[str]:
    """Return the names of tiles, one for each copy."""
    return [tiles.names[kind] for kind, n in enumerate(counts) for _ in range(n)]  # type: ignore[arg-type]


def hand_and_target(text: str, notation: str, note: str) -> Canvas:
    """Draw a hand above the blocks of a nearest complete hand; frames mark what changes."""
    hand = mjopt.Hand.parse(text, notation=notation)
    certificate = mjopt.certify(hand)
    held = Counter(names_of(hand.counts, hand.tiles))
    wanted = Counter(names_of(certificate.target, hand.tiles))
    canvas = Canvas()
    canvas.text(0, 16, "hand", "soft")
    canvas.tiles(names_of(hand.counts, hand.tiles), 2, 26, held - wanted, "out")
    canvas.text(0, 112, note, "soft")
    x, missing = 2.0, wanted - held
    for block in certificate.decomposition:
        for kind in block.kinds:
            name = hand.tiles.names[kind]
            canvas.tile(name, x, 122, "in" if missing[name] > 0 else "")
            missing[name] -= 1
            x += STEP
        x += 12
    return canvas


def deficiency_picture() -> str:
    """Return the picture of a hand and a target."""
    canvas = hand_and_target("13345m34577p1167z", "mpsz", "a nearest complete hand")
    return canvas.svg("A hand and a nearest complete hand: two tiles leave, two arrive")


def cost_picture() -> str:
    """Return the picture of a hand whose cost of Eq. 8 is below its deficiency."""
    text = "B3333 C222267 D7777"
    hand = mjopt.Hand.parse(text, notation="paper")
    cost = mjopt.solve(hand, model="predecomposition").value
    note = f"cost {cost}, deficiency {mjopt.deficiency(hand)}: a nearest complete hand"
    return hand_and_target(text, "paper", note).svg("The paper's cost is below the deficiency")


def useful_picture() -> str:
    """Return the picture of a hand of 13 tiles and its useful tiles with their copies."""
    hand = mjopt.Hand.parse("13345m34577p117z")
    useful = mjopt.useful_tiles(hand)
    canvas = Canvas()
    canvas.text(0, 16, "hand before the draw", "soft")
    canvas.tiles(names_of(hand.counts, hand.tiles), 2, 26, Counter(), "")
    canvas.text(0, 112, f"useful tiles: {useful.num_copies} copies unseen", "soft")
    for number, (kind, copies) in enumerate(useful.copies):
        canvas.tile(hand.tiles.names[kind], 10 + number * 72, 122, "in", f"{copies} left")
    return canvas.svg("A hand of 13 tiles and its useful tiles")


def certificate_picture() -> str:
    """Return the picture of the two sides of a certificate."""
    value = mjopt.certify("13345m34577p1167z").deficiency
    canvas = Canvas()
    canvas.parts.append('<path d="M30 90H530" stroke="var(--line)" stroke-width="2"/>')
    for number in range(5):
        x = 70 + number * 105
        kind = "in" if number == value else "out" if number < value else "line"
        fill = "var(--in)" if kind == "in" else "none"
        canvas.parts.append(
            f'<circle cx="{x}" cy="90" r="9" fill="{fill}" stroke="var(--{kind})" '
            'stroke-width="3"/>'
        )
        if kind == "out":
            canvas.parts.append(
                f'<path d="M{x - 14} 76L{x + 14} 104" stroke="var(--out)" stroke-width="3"/>'
            )
        canvas.text(x, 130, str(number), "mid")
    canvas.text(122, 40, "proof: not fewer", "mid")
    canvas.text(70 + 105 * value, 60, "certified", "mid")
    canvas.text(70 + 105 * value + 105, 40, "target: enough", "mid")
    canvas.text(30, 158, "tiles that must change", "soft")
    canvas.grow(530, 160)
    return canvas.svg("A line from 0 to 4: the proof excludes 0 and 1, the target shows 2")


def draws_picture() -> str:
    """Return the picture of two walls and the expected draws."""
    hand = mjopt.Hand.parse("6m44p", tiles="136", called=3, partial=True)
    canvas = Canvas()
    canvas.text(0, 16, "hand, with three called melds", "soft")
    canvas.tiles(names_of(hand.counts, hand.tiles), 2, 26, Counter(), "")
    for row, wall in enumerate((["7m", "8m", "8m", "2s"], ["7m", "8m", "2s"])):
        y = 122 + row * 84
        mean = mjopt.expected_draws(hand, wall="".join(wall)).mean
        canvas.text(0, y - 10, "wall", "soft")
        canvas.tiles(wall, 2, y, Counter(), "")
        canvas.text(190, y + 30, f"expected draws {mean} = {float(mean):.3f}")
    return canvas.svg("Expected draws with two 8m in the wall, and with one")


def spine_picture() -> str:
    """Return the picture of the way from a text to a checked certificate."""
    canvas = Canvas()
    steps = ("text", "Hand", "Program", "solver", "Certificate", "checker")
    for number, step in enumerate(steps):
        x = 4 + number * 132
        _box(canvas, x, 30, step)
        if number:
            _arrow(canvas, x - 30, 54, x - 4, 54)
    for x, room in ((4, "hands/"), (268, "models/"), (532, "analysis/"), (664, "proofs/")):
        canvas.text(x + 49, 20, room, "soft mid")
    _arrow(canvas, 185, 78, 185, 120)
    _box(canvas, 136, 124, "tables")
    _box(canvas, 532, 124, "deficiency")
    canvas.text(185, 190, "tables/", "soft mid")
    canvas.text(383, 140, "the same number, found without a solver", "soft mid")
    _arrow(canvas, 238, 150, 528, 150)
    _arrow(canvas, 581, 78, 581, 120)
    canvas.grow(764, 194)
    return canvas.svg("From text to a checked certificate, with the tables beside it")


def _box(canvas: Canvas, x: float, y: float, words: str) -> None:
    canvas.parts.append(
        f'<rect x="{x:g}" y="{y:g}" width="98" height="48" rx="8" fill="none" '
        'stroke="var(--line)" stroke-width="2"/>'
    )
    canvas.text(x + 49, y + 29, words, "mid")


def _arrow(canvas: Canvas, x: float, y: float, to_x: float, to_y: float) -> None:
    """Draw an arrow to the right or down."""
    head = "l-7 -5m7 5l-7 5" if y == to_y else "l-5 -7m5 7l5 -7"
    canvas.parts.append(
        f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}{head}" fill="none" stroke="var(--ink)" '
        'stroke-width="1.5"/>'
    )


DRAWN = {
    "how-it-works": spine_picture,
    "concept-deficiency": deficiency_picture,
    "concept-useful": useful_picture,
    "concept-certificate": certificate_picture,
    "paper-cost": cost_picture,
    "expected-draws": draws_picture,
}

if __name__ == "__main__":
    for picture, draw in DRAWN.items():
        (PICTURES / f"{picture}.svg").write_text(draw(), encoding="utf-8")
