"""Rule sets: the shipped ones, files of users, and mistakes in a definition."""

import pickle
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import mjopt
from mjopt import FULL, M0, RULE_SETS, SANMA, Hand, RuleSet, WinningForm, get_rules
from mjopt.errors import FileError, HandError, TileError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import RIICHI, is_classic, names_of
from mjopt.hands.rules.feasibility import PartsSearch
from mjopt.hands.rules.read_forms import check_forms, read_forms
from mjopt.hands.rules.rule_file import (
    MOST_BYTES,
    MOST_DOTS,
    MOST_STEPS,
    MOST_TEMPLATES,
    parse_rules,
)

CARD = """
name = "card"
tiles = { suits = "mps", honours = 7, jokers = 2 }

[jokers]
kinds = "12j"
least = 3

[[form]]
name = "runs"
fixed = "11a 222a 333a 44a 1111z"
shift = true

[[form]]
name = "mirror"
fixed = "11m 22p 333m 333p 4444s"
mirror = true
"""


def parse(body: str, head: str = 'name = "mine"\ntiles = "136"\n') -> RuleSet:
    return parse_rules(head + body, "mine.toml")


@pytest.mark.parametrize("name", RULE_SETS)
def test_shipped_rules_are_read_and_pickled(name):
    rules = get_rules(name)

    assert rules.name == name
    assert rules.title
    assert pickle.loads(pickle.dumps(rules)) == rules
    for form in rules.forms:
        for template in form.templates:
            assert template.num_tiles == rules.size
            assert PartsSearch().is_possible(template, rules.tiles)


def test_the_guide_shows_the_rules_of_taiwan():
    guide = Path(__file__).parents[2] / "docs/howto/winning-form.md"
    shipped = Path(mjopt.__file__).parent / "hands/rules/rule_sets/taiwan.toml"
    assert f"```toml\n{shipped.read_text()}```" in guide.read_text()


def test_todays_forms_are_recognised():
    assert get_rules("riichi").forms == check_forms("riichi", FULL)
    assert names_of(get_rules("sanma").forms) == names_of(get_rules("riichi").forms) == RIICHI
    assert get_rules("basic").forms == check_forms("standard", M0)
    assert [is_classic((form,)) for form in get_rules("mcr").forms].count(False) == 3
    assert get_rules("mcr").forms[0] == get_rules("riichi").forms[0]
    assert (get_rules("sanma").tiles, get_rules("basic").tiles) == (SANMA, M0)


def test_a_pickled_form_keeps_its_definition():
    form = get_rules("mcr").forms[-1]
    copy = pickle.loads(pickle.dumps(form))

    assert isinstance(copy, WinningForm)
    assert (copy, copy.templates, copy.tiles, copy.digest) == (
        *(form, form.templates, form.tiles, form.digest),
    )


def test_letters_stand_for_suits_in_every_order():
    [*_, straight, knitted] = get_rules("mcr").forms

    assert len(set(straight.templates)) == len(set(knitted.templates)) == 6
    assert {template.fixed for template in straight.templates} == {
        (*(int(k % 3 == order[k // 9]) for k in range(27)), *[0] * 7)
        for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    }


def test_sichuan_leaves_a_suit_out():
    standard, pairs = get_rules("sichuan").forms

    assert {template.kinds for template in standard.templates} == {
        tuple(range(18)),
        tuple(range(9, 27)),
        (*range(9), *range(18, 27)),
    }
    assert all(template.has_equal_pairs for template in pairs.templates)


def test_a_card_is_expanded():
    rules = parse_rules(CARD)
    runs, mirror = rules.forms

    assert rules.jokers == (34, 35)
    assert Counter(len(form.templates) for form in (runs, mirror)) == {18: 1, 2: 1}
    first = runs.templates[0]
    assert first.joker_fixed[:5] == (0, 3, 3, 0, 0)  # pairs take no joker
    assert first.joker_fixed[27] == 4
    assert first.most_jokers == 8
    assert {template.fixed[:4] for template in mirror.templates} == {(2, 0, 3, 0), (0, 0, 0, 0)}


def test_a_tile_set_of_its_own():
    rules = parse_rules(
        'name = "two"\nsize = 8\n[tiles]\nsuits = "mp"\nwithout = "456789p"\n'
        "[[form]]\nmelds = 2\neyes = 1"
    )

    assert rules.tiles.names == (*(f"{rank}m" for rank in range(1, 10)), "1p", "2p", "3p")
    assert Hand.parse("123m111p22m", rules=rules).size == 8
    assert mjopt.deficiency(Hand.parse("123m111p23m", rules=rules)) == 1


def test_one_form_of_a_rule_set_is_a_rule_set():
    rules = get_rules("mcr.knitted_straight")
    hand = mjopt.Hand.parse("147m258p369s1122z", rules=rules)

    assert rules.forms == (get_rules("mcr").forms[3],)
    assert eval(repr(hand), {"Hand": Hand}) == hand
    position = mjopt.Position(hand=hand, draws=3)
    assert mjopt.Position.parse(position.to_text()) == position
    with pytest.raises(HandError, match=r"rules 'mcr\.nothing': unknown"):
        get_rules("mcr.nothing")


def test_a_hand_knows_its_rules():
    hand = Hand.parse("123456789m123p1234s", rules="taiwan")

    assert (hand.size, hand.most_called, hand.melds_needed, hand.is_full) == (17, 5, 5, False)
    assert eval(repr(hand), {"Hand": Hand}) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand
    assert hand.with_one(0, 1).rules == hand.rules
    assert names_of(HandQuery(hand, general=True).forms) == ("taiwan",)
    assert Hand.parse("1z", rules="taiwan", called=5).melds_needed == 0
    assert Hand.from_counts([2] * 7 + [0] * 27, rules="mcr").is_full
    assert Hand.parse("11m", rules="riichi", called=4) != Hand.parse("11m", tiles="136", called=4)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("123m456m789m1239p", {}, "13 tiles: 16 less one called meld, expected called 1"),
        ("1m", {"called": 6}, "6 called melds, expected 0..5"),
        ("1" * 4 + "m", {"tiles": "m0"}, "M0, but the rules taiwan are about FULL"),
    ],
)
def test_hands_must_fit_their_rules(text, options, message):
    with pytest.raises((HandError, TileError), match=message):
        Hand.parse(text, rules="taiwan", **options)


@pytest.mark.parametrize(
    ("forms", "message"),
    [
        ("taiwan", "forms 'taiwan': hands of 17 tiles, but this one is of 14"),
        ("sichuan", "forms 'sichuan': hands of M0, but this one is of FULL"),
        ("mcr.nothing", "forms 'mcr.nothing': unknown"),
        ("tokyo", "forms 'tokyo': unknown"),
        ("none.toml", "none.toml: No such file"),
    ],
)
def test_forms_must_fit_the_hand(forms, message):
    with pytest.raises((HandError, FileError), match=message):
        read_forms(forms, FULL)


def test_forms_by_name_file_rules_and_object(tmp_path: Path):
    file = tmp_path / "flush.toml"
    file.write_text(
        'name = "flush"\ntiles = "136"\n[[form]]\nkinds = "123456789a"\nmelds = 4\neyes = 1\n'
    )
    mcr = get_rules("mcr")

    [flush] = read_forms(file, FULL)
    assert flush.name == "flush"
    assert flush.templates == get_rules("full-flush").forms[0].templates
    assert read_forms(str(file), FULL) == read_forms([str(file), flush], FULL) == (flush,)
    assert read_forms(mcr, FULL) == read_forms("mcr", FULL) == mcr.forms
    assert read_forms("standard, mcr.knitted_straight", FULL) == (mcr.forms[0], mcr.forms[3])
    assert read_forms(None, FULL, rules=mcr) == mcr.forms
    assert read_forms(None, FULL) == (mcr.forms[0],)


def test_two_forms_of_one_name_are_refused():
    head = 'name = "mine"\ntiles = "136"\n[[form]]\n'
    one = parse_rules(head + 'kinds = "123456789m1234567z"\nmelds = 4\neyes = 1')
    two = parse_rules(head + 'kinds = "123456789p1234567z"\nmelds = 4\neyes = 1')

    assert names_of(read_forms([one, one], FULL)) == ("mine",)
    with pytest.raises(HandError, match="forms 'mine': two different forms of that name"):
        read_forms([one, two], FULL)


def test_questions_that_know_no_rule_sets_say_so_in_one_line():
    hand = Hand.parse("147m258p369s1122z", rules="mcr")

    with pytest.raises(HandError, match="rules mcr: ndde knows only the form standard"):
        mjopt.heuristics.run("ndde", hand, rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("[[form]]\nmelds = 4\neyes = 1\ncolour = 1", "line 6: unknown key 'colour', expected one"),
        ('[[form]]\nmelds = "4"', "line 4: melds '4', expected a whole number"),
        ("[[form]]\nmelds = 40", r"line 4: melds 40, expected 0\.\.32"),
        ("[[form]]\nmelds = true", "line 4: melds True, expected a whole number"),
        ("[[form]]\nmelds = 4", "line 3: the parts are 12 tiles, expected 14, the size"),
        ('[[form]]\nfixed = "11111m"\nmelds = 3', "line 4: 5 fixed tiles 1m, expected at most 4"),
        ('[[form]]\nfixed = "111m 11m"\nmelds = 3', "line 4: 5 fixed tiles 1m, expected at most"),
        ('[[form]]\ndistinct = 14\nof = "19m19p19s1234567z"', "line 3: no hand can have these"),
        ("[[form]]\ndistinct = 14", "line 4: distinct without of"),
        ('[[form]]\nof = "1m"\nmelds = 4\neyes = 1', "line 4: of without distinct"),
        ('[[form]]\nkinds = "1m"\nfixed = "1122334455667m"', "line 4: kinds without melds or eyes"),
        ('[[form]]\ndistinct = 6\ndoubled = 8\nof = "1m"', "line 5: doubled exceeds distinct"),
        ('[[form]]\nkinds = "1m 2m"\nmelds = 4\neyes = 1', "line 3: no hand can have these parts"),
        ('[[form]]\nfixed = "1x"', "line 4: FULL has no 1x"),
        ('[[form]]\nfixed = "m1"', "line 4: fixed 'm1', expected tiles such as 147a11z"),
        (
            '[[form]]\nname = "Bad Name"',
            "line 4: name 'Bad Name', expected a word of small letters",
        ),
        ("[[form]]\n", "line 3: asks for no tiles"),
        ("size = 99\n[[form]]\nmelds = 4", r"line 3: size 99, expected 2\.\.32"),
        ("form = 3", "line 3: form 3, expected tables"),
        ("", "line 1: no winning form, expected a table"),
        (
            '[jokers]\nkinds = "5z"\n[[form]]\nfixed = "555z"\nmelds = 3\neyes = 1',
            "line 6: 5z is fixed and a joker",
        ),
        ("[jokers]\n[[form]]\nmelds = 4", "line 3: no kinds of jokers, expected tiles such as 5z"),
        ('[jokers]\nkinds = "5z"\nparts = ["melts"]\n[[form]]\nmelds = 4', "line 5: parts"),
        ('[jokers]\nkinds = "8z"\n[[form]]\nmelds = 4', "line 4: FULL has no 8z"),
        (
            '[[form]]\nname = "x"\nmelds = 4\neyes = 1\n' * 2,
            "line 8: the form standard is there twice",
        ),
        (
            'size = 3\n[[form]]\nname = "one"\nfixed = "123a"\n[[form]]\nfixed = "1z2z3z"\n',
            "line 7: no name, expected a word",
        ),
    ],
)
def test_a_mistake_is_one_line_with_file_line_and_key(body, message):
    with pytest.raises(FileError, match="mine.toml " + message) as caught:
        parse(body)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name =", "mine.toml: not TOML"),
        ('tiles = "136"', "mine.toml line 1: no name"),
        ('name = "x"', "mine.toml line 1: no tiles, expected one of m0, 136, sanma, a table"),
        ('name = "x"\ntiles = "200"', "mine.toml line 2: tiles '200', expected one of m0"),
        ('name = "x"\n[tiles]\nsuits = "ab"', "mine.toml line 3: suits 'ab', expected different"),
        ('name = "x"\n[tiles]\nsuits = ""', "mine.toml line 2: no tiles are left"),
        ('name = "x"\n[tiles]\nhonours = 8', r"mine.toml line 3: honours 8, expected 0\.\.7"),
    ],
)
def test_a_mistake_at_the_top(text, message):
    with pytest.raises(FileError, match=message):
        parse_rules(text, "mine.toml")


def test_too_many_templates_are_refused():
    forms = "".join(
        f'[[form]]\nname = "f{number}"\nfixed = "{number % 9 + 1}a 12b 3{"4567"[number % 4]}c"\n'
        for number in range(2000)
    )
    with pytest.raises(FileError, match=f"templates so far, expected at most {MOST_TEMPLATES:,}"):
        parse("size = 5\n" + forms)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{'a.' * (MOST_DOTS + 1)}b = 1", f"mine.toml line 1: more than {MOST_DOTS} dots"),
        (f"a = {'[' * 20_000}", "mine.toml: not TOML that can be read: nested too deeply"),
        (f"size = {'9' * 5000}", "mine.toml: not TOML: Exceeds the limit"),
        (
            f'name = "x"\ntiles = "136"\n[[form]]\nmelds = 4\nkinds = "{"1" * 90_000}"',
            "line 5: kinds '1.*tiles such as",  # once quadratic
        ),
        (f'name = "x"\ntiles = "136"\nsize = 0x{"f" * 9000}', r"line 3: size <int .* 2\.\.32"),
    ],
)
def test_a_file_that_costs_is_refused_in_one_line(text, message):
    with pytest.raises(FileError, match=message) as caught:
        parse_rules(text[:MOST_BYTES], "mine.toml")
    assert "\n" not in str(caught.value)


def test_too_many_steps_are_refused():
    """A tenth of a second: 504 ways to put suits for letters, mirrored, in every form."""
    letters = 'melds = 1\neyes = 1\nmirror = true\nkinds = "123456789a123456789b123456789c"\n'
    forms = "".join(f'[[form]]\nname = "f{number}"\n{letters}' for number in range(11))
    text = f'name = "x"\nsize = 5\n[tiles]\nsuits = "defghikmp"\n{forms}'
    with pytest.raises(
        FileError, match=rf"mine.toml line \d+: more than {MOST_STEPS:,} steps to read the forms"
    ):
        parse_rules(text, "mine.toml")


def test_damaged_files(tmp_path: Path):
    file = tmp_path / "rules.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="not UTF-8"):
        get_rules(file)
    file.write_bytes(b"#" * 100_001)
    with pytest.raises(FileError, match="more than 100,000 bytes"):
        get_rules(str(file))
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(FileError, match="directory"):
        get_rules(folder)
