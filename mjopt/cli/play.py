"""`mjopt play`: a match at the terminal against three agents."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.sanitize import plain
from mjopt.cli.options import RulesName
from mjopt.cli.output import warn
from mjopt.errors import ArgumentError, FileError, GameError
from mjopt.hands.notation import get_notation
from mjopt.hands.rules.classic_forms import DEFAULT_FORM
from mjopt.play.game.agents.human import LEAVE, Person
from mjopt.play.game.agents.registry import check_agents, close_agent, read_agent
from mjopt.play.game.events import TILE_NAMES
from mjopt.play.game.match import BaseMatch, Course
from mjopt.play.game.play import Agent, GameResult
from mjopt.play.game.rules import NUM_SEATS, RIICHI_GAME, SEATS, GameRules
from mjopt.play.game.scoring import winning_form
from mjopt.play.game.state import State
from mjopt.play.riichi.match import open_match, run_next_hand
from mjopt.play.riichi.record import is_riichi
from mjopt.play.riichi.replay import replay_line
from mjopt.play.riichi.rules import get_table_rules
from mjopt.play.riichi.table import RiichiTable
from mjopt.play.riichi.values import win_values

MIN_CLOCK, MAX_SECONDS = 0.001, 3600.0


def command(
    agents: Annotated[
        list[str] | None,
        Argument(help="Three agents, as for mjopt battle. [default: l1 l2 l3]", metavar="AGENT..."),
    ] = None,
    *,
    rules: RulesName = "gmjbg",
    seed: Annotated[int | None, Option(help="Seed of the wall. [default: random]")] = None,
    number: Annotated[
        int | None, Option(help="Maximum number of hands. [default: until all have been dealer]")
    ] = None,
    seat: Annotated[int, Option(help="Your seat, 1 to 4; seat 1 begins.")] = 1,
    notation: Annotated[str, Option(help="Notation of your hand, such as unicode.")] = "mpsz",
    hints: Annotated[bool, Option("--hints", help="Show what mjopt advise says.")] = False,
    clock: Annotated[
        str | None,
        Option(
            help="Seconds for each of your decisions, then the drawn tile is discarded or the "
            "offered one passed; +PAUSE also waits after each move of the others, and after a move "
            "when time is over. GMJBG's game has 5+1. [default: no limit]",
            metavar="SECONDS[+PAUSE]",
        ),
    ] = None,
    records: Annotated[
        str | None, Option(help="Append the records to a file.", metavar="FILE")
    ] = None,
) -> None:
    """Play a match against three agents.

    A winning dealer deals again, else the next seat deals. The match ends when every player
    has been dealer. `--number 1` is one game.

    Type a tile (`5m`) to discard it; `h` wins, `p` pongs, `k` kongs, `c 3m` chows from
    that tile, `n` or nothing passes, `q` leaves.

    Example: `mjopt play l3 deficiency draws --hints --seed 7`
    """
    names = agents or ["l1", "l2", "l3"]
    rule_set, shown = get_table_rules(rules), get_notation(notation)
    none = (0,) * rule_set.tiles.num_kinds

    def write(counts: tuple[int, ...]) -> str:
        return shown.write(counts, none, rule_set.tiles)

    write((1,) * rule_set.tiles.num_kinds)  # fails if a kind has no sign, before any output
    check_agents(names, rules=rule_set)  # fail before any output
    Course(most_hands=number)  # this too
    if len(names) != NUM_SEATS - 1:
        raise ArgumentError(f"{len(names)} agents", expected="three beside you")
    if seat - 1 not in SEATS:
        raise ArgumentError(argument="--seat", value=str(seat), expected="1 to 4")
    seconds, pause = _read_clock(clock)
    seed = secrets.randbits(32) if seed is None else seed
    if seed < 0:
        raise ArgumentError(argument="--seed", value=str(seed), expected="0 or more")
    warn(f"seed {seed}")
    file = None if records is None else Path(records)
    if file is not None and not file.parent.is_dir():
        raise FileError(f"the folder {file.parent} does not exist", argument=str(file))
    person = Person(ask=_ask, tell=print, write=write, hints=hints, clock=seconds, pause=pause)
    players: list[Agent] = [read_agent(text) for text in names]
    players.insert(seat - 1, person)
    others = ", ".join(
        f"seat {number + 1} {player.name}"
        for number, player in enumerate(players)
        if player != person
    )
    print(f"{rule_set.name}: you are seat {seat}; {plain(others)}")
    match = open_match(
        rule_set, names=[player.name for player in players], seed=seed, most_hands=number
    )
    try:
        while not match.is_over:
            result = run_next_hand(match, players)
            if file is not None:  # before printing, which may fail
                with file.open("a", encoding="utf-8") as log:
                    log.write(f"{result.line}\n")
            if result.fault and result.fault.seat < 0:
                raise GameError(f"the table failed: {result.fault.text}")
            match = match.with_hand(result.line)
            _show_end(result, rule_set, write)
            if file is None and not is_riichi(result.line):  # that line is 5,000 characters long
                print(result.line)
            if number != 1:
                _show_points(match)
    except SystemExit:  # the player leaves
        print("left")
    finally:
        for player in players:
            close_agent(player)


def _read_clock(text: str | None) -> tuple[float | None, float]:
    """Return the seconds for a decision, None without a limit, and those of a pause."""
    if text is None:
        return None, 0.0
    limit, _, rest = text.partition("+")
    try:
        seconds, pause = float(limit), float(rest or 0)
    except ValueError:
        raise ArgumentError(
            argument="--clock", value=text, expected="seconds, such as 5 or 5+1"
        ) from None
    for number, least in ((seconds, MIN_CLOCK), (pause, 0)):
        if not least <= number <= MAX_SECONDS:
            raise ArgumentError(
                argument="--clock", value=text, expected=f"{least:g} to {MAX_SECONDS:g} seconds"
            )
    return seconds, pause


def _show_points(match: BaseMatch) -> None:
    """Show the points; before the next hand, wait for the player."""
    print()
    what = "the match is over" if match.is_over else f"after hand {len(match.lines)}"
    form = "," if match.rules == RIICHI_GAME else "+d"
    standing = [format(points, form) for points in match.standing]
    columns = zip(SEATS, match.names, standing, match.won, strict=True)
    seats = [f"seat {seat + 1} {plain(name)} {s} ({won} won)" for seat, name, s, won in columns]
    print(f"{what}: {', '.join(seats)}")
    if match.is_over:
        return
    try:
        text = _ask(f"seat {match.dealer + 1} deals the next hand (Enter, or q to leave): ")
    except EOFError:
        raise SystemExit from None
    if text.strip().lower() in LEAVE:
        raise SystemExit


def _show_end(
    result: GameResult, rules: GameRules, write: Callable[[tuple[int, ...]], str]
) -> None:
    table, outcome = replay_line(result.line), result.outcome
    state = table.state
    print()
    for seat in SEATS:
        melds = " ".join(f"({m.block.text(rules.tiles)})" for m in state.table.melds[seat])
        line = f"seat {seat + 1}: {write(state.hands[seat])} {melds}".rstrip()
        print(f"{line}   {outcome.scores[seat]:+d}")
    if result.fault:
        print(f"seat {result.fault.seat + 1} broke the game: {plain(result.fault.text)}")
    elif isinstance(table, RiichiTable) and outcome.winners:
        _show_values(table, rules)
    elif outcome.winners and isinstance(state, State):
        seats = " and ".join(str(seat + 1) for seat in outcome.winners)
        tile = rules.tiles.names[outcome.kind]
        forms = {winning_form(state.winning_hand(seat), rules) for seat in outcome.winners}
        special = sorted(form.replace("_", " ") for form in forms - {DEFAULT_FORM})
        how = ", ".join([outcome.ending.value, *special])
        print(f"seat {seats} wins with {tile} ({how})")
    else:
        print(f"drawn game ({outcome.ending.value})")


def _show_values(table: RiichiTable, rules: GameRules) -> None:
    """Show each win of a riichi hand with its yaku, han, fu and the indicators below."""
    assert table.outcome is not None
    tile, how = rules.tiles.names[table.outcome.kind], table.outcome.ending.value
    for win in win_values(table.messages):
        yaku = ", ".join(f"{name} {han}" for name, han in win.yaku)
        below = " ".join(TILE_NAMES[tile] for tile in win.below)
        print(
            f"seat {win.seat + 1} wins with {tile} ({how}): {yaku}; {win.han} han, {win.fu} fu"
            + (f"; indicators below {below}" if below else "")
        )


def _ask(prompt: str) -> str:
    try:
        return input(prompt)
    except TimeoutError:  # the clock, not the terminal
        raise
    except OSError as error:  # a closed stdin ends the match
        raise EOFError from error
