"""The five reasons of a VIPR derivation, each verified exactly."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor

from mjopt.proofs.limits import Budget
from mjopt.proofs.mixed_program import AT_LEAST, AT_MOST, EQUAL, SIGNS, Row, dominates
from mjopt.proofs.vipr_file import Derivation, ViprFile
from mjopt.proofs.words import Rational, quote, show


def verify_step(
    file: ViprFile,
    step: Derivation,
    rows: list[Row],
    open_assumptions: list[frozenset[int]],
    best: Rational | None,
    budget: Budget,
) -> frozenset[int]:
    """Verify one derivation and return the assumptions under which its row holds."""
    here = len(rows)
    cited = [*step.multipliers, *(index for case in step.cases for index in case)]
    budget.spend(1 + len(step.row.terms) + sum([1 + len(rows[index].terms) for index in cited]))
    _refuse_expired(file, step, cited, here)
    if step.reason == "asm":
        return frozenset({here})
    if step.reason == "sol":
        _check_cutoff(file, step, best)
        return frozenset()
    if step.reason == "uns":
        _check_split(file, step, rows)
        left = [open_assumptions[row] for row, _ in step.cases]
        budget.spend(sum(map(len, left)))
        pending = [found - {case} for found, (_, case) in zip(left, step.cases, strict=True)]
        return _open(pending, budget)
    derived = _combine(file, step, rows, budget)
    if step.reason == "rnd":
        derived = _round(file, step, derived)
    if not dominates(derived, step.row):
        file.words.refuse(
            f"{quote(step.row.name)} does not follow: {_gap(file, derived, step)}", step.at
        )
    return _open([open_assumptions[index] for index in cited if open_assumptions[index]], budget)


def _open(pending: list[frozenset[int]], budget: Budget) -> frozenset[int]:
    """Return all assumptions of several rows."""
    if not pending:
        return frozenset()
    budget.spend(sum(map(len, pending)))
    found = frozenset().union(*pending)
    budget.keep(len(found))
    return found


def _refuse_expired(file: ViprFile, step: Derivation, cited: Iterable[int], here: int) -> None:
    """Refuse a row cited after the last use that the file itself announced for it."""
    num_rows = len(file.program.rows)
    for index in cited:
        if index >= num_rows:
            source = file.derivations[index - num_rows]
            if 0 <= source.last_use < here:
                file.words.refuse(
                    f"{quote(step.row.name)} uses {quote(source.row.name)} after its last use,"
                    f" {source.last_use}",
                    step.at,
                )


def _combine(file: ViprFile, step: Derivation, rows: list[Row], budget: Budget) -> Row:
    """Return the linear combination of rows; all must pull the same way."""
    terms: defaultdict[int, Rational] = defaultdict(int)
    rhs: Rational = 0
    sense = EQUAL
    for index, multiplier in step.multipliers.items():
        row = rows[index]
        if row.sense:
            pull = row.sense if multiplier > 0 else -row.sense
            if pull == -sense:
                file.words.refuse(
                    f"{quote(step.row.name)}: the multiplier {show(multiplier)} of"
                    f" {quote(row.name)} has the wrong sign",
                    step.at,
                )
            sense = pull
        rhs += multiplier * row.rhs
        if type(rhs) is not int:
            budget.weigh(rhs)
        for variable, coefficient in row.terms.items():
            total = terms[variable] = terms[variable] + multiplier * coefficient
            if type(total) is not int:  # integers are as long as what is read, and sums of it
                budget.weigh(total)
    return Row("", sense, rhs, {variable: total for variable, total in terms.items() if total})


def _round(file: ViprFile, step: Derivation, row: Row) -> Row:
    """Return the row with its right-hand side rounded; only whole left-hand sides allow it."""
    name = quote(step.row.name)
    if row.sense == EQUAL:
        file.words.refuse(f"{name} rounds an equation", step.at)
    for variable, coefficient in row.terms.items():
        label = quote(file.program.variables[variable])
        if variable not in file.program.integers:
            file.words.refuse(f"{name} is rounded over the continuous variable {label}", step.at)
        if coefficient.denominator != 1:
            file.words.refuse(
                f"{name} is rounded with the coefficient {show(coefficient)} of {label}", step.at
            )
    rhs = ceil(row.rhs) if row.sense == AT_LEAST else floor(row.rhs)
    return Row("", row.sense, rhs, row.terms)


def _check_split(file: ViprFile, step: Derivation, rows: list[Row]) -> None:
    """Verify that both cases settle the row, and that one of the two must hold."""
    name = quote(step.row.name)
    for index, assumption in step.cases:
        if not dominates(rows[index], step.row):
            file.words.refuse(
                f"{name} does not follow from its case {quote(rows[index].name)}", step.at
            )
        place = assumption - len(file.program.rows)
        if place < 0 or file.derivations[place].reason != "asm":
            file.words.refuse(
                f"{name} discharges {quote(rows[assumption].name)}, no assumption", step.at
            )
    first, second = (rows[assumption] for _, assumption in step.cases)
    down, up = (first, second) if first.sense == AT_MOST else (second, first)
    exhaustive = (
        (down.sense, up.sense) == (AT_MOST, AT_LEAST)
        and down.terms == up.terms
        and file.program.is_integral(down.terms)
        and down.rhs.denominator == 1
        and up.rhs == down.rhs + 1
    )
    if not exhaustive:
        file.words.refuse(
            f"{name}: {quote(first.name)} and {quote(second.name)} are not"
            " x <= k and x >= k + 1 over integer variables",
            step.at,
        )


def _check_cutoff(file: ViprFile, step: Derivation, best: Rational | None) -> None:
    """Verify a row that asks for no worse than the best solution (better, where that is whole).

    Rows that rest on it hold where the objective is better only, which is why a lower bound
    above the best solution is refused at the end.
    """
    program, row, name = file.program, step.row, quote(step.row.name)
    if best is None:
        file.words.refuse(f"{name} cites a solution, and the file has none", step.at)
    if row.terms != program.objective or row.sense != (AT_MOST if program.minimise else AT_LEAST):
        file.words.refuse(f"{name} cites a solution, and does not limit the objective", step.at)
    gain = int(program.objective_is_integral and best.denominator == 1)
    slack = row.rhs - (best - gain) if program.minimise else (best + gain) - row.rhs
    if slack < 0:
        file.words.refuse(f"{name} asks for better than the best solution, {show(best)}", step.at)


def _gap(file: ViprFile, derived: Row, step: Derivation) -> str:
    """Say where the row that the reason gives misses the row that the file states."""
    row = step.row
    for variable in sorted({*derived.terms, *row.terms}):
        ours, theirs = derived.terms.get(variable, 0), row.terms.get(variable, 0)
        if ours != theirs:
            label = quote(file.program.variables[variable])
            return f"the coefficient of {label} comes to {show(ours)}, not {show(theirs)}"
    ours_side = f"{SIGNS[derived.sense]} {show(Fraction(derived.rhs))}"
    return f"the right side comes to {ours_side}, not {SIGNS[row.sense]} {show(row.rhs)}"
