"""Only tiles and turns may lose a round: all other events are repaired or ignored, with a line."""

import json
import random
import re
from dataclasses import replace

import pytest
from helpers.log_mutations import MUTATIONS

from mjopt.errors import FileError
from mjopt.play.game import GMJBG, agent_stream, run_game, shuffle_wall
from mjopt.play.game.agents import L1
from mjopt.play.game.events import Event
from mjopt.play.game.log_repair import repair_round
from mjopt.play.game.moves import Action
from mjopt.play.review import jj_log, mjopt_log
from mjopt.play.review.collector import DecisionCollector
from mjopt.play.review.detect_format import read_games

NUM_MUTANTS = 12


def read(data):
    [(_, game)] = read_games(data)
    return game


def collected(text, *, is_strict=False):
    """Return the collected decisions, the flaws, and the games that were refused."""
    collector, flaws, refused = DecisionCollector(is_strict=is_strict), [], []
    for _, game in read_games(text.encode()):
        try:
            if isinstance(game, FileError):
                raise game
            flaws += collector.add(game)
        except FileError as error:
            refused.append(str(error))
    return collector, flaws, refused


def decisions(collector, *, has_indicators=True):
    """Return the discards of all rounds: the seat, its hand and the visible tiles."""
    return [
        (
            *(row.seat, row.tile, row.declared),
            *(row.before.turn, row.before.called, row.before.held),
            row.before.shown if has_indicators else None,
        )
        for row in collector.discards
    ]


FLAWED = {
    "reach_without_step2.xml": (
        69,
        ["East 1, turn 15: the declaration of seat 2 is not confirmed: taken as confirmed"],
    ),
    "reach_not_accepted.mjson": (
        40,
        [
            "East 3, counter 1, turn 8: the declaration of seat 2 is not confirmed: taken as "
            "confirmed",
            "East 3, counter 1, turn 10: the declaration of seat 0 is not confirmed: taken as "
            "confirmed",
        ],
    ),
    "owari_twice.xml": (
        36,
        ["South 4: <AGARI> at character 1001: gives owari twice, with equal values: ignored"],
    ),
    "dora_twice.mjson": (
        72,
        ["East 4, counter 1, turn 17: dora 4p: more indicators than kongs: ignored"],
    ),
}


@pytest.mark.parametrize("name", FLAWED)
def test_a_flaw_that_no_decision_needs_loses_nothing(logs, name):
    text = (logs / "flawed" / name).read_text()
    num_discards, lines = FLAWED[name]
    collector, flaws, refused = collected(text)
    assert (len(collector.discards), flaws, refused) == (num_discards, lines, [])
    assert collector.num_unread == 0
    assert collected(text, is_strict=True)[2] == lines[:1]


def short_log(logs, form):
    """Return a game of two or three rounds."""
    if form != "mjai":
        [path] = (logs / form).glob("game-15.*")
        return path.read_text()
    lines = (logs / "mjai" / "game-02.jsonl").read_text().splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if "start_kyoku" in line]
    return "".join(lines[: starts[3]])


@pytest.mark.parametrize("form", MUTATIONS)
def test_damage_to_other_events_than_tiles_and_turns_loses_no_decision(logs, form):
    text, rng = short_log(logs, form), random.Random(form)
    whole, _, _ = collected(text)
    num_lines = 0
    for _ in range(NUM_MUTANTS):
        mutant, _, about = MUTATIONS[form](text, rng, tiles=False)
        found, flaws, refused = collected(mutant)
        has_indicators = "dora" not in about.lower() and not about.startswith("2 of")
        expected, rows = (decisions(c, has_indicators=has_indicators) for c in (whole, found))
        assert rows == expected, (about, flaws)
        assert refused == [], about
        assert found.num_unread == 0, about
        num_lines += bool(flaws)
    assert num_lines > NUM_MUTANTS / 4


@pytest.mark.parametrize("form", MUTATIONS)
def test_damage_to_tiles_and_turns_costs_no_earlier_decision(logs, form):
    text, rng = short_log(logs, form), random.Random(form)
    whole = decisions(collected(text)[0])
    rounds = [match.start() for match in re.finditer("<INIT|start_kyoku", text)]
    num_cut = 0
    for _ in range(NUM_MUTANTS):
        mutant, at, about = MUTATIONS[form](text, rng, tiles=True)
        collector, flaws, _ = collected(mutant)
        found = decisions(collector)
        assert flaws or len(found) == len(whole), about
        before = len(re.findall(r'<[DEFG]\d|"dahai"', text[: max(at, 0)]))
        assert found[:before] == whole[:before], about
        later = len(
            re.findall(r'<[DEFG]\d|"dahai"', text[next((n for n in rounds if n > at), -1) :])
        )
        assert at < 0 or not later or found[-later:] == whole[-later:], about
        num_cut += any(why.startswith("judged up to here: ") for why in flaws)
        assert collector.num_unread == sum(why.startswith(("not ", "judged up")) for why in flaws)
    assert num_cut > NUM_MUTANTS / 4


@pytest.fixture(scope="module")
def ready(longest):
    """Return a round with a declaration, and where it comes."""
    for deal in longest.rounds:
        for at, event in enumerate(deal.events):
            if event.action is Action.READY and deal.events[at + 2].action is Action.READY_STANDS:
                return deal, at
    raise AssertionError


REPAIRS = {
    "declaration missing": ([], "is confirmed, but has not declared: taken as declared"),
    "declaration of another seat": (
        [Event(3, Action.READY)],
        "is confirmed, but has not declared: taken as declared",
    ),
    "declaration twice": (["same", "same"], "it has declared before: ignored"),
    "indicator": (["same", Event(-1, Action.DORA, 33)], "more indicators than kongs: ignored"),
    "win before the end": ([Event(0, Action.WIN, 3, 2), "same"], "ignored"),
    "draw before the end": (["same", Event(-1, Action.DRAWN_GAME)], "follows: ignored"),
}


@pytest.mark.parametrize("name", REPAIRS)
def test_events_that_no_decision_needs_are_repaired(longest, ready, name):
    deal, at = ready
    events, why = REPAIRS[name]
    events = [deal.events[at] if event == "same" else event for event in events]
    damaged = replace(deal, events=(*deal.events[:at], *events, *deal.events[at + 1 :]))
    repaired, steps = repair_round(damaged, longest.rules)
    assert repaired.events == deal.events
    assert [event for _, event in steps] == [*deal.events]
    assert repaired.flaws[-1].endswith(why)
    assert repaired.cut == ""


def test_an_indicator_that_makes_a_later_tile_a_fifth_copy_is_ignored(longest):
    deal = longest.rounds[0]
    drawn = [event.tile for event in deal.events if event.action is Action.DRAW]
    held = [tile for hand in deal.hands for tile in hand]
    kind = next(tile for tile in drawn if (held + drawn).count(tile) == 4)
    repaired, _ = repair_round(replace(deal, dora=kind), longest.rules)
    assert repaired.events == deal.events
    assert repaired.dora == -1
    [why] = repaired.flaws
    assert re.fullmatch("East 1: indicator .*: one of five copies: ignored", why)


def test_records_of_ours_follow_the_same_rule():
    """False points are ignored, and a false move ends the game."""
    rngs = [agent_stream(1, 0, seat) for seat in range(4)]
    line = run_game([L1()] * 4, shuffle_wall(1, 0, GMJBG.tiles), rules=GMJBG, rngs=rngs).line
    whole, _, _ = collected(line)
    assert whole.games[0].rounds[0].flaws == ()
    found, [why], _ = collected(re.sub("scores=[^ ]*", "scores=9,9,9,9", line))
    assert "scores 9,9,9,9, but the rules give" in why
    assert decisions(found) == decisions(whole)
    moves = re.search("moves=([^ ]*)", line)[1]
    cut = mjopt_log.read(line.replace(moves, moves[: len(moves) // 8 * 4]))
    [deal] = cut.rounds
    assert "in the record, but the rules give" in deal.cut
    found = DecisionCollector()
    assert found.add(cut) == [f"judged up to here: {deal.cut}"]
    assert decisions(found) == decisions(whole)[: len(found.discards)]
    assert len(found.discards) > 5


def test_a_line_of_jj_is_read_up_to_what_is_no_action():
    log = (
        "0(0)100:0102030405060708091111111229; 1(0)100:01020304050607080913131317;"
        "2(0)100:01020304050607080914141418; 3(0)100:01020304050607080915151519;"
        "0D291M121D12?"
    )
    [deal] = jj_log.read(log).rounds
    assert len(deal.events) == 4
    assert "expected an action" in deal.cut


def test_a_drawn_game_after_a_draw_without_its_discard_is_told(logs):
    """Without one of its discards, a round of this log is shorter and still fits together."""
    lines = (logs / "tenhou-json" / "game-01.jsonl").read_text().splitlines()
    document = json.loads(lines[0])
    deals = [deal for line in lines for deal in json.loads(line)["log"]]
    document["log"] = [deal for deal in deals if deal[-1][0] == "流局" and 29 in deal[9]][:1]
    document["log"][0][9].remove(29)
    _, flaws, _ = collected(json.dumps(document))
    assert any("drawn game, but seat 1 has not discarded: ignored" in flaw for flaw in flaws)
