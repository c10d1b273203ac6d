"""Plot the probability of a complete hand by number of draws."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

from mjopt._internal.files import atomic_write
from mjopt._internal.plot_style import plot_style
from mjopt.chances.draws.distribution import Waiting
from mjopt.errors import FileError

PICTURES: Final = ("png", "svg", "pdf")

ENOUGH: Final = 0.999
"""The horizontal axis ends where this share of every curve is complete."""

_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_LINES: Final = ("-", "--", "-.", ":")


def plot_curves(curves: Mapping[str, Waiting], path: Path, *, title: str = "") -> None:
    """Plot the probability of a complete hand by number of draws, one line per distribution.

    ``curves`` has the distributions by their names in the legend; the mean of each is marked. The
    suffix of the path, one of ``PICTURES``, determines the format. MissingExtraError if matplotlib
    is not installed; FileError if the suffix is unknown, or the folder does not exist.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "curve.svg"
    ...     plot_curves({"bamboos": Waiting(ways=(1, 5, 8, 4, 0, 0))}, path)
    ...     "bamboos" in path.read_text()
    True
    """
    ending = path.suffix.lstrip(".").lower()
    if ending not in PICTURES:
        raise FileError(argument=str(path), expected=f"a name that ends in .{', .'.join(PICTURES)}")
    with plot_style():
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator, PercentFormatter

        figure = Figure(figsize=(6.4, 3.8), layout="constrained")
        axes = figure.subplots()
        last = max(_last(waiting) for waiting in curves.values())
        for place, (name, waiting) in enumerate(curves.items()):
            colour = _COLOURS[place % len(_COLOURS)]
            line = _LINES[place // len(_COLOURS) % len(_LINES)]
            shares = waiting.curve_floats[: last + 1]
            mean = float(waiting.mean)
            label = f"{name}: mean {mean:.2f}" if waiting.is_certain else f"{name}: never"
            axes.step(
                range(len(shares)), shares, where="post", color=colour, linestyle=line, label=label
            )
            if mean <= last:
                axes.axvline(mean, color=colour, linestyle=":", linewidth=1)
        axes.set(xlim=(0, max(last, 1)), ylim=(0, 1), title=title)
        axes.set(xlabel="draws", ylabel="complete by then")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        picture = BytesIO()
        # Omit date and software so that equal curves give equal bytes.
        undated = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
        figure.savefig(picture, format=ending, dpi=160, metadata=undated[ending])
    atomic_write(path, picture.getvalue())


def _last(waiting: Waiting) -> int:
    shares = waiting.curve_floats
    return next((i for i, share in enumerate(shares) if share >= ENOUGH), len(shares) - 1)
