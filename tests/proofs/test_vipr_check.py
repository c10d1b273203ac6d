"""VIPR certificates: the correct ones accepted, each corruption refused for its own reason."""

from fractions import Fraction
from pathlib import Path

import pytest

from mjopt.errors import CertificateError
from mjopt.proofs import read_vipr, verify_vipr

DATA = Path(__file__).parent / "data"
TEXTS = {path.stem: path.read_text() for path in sorted(DATA.glob("*.vipr"))}

# The optimum of each program, worked out by hand; None is infeasible.
OPTIMA = {
    "cover": 2,
    "cutoff": 2,
    "knapsack": 11,
    "split": None,
    "transport": Fraction(249, 2),
    "valley": 1,
}


def test_every_file_has_an_expectation():
    assert TEXTS.keys() == OPTIMA.keys()


@pytest.mark.parametrize("name", OPTIMA)
def test_correct_certificates_are_accepted(name):
    accepted = verify_vipr(TEXTS[name], value=OPTIMA[name])

    assert accepted.infeasible == (OPTIMA[name] is None)
    assert accepted.value == OPTIMA[name]
    assert accepted.format == "VIPR"


def test_what_was_accepted_is_described():
    accepted = verify_vipr(TEXTS["split"])

    assert (accepted.version, accepted.claim, accepted.final) == ("1.0", "infeas", "never")
    assert (accepted.num_variables, accepted.num_constraints, accepted.num_derivations) == (2, 3, 9)


def test_windows_line_ends_are_no_matter():
    assert verify_vipr(TEXTS["cover"].replace("\n", "\r\n")).value == 2


def test_a_lower_bound_alone_needs_no_solution():
    text = (
        TEXTS["cover"].replace("range 2 2", "range 2 inf").replace("SOL 1\npair 2 0 1 1 1", "SOL 0")
    )

    accepted = verify_vipr(text)

    assert (accepted.lower, accepted.upper, accepted.value) == (2, None, None)
    with pytest.raises(CertificateError, match=r"proves 2\.\.inf, not the value 2"):
        verify_vipr(text, value=2)


def test_a_solution_alone_needs_no_derivation():
    text = TEXTS["cover"].replace("range 2 2", "range -inf 2")
    text = text[: text.index("DER")] + "DER 0"

    accepted = verify_vipr(text)

    assert (accepted.lower, accepted.upper, accepted.final) == (None, 2, "")


@pytest.mark.parametrize(("name", "value"), [("cover", 1), ("cover", 3), ("split", 0)])
def test_another_value_than_the_expected_one_is_refused(name, value):
    with pytest.raises(CertificateError, match="the file proves"):
        verify_vipr(TEXTS[name], value=value)


CORRUPTIONS = [
    # The two holes of the reference checker.
    ("cover", "INT 3 0 1 2", "INT 2 0 1", "line 21: 'two' is rounded over the continuous variable"),
    ("cover", "lin 3 6 1/2", "lin 3 99 1/2", r"line 20: constraint 99 is outside 0\.\.8"),
    # The claim.
    (
        "cover",
        "range 2 2",
        "range 3 3",
        "line 16: the bound 3 is beyond the solution that reaches 2",
    ),
    ("cover", "range 2 2", "range 3 inf", "the bound 3 is beyond the solution that reaches 2"),
    ("cover", "range 2 2", "range 2 1", r"the range 2\.\.1 is empty"),
    ("cover", "range 2 2", "range 1 1", "no solution reaches the objective 1: the best reaches 2"),
    ("cover", "range 2 2", "range 2 inf inf", "expected SOL, found 'inf'"),
    ("cover", "range 2 2", "range inf 2", "a bound .or -inf. should be an integer or p/q"),
    ("cover", "range 2 2", "infeas", "infeasibility is claimed, and a solution is given"),
    ("cover", "range 2 2", "about 2 2", "expected range or infeas, found 'about'"),
    ("cover", "pair 2 0 1 1 1", "all 3 0 1 1 1 2 1", "the best reaches 3"),
    ("cover", "SOL 1\npair 2 0 1 1 1", "SOL 0", "objective 2: none is given"),
    ("knapsack", "range 11 11", "range 10 10", "is beyond the solution"),
    ("knapsack", "range 11 11", "range 12 12", "no solution reaches the objective 12"),
    ("transport", "cost G 249/2", "cost G 248/2", "the last row 'cost' is not OBJ >= 249/2"),
    ("split", "y_low G 0 1 1 1", "y_low G -1 1 1 1", "the right side comes to >= -1/2, not >= 1/2"),
    (
        "transport",
        "249/2 249/2",
        "125 125",
        "the bound 125 is beyond the solution that reaches 249/2",
    ),
    # The solution.
    ("cover", "pair 2 0 1 1 1", "pair 1 0 1", "line 18: solution 'pair': row 'e23' does not hold"),
    ("cover", "pair 2 0 1 1 1", "pair 2 0 1 1 2", "solution 'pair': row 'u2' does not hold"),
    ("cover", "pair 2 0 1 1 1", "pair 3 0 1/2 1 1/2 2 1/2", "integer variable 'x1' is 1/2"),
    ("cover", "pair 2 0 1 1 1", "pair 2 0 1 0 1", "variable 0 is listed twice"),
    ("cover", "pair 2 0 1 1 1", "pair 2 0 1 3 1", r"variable 3 is outside 0\.\.2"),
    ("cover", "pair 2 0 1 1 1", "pair 2 0 1 1 1.0", "found '1.0'"),
    ("transport", "2 1/2 4 8", "2 2/5 4 8", "row 'shop3' does not hold"),
    # Linear combinations.
    ("cover", "half G 3/2", "half G 2", "line 20: 'half' does not follow: the right side comes to"),
    ("cover", "lin 3 6 1/2 7 1/2 8 1/2", "lin 2 6 1/2 7 1/2", "coefficient of 'x2' comes to 1/2"),
    ("cover", "6 1/2 7 1/2", "6 1/2 7 -1/2", "the multiplier -1/2 of 'e13' has the wrong sign"),
    ("cover", "6 1/2 7 1/2", "6 1/2 6 1/2", "constraint 6 is listed twice"),
    ("cover", "6 1/2 7 1/2", "6 1/2 -7 1/2", r"constraint -7 is outside 0\.\.8"),
    ("cover", "8 1/2 }", "9 1/2 }", r"constraint 9 is outside 0\.\.8"),  # itself
    ("cover", "6 1/2 7 1/2", "6 0.5 7 1/2", "should be an integer or p/q, found '0.5'"),
    ("cover", "6 1/2 7 1/2", "6 1/0 7 1/2", "found '1/0'"),
    ("cover", "half G 3/2 OBJ", "half L 3/2 OBJ", "right side comes to >= 3/2, not <= 3/2"),
    ("cover", "half G 3/2 OBJ", "half E 3/2 OBJ", "right side comes to >= 3/2, not = 3/2"),
    ("transport", "10 9 3 2 1 2", "10 9 3 2", "constraint should be an integer, found '}'"),
    ("transport", "7 -1 8 4", "7 1 8 4", "has the wrong sign"),
    ("transport", "cost G 249/2 OBJ", "cost G 249/2 1 0 4", "comes to 6, not 0"),
    # Rounding.
    ("cover", "two G 2 OBJ { rnd", "two G 3 OBJ { rnd", "right side comes to >= 2, not >= 3"),
    ("cover", "OBJ { rnd 1 9 1 }", "OBJ { rnd 1 9 1/2 }", "rounded with the coefficient 1/2"),
    ("cover", "OBJ { rnd 1 9 1 }", "OBJ { rnd 0 }", "'two' rounds an equation"),
    ("cover", "{ rnd 1 9 1 }", "{ lin 1 9 1 }", "comes to >= 3/2, not >= 2"),
    ("knapsack", "INT 3\n0 1 2", "INT 2\n0 1", "over the continuous variable 'c'"),
    ("knapsack", "bound L 11", "bound L 10", "comes to <= 11, not <= 10"),
    ("knapsack", "3 1 5 2/3", "3 1 5 1/3", "rounded with the coefficient 11/3 of 'c'"),
    # Cases and assumptions.
    (
        "split",
        "{ uns 9 3 10 4 }",
        "{ lin 1 9 1 }",
        "last row 'never' rests on the assumption 'x_none'",
    ),
    ("split", "{ uns 9 3 10 4 }", "{ asm }", "last row 'never' rests on the assumption 'never'"),
    ("split", "uns 9 3 10 4", "uns 9 4 10 3", "'never' rests on the assumption 'x_none'"),
    ("split", "uns 9 3 10 4", "uns 9 3 10 99", r"constraint 99 is outside 0\.\.10"),
    ("split", "uns 9 3 10 4", "uns 9 3 10 -1", r"constraint -1 is outside 0\.\.10"),
    ("split", "uns 9 3 10 4", "uns 9 3 10", "should be an integer, found '}'"),
    ("split", "uns 9 3 10 4", "uns 9 3 10 6", "'x_none' and 'y_some' are not x <= k and x >= k"),
    ("split", "uns 9 3 10 4", "uns 9 0 10 4", "'never' discharges 'x_low', no assumption"),
    ("split", "uns 9 3 10 4", "uns 3 3 10 4", "'never' does not follow from its case 'x_none'"),
    ("split", "x_some G 1", "x_some G 2", "'x_none' and 'x_some' are not x <= k"),
    (
        "split",
        "x_none L 0 1 0 1",
        "x_none L 0 1 0 1/2",
        "'neither' does not follow: the coefficient of 'x' comes to 1/2",
    ),
    ("split", "x_none L 0", "x_none E 0", "are not x <= k and x >= k"),
    ("split", "INT 2 0 1", "INT 1 0", "'y_none' and 'y_some' are not"),
    ("split", "never G 1/2 0", "never L 1/2 0", "the last row 'never' is no contradiction"),
    ("valley", "INT 1 0", "INT 0", "'down' and 'up' are not x <= k"),
    ("valley", "{ uns 6 4 7 5 }", "{ lin 1 6 1 }", "rests on the assumption 'down'"),
    ("valley", "uns 6 4 7 5", "uns 6 4 7 4", "'down' and 'down' are not"),
    # The cutoff of a solution.
    ("cutoff", "better L 1", "better L 0", "asks for better than the best solution, 2"),
    ("cutoff", "better L 1 OBJ", "better G 1 OBJ", "does not limit the objective"),
    ("cutoff", "better L 1 OBJ", "better L 1 1 0 1", "does not limit the objective"),
    (
        "cutoff",
        "SOL 1\npair 2 0 1 1 1",
        "SOL 0",
        "line 19: 'better' cites a solution, and the file has none",
    ),
    ("cutoff", "range 2 2", "range 5 inf", "the bound 5 is beyond the solution that reaches 2"),
    ("cutoff", "INT 3 0 1 2", "INT 2 0 1", "asks for better than the best solution"),
    # Uses after the last use.
    ("cover", "8 1/2 } 10", "8 1/2 } 8", "'two' uses 'half' after its last use, 8"),
    ("cover", "8 1/2 } 10", "8 1/2 } 11", r"last use 11 is outside -1\.\.10"),
    ("cover", "8 1/2 } 10", "8 1/2 } -2", r"last use -2 is outside -1\.\.10"),
    ("split", "y_some G 1 1 1 1 { asm } -1", "y_some G 1 1 1 1 { asm } 8", "after its last use"),
    # Reasons that are not proofs.
    ("cover", "lin 3 6", "lin weak { 0 } 3 6", "line 20: 'half' is weak: the multipliers"),
    ("cover", "lin 3 6 1/2 7 1/2 8 1/2", "lin incomplete 6 7 8", "'half' is incomplete"),
    ("cover", "{ lin 3", "{ believe 3", "reason 'believe' is not one of"),
    ("cover", "{ lin 3", "{lin 3", "expected {, found '{lin'"),
    # The program.
    ("cover", "e12 G 1 2 0 1 1 1", "e12 G 1 2 0 1 1 2", "comes to 3/2, not 1"),
    ("cover", "e12 G 1 2 0 1 1 1", "e12 G 1 2 0 1 0 1", "line 13: variable 0 is listed twice"),
    ("cover", "e12 G 1 2 0 1 1 1", "e12 G 1 2 0 1 3 1", r"line 13: variable 3 is outside 0\.\.2"),
    ("cover", "e12 G 1 2 0 1 1 1", "e12 G 1 2 0 1 -1 1", r"variable -1 is outside 0\.\.2"),
    ("cover", "e12 G 1", "e12 >= 1", "sense of 'e12' should be E, L or G, found '>='"),
    ("cover", "e12 G 1", "e12 G 1e0", "the right-hand side should be an integer or p/q"),
    ("cover", "e13 G", "e12 G", "two constraints are named 'e12'"),
    ("cover", "two G 2", "half G 2", "two constraints are named 'half'"),
    ("cover", "x1 x2 x3", "x1 x2 x2", "two variables are named 'x2'"),
    ("cover", "INT 3 0 1 2", "INT 3 0 1 1", "variable 1 is listed twice under INT"),
    ("cover", "INT 3 0 1 2", "INT 3 0 1 3", r"line 4: variable 3 is outside 0\.\.2"),
    ("cover", "OBJ min", "OBJ least", "expected min or max, found 'least'"),
    ("cover", "OBJ min", "OBJ max", "the last row 'two' is not OBJ <= 2"),
    ("knapsack", "OBJ max", "OBJ min", "the bound 11 is beyond the solution that reaches 10"),
    # Counts.
    ("cover", "VAR 3", "VAR 2", "expected INT, found 'x3'"),
    ("cover", "VAR 3", "VAR 4", "expected INT, found '3'"),
    ("cover", "VAR 3", "VAR -3", "the number of variables: there cannot be -3"),
    ("cover", "VAR 3", "VAR 999999999999999999999", "variables announced, and the text ends"),
    ("cover", "CON 9 6", "CON 8 6", "expected RTP, found 'e23'"),
    ("cover", "CON 9 6", "CON 10 6", "sense of 'RTP'"),
    ("cover", "CON 9 6", "CON 9 7", "'e12' is listed as a bound, and has 2 variables"),
    ("cover", "CON 9 6", "CON 9 10", "10 bounds among 9 constraints"),
    ("cover", "SOL 1", "SOL 2", "should be an integer"),
    ("cover", "DER 2", "DER 1", "line 20: last use 10 is outside -1..9"),
    ("cover", "DER 2", "DER 3", "the text ends inside a constraint"),
    ("cover", "OBJ min 3", "OBJ min 2", "expected CON, found '2'"),
    ("split", "DER 9", "DER 8", r"is outside -1\.\.10"),
    # The frame.
    ("cover", "VER 1.1", "VER 1.2", "version '1.2' is not one of 1.0, 1.1"),
    ("cover", "VER 1.1", "VERSION 1.1", "line 2: expected VER, found 'VERSION'"),
    ("cover", "VER 1.1\n", "", "line 2: expected VER, found 'VAR'"),
    ("cover", "rnd 1 9 1 } 0", "rnd 1 9 1 } 0 END", "line 21: unexpected 'END' after the end"),
    ("cover", "rnd 1 9 1 } 0", "rnd 1 9 1 }", "the text ends where a last use should be"),
    ("cover", "rnd 1 9 1 } 0", "rnd 1 9 1", "the text ends where } should be"),
    ("cover", "RTP range 2 2\n", "", "line 16: expected RTP, found 'SOL'"),
    ("cover", "two G 2 OBJ", "two G ² OBJ", "character U.00B2 is not plain ASCII"),
    ("cover", "CON 9 6", "CON 9 6 % six bounds", "sense of '%'"),
    ("cover", "SOL 1\npair", "SOL 1_0\npair", "should be an integer, found '1_0'"),
    ("cover", "SOL 1\npair", "SOL +1\npair", "should be an integer, found '.1'"),
    ("cover", "SOL 1\npair", "SOL 01\npair", "should be an integer, found '01'"),
    ("cover", "half G 3/2", f"half G {'9' * 700}/2", "found '9999"),
]


@pytest.mark.parametrize(("name", "old", "new", "reason"), CORRUPTIONS)
def test_corrupted_certificates_are_refused(name, old, new, reason):
    assert old in TEXTS[name]
    text = TEXTS[name].replace(old, new, 1)

    with pytest.raises(CertificateError, match=reason) as refusal:
        verify_vipr(text)
    assert str(refusal.value).startswith("VIPR, line ")


@pytest.mark.parametrize("name", TEXTS)
def test_truncated_certificates_are_refused(name):
    words = TEXTS[name].split()
    start = words.index("VER")
    for length in range(start, len(words)):
        with pytest.raises(CertificateError):
            verify_vipr(" ".join(words[start:length]))


def test_a_bound_below_the_derived_one_is_still_proved():
    accepted = verify_vipr(TEXTS["cover"].replace("range 2 2", "range 1 2"))

    assert (accepted.lower, accepted.upper, accepted.value) == (1, 2, None)


def test_an_absurdity_proves_any_bound():
    assert verify_vipr(TEXTS["split"].replace("RTP infeas", "RTP range 1 inf")).lower == 1


def test_an_assumption_that_a_case_did_not_need_may_be_discharged():
    text = TEXTS["valley"].replace("west G 1 OBJ { lin 2 3 1 4 -2 }", "west G 1 OBJ { lin 1 3 1 }")
    text = text.replace("left G 1 2 0 2 1 1", "left G 1 1 1 1").replace("high L 1", "high L 9")

    assert verify_vipr(text).value == 1


def test_reading_keeps_the_program_for_comparison():
    program = read_vipr(TEXTS["transport"]).program

    assert program.variables[0] == "x11"
    assert program.rows[6].terms == {0: 1, 1: 1, 2: 1}
    assert not program.integers
