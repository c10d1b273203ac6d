"""Small checkers for the VIPR and VeriPB proofs of mjopt: one `lin` or one `pol` line.

They share no code with the writers, use exact arithmetic and refuse all other proofs.
"""

import re
from collections.abc import Iterator, Mapping

from mjopt.analysis.formats.opb import write_opb_instance
from mjopt.analysis.formats.proof_header import read_header
from mjopt.analysis.formats.vipr import write_vipr_program
from mjopt.errors import CertificateError
from mjopt.hands.query import HandQuery

Terms = dict[int, int]


def require(condition: bool, reason: str) -> None:
    if not condition:
        raise CertificateError(reason)


def integer(word: str) -> int:
    require(re.fullmatch(r"-?(0|[1-9][0-9]{0,30})", word) is not None, f"{word!r} is no integer")
    return int(word)


def value_at(terms: Terms, point: Mapping[int, int]) -> int:
    return sum(coefficient * point.get(variable, 0) for variable, coefficient in terms.items())


# VIPR


class Words:
    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        while lines and lines[0].startswith("%"):
            del lines[0]
        self.words = iter(" ".join(lines).split())

    def next(self) -> str:
        word = next(self.words, None)
        require(word is not None, "the text ends too early")
        return str(word)

    def expect(self, *expected: str) -> None:
        for word in expected:
            found = self.next()
            require(found == word, f"expected {word}, found {found!r}")

    def count(self) -> int:
        number = integer(self.next())
        require(0 <= number < 100_000, f"{number} is no count")
        return number

    def terms(self, size: int) -> Terms:
        terms: Terms = {}
        for _ in range(self.count()):
            index = self.count()
            require(index < size, f"index {index} is out of range")
            require(index not in terms, f"index {index} is given twice")
            terms[index] = integer(self.next())
        return terms


Row = tuple[str, str, int, Terms]  # name, sense E, L or G, right-hand side, terms


def read_row(words: Words, size: int) -> Row:
    name, sense = words.next(), words.next()
    require(sense in ("E", "L", "G"), f"{sense!r} is no sense")
    return name, sense, integer(words.next()), words.terms(size)


def check_vipr(text: str) -> int | None:
    """Return the optimum that a VIPR file proves, or None if it proves infeasibility."""
    words = Words(text)
    words.expect("VER", "1.1", "VAR")
    size = words.count()
    names = [words.next() for _ in range(size)]
    require(len(set(names)) == size, "a variable is named twice")
    words.expect("INT", str(size), *map(str, range(size)), "OBJ", "min")
    objective = words.terms(size)
    words.expect("CON")
    num_rows, num_bounds = words.count(), words.count()
    rows = [read_row(words, size) for _ in range(num_rows)]
    require(all(len(row[3]) == 1 for row in rows[:num_bounds]), "a bound row has other terms")
    words.expect("RTP")
    claim = words.next()
    if claim == "infeas":
        words.expect("SOL", "0")
        value = None
    else:
        require(claim == "range", f"{claim!r} is no claim")
        value = integer(words.next())
        words.expect(str(value), "SOL", "1")
        words.next()  # its name
        check_point(words.terms(size), rows, objective, value)
    words.expect("DER", "1")
    words.next()
    words.expect("G")
    bound = integer(words.next())
    if value is None:
        words.expect("0")
        require(bound > 0, f"0 >= {bound} is no contradiction")
    else:
        words.expect("OBJ")
        require(bound == value, f"the bound is {bound}, the claim {value}")
    words.expect("{", "lin")
    multipliers = words.terms(num_rows)
    words.expect("}", "-1")
    require(next(words.words, None) is None, "text after the end")
    total, left = 0, {} if value is None else {i: -c for i, c in objective.items()}
    for index, weight in multipliers.items():
        name, sense, rhs, terms = rows[index]
        signs = {"G": weight >= 0, "L": weight <= 0, "E": True}
        require(signs[sense], f"the multiplier of {name} has the wrong sign")
        total += weight * rhs
        for variable, coefficient in terms.items():
            left[variable] = left.get(variable, 0) + weight * coefficient
    require(not any(left.values()), "the left side is not that of the bound")
    require(total >= bound, f"the right side comes to {total}, below {bound}")
    return value


def check_point(point: Terms, rows: list[Row], objective: Terms, value: int) -> None:
    for name, sense, rhs, terms in rows:
        gap = value_at(terms, point) - rhs
        holds = {"E": gap == 0, "L": gap <= 0, "G": gap >= 0}[sense]
        require(holds, f"the solution breaks row {name}")
    reached = value_at(objective, point)
    require(reached == value, f"the solution reaches {reached}, not {value}")


def verify_vipr(text: str) -> tuple[int | None, HandQuery]:
    """Return the optimum that a VIPR file proves, and its hand."""
    query = read_header(text, "%")
    require(text.startswith(write_vipr_program(query)), "the program is not that of the hand")
    return check_vipr(text), query


# OPB and VeriPB

Constraint = tuple[Terms, int]  # terms @ x >= right-hand side


class Instance:
    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        require(lines.pop() == "", "the instance does not end its last line")
        head = re.fullmatch(r"\* #variable= ([0-9]+) #constraint= ([0-9]+)", lines[0])
        require(head is not None, "the first line names no size")
        assert head is not None
        self.size = int(head[1])
        body = [line for line in lines if not line.startswith("*")]
        require(len(body) == int(head[2]) + 1, "not as many constraints as announced")
        require(body[0].startswith("min: ") and body[0].endswith(" ;"), "no objective")
        self.objective = self.terms(body[0][4:-2])
        self.constraints: list[Constraint] = []
        for line in body[1:]:
            parts = re.fullmatch(r"(.*) (>=|=) (\S+) ;", line)
            require(parts is not None, f"{line!r} is no constraint")
            assert parts is not None
            terms, rhs = self.terms(parts[1]), integer(parts[3])
            self.constraints.append((terms, rhs))
            if parts[2] == "=":
                self.constraints.append(({v: -c for v, c in terms.items()}, -rhs))

    def variable(self, name: str) -> int:
        require(re.fullmatch("x[1-9][0-9]{0,8}", name) is not None, f"{name!r} is no variable")
        number = int(name[1:])
        require(number <= self.size, f"{name} is not in the instance")
        return number

    def terms(self, text: str) -> Terms:
        words = text.split()
        require(len(words) % 2 == 0, f"{text!r} is no sum")
        terms: Terms = {}
        for coefficient, name in zip(words[::2], words[1::2], strict=True):
            variable = self.variable(name)
            require(variable not in terms, f"{name} is given twice")
            terms[variable] = integer(coefficient.removeprefix("+"))
        return terms

    def solution_cost(self, words: list[str]) -> int:
        """Return the cost of a feasible point, a list of literals of all variables in order."""
        names = [word.removeprefix("~") for word in words]
        require(
            [self.variable(name) for name in names] == list(range(1, self.size + 1)),
            "the solution does not name every variable once",
        )
        point = {i: int(word[0] != "~") for i, word in enumerate(words, 1)}
        for number, (terms, rhs) in enumerate(self.constraints, 1):
            require(value_at(terms, point) >= rhs, f"the solution breaks constraint {number}")
        return value_at(self.objective, point)

    def polish(self, words: list[str]) -> Constraint:
        """Return the constraint derived by a sum in reverse Polish notation."""
        stack: list[Constraint | int] = []

        def pop() -> Constraint:
            require(bool(stack), "an operand is missing")
            top = stack.pop()
            if isinstance(top, int):
                require(1 <= top <= len(self.constraints), f"there is no constraint {top}")
                terms, rhs = self.constraints[top - 1]
                return dict(terms), rhs  # sums change their operands
            return top

        for word in words:
            if word == "+":
                (one, rhs), (two, other) = pop(), pop()
                fewer, total = (one, two) if len(one) < len(two) else (two, one)
                for variable, coefficient in fewer.items():
                    total[variable] = total.get(variable, 0) + coefficient
                    if not total[variable]:
                        del total[variable]
                stack.append((total, rhs + other))
            elif word == "*":
                weight = stack.pop() if stack else None
                require(isinstance(weight, int) and weight > 0, "the weight is not positive")
                assert isinstance(weight, int)
                terms, rhs = pop()
                stack.append(({v: weight * c for v, c in terms.items()}, weight * rhs))
            elif word == "s":
                require(len(words) == 2, "saturation of a sum")
                pop()
                stack.append(({}, 0))  # x >= 0 saturated
            elif word.startswith("~"):
                stack.append(({self.variable(word[1:]): -1}, -1))
            elif word.startswith("x"):
                stack.append(({self.variable(word): 1}, 0))
            else:
                stack.append(integer(word))
        require(len(stack) == 1, "the sum leaves several operands")
        return pop()


def check_opb(instance_text: str, proof: str) -> int | None:
    """Return the optimum that a VeriPB proof shows, or None if it shows infeasibility."""
    instance = Instance(instance_text)
    lines = iter_lines(proof)
    head = next(lines, "")
    require(
        re.fullmatch(r"pseudo-Boolean proof version (1\.2|2\.0|3\.0)", head) is not None,
        f"{head!r} is no version",
    )
    version = head[-3:]

    def take(*starts: str) -> str:
        line = next(lines, None)
        require(line is not None, "the proof ends too early")
        assert line is not None
        if version == "3.0":
            require(line.endswith(" ;"), f"{line!r} does not end in ;")
            line = line[:-2]
        start = next((start for start in starts if line.startswith(start)), None)
        require(start is not None, f"expected {starts[0]!r}, found {line[:40]!r}")
        return line.removeprefix(str(start))

    require(take("f ") == str(len(instance.constraints)), "another number of constraints")
    if version == "1.2":
        terms, rhs = instance.polish(take("pol ").split())
        literals = take("o ", "c -1")
        value = instance.solution_cost(literals.split()) if literals else None
        if value is not None:
            require(take("pol ") == "-1 -2 +", "the bound is not added to the solution's")
            take("c -1")
    else:
        terms, rhs = instance.polish(take("@lb pol ").split())
        take("output NONE")
        conclusion = take("conclusion BOUNDS ")
        if conclusion == "INF : @lb INF":
            value = None
        else:
            parts = conclusion.split(" : ")
            require(len(parts) == 3, "the conclusion has other parts")
            value = integer(parts[0])
            require(parts[1] == f"@lb {value}", "the bounds differ")
            reached = instance.solution_cost(parts[2].split())
            require(reached == value, f"the solution reaches {reached}, not {value}")
        take("end pseudo-Boolean proof")
    require(next(lines, None) is None, "text after the end")
    if value is None:
        require(not terms and rhs > 0, "the sum is no contradiction")
        return None
    require(terms == instance.objective, "the left side is not the objective")
    require(rhs >= value, f"the right side comes to {rhs}, below {value}")
    return value


def iter_lines(text: str) -> Iterator[str]:
    lines = text.split("\n")
    require(lines[-1] == "", "the last line does not end")
    return iter(lines[:-1])


def verify_opb(instance: str, proof: str) -> tuple[int | None, HandQuery]:
    """Return the optimum that an OPB instance and its proof show, and their hand."""
    query = read_header(instance, "*")
    require(instance == write_opb_instance(query), "the instance is not that of the hand")
    return check_opb(instance, proof), query
