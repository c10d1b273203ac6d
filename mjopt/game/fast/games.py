"""Games of GMJBG's agents by the million."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mjopt.errors import GameError
from mjopt.game.moves import Action
from mjopt.game.readings import DEFAULT_READING, CallTest, ChowChoice, Reading, Ties
from mjopt.game.record import VERSION, dealt_hands, to_numbers
from mjopt.game.rules import GMJBG, NUM_SEATS, SEATS, Multipliers, RuleSet, write_rules
from mjopt.game.state import Ending
from mjopt.game.wall import WORDS, shuffle_wall
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from mjopt.tables.table_file import answers, lookups

LEVELS: Final = {"l1": 1, "l2": 2, "l3": 3}
"""The agents that the kernel plays, by name."""

ENDINGS: Final = (Ending.WALL_EMPTY, Ending.DISCARD, Ending.OWN_DRAW)
_LETTERS: Final = (Action.DRAW, Action.DISCARD, Action.CHOW, Action.PONG, Action.WIN)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameBatch:
    """Many finished games, N of them, as arrays.

    Parameters
    ----------
    rules
        The rules.
    levels
        Who played each seat.
    seed
        The seed of the walls.
    games, dealers
        The number of each wall and the seat that began, shape ``(N,)``.
    endings
        How each game ended: a place in ``ENDINGS``.
    winners
        A bit for each seat that won, shape ``(N,)``, ``0..15``.
    payers, kinds
        The seat that gave the winning tile, and the tile; else -1.
    turns
        The turn of the win: one more than the discards of the first winner; else 0.
    draws
        Tiles drawn.
    calls
        Melds called by seat, shape ``(N, 4)``.
    scores
        Points by seat, shape ``(N, 4)``; every row sums to 0.
    """

    rules: RuleSet
    levels: tuple[str, ...]
    seed: int
    games: NDArray[np.uint64]
    dealers: NDArray[np.uint8]
    endings: NDArray[np.uint8]
    winners: NDArray[np.uint8]
    payers: NDArray[np.int8]
    kinds: NDArray[np.int8]
    turns: NDArray[np.int16]
    draws: NDArray[np.int16]
    calls: NDArray[np.int16]
    scores: NDArray[np.int32]
    _events: NDArray[np.uint16]
    _num_events: NDArray[np.int16]

    def __len__(self) -> int:
        """Return how many games there are."""
        return self.games.size

    @property
    def has_won(self) -> NDArray[np.bool_]:
        """Whether each seat won, shape ``(N, 4)``."""
        bits = self.winners[:, None] >> np.arange(NUM_SEATS, dtype=np.uint8) & 1
        return bits.astype(np.bool_)

    @property
    def by_own_draw(self) -> NDArray[np.bool_]:
        """Whether the game was won with a tile that the winner drew, shape ``(N,)``."""
        return np.equal(self.endings, ENDINGS.index(Ending.OWN_DRAW))

    @property
    def is_drawn_game(self) -> NDArray[np.bool_]:
        """Whether nobody won, shape ``(N,)``."""
        return np.equal(self.winners, 0)

    def lines(self, names: Sequence[str] | None = None) -> Iterator[str]:
        """Yield the record of every game.

        Parameters
        ----------
        names
            What the players are called, if not by their levels.

        Raises
        ------
        GameError
            If the games were played without ``record=True``.
        """
        if len(self._events) != len(self):
            raise GameError("these games were not recorded: play them with record=True")
        tokens = [
            f"{seat}{letter.value}{to_numbers((kind,), self.rules.tiles)}"
            if kind < self.rules.tiles.num_kinds
            else ""
            for seat in SEATS
            for letter in _LETTERS
            for kind in range(64)
        ]
        rules_word, names_word = write_rules(self.rules), ",".join(names or self.levels)
        for i, game in enumerate(self.games.tolist()):
            dealer = int(self.dealers[i])
            wall = shuffle_wall(self.seed, game, self.rules.tiles)
            codes = self._events[i, : self._num_events[i]].astype(np.int64)
            seats, actions, kinds = codes >> 14, codes >> 8 & 63, codes & 63
            moves = ((seats * len(_LETTERS) + actions) * 64 + kinds).tolist()
            ending = ENDINGS[self.endings[i]].value.replace(" ", "-")
            yield (
                f"{VERSION} rules={rules_word} seed={self.seed} game={game} dealer={dealer} "
                f"names={names_word} hands={dealt_hands(wall, dealer, self.rules.tiles)} "
                f"moves={''.join(tokens[move] for move in moves)} "
                f"end={ending} scores={','.join(map(str, self.scores[i].tolist()))}"
            )


def play_games(
    levels: Sequence[str],
    *,
    seed: int,
    count: int,
    first: int = 0,
    dealer: ArrayLike = 0,
    rules: RuleSet = GMJBG,
    reading: Reading | Sequence[Reading] = DEFAULT_READING,
    record: bool = False,
) -> GameBatch:
    """Play games between GMJBG's agents, the same ones as the Python engine, move by move.

    Parameters
    ----------
    levels
        ``l1``, ``l2`` or ``l3`` for each seat.
    seed
        The seed of the walls, ``0..2**64 - 1``.
    count
        How many games.
    first
        The number of the first wall.
    dealer
        The seat that begins: one number, or one a game, shape ``(count,)``.
    rules
        The rules; every win must be worth the same, and nobody declares.
    reading
        How the agents' open choices are read: one for all, or one for each seat.
    record
        Keep the moves, 512 bytes a game, for :meth:`GameBatch.lines`.

    Raises
    ------
    GameError
        If a level is unknown, or the rules are more than the kernel plays.

    Notes
    -----
    The first call compiles the kernel, once after an installation. It runs without
    the GIL, on one thread: give parts of a large run to several workers.

    Examples
    --------
    >>> games = play_games(("l1", "l3", "l1", "l2"), seed=2017, count=100)
    >>> len(games), int(games.scores.sum()), bool(games.draws.max() <= 70)
    (100, 0, True)
    """
    _check(levels, rules, seed, first, count)
    readings = [reading] * NUM_SEATS if isinstance(reading, Reading) else list(reading)
    if len(readings) != NUM_SEATS:
        raise GameError(f"{len(readings)} readings, expected one, or one for each seat")
    if any(LEVELS[level] == 3 and one.kongs for level, one in zip(levels, readings, strict=True)):
        raise GameError("the kernel plays no kongs: mjopt.game.run_game does")
    from mjopt.game.fast import _games  # numba takes a while to load

    dealers = np.broadcast_to(np.asarray(dealer), (count,))
    if count and not (dealers.min() >= 0 and dealers.max() < NUM_SEATS):
        raise GameError("dealer: expected seats 0..3")
    empty: dict[str, Any] = {
        "endings": np.empty(count, np.uint8),
        "winners": np.empty(count, np.uint8),
        "payers": np.empty(count, np.int8),
        "kinds": np.empty(count, np.int8),
        "turns": np.empty(count, np.int16),
        "draws": np.empty(count, np.int16),
        "calls": np.empty((count, NUM_SEATS), np.int16),
        "_events": np.empty((count if record else 0, _games.MOST_EVENTS), np.uint16),
        "_num_events": np.empty(count if record else 0, np.int16),
    }
    batch = GameBatch(
        rules=rules,
        levels=tuple(levels),
        seed=seed,
        games=np.arange(count, dtype=np.uint64) + np.uint64(first),
        dealers=dealers.astype(np.uint8),
        scores=np.zeros((count, NUM_SEATS), np.int32),
        **empty,
    )
    _games.play_each(
        np.uint64(seed),
        batch.games,
        batch.dealers,
        np.array([LEVELS[level] for level in levels]),
        np.stack([reading_choices(one) for one in readings]),
        rule_settings(rules),
        rules.tiles.num_tiles,
        _tables(),
        *empty.values(),
    )
    _score(batch)
    return batch


def reading_choices(reading: Reading) -> NDArray[np.int64]:
    """Return the choices in the order in which ``_weights`` reads them.

    Examples
    --------
    >>> reading_choices(DEFAULT_READING).tolist()
    [1, 0, 0, 4, 0, 0, 0, 0, 0, 6]
    """
    return np.array(
        [
            reading.most_locked,
            reading.locked_support,
            reading.locked_choosable,
            reading.four_alike,
            reading.ties is Ties.LAST,
            reading.chow_test is CallTest.TILE_IN,
            reading.pong_test is CallTest.TILE_IN,
            reading.chow_choice is ChowChoice.LEAST_TOTAL,
            reading.called_weight,
            reading.orphan_total,
        ],
        np.int64,
    )


def rule_settings(rules: RuleSet) -> NDArray[np.int64]:
    """Return what the kernel of whole games asks of the rules, in the order of ``_games``.

    Examples
    --------
    >>> rule_settings(GMJBG).tolist()
    [122, 0, 0, 1]
    """
    return np.array(
        [
            rules.tiles.num_tiles - rules.dead_wall,
            rules.all_winners,
            rules.calls_on_last_discard,
            THIRTEEN_ORPHANS in rules.forms,
        ],
        np.int64,
    )


@cache
def _tables() -> tuple[NDArray[Any], ...]:
    tables = lookups()
    answer = np.concatenate([answers(34, called).ravel() for called in range(5)])
    answer.setflags(write=False)  # as it is everywhere: nothing is compiled for both
    return (tables.classes, tables.pair, tables.mixed, answer, tables.steps, tables.starts)


def _check(levels: Sequence[str], rules: RuleSet, seed: int, first: int, count: int) -> None:
    if len(levels) != NUM_SEATS:
        raise GameError(f"{len(levels)} levels, expected one for each of {NUM_SEATS} seats")
    for level in levels:
        if level not in LEVELS:
            raise GameError(f"level {level!r}, expected one of {', '.join(LEVELS)}")
    if rules.ready or rules.multipliers != Multipliers():
        raise GameError(f"rules {rules.name}: the kernel plays neither declarations nor patterns")
    if rules.seat_walls:
        raise GameError(f"rules {rules.name}: the kernel draws from one wall (seat_walls=0)")
    if STANDARD not in rules.forms or SEVEN_PAIRS in rules.forms:
        raise GameError(f"rules {rules.name}: the kernel plays no forms {', '.join(rules.forms)}")
    if rules.tiles.num_kinds not in (27, 34):
        raise GameError(f"rules {rules.name}: the kernel plays with 27 or 34 kinds")
    if not (0 <= seed < WORDS and first >= 0 and count >= 0 and first + count <= WORDS):
        raise GameError("seed and game numbers: expected 0..2**64 - 1")


def _score(batch: GameBatch) -> None:
    """Fill in the points: each winner is worth one basic score."""
    value, won = batch.rules.basic_score, batch.has_won
    own = batch.by_own_draw
    batch.scores[own] = np.where(won[own], 3 * value, -value)
    taken = np.flatnonzero(batch.payers >= 0)
    paid = value * (3 if batch.rules.discarder_pays_all else 1)
    batch.scores[taken] = won[taken] * paid
    batch.scores[taken, batch.payers[taken]] = -paid * won[taken].sum(axis=1)
