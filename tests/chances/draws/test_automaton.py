"""The automaton: size and language; and the contest's published answers."""

import random
import runpy
from fractions import Fraction

import pytest
from reference_implementations.draws import contains_win

from mjopt.chances.draws import derive_automaton, minimise
from mjopt.chances.draws.crt import from_remainders, num_points, points, primes_for
from mjopt.errors import HandError, ModelError
from mjopt.hands.tiles import FULL
from tools.pages import EXAMPLES

long_suit_draws = runpy.run_path(str(EXAMPLES / "zjoi2019_mahjong.py"))["long_suit_draws"]

PRIME = 998244353
REFERENCE = [  # ranks, tiles, expected draws, modulo 998244353: ZJOI2019, standard or seven pairs
    (9, "1122334455669", Fraction(4175, 1771), 487567120),
    (9, "1111222233334", Fraction(3803, 1771), 385544405),
    (5, "1112223334445", Fraction(8, 7), 855638018),
]


@pytest.mark.parametrize(
    ("melds", "pairs", "states", "smallest"),
    [(4, False, 806, 229), (4, True, 2092, 567), (0, False, 4, 2), (None, True, 8, 8)],
)
def test_numbers_of_states(melds: int | None, pairs: bool, states: int, smallest: int) -> None:
    automaton = derive_automaton(melds, pairs=pairs)
    assert automaton.num_states == states
    assert minimise(automaton).num_states == smallest
    assert minimise(minimise(automaton)).num_states == smallest


@pytest.mark.parametrize(("melds", "pairs"), [(4, False), (4, True), (2, False), (0, False)])
def test_automaton_accepts_exactly_tiles_that_contain_a_win(melds: int, pairs: bool) -> None:
    """Random tiles; the suits are concatenated with gaps."""
    rng = random.Random(melds)
    automata = [derive_automaton(melds, pairs=pairs)]
    automata.append(minimise(automata[0]))
    forms = ("standard", "seven_pairs") if pairs else ("standard",)
    wins = 0
    for _ in range(1500):
        pool = [0] * 34
        for kind in rng.choices(range(34), k=rng.randint(4, 30)):
            pool[kind] = min(4, pool[kind] + 1)
        expected = contains_win(pool, FULL, 4 - melds, forms)
        wins += expected
        for automaton in automata:
            state = 0
            for kind, copies in enumerate(pool):
                state = automaton.steps[state, copies]
                if kind >= 27 or kind % 9 == 8:
                    state = automaton.steps[automaton.steps[state, 0], 0]
            assert automaton.wins[state] == expected
    assert 100 < wins < 1400


@pytest.mark.parametrize(("ranks", "tiles", "mean", "residue"), REFERENCE)
def test_reference_values(ranks: int, tiles: str, mean: Fraction, residue: int) -> None:
    waiting = long_suit_draws([tiles.count(str(rank)) for rank in range(1, ranks + 1)])
    assert waiting.mean == mean
    assert waiting.mean_modulo(PRIME) == residue


def test_hundred_ranks() -> None:
    held = [1] * 13 + [0] * 87
    waiting = long_suit_draws(held)
    assert waiting.wall_size == 387
    assert waiting.mean == long_suit_draws(held[::-1]).mean  # symmetric
    assert 0 <= waiting.mean_modulo(PRIME) < PRIME


def test_five_melds_are_refused() -> None:
    with pytest.raises(HandError, match="5 melds"):
        derive_automaton(5)


def test_residues_determine_the_number() -> None:
    rng = random.Random(9)
    primes = primes_for(2**130)
    numbers = [rng.randrange(2**130) for _ in range(50)]
    assert list(from_remainders(primes, [[n % p for n in numbers] for p in primes])) == numbers
    assert all(prime < 2**29 for prime in primes)


@pytest.mark.parametrize("degree", [0, 7, 8, 23, 44, 63, 100, 136])
def test_values_at_points_determine_the_polynomial(degree: int) -> None:
    rng = random.Random(degree)
    number = num_points(degree)
    assert degree < number <= 2 * degree + 8
    where = points(primes_for(1)[0], number)
    polynomial = [rng.randrange(where.prime) for _ in range(degree + 1)]
    root = int(where.table[0, 1, 1])
    values = [
        sum(c * pow(root, q * i, where.prime) for i, c in enumerate(polynomial)) % where.prime
        for q in range(number)
    ]
    back = where.back.astype(object)
    found = [sum(b * v for b, v in zip(row, values, strict=True)) % where.prime for row in back]
    assert found == polynomial + [0] * (number - degree - 1)


def test_too_many_points_are_refused() -> None:
    with pytest.raises(ModelError, match="expected less than"):
        num_points(10**6)
