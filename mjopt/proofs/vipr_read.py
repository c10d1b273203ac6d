"""VIPR 1.0 and 1.1 text into a record: the grammar, every count and every index."""

from collections.abc import Sequence

from mjopt.errors import CertificateError
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.mixed_program import SENSES, MixedProgram, Row
from mjopt.proofs.vipr_file import VERSIONS, Claim, Derivation, Solution, ViprFile
from mjopt.proofs.words import Rational, Words, line_finder, quote, refuse_foreign, show


def read_vipr(text: str, limits: Limits = LIMITS) -> ViprFile:
    """Read a VIPR certificate without checking its proof.

    Raises
    ------
    CertificateError
        If the text is not in the format: a wrong count, an index out of range or named twice,
        a decimal, text after the end, more than the limits allow. The message names the line.

    References
    ----------
    .. [1] Cheung, Gleixner and Steffy (2017), "Verifying integer programming results", IPCO.

    Examples
    --------
    >>> file = read_vipr('''VER 1.1
    ... VAR 1 x
    ... INT 1 0
    ... OBJ min 1 0 1
    ... CON 1 0  need G 3 1 0 2
    ... RTP range 2 inf
    ... SOL 0
    ... DER 1  bound G 2 OBJ { rnd 1 0 1/2 } -1''')
    >>> file.program.rows[0].rhs, file.claim.lower, file.derivations[0].reason
    (3, 2, 'rnd')
    """
    limits.check_text(text, "VIPR")
    refuse_foreign(text, "VIPR")
    text = _blank_comments(text)
    words = Words(text.split(), "VIPR", line_finder(text))
    words.keyword("VER")
    version = words.next("a version")
    if version not in VERSIONS:
        words.refuse(f"version {quote(version)} is not one of {', '.join(VERSIONS)}")
    program = _program(words, limits)
    claim_at = words.at
    claim = _claim(words)
    words.keyword("SOL")
    solutions = tuple(_solution(words, program) for _ in range(_things(words, "solutions", limits)))
    _refuse_twins(words, [solution.name for solution in solutions], "solution")
    words.keyword("DER")
    num_derivations = _things(words, "derivations", limits)
    total = len(program.rows) + num_derivations
    derivations = tuple(
        _derivation(words, program, index, total) for index in range(len(program.rows), total)
    )
    names = [row.name for row in program.rows] + [step.row.name for step in derivations]
    _refuse_twins(words, names, "constraint")
    words.end()
    return ViprFile(
        version=version,
        program=program,
        claim=claim,
        claim_at=claim_at,
        solutions=solutions,
        derivations=derivations,
        words=words,
    )


def _blank_comments(text: str) -> str:
    """Return the text with its leading comment lines emptied, so that lines keep their numbers."""
    lines = text.split("\n")
    first = 0
    while first < len(lines) and (not lines[first].strip() or lines[first].startswith("%")):
        first += 1
    return "\n".join([""] * first + lines[first:])


def _things(words: Words, what: str, limits: Limits) -> int:
    """Read a count of things that take a word each at least."""
    count = words.count(f"the number of {what}")
    if count > len(words.words) - words.at:
        words.refuse(f"{show(count)} {what} announced, and the text ends before")
    limits.check("lines", count, f"VIPR, {what}")
    return count


def _program(words: Words, limits: Limits) -> MixedProgram:
    """Read the sections VAR, INT, OBJ and CON."""
    words.keyword("VAR")
    variables = tuple(words.take(_things(words, "variables", limits), "the names of variables"))
    _refuse_twins(words, variables, "variable")
    words.keyword("INT")
    integers = _integers(words, len(variables), limits)
    words.keyword("OBJ")
    direction = words.next("min or max")
    if direction not in ("min", "max"):
        words.refuse(f"expected min or max, found {quote(direction)}")
    objective = _terms(words, len(variables), "variable")
    words.keyword("CON")
    num_rows = _things(words, "constraints", limits)
    num_bounds = words.count("the number of bounds")
    if num_bounds > num_rows:
        words.refuse(f"{show(num_bounds)} bounds among {num_rows} constraints")
    rows: list[Row] = []
    for index in range(num_rows):
        start = words.at
        rows.append(_row(words, objective, len(variables)))
        if index < num_bounds and len(rows[-1].terms) != 1:
            words.refuse(
                f"constraint {quote(rows[-1].name)} is listed as a bound,"
                f" and has {len(rows[-1].terms)} variables",
                start,
            )
    return MixedProgram(
        variables=variables,
        integers=integers,
        objective=objective,
        minimise=direction == "min",
        rows=tuple(rows),
        num_bounds=num_bounds,
    )


def _integers(words: Words, num_variables: int, limits: Limits) -> frozenset[int]:
    """Read the indices of the integer variables."""
    count = _things(words, "integer variables", limits)
    places = range(words.at, words.at + count)
    indices = words.integers(words.take(count, "integer variables"), places, "variable")
    _refuse_outside(words, indices, places, num_variables, "variable")
    integers = frozenset(indices)
    if len(integers) != count:
        words.refuse(f"variable {_twin(indices)} is listed twice under INT")
    return integers


def _row(words: Words, objective: dict[int, Rational], num_variables: int) -> Row:
    """Read a constraint: name, sense, right-hand side, terms or OBJ."""
    name, letter = words.take(2, "a constraint")
    sense = SENSES.get(letter)
    if sense is None:
        words.refuse(f"sense of {quote(name)} should be E, L or G, found {quote(letter)}")
    rhs = words.rational("the right-hand side")
    if words.at < len(words.words) and words.words[words.at] == "OBJ":
        words.at += 1
        return Row(name, sense, rhs, objective)
    return Row(name, sense, rhs, _terms(words, num_variables, "variable"))


def _terms(words: Words, limit: int, what: str) -> dict[int, Rational]:
    """Read ``p i1 a1 ... ip ap``, each index once and below the limit; drop zeros."""
    count = words.count("the number of terms")
    if count == 1:  # most rows are bounds: this is what keeps large files quick
        index = words.integer(what)
        if not 0 <= index < limit:
            _refuse_outside(words, [index], range(words.at - 1, words.at), limit, what)
        value = words.rational("a coefficient")
        return {index: value} if value else {}
    start, stop = words.at, words.at + 2 * count
    flat = words.take(2 * count, "a list of terms")
    places = range(start, stop, 2)
    indices = words.integers(flat[::2], places, what)
    values = words.rationals(flat[1::2], range(start + 1, stop, 2), "a coefficient")
    _refuse_outside(words, indices, places, limit, what)
    terms = dict(zip(indices, values, strict=True))
    if len(terms) != count:
        words.refuse(f"{what} {_twin(indices)} is listed twice", start)
    if 0 in values:
        return {index: value for index, value in terms.items() if value}
    return terms


def _refuse_outside(
    words: Words, indices: Sequence[int], places: range, limit: int, what: str
) -> None:
    """Refuse an index that points at nothing."""
    if indices and (min(indices) < 0 or max(indices) >= limit):
        place, index = next(
            pair for pair in zip(places, indices, strict=True) if not 0 <= pair[1] < limit
        )
        span = f"outside 0..{limit - 1}" if limit else "and there is none"
        words.refuse(f"{what} {show(index)} is {span}", place)


def _claim(words: Words) -> Claim:
    """Read the section RTP."""
    words.keyword("RTP")
    kind = words.next("range or infeas")
    if kind == "infeas":
        return Claim(infeasible=True)
    if kind != "range":
        words.refuse(f"expected range or infeas, found {quote(kind)}")
    lower, upper = (_limit(words, "-inf"), _limit(words, "inf"))
    if lower is not None and upper is not None and lower > upper:
        words.refuse(f"the range {show(lower)}..{show(upper)} is empty")
    return Claim(infeasible=False, lower=lower, upper=upper)


def _limit(words: Words, infinity: str) -> Rational | None:
    """Read one end of the range, None where it is infinite."""
    if words.at < len(words.words) and words.words[words.at] == infinity:
        words.at += 1
        return None
    return words.rational(f"a bound (or {infinity})")


def _solution(words: Words, program: MixedProgram) -> Solution:
    """Read one point of the section SOL."""
    at = words.at
    name = words.next("the name of a solution")
    return Solution(name, _terms(words, len(program.variables), "variable"), at)


def _derivation(words: Words, program: MixedProgram, index: int, total: int) -> Derivation:
    """Read one line of the section DER."""
    at = words.at
    row = _row(words, program.objective, len(program.variables))
    words.keyword("{")
    reason = words.next("a reason")
    multipliers: dict[int, Rational] = {}
    cases: tuple[tuple[int, int], ...] = ()
    if reason in ("lin", "rnd"):
        if words.at < len(words.words) and words.words[words.at] in ("weak", "incomplete"):
            words.refuse(
                f"{quote(row.name)} is {words.words[words.at]}: the multipliers that prove it are"
                " not in the file; complete the certificate first",
                words.at,
            )
        multipliers = _terms(words, index, "constraint")
    elif reason == "uns":
        places = range(words.at, words.at + 4)
        four = words.integers(words.take(4, "a case split"), places, "constraint")
        _refuse_outside(words, four, places, index, "constraint")
        cases = ((four[0], four[1]), (four[2], four[3]))
    elif reason not in ("asm", "sol"):
        words.refuse(f"reason {quote(reason)} is not one of asm, lin, rnd, uns, sol")
    words.keyword("}")
    last_use = words.integer("a last use")
    if not -1 <= last_use < total:
        words.refuse(f"last use {show(last_use)} is outside -1..{total - 1}")
    return Derivation(row, reason, multipliers, cases, last_use, at)


def _twin(items: Sequence[int] | Sequence[str]) -> int | str:
    """Return the first item that came before."""
    seen = set[int | str]()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    raise CertificateError("nothing is listed twice")  # pragma: no cover - called on twins only


def _refuse_twins(words: Words, names: Sequence[str], what: str) -> None:
    """Refuse a name used twice."""
    if len(set(names)) != len(names):
        words.refuse(f"two {what}s are named {quote(str(_twin(names)))}")
