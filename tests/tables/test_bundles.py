"""Bundles: tables of any templates agree with brute force, and their files are safe."""

import lzma
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.small_forms import literal_deficiency, random_template
from helpers.table_files import FOREIGN
from hypothesis import given
from hypothesis import strategies as st

from mjopt import label
from mjopt._internal import cache_folder
from mjopt._internal.cache_folder import UNUSED_DAYS
from mjopt._internal.jit import compile_always, loaded_kernels
from mjopt.hands.rules.classic_forms import classic_forms
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules, parse_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import FULL, M0, SANMA, Suit, TileSet
from mjopt.tables.build_tables import SHIPPED_TEMPLATES
from mjopt.tables.bundles import bundle_file
from mjopt.tables.bundles import rule_tables as rule_tables_module
from mjopt.tables.bundles.bundle import NO_HAND, Bundle, derive_bundle
from mjopt.tables.bundles.rule_lookup import lookup_of
from mjopt.tables.bundles.rule_tables import are_ready, rule_tables

TWO_SUITS = TileSet(
    "two", (Suit("m", "one", (1, 2, 3)), Suit("p", "two", (1, 2)), Suit("z", "z", (1, 2), False))
)
SIX_GROUPS = ("melds eyes", "pairs", "distinct fixed", "melds eyes fixed", "eyes fixed")

LAIZI = """
name = "{name}"
tiles = "136"
[jokers]
kinds = "{kinds}"
[[form]]
melds = 4
eyes = 1
"""


def templates_of_rules(rules: RuleSet) -> tuple[Template, ...]:
    return tuple(part for form in rules.forms for part in form.templates)


def some_templates(rng: np.random.Generator, size: int) -> tuple[Template, ...]:
    """Return up to three templates of a number of tiles."""
    found: list[Template] = []
    for _ in range(200):
        kind = SIX_GROUPS[int(rng.integers(len(SIX_GROUPS)))]
        template = random_template(rng, TWO_SUITS, kind)
        if template is not None and template.num_tiles == size:
            found.append(template)
        if len(found) == 3:
            break
    return tuple(found)


@pytest.mark.parametrize("seed", range(6))
def test_several_templates_are_those_of_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(5, 9))
    templates = some_templates(rng, size)
    assert templates
    lookup = lookup_of(templates, TWO_SUITS)
    pool = np.repeat(np.arange(TWO_SUITS.num_kinds), 4)
    for called in range(max(template.melds for template in templates) + 1):
        most = size - 3 * called
        if most < 1:
            continue
        rows = np.zeros((8, TWO_SUITS.num_kinds), np.uint8)
        for row in rows:
            np.add.at(row, rng.permutation(pool)[: most - int(rng.integers(2))], 1)
        able = [template for template in templates if template.melds >= called]
        expected = [
            literal_deficiency(able, TWO_SUITS, row.tolist(), (4 - row).tolist(), called)
            for row in rows
        ]
        assert not lookup.arrays.tables.others
        assert lookup.rows(rows, called).tolist() == expected
        assert [lookup.one(row.tobytes(), called) for row in rows] == expected


@given(data=st.data(), name=st.sampled_from(sorted(RULE_SETS)))
def test_one_hand_rows_and_kernel_agree(data: st.DataObject, name: str) -> None:
    rules = get_rules(name)
    templates = templates_of_rules(rules)
    called = data.draw(st.integers(0, rules.most_called))
    pool = np.repeat(np.arange(rules.tiles.num_kinds), 4)
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    size = rules.size - 3 * called
    row = np.bincount(rng.permutation(pool)[:size], minlength=rules.tiles.num_kinds)
    rows = row.astype(np.uint8)[None]
    lookup = lookup_of(templates, rules.tiles)
    found = lookup.one(rows[0].tobytes(), called)
    assert lookup.rows(rows, called).tolist() == [found]
    with compile_always():
        assert label(rows, rules=rules, called=called).tolist() == [found]


def test_counts_that_are_no_hand_are_named() -> None:
    lookup = lookup_of(templates_of_rules(get_rules("mcr")), FULL)
    for counts in ([5, *[0] * 33], [1] * 12 + [0] * 22, [4] * 4 + [0] * 30):
        assert lookup.one(bytes(counts), 0) == NO_HAND
    assert lookup.one(bytes([1] * 12 + [0] * 22), 0, partial=True) >= 0


def test_two_layouts_have_kernels_of_two_names() -> None:
    hand = np.array([[1] * 14 + [0] * 20], np.uint8)
    with compile_always():
        label(hand, rules="riichi"), label(hand, rules="mcr")
    names = [name for name in loaded_kernels() if "label_full" in name]
    assert len(set(names)) == len(names)


# Files


SMALL = (Template(fixed=(0,) * 7, pairs=3, kinds=tuple(range(7))),)


def load(*, is_sized: bool = False) -> object:
    found = bundle_file.load_bundle(SMALL, TWO_SUITS, 6, is_sized=is_sized)
    assert found is not None
    parts = *found.numbers, *(found.sizes or ())
    return [found.answers.tolist(), found.pair.tolist(), [part.tolist() for part in parts]]


@pytest.mark.parametrize("is_sized", [False, True])
def test_a_bundle_is_derived_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, is_sized: bool
) -> None:
    expected = load(is_sized=is_sized)
    (path,) = folder.iterdir()
    monkeypatch.setattr(bundle_file, "derive_bundle", None)
    assert load(is_sized=is_sized) == expected
    assert path.name == bundle_file.file_name(SMALL, TWO_SUITS, 6, is_sized=is_sized)


@pytest.mark.parametrize("content", FOREIGN)
def test_foreign_files_are_derived_again(folder: Path, content: bytes) -> None:
    expected = load()
    (path,) = folder.iterdir()
    written = path.read_bytes()
    path.write_bytes(content)
    assert load() == expected
    assert path.read_bytes() == written, "replaced"


def test_damaged_files_are_derived_again(folder: Path) -> None:
    expected = load()
    (path,) = folder.iterdir()
    written = path.read_bytes()
    for place in range(0, len(written), 7):
        path.write_bytes(written[:place] + bytes([written[place] ^ 1]) + written[place + 1 :])
        assert load() == expected
        path.write_bytes(written[:place])
        assert load() == expected


@pytest.mark.parametrize("name", ["pair", "other", "numbers", "sizes"])
def test_numbers_out_of_range_are_refused(name: str) -> None:
    bundle = derive_bundle(SMALL, TWO_SUITS, 6, is_sized=name == "sizes")
    assert bundle is not None
    assert isinstance(bundle_file.from_bytes(bundle_file.to_bytes(bundle), TWO_SUITS, 6), Bundle)
    parts = getattr(bundle, name)
    if name == "sizes":  # of fewer classes than there are
        more = tuple(part[:-1] for part in parts)
    else:
        more = tuple(part + 1 for part in parts) if name == "numbers" else parts + 1
    with pytest.raises(ValueError, match="do not fit"):
        bundle_file.from_bytes(bundle_file.to_bytes(replace(bundle, **{name: more})), TWO_SUITS, 6)
    with pytest.raises(ValueError, match="do not fit"):
        bundle_file.from_bytes(bundle_file.to_bytes(bundle), FULL, 6)


def test_bundles_that_are_not_used_are_removed(folder: Path) -> None:
    folder.mkdir(parents=True)
    old, new = folder / f"old{bundle_file.SUFFIX}", folder / f"new{bundle_file.SUFFIX}"
    old.write_bytes(b""), new.write_bytes(b"")
    limit = time.time() - UNUSED_DAYS * 24 * 60 * 60
    os.utime(old, (limit - 60, limit - 60))
    os.utime(new, (limit + 60, limit + 60))
    load()
    assert not old.exists()
    assert new.exists()


def test_small_tile_sets_have_no_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_file, "LEAST_KEPT", 4)
    load()
    assert not folder.exists()


def test_a_folder_that_others_can_write_to_is_not_used(folder: Path) -> None:
    folder.mkdir(mode=0o777, parents=True)
    folder.chmod(0o777)
    load()
    assert not list(folder.iterdir())


def test_too_large_templates_are_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle_file, "derive_bundle", lambda *_, **__: None)
    assert bundle_file.load_bundle(SMALL, TWO_SUITS, 6, is_sized=True) is None
    monkeypatch.setattr(bundle_file, "derive_bundle", derive_bundle)
    assert bundle_file.load_bundle(SMALL, TWO_SUITS, 6, is_sized=True) is None


@pytest.mark.parametrize("number", range(len(SHIPPED_TEMPLATES)))
def test_shipped_files_are_reproducible(number: int) -> None:
    templates, tiles, is_sized = SHIPPED_TEMPLATES[number]
    name = bundle_file.file_name(templates, tiles, 15, is_sized=is_sized)
    derived = bundle_file.to_bytes(derive_bundle(templates, tiles, 15, is_sized=is_sized))
    shipped = (bundle_file.SHIPPED / name).read_bytes()
    assert lzma.decompress(derived[32:]) == lzma.decompress(shipped[32:])


def test_shipped_files_are_all_that_the_classic_forms_need(folder: Path) -> None:
    names = {
        bundle_file.file_name(templates, tiles, 15, is_sized=is_sized)
        for templates, tiles, is_sized in SHIPPED_TEMPLATES
    }
    rule_tables.cache_clear()
    for tiles in (FULL, SANMA, M0):
        forms = classic_forms(tiles)
        for number in range(1, len(forms) + 1):
            rule_tables(tuple(t for form in forms[:number] for t in form.templates), tiles)
    assert {path.name for path in folder.iterdir()} <= names
    rule_tables.cache_clear()


def test_tables_are_ready_if_their_files_are_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing has been derived yet."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(rule_tables_module, "_READY", set())
    cache_folder._open.cache_clear()
    try:
        assert are_ready(templates_of_rules(get_rules("riichi")), FULL)
        assert are_ready(templates_of_rules(get_rules("sanma")), SANMA)
        assert not are_ready(templates_of_rules(get_rules("taiwan")), FULL)
        assert not are_ready(templates_of_rules(get_rules("mcr")), FULL)
    finally:
        cache_folder._open.cache_clear()


def test_forms_with_different_jokers_count_their_own() -> None:
    texts = [LAIZI.format(name=name, kinds=kinds) for name, kinds in (("a", "5z"), ("b", "7z"))]
    forms = [parse_rules(text, "own.toml").forms[0] for text in texts]
    rows = np.zeros((2, 34), np.uint8)
    rows[0, [0, 3, 6, 9, 12, 15, 18, 21, 24, 27]], rows[0, [31, 33]] = 1, (3, 1)
    rows[1, [0, 3, 6, 9, 12, 15, 18, 21, 24, 27]], rows[1, [31, 33]] = 1, (1, 3)
    expected = np.minimum(*(label(rows, forms=form) for form in forms))
    assert label(rows, forms=forms).tolist() == expected.tolist()
    many = np.repeat(rows, 100, axis=0)
    assert label(many, forms=forms).tolist() == np.repeat(expected, 100).tolist()
