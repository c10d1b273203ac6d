"""Judgements of real discards against integer programs, single calls and the table itself."""

import random

import numpy as np
import pytest

import mjopt
from mjopt.errors import FileError, GameError
from mjopt.game import (
    GMJBG,
    JJ,
    M0_RULES,
    legal_moves,
    read_record,
    replay_steps,
    shuffle_wall,
    start,
    step,
    write_record,
)
from mjopt.game.legal import offered
from mjopt.game.moves import Action
from mjopt.game.public_state import Phase
from mjopt.game_review.api import review, review_games
from mjopt.game_review.detect_format import games_of
from mjopt.game_review.evaluate import OWN_KONGS, hand_after, judge, useful_after
from mjopt.game_review.events import KIND_OF, RED, ActionType
from mjopt.game_review.missed_calls import barred_discards
from mjopt.game_review.round_state import replay_round
from mjopt.game_review.summary import NAMES, Summary


@pytest.fixture(scope="module")
def found(logs):
    return review([logs / "tenhou-mjlog" / f"game-{number}.mjlog" for number in ("01", "15")])


def test_deficiencies_are_those_of_an_integer_program(found):
    discards = found.judged.discards
    for row in random.Random(200).sample(range(len(discards)), 200):
        after = hand_after(found.judged, row, KIND_OF[int(discards.discard[row])])
        by_program = mjopt.deficiency(after, forms="riichi", model="network")
        assert discards.deficiency[row] == by_program, (row, after)


def test_the_best_is_the_best_of_single_calls(found):
    discards = found.judged.discards
    for row in random.Random(16).sample(range(len(discards)), 60):
        unseen = discards.unseen[row]
        worth = {}
        for kind in np.flatnonzero(discards.hand[row]).tolist():
            wait = mjopt.useful_tiles(hand_after(found.judged, row, kind), forms="riichi")
            worth[kind] = (wait.deficiency, -sum(int(unseen[k]) for k, _ in wait.copies))
        best = min(worth, key=lambda kind: (worth[kind], kind))
        thrown = worth[KIND_OF[int(discards.discard[row])]]
        assert (discards.best[row], discards.before[row]) == (best, worth[best][0])
        assert discards.best_copies[row] == -worth[best][1]
        assert (discards.deficiency[row], -discards.copies[row]) == thrown
        assert discards.rank[row] == 1 + sum(value < thrown for value in worth.values())
        useful = useful_after(found.judged, row, best)
        assert sum(useful.values()) == discards.best_copies[row]


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
            if event.action is ActionType.DISCARD:
                row = rows[deal, place]
                own = [hands[event.seat].count(k) for k in range(RED)]
                left = [4 - a - b for a, b in zip(own, seen, strict=True)]
                assert discards.hand[row].tolist() == own
                assert discards.unseen[row].tolist() == left
            if event.action is ActionType.DRAW:
                hands[event.seat].append(kind)
            elif event.action is ActionType.DORA:
                seen[kind] += 1
            elif event.action in (ActionType.DISCARD, ActionType.ADDED_KONG):
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
        after = hand_after(found.judged, row, KIND_OF[int(discards.discard[row])])
        exact = mjopt.expected_draws(after, wall=discards.unseen[row].tolist(), forms="riichi")
        assert discards.draws[row] == pytest.approx(float(exact.mean), rel=1e-9)
        keeping = np.flatnonzero(discards.left[row] == discards.before[row])
        assert discards.best_by_draws[row] in keeping
        if not discards.moves_away[row]:
            assert discards.best_draws[row] <= discards.draws[row] * (1 + 1e-12)


def test_calls_are_judged_with_and_without(found):
    calls = [pair for pair in zip(found.calls, found.judged.calls, strict=True) if pair[1].made]
    assert len(calls) == found.summary.calls > 30
    kongs = set()
    for told, call in calls:
        game = found.judged.games[call.game]
        for place, (table, event) in enumerate(replay_round(game.rounds[call.deal], game.rules)):
            held = table.concealed(event.seat)
            throws = [kind for kind, copies in enumerate(held) if copies]
            if place == call.event:
                before = table.deficiency(event.seat)
                if event.action in OWN_KONGS:
                    before = min(judge_one(table, event.seat, kind) for kind in throws)
                barred = barred_discards(event, game.rules)
            if place == call.event + 1 and event.action is ActionType.DISCARD:
                after = min(judge_one(table, call.seat, kind) for kind in set(throws) - {*barred})
                assert told["with"] == after
                assert KIND_OF[event.tile] not in barred
                break
            if place == call.event + 1:
                kongs.add(call.called.action)
                assert told["with"] == table.deficiency(call.seat)
                break
        assert told["without"] == before
    assert kongs & {*OWN_KONGS}


def test_calls_passed_up_are_judged_as_calls_made_are(found):
    """The same numbers as single calls of the public functions give."""
    others = (ActionType.WIN, *OWN_KONGS)
    passed = [c for c in found.judged.calls if not c.made and c.called.action not in others]
    game = found.judged.games[0]
    assert len(passed) > 100
    for call in passed[::7]:
        if call.game:
            break
        tables = replay_round(game.rounds[call.deal], game.rules)
        table, event = next(pair for at, pair in enumerate(tables) if at == call.event)
        assert (
            event.seat != call.seat or event.action is ActionType.DRAW
        )  # who calls chose among calls
        tiles = game.rules.tiles
        held, unseen = list(table.concealed(call.seat)), table.unseen(call.seat)
        hand = mjopt.Hand.from_counts(held, tiles=tiles, called=table.called(call.seat))
        wait = mjopt.useful_tiles(hand, forms="riichi")
        assert call.without == wait.deficiency
        assert call.useful_without == sum(unseen[kind] for kind, _ in wait.copies)
        for tile in call.called.tiles:
            held[KIND_OF[tile]] -= 1
        barred = barred_discards(call.called, game.rules)
        throws = [kind for kind in range(RED) if held[kind] and kind not in barred]
        worth = []
        for kind in throws if call.called.action != ActionType.KONG else [None]:
            after = [copies - (one == kind) for one, copies in enumerate(held)]
            after = mjopt.Hand.from_counts(after, tiles=tiles, called=hand.called + 1)
            wait = mjopt.useful_tiles(after)
            worth.append((wait.deficiency, -sum(unseen[one] for one, _ in wait.copies)))
        assert (call.with_it, -call.useful_with) == min(worth)


def offers(line):
    """Yield of each tile that lay what the rules allowed, and what was done."""
    pending = None
    for state, events in replay_steps(read_record(line)):
        for event in events:
            if pending is not None and event.action is not Action.PASS:
                yield *pending, event
                pending = None
        if pending is None and state.table.phase in (Phase.CLAIM, Phase.ROB):
            pending = (state.table, offered(state.table, state.hands))


GOES_BEFORE = {Action.CHOW: 1, Action.PONG: 2, Action.KONG: 2, Action.WIN: 3}


@pytest.mark.parametrize("rules", [M0_RULES, GMJBG, JJ], ids=lambda rules: rules.name)
def test_what_was_passed_up_is_what_the_rules_offered(rules):
    """Every call that the engine's own rules allow and nothing went before, and no other."""
    number = 0
    for seed in range(5):
        state, rng = start(rules, shuffle_wall(seed, 1, rules.tiles)), random.Random(seed)
        while not state.is_over:
            moves = legal_moves(state)
            state = step(state, moves[-1] if rng.random() < 0.8 else rng.choice(moves))
        line = write_record(state, names=list("abcd"), seed=seed, game=1)
        expected = []
        for table, options, done in offers(line):
            level = GOES_BEFORE.get(done.action, 0)
            order = [(table.turn + i) % 4 for i in range(1, 4)]
            for seat, moves in options:
                for move in moves:
                    is_win = move.action is Action.WIN
                    if not is_win and (table.ready[seat] or (level and seat == done.seat)):
                        continue  # it chose among its calls, or a kong that leaves it ready
                    before = is_win and level == 3
                    before = before and order.index(seat) < order.index(done.seat)
                    if GOES_BEFORE.get(move.action, 0) > level or before:
                        expected.append((seat, move.action.name.lower(), table.tile))
        [(_, game)] = games_of(line.encode())
        found = [
            (call.seat, call.called.action.value, call.called.tile)
            for call in judge([game]).calls
            if not call.made and call.called.other not in (call.seat, -1)
        ]
        assert sorted(found) == sorted(expected)
        number += len(found)
    assert number > 40


@pytest.mark.parametrize("rules", [M0_RULES, GMJBG, JJ], ids=lambda rules: rules.name)
def test_kongs_of_an_own_turn_that_were_passed_up(rules):
    """Those that the engine's own rules allow where a tile was thrown, judged as single calls."""
    number = 0
    for seed in range(12):
        state, rng = start(rules, shuffle_wall(seed, 2, rules.tiles)), random.Random(seed)
        expected = []
        while not state.is_over:
            moves = legal_moves(state)
            calls = [move for move in moves if move.action in (Action.PONG, Action.CHOW)]
            throws = [move for move in moves if move.action is Action.DISCARD]
            some = calls if calls and rng.random() < 0.7 else throws or moves[-1:]
            move = rng.choice(some)
            if move.action is Action.DISCARD and state.drawn is not None:
                kongs = (one for one in moves if one.action.name in ("CLOSED_KONG", "ADDED_KONG"))
                expected += [
                    (state.table.turn, one.action.name.lower().replace("_", " "), one.kind)
                    for one in kongs
                    if not state.table.ready[state.table.turn]
                ]
            state = step(state, move)
        line = write_record(state, names=list("abcd"), seed=seed, game=2)
        [(_, game)] = games_of(line.encode())
        found = [c for c in judge([game]).calls if not c.made and c.called.action in OWN_KONGS]
        told = [(call.seat, call.called.action.value, call.called.tile) for call in found]
        assert sorted(told) == sorted(expected)
        number += len(found)
        for call in found[:3]:
            tables = replay_round(game.rounds[call.deal], game.rules)
            table, _ = next(pair for at, pair in enumerate(tables) if at == call.event)
            held, unseen = list(table.concealed(call.seat)), table.unseen(call.seat)
            is_added = call.called.action is ActionType.ADDED_KONG
            throws = [kind for kind, copies in enumerate(held) if copies]
            called = table.called(call.seat)
            worth = {False: [], True: []}
            for is_kong, kinds in ((False, throws), (True, [call.called.tile])):
                for kind in kinds:
                    left = held.copy()
                    left[kind] -= 1 if is_added or not is_kong else 4
                    melds = called + (is_kong and not is_added)
                    hand = mjopt.Hand.from_counts(left, tiles=game.rules.tiles, called=melds)
                    wait = mjopt.useful_tiles(hand, forms=game.rules.forms)
                    copies = sum(unseen[one] for one, _ in wait.copies)
                    worth[is_kong].append((wait.deficiency, -copies))
            assert (call.without, -call.useful_without) == min(worth[False])
            assert (call.with_it, -call.useful_with) == min(worth[True])
    assert number > 10


def test_wins_passed_up_are_said(logs):
    """A tile completed the hand and another went on: found anew from hands and discards alone."""
    path = logs / "tenhou-mjlog" / "game-01.mjlog"
    found = review(path)
    game, expected = found.judged.games[0], []
    for deal, told in enumerate(game.rounds):
        for at, (table, event) in enumerate(replay_round(told, game.rules)):
            if (
                event.action is ActionType.DISCARD
                and table.drawn >= 0
                and not table.deficiency(event.seat)
            ):
                expected.append((deal, at, event.seat))
            if event.action is ActionType.DRAW and table.offered >= 0:
                others = (seat for seat in range(4) if seat != table.turn)
                expected += [(deal, at, seat) for seat in others if not judge_more(table, seat)]
    wins = [call for call in found.judged.calls if call.called.action is ActionType.WIN]
    assert sorted((call.deal, call.event, call.seat) for call in wins) == sorted(expected)
    assert found.summary.wins_passed == len(wins)


def judge_more(table, seat):
    kind = KIND_OF[table.offered]
    table.counts[seat][kind] += 1
    value = table.deficiency(seat)
    table.counts[seat][kind] -= 1
    return value


def test_draws_of_calls_are_those_of_single_calls(logs):
    found = review(logs / "tenhou-mjlog" / "game-15.mjlog", draws=True)
    game = found.judged.games[0]
    assert found.judged.calls
    for call, row in zip(found.judged.calls, found.calls, strict=True):
        tables = replay_round(game.rounds[call.deal], game.rules)
        table, _ = next(pair for at, pair in enumerate(tables) if at == call.event)
        tiles, called = game.rules.tiles, table.called(call.seat)
        held, unseen = list(table.concealed(call.seat)), table.unseen(call.seat)

        def mean(counts, called, tiles=tiles, unseen=unseen):
            hand = mjopt.Hand.from_counts(counts, tiles=tiles, called=called)
            return float(mjopt.expected_draws(hand, wall=unseen, forms="riichi").mean)

        assert row["draws_without"] == pytest.approx(mean(held, called), rel=1e-9)
        for tile in call.called.tiles:
            held[KIND_OF[tile]] -= 1
        assert call.called.action in (ActionType.CHOW, ActionType.PONG)  # no kong in it
        barred = barred_discards(call.called, game.rules)
        after = [
            [copies - (one == kind) for one, copies in enumerate(held)]
            for kind in np.flatnonzero(held).tolist()
            if kind not in barred
        ]
        worth = [(mjopt.deficiency(one, tiles=tiles, called=called + 1), one) for one in after]
        least = min(worth)[0]
        best = min(mean(one, called + 1) for away, one in worth if away == least)
        assert row["draws_with"] == pytest.approx(best, rel=1e-9)


def judge_one(table, seat, kind):
    table.counts[seat][kind] -= 1
    value = table.deficiency(seat)
    table.counts[seat][kind] += 1
    return value


def test_sums_add_up_and_survive_json(logs, found):
    whole = found.summary
    parts = Summary()
    for number in ("01", "15"):
        parts.join(review(logs / "tenhou-mjlog" / f"game-{number}.mjlog").summary)
    assert parts.to_document() == whole.to_document()
    assert Summary.from_document(whole.to_document()).to_document() == whole.to_document()
    discards = found.judged.discards
    free = discards.where(~discards.declared)
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
    assert np.array_equal(of_ours.deficiency, alone.discards.deficiency)
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
