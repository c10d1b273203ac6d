"""The ceiling agent: maximise a bound on the chance to win, read from tables of all hands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import sha256_of
from mjopt._internal.registry import Parameter
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.chances.ceiling.table import BUILD_HINT, CeilingTable, TableKey, data_folder, find_table
from mjopt.errors import GameError
from mjopt.hands.tiles import COPIES
from mjopt.play.game.agents.greedy import (
    CallPolicy,
    PolicyOptions,
    Rating,
    RatingAgent,
    check_option_names,
    check_words,
    take_policy,
)
from mjopt.play.game.agents.horizon import calls_without_setback, draws_to_come
from mjopt.play.game.moves import Move, with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.rules import GAME_RULES, NUM_SEATS, RIICHI_GAME, GameRules
from mjopt.tables.labels.batch import label
from mjopt.tables.useful import judge_discards, judge_waits

Counts = tuple[int, ...]
Rows = NDArray[np.uint8]

LOOKAHEADS: Final[dict[str, str]] = {
    "none": "the value in the table, which knows the hand alone",
    "draw": "one draw from the unseen tiles, then the table",
    "stay": "draws from the unseen tiles until the hand changes, then the table",
}
CALLED: Final = range(5)
ROUNDED: Final = 6
"""Decimals of a value in units of 1/65535, so that rounding errors do not hide ties."""


class CeilingOptions(PolicyOptions, total=False):
    """The options of the agent, as in its spec."""

    lookahead: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CeilingAgent(RatingAgent):
    """Maximise a bound on the chance to win within the remaining draws, from ceiling tables.

    The tables bound the chance to win of every hand alone, for all ways to play, if nothing but the
    hand is known; see docs/reference/ceiling.md. The lookahead adds what the seat sees: the wall is
    the set of all tiles that it cannot see. The number of draws assumes that all seats draw in turn
    from now on. Wins and calls on discards, by this seat and by the others, are ignored, and so are
    winning forms other than the standard one, which the agent only takes when they are complete.
    Ties are resolved as in ``deficiency``: deficiency, useful tiles, then the rule ``outer``.

    Parameters
    ----------
    policy
        When the agent calls, makes kongs and declares ready; ``wider`` is the same as ``falls``.
    lookahead
        The use of the unseen tiles, one of :data:`LOOKAHEADS`.

    Notes
    -----
    The tables with all layers must be in the user's data folder, also those of hands with called
    melds: ``mjopt ceiling build --all-layers --called N``. The greatest layer of a table also
    serves for more draws.

    Examples
    --------
    >>> CeilingAgent.from_options({"lookahead": "none", "calls": "never"}).name
    'ceiling-none-never'
    """

    lookahead: str = "stay"

    def __post_init__(self) -> None:
        """Reject an unknown lookahead."""
        check_words(self, lookahead=LOOKAHEADS)

    @classmethod
    def from_options(cls, options: CeilingOptions) -> "CeilingAgent":
        """Read ``lookahead=``, ``calls=``, ``kongs=`` and ``ready=``."""
        check_option_names("ceiling", options, cls.list_options())
        lookahead = options.pop("lookahead", cls().lookahead)
        return cls(policy=take_policy(options), lookahead=lookahead)

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the options of ``from_options``."""
        return [
            Parameter("lookahead", cls().lookahead, tuple(LOOKAHEADS)),
            *CallPolicy.list_options(),
        ]

    @property
    def name(self) -> str:
        """``ceiling`` and the options that are not default."""
        words = [self.lookahead] * (self.lookahead != type(self)().lookahead)
        return "-".join(["ceiling", *words, *self.policy.words()])

    def check_rules(self, rules: GameRules) -> None:
        """Check that the tables for the rules are there.

        Raises
        ------
        GameError
            If a table is missing; the message says how to build it. No table knows yaku.
        """
        if rules == RIICHI_GAME:
            raise GameError(
                f"{self.name}: rules {rules.name}",
                expected=f"{', '.join(GAME_RULES)}, without yaku",
            )
        missing = [called for called in CALLED if not _find(rules, called)]
        if missing:
            raise _missing_tables(rules, missing, self.name)

    @property
    def weights_digest(self) -> str:
        """SHA-256 of the tables in the data folder; stored battles note it."""
        found = [_find(rules, called) for rules in GAME_RULES.values() for called in CALLED]
        return sha256_of(repr([table and table.digests for table in found]).encode())

    def rate_discards(
        self, view: View, hand: Counts, called: int, kinds: Sequence[int], rng: np.random.Generator
    ) -> Mapping[int, Rating]:
        """Rate by the chance to win, then by deficiency and useful tiles."""
        missing, useful = judge_discards(hand, view.unseen, called=called, forms=view.rules.forms)
        after = np.array([with_copies(hand, kind, -1) for kind in kinds], np.uint8)
        chances = self._chances(view, after, called, is_passing=False, is_full=True)
        return {
            kind: (-chance, int(missing[kind]), -int(useful[kind]))
            for kind, chance in zip(kinds, chances, strict=True)
        }

    def rate_waiting(
        self, view: View, hand: Counts, called: int, rng: np.random.Generator
    ) -> Rating:
        """Rate a waiting hand by the same criteria."""
        missing, useful = judge_waits(hand, view.unseen, called=called, forms=view.rules.forms)
        is_passing = hand == view.hand
        [chance] = self._chances(
            view, np.array([hand], np.uint8), called, is_passing=is_passing, is_full=False
        )
        return (-chance, int(missing), -int(useful))

    def _claim(self, view: View, moves: tuple[Move, ...], rng: np.random.Generator) -> Move:
        """Consider only calls that do not increase the deficiency."""
        return RatingAgent._claim(self, view, calls_without_setback(view, moves), rng)

    def _chances(
        self, view: View, hands: Rows, called: int, *, is_passing: bool, is_full: bool
    ) -> list[float]:
        """Return the value of each waiting hand."""
        table = _open(data_folder(), view.rules, called)
        draws = draws_to_come(view, is_passing=is_passing, is_full=is_full)
        wall = np.array(view.unseen, np.uint8)
        found: list[float] = (
            _values(table, hands, wall, draws, self.lookahead).round(ROUNDED).tolist()
        )
        return found


def _find(rules: GameRules, called: int) -> CeilingTable | None:
    """Return the table for hands with called melds under some rules, or None."""
    draws = min(-(-rules.draws // NUM_SEATS), TableKey().draws)
    return find_table(rules.tiles, called=called, draws=draws, all_layers=True)


@lru_cache(maxsize=32)
def _open(_folder: Path, rules: GameRules, called: int) -> CeilingTable:
    """Return the same and keep it open; GameError without a table."""
    table = _find(rules, called)
    if table is None:
        raise _missing_tables(rules, [called])
    return table


def _missing_tables(rules: GameRules, called: Sequence[int], name: str = "") -> GameError:
    key = TableKey(tiles=rules.tiles.key, called=called[0], all_layers=True)
    return GameError(
        f"the rules {rules.name} need ceiling tables for hands with "
        f"{', '.join(map(str, called))} called melds ({key.describe()})",
        argument=name,
        hint=BUILD_HINT,
    )


def _values(
    table: CeilingTable, hands: Rows, wall: Rows, draws: int, lookahead: str
) -> NDArray[np.float64]:
    """Return the value of waiting hands of one seat, in units of the table.

    With a lookahead, the chance V_m of a hand with m draws to come is V_{m-1} plus the mean over
    the unseen tiles x of max(0, w_{m-1}(x) - V_{m-1}). Here w is 1 if x completes the hand, else
    the value in the table of the best hand after drawing x and discarding.
    """
    if draws < 1:
        return np.zeros(len(hands))
    most = table.key.draws
    if lookahead == "none":
        return table.layer(min(draws, most))[table.layout.numbers(hands)].astype(np.float64)
    which, drawn = np.nonzero((wall > 0) & (hands < COPIES))
    full = hands[which]
    full[np.arange(len(full)), drawn] += 1
    is_complete = label(hands, called=table.key.called)[which] == 1
    is_complete[is_complete] = label(full[is_complete], called=table.key.called) == 0
    row, discarded = np.nonzero(full)
    is_other = discarded != drawn[row]  # to discard the drawn tile is to keep the hand
    row, discarded = row[is_other], discarded[is_other]
    after = full[row]
    after[np.arange(len(after)), discarded] -= 1
    # Most hands are found twice: by two discards in either order.
    numbers, places = np.unique(table.layout.numbers(after), return_inverse=True)
    starts = np.flatnonzero(np.diff(row, prepend=-1))
    may_change = row[starts]
    shares = wall[drawn] / wall.sum()
    first = 1 if lookahead == "stay" else draws
    values = np.zeros(len(hands))
    if first > 1:
        values[:] = table.layer(min(first - 1, most))[table.layout.numbers(hands)]
    for left in range(first - 1, draws):  # draws after this one
        best = np.zeros(len(full))
        if left:
            best[may_change] = np.maximum.reduceat(
                table.layer(min(left, most))[numbers][places], starts
            )
        best[is_complete] = STORED_ONE
        gains = shares * np.maximum(best - values[which], 0)
        values += np.bincount(which, gains, len(hands))
    return values
