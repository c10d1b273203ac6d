"""What `mjopt play` does: seat the players, ask the person, show the end."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mjopt.errors import FileError, GameError
from mjopt.game.agents.person import LeaveError, Person
from mjopt.game.agents.registry import read_agent
from mjopt.game.play import Agent, GameResult, run_game
from mjopt.game.replaying import replay
from mjopt.game.rules import NUM_SEATS, SEATS, RuleSet, get_rules
from mjopt.game.wall import agent_stream, shuffle_wall
from mjopt.hands.notation import get_notation


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRun:
    """One game as asked for on the command line."""

    agents: tuple[str, ...]
    rules: str
    seed: int
    game: int
    seat: int
    notation: str
    hints: bool
    records: str | None

    def __post_init__(self) -> None:
        """Refuse a table that cannot be set."""
        if len(self.agents) != NUM_SEATS - 1:
            raise GameError(f"{len(self.agents)} agents, expected three beside you")
        if self.seat - 1 not in SEATS:
            raise GameError(f"--seat {self.seat}, expected 1 to 4")


def play(run: PlayRun) -> None:
    """Play the game and show how it ended."""
    rules, notation = get_rules(run.rules), get_notation(run.notation)
    none = (0,) * rules.tiles.num_kinds

    def write(counts: tuple[int, ...]) -> str:
        return notation.write(counts, none, rules.tiles)

    records = None if run.records is None else Path(run.records)
    if records is not None and not records.parent.is_dir():
        raise FileError(f"{records}: the folder {records.parent} does not exist")
    person = Person(ask=input, tell=print, write=write, hints=run.hints)
    players: list[Agent] = [read_agent(text) for text in run.agents]
    players.insert(run.seat - 1, person)
    others = ", ".join(
        f"seat {seat + 1} {player.name}" for seat, player in enumerate(players) if player != person
    )
    print(f"{rules.name}: you are seat {run.seat}; {others}")
    try:
        result = run_game(
            players,
            shuffle_wall(run.seed, run.game, rules.tiles),
            rules=rules,
            rngs=[agent_stream(run.seed, run.game, seat) for seat in SEATS],
            seed=run.seed,
            game=run.game,
        )
    except LeaveError:
        print("left")
        return
    finally:
        for player in players:
            close = getattr(player, "close", None)
            if close is not None:
                close()
    _show_end(result, rules, write)
    if records is None:
        print(result.line)
    else:
        with records.open("a", encoding="utf-8") as file:
            file.write(f"{result.line}\n")


def _show_end(result: GameResult, rules: RuleSet, write: Callable[[tuple[int, ...]], str]) -> None:
    state, outcome = replay(result.line), result.outcome
    print()
    for seat in SEATS:
        melds = " ".join(f"({m.block.text(rules.tiles)})" for m in state.table.melds[seat])
        line = f"seat {seat + 1}: {write(state.hands[seat])} {melds}".rstrip()
        print(f"{line}   {outcome.scores[seat]:+d}")
    if result.fault:
        print(f"seat {result.fault.seat + 1} broke the game: {result.fault.text}")
    elif outcome.winners:
        seats = " and ".join(str(seat + 1) for seat in outcome.winners)
        tile = rules.tiles.names[outcome.kind]
        print(f"seat {seats} wins with {tile} ({outcome.ending.value})")
    else:
        print(f"drawn game ({outcome.ending.value})")
