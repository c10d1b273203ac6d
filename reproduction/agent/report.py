"""The report of one figure or table: Markdown, CSV files and an SVG figure."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
import pandas as pd

from metrics import Claim, claims_table, means_over_seeds

CLAIMS_EXPLAINED = (
    "A difference is positive where the claim holds. Low and high are the 95 % interval of the "
    "mean over n seeds. It contains the spread of seeds and, where games are played or decisions "
    "are answered, their sampling error (a bootstrap of games, walls or tournaments). A claim "
    "holds, or does not hold, if p is below 0.05, corrected by Holm's method over all claims of "
    "this page. With one seed the spread of seeds is unknown and left out."
)


class Curve:
    """Points of a curve with one value per seed."""

    def __init__(self) -> None:
        self.points: dict[float, list[float]] = defaultdict(list)

    def add(self, values: Mapping[float, float]) -> None:
        """Add the values of another seed."""
        for x, value in values.items():
            self.points[x].append(value)

    def mean(self, x: float) -> float:
        """Return the mean over seeds."""
        return fmean(self.points[x])


@dataclass(kw_only=True)
class Report:
    """Tables, claims and curves of one figure or table of the article."""

    title: str
    notes: list[str]
    tables: dict[str, pd.DataFrame]
    claims: list[Claim] = field(default_factory=list)
    panels: Mapping[str, Mapping[str, Curve]] = field(default_factory=dict)
    x_label: str = ""
    log_x: bool = False

    def write(self, folder: Path, name: str, settings: str) -> str:
        """Write all files, and return the Markdown."""
        folder.mkdir(exist_ok=True)
        tables = dict(self.tables)
        for table_name, table in self.tables.items():
            if "seed" in table and len(means := means_over_seeds(table)):
                tables[f"{table_name}-means"] = means
        if self.claims:
            tables[f"{name}-claims"] = claims_table(self.claims)
        parts = [f"# {self.title}", *self.notes, settings]
        if self.panels:
            self._draw(folder / f"{name}.svg")
            parts.append(f"![{self.title}]({name}.svg)\n\nMean over seeds; bands hold all seeds.")
        for table_name, table in tables.items():
            table.to_csv(folder / f"{table_name}.csv", index=False)
            parts.append(table.to_markdown(index=False, floatfmt=".5g"))
        if self.claims:
            parts.append(CLAIMS_EXPLAINED)
        text = "\n\n".join(parts) + "\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
        return text

    def _draw(self, path: Path) -> None:
        number = len(self.panels)
        figure, axes = plt.subplots(1, number, figsize=(5 * number, 4), squeeze=False)
        for axis, (title, curves) in zip(axes[0], self.panels.items(), strict=True):
            for name, curve in curves.items():
                xs = sorted(curve.points)
                axis.plot(xs, [curve.mean(x) for x in xs], label=name)
                low, high = ([of(curve.points[x]) for x in xs] for of in (min, max))
                axis.fill_between(xs, low, high, alpha=0.15, linewidth=0)
            axis.set(title=title, xlabel=self.x_label, xscale="log" if self.log_x else "linear")
            if self.log_x:  # the numbers themselves, not 6x10^1
                xs = sorted({x for curve in curves.values() for x in curve.points})
                axis.set_xticks(xs, [f"{x:,g}" for x in xs])
                axis.minorticks_off()
            axis.legend()
        figure.savefig(path, bbox_inches="tight")
        plt.close(figure)
