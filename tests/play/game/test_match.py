"""Matches: dealers, end, standings and invalid hands."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from mjopt.errors import FileError, GameError, MjoptError
from mjopt.play.game import (
    GAME_RULES,
    GMJBG,
    JJ,
    M0_RULES,
    Course,
    Match,
    NextDealer,
    read_record,
    replay,
    run_hand,
)
from mjopt.play.game.agents import read_agent
from mjopt.play.game.record import write_rules

NAMES = ("a", "b", "c", "d")
HANDS = ",".join(["01" * 13] * 4)
SAME, NEXT = NextDealer.SAME, NextDealer.NEXT

ENDS = {"dealer": "own-draw", "other": "own-draw", "both": "discard", "drawn": "wall-empty"}
"""The ending of each kind of hand; ``broken`` is a fault."""


def line(how, dealer, number, *, scores="1,1,1,-3", names=NAMES, seed=5, rules=M0_RULES):
    """Return a record with the fields that a match uses."""
    winners = {"dealer": [dealer], "other": [(dealer + 3) % 4], "both": [dealer ^ 1, dealer]}
    moves = "".join(f"{seat}H01" for seat in winners.get(how, []))
    if how == "broken":
        moves = f"{dealer}F00"
    words = f"rules={write_rules(rules)} seed={seed} game={number} dealer={dealer}"
    end = ENDS.get(how, "fault")
    told = f"names={','.join(names)} hands={HANDS} moves={moves} end={end} scores={scores}"
    return f"game1 {words} {told}"


def course_of(hows, course, first):
    """Return the expected dealers, and whether the match ends with the last hand."""
    chosen = {
        "dealer": course.dealer_won,
        "both": course.dealer_won,
        "other": course.other_won,
        "drawn": course.drawn,
        "broken": course.broken,
    }
    moved, dealers = 0, []
    for how in hows:
        dealers.append((first + moved) % 4)
        moved += chosen[how] is NEXT
        if moved == 4:
            return dealers, True
    return dealers, False


def test_every_course_of_five_hands():
    def extend(match, played):
        dealers, is_over = course_of(played, Course(), 2)
        assert list(match.dealers[: len(dealers)]) == dealers
        assert (match.is_over, len(match.dealers)) == (is_over, len(dealers) + (not is_over))
        assert match.standing == tuple(len(played) * points for points in (1, 1, 1, -3))
        ended[is_over] += 1
        if not is_over and len(played) < 5:
            for how in ("dealer", "other", "drawn"):  # the others: in the next test
                extend(match.with_hand(line(how, match.dealer, len(played))), (*played, how))

    ended = {False: 0, True: 0}
    extend(Match(rules=M0_RULES, names=NAMES, seed=5, first_dealer=2), ())
    # The deal moved four times, or four times with one hand won by the dealer.
    assert ended[True] == 2**4 + 4 * 2**4


def test_each_choice_of_the_next_dealer():
    for choices in product((SAME, NEXT), repeat=4):
        dealer_won, other_won, drawn, broken = choices
        course = Course(dealer_won=dealer_won, other_won=other_won, drawn=drawn, broken=broken)
        for how in (*ENDS, "broken"):
            match = Match(rules=M0_RULES, names=NAMES, seed=5, course=course)
            match = match.with_hand(line(how, 0, 0))
            assert match.dealers == (0, *course_of((how, how), course, 0)[0][1:])


def test_winning_last_dealer_deals_again():
    match = Match(rules=M0_RULES, names=NAMES, seed=5, first_dealer=1)
    for number, how in enumerate(["drawn", "other", "drawn", "dealer", "both", "other"]):
        assert not match.is_over
        match = match.with_hand(line(how, match.dealer, number))
    assert (match.dealers, match.is_over) == ((1, 2, 3, 0, 0, 0), True)
    assert match.won == (2, 2, 0, 1)
    with pytest.raises(FileError, match="hand 7: the match was over before it"):
        match.with_hand(line("drawn", 1, 6))


def test_match_ends_after_most_hands():
    match = Match(rules=M0_RULES, names=NAMES, seed=5, course=Course(most_hands=2))
    match = match.with_hand(line("dealer", 0, 0))
    assert not match.is_over
    assert match.with_hand(line("dealer", 0, 1)).is_over
    with pytest.raises(GameError, match="a match of 0 hands"):
        Course(most_hands=0)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"dealer": 1}, "hand 2: dealer 1, expected 0"),
        ({"number": 2}, r"hand 2: wall \(5, 2\), expected \(5, 1\)"),
        ({"seed": 6}, r"hand 2: wall \(6, 1\), expected \(5, 1\)"),
        ({"names": ("a", "b", "c", "x")}, "hand 2: names"),
        ({"rules": JJ}, "hand 2: rules"),
        ({"scores": "1,1,1,1"}, "hand 2: sum of scores 4, expected 0"),
    ],
)
def test_a_hand_of_another_match_is_refused(change, expected):
    match = Match(rules=M0_RULES, names=NAMES, seed=5).with_hand(line("dealer", 0, 0))
    told = {"how": "dealer", "dealer": 0, "number": 1} | change
    with pytest.raises(FileError, match=expected):
        match.with_hand(line(**told))


def test_match_without_seed_takes_hands_of_any_seed():
    match = Match(rules=M0_RULES, names=NAMES)
    for number, seed in enumerate([7, 123, "-"]):
        match = match.with_hand(line("dealer", 0, number, seed=seed))
    assert match.next_game == 3
    with pytest.raises(GameError, match="no seed"):
        run_hand(match, [])


def test_match_needs_four_names_and_a_seat_as_dealer():
    with pytest.raises(GameError, match="3 names"):
        Match(rules=M0_RULES, names=NAMES[:3])
    with pytest.raises(GameError, match="dealer 4"):
        Match(rules=M0_RULES, names=NAMES, first_dealer=4)


WRONG = (-1, 1.5, "x", b"x", ("a",), (None,) * 4, np.arange(4), object(), 2**64)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("rules", (None, (), "m0")),
        ("names", (None, (), {})),
        ("seed", ((), {})),
        ("game", (None, ())),
        ("first_dealer", (None, (), True)),
        ("course", (None, ())),
        ("lines", (None, ("",))),
    ],
)
def test_each_argument_of_a_match_is_validated(name, more):
    for wrong in (*WRONG, *more):
        with pytest.raises((MjoptError, TypeError)) as error:
            Match(**{"rules": M0_RULES, "names": NAMES, "seed": 5, name: wrong})
        assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["dealer_won", "other_won", "drawn", "broken", "most_hands"])
def test_each_argument_of_a_course_is_validated(name):
    for wrong in (-1, 1.5, "next", (), np.arange(4), object()):
        with pytest.raises((GameError, TypeError)):
            Course(**{name: wrong})


def test_match_of_lists_equals_one_of_tuples():
    first = line("dealer", 0, 0)
    match = Match(rules=M0_RULES, names=list(NAMES), seed=5, lines=[first])
    assert match == Match(rules=M0_RULES, names=NAMES, seed=5, lines=(first,))
    assert match.with_hand(line("dealer", 0, 1)).next_game == 2


@pytest.mark.parametrize("rules", GAME_RULES.values(), ids=GAME_RULES)
def test_match_of_agents_ends_with_consistent_sums(rules):
    agents = [read_agent(text) for text in ("l3", "l1", "deficiency", "l2")]
    match = Match(rules=rules, names=tuple(a.name for a in agents), seed=17, first_dealer=3)
    while not match.is_over:
        match = match.with_hand(run_hand(match, agents).line)
    told = [read_record(text) for text in match.lines]
    assert {record.dealer for record in told} == {0, 1, 2, 3}
    assert [record.game for record in told] == list(range(len(told)))
    assert [record.dealer for record in told] == list(match.dealers)
    states = [replay(record) for record in told]
    sums = tuple(map(sum, zip(*(state.outcome.scores for state in states), strict=True)))
    assert match.standing == sums
    assert sum(sums) == 0
    winners = [seat for state in states for seat in state.outcome.winners]
    assert match.won == tuple(winners.count(seat) for seat in range(4))
    with pytest.raises(GameError, match="the match is over"):
        run_hand(match, agents)


def test_forfeited_hand_counts_and_moves_the_deal():
    class Cheating:
        name = "cheating"

        def choose(self, view, moves, *, rng):
            return None

    agents = [Cheating(), *map(read_agent, ("l1", "l2", "l3"))]
    match = Match(rules=GMJBG, names=("cheating", "l1", "l2", "l3"), seed=2)
    match = match.with_hand(run_hand(match, agents).line)
    assert (match.dealers, match.standing) == ((0, 1), (-3, 1, 1, 1))
    stays = replace(match, course=Course(broken=SAME))
    assert stays.dealers == (0, 0)
