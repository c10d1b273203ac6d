"""The hand of a day: the same for everyone, winnable, and with its own practice page."""

from datetime import date, timedelta

import pytest

from mjopt.errors import GameError
from mjopt.play.puzzles.daily import LAST, daily_hand, play_daily

DAYS = [date(2026, 11, 26) + timedelta(days=n) for n in range(5)]


def test_day_decides_the_hand():
    hands = [play_daily(daily_hand(day).seed, ()).decisions[0].hand for day in DAYS]

    assert len({hand.counts for hand in hands}) == len(DAYS)
    daily_hand.cache_clear()
    assert [play_daily(daily_hand(day).seed, ()).decisions[0].hand for day in DAYS] == hands


def test_expert_wins_every_hand():
    for day in DAYS:
        expert = daily_hand(day).expert
        assert expert.has_won
        played = [expert.decisions[0].hand.tiles.names[kind] for kind in expert.thrown]
        assert play_daily(daily_hand(day).seed, played) == expert


def test_seed_is_one_of_the_practice_page():
    assert daily_hand(LAST).seed < 2**31


@pytest.mark.parametrize("day", [date(1999, 12, 31), LAST + timedelta(days=1)])
def test_day_out_of_range_is_refused(day):
    with pytest.raises(GameError, match="expected 2000-01-01 to"):
        daily_hand(day)


@pytest.mark.parametrize("discards", [("9z",), ("1",), ("1m",) * 5])
def test_impossible_discards_are_refused(discards):
    with pytest.raises(GameError):
        play_daily(daily_hand(DAYS[0]).seed, discards)
