"""Matplotlib helpers: one style for all figures, and reproducible SVG and PNG files."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict, Unpack

from mjopt._internal.files import atomic_write
from mjopt._internal.optional_deps import need
from mjopt.errors import FileError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

STYLE_FILE: Final = Path(__file__).with_name("mjopt.mplstyle")

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
"""Okabe-Ito colours, darkened where they are too pale for thin lines on white."""

MARKERS: Final = "osD^vPX*"
LineStyle = str | tuple[float, Sequence[float]]
"""A line style of Matplotlib: a name, or an offset and the lengths of dashes and gaps."""

LINES: Final[tuple[LineStyle, ...]] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5)))

FONT: Final = "DejaVu Sans"  # comes with Matplotlib
FONT_FALLBACK: Final = f"'{FONT}', Verdana, sans-serif"  # no wider than DejaVu Sans


class CurveStyle(TypedDict, total=False):
    """Arguments of ``Axes.plot``."""

    color: str
    linestyle: LineStyle
    linewidth: float
    marker: str
    markersize: float
    markerfacecolor: str
    label: str
    clip_on: bool


class PointStyle(CurveStyle, total=False):
    """Arguments of ``Axes.errorbar``."""

    elinewidth: float


class TextStyle(TypedDict, total=False):
    """Options of :func:`annotate`, as for ``Axes.annotate``."""

    color: str
    fontsize: float
    ha: str
    va: str
    xycoords: tuple[str, str]


class SaveOptions(TypedDict, total=False):
    """Arguments of ``Figure.savefig``."""

    format: str
    transparent: bool
    dpi: float
    facecolor: str
    metadata: Mapping[str, str | None]


class SeriesStyle(NamedTuple):
    """The style of one of several series, distinct in colour and in greyscale."""

    color: str
    marker: str
    line: LineStyle

    @property
    def curve(self) -> CurveStyle:
        """Arguments of ``Axes.plot`` for a curve."""
        return {"color": self.color, "linestyle": self.line, "marker": self.marker}

    @property
    def point(self) -> PointStyle:
        """Arguments of ``Axes.errorbar`` for a value with its interval."""
        return {
            "color": self.color,
            "marker": self.marker,
            "linestyle": "",
            "markersize": 5.5,
            "elinewidth": 2,
        }


def series_style(index: int) -> SeriesStyle:
    """Return the style of the series at an index; colours repeat after eight."""
    return SeriesStyle(
        PALETTE[index % len(PALETTE)], MARKERS[index % len(MARKERS)], LINES[index % len(LINES)]
    )


@contextmanager
def plot_style() -> Iterator[None]:
    """Draw with the package's style, whatever the user's own Matplotlib settings are.

    Use it as a context manager or as a decorator of a function that draws. Without Matplotlib it
    raises `MissingExtraError`.
    """
    need("matplotlib", extra="experiments")
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(mpl.rc_params_from_file(STYLE_FILE, use_default_template=False))
        yield


def make_panels(
    number: int, *, height: float = 2.9, share_x: bool = True, share_y: bool = True
) -> "tuple[Figure, list[Axes]]":
    """Return a figure with a number of panels, at most three in a row, each ``height`` inches high.

    All panels share an axis or not; every panel has tick labels.
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


def make_row_panels(labels: Sequence[str], number: int) -> "tuple[Figure, list[Axes]]":
    """Return panels with one row per label; the labels are beside the first panel."""
    lines = max(wrap_name(label).count("\n") + 1 for label in labels)
    figure, axes = make_panels(number, height=0.9 + (0.14 + 0.16 * lines) * len(labels))
    axes[0].set_ylim(len(labels) - 0.4, -0.6)
    axes[0].set_yticks(range(len(labels)), [wrap_name(label) for label in labels])
    for panel in axes:
        panel.grid(axis="y", visible=False)
    return figure, axes


def wrap_name(name: str, width: int = 24) -> str:
    r"""Break a long name after hyphens into lines of at most ``width`` characters.

    Examples
    --------
    >>> wrap_name("ndde-20-50"), wrap_name("ndde-20-50-repair-random", 12)
    ('ndde-20-50', 'ndde-20-50-\nrepair-\nrandom')
    """
    lines = [""]
    for part in re.findall(r"[^-]*-|[^-]+$", name):
        if lines[-1] and len(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def annotate(
    panel: "Axes",
    text: str,
    at: tuple[float, float],
    offset: tuple[float, float],
    **options: "Unpack[TextStyle]",
) -> None:
    """Write a short muted text, offset by points from a position."""
    options.setdefault("color", MUTED)
    panel.annotate(text, at, xytext=offset, textcoords="offset points", **options)


def set_panel_title(axes: "Axes", name: str, detail: str = "") -> None:
    """Write a name above a panel, and a muted detail to the right."""
    axes.set_title(wrap_name(name))
    if detail:
        axes.set_title(detail, loc="right", fontweight="normal", fontsize=8, color=MUTED)


def add_legend(figure: "Figure", handles: "Sequence[Artist]", labels: Sequence[str]) -> None:
    """Draw one legend for all panels below them, in as many rows as the labels need."""
    if not labels:
        return
    width = 72 * figure.get_figwidth()
    entry = 5.2 * max(map(len, labels)) + 48  # points: letters, then the handle and the gap
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=max(min(len(labels), 6, int(width / entry)), 1),
        handlelength=3,
        columnspacing=1.6,
    )


def set_log_ticks(axis: "Axis", low: float, high: float) -> None:
    """Set a few readable ticks on a logarithmic axis, whatever its range."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

    subs = (1.0, 2.0, 5.0) if high < 60 * low else (1.0, 3.0) if high < 600 * low else (1.0,)
    # Between two powers of ten, few round numbers may lie in the range.
    locator = MaxNLocator(5) if high < 6 * low else LogLocator(subs=subs)
    axis.set_major_locator(locator)
    axis.set_major_formatter(FuncFormatter(thousands))
    axis.set_minor_locator(NullLocator())


def label_rows(axes: "Sequence[Axes]", label: str) -> None:
    """Label the vertical axis at the first panel of every row."""
    for panel in axes:
        spec = panel.get_subplotspec()
        if spec is not None and spec.is_first_col():
            panel.set_ylabel(label)


def thousands(value: float, _: object = None) -> str:
    """Return a number for an axis: thousands separated by thin spaces, no exponent.

    Examples
    --------
    >>> thousands(10000), thousands(0.5), thousands(1e-5)
    ('10\u202f000', '0.5', '0.00001')
    """
    return f"{Decimal(f'{value:.10g}'):,f}".replace(",", "\u202f")


def to_svg(figure: "Figure") -> str:
    """Return a figure as SVG text; the same data give the same bytes."""
    metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    text = _render(figure, format="svg", transparent=True, metadata=metadata).decode()
    lines = text.replace(f"'{FONT}'", FONT_FALLBACK).splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_figure(path: Path, figure: "Figure") -> None:
    """Write a figure as SVG or PNG, by the ending of the name.

    Another ending, or a missing folder, is a `FileError`.
    """
    if path.suffix == ".svg":
        atomic_write(path, to_svg(figure))
    elif path.suffix == ".png":
        metadata = {"Software": None}
        atomic_write(
            path, _render(figure, format="png", dpi=160, facecolor="white", metadata=metadata)
        )
    else:
        raise FileError(argument=str(path), expected="a name that ends in .svg or .png")


@plot_style()
def _render(figure: "Figure", **options: "Unpack[SaveOptions]") -> bytes:
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    mpl.rcParams["figure.constrained_layout.use"] = False
    if engine := figure.get_layout_engine():
        # Draw once first, with the SVG backend's font metrics, so that SVG and PNG look the same.
        FigureCanvasSVG(figure)
        engine.execute(figure)
        figure.set_layout_engine(None)
    file = io.BytesIO()
    figure.savefig(file, **options)
    return file.getvalue()
