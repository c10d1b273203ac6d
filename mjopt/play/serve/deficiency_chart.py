"""SVG chart of the deficiency of the four seats by step."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from mjopt.play.serve.language import gettext
from mjopt.play.serve.tiles import missing_words

WIDTH, HEIGHT = 640, 150
LEFT, RIGHT, TOP, BOTTOM = 24, 70, 10, 22

DASHES: Final = ("none", "8 3", "2 3", "9 3 2 3")  # line styles of the seats
LINE_DISTANCE: Final = 2.2  # distance between the lines of seats with equal deficiency


class Curve(NamedTuple):
    """The chart of a game."""

    body: Markup  # the SVG elements
    words: str  # description for screen readers
    xs: tuple[float, ...]  # position of each step


def draw_curve(away: Sequence[Sequence[int]], labels: Sequence[str], seats: Sequence[int]) -> Curve:
    """Draw the deficiency of some seats after each step."""
    most = max(1, *(value for now in away for value in now))
    wide = (WIDTH - LEFT - RIGHT) / max(len(away) - 1, 1)
    xs = tuple(round(LEFT + wide * step, 1) for step in range(len(away)))

    def height(value: int) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (most - value) / most

    parts = [
        f'<path stroke="var(--rule)" stroke-width="1" d="M{LEFT} {y:g}H{WIDTH - RIGHT}"/>'
        f'<text x="{LEFT - 6}" y="{y + 4:g}" text-anchor="end">{value}</text>'
        for value in range(most + 1)
        for y in [round(height(value), 1)]
    ]
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 5}">{gettext("start")}</text>')
    end = f'<text x="{xs[-1]:g}" y="{HEIGHT - 5}" text-anchor="end">{gettext("end")}</text>'
    parts.append(end)
    ends: list[int] = []
    for seat in seats:
        shift = LINE_DISTANCE * (seat - 1.5)
        path, before = "", None
        for x, now in zip(xs, away, strict=True):
            if now[seat] != before:
                y = round(height(now[seat]) + shift, 1)
                path += f"M{x:g} {y:g}" if before is None else f"H{x:g}V{y:g}"
                before = now[seat]
        style = f'fill="none" stroke="var(--s{seat})" stroke-dasharray="{DASHES[seat]}"'
        parts.append(f'<path {style} d="{path}H{xs[-1]:g}"/>')
        at = round(height(away[-1][seat]) + 4)
        at = min(  # labels must not overlap
            (y for y in range(TOP, HEIGHT - BOTTOM + 8) if all(abs(y - end) > 11 for end in ends)),
            key=lambda y: abs(y - at),
        )
        ends.append(at)
        parts.append(
            Markup('<text x="{:g}" y="{:g}">{}</text>').format(xs[-1] + 6, at, labels[seat])
        )
    changes = (
        gettext("%(player)s from %(first)s to %(last)s")
        % {
            "player": labels[seat],
            "first": missing_words(away[0][seat]),
            "last": missing_words(away[-1][seat]),
        }
        for seat in seats
    )
    words = gettext("missing tiles by step: %(changes)s") % {"changes": gettext(", ").join(changes)}
    # As attributes: style sheet rules with outer selectors do not apply inside <use>.
    group = Markup('<g fill="currentColor" font-size="11" stroke-width="2">{}</g>')
    return Curve(group.format(Markup("").join(map(Markup, parts))), words, xs)
