"""OPB text: read strictly, written so that it reads back the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt.errors import CertificateError
from mjopt.proofs import PbProgram, PbRow, read_opb, write_opb

GOOD = """* #variable= 3 #constraint= 3
* a comment
min: +1 x1 -2 ~x2 ;
@first +1 x1 +1 x2 >= 1 ;
2 x1 -3 ~x3 <= 1;
1 x1 1 x2
  1 x3 = 2 ;
"""


def test_reading():
    instance = read_opb(GOOD)

    program = instance.program
    assert program.names == ("x1", "x2", "x3")
    assert (program.objective, program.constant) == ({0: 1, 1: 2}, -2)
    assert program.rows == (
        PbRow({0: 1, 1: 1}, 1),
        PbRow({0: -2, 2: -3}, -4),  # 2 x1 - 3 (1 - x3) <= 1
        PbRow({0: 1, 1: 1, 2: 1}, 2, True),
    )
    assert instance.labels == {"@first": 1}
    assert len(program.constraints()) == 4
    assert (program.proof_id(2), program.proof_id(2, at_most=True)) == (3, 4)


def test_numbered_variables_keep_their_numbers():
    program = read_opb("* #variable= 3 #constraint= 1\n1 x3 1 x1 >= 1 ;").program

    assert program.rows[0].terms == {2: 1, 0: 1}
    assert len(program.names) == 3


def test_free_names_are_numbered_as_they_come():
    program = read_opb("* #variable= 2 #constraint= 1\n1 zeta[1] 1 x1 >= 1 ;").program

    assert program.names == ("zeta[1]", "x1")


def test_an_empty_sum_is_a_sum():
    assert read_opb("* #variable= 0 #constraint= 1\n>= 1 ;").program.rows == (PbRow({}, 1),)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("#variable= 3", "#variable= 2", "line 5: '~x3' is no known literal"),
        ("#variable= 3", "#variable= 9999", "9999 variables announced, and fewer words follow"),
        ("#constraint= 3", "#constraint= 2", "line 1: 2 constraints announced, 3 found"),
        ("#constraint= 3", "#constraint= 3 #equal= 2 intsize= 8", "2 equations announced, 1 found"),
        ("* #variable= 3 ", "* ", "line 1: expected . #variable= N #constraint= M"),
        ("min:", "max:", "line 3: expected min:, found 'max'"),
        (
            "min: +1 x1 -2 ~x2 ;",
            "min: +1 x1 -2 ~x2",
            "line 3: expected an integer coefficient, found '@first'",
        ),
        ("-2 ~x2 ;", "-2 ~x1 ;", "line 3: '~x1' is in one sum twice"),
        ("-2 ~x2 ;", "-2 ;", "line 3: a coefficient has no literal"),
        ("-2 ~x2 ;", "-2.5 ~x2 ;", "expected an integer coefficient, found '-2.5'"),
        ("-2 ~x2 ;", "-2 ~~x2 ;", "'~~x2' is no known literal"),
        ("+1 x1 +1 x2 >= 1", "+1 x1 x2 >= 1", "expected an integer coefficient, found 'x2'"),
        ("+1 x1 +1 x2 >= 1", "+1 x1 +1 x2 1", "line 4: a constraint has no >=, <= or ="),
        ("+1 x1 +1 x2 >= 1", "+1 x1 +1 x2 > 1", "a constraint has no >=, <= or ="),
        ("+1 x1 +1 x2 >= 1", "+1 x1 +1 x2 >= one", "integer right-hand side, found 'one'"),
        ("+1 x1 +1 x2 >= 1", "+1 x1 +1 x2 >= 1_0", "integer right-hand side, found '1_0'"),
        ("+1 x1 +1 x2 >= 1", "+1 x1 +1 x2 >=", "the text ends where a right-hand side should be"),
        ("+1 x1 +1 x2 >= 1", "+1 x1 +1 x2 >= 1 2", "line 4: unexpected '2' after the end"),
        ("+1 x1 +1 x2 >= 1", f"+{'9' * 601} x1 >= 1", "expected an integer coefficient"),
        ("1 x3 = 2 ;", "1 x3 = 2", "line 6: the text ends before ';'"),
        ("1 x3 = 2 ;", "1 x3 = 2 ; ;", "line 7: nothing stands before ';'"),
        ("1 x1 1 x2\n", "@both 1 x1 1 x2\n", "label '@both' must be new, and of one inequality"),
        ("2 x1 -3", "@first 2 x1 -3", "line 5: label '@first' must be new"),
        ("a comment", "a cömment", "line 2: character U.00F6 is not plain ASCII"),
    ],
)
def test_refusals(old, new, reason):
    assert old in GOOD

    with pytest.raises(CertificateError, match=reason):
        read_opb(GOOD.replace(old, new, 1))


def test_too_many_free_names_are_refused():
    with pytest.raises(CertificateError, match="line 1: 1 variables announced, 2 found"):
        read_opb("* #variable= 1 #constraint= 1\n1 aa 1 bb >= 1 ;")


def test_a_program_answers_for_what_it_has():
    program = PbProgram(names=("x1",), rows=(PbRow({0: 1}, 1),))

    with pytest.raises(CertificateError, match="row 0 is no equation"):
        program.proof_id(0, at_most=True)
    with pytest.raises(CertificateError, match="no objective"):
        program.evaluate({0: True})


def test_a_constant_or_an_unfit_name_cannot_be_written():
    with pytest.raises(CertificateError, match="no constant"):
        write_opb(PbProgram(names=("x1",), rows=(), objective={0: 1}, constant=2))
    for names in (("x",), ("x 1",), ("~x1",), ("x1", "x1")):
        with pytest.raises(CertificateError, match="distinct OPB names"):
            write_opb(PbProgram(names=names, rows=()))


terms = st.dictionaries(st.integers(0, 3), st.integers(-9, 9).filter(bool))


@given(
    st.lists(st.builds(PbRow, terms, st.integers(-9, 9), st.booleans()), max_size=4),
    st.none() | terms,
)
def test_what_is_written_reads_back(rows, objective):
    everything = PbRow({0: 1, 1: 1, 2: 1, 3: 1}, 0)
    program = PbProgram(
        names=("x1", "x2", "x3", "x4"), rows=(everything, *rows), objective=objective
    )

    assert read_opb(write_opb(program)).program == program


@settings(max_examples=300, deadline=None)
@given(
    st.text()
    | st.text(alphabet="min:x12~ ;>=<@*\n")
    | st.text(alphabet="min:x12~ ;>=<@*\n").map("* #variable= 2 #constraint= 1\n".__add__)
)
def test_no_text_raises_anything_else(text):
    try:
        program = read_opb(text).program
    except CertificateError:
        return
    assert len(program.names) <= len(text)
