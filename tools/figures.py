"""Figures of the results pages, drawn from the tables of these pages.

``python -m tools.figures`` writes them into docs/pictures. They follow the
colour scheme of the page around them, light or dark. Needs Matplotlib.
"""

import hashlib
import io
import re
from collections.abc import Callable
from typing import Any

from tools.pages import DOCS
from tools.pictures import PICTURES

INK, LINE = "#1c2331", "#9aa2ae"  # replaced by the style sheet below
COLOURS = ("#3d85c6", "#d97a1e", "#7a8594", "#3a9a5b")
STYLE = (
    "<style>svg{--ink:#1c2331;--line:#9aa2ae}"
    "@media(prefers-color-scheme:dark){svg{--ink:#e8eaee;--line:#6b7380}}</style>"
)
Rows = list[tuple[str, list[str]]]
NUMBER = r"[-+]?\d*\.?\d+"


def table(page: str, header: str) -> Rows:
    """Return first cell and other cells of each row of the table with a text in its header."""
    text = (DOCS / "results" / f"{page}.md").read_text(encoding="utf-8")
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("|") and header in line)
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows.append((first.replace("`", "").replace("*", ""), cells))
    return rows


def numbers(cell: str) -> list[float]:
    """Return the numbers in a cell; commas separate thousands."""
    return [float(found) for found in re.findall(NUMBER, cell.replace(",", ""))]


def bars(axes: Any, groups: list[str], series: dict[str, list[float]], *, number: str) -> None:
    """Draw groups of bars with their values."""
    width = 0.8 / len(series)
    for place, (name, values) in enumerate(series.items()):
        places = [group + (place - (len(series) - 1) / 2) * width for group in range(len(groups))]
        drawn = axes.bar(places, values, width * 0.92, label=name, color=COLOURS[place])
        axes.bar_label(drawn, fmt=number, fontsize=8, color=INK, padding=2)
    axes.set_xticks(range(len(groups)), groups)
    if len(series) > 1:
        axes.legend(frameon=False, ncols=len(series), loc="lower left", bbox_to_anchor=(0, 1))


def dots(axes: Any, rows: dict[str, list[float]]) -> None:
    """Draw a value with its interval in each row, the first row on top."""
    for place, (value, low, high) in enumerate(reversed(list(rows.values()))):
        axes.plot([low, high], [place, place], color=COLOURS[0], linewidth=2.5)
        axes.plot(value, place, "o", color=COLOURS[0])
    axes.set_yticks(range(len(rows)), list(reversed(rows)))
    axes.set_ylim(-0.6, len(rows) - 0.4)


def heuristics(axes: Any, rows: Rows) -> None:
    """Draw Table 5: ours beside the published accuracies."""
    groups, ours, published = [], [], []
    for name, cells in rows:
        for method, cell in zip(("NDDE", "TLBO", "PSO", "GA"), cells, strict=True):
            pair = numbers(cell)
            groups.append(f"{method}\n{name.partition(' type')[0]}")
            ours.append(pair[0])
            published.append(pair[1])
    bars(axes, groups, {"ours": ours, "published": published}, number="%.0f")
    axes.set_ylabel("% right at (20, 50)")
    axes.set_ylim(0, 109)


def refill(axes: Any, rows: Rows) -> None:
    """Draw the shares solved after few evaluations."""
    names = {"NDDE": "NDDE", "refill with any element that fits": "any element", "melds first": ""}
    names["melds, then one pair, then the rest (ndde-refill)"] = "ndde-refill"
    names["the same with random trials: no evolution"] = "ndde-refill without evolution"
    series = {
        names[name]: [numbers(cell)[0] for cell in cells] for name, cells in rows if names[name]
    }
    bars(axes, ["20 evaluations", "50", "120"], series, number="%.0f")
    axes.set_ylabel("% of one-type hands solved")


def solvers(axes: Any, rows: Rows) -> None:
    """Draw the relative times of the solvers."""
    series = {
        solver: [numbers(cells[column + 1])[0] for _, cells in rows]
        for column, solver in enumerate(("CP-SAT", "HiGHS", "CBC"))
    }
    bars(axes, [name for name, _ in rows], series, number="%g")
    axes.set_yscale("log")
    axes.set_yticks([1, 3, 10, 30], ["1", "3", "10", "30"], minor=False)
    axes.minorticks_off()
    axes.set_ylabel("median time, relative")


def rules(axes: Any, rows: Rows) -> None:
    """Draw the shares of deals that rules won, below the bound."""
    bound = numbers(rows[0][1][2])[0]
    dots(axes, {name: numbers(cells[2])[:3] for name, cells in rows[1:]})
    axes.axvline(bound, color=COLOURS[1], linestyle="--")
    axes.set_xlim(30, 60)
    axes.text(bound - 0.5, -0.4, "no play wins more", ha="right", color=INK)
    axes.set_xlabel("% of a million deals won within 18 draws")


def win_chance(axes: Any, rows: Rows) -> None:
    """Draw the gaps between the bounds."""
    series = {
        "plain": [numbers(cells[5])[0] for _, cells in rows],
        "with the refinements": [numbers(cells[4])[0] for _, cells in rows],
    }
    groups = [f"{row.replace(', ', ' away,' + chr(10) + 'waste ')}" for row, _ in rows]
    bars(axes, groups, series, number="%.4f")
    axes.set_ylabel("gap with 18 draws to come")


def league(axes: Any, rows: Rows) -> None:
    """Draw the ratings of the league of eight."""
    dots(axes, {name: numbers(cells[0])[:3] for name, cells in rows})
    axes.set_xlabel("rating, with 95 % intervals over walls")


def ndde_table(axes: Any, rows: Rows) -> None:
    """Draw the difference between NDDE and the tree search over few and many games."""
    dots(axes, {f"{name} games": numbers(cells[0])[:3] for name, cells in rows})
    axes.axvline(0, color=LINE)
    axes.set_xlabel("points a game, NDDE less the tree search (95 %)")


def gmjbg(axes: Any, rows: Rows) -> None:
    """Draw the shares of the first table."""
    names = ("published", "literal text", "nearest variant")
    series = {
        name: [numbers(cell)[0] for cell in cells]
        for name, (_, cells) in zip(names, rows[:3], strict=True)
    }
    bars(axes, ["L1", "L3", "L1", "L2", "drawn"], series, number="%g")
    axes.set_ylabel("% of games won")


def learning(axes: Any, rows: Rows) -> None:
    """Draw the differences in points of the included agent."""
    dots(axes, {f"against {name}": numbers(cells[3])[:3] for name, cells in rows})
    axes.axvline(0, color=LINE)
    axes.set_xlabel("points a game, normal:taught less the opponent (95 %)")


def any_mahjong(axes: Any, rows: Rows) -> None:
    """Draw the shares of deals by deficiency, a bar for each rule set."""
    names = [name for name, _ in rows]
    starts = [0.0] * len(rows)
    shades = (
        "#3a9a5b",
        "#3a9a5b",
        "#7fb98f",
        "#bfd8c4",
        "#c9ced6",
        "#9fb4d0",
        "#6f93c4",
        "#3d6fb0",
    )
    for place, shade in enumerate(shades, 1):
        shares = [numbers(cells[place + 1])[0] for _, cells in rows]
        shares = [share if share >= 0.01 else 0.0 for share in shares]
        label = f"{place} or more" if place == len(shades) else str(place)
        axes.barh(names, shares, left=starts, color=shade, label=label)
        for row, (start, share) in enumerate(zip(starts, shares, strict=True)):
            if share > 4:
                where = {"ha": "center", "va": "center"}
                axes.text(start + share / 2, row, str(place), fontsize=8, color="#111", **where)
        starts = [start + share for start, share in zip(starts, shares, strict=True)]
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of deals, by the number of tiles missing (8: or more)")


Figure = tuple[Callable[[Any, Rows], None], tuple[float, float], str, str]
FIGURES: dict[str, Figure] = {
    "heuristics": (heuristics, (8.5, 3.2), "heuristics", "% right | NDDE | TLBO"),
    "refill": (refill, (7.5, 3.2), "refill", "method | 20 | 50"),
    "solvers": (solvers, (7.5, 3.2), "solvers", "formulation | programs | CP-SAT"),
    "rules": (rules, (7.5, 2.8), "rules", "won within 6 draws, %"),
    "win-chance": (win_chance, (7.5, 3.2), "win-chance", "deficiency, waste | deals"),
    "league": (league, (7.5, 3.2), "agents", "agent | rating | points a game"),
    "ndde-table": (ndde_table, (7.5, 1.7), "ndde-at-the-table", "games | points a game"),
    "gmjbg": (gmjbg, (7.5, 3.2), "gmjbg", "| seat 1 | seat 2"),
    "learning": (learning, (7.5, 2.2), "learning", "opponent | walls | wins"),
    "any-mahjong": (any_mahjong, (7.5, 3.2), "any-mahjong", "rules | tiles | mean"),
}
"""For each figure: the function that draws it, its size, page, and the header of its table."""


def digest(name: str) -> str:
    """Return a digest of the table of a figure; the file contains it."""
    _, _, page, header = FIGURES[name]
    return hashlib.sha256(repr(table(page, header)).encode()).hexdigest()[:16]


def figure(name: str) -> str:
    """Return a figure as SVG text."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    draw, size, page, header = FIGURES[name]
    colours = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color")
    settings = dict.fromkeys(colours, INK) | {
        "axes.edgecolor": LINE,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "font.size": 10,
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "svg.hashsalt": name,
    }
    with pyplot.rc_context(settings):
        drawing, axes = pyplot.subplots(figsize=size, layout="constrained")
        draw(axes, table(page, header))
        buffer = io.StringIO()
        drawing.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
        pyplot.close(drawing)
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(INK, "var(--ink)").replace(LINE, "var(--line)")
    return re.sub(r"(<svg[^>]*>)", rf"\1<desc>{digest(name)}</desc>{STYLE}", text, count=1)


if __name__ == "__main__":
    for figure_name in FIGURES:
        (PICTURES / f"{figure_name}.svg").write_text(figure(figure_name), encoding="utf-8")
