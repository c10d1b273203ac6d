"""VIPR certificates verified line by line in exact arithmetic, with no solver."""

from mjopt.proofs.accepted import Accepted
from mjopt.proofs.limits import LIMITS, Budget, Limits
from mjopt.proofs.mixed_program import AT_LEAST, AT_MOST, SIGNS, Row, absurd, dominates
from mjopt.proofs.vipr_file import ViprFile
from mjopt.proofs.vipr_read import read_vipr
from mjopt.proofs.vipr_reasons import verify_step
from mjopt.proofs.words import Rational, quote, show


def verify_vipr(text: str, *, value: Rational | None = None, limits: Limits = LIMITS) -> Accepted:
    """Verify a VIPR 1.0 or 1.1 certificate of any mixed-integer program.

    Parameters
    ----------
    text
        The certificate.
    value
        The optimum it must prove, both bounds; None accepts whatever it proves.
    limits
        How much is read, computed and kept at most.

    Returns
    -------
    Accepted
        What has been proved about the program *in the file*. That this is the program one had
        in mind is for the caller to compare (``read_vipr(text).program``).

    Raises
    ------
    CertificateError
        At the first line that is not proved, naming it and the reason; or past a limit.

    Examples
    --------
    >>> text = '''VER 1.0
    ... VAR 1 x
    ... INT 1 0
    ... OBJ min 1 0 1
    ... CON 1 0  need G 3 1 0 2
    ... RTP range 2 2
    ... SOL 1  best 1 0 2
    ... DER 1  bound G 2 OBJ { rnd 1 0 1/2 } -1'''
    >>> verify_vipr(text, value=2).final
    'bound'
    >>> verify_vipr(text.replace("INT 1 0", "INT 0"))
    Traceback (most recent call last):
    mjopt.errors.CertificateError: VIPR, line 8: 'bound' is rounded over the continuous
    variable 'x'
    """
    accepted = check_vipr(read_vipr(text, limits), limits)
    accepted.demand(value)
    return accepted


def check_vipr(file: ViprFile, limits: Limits = LIMITS) -> Accepted:
    """Verify what a VIPR file says; see `verify_vipr`."""
    budget = Budget(limits, "VIPR")
    best = _best_objective(file, budget)
    rows = list(file.program.rows)
    open_assumptions = [frozenset[int]()] * len(rows)
    for step in file.derivations:
        open_assumptions.append(verify_step(file, step, rows, open_assumptions, best, budget))
        rows.append(step.row)
    final = _settle(file, rows, open_assumptions, best)
    return Accepted(
        format="VIPR",
        version=file.version,
        claim="infeas" if file.claim.infeasible else "range",
        num_variables=len(file.program.variables),
        num_constraints=len(file.program.rows),
        num_derivations=len(file.derivations),
        infeasible=file.claim.infeasible,
        lower=file.claim.lower,
        upper=file.claim.upper,
        final=final,
    )


def _best_objective(file: ViprFile, budget: Budget) -> Rational | None:
    """Verify every solution and return the best objective among them."""
    objectives: list[Rational] = []
    for solution in file.solutions:
        fault = file.program.fault(solution.values, budget)
        if fault:
            file.words.refuse(f"solution {quote(solution.name)}: {fault}", solution.at)
        objectives.append(file.program.evaluate(solution.values, budget))
    if not objectives:
        return None
    return min(objectives) if file.program.minimise else max(objectives)


def _settle(
    file: ViprFile,
    rows: list[Row],
    open_assumptions: list[frozenset[int]],
    best: Rational | None,
) -> str:
    """Verify the claim from the last row and the solutions; return the row that settles it."""
    claim, program, words = file.claim, file.program, file.words
    if claim.infeasible and best is not None:
        words.refuse("infeasibility is claimed, and a solution is given", file.solutions[0].at)
    proved, reached = claim.lower, claim.upper
    if not program.minimise:
        proved, reached = claim.upper, claim.lower
    if reached is not None and (best is None or _better(reached, best, program.minimise)):
        found = "none is given" if best is None else f"the best reaches {show(best)}"
        words.refuse(f"no solution reaches the objective {show(reached)}: {found}", file.claim_at)
    if proved is not None and best is not None and _better(best, proved, program.minimise):
        words.refuse(
            f"the bound {show(proved)} is beyond the solution that reaches {show(best)}",
            file.claim_at,
        )
    if not claim.infeasible and proved is None:
        return ""
    if not file.derivations:
        words.refuse("nothing is derived, so the claim is not proved", file.claim_at)
    last, at = file.derivations[-1].row, file.derivations[-1].at
    if open_assumptions[-1]:
        guess = rows[min(open_assumptions[-1])].name
        words.refuse(f"the last row {quote(last.name)} rests on the assumption {quote(guess)}", at)
    if claim.infeasible and not absurd(last):
        words.refuse(f"the last row {quote(last.name)} is no contradiction", at)
    if proved is not None:
        goal = Row("", AT_LEAST if program.minimise else AT_MOST, proved, program.objective)
        if not dominates(last, goal):
            sign = SIGNS[goal.sense]
            words.refuse(f"the last row {quote(last.name)} is not OBJ {sign} {show(proved)}", at)
    return last.name


def _better(one: Rational, other: Rational, minimise: bool) -> bool:
    """Say whether one objective is strictly better than another."""
    return one < other if minimise else one > other
