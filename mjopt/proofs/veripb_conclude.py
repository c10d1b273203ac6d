"""The conclusion of a VeriPB proof, weighed against what the proof established."""

from typing import NamedTuple

from mjopt.proofs.at_least import AtLeast, contradicts, implies
from mjopt.proofs.veripb_state import ProofState
from mjopt.proofs.words import Words, quote, show


class Conclusion(NamedTuple):
    """A claim that holds, and the constraint that settles it."""

    claim: str
    infeasible: bool = False
    lower: int | None = None
    upper: int | None = None
    final: str = ""


def conclude(words: Words, state: ProofState) -> Conclusion:
    """Verify ``conclusion ...``, of formats 2.0 and 3.0."""
    words.keyword("conclusion")
    claim = words.next("a conclusion")
    if claim == "NONE":
        words.end()
        return Conclusion(claim)
    if claim == "SAT":
        if _has_hint(words):
            state.assignment(words)
        words.end()
        if not state.is_satisfied:
            words.refuse("SAT is claimed, and no solution was given")
        return Conclusion(claim)
    if claim == "UNSAT":
        return Conclusion(claim, infeasible=True, final=_refuted(words, state, _hint(words)))
    if claim != "BOUNDS":
        words.refuse(f"conclusion {quote(claim)} is not one of NONE, SAT, UNSAT, BOUNDS")
    return _bounds(words, state)


def conclude_old(state: ProofState, last: Words) -> Conclusion:
    """Return what a proof of format 1.x shows: nothing beats its best solution, if any."""
    if not state.contradiction:
        last.refuse("the proof ends, and no contradiction was shown by c")
    if not state.is_satisfied:
        return Conclusion("UNSAT", infeasible=True, final=state.contradiction)
    return Conclusion("BOUNDS", lower=state.best, upper=state.best, final=state.contradiction)


def _bounds(words: Words, state: ProofState) -> Conclusion:
    """Verify ``BOUNDS lower [: constraint] upper [: solution]``."""
    if state.program.objective is None:
        words.refuse("bounds are claimed, and there is no objective")
    lower, hint = _bound(words), _hint(words)
    upper = _bound(words)
    if upper is not None and _has_hint(words):
        reached = state.assignment(words)
        if reached is not None and reached > upper:
            words.refuse(f"the solution reaches {show(reached)}, not {show(upper)}")
    words.end()
    if lower is None:
        if upper is not None:
            words.refuse(f"the range INF..{show(upper)} is empty")
        return Conclusion("BOUNDS", infeasible=True, final=_refuted(words, state, hint))
    if upper is not None and lower > upper:
        words.refuse(f"the range {show(lower)}..{show(upper)} is empty")
    if upper is not None and (state.best is None or state.best > upper):
        words.refuse(f"no solution reaches the objective {show(upper)}")
    if state.best is not None and state.best < lower:
        words.refuse(
            f"the bound {show(lower)} is beyond a solution that reaches {show(state.best)}"
        )
    goal = state.program.at_least(lower)
    final = _settling(words, state, hint, goal)
    return Conclusion("BOUNDS", lower=lower, upper=upper, final=final)


def _settling(words: Words, state: ProofState, hint: str, goal: AtLeast) -> str:
    """Return the constraint that implies the lower bound, by the hint or by looking."""
    if hint:
        if not implies(state.find(hint, words), goal):
            words.refuse(f"constraint {quote(hint)} does not imply the lower bound")
        return _called(hint, state, words)
    if goal.degree <= 0:
        return ""
    newest_first = range(len(state.rows), 0, -1)
    found = next((n for n in newest_first if implies(state.rows[n - 1], goal)), None)
    if found is None:
        words.refuse("no constraint implies the lower bound")
    return str(found)


def _refuted(words: Words, state: ProofState, hint: str) -> str:
    """Return the contradiction that shows that nothing is feasible."""
    words.end()
    if state.is_satisfied:
        words.refuse("infeasibility is claimed, and a solution was given")
    if hint:
        if not contradicts(state.find(hint, words)):
            words.refuse(f"constraint {quote(hint)} is no contradiction")
        return _called(hint, state, words)
    newest_first = range(len(state.rows), 0, -1)
    found = next((n for n in newest_first if contradicts(state.rows[n - 1])), None)
    if found is None:
        words.refuse("no constraint is a contradiction")
    return str(found)


def _called(hint: str, state: ProofState, words: Words) -> str:
    """Return the label of a constraint, or its number counted from the start."""
    return hint if hint.startswith("@") else str(state.number(hint, words))


def _has_hint(words: Words) -> bool:
    """Step over the colon before a hint, if it is there."""
    if words.at < len(words.words) and words.words[words.at] == ":":
        words.at += 1
        return True
    return False


def _hint(words: Words) -> str:
    """Read ``: constraint``, if it is there."""
    return words.next("a constraint") if _has_hint(words) else ""


def _bound(words: Words) -> int | None:
    """Read an integer, or INF as None."""
    if words.at < len(words.words) and words.words[words.at] == "INF":
        words.at += 1
        return None
    return words.integer("a bound (or INF)")
