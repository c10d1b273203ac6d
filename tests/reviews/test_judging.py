"""Judgements of real discards against integer programs, single calls and the table itself."""

import random

import numpy as np
import pytest

import mjopt
from mjopt.errors import FileError, GameError
from mjopt.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
from mjopt.reviews.events import KIND_OF, RED, Did
from mjopt.reviews.judging import hand_after, judge, useful_after
from mjopt.reviews.reading import games_of
from mjopt.reviews.reviewing import review, review_games
from mjopt.reviews.round_table import replayed
from mjopt.reviews.summary import NAMES, Summary


@pytest.fixture(scope="module")
def found(logs):
    return review([logs / "tenhou-mjlog" / f"game-{number:02}.mjlog" for number in (1, 4, 11)])


def test_deficiencies_are_those_of_an_integer_program(found):
    discards = found.judged.discards
    for row in random.Random(200).sample(range(len(discards)), 200):
        after = hand_after(found.judged, row, KIND_OF[int(discards.tile[row])])
        by_program = mjopt.deficiency(after, forms="riichi", model="network")
        assert discards.after[row] == by_program, (row, after)


def test_the_best_is_the_best_of_single_calls(found):
    discards = found.judged.discards
    for row in random.Random(16).sample(range(len(discards)), 60):
        unseen = discards.unseen[row]
        worth = {}
        for kind in np.flatnonzero(discards.hand[row]).tolist():
            wait = mjopt.useful_tiles(hand_after(found.judged, row, kind), forms="riichi")
            worth[kind] = (wait.deficiency, -sum(int(unseen[k]) for k, _ in wait.copies))
        best = min(worth, key=lambda kind: (worth[kind], kind))
        thrown = worth[KIND_OF[int(discards.tile[row])]]
        assert (discards.best[row], discards.before[row]) == (best, worth[best][0])
        assert discards.best_useful[row] == -worth[best][1]
        assert (discards.after[row], -discards.useful[row]) == thrown
        assert discards.rank[row] == 1 + sum(value < thrown for value in worth.values())
        useful = useful_after(found.judged, row, best)
        assert sum(useful.values()) == discards.best_useful[row]


def test_what_a_seat_cannot_see_is_what_the_table_does_not_show(found):
    """Counted anew: own tiles, all melds and discards, indicators; nothing of other hands."""
    discards, game = found.judged.discards, found.judged.games[0]
    rows = {
        (int(discards.deal[row]), int(discards.event[row])): row
        for row in np.flatnonzero(discards.game == 0).tolist()
    }
    for deal, told in enumerate(game.rounds):
        seen = [0] * RED
        hands = [[KIND_OF[tile] for tile in hand] for hand in told.hands]
        seen[KIND_OF[told.dora]] += 1
        for place, event in enumerate(told.events):
            kind = KIND_OF[event.tile] if event.tile >= 0 else -1
            if event.did is Did.DISCARD:
                row = rows[deal, place]
                own = [hands[event.seat].count(k) for k in range(RED)]
                left = [4 - a - b for a, b in zip(own, seen, strict=True)]
                assert discards.hand[row].tolist() == own
                assert discards.unseen[row].tolist() == left
            if event.did is Did.DRAW:
                hands[event.seat].append(kind)
            elif event.did is Did.DORA:
                seen[kind] += 1
            elif event.did in (Did.DISCARD, Did.ADDED_KONG):
                hands[event.seat].remove(kind)
                seen[kind] += 1
            for tile in event.tiles:
                hands[event.seat].remove(KIND_OF[tile])
                seen[KIND_OF[tile]] += 1


def test_expected_draws_are_those_of_single_calls(logs):
    [path] = [logs / "tenhou-mjlog" / "game-15.mjlog"]
    found = review(path, draws=True, seat=2)
    discards = found.judged.discards
    assert set(discards.seat.tolist()) == {2}
    for row in range(0, len(discards), 9):
        after = hand_after(found.judged, row, KIND_OF[int(discards.tile[row])])
        exact = mjopt.expected_draws(after, wall=discards.unseen[row].tolist(), forms="riichi")
        assert discards.draws[row] == pytest.approx(float(exact.mean), rel=1e-9)
        keeping = np.flatnonzero(discards.left[row] == discards.before[row])
        assert discards.best_by_draws[row] in keeping
        if not discards.moves_away[row]:
            assert discards.best_draws[row] <= discards.draws[row] * (1 + 1e-12)


def test_calls_are_judged_with_and_without(found):
    calls = list(found.calls)
    assert len(calls) == len(found.judged.calls) > 30
    for told, call in zip(calls, found.judged.calls, strict=True):
        deal = found.judged.games[call.game].rounds[call.deal]
        for place, (table, event) in enumerate(replayed(deal, found.judged.games[0].ruling)):
            if place == call.event:
                before = table.away(event.seat)
            if place == call.event + 1 and event.did is Did.DISCARD:
                after = min(
                    judge_one(table, event.seat, kind)
                    for kind, held in enumerate(table.concealed(event.seat))
                    if held
                )
                assert told["with"] == after
                break
        assert told["without"] == before


def judge_one(table, seat, kind):
    table.kinds[seat][kind] -= 1
    value = table.away(seat)
    table.kinds[seat][kind] += 1
    return value


def test_sums_add_up_and_survive_json(logs, found):
    whole = found.summary
    parts = Summary()
    for number in (1, 4, 11):
        parts.join(review(logs / "tenhou-mjlog" / f"game-{number:02}.mjlog").summary)
    assert parts.to_document() == whole.to_document()
    assert Summary.from_document(whole.to_document()).to_document() == whole.to_document()
    discards = found.judged.discards
    free = discards.where(~discards.is_ready)
    total = whole.total
    assert total["discards"] == len(free)
    assert total["away"] == free.moves_away.sum()
    assert total["kept"] == (free.rank == 1).sum()
    assert set(total) == set(NAMES)
    for group in ("seat", "turn", "deficiency"):
        assert sum(sums[0] for sums in whole.by[group].values()) == len(free)


def test_games_of_different_forms_are_judged_by_their_own(logs):
    rules = M0_RULES
    state = start(rules, shuffle_wall(5, 3, rules.tiles))
    while not state.is_over:
        state = step(state, legal_moves(state)[0])
    [(_, ours)] = games_of(write_record(state, names=list("abcd"), seed=5, game=3).encode())
    [(_, real)] = games_of((logs / "tenhou-mjlog" / "game-15.mjlog").read_bytes())
    both, alone = judge([real, ours]), judge([ours])
    of_ours = both.discards.where(both.discards.game == 1)
    assert np.array_equal(of_ours.after, alone.discards.after)
    assert np.array_equal(of_ours.rank, alone.discards.rank)
    with pytest.raises(GameError, match="forms with honours"):
        review_games([("", 1, ours)], forms="riichi")


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        review(tmp_path / "none")
    (tmp_path / "a.txt").write_text("hello")
    with pytest.raises(FileError, match=r"a\.txt: no log of a game"):
        review(tmp_path / "a.txt")
    assert [one.why[:8] for one in review(tmp_path).refused] == ["no log o"]
