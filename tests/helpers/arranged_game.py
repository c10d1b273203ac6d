"""Games with a prearranged wall, to set up the position that a rule needs."""

from collections import Counter
from typing import Final

from mjopt.hands.notation import get_notation
from mjopt.play.game import Action, GameRules, Move, Phase, State, legal_moves, start, step

JUNK: Final = "147m258p369s1234z"
"""Thirteen tiles that call nothing but a chow, and are far from a win."""

NO_5P: Final = "147m369p258s1234z"
"""The same without a 5p."""


def kinds_of(text: str, rules: GameRules) -> list[int]:
    """Parse tile names such as ``1m 5p 7z``, in order."""
    return [rules.tiles.names.index(name) for name in text.split()]


def arranged(
    rules: GameRules,
    hands: list[str],
    *,
    draws: str = "",
    replacements: str = "",
    dealer: int = 0,
) -> State:
    """Start a game with these hands by seat, next draws, and tiles at the wall's end.

    A hand of fewer than thirteen tiles is completed with spare tiles.
    """
    num_kinds = rules.tiles.num_kinds
    left = Counter(dict.fromkeys(range(num_kinds), 4))
    held = []
    for text in hands:
        counts, _ = get_notation("mpsz").parse(text, rules.tiles)
        held.append([kind for kind, copies in enumerate(counts) for _ in range(copies)])
    front, back = kinds_of(draws, rules), kinds_of(replacements, rules)
    for kinds in (*held, front, back):
        left.subtract(kinds)
    over = [rules.tiles.names[kind] for kind, copies in left.items() if copies < 0]
    assert not over, f"more than four of {over}"
    # Spread out, so that the spare tiles form no melds.
    spare = sorted(left.elements(), key=lambda kind: (kind * 5 % num_kinds, kind))
    for hand in held:
        while len(hand) < 13:
            hand.append(spare.pop())
    seats = [held[(dealer + i) % 4] for i in range(4)]
    wall = [kind for hand in seats for kind in hand] + front + spare + back[::-1]
    return start(rules, tuple(wall), dealer=dealer)


def move_of(state: State, word: str) -> Move:
    """Parse a move such as ``D5p``, ``P5p``, ``H5p`` or ``N``."""
    kind = state.table.rules.tiles.names.index(word[1:]) if word[1:] else -1
    return Move(Action(word[0]), kind)


def act(state: State, text: str) -> State:
    """Play a sequence of moves."""
    for word in text.split():
        state = step(state, move_of(state, word))
    return state


def may(state: State, word: str) -> bool:
    """Return whether a move is legal for the seat to act."""
    return move_of(state, word) in legal_moves(state)


def throw_one(state: State) -> State:
    """Let the seat to act discard its draw, or pass."""
    move = Move(Action.DISCARD, state.drawn)
    return step(state, move if move in legal_moves(state) else legal_moves(state)[-1])


def until_turn(state: State, seat: int) -> State:
    """Let all seats discard their draws, until a seat has drawn."""
    while state.table.turn != seat or state.table.phase is not Phase.TURN:
        state = throw_one(state)
    return state


def all_pass(state: State) -> State:
    """Let all seats pass on the discarded tile."""
    while state.table.phase in (Phase.CLAIM, Phase.ROB):
        state = act(state, "N")
    return state


def to_the_end(state: State) -> State:
    """Let all seats discard their draws until the game is over."""
    while not state.is_over:
        state = throw_one(state)
    return state


def at_last_draw(rules: GameRules, hands: list[str], last: str) -> State:
    """Play until this tile has been drawn as the last tile of the wall."""
    wall = list(arranged(rules, hands).wall)
    place = len(wall) - rules.dead_wall - 1
    found = wall.index(rules.tiles.names.index(last), 53)
    wall[place], wall[found] = wall[found], wall[place]
    state = start(rules, tuple(wall))
    while state.table.live or state.table.phase is not Phase.TURN:
        state = throw_one(state)
    return state
