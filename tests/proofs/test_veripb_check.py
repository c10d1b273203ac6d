"""VeriPB proofs: the correct ones accepted, each corruption refused for its own reason."""

from pathlib import Path

import pytest

from mjopt.errors import CertificateError
from mjopt.proofs import (
    PbProgram,
    PbRow,
    check_veripb,
    read_opb,
    read_veripb,
    verify_veripb,
    write_bound_proof,
    write_opb,
    write_refutation,
)

DATA = Path(__file__).parent / "data"
INSTANCES = {path.stem: path.read_text() for path in sorted(DATA.glob("*.opb"))}
PROOFS = {path.stem: path.read_text() for path in sorted(DATA.glob("*.pbp"))}

# The optimum of each instance, worked out by hand; None is infeasible.
OPTIMA = {"cover": 2, "mixed": -6, "pigeons": None}


def instance_of(proof):
    return INSTANCES[proof.split("_")[0]]


@pytest.mark.parametrize("name", PROOFS)
def test_correct_proofs_are_accepted(name):
    value = OPTIMA[name.split("_")[0]]

    accepted = verify_veripb(instance_of(name), PROOFS[name], value=value)

    assert accepted.infeasible == (value is None)
    assert accepted.value == value
    assert accepted.version.startswith(name[-1])


def test_what_was_accepted_is_described():
    accepted = verify_veripb(INSTANCES["pigeons"], PROOFS["pigeons_pol_v3"])

    assert (accepted.format, accepted.claim, accepted.final) == ("VeriPB", "UNSAT", "9")
    assert (accepted.num_variables, accepted.num_constraints, accepted.num_derivations) == (6, 8, 1)


HEAD3 = "pseudo-Boolean proof version 3.0\n"
HEAD2 = "pseudo-Boolean proof version 2.0\n"
END3 = " output NONE ; conclusion {} ; end pseudo-Boolean proof ;"


@pytest.mark.parametrize(
    ("instance", "rules", "conclusion", "claim"),
    [
        ("cover", "", "NONE", (None, None)),
        ("cover", "", "SAT : x1 x2 ~x3", (None, None)),
        ("cover", "sol x1 x2 x3 : 3 ;", "SAT", (None, None)),
        ("cover", "", "BOUNDS 0 INF", (0, None)),
        ("cover", "", "BOUNDS -5 3 : x1 x2 x3", (-5, 3)),
        ("cover", "sol x1 x2 x3 ;", "BOUNDS 0 3", (0, 3)),
        ("cover", "pol 1 2 + 3 + ;", "BOUNDS 2 INF", None),  # it takes a division
        ("cover", "pol 1 2 + 3 + 2 d ;", "BOUNDS 2 INF", (2, None)),
        ("cover", "pol 1 2 + 3 + 2 d ;", "BOUNDS 1 : 4 INF", (1, None)),
        ("cover", "pol 1 x1 w x2 w s 7 * ; rup 1 x1 1 x2 >= 1 ;", "NONE", (None, None)),
        ("cover", "pol 1 0 * ;", "NONE", (None, None)),
        ("cover", "rup 2 x1 2 x2 1 x3 >= 2 : ~ @e12 ;", "BOUNDS 1 : 1 INF", (1, None)),
        ("cover", "rup 1 ~x1 1 ~x2 <= 1 ;", "BOUNDS 1 : 4 INF", (1, None)),
        ("cover", "rup >= 0 : ;", "BOUNDS 0 : 4 INF", (0, None)),
        ("pigeons", "rup 1 p1_h1 >= 1 ; rup >= 1 ;", "UNSAT", (None, None)),
        ("mixed", "soli x1 x2 x3 ~x4 : -6 ; rup >= 1 ;", "BOUNDS -6 : -1 -6", (-6, -6)),
    ],
)
def test_small_proofs(instance, rules, conclusion, claim):
    text = HEAD3 + rules + END3.format(conclusion)

    if claim is None:
        with pytest.raises(CertificateError, match="no constraint implies the lower bound"):
            verify_veripb(INSTANCES[instance], text)
    else:
        accepted = verify_veripb(INSTANCES[instance], text)
        assert (accepted.lower, accepted.upper) == claim


CORRUPTIONS = [
    # Unchecked, or checked elsewhere only.
    ("cover_pol_v3", "@lb pol", "a 1 x1 >= 1 ;\n@lb pol", "line 4: rule 'a' assumes without proof"),
    ("cover_pol_v2", "@lb pol", "a 1 x1 >= 1 ;\n@lb pol", "line 4: rule 'a' assumes without proof"),
    ("cover_pol_v1", "p 1 2", "a 1 x1 >= 1 ;\np 1 2", "line 4: rule 'a' assumes without proof"),
    ("cover_pol_v3", "@lb pol", "red 1 x1 >= 1 : x1 1 ;\n@lb pol", "'red' is not verified here"),
    ("cover_pol_v3", "@lb pol", "del id 1 ;\n@lb pol", "'del' is not verified here"),
    ("cover_pol_v3", "@lb pol", "obji 2 ;\n@lb pol", "'obji' is not verified here"),
    ("cover_pol_v3", "@lb pol", "@lb p", "line 4: rule 'p' is not verified here"),
    ("cover_pol_v3", "+ 2 d ;", "+ 2 m ;", "operation 'm' is not verified here"),
    (
        "cover_pol_v3",
        "output NONE",
        "output DERIVABLE IMPLICIT",
        "expected NONE, found 'DERIVABLE'",
    ),
    ("cover_pol_v1", "c -1", "v x1 x2 ~x3", "line 7: rule 'v' is not verified here"),
    # The derivation.
    ("cover_pol_v3", "3 + 2 d", "2 + 2 d", "line 6: constraint '@lb' does not imply"),
    ("cover_pol_v3", "3 + 2 d", "3 +", "line 6: constraint '@lb' does not imply"),
    ("cover_pol_v3", "3 + 2 d", "3 + 3 d", "line 6: constraint '@lb' does not imply"),
    ("cover_pol_v3", "3 + 2 d", "3 + 0 d", "cannot apply 0 d"),
    ("cover_pol_v3", "3 + 2 d", "3 + -2 d", "cannot apply -2 d"),
    ("cover_pol_v3", "3 + 2 d", "3 + -2 * 2 d", "cannot apply -2 .$"),
    ("cover_pol_v3", "3 + 2 d", "3 2 d", "line 4: 1 constraints are left over"),
    ("cover_pol_v3", "3 + 2 d", "3 + + 2 d", "an operation finds no constraint to work on"),
    ("cover_pol_v3", "3 + 2 d", "4 + 2 d", "line 4: constraint 4 is not there: there are 3"),
    ("cover_pol_v3", "3 + 2 d", "0 + 2 d", "constraint 0 is not there"),
    ("cover_pol_v3", "3 + 2 d", "-4 + 2 d", "constraint -4 is not there"),
    ("cover_pol_v3", "3 + 2 d", "x4 + 2 d", "'x4' is no known literal, constraint or operation"),
    ("cover_pol_v3", "3 + 2 d", "3 + ~x1 w 2 d", "weakening names a variable, found '~x1'"),
    ("cover_pol_v3", "@e13", "@e14", "line 4: label '@e14' is not defined"),
    ("cover_pol_v3", "@lb pol @e12 @e13 + 3 + 2 d", "@lb pol", "finds no constraint"),
    ("cover_pol_v3", "@lb pol", "@e12 pol", "line 4: label '@e12' is used before"),
    ("cover_pol_v3", "f 3 ;", "@f f 3 ;", "rule 'f' derives nothing to label '@f'"),
    ("cover_pol_v3", "f 3 ;", "f 4 ;", "line 3: f announces 4 constraints, and there are 3"),
    ("cover_pol_v3", "f 3 ;", "f 3 3 ;", "line 3: unexpected '3' after the end"),
    ("cover_pol_v3", "f 3 ;", "f ;", "the text ends where the number of constraints should be"),
    ("mixed_pol_v3", "x4 2 *", "x4 3 *", "line 4: constraint '-1' does not imply"),
    ("mixed_pol_v3", "1 ~x1", "1 x1", "line 4: constraint '-1' does not imply"),
    ("mixed_pol_v3", "1 ~x1 +", "2 ~x1 +", "line 4: constraint '-1' does not imply"),
    # Unit propagation.
    ("cover_rup_v3", "rup 1 x1 >= 1", "rup 1 x2 >= 1", "line 3: unit propagation does not refute"),
    ("cover_rup_v3", "@e13 4 ~", "4 ~", "line 3: unit propagation does not refute"),
    ("cover_rup_v3", "@e13 4 ~", "@e13 9 ~", "constraint 9 is not there"),
    ("cover_rup_v3", "rup 1 x1 >= 1", "rup 1 x1 = 1", "an equation is two constraints"),
    ("cover_rup_v3", "rup 1 x1 >= 1 :", "rup 1 x1 >= 1", "expected :, found '@e12'"),
    ("cover_rup_v3", "rup >= 1 ;", "rup >= 1 2 ;", "expected :, found '2'"),
    ("cover_rup_v3", "rup 1 x1 >= 1", "rup 1 x9 >= 1", "'x9' is no known literal"),
    ("pigeons_rup_v2", "rup >= 1 ; 1 3 5 7 8 -1", "rup >= 1 ; 1 3 5 7 -1", "does not refute"),
    ("pigeons_rup_v2", "u 1 ~p1_h1 >= 1 ;", "u 1 ~p1_h1 >= 1", "ends where ; should be"),
    # Solutions.
    ("cover_pol_v3", "2 : x1 x2 ~x3", "2 : x1 x2 x3", "line 6: the solution reaches 3, not 2"),
    ("cover_pol_v3", "2 : x1 x2 ~x3", "2 : x1 ~x2 ~x3", "the solution breaks constraint 3"),
    ("cover_pol_v3", "2 : x1 x2 ~x3", "2 : x1 x2", "the solution leaves 'x3' open"),
    ("cover_pol_v3", "2 : x1 x2 ~x3", "2 : x1 x2 ~x3 x3", "the solution gives 'x3' twice"),
    ("cover_pol_v3", "2 : x1 x2 ~x3", "2 : x1 x2 ~x4", "'~x4' is no known literal"),
    ("cover_pol_v3", "2 : x1 x2 ~x3", "2", "no solution reaches the objective 2"),
    ("cover_rup_v3", "x1 x2 ~x3 : 2", "x1 x2 ~x3 : 1", "line 2: the solution does not reach 1"),
    (
        "cover_rup_v3",
        "x1 x2 ~x3 : 2",
        "x1 x2 x3",
        "line 3: unit propagation does not refute",
    ),
    (
        "cover_rup_v3",
        "@no1",
        "soli x1 ~x2 x3 ;\n@no1",
        "the solution reaches 2, no better than one",
    ),
    ("cover_pol_v1", "o x1 x2 ~x3", "o x1 ~x2 ~x3", "line 5: the solution breaks constraint 3"),
    ("cover_pol_v1", "o x1 x2 ~x3", "o x1 x2 x3", "line 7: constraint 6 is no contradiction"),
    # Conclusions.
    ("cover_pol_v3", "BOUNDS 2 : @lb 2", "BOUNDS 1 : @lb 1", "the solution reaches 2, not 1"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2", "BOUNDS 3 : @lb 3", "the bound 3 is beyond a solution"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2", "BOUNDS 2 : @lb 1", "the solution reaches 2, not 1"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2", "BOUNDS 3 : @lb 2", r"the range 3\.\.2 is empty"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2", "BOUNDS 2 : 1 2", "constraint '1' does not imply"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2", "BOUNDS 2 : @ub 2", "label '@ub' is not defined"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2", "BOUNDS 2 @lb 2", "a bound .or INF. should be an integer"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2", "BOUNDS INF : @lb 2", r"the range INF\.\.2 is empty"),
    ("cover_pol_v3", "2 : x1 x2 ~x3", "INF : x1 x2 ~x3", "unexpected ':' after the end"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2 : x1 x2 ~x3", "BOUNDS INF : @lb INF", "no contradiction"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2 : x1 x2 ~x3", "BOUNDS INF INF", "no constraint is a contra"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2 : x1 x2 ~x3", "UNSAT : @lb", "'@lb' is no contradiction"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2 : x1 x2 ~x3", "SAT", "no solution was given"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2 : x1 x2 ~x3", "SAT : x1 ~x2 ~x3", "breaks constraint 3"),
    ("cover_pol_v3", "BOUNDS 2 : @lb 2 : x1 x2 ~x3", "NONE of these", "unexpected 'of' after"),
    ("cover_pol_v3", "conclusion BOUNDS", "conclusion LIMITS", "'LIMITS' is not one of NONE, SAT"),
    ("cover_rup_v3", "BOUNDS 2 : -1 2", "BOUNDS 3 : -1 INF", "the bound 3 is beyond a solution"),
    ("cover_rup_v3", "BOUNDS 2 : -1 2", "UNSAT : -1", "infeasibility is claimed, and a solution"),
    ("pigeons_pol_v3", "UNSAT : -1", "BOUNDS 2 : -1 INF", "and there is no objective"),
    ("pigeons_pol_v3", "UNSAT : -1", "SAT", "no solution was given"),
    ("pigeons_pol_v3", "8 + ;", "8 + ; soli p1_h1 ;", "the solution leaves 'p1_h2' open"),
    ("pigeons_pol_v1", "c 9", "c 8", "line 4: constraint 8 is no contradiction"),
    ("pigeons_pol_v1", "c 9", "c 10", "line 4: constraint 10 is not there"),
    ("pigeons_pol_v1", "c 9", "c 9 9", "line 4: unexpected '9' after the end"),
    ("pigeons_pol_v1", "c 9", "", "line 3: the proof ends, and no contradiction was shown by c"),
    # The frame.
    ("cover_pol_v3", "version 3.0", "version 3.1", "line 1: version 3.1 is not one of"),
    ("cover_pol_v3", "version 3.0", "version 2.0", "line 2: rule '%' is not verified here"),
    (
        "cover_pol_v3",
        "version 3.0",
        "version three",
        "line 1: expected pseudo-Boolean proof version",
    ),
    ("cover_pol_v2", "version 2.0", "version 1.2", "line 4: rule '@lb' is not verified here"),
    ("cover_pol_v1", "version 1.2", "version 2.0", "line 3: unexpected '0' after the end"),
    ("cover_pol_v1", "f 3 0\n", "", "line 3: rule 'p' comes before f"),
    ("cover_pol_v3", "output NONE ;\n", "", "rule 'conclusion' is not verified here"),
    ("cover_pol_v3", "end pseudo-Boolean proof ;", "", "line 6: the proof ends without its last"),
    ("cover_pol_v3", "proof ;", "proof ; f 3 ;", "line 7: text follows the end of the proof"),
    ("cover_pol_v3", "proof ;", "proof", "line 7: the text ends before ';'"),
    ("cover_pol_v3", "end pseudo", "end of pseudo", "expected pseudo-Boolean, found 'of'"),
    ("cover_pol_v2", "end pseudo-Boolean proof", "", "the proof ends without its last line"),
    ("cover_pol_v3", "f 3 ;", "f 3 ; ;", "line 3: nothing stands before ';'"),
    ("cover_pol_v3", "f 3 ;", "f \uff13 ;", "character U.FF13 is not plain ASCII"),
]


@pytest.mark.parametrize(("name", "old", "new", "reason"), CORRUPTIONS)
def test_corrupted_proofs_are_refused(name, old, new, reason):
    head, _, body = PROOFS[name].partition("\n")
    changed = (
        head.replace(old, new) + "\n" + body
        if old in head
        else head + "\n" + body.replace(old, new, 1)
    )
    assert changed != PROOFS[name]

    with pytest.raises(CertificateError, match=reason) as refusal:
        verify_veripb(instance_of(name), changed)
    assert str(refusal.value).startswith("VeriPB, line ")


def test_nothing_improves_where_there_is_no_objective():
    instance = "* #variable= 1 #constraint= 1\n1 x1 >= 0 ;"

    with pytest.raises(CertificateError, match="line 2: there is no objective to improve"):
        verify_veripb(instance, HEAD3 + "soli x1 ;" + END3.format("SAT"))
    assert verify_veripb(instance, HEAD3 + "sol x1 ;" + END3.format("SAT")).claim == "SAT"
    assert verify_veripb(
        instance, HEAD2 + "sol x1\noutput NONE\nconclusion SAT\nend pseudo-Boolean proof"
    )


@pytest.mark.parametrize("name", PROOFS)
def test_truncated_proofs_are_refused(name):
    lines = PROOFS[name].splitlines()
    for length in range(len(lines)):
        with pytest.raises(CertificateError):
            verify_veripb(instance_of(name), "\n".join(lines[:length]))


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_of_another_value_is_refused(name):
    with pytest.raises(CertificateError, match="not the value 1"):
        verify_veripb(instance_of(name), PROOFS[name], value=1)


@pytest.mark.parametrize("name", ["cover_pol_v3", "mixed_pol_v3", "pigeons_pol_v3"])
def test_a_proof_about_another_instance_is_refused(name):
    for instance, text in INSTANCES.items():
        if instance != name.split("_")[0]:
            with pytest.raises(CertificateError):
                verify_veripb(text, PROOFS[name])


VERSIONS = ("3.0", "2.0", "1.2", "1.0")
# Two of three sets are needed, and a fourth variable counts how many beyond one are taken.
COVER = PbProgram(
    names=("x1", "x2", "x3", "x4"),
    objective={0: 2, 1: 2, 2: 2, 3: -1},
    rows=(
        PbRow({0: 1, 1: 1}, 1),
        PbRow({0: 1, 2: 1}, 1),
        PbRow({0: -1, 1: -1, 2: -1, 3: 1}, -1, True),
        PbRow({1: 1, 2: 1}, 1),
    ),
)
WEIGHTS = {0: 1, 1: 1, 2: -2, 3: 1}
BEST = (True, True, False, True)


@pytest.mark.parametrize("version", VERSIONS)
def test_written_bounds_are_accepted(version):
    text = write_bound_proof(COVER, WEIGHTS, 3, BEST, divisor=2, version=version)

    assert verify_veripb(write_opb(COVER), text, value=3).version == version
    with pytest.raises(CertificateError):
        verify_veripb(write_opb(COVER), text.replace(" 2 d", " 3 d"))


@pytest.mark.parametrize("version", VERSIONS)
def test_written_refutations_are_accepted(version):
    rows = (*COVER.rows, PbRow({0: -1, 1: -1, 2: -1}, -1))
    for objective in (COVER.objective, None):
        program = PbProgram(names=COVER.names, rows=rows, objective=objective)
        text = write_refutation(program, {0: 1, 1: 1, 3: 1, 4: 2}, version=version)

        assert verify_veripb(write_opb(program), text).infeasible


@pytest.mark.parametrize("version", VERSIONS)
def test_a_bound_of_nothing_is_accepted(version):
    program = PbProgram(names=("x1",), objective={}, rows=())

    text = write_bound_proof(program, {}, 0, (False,), version=version)

    assert verify_veripb(write_opb(program), text, value=0)


def test_what_cannot_be_a_proof_is_not_written():
    with pytest.raises(CertificateError, match="row 0 is no equation, and its weight is -1"):
        write_bound_proof(COVER, {0: -1}, 3, BEST)
    with pytest.raises(CertificateError, match="version '4.0' is not one of"):
        write_bound_proof(COVER, {0: 1}, 3, BEST, version="4.0")
    with pytest.raises(CertificateError, match="divisor 0"):
        write_refutation(COVER, {0: 1}, divisor=0)
    with pytest.raises(CertificateError, match="no objective"):
        write_bound_proof(PbProgram(names=(), rows=()), {}, 0, ())


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_once_read_can_be_checked_again(name):
    instance, proof = read_opb(instance_of(name)), read_veripb(PROOFS[name])

    assert check_veripb(instance, proof) == check_veripb(instance, proof)
