"""What the VIPR writers write, the reader reads back and the checker accepts."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import CertificateError
from mjopt.proofs import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    Claim,
    Derivation,
    MixedProgram,
    Row,
    Solution,
    read_vipr,
    verify_vipr,
    write_dual_bound,
    write_vipr,
)

TEXTS = [path.read_text() for path in sorted((Path(__file__).parent / "data").glob("*.vipr"))]
WIDTH, HEIGHT = 51, 40


@pytest.mark.parametrize("text", TEXTS)
def test_a_file_survives_reading_and_writing(text):
    file = read_vipr(text)

    copy = write_vipr(
        file.program,
        file.claim,
        solutions=file.solutions,
        derivations=file.derivations,
        version=file.version,
    )

    again = read_vipr(copy)
    assert again.program == file.program
    assert again.claim == file.claim
    assert verify_vipr(copy) == verify_vipr(text)


def test_shortest_path_of_four_thousand_arcs():
    """The network's own shape: conservation rows, potentials, reduced costs, one line."""
    arcs = []
    for i in range(HEIGHT * WIDTH):
        if i + WIDTH < HEIGHT * WIDTH:
            arcs.append((i, i + WIDTH, i * 7 % 4))
        if (i + 1) % WIDTH:
            arcs.append((i, i + 1, i * 5 % 3))
    potentials = [10**6] * (HEIGHT * WIDTH - 1) + [0]
    best = {}
    for arc in sorted(range(len(arcs)), reverse=True):
        tail, head, cost = arcs[arc]
        if potentials[head] + cost < potentials[tail]:
            potentials[tail], best[tail] = potentials[head] + cost, arc
    at, path = 0, {}
    while at in best:
        path[best[at]] = 1
        at = arcs[best[at]][1]
    balances = [{} for _ in potentials]
    for arc, (tail, head, _) in enumerate(arcs):
        balances[tail][arc], balances[head][arc] = 1, -1
    bounds = [Row(f"low{arc}", AT_LEAST, 0, {arc: 1}) for arc in range(len(arcs))]
    nodes = [Row(f"n{i}", EQUAL, int(i == 0), terms) for i, terms in enumerate(balances[:-1])]
    program = MixedProgram(
        variables=tuple(f"x{arc}" for arc in range(len(arcs))),
        integers=frozenset(range(len(arcs))),
        objective={arc: cost for arc, (_, _, cost) in enumerate(arcs) if cost},
        rows=(*bounds, *nodes),
        num_bounds=len(bounds),
    )
    prices = {a: c - potentials[t] + potentials[h] for a, (t, h, c) in enumerate(arcs)}
    prices |= {len(arcs) + i: potential for i, potential in enumerate(potentials[:-1])}

    text = write_dual_bound(program, prices, potentials[0], point=path)

    assert len(text) > 200_000
    accepted = verify_vipr(text, value=potentials[0])
    assert (accepted.num_variables, accepted.num_derivations) == (len(arcs), 1)
    assert read_vipr(text).program == program
    with pytest.raises(CertificateError, match="has the wrong sign|does not follow"):
        verify_vipr(text.replace(f" {len(arcs) + 7} {potentials[7]} ", f" {len(arcs) + 7} 1 "))


def test_a_maximum_is_bounded_from_above():
    program = MixedProgram(
        variables=("x",),
        integers=frozenset(),
        objective={0: 2},
        rows=(Row("high", AT_MOST, 3, {0: 1}),),
        minimise=False,
        num_bounds=1,
    )

    assert verify_vipr(write_dual_bound(program, {0: 2}, 6, point={0: 3}), value=6).final == "bound"
    assert verify_vipr(write_dual_bound(program, {0: 2}, 6)).lower is None
    with pytest.raises(CertificateError, match="is not OBJ <= 5|comes to <= 6"):
        verify_vipr(write_dual_bound(program, {0: 2}, 5))


def test_names_never_collide():
    program = MixedProgram(
        variables=("x",),
        integers=frozenset(),
        objective={0: 1},
        rows=(Row("bound", AT_LEAST, 3, {0: 1}),),
    )

    assert verify_vipr(write_dual_bound(program, {0: 1}, 3)).final == "bound_"


@pytest.mark.parametrize("name", ["", "two words", "new\nline", "tab\t", "é"])
def test_names_that_are_not_one_word_are_refused(name):
    program = MixedProgram(variables=(name,), integers=frozenset(), objective={}, rows=())

    with pytest.raises(CertificateError, match="cannot name anything"):
        write_vipr(program, Claim(infeasible=True))


def test_numbers_that_the_reader_would_refuse_are_refused():
    def text(number):
        program = MixedProgram(
            variables=("x",), integers=frozenset(), objective={0: number}, rows=()
        )
        return write_vipr(program, Claim(False))

    assert read_vipr(text(10**599)).program.objective == {0: 10**599}
    for number in (10**600, Fraction(1, 10**599), -(10**599), 10**5000):
        with pytest.raises(CertificateError, match="more than 600 digits"):
            text(number)


def test_a_program_has_no_more_bounds_than_rows():
    with pytest.raises(CertificateError, match="2 bounds among 0 rows"):
        MixedProgram(variables=(), integers=frozenset(), objective={}, rows=(), num_bounds=2)


def test_an_unknown_version_is_refused():
    program = MixedProgram(variables=(), integers=frozenset(), objective={}, rows=())

    with pytest.raises(CertificateError, match="version '2.0' is not one of"):
        write_vipr(program, Claim(infeasible=True), version="2.0")


rationals = st.fractions(min_value=-4, max_value=4, max_denominator=6)
terms = st.dictionaries(st.integers(0, 2), rationals.filter(bool), min_size=1)


@st.composite
def combinations(draw):
    """A program, and weights that all pull its rows the same way."""
    senses = draw(st.lists(st.sampled_from([AT_MOST, EQUAL, AT_LEAST]), min_size=1, max_size=4))
    rows = [Row(f"r{i}", sense, draw(rationals), draw(terms)) for i, sense in enumerate(senses)]
    pull = draw(st.sampled_from([AT_MOST, AT_LEAST]))
    weights = {}
    for index, sense in enumerate(senses):
        weight = draw(rationals)
        weights[index] = weight if sense == EQUAL else abs(weight) * sense * pull
    total: dict[int, Fraction] = {}
    for index, weight in weights.items():
        for variable, coefficient in rows[index].terms.items():
            total[variable] = total.get(variable, Fraction()) + weight * coefficient
    rhs = sum(weight * rows[index].rhs for index, weight in weights.items())
    total = {variable: value for variable, value in total.items() if value}
    return rows, weights, Row("sum", pull, rhs, total)


@given(combinations(), st.fractions(min_value=Fraction(1, 50), max_value=2, max_denominator=50))
def test_combinations_are_accepted_exactly_up_to_what_they_give(case, excess):
    rows, weights, derived = case
    program = MixedProgram(
        variables=("x", "y", "z"),
        integers=frozenset(),
        objective=derived.terms,
        rows=tuple(rows),
        minimise=derived.sense == AT_LEAST,
    )

    accepted = verify_vipr(write_dual_bound(program, weights, derived.rhs))
    assert derived.rhs in (accepted.lower, accepted.upper)

    if not derived.terms and derived.sense * derived.rhs > 0:
        return  # an absurdity proves anything
    with pytest.raises(CertificateError, match="does not follow"):
        verify_vipr(write_dual_bound(program, weights, derived.rhs + derived.sense * excess))


def test_derivations_of_every_reason_are_written():
    program = MixedProgram(
        variables=("x",), integers=frozenset({0}), objective={0: 1}, rows=(), num_bounds=0
    )
    steps = [
        Derivation(Row("a", AT_MOST, 0, {0: 1}), "asm"),
        Derivation(Row("b", AT_LEAST, 1, {0: 1}), "asm"),
        Derivation(Row("c", AT_MOST, 2, program.objective), "sol"),
        Derivation(Row("d", AT_LEAST, 1, {0: 1}), "uns", cases=((1, 0), (1, 1))),
    ]

    text = write_vipr(
        program, Claim(False, None, 3), solutions=[Solution("s", {0: 3})], derivations=steps
    )

    assert text.splitlines()[-4:] == [
        "a L 0 1 0 1 { asm } -1",
        "b G 1 1 0 1 { asm } -1",
        "c L 2 OBJ { sol } -1",
        "d G 1 1 0 1 { uns 1 0 1 1 } -1",
    ]
    assert verify_vipr(text).upper == 3
