"""Critical-difference diagrams: mean ranks, and which of them differ."""

from collections.abc import Sequence
from math import ceil, floor
from typing import TYPE_CHECKING, Final

from mjopt.errors import StudyError
from mjopt.reports.figure import INK, MUTED, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE: Final = 4.0  # inches from the first rank to the last


def cliques(ranks: Sequence[float], width: float) -> tuple[tuple[int, int], ...]:
    """Return the widest groups of ranks no further apart than a width.

    Parameters
    ----------
    ranks
        Ascending.
    width
        The critical difference.

    Returns
    -------
    tuple
        First and last place of each group of at least two; no group within another.

    Examples
    --------
    >>> cliques([1.0, 1.5, 2.2, 4.0], 1.0)
    ((0, 1), (1, 2))
    """
    found: list[tuple[int, int]] = []
    for first in range(len(ranks)):
        last = max(i for i in range(first, len(ranks)) if ranks[i] - ranks[first] <= width)
        if last > first and not (found and found[-1][1] >= last):
            found.append((first, last))
    return tuple(found)


def draw_ranks(
    labels: Sequence[str], ranks: Sequence[float], *, critical: float, blocks: str
) -> "Figure":
    """Draw mean ranks on a line, best to the left, with bars over those that do not differ.

    Parameters
    ----------
    labels, ranks
        The methods and their mean ranks, in any order; at least two.
    critical
        Nemenyi's critical difference.
    blocks
        What the ranks are means over, such as ``"318 800 hands"``.

    References
    ----------
    .. [1] J. Demsar (2006), Journal of Machine Learning Research 7, 1-30, Figure 1.
    """
    if len(labels) != len(ranks) or len(labels) < 2:
        raise StudyError(f"{len(labels)} labels, {len(ranks)} ranks; expected at least two of both")
    order = sorted(range(len(labels)), key=lambda i: (ranks[i], labels[i]))
    names, values = [labels[i] for i in order], [ranks[i] for i in order]
    groups = cliques(values, critical)
    first, last = floor(min(values)), max(ceil(max(values)), floor(min(values)) + 1)
    half = (len(names) + 1) // 2
    top = 0.55 + 0.22 * len(groups)  # where labels begin, in inches below the axis
    height = top + 0.3 * half + 0.15
    with styled():
        from matplotlib.figure import Figure

        # Beside the line there is room for the longest name and its rank.
        margin = 0.75 + 0.078 * max(map(len, [*names, "mean rank (1 is best)"]))
        figure = Figure(figsize=(LINE + 2 * margin, height + 1.05))
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        span = last - first
        axes.set_xlim(first - span * margin / LINE, last + span * margin / LINE)
        axes.set_ylim(-height, 1.0)
        axes.set_axis_off()
        axes.plot([first, last], [0, 0], color=INK, linewidth=1, clip_on=False)
        for tick in range(first, last + 1):
            axes.plot([tick, tick], [0, 0.1], color=INK, linewidth=1)
            axes.text(tick, 0.16, str(tick), ha="center", va="bottom", fontsize=8.5)
        axes.text(first - 0.02 * span, 0.05, "mean rank (1 is best)", ha="right", fontsize=8)
        _scale(axes, first, critical, blocks)
        for level, (i, j) in enumerate(groups):
            y = -0.25 - 0.22 * level
            axes.plot(
                [values[i] - 0.008 * span, values[j] + 0.008 * span],
                [y, y],
                color=INK,
                linewidth=4,
                solid_capstyle="butt",
            )
        for place, (name, value) in enumerate(zip(names, values, strict=True)):
            left = place < half
            row = place if left else len(names) - 1 - place
            y = -top - 0.3 * row
            end = first - 0.06 * span if left else last + 0.06 * span
            axes.plot([value, value, end], [0, y, y], color=MUTED, linewidth=0.9)
            axes.plot(value, 0, "o", color=INK, markersize=4)
            axes.text(
                end + (-0.01 if left else 0.01) * span,
                y,
                f"{name}  {value:.2f}" if left else f"{value:.2f}  {name}",
                ha="right" if left else "left",
                va="center",
                fontsize=9,
            )
        return figure


def _scale(axes: "Axes", first: float, critical: float, blocks: str) -> None:
    y = 0.62
    text = f"critical difference {critical:.3g} over {blocks}"
    axes.plot([first, first + critical], [y, y], color=INK, linewidth=1.2, marker="|", markersize=8)
    axes.text(first, y + 0.14, text, ha="left", va="bottom", fontsize=8)
