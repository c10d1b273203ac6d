"""Whatever is done to a VeriPB proof or its instance, what is accepted is true."""

from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mjopt.errors import CertificateError
from mjopt.proofs import (
    Limits,
    PbProgram,
    PbRow,
    read_opb,
    verify_veripb,
    write_bound_proof,
    write_opb,
)

DATA = Path(__file__).parent / "data"
INSTANCES = {path.stem: path.read_text() for path in sorted(DATA.glob("*.opb"))}
PROOFS = {path.stem: path.read_text() for path in sorted(DATA.glob("*.pbp"))}
OTHER_WORDS = ["0", "1", "2", "3", "-1", "-2", "+", "*", "d", "s", "w", ";", ":", "INF", "NONE"]
OTHER_WORDS += ["x1", "~x2", "p1_h1", "~p2_h2", "4", "9", "SAT", "UNSAT", "BOUNDS", "@lb", "rup"]


@cache
def objectives_of(instance):
    """Evaluate every feasible point, straight from the rows."""
    program = read_opb(instance).program
    found = []
    for point in product((0, 1), repeat=len(program.names)):
        sides = [(sum(a * point[i] for i, a in row.terms.items()), row) for row in program.rows]
        if all(side == row.rhs or (side > row.rhs and not row.is_equation) for side, row in sides):
            costs = (program.objective or {}).items()
            found.append(program.constant + sum(cost * point[i] for i, cost in costs))
    return found


def assert_true_if_accepted(instance, proof):
    """Recompute an accepted claim by brute force; ``objectives_of`` remembers instances walked."""
    try:
        accepted = verify_veripb(instance, proof)
    except CertificateError:
        return False
    objectives = objectives_of(instance)
    assert not (accepted.infeasible and objectives), proof
    if accepted.claim == "SAT" or accepted.upper is not None:
        assert objectives, proof
    if accepted.lower is not None:
        assert all(objective >= accepted.lower for objective in objectives), proof
    if accepted.upper is not None:
        assert any(objective <= accepted.upper for objective in objectives), proof
    return True


def split(text):
    """Cut a text at blanks, each word with the white space before it."""
    words, pending = [], ""
    for piece in text.replace("\n", " \n ").split(" "):
        pending += " "
        if piece == "\n":
            pending = "\n"
        elif piece:
            words.append((pending, piece))
            pending = ""
    return words


def join(words):
    return "".join(blank + word for blank, word in words).lstrip(" ")


@pytest.mark.parametrize("name", PROOFS)
def test_any_single_word_of_the_proof_changed(name):
    instance = INSTANCES[name.split("_")[0]]
    words = split(PROOFS[name])
    assert verify_veripb(instance, join(words))

    for place, (blank, word) in enumerate(words):
        for other in OTHER_WORDS:
            if other != word:
                changed = [*words[:place], (blank, other), *words[place + 1 :]]
                assert_true_if_accepted(instance, join(changed))
        assert_true_if_accepted(instance, join(words[:place] + words[place + 1 :]))
        assert_true_if_accepted(instance, join(words[: place + 1] + words[place:]))


@pytest.mark.parametrize("name", ["cover_pol_v3", "cover_rup_v3", "mixed_soli_v2", "mixed_pol_v3"])
def test_any_single_word_of_the_instance_changed(name):
    instance = split(INSTANCES[name.split("_")[0]])

    for place, (blank, word) in enumerate(instance):
        for other in [*OTHER_WORDS, "=", "<=", ">=", "~x1", "x3", "x4"]:
            if other != word:
                changed = [*instance[:place], (blank, other), *instance[place + 1 :]]
                assert_true_if_accepted(join(changed), PROOFS[name])


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_several_words_changed(data):
    name = data.draw(st.sampled_from(sorted(PROOFS)))
    words = split(PROOFS[name])
    for _ in range(data.draw(st.integers(2, 4))):
        place = data.draw(st.integers(4, len(words) - 1))
        words[place] = (words[place][0], data.draw(st.sampled_from(OTHER_WORDS)))

    assert_true_if_accepted(INSTANCES[name.split("_")[0]], join(words))


literals = st.sampled_from(["x1", "~x1", "x2", "~x2", "x3", "~x3", "x4", "~x4"])
steps = st.lists(
    st.sampled_from(["1", "2", "3", "-1", "+", "+", "+", "s", "2 *", "3 *", "2 d", "3 d", "x1 w"])
    | literals,
    min_size=1,
    max_size=9,
).map(lambda words: f"pol {' '.join(words)} ;")
clauses = st.tuples(st.lists(literals, max_size=3), st.integers(-1, 3)).map(
    lambda sum_: f"rup {' '.join('1 ' + literal for literal in sum_[0])} >= {sum_[1]} ;"
)
points = st.tuples(*(st.sampled_from([f"x{i}", f"~x{i}"]) for i in range(1, 5))).map(
    lambda point: f"soli {' '.join(point)} ;"
)


@settings(max_examples=400, deadline=None)
@given(st.lists(steps | clauses | points, max_size=6), st.integers(-8, 3), st.booleans())
def test_whatever_can_be_derived_is_true(rules, bound, infeasible):
    """Proofs made up at random: rules that fail are left out, the claim is tried after each."""
    kept = "pseudo-Boolean proof version 3.0\n"
    claim = "INF INF" if infeasible else f"{bound} INF"
    for rule in rules:
        tail = "output NONE ; conclusion {} ; end pseudo-Boolean proof ;"
        with suppress(CertificateError):
            verify_veripb(INSTANCES["mixed"], kept + rule + tail.format("NONE"))
            kept += rule + "\n"
        assert_true_if_accepted(INSTANCES["mixed"], kept + tail.format(f"BOUNDS {claim}"))


@settings(max_examples=300, deadline=None)
@given(
    st.text() | st.text(alphabet="polrusi x12~@+*d:;>= \n%0"),
    st.sampled_from(["1.2", "2.0", "3.0"]),
)
@example("", "1.2")
@example("f 3\nc -1", "1.2")
@example("pol 1 " + "9" * 590 + " * " * 40 + ";", "3.0")
@example("output NONE ;", "3.0")
@example("@a", "3.0")
@example("@ pol 1 ;", "3.0")
@example("rup", "3.0")
@example("rup >= 1 ; ;", "2.0")
@example("output NONE ; conclusion BOUNDS ; end pseudo-Boolean proof ;", "3.0")
def test_no_text_raises_anything_else(text, version):
    for proof in (text, f"pseudo-Boolean proof version {version}\n{text}"):
        with pytest.raises(CertificateError):
            verify_veripb(INSTANCES["cover"], proof)


def test_enormous_numbers_are_no_trouble():
    """Products of long numbers pass the digits that Python prints; messages must cope."""
    factor = "7" * 590
    proof = (
        "pseudo-Boolean proof version 3.0\n"
        f"pol 1 {f'{factor} * ' * 20} ; output NONE ; conclusion BOUNDS 2 : 4 INF ;"
    )

    with pytest.raises(CertificateError, match="constraint '4' does not imply"):
        verify_veripb(INSTANCES["cover"], proof, limits=Limits(digits=12_000))
    with pytest.raises(CertificateError, match=r"past the limit of 5,000 digits \(--limit digits"):
        verify_veripb(INSTANCES["cover"], proof)


coefficients = st.dictionaries(st.integers(0, 3), st.integers(-4, 4).filter(bool))


@settings(deadline=None)
@given(
    st.lists(st.builds(PbRow, coefficients, st.integers(-4, 4), st.booleans()), max_size=4),
    coefficients,
    st.lists(st.integers(-3, 3), min_size=4, max_size=4),
    st.integers(1, 3),
    st.sampled_from(["3.0", "2.0", "1.2"]),
)
def test_written_bounds_are_accepted_exactly_when_they_come_out(
    rows, objective, weights, divisor, version
):
    """Any weights prove some bound: that one is accepted if it is reached, and no higher one."""
    names = ("x1", "x2", "x3", "x4")
    program = PbProgram(
        names=names, objective=objective, rows=(*rows, PbRow({0: 1, 1: 1, 2: 1, 3: 1}, 0))
    )
    multipliers = {
        index: weight if row.is_equation else abs(weight)
        for index, (row, weight) in enumerate(zip(program.rows, weights, strict=False))
    }
    rest = {i: divisor * objective.get(i, 0) for i in range(4)}
    total = 0
    for index, weight in multipliers.items():
        total += weight * program.rows[index].rhs
        for i, a in program.rows[index].terms.items():
            rest[i] -= weight * a
    total -= sum(-missing for missing in rest.values() if missing < 0)
    bound = -(-total // divisor)
    best = min(
        (
            (program.evaluate(dict(enumerate(point))), point)
            for point in product([False, True], repeat=4)
            if all(row.holds(dict(enumerate(point))) for row in program.constraints())
        ),
        default=None,
    )
    if best is None:
        return
    assert bound <= best[0]
    text = write_bound_proof(
        program, multipliers, best[0], best[1], divisor=divisor, version=version
    )

    if bound == best[0]:
        assert verify_veripb(write_opb(program), text, value=bound)
    else:
        with pytest.raises(CertificateError, match="does not imply|no contradiction"):
            verify_veripb(write_opb(program), text)
