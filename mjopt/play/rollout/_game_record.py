"""Layout of the records that playouts read and change: a game, its seats, and its result."""

from typing import Final, NamedTuple

import numpy as np

# Numba counts references to an array with atomic operations wherever it is an argument, and passes
# it as several numbers. A record is passed as one pointer and never counted, so all that a game
# needs is one record (docs/results/rollout.md, "Speed"). A new field is one line below; kernels
# and Python read it by its name.

INT = np.int64
Number = np.int64 | int
Record = np.record  # an item of an array of the types below; its fields are attributes

SEATS: Final = 4
SUITS: Final = 3
RANKS: Final = 9
KINDS: Final = SUITS * RANKS
ALL_KINDS: Final = (1 << KINDS) - 1
SUIT: Final = (1 << RANKS) - 1
MOST_IN_WALL: Final = 4 * KINDS
MOST_MELDS: Final = 4
NONE: Final = -1

# Phases; a game starts with TURN, CALLED, CLAIM or ROB.
DRAW: Final = 0
REPLACE: Final = 1
TURN: Final = 2
CALLED: Final = 3
CLAIM: Final = 4
ROB: Final = 5
OVER: Final = 6

# Actions, in the order of `mjopt.play.rollout.playout.ACTIONS`. Of two calls, the one with the
# lower number takes the tile.
WIN: Final = 0
KONG: Final = 1
PONG: Final = 2
CHOW: Final = 3
PASS: Final = 4
DISCARD: Final = 5
READY: Final = 6
CLOSED_KONG: Final = 7
ADDED_KONG: Final = 8
DRAWN: Final = 9

# Endings, in the order of `mjopt.play.rollout.playout.ENDINGS`.
BY_DISCARD: Final = 0
BY_OWN_DRAW: Final = 1
BY_REPLACEMENT: Final = 2
BY_ROBBING: Final = 3
WALL_EMPTY: Final = 4

# Shapes of melds.
OF_CHOW: Final = 0
OF_PONG: Final = 1
OF_KONG: Final = 2


def _record_type(*fields: tuple[object, ...]) -> np.dtype[np.void]:
    return np.dtype((np.record, [*fields]))


# Bit k of the three masks is the binary number of copies of kind k, 0 to 4. One bit operation then
# counts, adds or compares the copies of all 27 kinds.
COPIES: Final = _record_type(("ones", INT), ("twos", INT), ("fours", INT))

SEAT: Final = _record_type(
    ("held", COPIES),  # concealed tiles
    # The same tiles, a number for each suit with two bits for each rank. Without a four of a
    # kind it is the state number that the look-up tables are indexed by.
    ("codes", INT, SUITS),
    ("num_melds", INT),
    ("has_declared", INT),  # whether it has declared ready
    ("deficiency", INT),  # of the hand without a drawn tile
    ("useful", INT),  # mask of the kinds that lower it
    ("meld_kinds", INT, MOST_MELDS),  # the lowest kind of each meld, in order of time
    ("meld_shapes", INT, MOST_MELDS),
)

GAME: Final = _record_type(
    ("seats", SEAT, SEATS),
    ("shown", COPIES),  # tiles in melds and rivers
    ("phase", INT),
    ("turn", INT),  # the seat whose turn it is, or whose tile is on offer
    ("tile", INT),  # on offer, or drawn
    ("live", INT),  # number of tiles that may still be drawn
    ("is_replacement", INT),  # whether the turn began with a replacement tile
    # Places in ``wall``: the next tile of each seat's part, or item 0 alone for a common wall.
    ("fronts", INT, SEATS),
    ("stride", INT),  # 1 for a common wall, 4 if each seat has a part of it
    ("back", INT),  # one more than the place of the last tile
    ("wall", INT, MOST_IN_WALL),  # kinds; at random deals all unseen tiles, hidden hands first
)

RESULT: Final = _record_type(
    ("scores", INT, SEATS),
    ("ending", INT),
    ("winner", INT),
    ("payer", INT),  # the seat whose tile was won; NONE if all pay, or for a draw
    ("kind", INT),  # of the winning tile
    ("worth", INT),
    ("num_events", INT),
)


class PlayoutRules(NamedTuple):
    """The fields of the rules of a game as numbers."""

    seven_pairs: int
    kongs: int
    robbing: int
    calls_on_last_discard: int
    ready: int
    normal: int
    all_pongs: int
    one_suit: int
    seven_pairs_worth: int
    ready_multiplier: int
    payments: int  # of the seat whose tile was won, in multiples of the score
