"""The hand of a day: the same for everyone, played alone."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

import numpy as np

from mjopt._internal.sanitize import short_repr
from mjopt.errors import GameError
from mjopt.hands.rules.classic_forms import RIICHI
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.tiles import FULL
from mjopt.play.game.practice import Practice, deal, practise
from mjopt.play.puzzles.record import PlayerRecord
from mjopt.play.solitaire.discard_rules import by_useful_tiles

DRAWS: Final = 18
FIRST: Final = date(2000, 1, 1)
LAST: Final = date(2146, 12, 31)  # beyond it the seeds have too many digits
_VARIANTS: Final = 100  # seeds of a day


@dataclass(frozen=True, slots=True)
class DailyHand:
    """The hand of a day."""

    day: date  # in UTC
    seed: int  # of its deal and of its wall, also on the practice page
    # How the expert plays it: fewest missing tiles, and of those with the most useful tiles.
    expert: Practice


def play_daily(seed: int, discards: Sequence[str]) -> Practice:
    """Play the hand of a seed alone, as far as the discards are given.

    GameError if a discard is not possible.

    Examples
    --------
    >>> practice = play_daily(2026112600, ())
    >>> practice.decisions[0].draws, practice.is_over
    (18, False)
    """
    kinds = []
    for name in discards:
        if name not in FULL.names:
            raise GameError(f"no tile {name[:9]!r}", expected="tiles such as 9m")
        kinds.append(FULL.names.index(name))
    hand = deal(FULL, rng=np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    return practise(
        hand, kinds, wall=hand.unseen, draws=DRAWS, forms=check_forms(RIICHI, hand.tiles), rng=rng
    )


def finished_hands(seed: int, played: Iterable[Sequence[str]]) -> list[Practice]:
    """Return the hands of a seed that were played to the end; impossible ones are left out."""
    hands = []
    for discards in played:
        with suppress(GameError):  # of a changed file
            hands.append(play_daily(seed, discards))
    return [hand for hand in hands if hand.is_over]


def read_day(text: str) -> date:
    """Read a date such as 2026-11-26; GameError if it is none, or has no hand."""
    with suppress(ValueError):
        if len(text) == len("2026-11-26"):
            return daily_hand(date.fromisoformat(text)).day
    raise GameError(argument="day", value=short_repr(text), expected="a date such as 2026-11-26")


def throw_tile(
    record: PlayerRecord, *, day: date, tile: str, number: str, today: date
) -> PlayerRecord:
    """Return a record after a throw of the hand of a day, which is today or has been begun.

    A throw with another number than that of the throws before was sent twice, and is ignored.
    GameError if the throw is not possible.
    """
    discards = record.discards(day)
    if day != today and not discards:
        raise GameError(f"the hand of {day} cannot be played today")
    if number != str(len(discards)):
        return record
    discards += (tile,)
    play_daily(daily_hand(day).seed, discards)
    return record.with_daily(day, discards)


@lru_cache(maxsize=64)
def daily_hand(day: date) -> DailyHand:
    """Return the hand of a day: the first of its seeds with which the expert wins.

    GameError if the day is out of range.

    Examples
    --------
    >>> hand = daily_hand(date(2026, 11, 26))
    >>> hand.seed, hand.expert.has_won, len(hand.expert.thrown)
    (2026112602, True, 12)
    """
    if not FIRST <= day <= LAST:
        raise GameError(f"no hand of {day}", expected=f"{FIRST} to {LAST}")
    first = int(f"{day:%Y%m%d}") * _VARIANTS
    for seed in range(first, first + _VARIANTS):
        if (expert := _expert_plays(seed)).has_won:
            break
    return DailyHand(day, seed, expert)


def _expert_plays(seed: int) -> Practice:
    discards: list[str] = []
    while not (practice := play_daily(seed, discards)).is_over:
        now = practice.decisions[-1]
        hands = np.array([now.hand.counts], np.uint8)
        [kind] = by_useful_tiles(hands, np.array([now.wall], np.uint8), now.draws, tiles=FULL)
        discards.append(FULL.names[kind])
    return practice
