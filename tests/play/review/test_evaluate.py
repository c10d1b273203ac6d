"""Evaluations of real discards and calls against integer programs, single calls and the engine."""

import random

import numpy as np
import pytest

import mjopt
from mjopt.errors import FileError
from mjopt.play.game import (
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
from mjopt.play.game.events import KIND_OF, RED, Meld
from mjopt.play.game.legal import barred_discards, offered
from mjopt.play.game.log_replay import replay_round
from mjopt.play.game.moves import Action
from mjopt.play.game.public_state import Phase
from mjopt.play.review.api import review, review_games
from mjopt.play.review.collector import OWN_KONGS
from mjopt.play.review.detect_format import read_games
from mjopt.play.review.evaluate import THROWS, hand_after, useful_after
from mjopt.play.review.riichi_wins import WinBasis
from mjopt.play.review.summary import NAMES, ReviewSummary


def judge(*games):
    return review_games(("", 1, game) for game in games).judged


ALL_RULES = pytest.mark.parametrize("rules", [M0_RULES, GMJBG, JJ], ids=lambda rules: rules.name)


@pytest.fixture(scope="module")
def reviewed(logs):
    return review([logs / "tenhou-mjlog" / f"game-{number}.mjlog" for number in ("01", "15")])


def state_before(game, call):
    """Return the state of the round just before a call."""
    states = replay_round(game.rounds[call.deal], game.rules)
    return next(state for number, (state, _) in enumerate(states) if number == call.event)


def unseen(state, seat):
    """Return the copies of each kind that a seat cannot see."""
    counts = state.hands[seat]
    return [
        0 if kind in state.rules.missing else 4 - copies - state.table.shown[kind]
        for kind, copies in enumerate(counts)
    ]


def sides(game, call):
    """Return the hands after a pass and after a call, before and after each allowed discard.

    Each comes with its melds, and with the copies that it can draw.
    """
    state, rules = state_before(game, call), game.rules
    counts, melds = state.hands[call.seat], [m.block for m in state.table.melds[call.seat]]
    after, action = list(counts), call.called.action
    laid = (call.called.tile,) if action is Action.ADDED_KONG else call.called.tiles
    for tile in laid:
        after[KIND_OF[tile]] -= 1
    tiles = laid if action is Action.CLOSED_KONG else (*call.called.tiles, call.called.tile)
    rest = melds
    if action is Action.ADDED_KONG:
        tiles = (call.called.kind,) * 4
        rest = [block for block in melds if block.kinds != tiles[:3]]
    made = [*rest, Meld(action, tiles, call.seat).block]

    def hands(counts, melds, *, discards, barred=()):
        tiles = rules.rule_set.tiles
        before = mjopt.Hand.from_counts(counts, tiles=tiles, melds=melds, partial=True)
        kinds = [kind for kind, copies in enumerate(counts) if copies and kind not in barred]
        for kind in kinds if discards else [None]:
            rest = [copies - (number == kind) for number, copies in enumerate(counts)]
            hand = mjopt.Hand.from_counts(rest, tiles=tiles, melds=melds)
            yield hand, before.unseen

    barred = barred_discards(call.called, KIND_OF[call.called.tile], rules.rule_set)
    without = hands(counts, melds, discards=action in OWN_KONGS)
    return without, hands(after, made, discards=action in THROWS, barred=barred)


def best_by_single_calls(game, call):
    """Return least deficiency and most useful copies of both sides, by the public functions."""
    hidden = unseen(state_before(game, call), call.seat)

    def worth(hand, drawable):
        wait = mjopt.useful_tiles(hand, unseen=drawable, forms=game.rules.rule_set.forms)
        return wait.deficiency, -sum(hidden[kind] for kind, _ in wait.copies)

    return [min(worth(*side) for side in hands) for hands in sides(game, call)]


def assert_judged_right(game, call):
    values = [(call.without, -call.useful_without), (call.with_it, -call.useful_with)]
    assert values == best_by_single_calls(game, call), call


def test_deficiencies_are_those_of_an_integer_program(reviewed):
    discards = reviewed.judged.discards
    for row in random.Random(200).sample(range(len(discards)), 25):
        after = hand_after(reviewed.judged, row, KIND_OF[int(discards.discard[row])])
        by_program = mjopt.deficiency(after, forms="riichi", model="network")
        assert discards.deficiency[row] == by_program, (row, after)


def test_best_discards_are_those_of_single_calls(reviewed):
    discards = reviewed.judged.discards
    for row in random.Random(16).sample(range(len(discards)), 60):
        unseen = discards.unseen[row]
        worth = {}
        for kind in np.flatnonzero(discards.hand[row]).tolist():
            wait = mjopt.useful_tiles(hand_after(reviewed.judged, row, kind), forms="riichi")
            worth[kind] = (wait.deficiency, -sum(int(unseen[k]) for k, _ in wait.copies))
        best = min(worth, key=lambda kind: (worth[kind], kind))
        thrown = worth[KIND_OF[int(discards.discard[row])]]
        assert (discards.best[row], discards.before[row]) == (best, worth[best][0])
        assert discards.best_copies[row] == -worth[best][1]
        assert (discards.deficiency[row], -discards.copies[row]) == thrown
        assert discards.rank[row] == 1 + sum(value < thrown for value in worth.values())
        useful = useful_after(reviewed.judged, row, best)
        assert sum(useful.values()) == discards.best_copies[row]


def test_unseen_tiles_are_those_neither_held_nor_shown(reviewed):
    discards, game = reviewed.judged.discards, reviewed.judged.games[0]
    rows = {
        (int(discards.deal[row]), int(discards.event[row])): row
        for row in np.flatnonzero(discards.game == 0).tolist()
    }
    for deal, played in enumerate(game.rounds):
        seen = [0] * RED
        hands = [[KIND_OF[tile] for tile in hand] for hand in played.hands]
        seen[KIND_OF[played.dora]] += 1
        for place, event in enumerate(played.events):
            kind = KIND_OF[event.tile] if event.tile >= 0 else -1
            if event.action is Action.DISCARD:
                row = rows[deal, place]
                own = [hands[event.seat].count(k) for k in range(RED)]
                left = [4 - a - b for a, b in zip(own, seen, strict=True)]
                assert discards.hand[row].tolist() == own
                assert discards.unseen[row].tolist() == left
            if event.action is Action.DRAW:
                hands[event.seat].append(kind)
            elif event.action is Action.DORA:
                seen[kind] += 1
            elif event.action in (Action.DISCARD, Action.ADDED_KONG):
                hands[event.seat].remove(kind)
                seen[kind] += 1
            for tile in event.tiles:
                hands[event.seat].remove(KIND_OF[tile])
                seen[KIND_OF[tile]] += 1


def test_expected_draws_are_those_of_single_calls(logs):
    found = review(logs / "tenhou-mjlog" / "game-15.mjlog", by="draws", seat=2)
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
        best = hand_after(found.judged, row, int(discards.best[row]))
        exact = mjopt.expected_draws(best, wall=discards.unseen[row].tolist(), forms="riichi")
        assert discards.draws_of_best[row] == pytest.approx(float(exact.mean), rel=1e-9)
    assert not discards.better_by_draws[discards.rank == 1].any()


def test_calls_made_are_judged_as_single_calls_are(reviewed):
    pairs = zip(reviewed.calls, reviewed.judged.calls, strict=True)
    calls = [(row, call) for row, call in pairs if call.made]
    assert len(calls) == reviewed.summary.calls > 30
    assert {call.called.action for _, call in calls} & {*OWN_KONGS}
    for row, call in calls:
        assert_judged_right(reviewed.judged.games[call.game], call)
        assert (row["without"], row["with"]) == (call.without, call.with_it)


def test_calls_passed_up_are_judged_as_single_calls_are(reviewed):
    others = (Action.WIN, *OWN_KONGS)
    calls = [c for c in reviewed.judged.calls if not c.made and c.called.action not in others]
    assert len(calls) > 100
    for call in calls[::14]:
        assert_judged_right(reviewed.judged.games[call.game], call)


def offers(line):
    """Yield each offered tile with the legal claims and the actual event."""
    pending = None
    for state, events in replay_steps(read_record(line)):
        for event in events:
            if pending is not None and event.action is not Action.PASS:
                yield *pending, event
                pending = None
        if pending is None and state.table.phase in (Phase.CLAIM, Phase.ROB):
            pending = (state.table, offered(state.table, state.hands))


PRECEDENCE = {Action.CHOW: 1, Action.PONG: 2, Action.KONG: 2, Action.WIN: 3}


@ALL_RULES
def test_calls_passed_up_are_those_that_the_rules_offered(rules):
    """All legal claims of the engine that no other claim overrode, and no others."""
    number = 0
    for seed in range(5):
        state, rng = start(rules, shuffle_wall(seed, 1, rules.tiles)), random.Random(seed)
        while not state.is_over:
            moves = legal_moves(state)
            state = step(state, moves[-1] if rng.random() < 0.8 else rng.choice(moves))
        line = write_record(state, names=list("abcd"), seed=seed, game=1)
        expected = []
        for table, options, done in offers(line):
            level = PRECEDENCE.get(done.action, 0)
            order = [(table.turn + i) % 4 for i in range(1, 4)]
            for seat, moves in options:
                for move in moves:
                    is_win = move.action is Action.WIN
                    if not is_win and (table.ready[seat] or (level and seat == done.seat)):
                        continue  # the seat chose another call, or has declared ready
                    before = is_win and level == 3
                    before = before and order.index(seat) < order.index(done.seat)
                    if PRECEDENCE.get(move.action, 0) > level or before:
                        expected.append((seat, move.action.name.lower(), table.tile))
        [(_, game)] = read_games(line.encode())
        found = [
            (call.seat, call.called.action.word, call.called.tile)
            for call in judge(game).calls
            if not call.made and call.called.other not in (call.seat, -1)
        ]
        assert sorted(found) == sorted(expected)
        number += len(found)
    assert number > 40


@ALL_RULES
def test_kongs_passed_up_are_those_that_the_rules_allowed(rules):
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
                kongs = (m for m in moves if m.action in (Action.CLOSED_KONG, Action.ADDED_KONG))
                expected += [
                    (state.table.turn, kong.action.name.lower().replace("_", " "), kong.kind)
                    for kong in kongs
                    if not state.table.ready[state.table.turn]
                ]
            state = step(state, move)
        line = write_record(state, names=list("abcd"), seed=seed, game=2)
        [(_, game)] = read_games(line.encode())
        found = [c for c in judge(game).calls if not c.made and c.called.action in OWN_KONGS]
        found_kongs = [(call.seat, call.called.action.word, call.called.tile) for call in found]
        assert sorted(found_kongs) == sorted(expected)
        number += len(found)
        for call in found[:3]:
            assert_judged_right(game, call)
    assert number > 10


def test_wins_passed_up_are_complete_hands_that_may_win(logs):
    found = review(logs / "tenhou-mjlog" / "game-01.mjlog")
    game, expected = found.judged.games[0], []
    for deal, played in enumerate(game.rounds):
        for at, (state, event) in enumerate(replay_round(played, game.rules)):
            if (
                event.action is Action.DISCARD
                and state.drawn >= 0
                and not state.deficiency(event.seat)
            ):
                expected.append((deal, at, event.seat))
            if event.action is Action.DRAW and state.offered >= 0:
                others = (seat for seat in range(4) if seat != state.table.turn)
                wins = (seat for seat in others if not state.deficiency(seat, state.offered))
                expected += [(deal, at, seat) for seat in wins]
    wins = [call for call in found.judged.calls if call.called.action is Action.WIN]
    assert {(call.deal, call.event, call.seat) for call in wins} <= set(expected)
    without = [call for call in wins if call.win is WinBasis.NO_YAKU]
    assert found.summary.wins_passed == len(wins) - len(without)


def test_draws_of_calls_are_those_of_single_calls(logs):
    found = review(logs / "tenhou-mjlog" / "game-15.mjlog", by="draws")
    game = found.judged.games[0]
    assert found.judged.calls
    for call, row in zip(found.judged.calls, found.calls, strict=True):
        assert call.called.action in THROWS  # this game has no kong
        hidden = unseen(state_before(game, call), call.seat)
        for hands, key in zip(sides(game, call), ("draws_without", "draws_with"), strict=True):
            worth = [(mjopt.deficiency(hand, forms="riichi"), hand) for hand, _ in hands]
            least = min(value for value, _ in worth)
            best = min(
                mjopt.expected_draws(hand, wall=hidden, forms="riichi").mean
                for value, hand in worth
                if value == least
            )
            assert row[key] == pytest.approx(float(best), rel=1e-9)


def test_sums_add_up_and_survive_json(logs, reviewed):
    whole = reviewed.summary
    parts = ReviewSummary()
    for number in ("01", "15"):
        parts.join(review(logs / "tenhou-mjlog" / f"game-{number}.mjlog").summary)
    assert parts.to_document() == whole.to_document()
    assert ReviewSummary.from_document(whole.to_document()).to_document() == whole.to_document()
    discards = reviewed.judged.discards
    free = discards.where(~discards.declared)
    total = whole.total
    assert total["discards"] == len(free)
    assert total["away"] == free.moves_away.sum()
    assert total["kept"] == (free.rank == 1).sum()
    assert set(total) == set(NAMES)
    for group in ("seat", "turn", "deficiency"):
        assert sum(sums[0] for sums in whole.by[group].values()) == len(free)


def test_games_of_different_rules_are_judged_by_their_own(logs):
    rules = M0_RULES
    state = start(rules, shuffle_wall(5, 3, rules.tiles))
    while not state.is_over:
        state = step(state, legal_moves(state)[0])
    [(_, ours)] = read_games(write_record(state, names=list("abcd"), seed=5, game=3).encode())
    [(_, real)] = read_games((logs / "tenhou-mjlog" / "game-15.mjlog").read_bytes())
    both, alone = judge(real, ours), judge(ours)
    of_ours = both.discards.where(both.discards.game == 1)
    assert np.array_equal(of_ours.deficiency, alone.discards.deficiency)
    assert np.array_equal(of_ours.rank, alone.discards.rank)
    [refused] = review_games([("", 1, ours)], forms="riichi").refused
    assert "needs 13 terminals and honours" in refused.why


def test_missing_files_and_other_files_are_refused(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        review(tmp_path / "none")
    (tmp_path / "a.txt").write_text("hello")
    with pytest.raises(FileError, match=r"a\.txt: no log of a game"):
        review(tmp_path / "a.txt")
    for sources in (tmp_path, [tmp_path / "a.txt", tmp_path / "a.txt"]):
        assert {one.why[:8] for one in review(sources).refused} == {"no log o"}
