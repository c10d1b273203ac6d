"""One look for all figures, and files whose bytes depend on nothing but the data."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjopt._internal.folder import write_whole
from mjopt._internal.optional_deps import need
from mjopt.reports.table import THIN

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

INK: Final = "#1c1f23"
MUTED: Final = "#62686f"
GRID: Final = "#dadde1"

PALETTE: Final = (
    "#0072b2",  # blue
    "#d55e00",  # vermilion
    "#009e73",  # green
    "#b8578f",  # purple
    "#c98a00",  # ochre
    "#3ea4dd",  # sky
    "#6b4c9a",  # violet
    "#7a7f26",  # olive
)
"""After Okabe and Ito, darkened where they are too pale for thin lines on white."""

MARKERS: Final = "osD^vPX*"
LINES: Final = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)))
HATCHES: Final = ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oooo", "----")

FONT: Final = "DejaVu Sans"  # comes with matplotlib
LIKE_IT: Final = f"'{FONT}', Verdana, sans-serif"  # for viewers without it: no wider letters

STYLE: Final[dict[str, Any]] = {
    "font.family": FONT,
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "mjopt",
    "svg.fonttype": "none",  # text stays text: it can be searched, and is small
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.06,
    "figure.constrained_layout.h_pad": 0.06,
}


class Look(NamedTuple):
    """How one of several series is told apart: in colour, and in grey without it."""

    colour: str
    marker: str
    line: Any
    hatch: str

    @property
    def curve(self) -> dict[str, Any]:
        """How a curve is drawn."""
        return {"color": self.colour, "linestyle": self.line, "marker": self.marker}

    @property
    def dot(self) -> dict[str, Any]:
        """How a value with its interval is drawn."""
        plain = {"linestyle": "", "markersize": 5.5, "elinewidth": 2}
        return {"color": self.colour, "marker": self.marker, **plain}


def look(place: int) -> Look:
    """Return the look of the series at a place; after eight, colours come again."""
    series: tuple[Sequence[Any], ...] = (PALETTE, MARKERS, LINES, HATCHES)
    return Look(*(of[place % len(of)] for of in series))


@contextmanager
def styled(style: Mapping[str, Any] = STYLE) -> Iterator[None]:
    """Draw with one look and nobody's own settings.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    need("matplotlib", extra="experiments")
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(style)
        yield


def panels(
    number: int, *, height: float = 2.9, share_x: bool = True, share_y: bool = True
) -> "tuple[Figure, list[Axes]]":
    """Return a figure with so many panels, at most three in a row; the height of each in inches.

    Every panel names its ticks, even with another below it.
    """
    from matplotlib.figure import Figure

    columns = min(number, 3)
    rows = ceil(number / columns)
    figure = Figure(figsize=(9.0 if columns > 1 else 6.5, height * rows + 0.5))
    grid = figure.subplots(rows, columns, squeeze=False, sharex=share_x, sharey=share_y)
    axes = list(grid.ravel())
    for spare in axes[number:]:
        spare.remove()
    for panel in axes[:number]:
        panel.tick_params(axis="x", labelbottom=True)
    return figure, axes[:number]


def folded(name: str, width: int = 24) -> str:
    r"""Break a long name after hyphens, into lines of at most so many signs where it can be.

    Examples
    --------
    >>> folded("ndde-20-50"), folded("ndde-20-50-repair-random", 12)
    ('ndde-20-50', 'ndde-20-50-\nrepair-\nrandom')
    """
    lines = [""]
    for part in re.findall(r"[^-]*-|[^-]+$", name):
        if lines[-1] and len(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def remark(
    panel: "Axes", text: str, at: tuple[float, float], shift: tuple[float, float], **how: Any
) -> None:
    """Write a few quiet words so many points away from a place."""
    how = {"color": MUTED, **how}
    panel.annotate(text, at, xytext=shift, textcoords="offset points", **how)


def row_panels(labels: Sequence[str], number: int) -> "tuple[Figure, list[Axes]]":
    """Return panels with a row for each label, which stand beside the first of them."""
    lines = max(folded(label).count("\n") + 1 for label in labels)
    figure, axes = panels(number, height=0.9 + (0.14 + 0.16 * lines) * len(labels))
    axes[0].set_ylim(len(labels) - 0.4, -0.6)
    axes[0].set_yticks(range(len(labels)), [folded(label) for label in labels])
    for panel in axes:
        panel.grid(axis="y", visible=False)
    return figure, axes


def name_panel(axes: "Axes", name: str, *, detail: str = "") -> None:
    """Write a name above a panel, and a quieter detail beside it."""
    axes.set_title(folded(name))
    if detail:
        axes.set_title(detail, loc="right", fontweight="normal", fontsize=8, color=MUTED)


def add_legend(figure: "Figure", handles: "Sequence[Artist]", labels: Sequence[str]) -> None:
    """Put one legend for all panels below them, in as many rows as its words need."""
    if not labels:
        return
    room = 72 * figure.get_figwidth()
    each = 5.2 * max(map(len, labels)) + 48  # points: letters, then the sign and the space
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=max(min(len(labels), 6, int(room / each)), 1),
        handlelength=3,
        columnspacing=1.6,
    )


def log_ticks(axis: "Axis", low: float, high: float) -> None:
    """Put few readable ticks on a logarithmic axis, whatever it spans."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    subs = (1.0, 2.0, 5.0) if high < 60 * low else (1.0, 3.0) if high < 600 * low else (1.0,)
    axis.set_major_locator(LogLocator(subs=subs))
    axis.set_major_formatter(FuncFormatter(thousands))
    axis.set_minor_formatter(NullFormatter())


def name_rows(axes: "Sequence[Axes]", label: str) -> None:
    """Write the label of the upright axis at the first panel of every row."""
    for panel in axes:
        place = panel.get_subplotspec()
        if place is not None and place.is_first_col():
            panel.set_ylabel(label)


def thousands(value: float, _: object = None) -> str:
    """Return a number for an axis: thousands apart, no exponent.

    Examples
    --------
    >>> thousands(10000), thousands(0.5)
    ('10\u202f000', '0.5')
    """
    return f"{value:,.10g}".replace(",", THIN)


def to_svg(figure: "Figure") -> str:
    """Return a figure as SVG, the same bytes for the same data."""
    none = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    text = _saved(figure, format="svg", transparent=True, metadata=none).decode()
    lines = text.replace(f"'{FONT}'", LIKE_IT).splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def save_figure(folder: Path, name: str, figure: "Figure") -> str:
    """Write a figure as ``NAME.svg`` and ``NAME.png``, and return the SVG.

    Raises
    ------
    FileError
        If the folder does not exist.
    """
    svg = to_svg(figure)
    write_whole(folder / f"{name}.svg", svg.encode())
    software = {"Software": None}
    png = _saved(figure, format="png", dpi=160, facecolor="white", metadata=software)
    write_whole(folder / f"{name}.png", png)
    return svg


@styled({**STYLE, "figure.constrained_layout.use": False})
def _saved(figure: "Figure", **how: Any) -> bytes:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    if engine := figure.get_layout_engine():
        FigureCanvasSVG(figure)  # whose letters are measured, in the PNG too
        engine.execute(figure)
        figure.set_layout_engine(None)  # else each format is laid out and drawn once to see
    file = io.BytesIO()
    figure.savefig(file, **how)
    return file.getvalue()
