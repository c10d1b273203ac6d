"""A human player at the terminal: output, commands and quitting."""

import pytest
from helpers.game_tables import RNG, called, moves, view

from mjopt.chances.advice.advise import advise
from mjopt.chances.advice.why import describe_chance
from mjopt.hands.blocks import Shape
from mjopt.play.game import GMJBG, JJ, M0_RULES, PASS, Action, Event, Move
from mjopt.play.game.agents.human import Person, describe_move, understand
from mjopt.play.game.positions import position_of

NAMES = GMJBG.tiles.names


def person(answers, shown=None, **options):
    lines = iter(answers)

    def ask(prompt):
        if shown is not None:
            shown.append(prompt)
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    tell = shown.append if shown is not None else (lambda _: None)
    return Person(ask=ask, tell=tell, write=lambda counts: str(sum(counts)), **options)


def test_every_offered_command_selects_its_move():
    positions = [
        view(GMJBG, "1111m456p456s7789s"),
        view(JJ, "123m456p789s11229s"),
        view(M0_RULES, "1134m5p678p234s79s", tile="2m"),
        view(M0_RULES, "111m456p456s7789s", tile="1m", giver=2),
        view(M0_RULES, "1m456p456s7789s", melds=[called((0, 0, 0), Shape.PONG)]),
        view(GMJBG, "123m456p789s1112z", tile="2z"),
    ]
    for seen in positions:
        can = moves(seen)
        for move in can:
            text = describe_move(move, seen.tiles.names)
            assert understand(text.upper(), can, seen.tiles.names) == move


def test_empty_line_repeats_the_question_alone():
    shown = []
    seen = view(M0_RULES, "1134m5p678p234s799s")
    chosen = person(["", "  ", "1m"], shown).choose(seen, moves(seen), rng=RNG)
    question = "discard a tile: "
    assert chosen == Move(Action.DISCARD, 0)
    assert shown[-3:] == [question] * 3


@pytest.mark.parametrize(("rules", "has_ready"), [(JJ, True), (GMJBG, False), (M0_RULES, False)])
def test_help_lists_the_commands_of_the_rules(rules, has_ready):
    shown = []
    seen = view(rules, "1134m5p678p234s799s")
    person(["x", "1m"], shown).choose(seen, moves(seen), rng=RNG)
    [listed] = [line for line in shown if "h wins" in line]
    assert ("declares ready" in listed) == has_ready


@pytest.mark.parametrize("text", ["10m", "c", "k 5m", "h", "p p", "pass"])
def test_unknown_command_is_prompted_again(text):
    seen = view(GMJBG, "1134m5p678p234s79s", tile="2m")
    shown = []
    move = person([text, "n"], shown).choose(seen, moves(seen), rng=RNG)
    assert move == PASS
    assert sum("h wins" in line for line in shown) == 1


def test_empty_command_is_a_pass_if_legal():
    claim = view(GMJBG, "1134m5p678p234s79s", tile="2m")
    assert person([""]).choose(claim, moves(claim), rng=RNG) == PASS
    turn = view(GMJBG, "1134m5p678p234s799s")
    assert person(["", "9s"]).choose(turn, moves(turn), rng=RNG) == Move(Action.DISCARD, 26)


@pytest.mark.parametrize("answers", [["q"], ["QUIT"], []])
def test_quitting_raises_leave_error(answers):
    seen = view(GMJBG, "1134m5p678p234s799s")
    with pytest.raises(SystemExit):
        person(answers).choose(seen, moves(seen), rng=RNG)


def test_table_and_new_events_are_shown_once():
    events = (Event(3, Action.DRAW, -1), Event(3, Action.DISCARD, 1), Event(0, Action.PASS, -1))
    seen = view(
        GMJBG, "1134m5p678p234s79s", tile="2m", rivers=("", "7z", "3s4s", ""), events=events
    )
    shown = []
    you = person(["n", "n"], shown)
    you.choose(seen, moves(seen), rng=RNG)
    text = "\n".join(shown)
    for part in ("seat 4 discards 2m", "seat 2 | 7z", "seat 3 | 3s 4s", "on offer: 2m of seat 4"):
        assert part in text
    assert "draws" not in text
    shown.clear()
    you.choose(seen, moves(seen), rng=RNG)
    assert "seat 4 discards 2m" not in "\n".join(shown)  # old news


def test_hints_are_those_of_the_adviser():
    shown = []
    seen = view(M0_RULES, "16m234p567p345s789s", rivers=("", "11m", "", ""))
    person(["1m"], shown, hints=True).choose(seen, moves(seen), rng=RNG)
    best = advise(position_of(seen, moves(seen))).best
    [hint] = [line for line in shown if line.startswith("hint: ")]
    assert hint.startswith(f"hint: {best.name} ({describe_chance(best)} within ")

    shown.clear()
    seen = view(GMJBG, "1134m5p678p234s79s", tile="2m")
    person(["n"], shown, hints=True).choose(seen, moves(seen), rng=RNG)
    best = advise(position_of(seen, moves(seen))).best
    assert any(line.startswith(f"hint: {best.name} (") for line in shown)

    shown.clear()
    seen = view(GMJBG, "123m456p789s1112z", tile="2z")
    person(["h"], shown, hints=True).choose(seen, moves(seen), rng=RNG)
    assert "hint: win: the hand is complete." in shown
