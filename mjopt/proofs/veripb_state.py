"""What a VeriPB proof has established so far, and the rules that add to it."""

from mjopt.proofs.at_least import AtLeast, contradicts
from mjopt.proofs.limits import LIMITS, Budget, Limits
from mjopt.proofs.opb_read import OpbInstance
from mjopt.proofs.pb_words import read_at_least
from mjopt.proofs.polish import evaluate_polish
from mjopt.proofs.propagate import Propagator
from mjopt.proofs.words import Words, quote, show


class ProofState:
    """The constraints known, by number and label, and the best solution seen.

    Constraints derived after a solution was logged by ``soli`` hold for better solutions only;
    a conclusion therefore never claims a bound beyond ``best``.

    Parameters
    ----------
    instance
        What the proof is about.
    limits
        How much is computed and kept at most.
    """

    def __init__(self, instance: OpbInstance, limits: Limits = LIMITS) -> None:
        self.program = instance.program
        self.rows = instance.program.constraints()
        self.num_input = len(self.rows)
        self.budget = Budget(limits, "VeriPB")
        self._num_terms = sum(1 + len(row.terms) for row in self.rows)
        self.best: int | None = None
        self.is_satisfied = False
        self.contradiction = ""
        self._names = instance.names
        self._labels = dict(instance.labels)
        self._limit: int | None = None
        self._propagator = Propagator(budget=self.budget)
        self._num_propagated = 0

    def number(self, word: str, words: Words) -> int:
        """Return the number of a constraint called by it, from the end (-1), or by label."""
        if word.startswith("@"):
            if word not in self._labels:
                words.refuse(f"label {quote(word)} is not defined")
            return self._labels[word]
        at = words.at
        given = words.integers([word], range(at - 1, at), "a constraint")[0]
        found = given if given > 0 else len(self.rows) + 1 + given
        if given == 0 or not 1 <= found <= len(self.rows):
            words.refuse(f"constraint {show(given)} is not there: there are {len(self.rows)}")
        return found

    def find(self, word: str, words: Words) -> AtLeast:
        """Return the constraint that a number or label stands for."""
        return self.rows[self.number(word, words) - 1]

    def name(self, label: str, words: Words) -> None:
        """Give a label to the newest constraint."""
        if label in self._labels or label == "@":
            words.refuse(f"label {quote(label)} is used before")
        self._labels[label] = len(self.rows)

    def count_formula(self, words: Words) -> None:
        """``f N``: the instance has N constraints, equations counting twice."""
        announced = words.count("the number of constraints")
        words.end()
        if announced != self.num_input:
            words.refuse(
                f"f announces {show(announced)} constraints, and there are {self.num_input}"
            )

    def polish(self, words: Words) -> None:
        """``pol``: a cutting-plane derivation."""
        found = evaluate_polish(
            words, lambda word: self.find(word, words), self._names, self.budget
        )
        self.rows.append(found)

    def propagate(self, words: Words, separator: str) -> None:
        """``rup``: a constraint whose opposite unit propagation refutes, from hints or from all."""
        goal, is_equation = read_at_least(words, self._names)
        if is_equation:
            words.refuse("an equation is two constraints: derive each")
        hints: list[AtLeast] | None = None
        if words.at < len(words.words) or separator == ";":
            words.keyword(separator)
            given = words.take(len(words.words) - words.at, "hints")
            if given or separator == ":":
                numbers = {self.number(word, words): None for word in given if word != "~"}
                hints = [self.rows[number - 1] for number in numbers]
        if hints is None:
            for row in self.rows[self._num_propagated :]:
                self._propagator.append(row)
            self._num_propagated = len(self.rows)
        if not self._propagator.shows(goal, hints):
            words.refuse("unit propagation does not refute the opposite of the constraint")
        self.rows.append(goal)

    def solution(self, words: Words, *, improve: bool) -> None:
        """``sol`` and ``soli``: a solution; with the latter, only better ones count from now on."""
        value = self.assignment(words, words.words[-2:-1] == [":"])
        self._note(value, words, improve=improve)

    def assignment(self, words: Words, has_value: bool = False) -> int | None:
        """Read a full assignment to the end of the words, verify it, return its objective."""
        stop = len(words.words) - 2 * has_value
        point: dict[int, bool] = {}
        for word in words.take(max(0, stop - words.at), "a solution"):
            literal = self._names.get(word)
            if literal is None:
                words.refuse(f"{quote(word)} is no known literal")
            if abs(literal) - 1 in point:
                words.refuse(f"the solution gives {quote(word.lstrip('~'))} twice")
            point[abs(literal) - 1] = literal > 0
        missing = [name for i, name in enumerate(self.program.names) if i not in point]
        if missing:
            words.refuse(f"the solution leaves {quote(missing[0])} open")
        self.budget.spend(self._num_terms + len(point))
        for number, row in enumerate(self.rows[: self.num_input], 1):
            if not row.holds(point):
                words.refuse(f"the solution breaks constraint {number}")
        value = None if self.program.objective is None else self.program.evaluate(point)
        if has_value:
            words.keyword(":")
            claimed = words.integer("an objective")
            if claimed != value:
                words.refuse(f"the solution does not reach {show(claimed)}")
        self.is_satisfied = True
        if value is not None and (self.best is None or value < self.best):
            self.best = value
        return value

    def _note(self, value: int | None, words: Words, *, improve: bool) -> None:
        """Demand better than a logged solution."""
        if value is not None and self._limit is not None and value > self._limit:
            words.refuse(f"the solution reaches {show(value)}, no better than one before")
        if not improve:
            return
        if value is None or self.program.objective is None:
            words.refuse("there is no objective to improve")
        self._limit = value - 1
        terms = {variable: -cost for variable, cost in self.program.objective.items()}
        self.rows.append(AtLeast(terms, self.program.constant - self._limit))

    def contradict(self, words: Words) -> None:
        """``c``: a constraint that nothing satisfies (format 1.x)."""
        number = self.number(words.next("a constraint"), words)
        words.end()
        if not contradicts(self.rows[number - 1]):
            words.refuse(f"constraint {number} is no contradiction")
        self.contradiction = str(number)
