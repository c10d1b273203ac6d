"""A battle's plan: who plays whom, on which walls, in which seats."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from mjopt._internal.validation import as_whole, told
from mjopt.errors import GameError
from mjopt.game.agents.registry import read_agent
from mjopt.game.play import Agent, check_time_limit
from mjopt.game.rules import NUM_SEATS, RuleSet, get_rules
from mjopt.game.wall import WORDS

ROUNDS: Final = (1, 2, 4)
DEALERS: Final[dict[str, str]] = {
    "turns": "seat g mod 4 begins game g",
    "first": "seat 0 always begins",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that the games of a battle depend on.

    Wall g of the seed is game g. Each game is played in one or more rounds over the same
    wall: in round r, entrant e sits in seat ``(e + r) mod 4``.

    Parameters
    ----------
    agents
        The four entrants, as text that ``read_agent`` reads.
    rules
        The rules, as :func:`mjopt.game.get_rules` reads them: ``"jj,ready=0"``.
    seed
        Of the walls and of the agents' random numbers.
    games
        How many walls.
    rounds
        4: every entrant plays every hand of a wall once, so that luck cancels. 2: seats
        1 and 3 change with seats 2 and 4. 1: plain, everyone keeps the seat.
    dealer
        Who begins, one of :data:`DEALERS`.
    time_limit
        Seconds for a decision, or None. Results then depend on the machine.

    Examples
    --------
    >>> plan = Plan(agents=("l1", "l3", "l1", "l2"), games=10)
    >>> plan.num_played, [plan.seat_of(1, round_) for round_ in range(4)], plan.dealer_of(6)
    (40, [1, 2, 3, 0], 2)
    """

    agents: tuple[str, ...]
    rules: str = "gmjbg"
    seed: int = 0
    games: int
    rounds: int = 4
    dealer: str = "turns"
    time_limit: float | None = None

    def __post_init__(self) -> None:
        """Refuse a battle that cannot be fought; the agents are read when they are made."""
        if len(self.agents) != NUM_SEATS:
            raise GameError(f"{len(self.agents)} agents, expected {NUM_SEATS}")
        get_rules(self.rules)
        seed, games, rounds = map(as_whole, (self.seed, self.games, self.rounds))
        if seed is None or not 0 <= seed < WORDS:
            raise GameError(f"seed {told(self.seed)}, expected 0..2**64 - 1")
        if games is None or games < 1:
            raise GameError(f"{told(self.games)} games, expected at least 1")
        if rounds not in ROUNDS:
            raise GameError(f"{told(self.rounds)} rounds, expected 1, 2 or 4")
        if self.dealer not in DEALERS:
            raise GameError(f"dealer {self.dealer!r}, expected one of {', '.join(DEALERS)}")
        if self.time_limit is not None:
            check_time_limit(self.time_limit)

    @property
    def rule_set(self) -> RuleSet:
        """The rules themselves."""
        return get_rules(self.rules)

    @property
    def num_played(self) -> int:
        """How many games are played, rounds counted."""
        return self.games * self.rounds

    def seat_of(self, entrant: int, round_: int) -> int:
        """Return where an entrant sits in a round."""
        return (entrant + round_) % NUM_SEATS

    def entrant_in(self, seat: int, round_: int) -> int:
        """Return who sits in a seat in a round."""
        return (seat - round_) % NUM_SEATS

    def dealer_of(self, game: int) -> int:
        """Return the seat that begins a game."""
        return game % NUM_SEATS if self.dealer == "turns" else 0

    def make_agents(self) -> list[Agent]:
        """Make the four entrants anew, one object each: an agent may remember its game."""
        return [read_agent(text, perfect_information=True) for text in self.agents]

    def settings(self) -> dict[str, Any]:
        """Return what the rows depend on: all but how many of them there are."""
        from mjopt import __version__

        settings = {"version": __version__, **asdict(self), "agents": list(self.agents)}
        del settings["games"]
        return settings
