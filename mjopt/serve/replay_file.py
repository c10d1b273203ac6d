"""A game as a standalone HTML file: no server, no script, no network."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

from mjopt.game.public_state import Event
from mjopt.game.record import read_record
from mjopt.game.state import State
from mjopt.serve.game_replay import JUMPS, checked_steps, watched
from mjopt.serve.step_view import GameView, Remark
from mjopt.serve.templating import render_standalone

NONE: Final[Mapping[int, Remark]] = MappingProxyType({})


def replay_page(
    steps: Iterable[tuple[State, tuple[Event, ...]]],
    *,
    names: Sequence[str],
    title: str,
    seat: int | None = None,
    remarks: Mapping[int, Remark] = NONE,
    record: str = "",
) -> str:
    r"""Return a game as a standalone HTML page.

    Parameters
    ----------
    steps
        States, each with the events that led to it, as :func:`mjopt.game.replay_steps`
        yields them.
    names
        Names of the players by seat.
    title
        Heading of the page.
    seat
        The observing seat; None for all hands open.
    remarks
        Remarks by number of the step.
    record
        Record of the game, stored at the end of the page.

    Examples
    --------
    >>> from mjopt.game import M0_RULES, forfeit, shuffle_wall, start
    >>> dealt = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> steps = [(dealt, ()), (end := forfeit(dealt, 2), end.table.events[-1:])]
    >>> page = replay_page(steps, names=["a", "b", "c", "d"], title="A <short> game")
    >>> page.count('<section class="step"'), "A &lt;short&gt; game" in page
    (2, True)
    """
    game = watched(steps, names)
    view = GameView(game, seat)
    shown = [view.step(at, remarks.get(at)) for at in range(view.last + 1)]
    rules = game.states[0].table.rules
    players = ", ".join(map(" ".join, zip(view.winds, view.names, strict=True)))
    return render_standalone(
        "replay.html",
        title=title,
        about=f"Rules {rules.name}, {players}",
        steps=[*shown[1:], shown[0]],  # the page opens at this one by default
        names=JUMPS,
        body=Markup('<use href="#curve"/>'),
        curves={"curve": view.curve.body},
        margin="12rem",
        record=record,
    )


def record_page(line: str, *, title: str) -> str:
    """Return the page of a record, up to the first step that breaks the rules."""
    record = read_record(line)
    return replay_page(checked_steps(record), names=record.names, title=title, record=line)
