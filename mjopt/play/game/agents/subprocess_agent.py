"""An agent in a separate process, with JSON lines over standard input and output."""

import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mjopt.play.game.agents.json_protocol import message_of, read_answer
from mjopt.play.game.agents.program import ProgramAgent, RunningProgram
from mjopt.play.game.moves import Move
from mjopt.play.game.observation import View


@dataclass(slots=True)
class ProcessAgent(ProgramAgent):
    """Play as a program decides, which reads and writes JSON lines.

    The program starts at its first decision and plays all games; each message is
    self-contained. After a timeout or an invalid answer the seat forfeits the game, and the
    program restarts for the next one.

    Parameters
    ----------
    command
        The program and its arguments.
    time_limit
        Seconds for a decision, from sending the message to receiving the answer.
    every_state
        Send every state of the game, as the server of the study does. ``Seat`` is the seat to
        move, or empty at the end of the game; ``You`` is the seat of the program. The program
        answers only if both are equal.

    Examples
    --------
    >>> ProcessAgent.from_text("python3 player.py --level 3").command
    ('python3', 'player.py', '--level', '3')
    >>> ProcessAgent.from_text("--every-state python3 player.py").every_state
    True
    """

    every_state: bool = False

    kind: ClassVar[str] = "process"
    flag: ClassVar[str] = "--every-state"

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move that the program answers.

        Raises
        ------
        TimeoutError
            If the program exceeds the time limit.
        GameError
            If the program exits, or its answer is invalid.
        """
        try:
            answer = self._start().ask(self._message(view, moves), self.time_limit)
            return read_answer(answer, moves, view.tiles)
        except BaseException:
            self.close()  # a late answer must not be taken for the next one
            raise

    def watch(self, view: View, seat_to_move: int) -> None:
        """Send the program a state in which another seat moves, if ``every_state`` is set.

        Raises
        ------
        TimeoutError
            If the program does not read it.
        """
        if not self.every_state:
            return
        running = self._start()
        message = {
            **self._message(view, ()),
            "Seat": str(seat_to_move) if seat_to_move >= 0 else "",
        }
        try:
            running.send(f"{json.dumps(message)}\n".encode(), self.time_limit)
        except BaseException:
            self.close()
            raise

    def _message(self, view: View, moves: tuple[Move, ...]) -> dict[str, str | list[str]]:
        message = message_of(view, moves)
        return {**message, "You": message["Seat"]} if self.every_state else message

    def _start(self) -> RunningProgram:
        """Start the program unless it runs."""
        self._running = self._running or RunningProgram(self.command)
        return self._running
