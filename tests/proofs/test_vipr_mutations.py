"""Whatever is done to a VIPR certificate, what is accepted is true of the program in it."""

from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mjopt.errors import CertificateError
from mjopt.proofs import read_vipr, verify_vipr

TEXTS = {
    path.stem: "\n".join(line for line in path.read_text().split("\n") if line[:1] != "%")
    for path in sorted((Path(__file__).parent / "data").glob("*.vipr"))
}
OTHER_WORDS = ["0", "1", "2", "-1", "3", "1/2", "-2", "7", "E", "G", "L", "OBJ", "asm", "}", "inf"]
VOCABULARY = sorted({word for text in TEXTS.values() for word in text.split()} | {*OTHER_WORDS})
KNOWN: dict[str, list[Fraction | int]] = {}


def feasible_points(program):
    """Walk a grid about the origin: whole numbers, and halves where a variable is continuous."""
    whole = range(-2, 4)
    halves = [Fraction(k, 2) for k in range(-2, 5)]
    axes = [whole if i in program.integers else halves for i in range(len(program.variables))]
    for point in product(*axes):
        values = dict(enumerate(point))
        for row in program.rows:
            side = sum(a * values[i] for i, a in row.terms.items())
            if (row.sense >= 0 and side < row.rhs) or (row.sense <= 0 and side > row.rhs):
                break
        else:
            yield sum(c * values[i] for i, c in program.objective.items())


def assert_true_if_accepted(text):
    """Recompute an accepted claim by brute force; ``KNOWN`` remembers programs already walked."""
    try:
        accepted = verify_vipr(text)
    except CertificateError:
        return False
    program = read_vipr(text).program
    key = repr(program)
    if key not in KNOWN:
        KNOWN[key] = list(feasible_points(program))
    objectives = KNOWN[key]
    if accepted.infeasible:
        assert not objectives, text
    elif program.minimise and accepted.lower is not None:
        assert all(objective >= accepted.lower for objective in objectives), text
    elif not program.minimise and accepted.upper is not None:
        assert all(objective <= accepted.upper for objective in objectives), text
    return True


# The grid of the transport problem, six continuous variables, would be walked too slowly.
@pytest.mark.parametrize("name", sorted(TEXTS.keys() - {"transport"}))
def test_any_single_word_changed(name):
    words = TEXTS[name].split()
    num_accepted = 0

    for place, word in enumerate(words):
        for other in OTHER_WORDS:
            if other != word:
                changed = [*words[:place], other, *words[place + 1 :]]
                num_accepted += assert_true_if_accepted(" ".join(changed))

    # Renaming a row, a smaller claim, a slack constraint: a few changes leave a proof a proof.
    assert num_accepted < len(words) * len(OTHER_WORDS) / 4


@pytest.mark.parametrize("name", sorted(TEXTS.keys() - {"transport"}))
def test_any_single_word_dropped_or_doubled(name):
    words = TEXTS[name].split()

    for place in range(len(words)):
        assert_true_if_accepted(" ".join(words[:place] + words[place + 1 :]))
        assert_true_if_accepted(" ".join(words[: place + 1] + words[place:]))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_several_words_changed(data):
    name = data.draw(st.sampled_from(sorted(TEXTS.keys() - {"transport"})))
    words = TEXTS[name].split()
    for _ in range(data.draw(st.integers(2, 4))):
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(VOCABULARY))

    assert_true_if_accepted(" ".join(words))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_lines_exchanged(data):
    name = data.draw(st.sampled_from(sorted(TEXTS.keys() - {"transport"})))
    lines = TEXTS[name].split("\n")
    one, other = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    lines[one], lines[other] = lines[other], lines[one]

    assert_true_if_accepted("\n".join(lines))


@settings(max_examples=300, deadline=None)
@given(
    st.text()
    | st.text(alphabet="VERAINTOBJCSLDG {}0123456789/-%\n\r\t")
    | st.text().map("VER 1.1 ".__add__)
)
@example("")
@example("%")
@example("VER 1.0 VAR 0 INT 0 OBJ min 0 CON 0 0 RTP infeas SOL 0 DER 0")
@example(f"VER 1.0 VAR {'9' * 599}")
@example(f"VER 1.0 VAR 1 x INT 0 OBJ min {'9' * 599} 0 1")
@example("VER 1.0 VAR 1 \udc80")
def test_no_text_raises_anything_else(text):
    with pytest.raises(CertificateError):
        verify_vipr(text)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(VOCABULARY), max_size=40),
    st.sampled_from(sorted(TEXTS)),
    st.integers(0, 200),
)
def test_no_tail_raises_anything_else(tail, name, kept):
    with suppress(CertificateError):
        verify_vipr(" ".join(TEXTS[name].split()[:kept] + tail))


def test_enormous_numbers_are_no_trouble():
    """Products of long numbers pass the digits that Python prints; messages must cope."""
    long = "7" * 590
    text = (
        f"VER 1.1 VAR 1 x INT 0 OBJ min 1 0 1 CON 2 0 a G {long} 1 0 {long}"
        f" b G 1/{long} 1 0 3/{long} RTP range 5 inf SOL 0"
        f" DER 1 c G 5 OBJ {{ lin 2 0 {long} 1 1/{long} }} -1"
    )

    with pytest.raises(CertificateError, match="comes to a number of"):
        verify_vipr(text)
