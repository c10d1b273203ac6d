"""Evaluated discards and calls as JSON-compatible dictionaries and as columns."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from mjopt.game_review.evaluate import Evaluation
from mjopt.game_review.events import RED_OF, TILE_NAMES
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import TileSet

MEANINGS: Final = {
    "row": "number of the row in this file",
    "game": "where the game was read: file and line",
    "wind": "prevailing wind, 0 for east",
    "round": "number of the round in that wind, from 1",
    "honba": "counters",
    "dealer": "seat that draws first",
    "turn": "which discard of the seat, from 1",
    "seat": "who throws",
    "called": "melds of the seat on the table",
    "declared": "the seat had declared itself ready and had no choice",
    "hand": "concealed copies of each kind before the discard",
    "red": "red fives of characters, dots, bamboos among them",
    "unseen": "copies of each kind that the seat cannot see",
    "discard": "tile thrown: 0..33 the kinds, 34..36 the red fives",
    "is_drawn": "it is the tile just drawn",
    "before": "least deficiency that any discard leaves",
    "deficiency": "deficiency after the discard",
    "copies": "unseen copies of useful tiles after it",
    "best": "kind to throw by deficiency, then copies; the lowest of equals",
    "best_copies": "unseen copies of useful tiles after that one",
    "rank": "one more than the kinds that are better",
    "moves_away": "the discard raised the deficiency; folding does so too",
    "left": "deficiency after each kind is thrown; 127 if none is held",
    "left_copies": "unseen copies of useful tiles after each kind is thrown",
    "draws": "expected draws after the discard; NaN if not asked",
    "best_draws": "least expected draws among discards that keep the least deficiency",
    "best_by_draws": "the kind that has it; -1 if not asked",
}
"""The columns of an evaluated discard and their meanings; see ``docs/review.md``."""

MEANT: Final = ("draws", "best_draws", "best_by_draws")
SAID: Final = tuple(MEANINGS)[8:10] + tuple(MEANINGS)[13:22]
"""Columns that documents also contain, from ``called`` to ``moves_away``."""


def documents(judged: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield each discard as a JSON-compatible dictionary."""
    discards = judged.discards
    names = ("game", "deal", "turn", "seat", "hand", "red", *SAID, *MEANT)
    rows = zip(*(getattr(discards, name).tolist() for name in names), strict=True)
    for number, deal, turn, seat, hand, red, *values, draws, best_draws, by_draws in rows:
        game = judged.games[number]
        where = {"game": number, "round": game.rounds[deal].name, "turn": turn, "seat": seat}
        row = dict(zip(SAID, values, strict=True))
        row |= {name: TILE_NAMES[row[name]] for name in ("discard", "best")}
        if by_draws >= 0:
            means = _number(draws), _number(best_draws), TILE_NAMES[by_draws]
            row |= zip(MEANT, means, strict=True)
        yield where | {"hand": _hand_text(hand, red, game.rules.tiles)} | row


def _number(value: Any) -> float | None:
    """Return expected draws, or None if the entire wall cannot complete the hand."""
    return float(value) if np.isfinite(value) else None


def _hand_text(hand: list[int], reds: list[int], tiles: TileSet) -> str:
    red = [0] * tiles.num_kinds
    for fives, number in zip(RED_OF, reds, strict=True):
        red[fives] = number
    return get_notation("mpsz").write(tuple(hand[: tiles.num_kinds]), tuple(red), tiles)


def call_documents(judged: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield each call, made or missed, as a JSON-compatible dictionary."""
    for call in judged.calls:
        deal = judged.games[call.game].rounds[call.deal]
        row = {
            "game": call.game,
            "round": deal.name,
            "turn": call.turn,
            "seat": call.seat,
            "call": call.called.action.value,
            "made": call.made,
            "tile": TILE_NAMES[call.called.tile],
            "from": call.seat if call.called.other < 0 else call.called.other,
            "held": " ".join(TILE_NAMES[tile] for tile in call.called.tiles),
            "without": call.without,
            "copies_without": call.useful_without,
            "with": call.with_it,
            "copies_with": call.useful_with,
        }
        if not np.isnan(call.draws_without):
            row["draws_without"] = _number(call.draws_without)
            row["draws_with"] = _number(call.draws_with)
        yield row


def columns(judged: Evaluation) -> dict[str, Any]:
    """Return the discards as columns, one array each; see ``MEANINGS``.

    ``hand``, ``unseen``, ``left`` and ``left_copies`` have one number per kind, ``red`` has one
    per suit. Tiles are numbers: ``0..33`` are the kinds, 34 to 36 the red fives.
    """
    discards = judged.discards
    deals = [
        (deal.wind, deal.number, deal.honba, deal.dealer)
        for game in judged.games
        for deal in game.rounds
    ]
    first = np.cumsum([0, *(len(game.rounds) for game in judged.games)])
    about = np.array(deals, np.int16).reshape(-1, 4)[first[discards.game] + discards.deal]
    _, _, *names = MEANINGS  # row and game are added on export
    rest = {name: getattr(discards, name) for name in names[4:]}
    return dict(zip(names[:4], about.T, strict=True)) | rest
