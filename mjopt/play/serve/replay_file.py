"""A recorded game as a self-contained HTML file: no server, no network."""

from markupsafe import Markup

from mjopt.play.riichi.replay import watch_line
from mjopt.play.serve.step_view import JUMPS, GameView, about_hand
from mjopt.play.serve.templating import render_standalone


def record_page(line: str, *, title: str) -> str:
    """Return the page of a record, with the record, up to the first step that breaks the rules."""
    view = GameView(watch_line(line), None, about_hand(line))
    steps = [view.step(at) for at in range(view.last + 1)]
    players = ", ".join(map(" ".join, zip(view.winds, view.names, strict=True)))
    return render_standalone(
        "replay.html",
        title=title,
        about=f"Rules {view.game.states[0].table.rules.name}, {players}",
        steps=[*steps[1:], steps[0]],  # the page opens at this one by default
        names=JUMPS,
        body=Markup('<use href="#curve"/>'),
        curves={"curve": view.curve.body},
        margin="12rem",
        record=line,
    )
