"""Samplers against exact probabilities, with fixed seeds."""

from collections import Counter
from itertools import product
from math import comb, prod

import numpy as np
import pytest
import scipy

from mjopt import census, label
from mjopt._internal.jit import compile_always
from mjopt.datasets import Deal, _kernels, read_recipe
from mjopt.datasets.recipes import BLOCK_ROWS
from mjopt.datasets.recipes.ranking import DISTINCT, rank_hands, with_kongs
from mjopt.datasets.recipes.stratified import find_strata, spread
from mjopt.hands.tiles import FULL, M0, SANMA, TileSet

RARE = 1e-3  # a p-value below this is a failure
SUITS = [slice(0, 9), slice(9, 18), slice(18, 27), slice(27, 34)]


def follows(observed: np.ndarray, weights: np.ndarray) -> bool:
    """Return whether counts fit exact weights by a chi-square test with rare cells pooled."""
    expected = weights / weights.sum() * observed.sum()
    rare = expected < 5
    cells = [*zip(observed[~rare], expected[~rare], strict=True)]
    if rare.any():
        cells.append((observed[rare].sum(), expected[rare].sum()))
    assert not observed[weights == 0].any()
    seen, wanted = np.array([cell for cell in cells if cell[1] > 0]).T
    return scipy.stats.chisquare(seen, wanted).pvalue > RARE


@pytest.mark.parametrize("tiles", [M0, FULL])
@pytest.mark.parametrize(
    ("recipe", "types", "by_deals"),
    [
        ("deals:100000", None, True),
        ("distinct:100000", None, False),
        ("two-type:100000", 2, True),
        ("three-type:100000", 3, True),
    ],
)
@pytest.mark.parametrize("size", [13, 14])
def test_sampled_deficiencies_match_the_census(
    recipe: str, types: int | None, by_deals: bool, tiles: TileSet, size: int
) -> None:
    hands = read_recipe(recipe, tiles=tiles, size=size).counts(seed=11)
    exact = census(tiles, size=size, types=types)
    weights = np.array(exact.deals if by_deals else exact.counts, float)
    assert follows(np.bincount(label(hands), minlength=len(weights)), weights)
    assert (hands.sum(axis=1) == size).all()
    if types:
        held = sum(hands[:, part].any(axis=1).astype(int) for part in SUITS)
        assert (held == types).all()


def test_small_deals_are_uniform() -> None:
    # Two tiles of M0 (four melds called): every hand, and the number of its deals.
    hands = read_recipe("deals:200000", called=4).counts(seed=3)
    numbers = hands @ (3 ** np.arange(27, dtype=np.int64))
    pairs = [np.bincount(pair, minlength=27) for pair in product(range(27), repeat=2)]
    weights = {
        int(pair @ 3 ** np.arange(27, dtype=np.int64)): prod(comb(4, held) for held in pair)
        for pair in pairs
    }
    keys = sorted(weights)
    observed = Counter(numbers.tolist())
    assert follows(
        np.array([observed[key] for key in keys]), np.array([weights[key] for key in keys], float)
    )
    assert set(observed) <= set(keys)


def dealt_plainly(words: list[int], num_kinds: int, num_tiles: int) -> list[int]:
    """Deal one hand as the kernel does, in plain Python."""
    bits = 7 if 4 * num_kinds <= 128 else 8
    mask64 = (1 << 64) - 1
    stream, word = list(words), words[-1]
    held: list[int] = []
    while True:
        for word in stream:
            left = word
            for _ in range(64 // bits):
                tile, left = left & ((1 << bits) - 1), left >> bits
                if tile < 4 * num_kinds and tile not in held:
                    held.append(tile)
                    if len(held) == num_tiles:
                        return np.bincount([t // 4 for t in held], minlength=num_kinds).tolist()
        word = (word + 0x9E3779B97F4A7C15) & mask64
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & mask64
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & mask64
        stream = [word ^ (word >> 31)]


@pytest.mark.parametrize(("num_kinds", "num_words"), [(27, 3), (34, 5), (27, 1), (4, 1)])
def test_kernel_deals_equal_plain_python(num_kinds: int, num_words: int) -> None:
    words = np.random.default_rng(5).integers(0, 1 << 64, size=(200, num_words), dtype=np.uint64)
    hands = np.empty((200, num_kinds), np.uint8)
    _kernels.deal_hands(words, 14, hands)
    assert hands.tolist() == [dealt_plainly(row, num_kinds, 14) for row in words.tolist()]


@pytest.mark.parametrize("tiles", [M0, FULL])
@pytest.mark.parametrize("name", ["deals:70", "distinct:70", "two-type:70", "kongs:70"])
def test_python_and_kernel_draw_the_same_hands(name: str, tiles: TileSet) -> None:
    recipe = read_recipe(name, tiles=tiles)
    with compile_always(False):
        plain = recipe.counts(seed=3)
    np.testing.assert_array_equal(plain, recipe.counts(seed=3))


def test_small_walls_are_dealt_uniformly() -> None:
    # Every row exhausts its random words, so the refill is tested too.
    words = np.random.default_rng(8).integers(0, 1 << 64, size=(100_000, 1), dtype=np.uint64)
    hands = np.empty((100_000, 3), np.uint8)
    _kernels.deal_hands(words, 5, hands)
    every = [hand for hand in product(range(5), repeat=3) if sum(hand) == 5]
    observed = Counter(map(tuple, hands.tolist()))
    weights = [prod(comb(4, held) for held in hand) for hand in every]
    assert follows(np.array([observed[hand] for hand in every]), np.array(weights, float))


@pytest.mark.parametrize("tiles", [M0, FULL, SANMA])
@pytest.mark.parametrize("size", [13, 14])
def test_stratum_sizes_match_the_census(tiles: TileSet, size: int) -> None:
    assert (
        tuple(find_strata(Deal(tiles=tiles, size=size)).num_deals) == census(tiles, size=size).deals
    )


@pytest.mark.parametrize("tiles", [M0, FULL, SANMA])
def test_every_rank_of_a_stratum_is_a_deal_of_it(tiles: TileSet) -> None:
    deal = Deal(tiles=tiles, called=4)  # two tiles: small enough for all numbers
    strata = find_strata(deal)
    assert strata.num_deals.sum() == comb(tiles.num_tiles, 2)
    found: Counter[tuple[int, ...]] = Counter()
    for deficiency, number in enumerate(strata.num_deals.tolist()):
        hands = strata.hands(np.full(number, deficiency), np.arange(number))
        if number:
            assert (label(hands, called=4, tiles=tiles) == deficiency).all()
        found.update(map(tuple, hands.tolist()))
    assert all(number == prod(comb(4, n) for n in hand) for hand, number in found.items())


@pytest.mark.parametrize(
    ("tiles", "size", "called"),
    [
        *((M0, 14, 0), (M0, 13, 0), (FULL, 14, 0), (FULL, 13, 2)),
        *((SANMA, 14, 0), (SANMA, 13, 1), (SANMA, 14, 2), (SANMA, 13, 3), (SANMA, 14, 4)),
    ],
)
def test_strata_are_drawn_in_equal_or_specified_shares(
    tiles: TileSet, size: int, called: int
) -> None:
    recipe = read_recipe("stratified:5000", tiles=tiles, size=size, called=called)
    found = label(recipe.counts(seed=2), called=called, tiles=tiles)
    possible = find_strata(recipe.deal).num_deals > 0
    sizes = np.bincount(found, minlength=len(possible))[possible]
    assert sizes.max() - sizes.min() <= 1
    assert (found == spread(np.array(recipe.identity["rows_by_deficiency"]), 0, 5000)).all()
    weights = recipe.weights(0)
    deals = find_strata(recipe.deal).num_deals.astype(float)
    shares = np.bincount(found, weights, minlength=len(deals)) / 5000
    assert np.allclose(shares, deals / deals.sum(), rtol=1e-12)


def test_specified_shares_are_used() -> None:
    recipe = read_recipe("stratified:1000:0=1,6=2.5,3=0.5")
    assert np.bincount(label(recipe.counts(seed=1))).tolist() == [250, 0, 0, 125, 0, 0, 625]


def test_weighted_statistics_match_random_deals() -> None:
    # A statistic other than the deficiency: the number of kinds held three times.
    strata = read_recipe("stratified:70000")
    hands, weights = strata.counts(seed=4), strata.weights(0)
    dealt = (read_recipe("deals:100000").counts(seed=4) == 3).sum(axis=1)
    held = (hands == 3).sum(axis=1)
    mean = np.average(held, weights=weights)
    error = np.sqrt(np.sum(weights**2) / weights.sum() ** 2 * held.var())
    assert abs(mean - dealt.mean()) < 4 * error
    assert abs(held.mean() - dealt.mean()) > 10 * error  # the unweighted mean differs


def test_kong_hands_are_uniform() -> None:
    recipe = read_recipe("kongs:60000")
    ways = rank_hands(M0, with_kongs(14, 3), weights=DISTINCT)
    assert ways.total == comb(27, 3) * (comb(24, 2) + 24)  # two singles, or a pair
    hands = recipe.counts(seed=6)
    assert ((hands == 4).sum(axis=1) == 3).all()
    with_pair = (hands == 2).any(axis=1).sum()
    assert follows(np.array([with_pair, 60_000 - with_pair]), np.array([24.0, comb(24, 2)]))
    kinds = (hands == 4).sum(axis=0)
    assert follows(kinds, np.ones(27))
    assert ((read_recipe("kongs:500:2").counts(seed=6) == 4).sum(axis=1) >= 2).all()


@pytest.mark.parametrize("name", ["deals", "distinct", "two-type", "kongs"])
def test_longer_recipe_starts_with_the_shorter_one(name: str) -> None:
    few = read_recipe(f"{name}:300").counts(seed=9)
    many = read_recipe(f"{name}:900").counts(seed=9)
    assert (many[:300] == few).all()
    assert not (read_recipe(f"{name}:300").counts(seed=10) == few).all()


def test_blocks_are_independent() -> None:
    recipe = read_recipe(f"deals:{BLOCK_ROWS + 5}")
    whole = recipe.counts(seed=1)
    assert (recipe.block(1, seed=1) == whole[BLOCK_ROWS:]).all()
    assert len(recipe.block(1, seed=1)) == 5
    assert not (whole[:5] == whole[BLOCK_ROWS:]).all()


def test_seeded_hands_are_pinned() -> None:
    """Pinned: a change here changes every dataset published as a recipe."""
    from mjopt.hands.hand import Hand

    def texts(recipe: str, tiles: TileSet) -> list[str]:
        hands = read_recipe(recipe, tiles=tiles).counts(seed=2023)
        return [Hand.from_counts(row, tiles=tiles).to_text() for row in hands.tolist()]

    assert texts("deals:2", M0) == PINNED["deals"]
    assert texts("two-type:2", M0) == PINNED["two-type"]
    assert texts("distinct:2", FULL) == PINNED["distinct"]
    assert texts("stratified:3", M0) == PINNED["stratified"]
    assert texts("stratified:3", SANMA) == PINNED["stratified of three"]
    assert texts("kongs:2", FULL) == PINNED["kongs"]


PINNED = {
    "deals": ["112578m35589p449s", "359m345578p24678s"],
    "two-type": ["123456679p35678s", "23579p124457889s"],
    "distinct": ["24799m239p124s266z", "11368m115p1228s26z"],
    "stratified": ["789m122334p11789s", "244m34568p334568s", "2499m1236p345678s"],
    "stratified of three": ["123345p456789s77z", "666p1234599s1137z", "9m45667p234678s11z"],
    "kongs": ["78888m7p7777s4444z", "4444m44447p3s4444z"],
}
