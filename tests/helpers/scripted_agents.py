"""Agents with scripted faults: fail, cheat, never return."""

import time

from helpers.waits import POLL

from mjopt.play.game import Action, Move


class Crashing:
    """Fails at its n-th decision of the first games, then plays on."""

    name = "crashing"

    def __init__(self, after: int = 3) -> None:
        self.left = after

    def choose(self, view, moves, *, rng):
        self.left -= 1
        if self.left == 0:
            raise RuntimeError("out of\nideas")
        return moves[-1]


class Cheating:
    name = "cheating"

    def choose(self, view, moves, *, rng):
        return Move(Action.WIN, 0)


class Silent:
    """Returns nothing."""

    name = "silent"

    def choose(self, view, moves, *, rng):
        return None


class Sleeping:
    """Never returns within a test."""

    name = "sleeping"

    def choose(self, view, moves, *, rng):
        while True:
            time.sleep(POLL)
