"""Configuration of a battle, and the battles that papers published."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, TypedDict

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole, expect, expect_all, pick
from mjopt.errors import ArgumentError
from mjopt.play.game.play import check_time_limit
from mjopt.play.game.rules import NUM_SEATS, GameRules
from mjopt.play.game.wall import WORDS
from mjopt.play.riichi.rules import get_table_rules

ROUNDS: Final = (1, 2, 4)
DEALERS: Final[dict[str, str]] = {
    "turns": "seat g mod 4 deals game g",
    "first": "seat 0 always deals",
}


class BattleSettings(TypedDict):
    """The fields of a :class:`BattleConfig` as JSON data, without the number of games."""

    agents: list[str]
    rules: str
    seed: int
    rounds: int
    dealer: str
    time_limit: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleConfig:
    """Everything that the games of a battle depend on.

    Game g uses wall g of the seed. It is played in one or more rounds over the same wall: in
    round r, entrant e sits in seat ``(e + r) mod 4``.

    Parameters
    ----------
    agents
        The four entrants, as text for :func:`mjopt.play.game.agents.read_agent`.
    rules
        The rules, as text for :func:`mjopt.play.riichi.get_table_rules`, such as ``"jj,ready=0"``
        or ``"riichi"``.
    seed
        Seed of the walls and of the agents' random numbers, 0 to 2**64 - 1.
    games
        Number of walls, at least 1.
    rounds
        4: every entrant plays every hand of a wall once, so that luck cancels. 2: seats 1 and 3
        are exchanged with seats 2 and 4. 1: the seats do not change.
    dealer
        Choice of the dealer, one of :data:`DEALERS`.
    time_limit
        Seconds for a decision, or None. With a limit, results depend on the machine.

    Raises
    ------
    ArgumentError
        If a value is out of range. The agents are validated when they are made.

    Examples
    --------
    >>> config = BattleConfig(agents=("l1", "l3", "l1", "l2"), games=10)
    >>> config.num_played, [config.entrant_in(1, r) for r in range(4)], config.dealer_of(6)
    (40, [1, 0, 3, 2], 2)
    """

    agents: tuple[str, ...]
    rules: str = "gmjbg"
    seed: int = 0
    games: int
    rounds: int = 4
    dealer: str = "turns"
    time_limit: float | None = None

    def __post_init__(self) -> None:
        """Validate the values."""
        if len(expect_all(self.agents, str, "agents")) != NUM_SEATS:
            raise ArgumentError(f"{len(self.agents)} agents", expected=str(NUM_SEATS))
        get_table_rules(self.rules)
        seed, games, rounds = map(as_whole, (self.seed, self.games, self.rounds))
        if seed is None or not 0 <= seed < WORDS:
            raise ArgumentError(
                argument="seed", value=short_repr(self.seed), expected="0..2**64 - 1"
            )
        if games is None or games < 1:
            raise ArgumentError(
                argument="games", value=short_repr(self.games), expected="at least 1"
            )
        if rounds not in ROUNDS:
            raise ArgumentError(
                argument="rounds", value=short_repr(self.rounds), expected="1, 2 or 4"
            )
        expect(self.dealer, str, "dealer")
        if self.dealer not in DEALERS:
            raise ArgumentError(
                argument="dealer", value=short_repr(self.dealer), expected=tuple(DEALERS)
            )
        if self.time_limit is not None:
            check_time_limit(self.time_limit)

    @property
    def rule_set(self) -> GameRules:
        """The rules themselves."""
        return get_table_rules(self.rules)

    @property
    def num_played(self) -> int:
        """Number of games played: walls times rounds."""
        return self.games * self.rounds

    def entrant_in(self, seat: int, round_: int) -> int:
        """Return the entrant in a seat in a round."""
        return (seat - round_) % NUM_SEATS

    def dealer_of(self, game: int) -> int:
        """Return the seat that deals in a game."""
        return game % NUM_SEATS if self.dealer == "turns" else 0

    def settings(self) -> BattleSettings:
        """Return everything that the rows depend on, as JSON data: all but the number of games."""
        return {
            "agents": list(self.agents),
            "rules": self.rules,
            "seed": self.seed,
            "rounds": self.rounds,
            "dealer": self.dealer,
            "time_limit": self.time_limit,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A published battle and its figures."""

    name: str  # on the command line
    source: str  # publication
    config: BattleConfig  # the source of GMJBG's tables played a million games, here 100,000
    # Published shares of games by entrant, in percent; empty if there are none.
    wins: tuple[float, ...] = ()
    own_draws: tuple[float, ...] = ()
    drawn: float | None = None  # published share of drawn games, in percent
    # Published score of the first agent over all games. (Whole points do not add up to 1.173: the
    # source does not say how it was scaled.)
    score: float | None = None


def _variants(table: Preset) -> Iterator[Preset]:
    """Yield a published table of GMJBG for each variant of the tile weights."""
    for suffix, option in (("", ""), ("-nearest", ":variant=nearest")):
        agents = tuple(f"{agent}{option}" for agent in table.config.agents)
        config = replace(table.config, agents=agents)
        yield replace(table, name=f"{table.name}{suffix}", config=config)


_NDDE: Final = "deficiency:method=ndde,population=20,generations=50"
_TREE_SEARCH: Final = "deficiency:method=tree-search"
_PRESETS: Final = (
    *_variants(
        Preset(
            name="gmjbg-table-1",
            source="The Genius of Mahjong Boys and Girls (2017), table 4",
            config=BattleConfig(agents=("l1", "l3", "l1", "l2"), games=100_000, rounds=1),
            wins=(9.6, 24.0, 9.7, 18.7),
            own_draws=(2.3, 4.7, 2.3, 4.6),
            drawn=37.0,
        )
    ),
    *_variants(
        Preset(
            name="gmjbg-table-2",
            source="The Genius of Mahjong Boys and Girls (2017), table 5",
            config=BattleConfig(agents=("l1", "l2", "l1", "l2"), games=100_000, rounds=1),
            wins=(9.4, 18.1, 9.3, 18.0),
            own_draws=(2.2, 4.3, 2.2, 4.3),
            drawn=45.0,
        )
    ),
    Preset(
        name="section-4.3",
        source="Yan and Li (2023), section 4.3",
        config=BattleConfig(agents=(_NDDE, _TREE_SEARCH) * 2, rules="m0", games=1_000, rounds=2),
        score=1.173,
    ),
)

PRESETS: Final[dict[str, Preset]] = {preset.name: preset for preset in _PRESETS}
"""The published battles by name."""


def get_preset(name: str) -> Preset:
    """Return a published battle by its name.

    Raises
    ------
    ArgumentError
        If there is no such preset.

    Examples
    --------
    >>> get_preset("gmjbg-table-1").config.agents
    ('l1', 'l3', 'l1', 'l2')
    >>> get_preset("table-1")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: preset 'table-1': unknown, expected one of gmjbg-table-1 ...
    """
    return pick(name, PRESETS, "preset", ArgumentError)
