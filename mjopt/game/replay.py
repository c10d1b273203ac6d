"""Replay records; every move is checked against the rules."""

from collections import Counter, deque
from collections.abc import Iterator

from mjopt._internal.sanitize import short
from mjopt.errors import GameError, RecordError
from mjopt.game.engine import forfeit, legal_moves, start, step
from mjopt.game.moves import PASS, Action, Move
from mjopt.game.public_state import Event, Phase
from mjopt.game.record import Record, full_events, read_record, to_numbers
from mjopt.game.rules import NUM_SEATS, SEATS
from mjopt.game.state import State
from mjopt.game.wall import shuffle_wall
from mjopt.hands.tiles import COPIES


def replay(line: str | Record) -> State:
    """Replay a recorded game and return its final state.

    Checked are the wall (if the record names its seed), every draw, that each move was
    legal, the ending and the scores.

    Raises
    ------
    RecordError
        If anything is not as the rules have it; the message names the move.

    Examples
    --------
    >>> from mjopt.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> line = write_record(state, names=["last"] * 4, seed=1, game=0)
    >>> replay(line).outcome == state.outcome
    True
    >>> replay(line.replace("scores=0,0", "scores=1,-1"))
    Traceback (most recent call last):
    mjopt.errors.RecordError: scores 1,-1,0,0, but the rules give 0,0,0,0
    """
    record = line if isinstance(line, Record) else read_record(line)
    [(state, _)] = deque(replay_steps(record), maxlen=1)  # there is always the deal
    check_end(record, state)
    return state


def check_end(record: Record, state: State) -> None:
    """Check that the last state is the end that the record states.

    Raises
    ------
    RecordError
        If the game is not over, or the rules give another ending or other scores.
    """
    if state.outcome is None:
        raise RecordError(f"the record ends after move {len(record.events)}, the game does not")
    if record.ending != state.outcome.ending:
        told, found = short(repr(record.ending)), state.outcome.ending.value
        raise RecordError(f"end {told}, but the rules give {found!r}")
    if record.scores != state.outcome.scores:
        told, found = (
            short(",".join(map(str, scores))) for scores in (record.scores, state.outcome.scores)
        )
        raise RecordError(f"scores {told}, but the rules give {found}")


def replay_steps(line: str | Record) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield the states of a recorded game, each with the events that led to it.

    A draw is yielded together with the move that caused it.

    Raises
    ------
    RecordError
        If a move is not legal, or a draw is not the wall's.
    """
    record = line if isinstance(line, Record) else read_record(line)
    state = start(record.rules, wall_of(record), dealer=record.dealer)
    done = 0
    while True:
        happened = tuple(full_events(state))
        for number, event in enumerate(happened[done:], start=done):
            if (told := _told(record, number)) != event:
                raise RecordError(
                    f"move {number + 1}: {_words(told, record)} in the record, "
                    f"but the rules give {_words(event, record)}"
                )
        new, done = happened[done:], len(happened)
        yield state, new
        if state.is_over:
            break
        if done == len(record.events) and state.table.phase in (Phase.TURN, Phase.CALLED):
            return
        state = _next(state, record, done)
    if done < len(record.events):
        raise RecordError(f"move {done + 1}: the game was over before it")


def _told(record: Record, number: int) -> Event | None:
    return record.events[number] if number < len(record.events) else None


def _next(state: State, record: Record, done: int) -> State:
    """Play the next event of the record, or let everyone pass."""
    told = _told(record, done)
    if told is not None and told.action is Action.FAULT:
        return forfeit(state, told.seat)
    if state.table.phase in (Phase.TURN, Phase.CALLED):
        if told is None or told.seat != state.to_move:
            raise RecordError(
                f"move {done + 1}: {_words(told, record)}, but seat {state.to_move} is to move"
            )
        return _play(state, Move(told.action, told.kind), record, done)
    answers = _answers(record, done)
    while state.table.phase in (Phase.CLAIM, Phase.ROB) and state.to_move is not None:
        seat, events = state.to_move, len(state.table.events)
        state = _play(state, answers.pop(seat, PASS), record, done)
        if len(state.table.events) > events or state.is_over:
            break
    if answers:
        seat = next(iter(answers))
        raise RecordError(f"move {done + 1}: seat {seat} cannot take the tile on offer")
    return state


def _answers(record: Record, done: int) -> dict[int, Move]:
    """Return the claims that the record tells next: one call, or all the wins."""
    answers: dict[int, Move] = {}
    for event in record.events[done:]:
        if event.action is Action.WIN:
            answers[event.seat] = Move(event.action, event.kind)
        elif not answers and event.action in (Action.CHOW, Action.PONG, Action.KONG):
            return {event.seat: Move(event.action, event.kind)}
        else:
            break
    return answers


def _play(state: State, move: Move, record: Record, done: int) -> State:
    if move not in legal_moves(state):
        raise RecordError(f"move {done + 1}: {_words(_told(record, done), record)} is not legal")
    return step(state, move)


def _words(event: Event | None, record: Record) -> str:
    if event is None:
        return "nothing"
    tile = "" if event.kind < 0 else to_numbers((event.kind,), record.rules.tiles)
    return f"{event.seat}{event.action.value}{tile}"


def wall_of(record: Record) -> tuple[int, ...]:
    """Return a wall that gives the hands and draws of a record.

    With a seed and a number it is that wall, which must agree with the hands. Without
    them, the undrawn tiles follow in the order of their kinds.

    Raises
    ------
    RecordError
        If the hands are not those of the wall, or some tile is there too often.
    """
    tiles = record.rules.tiles
    seats = [(record.dealer + place) % NUM_SEATS for place in SEATS]
    if record.seed is not None and record.game is not None:
        try:
            wall = shuffle_wall(record.seed, record.game, tiles)
        except GameError as error:
            raise RecordError(str(error)) from error
        for place, seat in enumerate(seats):
            if sorted(wall[13 * place : 13 * place + 13]) != sorted(record.hands[seat]):
                raise RecordError(
                    f"hand of seat {seat} is not the one of wall {record.game} "
                    f"of seed {record.seed}"
                )
        return wall
    dealt = [kind for seat in seats for kind in record.hands[seat]]
    front, back = _drawn(record)
    left = Counter(dict.fromkeys(range(tiles.num_kinds), COPIES))
    left.subtract(dealt + front + back)
    if over := [kind for kind, copies in left.items() if copies < 0]:
        raise RecordError(f"more than {COPIES} of {tiles.names[over[0]]} in the record")
    if record.rules.seat_walls:
        return (*dealt, *_in_parts(record, seats, sorted(left.elements())))
    return (*dealt, *front, *sorted(left.elements()), *reversed(back))


def _in_parts(record: Record, seats: list[int], left: list[int]) -> Iterator[int]:
    """Yield the wall after the deal where every fourth place is a seat's own."""
    own = {
        seat: deque(
            event.kind
            for event in record.events
            if event.seat == seat and event.action is Action.DRAW
        )
        for seat in seats
    }
    rest = iter(left)
    for place in range(len(left) + sum(map(len, own.values()))):
        mine = own[seats[place % NUM_SEATS]]
        try:
            yield mine.popleft() if mine else next(rest)
        except StopIteration:
            raise RecordError("more tiles drawn by a seat than its part of the wall has") from None


def _drawn(record: Record) -> tuple[list[int], list[int]]:
    """Return the tiles drawn from the front, and the replacement tiles from the end."""
    front: list[int] = []
    back: list[int] = []
    kongs = (Action.KONG, Action.ADDED_KONG, Action.CLOSED_KONG)
    before = None
    for event in record.events:
        if event.action is Action.DRAW:
            (back if before in kongs else front).append(event.kind)
        before = event.action
    return front, back
