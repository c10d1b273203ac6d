"""Flow charts of two sources, each box with the function of the package that does it.

``python -m tools.flow_charts`` writes them into docs/pictures, and the page with the source of the
functions, to which the boxes are linked. The site shows the charts as parts of their pages, since
the links of an image cannot be followed. The tests compare the files, look up every function, and
compare the tables of functions on the pages.
"""

import inspect
import re
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from tools.pages import DOCS
from tools.pictures import MARGIN, PICTURES, Canvas

PAGE: Final = DOCS / "reference" / "flow-charts.md"

WIDE, HIGH, GAP, APART = 270, 54, 26, 80
STEP, QUESTION, END = "step", "question", "end"


@dataclass(frozen=True, kw_only=True)
class Box:
    """One box of a chart.

    Parameters
    ----------
    words
        What happens there.
    function
        The function or class that does it, with its module.
    kind
        A step, a question, or the begin or end.
    row, column
        Its place, from 0.
    """

    words: str
    function: str
    kind: str = STEP
    row: int
    column: int = 0

    @property
    def short(self) -> str:
        """The name with the last part of its module."""
        module, names = split_name(self.function)
        return f"{module.rpartition('.')[2]}.{names}"


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A flow chart.

    Parameters
    ----------
    title
        The title of the picture.
    page
        The page that shows it, in docs.
    boxes
        All boxes; those of column 0 follow each other downwards.
    arrows
        Further arrows, as numbers of two boxes and a word: to the right in a row, else around the
        left of the column, or into the right side of the box in the next row.
    words
        Words at the arrows down from some boxes of column 0.
    """

    title: str
    page: str
    boxes: tuple[Box, ...]
    arrows: tuple[tuple[int, int, str], ...]
    words: dict[int, str]


NDDE: Final = "mjopt.heuristics.ndde"
CANDIDATES: Final = "mjopt.heuristics._candidates"
POPULATION: Final = "mjopt.heuristics._population_kernels"
ENGINE: Final = "mjopt.play.game.engine"

CHARTS: Final = {
    "flow-ndde": Chart(
        title="NDDE for the deficiency of a hand: Figure 1 of Yan and Li",
        page="results/heuristics.md",
        boxes=(
            Box(words="hand, NP, Gmax", function="mjopt.heuristics.run", kind=END, row=0),
            Box(words="all melds and pmelds: S", function=f"{CANDIDATES}.list_elements", row=1),
            Box(words="G = 0: draw NP vectors (6)", function=f"{POPULATION}.draw_anywhere", row=2),
            Box(words="map and repair each (7)", function=f"{CANDIDATES}._repair", row=3),
            Box(words="evaluate each (8)", function=f"{CANDIDATES}.cost_of", row=4),
            Box(words="G below Gmax?", function=f"{POPULATION}.search_rows", kind=QUESTION, row=5),
            Box(words="mutate (9)", function=f"{NDDE}._cross", row=6),
            Box(words="cross over (10)", function=f"{NDDE}._cross", row=7),
            Box(words="map and repair the trial (7)", function=f"{CANDIDATES}._repair", row=8),
            Box(words="evaluate the trial (8)", function=f"{CANDIDATES}.cost_of", row=9),
            Box(words="keep the better of both (4)", function=f"{NDDE}._select", row=10),
            Box(words="G = G + 1", function=f"{NDDE}.next_vectors", row=11),
            Box(
                words="the least cost",
                function="mjopt.heuristics.population.PopulationMethod.search",
                kind=END,
                row=5,
                column=1,
            ),
        ),
        arrows=((5, 12, "no"), (11, 5, "")),
        words={5: "yes"},
    ),
    "flow-gmjbg": Chart(
        title="A hand of GMJBG's game: section 3.3.1 of the report",
        page="reference/agents.md",
        boxes=(
            Box(
                words="14 tiles or fewer left?",
                function="mjopt.play.game.public_state.OpenTable.left_for",
                kind=QUESTION,
                row=0,
            ),
            Box(words="tile called?", function=f"{ENGINE}.call_tile", kind=QUESTION, row=1),
            Box(words="draw a tile", function=f"{ENGINE}.draw_tile", row=2),
            Box(
                words="hand complete?",
                function="mjopt.play.game.legal.turn_moves",
                kind=QUESTION,
                row=3,
            ),
            Box(
                words="discard within five seconds?",
                function="mjopt.play.game.agents.timeout.timeout_after",
                kind=QUESTION,
                row=4,
            ),
            Box(words="the discard is on offer", function=f"{ENGINE}.step", row=5),
            Box(
                words="others: kong, pong or chow?",
                function="mjopt.play.game.legal.claims_of",
                row=6,
            ),
            Box(words="turn of the caller or next", function=f"{ENGINE}.resolve_claims", row=7),
            Box(words="drawn game", function=f"{ENGINE}.end_game", kind=END, row=0, column=1),
            Box(words="win", function=f"{ENGINE}.end_with_win", kind=END, row=3, column=1),
            Box(
                words="discard the drawn tile",
                function="mjopt.play.game.agents.human.default_move",
                row=4,
                column=1,
            ),
        ),
        arrows=(
            (0, 8, "yes"),
            (1, 3, "yes"),
            (3, 9, "yes"),
            (4, 10, "no"),
            (10, 5, ""),
            (7, 0, ""),
        ),
        words={0: "no", 1: "no", 3: "no", 4: "yes"},
    ),
}


def split_name(function: str) -> tuple[str, str]:
    """Split a name into its module, or package, and the names in it.

    Examples
    --------
    >>> split_name("mjopt.heuristics.population.PopulationMethod.search")
    ('mjopt.heuristics.population', 'PopulationMethod.search')
    """
    parts = function.split(".")
    size = next((n for n, part in enumerate(parts) if n and part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[:size]), ".".join(parts[size:])


def look_up(function: str) -> object:
    """Return the function or class of a name; raise ImportError or AttributeError if missing."""
    module, names = split_name(function)
    value: object = import_module(module)
    for name in names.split("."):
        value = getattr(value, name)
    return value


def table(chart: Chart) -> str:
    """Return the table of a chart for its page: what each box does, and the function."""
    rows = []
    for box in chart.boxes:
        anchor = box.function.lower().replace(".", "")  # of a heading in Markdown, as on GitHub
        target = f"../reference/{PAGE.name}#{anchor}"
        rows.append(f"| {box.words} | [`{box.function}`]({target}) |")
    return "\n".join(["| box | function |", "|---|---|", *rows]) + "\n"


def functions_page() -> str:
    """Return the page with the source of all functions."""
    parts = [
        "# Functions of the flow charts\n\n"
        "The boxes of the flow charts are linked to their functions on this page.\n"
    ]
    for chart in CHARTS.values():
        parts.append(f"\n## {chart.title}\n\nThe chart is on [its page](../{chart.page}).\n")
        for function in dict.fromkeys(box.function for box in chart.boxes):
            source = inspect.unwrap(look_up(function))  # type: ignore[arg-type]
            words = [f"*{box.words}*" for box in chart.boxes if box.function == function]
            parts.append(
                f"\n### `{function}`\n\n{', '.join(words)}\n\n"
                f"```{{literalinclude}} ../../{source.__module__.replace('.', '/')}.py\n"
                f":pyobject: {source.__qualname__}\n:lineno-match:\n```\n"
            )
    return "".join(parts)


def link(function: str) -> str:
    """Return the address of a function on the page, from another folder of the site.

    Docutils derives the identifier of a section from its title.

    Examples
    --------
    >>> link("mjopt.heuristics.ndde._cross")
    '../reference/flow-charts.html#mjopt-heuristics-ndde-cross'
    """
    return f"../reference/{PAGE.stem}.html#" + re.sub(r"[^a-z0-9]+", "-", function.lower())


def draw(chart: Chart) -> str:
    """Return a chart as SVG text."""
    canvas = Canvas()
    places = [_corner(box) for box in chart.boxes]
    for number, box in enumerate(chart.boxes):
        _draw_box(canvas, box, *places[number])
        if number and box.column == 0:
            x, y = places[number]
            _draw_line(canvas, (x + WIDE / 2, y - GAP), (x + WIDE / 2, y))
            if word := chart.words.get(number - 1):
                canvas.text(x + WIDE / 2 + 8, y - GAP / 2 + 4, word, "soft")
    for start, end, word in chart.arrows:
        (x, y), (to_x, to_y) = places[start], places[end]
        middle, to_middle = y + HIGH / 2, to_y + HIGH / 2
        if chart.boxes[end].column:
            _draw_line(canvas, (x + WIDE, middle), (to_x, middle))
            canvas.text(x + WIDE + APART / 2, middle - 8, word, "soft mid")
        elif chart.boxes[start].column:
            corner = (x + WIDE / 2, to_middle)
            _draw_line(canvas, (x + WIDE / 2, y + HIGH), corner, (to_x + WIDE, to_middle))
        else:
            left = x - (18 if end > start else 44)
            _draw_line(canvas, (x, middle), (left, middle), (left, to_middle), (to_x, to_middle))
            if word:
                canvas.text(left + 2, middle - 14, word, "soft")
    canvas.grow(canvas.width, canvas.height + MARGIN / 2)
    return canvas.svg(chart.title, role="group")


def _corner(box: Box) -> tuple[float, float]:
    return 50.0 + box.column * (WIDE + APART), 6.0 + box.row * (HIGH + GAP)


def _draw_box(canvas: Canvas, box: Box, x: float, y: float) -> None:
    line = 'fill="none" stroke="var(--line)" stroke-width="2"'
    if box.kind == QUESTION:
        points = ((0, HIGH / 2), (22, 0), (WIDE - 22, 0), (WIDE, HIGH / 2))
        points += ((WIDE - 22, HIGH), (22, HIGH))
        path = " ".join(f"{x + dx:g},{y + dy:g}" for dx, dy in points)
        shape = f'<polygon points="{path}" {line}/>'
    else:
        round_by = HIGH / 2 if box.kind == END else 8
        shape = (
            f'<rect x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="{round_by:g}" {line}/>'
        )
    canvas.parts.append(
        f'<a href="{link(box.function)}" aria-label="{box.words}, {box.function}">'
        f"<title>{box.function}</title>{shape}"
    )
    canvas.text(x + WIDE / 2, y + 23, box.words, "mid")
    canvas.text(x + WIDE / 2, y + 42, box.short, "soft mid")
    canvas.parts.append("</a>")
    canvas.grow(x + WIDE, y + HIGH)


def _draw_line(canvas: Canvas, *points: tuple[float, float]) -> None:
    """Draw a line through points, with a head at the end."""
    (x, y), (to_x, to_y) = points[-2:]
    if x == to_x:
        head = "l-5 -7m5 7l5 -7" if to_y > y else "l-5 7m5 -7l5 7"
    else:
        head = "l-7 -5m7 5l-7 5" if to_x > x else "l7 -5m-7 5l7 5"
    path = "L".join(f"{at_x:g} {at_y:g}" for at_x, at_y in points)
    canvas.parts.append(
        f'<path d="M{path}{head}" fill="none" stroke="var(--ink)" stroke-width="1.5"/>'
    )


if __name__ == "__main__":
    for name, chart in CHARTS.items():
        (PICTURES / f"{name}.svg").write_text(draw(chart), encoding="utf-8")
    PAGE.write_text(functions_page(), encoding="utf-8")
