"""VeriPB proofs over OPB instances verified rule by rule, with no solver."""

from mjopt.errors import CertificateError
from mjopt.proofs.accepted import Accepted
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.opb_read import OpbInstance, read_opb
from mjopt.proofs.veripb_conclude import Conclusion, conclude, conclude_old
from mjopt.proofs.veripb_read import VeripbProof, read_veripb
from mjopt.proofs.veripb_state import ProofState
from mjopt.proofs.words import Words, quote

# What each major version may use of the rules verified here, by the name of the newest.
_RULES = {
    1: {"f": "f", "p": "pol", "pol": "pol", "u": "rup", "rup": "rup", "o": "soli", "c": "c"},
    2: {
        "f": "f",
        "p": "pol",
        "pol": "pol",
        "u": "rup",
        "rup": "rup",
        "o": "soli",
        "soli": "soli",
        "sol": "sol",
    },
    3: {"f": "f", "pol": "pol", "rup": "rup", "soli": "soli", "sol": "sol"},
}
_DERIVING = ("pol", "rup", "soli")


def verify_veripb(
    instance: str, proof: str, *, value: int | None = None, limits: Limits = LIMITS
) -> Accepted:
    """Verify a VeriPB proof of formats 1.0 to 3.0 about an OPB instance.

    The rules verified are ``pol`` (sums, multiples, division, saturation, weakening, literal
    axioms), ``rup``, ``soli``, ``sol``, ``f`` and, in the old formats, ``c``; every other rule is
    refused, above all the unchecked assumption ``a``. Solutions must be full assignments.

    Parameters
    ----------
    instance
        The instance, OPB text.
    proof
        The proof.
    value
        The optimum it must prove, both bounds; None accepts whatever it proves.
    limits
        How much is read, computed and kept at most.

    Raises
    ------
    CertificateError
        At the first line that is not proved, naming it and the reason; or past a limit.

    Examples
    --------
    >>> instance = '''* #variable= 2 #constraint= 2
    ... min: 1 x1 1 x2 ;
    ... 1 x1 1 x2 >= 1 ;
    ... 1 x1 1 ~x2 >= 1 ;'''
    >>> proof = '''pseudo-Boolean proof version 3.0
    ... f 2 ;
    ... @lb pol 1 2 + 2 d x2 + ;
    ... output NONE ;
    ... conclusion BOUNDS 1 : @lb 1 : x1 ~x2 ;
    ... end pseudo-Boolean proof ;'''
    >>> verify_veripb(instance, proof, value=1).final
    '@lb'
    >>> verify_veripb(instance, proof.replace("BOUNDS 1", "BOUNDS 2"))
    Traceback (most recent call last):
    mjopt.errors.CertificateError: VeriPB, line 5: the range 2..1 is empty
    """
    accepted = check_veripb(read_opb(instance, limits), read_veripb(proof, limits), limits)
    accepted.demand(value)
    return accepted


def check_veripb(instance: OpbInstance, proof: VeripbProof, limits: Limits = LIMITS) -> Accepted:
    """Verify what a VeriPB proof says about an instance; see `verify_veripb`."""
    state = ProofState(instance, limits)
    statements = list(proof.statements)
    conclusion: Conclusion | None = None
    loaded = proof.major > 1
    for position, words in enumerate(statements):
        words.at = 0
        if words.words[0] == "output" and proof.major > 1:
            conclusion = _footer(statements[position:], state)
            break
        rule = _apply(words, state, proof.major, loaded=loaded)
        loaded = loaded or rule == "f"
    if conclusion is None:
        if not statements or proof.major > 1:
            raise CertificateError("VeriPB: the proof ends without a conclusion")
        conclusion = conclude_old(state, statements[-1])
    return Accepted(
        format="VeriPB",
        version=proof.version,
        claim=conclusion.claim,
        num_variables=len(state.program.names),
        num_constraints=state.num_input,
        num_derivations=len(state.rows) - state.num_input,
        infeasible=conclusion.infeasible,
        lower=conclusion.lower,
        upper=conclusion.upper,
        final=conclusion.final,
    )


def _apply(words: Words, state: ProofState, major: int, *, loaded: bool) -> str:
    """Verify one rule; return its name in the newest format."""
    label = ""
    if words.words[0].startswith("@") and major > 1:
        label = words.next("a label")
    given = words.next("a rule")
    rule = _RULES[major].get(given, "")
    if given == "a":
        words.refuse("rule 'a' assumes without proof")
    if not rule:
        words.refuse(f"rule {quote(given)} is not verified here")
    if not loaded and rule != "f":
        words.refuse(f"rule {quote(given)} comes before f")
    if label and rule not in _DERIVING:
        words.refuse(f"rule {quote(given)} derives nothing to label {quote(label)}")
    if rule == "f":
        state.count_formula(words)
    elif rule == "pol":
        state.polish(words)
    elif rule == "rup":
        state.propagate(words, ":" if major > 2 else ";")
    elif rule == "c":
        state.contradict(words)
    else:
        state.solution(words, improve=rule == "soli")
    if label:
        state.name(label, words)
    return rule


def _footer(statements: list[Words], state: ProofState) -> Conclusion:
    """Verify the last three statements: output, conclusion, end."""
    output, *rest = statements
    for words in rest:
        words.at = 0
    output.keyword("output", "NONE")
    output.end()
    if not rest:
        output.refuse("the proof ends without a conclusion")
    conclusion = conclude(rest[0], state)
    if len(rest) < 2:
        rest[0].refuse("the proof ends without its last line")
    rest[1].keyword("end", "pseudo-Boolean", "proof")
    rest[1].end()
    if len(rest) > 2:
        rest[2].refuse("text follows the end of the proof", 0)
    return conclusion
