"""Draws and discards by kernels, look-ups and labels agree, for any winning forms."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.small_forms import random_template
from helpers.table_files import FOREIGN
from numpy.typing import NDArray

from mjopt import UNREACHABLE, Hand
from mjopt._internal.jit import compile_always
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import templates_of
from mjopt.hands.tiles import COPIES, M0, Suit, TileSet
from mjopt.tables import neighbours
from mjopt.tables.bundles import bundle_file
from mjopt.tables.bundles.rule_tables import rule_tables
from mjopt.tables.gains import gain_tables
from mjopt.tables.gains.gain_derivation import derive_gains
from mjopt.tables.gains.gain_layout import CLASS_BITS, GainPlaces, GainTables
from mjopt.tables.neighbours import discards, waits
from mjopt.tables.suits.template_cost import least_missing

TWO_SUITS = TileSet(
    "two", (Suit("m", "one", (1, 2, 3)), Suit("p", "two", (1, 2)), Suit("z", "z", (1, 2), False))
)
KINDS = ("melds eyes", "pairs", "distinct fixed", "melds eyes fixed", "melds")
Counts = NDArray[np.uint8]


def some_templates(rng: np.random.Generator, size: int) -> tuple[Template, ...]:
    """Return up to three templates of M0 with tables, of a number of tiles."""
    found: list[Template] = []
    for number in range(3000):
        template = random_template(rng, M0, KINDS[number % len(KINDS)])
        if template is not None and template.num_tiles == size:
            found.append(template)
        if len(found) == 3:
            break
    return tuple(found)


def some_hands(rng: np.random.Generator, size: int, tiles: TileSet, number: int) -> Counts:
    """Return hands of few kinds and of many."""
    rows = np.zeros((number, tiles.num_kinds), np.uint8)
    for place, row in enumerate(rows):
        kinds = rng.permutation(tiles.num_kinds)[: tiles.num_kinds if place % 2 else 2 + size // 2]
        np.add.at(row, rng.permutation(np.repeat(kinds, COPIES))[:size], 1)
    return rows


def by_program(
    rows: Counts,
    templates: tuple[Template, ...],
    tiles: TileSet,
    called: int,
    left: Counts | None = None,
) -> NDArray[np.int8]:
    """Return deficiencies by the dynamic program, hand by hand."""
    copies = COPIES - rows if left is None else left
    able = [template for template in templates if template.melds >= called]
    pairs = zip(map(tuple, rows.tolist()), map(tuple, copies.tolist()), strict=True)
    found = [least_missing(able, tiles, held, arriving, called) for held, arriving in pairs]
    return np.array(found, np.int8)


def useful_by_program(
    rows: Counts,
    templates: tuple[Template, ...],
    tiles: TileSet,
    called: int,
    left: Counts | None = None,
) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return deficiencies, and the kinds that lower them."""
    rest = COPIES - rows if left is None else left
    least = by_program(rows, templates, tiles, called, rest)
    useful = np.zeros(rows.shape, np.bool_)
    row, kind = np.nonzero(rest)
    after, arriving = rows[row], rest[row]
    after[np.arange(len(row)), kind] += 1
    arriving[np.arange(len(row)), kind] -= 1
    useful[row, kind] = by_program(after, templates, tiles, called, arriving) < least[row]
    return least, useful


def check_waits(rows: Counts, templates: tuple[Template, ...], tiles: TileSet, called: int) -> None:
    """Compare the kernel and the look-ups with the program."""
    expected = useful_by_program(rows, templates, tiles, called)
    for is_on in (True, False):
        with compile_always(is_on):
            found = waits(rows, templates, tiles, called)
        for one, other in zip(found, expected, strict=True):
            assert np.array_equal(one, other)


def check_discards(
    rows: Counts, templates: tuple[Template, ...], tiles: TileSet, called: int, left: Counts
) -> int:
    """Compare both ways with the program; return the number of discards that change if gone."""
    row, kind = np.nonzero(rows)
    after = rows[row]
    after[np.arange(len(row)), kind] -= 1
    least, useful = useful_by_program(after, templates, tiles, called)
    rest = COPIES - rows[row]
    limited, within = useful_by_program(after, templates, tiles, called, rest)
    counted, strict = (useful * rest).sum(axis=1), (within * rest).sum(axis=1)
    changed = (limited != least) | (counted != strict)
    codes = row * rows.shape[1] + kind
    for is_on in (True, False):
        for unseen in (None, left):
            with compile_always(is_on):
                found = discards(rows, unseen, templates, tiles, called)
            copies = counted if unseen is None else (useful * unseen[row]).sum(axis=1)
            assert (found.deficiency[row, kind] == least).all()
            assert (found.copies[row, kind] == copies).all()
            assert (found.deficiency[rows == 0] == UNREACHABLE).all()
            if unseen is None:
                doubtful = set(found.doubtful.tolist())
                assert set(codes[changed].tolist()) <= doubtful <= set(codes.tolist())
    return int(changed.sum())


@pytest.mark.parametrize("seed", range(8))
def test_ways_agree_for_some_templates(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(5, 8))
    templates = some_templates(rng, size)
    assert templates
    most = max(template.melds for template in templates)
    for called in range(most + 1 if size > 3 * most + 1 else most):
        some = [some_hands(rng, size - 3 * called - fewer, M0, 8) for fewer in range(2)]
        left = np.minimum(rng.integers(0, 3, some[0].shape), COPIES - some[0]).astype(np.uint8)
        check_waits(np.concatenate(some), templates, M0, called)
        check_discards(some[0], templates, M0, called, left)


@pytest.mark.parametrize("name", [*sorted(RULE_SETS)])
def test_ways_agree_for_all_rule_sets(name: str) -> None:
    rules, rng = get_rules(name), np.random.default_rng(7)
    templates = templates_of(rules.forms)
    for called in range(rules.most_called + 1):
        rows = some_hands(rng, rules.size - 3 * called, rules.tiles, 2)
        left = np.minimum(rng.integers(0, 3, rows.shape), COPIES - rows).astype(np.uint8)
        check_waits(rows, templates, rules.tiles, called)
        check_discards(rows, templates, rules.tiles, called, left)


def test_discards_are_doubtful_if_the_tile_would_return() -> None:
    """All hands of one suit where it matters, and one where 2m lacks in another suit."""
    suits = [(0, 0, 0, 0, 1, 4, 3, 2, 4), (0, 0, 1, 2, 0, 2, 3, 4, 2), (0, 0, 1, 2, 0, 2, 4, 3, 2)]
    rows = np.zeros((4, 27), np.uint8)
    rows[:3, :9] = suits
    rows[3] = Hand.parse("12223m77888899p1s").counts
    number = check_discards(rows, (standard_template(M0),), M0, 0, COPIES - rows)
    assert number >= 4


# Files


@pytest.fixture
def plain() -> tuple[Template, ...]:
    """A meld and an eye, whose tables are small."""
    return (Template(fixed=(0,) * 7, melds=1, eyes=1, kinds=tuple(range(7))),)


def load(templates: tuple[Template, ...], called: int = 0) -> GainTables:
    gain_tables.gain_tables.cache_clear()
    found = gain_tables.gain_tables(rule_tables(templates, TWO_SUITS), called)
    assert found is not None
    return found


def is_same(one: GainTables, other: GainTables) -> bool:
    arrays = ("states", "words", "deep", "places")
    equal = [np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays]
    return all(equal) and one.least_deep == other.least_deep


def test_gains_are_derived_once(
    folder: Path, plain: tuple[Template, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = load(plain)
    assert list(folder.glob(f"*{gain_tables.SUFFIX}"))
    monkeypatch.setattr(gain_tables, "derive_gains", None)
    assert is_same(load(plain), expected)


def test_foreign_and_damaged_files_are_derived_again(
    folder: Path, plain: tuple[Template, ...]
) -> None:
    expected = load(plain)
    (path,) = folder.glob(f"*{gain_tables.SUFFIX}")
    written = path.read_bytes()
    flipped = [
        written[:place] + bytes([written[place] ^ 1]) + written[place + 1 :]
        for place in range(0, len(written), len(written) // 5)
    ]
    for content in (*FOREIGN, *flipped, written[: len(written) // 2]):
        path.write_bytes(content)
        assert is_same(load(plain), expected)
    assert path.read_bytes() == written


@pytest.mark.parametrize("name", ["states", "words", "places", "deep"])
def test_numbers_out_of_range_are_refused(name: str, plain: tuple[Template, ...]) -> None:
    tables = rule_tables(plain, TWO_SUITS)
    found = derive_gains(tables.bundles[0], plain, TWO_SUITS, tables.most, 0)
    assert found is not None
    again = bundle_file._unpack(bundle_file.pack(*gain_tables.content_of(found)), gain_tables._read)
    assert again is not None
    assert is_same(again, found)
    worse = getattr(found, name).copy()
    if name == "deep":
        worse = worse[:-2]
    elif name == "words":
        worse = worse[: len(worse) // 2]
    else:
        worse.reshape(-1)[:] = worse.max()
    with pytest.raises(ValueError, match="do not fit"):
        gain_tables._read(*gain_tables.content_of(replace(found, **{name: worse})))


def test_the_last_kinds_of_a_file_must_be_there(plain: tuple[Template, ...]) -> None:
    """A state may point to the last words, but not beyond them with any number of a set."""
    tables = rule_tables(plain, TWO_SUITS)
    found = derive_gains(tables.bundles[0], plain, TWO_SUITS, tables.most, 0)
    assert found is not None
    at = GainPlaces.of(found.places[0].tolist())
    own = found.states[at.state[0]] & np.uint32((1 << CLASS_BITS) - 1)
    states = found.states.copy()
    states[at.state[0]] = np.uint32(len(found.words)) << np.uint32(CLASS_BITS) | own
    with pytest.raises(ValueError, match="do not fit"):
        gain_tables._read(*gain_tables.content_of(replace(found, states=states)))


def test_without_tables_labels_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    templates = (standard_template(M0),)
    rows = some_hands(np.random.default_rng(2), 5, M0, 12)
    with compile_always():
        expected = discards(rows, None, templates, M0, 3)
        monkeypatch.setattr(neighbours, "_gains", lambda *_: None)
        found = discards(rows, None, templates, M0, 3)
    assert (found.deficiency == expected.deficiency).all()
    assert (found.copies == expected.copies).all()
