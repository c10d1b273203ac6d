"""Replay game records and check every move against the rules."""

from collections import Counter, deque
from collections.abc import Iterator

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.errors import FileError, GameError
from mjopt.hands.tiles import COPIES
from mjopt.play.game.engine import forfeit, legal_moves, start, step
from mjopt.play.game.events import CALLS, KONGS, Event
from mjopt.play.game.moves import PASS, Action, Move
from mjopt.play.game.public_state import Phase
from mjopt.play.game.record import Record, full_events, read_record, to_numbers
from mjopt.play.game.rules import NUM_SEATS, SEATS
from mjopt.play.game.state import State
from mjopt.play.game.wall import shuffle_wall


def replay(line: str | Record) -> State:
    """Replay a recorded game and return its final state.

    Checks the wall (if the record has its seed), every draw, the legality of each move, the
    ending and the scores.

    Raises
    ------
    FileError
        If the record breaks the rules; the message names the move.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> line = write_record(state, names=["last"] * 4, seed=1, game=0)
    >>> replay(line).outcome == state.outcome
    True
    >>> replay(line.replace("scores=0,0", "scores=1,-1"))
    Traceback (most recent call last):
    mjopt.errors.FileError: scores 1,-1,0,0, but the rules give 0,0,0,0
    """
    record = line if isinstance(line, Record) else read_record(line)
    [(state, _)] = deque(replay_steps(record), maxlen=1)  # at least the deal
    check_end(record, state)
    return state


def check_end(record: Record, state: State) -> None:
    """Check the final state against the ending and the scores of the record.

    FileError if the game is not over, or the rules give another ending or other scores.
    """
    if state.outcome is None:
        raise FileError(f"the record ends after move {len(record.events)}, the game does not")
    if record.ending != state.outcome.ending:
        recorded, expected = short_repr(record.ending), state.outcome.ending.value
        raise FileError(f"end {recorded}, but the rules give {expected!r}")
    if record.scores != state.outcome.scores:
        recorded, expected = (
            shorten(",".join(map(str, scores))) for scores in (record.scores, state.outcome.scores)
        )
        raise FileError(f"scores {recorded}, but the rules give {expected}")


def replay_steps(line: str | Record) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the states of a recorded game, each with the events that led to it.

    A draw belongs to the same step as the move before it.

    Raises
    ------
    FileError
        If a move is not legal, or a draw differs from the wall.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, agent_stream, run_game, shuffle_wall
    >>> from mjopt.play.game.agents import L1
    >>> rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    >>> wall = shuffle_wall(1, 0, M0_RULES.tiles)
    >>> result = run_game([L1()] * 4, wall, rules=M0_RULES, rngs=rngs)
    >>> steps = list(replay_steps(result.line))
    >>> steps[0][0].is_over, steps[-1][0].is_over
    (False, True)
    """
    record = line if isinstance(line, Record) else read_record(line)
    state = start(record.rules, wall_of(record), dealer=record.dealer)
    done = 0
    while True:
        events = tuple(full_events(state, done))
        for number, event in enumerate(events, start=done):
            if (recorded := _event_at(record, number)) != event:
                raise FileError(
                    f"{_event_text(recorded, record)} in the record, "
                    f"but the rules give {_event_text(event, record)}",
                    position=number + 1,
                    unit="move",
                )
        done += len(events)
        yield state, events
        if state.is_over:
            break
        if done == len(record.events) and state.table.phase in (Phase.TURN, Phase.CALLED):
            return
        state = _next(state, record, done)
    if done < len(record.events):
        raise FileError("the game was over before it", position=done + 1, unit="move")


def _event_at(record: Record, number: int) -> Event | None:
    return record.events[number] if number < len(record.events) else None


def _next(state: State, record: Record, done: int) -> State:
    """Apply the next event of the record; seats without a recorded claim pass."""
    event = _event_at(record, done)
    if event is not None and event.action is Action.FAULT:
        return forfeit(state, event.seat)
    if state.table.phase in (Phase.TURN, Phase.CALLED):
        if event is None or event.seat != state.to_move:
            raise FileError(
                f"{_event_text(event, record)}, but seat {state.to_move} is to move",
                position=done + 1,
                unit="move",
            )
        return _play(state, Move(event.action, event.kind), record, done)
    claims = _claims(record, done)
    while state.table.phase in (Phase.CLAIM, Phase.ROB) and state.to_move is not None:
        seat, events = state.to_move, len(state.table.events)
        state = _play(state, claims.pop(seat, PASS), record, done)
        if len(state.table.events) > events or state.is_over:
            break
    if claims:
        seat = next(iter(claims))
        raise FileError(
            f"seat {seat} cannot take the tile on offer", position=done + 1, unit="move"
        )
    return state


def _claims(record: Record, done: int) -> dict[int, Move]:
    """Return the claims that come next in the record: one call, or all wins."""
    claims: dict[int, Move] = {}
    for event in record.events[done:]:
        if event.action is Action.WIN:
            claims[event.seat] = Move(event.action, event.kind)
        elif not claims and event.action in CALLS:
            return {event.seat: Move(event.action, event.kind)}
        else:
            break
    return claims


def _play(state: State, move: Move, record: Record, done: int) -> State:
    if move not in legal_moves(state):
        recorded = _event_text(_event_at(record, done), record)
        raise FileError(f"{recorded} is not legal", position=done + 1, unit="move")
    return step(state, move)


def _event_text(event: Event | None, record: Record) -> str:
    if event is None:
        return "nothing"
    tile = "" if event.kind < 0 else to_numbers((event.kind,), record.rules.tiles)
    return f"{event.seat}{event.action.value}{tile}"


def wall_of(record: Record) -> tuple[int, ...]:
    """Return a wall that produces the hands and draws of a record.

    If the record has a seed and a game number, this is the shuffled wall, which must agree with the
    hands. Otherwise the undrawn tiles follow in order of kind. FileError if the hands differ from
    the wall, or a kind occurs more than four times.
    """
    tiles = record.rules.tiles
    seats = [(record.dealer + place) % NUM_SEATS for place in SEATS]
    if record.seed is not None and record.game is not None:
        try:
            wall = shuffle_wall(record.seed, record.game, tiles)
        except GameError as error:
            raise FileError(str(error)) from error
        for place, seat in enumerate(seats):
            if sorted(wall[13 * place : 13 * place + 13]) != sorted(record.hands[seat]):
                raise FileError(
                    f"hand of seat {seat} is not the one of wall {record.game} "
                    f"of seed {record.seed}"
                )
        return wall
    dealt = [kind for seat in seats for kind in record.hands[seat]]
    front, back = _drawn(record)
    undrawn = Counter(dict.fromkeys(range(tiles.num_kinds), COPIES))
    undrawn.subtract(dealt + front + back)
    if over := [kind for kind, copies in undrawn.items() if copies < 0]:
        raise FileError(f"more than {COPIES} of {tiles.names[over[0]]} in the record")
    if record.rules.seat_walls:
        return (*dealt, *_seat_walls(record, seats, sorted(undrawn.elements())))
    return (*dealt, *front, *sorted(undrawn.elements()), *reversed(back))


def _seat_walls(record: Record, seats: list[int], undrawn: list[int]) -> Iterator[int]:
    """Yield the wall after the deal, in which each seat draws every fourth tile."""
    draws = {
        seat: deque(
            event.kind
            for event in record.events
            if event.seat == seat and event.action is Action.DRAW
        )
        for seat in seats
    }
    rest = iter(undrawn)
    for position in range(len(undrawn) + sum(map(len, draws.values()))):
        seat_draws = draws[seats[position % NUM_SEATS]]
        try:
            yield seat_draws.popleft() if seat_draws else next(rest)
        except StopIteration:
            raise FileError("more tiles drawn by a seat than its part of the wall has") from None


def _drawn(record: Record) -> tuple[list[int], list[int]]:
    """Return the tiles drawn from the front, and the replacement tiles from the end."""
    front: list[int] = []
    back: list[int] = []
    before = None
    for event in record.events:
        if event.action is Action.DRAW:
            (back if before in KONGS else front).append(event.kind)
        before = event.action
    return front, back
