"""Unit propagation over pseudo-Boolean constraints, and proofs by it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mjopt.proofs.at_least import AtLeast, negate
from mjopt.proofs.limits import Budget


class Propagator:
    """Constraints that only grow in number, ready to show others by unit propagation.

    A constraint whose largest left side, given what is already fixed, exceeds the right side by
    ``slack`` forces every literal with a coefficient above it; below zero it is in conflict.
    What follows from the constraints alone is kept, since nothing is ever deleted.

    Examples
    --------
    >>> propagator = Propagator([AtLeast({0: 1, 1: 1}, 1), AtLeast({0: 1, 1: -1}, 0)])
    >>> propagator.shows(AtLeast({0: 1}, 1)), propagator.shows(AtLeast({1: 1}, 1))
    (True, False)
    """

    def __init__(self, rows: Iterable[AtLeast] = (), *, budget: Budget | None = None) -> None:
        self._budget = Budget() if budget is None else budget
        self._rows: list[AtLeast] = []
        self._users: defaultdict[int, list[int]] = defaultdict(list)
        self._fixed: dict[int, bool] = {}
        self._unseen: list[int] = []
        self._clashes = False
        for row in rows:
            self.append(row)

    def append(self, row: AtLeast) -> None:
        """Take a further constraint."""
        self._budget.spend(1 + len(row.terms))
        index = len(self._rows)
        self._rows.append(row)
        self._unseen.append(index)
        for variable in row.terms:
            self._users[variable].append(index)

    def shows(self, goal: AtLeast, hints: Sequence[AtLeast] | None = None) -> bool:
        """Say whether assuming the opposite of a goal leads to conflict.

        With hints, only those constraints and the opposite of the goal take part.
        """
        opposite = negate(goal)
        if hints is not None:
            return Propagator([opposite, *hints], budget=self._budget)._propagate_root()
        if self._propagate_root():
            return True
        self._budget.spend(len(self._fixed))
        fixed = dict(self._fixed)
        self.append(opposite)
        clashes = self._propagate(self._unseen, fixed)
        for variable in opposite.terms:
            self._users[variable].pop()
        self._rows.pop()
        self._unseen = []
        return clashes

    def _propagate_root(self) -> bool:
        """Propagate what has not been looked at yet; say whether there is a conflict."""
        if not self._clashes:
            self._clashes = self._propagate(self._unseen, self._fixed)
            self._unseen = []
        return self._clashes

    def _propagate(self, start: Iterable[int], fixed: dict[int, bool]) -> bool:
        """Fix what is forced, beginning at some rows; say whether there is a conflict."""
        waiting = list(start)
        queued = set(waiting)
        while waiting:
            index = waiting.pop()
            queued.discard(index)
            terms, rhs = self._rows[index]
            self._budget.spend(1 + len(terms))
            slack = -rhs
            for variable, coefficient in terms.items():
                if fixed.get(variable, coefficient > 0):
                    slack += coefficient
            if slack < 0:
                return True
            for variable, coefficient in terms.items():
                if abs(coefficient) > slack and variable not in fixed:
                    fixed[variable] = coefficient > 0
                    self._budget.spend(len(self._users[variable]))
                    fresh = [user for user in self._users[variable] if user not in queued]
                    queued.update(fresh)
                    waiting += fresh
        return False
