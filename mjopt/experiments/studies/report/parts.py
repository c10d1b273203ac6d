"""Writes the tables and figures of a report, and keeps what the page shows of them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mjopt.experiments.studies.comparisons import Reading
from mjopt.experiments.studies.figures import save_figure
from mjopt.experiments.studies.summary import Summary
from mjopt.reports.table import Table
from mjopt.reports.table_files import write_table
from mjopt.reports.web_page import (
    Block,
    Section,
    figure_block,
    table_block,
    text_block,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(slots=True)
class Maker:
    """A report in the making: what is added stands in the section that is closed next.

    Parameters
    ----------
    folder
        The study's folder; ``tables`` and ``figures`` are made in it.
    summary, reading
        The study, and how it is read.
    """

    folder: Path
    summary: Summary
    reading: Reading
    _blocks: list[Block] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the folders."""
        for name in ("tables", "figures"):
            (self.folder / name).mkdir(exist_ok=True)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added since the last section."""
        return not self._blocks

    def table(self, table: Table | None, reading: str) -> None:
        """Write a table, and add it with a line on how to read it."""
        if table is not None:
            write_table(self.folder / "tables", table)
            self._blocks.append(table_block(table, reading=reading))

    def figure(self, name: str, figure: "Figure", title: str, reading: str) -> None:
        """Write a figure, and add it with a line on how to read it."""
        svg = save_figure(self.folder / "figures", name, figure)
        self._blocks.append(figure_block(name, svg, title=title, reading=reading))

    def text(self, text: str, *, kind: str = "p") -> None:
        """Add a paragraph, or another element that holds text alone."""
        self._blocks.append(text_block(text, kind=kind))

    def points(self, lines: list[str]) -> None:
        """Add a list of sentences."""
        items = [text_block(line, kind="li") for line in lines]
        self._blocks += [Block("<ul>"), *items, Block("</ul>")]

    def section(self, name: str, heading: str) -> Section:
        """Close a section of all that was added since the last."""
        blocks, self._blocks = tuple(self._blocks), []
        return Section(name=name, heading=heading, blocks=blocks)
