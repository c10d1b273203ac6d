"""The JSON protocol of agents: observations as messages, and answers as moves.

The keys are from appendix D of the 2023 study: messages have Pong, Chi, Kong, Seat, History
and Hand; answers have Code, Err_msg, Action_content and Action_type. ``Legal``, ``Tile`` and
``Rules`` are additions of this package, which a player may ignore.
"""

from collections.abc import Mapping
from typing import Final

from mjopt._internal.sanitize import shorten
from mjopt.errors import GameError
from mjopt.hands.blocks import Shape
from mjopt.hands.tiles import FULL, TileSet
from mjopt.play.game.events import Meld
from mjopt.play.game.moves import NO_KIND, PASS, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.play import MAX_MESSAGE

OK: Final = 100
"""The code of an answer without an error."""

WORDS: Final[dict[Action, str]] = {
    Action.WIN: "Hu",
    Action.DISCARD: "Discard",
    Action.READY: "Ready",
    Action.CHOW: "Chi",
    Action.PONG: "Pong",
    Action.KONG: "Kong",
    Action.ADDED_KONG: "AddKong",
    Action.CLOSED_KONG: "CloseKong",
    Action.PASS: "Pass",
    Action.DRAW: "Draw",
    Action.FAULT: "Fault",
    Action.DRAWN_GAME: "NineKinds",  # only in riichi
}
_EAST: Final = FULL.names.index("1z")
_SHAPES: Final = {"Pong": Shape.PONG, "Chi": Shape.CHOW, "Kong": Shape.KONG}
_COPIES: Final = {Action.PONG: 3, Action.KONG: 4, Action.ADDED_KONG: 4, Action.CLOSED_KONG: 4}


def clean(text: str) -> str:
    """Return output of a program as one printable line, shortened if long."""
    return shorten(text, MAX_MESSAGE)


def message_of(view: View, moves: tuple[Move, ...]) -> dict[str, str | list[str]]:
    """Return the message for the seat to move.

    ``Pong``, ``Chi``, ``Kong``: the seat's own melds of that shape, separated by commas; ``Seat``;
    ``History``: every public event as ``seat,word,tiles``; ``Hand``: the concealed tiles, including
    a drawn one. Additions of this package: ``Tile``: the tile drawn or on offer; ``Legal``: the
    moves as ``word,tiles``; ``Rules``. In riichi also ``Wind``, ``Honba``, ``Sticks``,
    ``Indicators``, ``Reds`` and ``Points``.

    Examples
    --------
    >>> from mjopt.play.game import GMJBG, legal_moves, shuffle_wall, start, view_of
    >>> state = start(GMJBG, shuffle_wall(1, 0, GMJBG.tiles))
    >>> message = message_of(view_of(state, 0), legal_moves(state))
    >>> message["Seat"], message["History"], message["Hand"][-1]
    ('0', ['0,Draw,'], 'Z')
    """
    tiles = view.tiles
    on_offer = view.tile if view.tile != NO_KIND else view.drawn
    return {
        **{name: _melds(view.melds, shape, tiles) for name, shape in _SHAPES.items()},
        "Seat": str(view.seat),
        "History": [
            f"{event.seat},{WORDS[event.action]},{_tiles_of(Move(event.action, event.kind), tiles)}"
            for event in view.table.events
        ],
        "Hand": view.as_hand().to_text().upper(),
        "Tile": "" if on_offer == NO_KIND else tiles.names[on_offer].upper(),
        "Legal": [move_text(move, tiles) for move in moves],
        "Rules": view.rules.name,
        **(_riichi(view) if view.points else {}),
    }


def _riichi(view: View) -> dict[str, str | list[str]]:
    """Return what only riichi has."""
    names = [name.upper() for name in view.tiles.names]
    return {
        "Wind": names[_EAST + view.wind],
        "Honba": str(view.honba),
        "Sticks": str(view.sticks),
        "Indicators": [names[kind] for kind in view.indicators],
        "Reds": [f"5{suit}" for suit, held in zip("MPS", view.reds, strict=True) if held],
        "Points": [str(points) for points in view.points],
    }


def _melds(melds: tuple[Meld, ...], shape: Shape, tiles: TileSet) -> str:
    return ",".join(m.block.text(tiles).upper() for m in melds if m.block.shape is shape)


def _tiles_of(move: Move, tiles: TileSet) -> str:
    if move.kind == NO_KIND:
        return ""
    letter, rank = tiles.letter(move.kind).upper(), tiles.rank(move.kind)
    if move.action is Action.CHOW:
        return f"{rank}{rank + 1}{rank + 2}{letter}"
    return f"{rank}" * _COPIES.get(move.action, 1) + letter


def move_text(move: Move, tiles: TileSet) -> str:
    """Write a move as ``word,tiles``.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> move_text(Move(Action.CHOW, 19), M0), move_text(PASS, M0)
    ('Chi,234S', 'Pass,')
    """
    return f"{WORDS[move.action]},{_tiles_of(move, tiles)}"


def read_answer(answer: object, moves: tuple[Move, ...], tiles: TileSet) -> Move:
    """Parse the answer of an agent to a move, possibly an illegal one: the game checks it.

    The answer is a JSON object: ``Action_type`` and ``Action_content`` (none for a pass),
    optionally ``Code`` and ``Err_msg``. ``Kong`` may denote any possible kong, and the tile of a
    win may be omitted; the legal moves resolve these short forms. An invalid answer is a GameError.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> answer = {"Code": 100, "Err_msg": "", "Action_content": "5M", "Action_type": "Discard"}
    >>> read_answer(answer, (), M0)
    Move(action=<Action.DISCARD: 'D'>, kind=4)
    """
    if not isinstance(answer, Mapping):
        raise GameError(argument="answer", value=clean(repr(answer)), expected="a JSON object")
    code, text = answer.get("Code", OK), answer.get("Err_msg", "")
    if code != OK or text:
        raise GameError(f"the player reports code {clean(str(code))}: {clean(str(text))}")
    word, content = answer.get("Action_type"), answer.get("Action_content", "")
    if word == WORDS[Action.PASS]:
        return PASS
    requested = f"{word},{content}".upper()
    for move in moves:
        accepted = {move_text(move, tiles).upper()}
        if move.action is Action.WIN:
            accepted.add(f"{WORDS[Action.WIN]},".upper())
        if move.action in (Action.ADDED_KONG, Action.CLOSED_KONG):
            accepted.add(f"{WORDS[Action.KONG]},{_tiles_of(move, tiles)}".upper())
        if requested in accepted:
            return move
    return _other_move(word, content, tiles)


def _other_move(word: object, content: object, tiles: TileSet) -> Move:
    """Parse a move that is not legal in this situation."""
    by_word = {name.upper(): action for action, name in WORDS.items()}
    action = by_word.get(str(word).upper())
    if action is None:
        raise GameError(f"Action_type {clean(repr(word))}", expected=tuple(WORDS.values()))
    name = f"{str(content)[:1]}{str(content)[-1:].lower()}"
    if name not in tiles.names:
        raise GameError(f"Action_content {clean(repr(content))}", expected="tiles such as 5M")
    return Move(action, tiles.names.index(name))
