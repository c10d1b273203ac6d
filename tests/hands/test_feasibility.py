"""Whether some hand has the parts of a template, compared with a search of its network."""

import numpy as np
import pytest
from helpers.small_forms import FIVE, FIVE_AND_JOKER, TEMPLATE_KINDS, THREES, random_template
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0
from mjopt.hands.rules.feasibility import PartsSearch, TooManyStepsError
from mjopt.hands.rules.rule_file import MOST_STEPS, parse_rules
from mjopt.hands.rules.template import (
    JOKER_PARTS,
    Template,
    TemplateProgress,
    advance,
    kind_options,
)
from mjopt.hands.tiles import COPIES, Suit, TileSet

EVERY = tuple(range(34))


def is_possible(template: Template, tiles: TileSet) -> bool:
    return PartsSearch().is_possible(template, tiles)


def has_path(template: Template, tiles: TileSet) -> bool:
    """Return whether the network of the template has a path: one state for each way to begin."""
    states = {TemplateProgress()}
    most = template.most_jokers
    for kind in range(tiles.num_kinds):
        limit = 0 if kind in template.jokers else COPIES
        after = set()
        for state in states:
            for option in kind_options(template, tiles, kind):
                least = max(0, state.one_back + state.two_back + option.copies - limit)
                for used in range(least, most + 1):
                    end = advance(template, state, option, used)
                    if end is not None and end.jokers <= most:
                        after.add(end)
        states = after
    return any(state.is_complete(template) for state in states)


@pytest.mark.parametrize("kind", TEMPLATE_KINDS)
def test_agrees_with_a_search_of_the_network(kind: str) -> None:
    rng = np.random.default_rng(7)
    for tiles in (FIVE, FIVE_AND_JOKER, THREES):
        for _ in range(4):
            template = random_template(rng, tiles, kind)
            if template is not None:
                assert is_possible(template, tiles) == has_path(template, tiles), template


@st.composite
def scarce(draw: st.DrawFn) -> tuple[Template, TileSet]:
    """Draw a template that needs most tiles of a tiny set, with one or two kinds of jokers."""
    ranks = tuple(sorted(draw(st.sets(st.integers(1, 5), min_size=1, max_size=4))))
    suits = [Suit("m", "one", ranks), Suit("j", "jokers", (1, 2), has_chows=False)]
    tiles = TileSet("tiny", tuple(suits[: draw(st.integers(1, 2))]))
    kinds = st.sets(st.integers(0, tiles.num_kinds - 1)).map(lambda some: tuple(sorted(some)))
    jokers = draw(kinds)[:2]
    fixed = [draw(st.sampled_from([0, 0, 0, 1, 3, 5])) for _ in range(tiles.num_kinds)]
    distinct = draw(st.integers(0, 2))
    flags = {name: draw(st.booleans()) for name in ("has_chows", "has_pongs", "has_equal_pairs")}
    template = Template(
        fixed=tuple(fixed),
        melds=draw(st.integers(0, 3)),
        eyes=draw(st.integers(0, 2)),
        pairs=draw(st.integers(0, 2)),
        distinct=distinct,
        doubled=draw(st.integers(0, distinct)),
        kinds=draw(kinds),
        of=draw(kinds),
        jokers=jokers,
        joker_parts=tuple(p for p in JOKER_PARTS[1:] if draw(st.booleans())) if jokers else (),
        joker_fixed=tuple(draw(st.integers(0, n)) for n in fixed) if jokers else (),
        has_fifth=bool(jokers) and draw(st.booleans()),
        **flags,
    )
    return template, tiles


@settings(max_examples=60)
@given(scarce())
def test_agrees_where_tiles_are_scarce(case: tuple[Template, TileSet]) -> None:
    assert is_possible(*case) == has_path(*case)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"melds": 4, "kinds": (0, 1, 2), "has_pongs": False}, True),  # four equal chows
        ({"melds": 5, "kinds": (0, 1, 2), "has_pongs": False}, False),
        ({"melds": 4, "kinds": (0, 1, 2), "has_chows": False}, False),
        ({"melds": 1, "kinds": (7, 8, 9)}, True),
        ({"melds": 1, "kinds": (7, 8, 9), "has_pongs": False}, False),  # over the end of a suit
        ({"melds": 1, "kinds": (27, 28, 29), "has_pongs": False}, False),  # honours
        ({"pairs": 2, "kinds": (0,)}, False),
        ({"pairs": 2, "kinds": (0,), "has_equal_pairs": True}, True),
        ({"distinct": 3, "of": (0, 1)}, False),
        ({"distinct": 2, "doubled": 2, "of": (0, 1), "eyes": 2, "kinds": (0, 1)}, True),
        ({"distinct": 2, "doubled": 2, "of": (0, 1), "eyes": 3, "kinds": (0, 1)}, False),
    ],
)
def test_capacity_of_kinds_bites(parts: dict[str, object], expected: bool) -> None:
    template = Template(fixed=(0,) * 34, **parts)
    assert is_possible(template, FULL) == has_path(template, FULL) == expected


@pytest.mark.parametrize(
    ("parts", "has_fifth", "expected"),
    [
        ({"eyes": 3, "kinds": (0,), "joker_parts": ("eyes",)}, True, True),
        ({"eyes": 3, "kinds": (0,), "joker_parts": ("eyes",)}, False, False),
        ({"eyes": 3, "kinds": (0,), "joker_parts": ("melds",)}, True, False),
        ({"eyes": 4, "kinds": (0,), "joker_parts": ("eyes",)}, True, True),
        ({"eyes": 5, "kinds": (0,), "joker_parts": ("eyes",)}, True, False),  # four jokers
        ({"eyes": 4, "kinds": (0, 33), "joker_parts": ("eyes",)}, False, True),  # on the joker
        ({"pairs": 2, "kinds": (0,), "joker_parts": ("pairs",)}, True, False),
    ],
)
def test_jokers_stand_for_parts(parts: dict[str, object], has_fifth: bool, expected: bool) -> None:
    nothing = (0,) * 34
    template = Template(
        fixed=nothing, jokers=(33,), joker_fixed=nothing, has_fifth=has_fifth, **parts
    )
    assert is_possible(template, FULL) == has_path(template, FULL) == expected


def test_large_templates_take_few_steps() -> None:
    """A search of the network visits millions of states of the first."""
    search = PartsSearch()
    jokers = (30, 31, 32, 33)
    parts = {"jokers": jokers, "joker_parts": JOKER_PARTS[1:], "joker_fixed": (0,) * 34}
    for numbers in ({"melds": 5, "eyes": 1}, {"melds": 10, "eyes": 1}, {"melds": 4, "pairs": 10}):
        template = Template(fixed=(0,) * 34, kinds=EVERY, has_fifth=True, **numbers, **parts)
        assert search.is_possible(template, FULL)
    assert search.steps < MOST_STEPS // 10


def test_suits_in_another_order_are_one_question() -> None:
    search = PartsSearch()
    firsts = [first + step for first in (0, 9, 18) for step in (0, 4)]  # 12345 and 56789
    steps = []
    for first in firsts:
        parts = {"melds": 7, "kinds": tuple(range(first, first + 5))}
        assert not search.is_possible(Template(fixed=(0,) * 27, **parts), M0)
        steps.append(search.steps)
    assert set(np.diff(steps)) == {M0.num_kinds}


def test_the_limit_of_steps_holds_for_all_templates_together() -> None:
    search = PartsSearch(100)
    hand = Template(fixed=(0,) * 34, melds=1, kinds=EVERY)
    assert search.is_possible(hand, FULL)
    assert search.is_possible(hand, FULL)
    with pytest.raises(TooManyStepsError):
        search.is_possible(hand, FULL)


def test_nine_lines_with_four_jokers_are_read() -> None:
    """Such a file took seconds."""
    rules = parse_rules(
        'name = "x"\nsize = 17\n[tiles]\nhonours = 7\njokers = 4\n[jokers]\nkinds = "1234j"\n'
        "fifth = true\n[[form]]\nmelds = 5\neyes = 1\n"
    )
    assert rules.forms[0].templates[0].most_jokers == 16
