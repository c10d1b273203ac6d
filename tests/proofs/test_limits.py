"""Files made to keep a checker busy: each is refused at a limit that depends on no clock."""

import pytest

from mjopt.analysis.formats import check_opb, check_vipr_text
from mjopt.errors import CertificateError
from mjopt.proofs import Limits, check_native, read_native, verify_veripb, verify_vipr
from mjopt.proofs.native_schema import tile_set

END = "output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
ALL = " ".join(f"1 x{i + 1}" for i in range(400))
DENSE = f"* #variable= 400 #constraint= 1\n{ALL} >= 1;"
NINES = "9" * 599


def proof(rules: str) -> str:
    return f"pseudo-Boolean proof version 3.0\nf 1 ;\n{rules}\n{END}"


def vipr(rows: list[str], rest: str, variables: int = 200) -> str:
    names = " ".join(f"x{i}" for i in range(variables))
    head = f"VER 1.1 VAR {variables} {names} INT 0 OBJ min 1 0 1"
    return f"{head} CON {len(rows)} 0 {' '.join(rows)} RTP range -inf inf {rest}"


PRIMES = [n for n in range(2, 3000) if all(n % k for k in range(2, int(n**0.5) + 1))][:200]
MIXED = " ".join(f"{i} 1/{p}{'0' * 30}1" for i, p in enumerate(PRIMES))
ONES = " ".join(f"{i} 1" for i in range(200))
CHAIN = " ".join(
    f"a{i} G 0 0 {{ asm }} -1 l{i} G 0 0 {{ lin 2 {max(0, 2 * i - 1)} 1 {2 * i} 1 }} -1"
    if i
    else "a0 G 0 0 { asm } -1 l0 G 0 0 { lin 1 0 1 } -1"
    for i in range(400)
)
BUSY_VIPR = {
    "sums of fractions at a point": (
        vipr([f"r G 0 200 {MIXED}"], f"SOL 1 s 200 {ONES} DER 0"),
        ("digits", Limits(digits=1000)),
    ),
    "sums of fractions in a derivation": (
        vipr(
            [f"r{i} G 0 1 0 1/{p}{'0' * 30}1" for i, p in enumerate(PRIMES)],
            f"SOL 0 DER 1 d G 0 0 {{ lin 200 {ONES} }} -1",
        ),
        ("digits", Limits(digits=1000)),
    ),
    "every point against every row": (
        vipr(["r G 0 0"], "SOL 500 " + " ".join(f"s{i} 0" for i in range(500)) + " DER 0"),
        ("steps", Limits(steps=800)),
    ),
    "assumptions that pile up": (
        vipr([], f"SOL 0 DER 800 {CHAIN}"),
        ("terms", Limits(terms=50_000)),
    ),
    "a long objective named in every line": (
        vipr(["r G 0 0"], "SOL 0 DER 90 " + " ".join(f"d{i} G 0 OBJ {{ lin 0 }} -1"
             for i in range(90))).replace("min 1 0 1", f"min 200 {ONES}"),
        ("steps", Limits(steps=150)),
    ),
}  # fmt: skip
BUSY_VERIPB = {
    "numbers that grow by each line": (
        "pol 1 ;\n" + f"pol -1 {NINES} * ;\n" * 9,
        ("digits", Limits()),
    ),
    "numbers that grow within a line": (f"pol 1 {f'{NINES} * ' * 9};", ("digits", Limits())),
    "right sides that grow": (f"pol x1 s {f'1 + {NINES} * ' * 9};", ("digits", Limits())),
    "copies on the stack": (f"pol {'1 ' * 700};", ("terms", Limits())),
    "axioms on the stack": (f"pol {'x1 ' * 800};", ("terms", Limits(terms=1000))),
    "rows kept": ("pol 1 ;\n" * 700, ("terms", Limits())),
    "long numbers kept": (
        f"pol 1 {f'{NINES} * ' * 3};\n" * 6,
        ("terms", Limits(terms=40_000)),
    ),
    "the same hint again and again": (
        f"rup 1 x1 >= 0 : {'1 ' * 9} ;\n" * 99,
        ("steps", Limits(steps=40_000)),
    ),
    "propagation": (f"rup {ALL} >= 1 ;\n" * 60, ("steps", Limits(steps=40_000))),
    "solutions": (
        f"sol {' '.join(f'x{i + 1}' for i in range(400))} ;\n" * 60,
        ("steps", Limits(steps=40_000)),
    ),
}


@pytest.mark.parametrize("name", BUSY_VIPR)
def test_busy_vipr(name):
    text, (limit, limits) = BUSY_VIPR[name]
    with pytest.raises(CertificateError, match=rf"past the limit of .* \(--limit {limit}="):
        verify_vipr(text, limits=limits)


@pytest.mark.parametrize("name", BUSY_VERIPB)
def test_busy_veripb(name):
    rules, (limit, limits) = BUSY_VERIPB[name]
    with pytest.raises(CertificateError, match=rf"past the limit of .* \(--limit {limit}="):
        verify_veripb(DENSE, proof(rules), limits=limits)


def test_what_is_taken_from_the_stack_is_no_longer_kept():
    """Sums one after the other need little, however many there are."""
    rules = f"pol 1 {'1 + ' * 60};"
    verify_veripb(DENSE, proof(rules), limits=Limits(terms=900))
    with pytest.raises(CertificateError, match="terms kept"):
        verify_veripb(DENSE, proof(rules), limits=Limits(terms=700))


def test_repeated_hints_count_once():
    verify_veripb(DENSE, proof(f"rup 1 x1 >= 0 : {'1 ' * 5000} ;"), limits=Limits(steps=3000))


def test_a_limit_can_be_raised():
    text, _ = BUSY_VIPR["sums of fractions at a point"]
    assert check_vipr_text(text, Limits(digits=9000))[0].lower is None
    rules, _ = BUSY_VERIPB["numbers that grow by each line"]
    assert check_opb(DENSE, proof(rules), Limits(digits=9000))[0].num_derivations == 10


def test_enormous_tile_sets_and_documents():
    suits = [
        {"letter": chr(0x430 + i), "name": "", "ranks": list(range(1, 10)), "has_chows": True}
        for i in range(34)
    ]
    with pytest.raises(CertificateError, match="more than 300 kinds"):
        tile_set({"name": "x", "suits": suits})
    assert tile_set({"name": "x", "suits": suits[:32]}).num_kinds == 288
    with pytest.raises(CertificateError, match=r"past the limit of 9 bytes in one JSON document"):
        read_native('{"a": [1, 2]}', Limits(line=9))
    with pytest.raises(CertificateError, match="not JSON"):
        check_native(read_native(f'{{"called": {"9" * 5000}}}'))


def test_numbers_are_not_read_where_python_would(monkeypatch):
    """An interpreter may be told to read integers of any length, which takes its time."""
    monkeypatch.setattr("sys.get_int_max_str_digits", lambda: 0)
    with pytest.raises(CertificateError, match="a number of more than 600 digits"):
        read_native(f'{{"called": {"9" * 601}}}')
    assert read_native(f'{{"called": {"9" * 600}}}')
