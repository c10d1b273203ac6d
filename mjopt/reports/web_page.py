"""One HTML page that needs nothing but itself: style, figures and tables inside."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from string import Template
from typing import Final, NamedTuple

from mjopt.reports.figure import GRID, INK, MUTED, PALETTE
from mjopt.reports.table import Table
from mjopt.reports.table_formats import to_html

DARK: Final = (
    "#5db4f0",
    "#ff8f4d",
    "#3ecf9f",
    "#e592c2",
    "#f0b93a",
    "#8fd0f7",
    "#ab90d9",
    "#bfc45c",
)
"""The palette on a dark page."""

LONG: Final = 24
"""A table with more rows than this is folded."""

CSS: Final = Template(
    """
:root { color-scheme: light dark; --paper: #ffffff; --ink: $ink; --muted: $muted;
  --rule: $grid; --shade: #f4f6f8; --link: #0b5cad; $light }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e6e9ec;
  --muted: #9aa3ad; --rule: #343a41; --shade: #1d2127; --link: #7db8f5; $dark } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 78rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .75rem }
h2 { font-size: 1.25rem; margin: 2.75rem 0 .5rem; padding-top: .75rem;
  border-top: 1px solid var(--rule) }
p, ul { max-width: 46rem }
a { color: var(--link) }
code, pre { font: .86em/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, monospace }
pre { background: var(--shade); padding: .75rem 1rem; overflow-x: auto; border-radius: 4px }
.pairs { font-size: .95rem; line-height: 1.4; max-width: none }
.pairs .no { color: var(--muted); list-style-type: circle }
.main { font-size: 1.1rem; padding: .75rem 1rem; background: var(--shade);
  border-left: 4px solid var(--s0); max-width: none }
nav ol { columns: 2; column-gap: 2.5rem; max-width: 46rem; padding-left: 1.4rem }
figure { margin: 1.5rem 0 }
figure svg { width: 100%; height: auto; max-width: 60rem; display: block }
figure.narrow svg { max-width: 44rem }
figcaption, .note { color: var(--muted); font-size: .9rem; max-width: 46rem; margin: .4rem 0 }
.scroll { overflow-x: auto; margin: 1.25rem 0 .25rem }
table { border-collapse: collapse; font-size: .84rem; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding-bottom: .35rem; font-size: .92rem }
th, td { padding: .22rem .6rem; text-align: left; vertical-align: top; white-space: nowrap }
td.long { white-space: normal; min-width: 20rem }
th { border-bottom: 1px solid var(--muted); font-weight: 600; white-space: normal;
  min-width: 3.6rem; max-width: 8.5rem; vertical-align: bottom;
  overflow-wrap: break-word }
.whole { white-space: nowrap }
th.num, td.num { text-align: right }
tr.opens td { border-top: 1px solid var(--rule) }
tbody tr:last-child td { border-bottom: 1px solid var(--muted) }
details { margin: 1.25rem 0 }
summary { cursor: pointer; color: var(--link) }
figure svg * { stroke-linejoin: round; stroke-linecap: butt }
@media print { body { max-width: none; padding: 0 } details > * { display: block } }
"""
)

PAGE: Final = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>$css</style>
</head>
<body>
<h1>$title</h1>
$lead
<nav aria-label="contents"><ol>
$contents
</ol></nav>
$body
</body>
</html>
"""
)


class Section(NamedTuple):
    """One section with a heading that the contents list."""

    name: str
    heading: str
    pieces: tuple[str, ...]  # HTML


def text_piece(text: str, *, kind: str = "p", classes: str = "") -> str:
    """Return a paragraph; what is in it is text, not markup."""
    named = f' class="{classes}"' if classes else ""
    return f"<{kind}{named}>{html.escape(text)}</{kind}>"


def list_pieces(lines: Iterable[str]) -> list[str]:
    """Return a list of sentences."""
    return ["<ul>", *(text_piece(line, kind="li") for line in lines), "</ul>"]


def pair_pieces(lines: Mapping[str, bool]) -> list[str]:
    """Return a list of sentences, those that claim something set apart from those that do not."""
    items = (
        text_piece(line, kind="li", classes="" if yes else "no") for line, yes in lines.items()
    )
    return ['<ul class="pairs">', *items, "</ul>"] if lines else []


def table_piece(table: Table, *, reading: str) -> str:
    """Return a table with one line on how to read it; a long one is folded."""
    shown = to_html(table, reading=f"{reading} (tables/{table.name}.md, .csv, .tex)")
    if len(table.rows) <= LONG:
        return shown
    title = html.escape(f"{table.title} ({len(table.rows)} rows)")
    return f"<details><summary>{title}</summary>\n{shown}</details>"


def figure_piece(name: str, svg: str, *, title: str, reading: str) -> str:
    """Return a figure with one line on how to read it."""
    width = re.search(r'viewBox="0 0 ([\d.]+)', svg)
    narrow = ' class="narrow"' if width and float(width[1]) < 600 else ""
    return (
        f"<figure{narrow}>\n{inline_svg(name, svg, title=title)}\n"
        f"<figcaption><b>{html.escape(title)}.</b> {html.escape(reading)} "
        f"(figures/{name}.svg, .png)</figcaption></figure>"
    )


def inline_svg(name: str, svg: str, *, title: str) -> str:
    """Return an SVG file as part of a page: its own identifiers, and the page's colours."""
    svg = svg[svg.index("<svg") :]
    for pattern, instead in (
        (r"(?s)<metadata>.*?</metadata>\s*", ""),
        (r"(?s)<style[^>]*>.*?</style>\s*", ""),
        (r"(?s)<!--.*?-->\s*", ""),
        (r'\bid="([^"]+)"', rf'id="{name}-\1"'),
        (r'href="#([^"]+)"', rf'href="#{name}-\1"'),
        (r"url\(#([^)]+)\)", rf"url(#{name}-\1)"),
        (r'\A(<svg[^>]*?) width="[^"]*" height="[^"]*"', r"\1"),
    ):
        svg = re.sub(pattern, instead, svg)
    colours = {INK: "--ink", MUTED: "--muted", GRID: "--rule", "#ffffff": "--paper"}
    colours |= {colour: f"--s{place}" for place, colour in enumerate(PALETTE)}
    for colour, variable in colours.items():
        svg = svg.replace(colour, f"var({variable})")
    return svg.replace("<svg", f'<svg role="img" aria-label="{html.escape(title)}"', 1).rstrip()


def page(title: str, lead: Sequence[str], sections: Sequence[Section]) -> str:
    """Return the whole page: its heading, what stands above the contents, what follows them."""
    css = CSS.substitute(
        ink=INK,
        muted=MUTED,
        grid=GRID,
        light=" ".join(f"--s{place}: {colour};" for place, colour in enumerate(PALETTE)),
        dark=" ".join(f"--s{place}: {colour};" for place, colour in enumerate(DARK)),
    )
    return PAGE.substitute(
        title=html.escape(title),
        css=css,
        lead="\n".join(lead),
        contents="\n".join(
            f'<li><a href="#{one.name}">{html.escape(one.heading)}</a></li>' for one in sections
        ),
        body="\n".join(
            f'<section id="{one.name}">\n<h2>{html.escape(one.heading)}</h2>\n'
            + "\n".join(one.pieces)
            + "\n</section>"
            for one in sections
        ),
    )
