"""Cutting-plane derivations in reverse Polish notation."""

from collections.abc import Callable
from typing import NamedTuple

from mjopt.proofs.at_least import (
    AtLeast,
    add,
    divide,
    literal_axiom,
    multiply,
    saturate,
    weaken,
)
from mjopt.proofs.limits import Budget
from mjopt.proofs.pb_words import Names
from mjopt.proofs.words import Words, quote, show

_FOREIGN_OPERATORS = frozenset("cmn-")  # variable-form division, MIR cuts, a lower right side


def evaluate_polish(
    words: Words, find: Callable[[str], AtLeast], names: Names, budget: Budget
) -> AtLeast:
    """Derive the constraint that the rest of the words spells.

    Constraints and literals are pushed; ``+`` adds the two on top, ``k *`` multiplies, ``k d``
    divides and rounds up, ``s`` saturates, ``x w`` weakens the one on top.

    Parameters
    ----------
    words
        The derivation.
    find
        Returns the constraint that a number or a label stands for.
    names
        The literals.
    budget
        What it may take; the terms of the constraint derived stay counted as kept.

    Examples
    --------
    >>> names = Names()
    >>> rows = {"1": AtLeast({0: 1, 1: 1}, 1), "2": AtLeast({0: 1, 1: -1}, 0)}
    >>> words = Words("1 2 + 2 d".split(), "VeriPB", lambda at: 1)
    >>> evaluate_polish(words, rows.__getitem__, names, Budget())
    AtLeast(terms={0: 1}, rhs=1)
    """
    stack: list[_Held] = []
    while words.at < len(words.words):
        word = words.next("a step")
        if word == "+":
            top, other = _pop(stack, words, budget), _pop(stack, words, budget)
            budget.spend(1 + min(len(top.row.terms), len(other.row.terms)))
            _push(stack, add(other.row, top.row), top.most + other.most, budget)
        elif word == "s":
            row = saturate(_take(stack, words, budget))
            _push(stack, row, _most(row), budget)
        elif word in _FOREIGN_OPERATORS:
            words.refuse(f"operation {quote(word)} is not verified here")
        else:
            _push_or_scale(word, words, stack, find, names, budget)
    result = _pop(stack, words, budget)
    if stack:
        words.refuse(f"{len(stack)} constraints are left over")
    _push(stack, result.row, _most(result.row), budget)
    return result.row


class _Held(NamedTuple):
    """A constraint on the stack, no number of it above ``most`` in size."""

    row: AtLeast
    most: int
    weight: int  # as counted by the budget


def _most(row: AtLeast) -> int:
    return max(map(abs, row.terms.values()), default=0) + abs(row.rhs)


def _push(stack: list[_Held], row: AtLeast, most: int, budget: Budget) -> None:
    """Put a constraint on top; it counts as kept until it is taken."""
    if budget.is_long(most):
        most = _most(row)
        budget.weigh(most)
    weight = (1 + len(row.terms)) * (1 + (most.bit_length() >> 8))
    budget.keep(weight)
    stack.append(_Held(row, most, weight))


def _pop(stack: list[_Held], words: Words, budget: Budget) -> _Held:
    """Take the constraint on top."""
    if not stack:
        words.refuse("an operation finds no constraint to work on")
    budget.keep(-stack[-1].weight)
    return stack.pop()


def _take(stack: list[_Held], words: Words, budget: Budget) -> AtLeast:
    """Take the constraint on top to look at every term of it."""
    row = _pop(stack, words, budget).row
    budget.spend(1 + len(row.terms))
    return row


def _push_or_scale(
    word: str,
    words: Words,
    stack: list[_Held],
    find: Callable[[str], AtLeast],
    names: Names,
    budget: Budget,
) -> None:
    """Act on an operand, which is only known by the word after it."""
    operator = words.words[words.at] if words.at < len(words.words) else ""
    if word[0] == "@" or word[0].isdigit() or word[0] in "+-":
        if operator not in ("*", "d"):
            row = find(word)
            budget.spend(1 + len(row.terms))
            _push(stack, AtLeast(dict(row.terms), row.rhs), _most(row), budget)
            return
        words.at -= 1
        number = words.integer("a factor or divisor")
        words.keyword(operator)
        if number < (operator == "d"):
            words.refuse(f"cannot apply {show(number)} {operator}")
        scale = multiply if operator == "*" else divide
        row = scale(_take(stack, words, budget), number)
        _push(stack, row, _most(row), budget)
        return
    try:
        literal = names[word]
    except KeyError:
        words.refuse(f"{quote(word)} is no known literal, constraint or operation")
    if operator == "w":
        words.keyword("w")
        if literal < 0:
            words.refuse(f"weakening names a variable, found {quote(word)}")
        row = weaken(_take(stack, words, budget), literal - 1)
        _push(stack, row, _most(row), budget)
    else:
        _push(stack, literal_axiom(abs(literal) - 1, positive=literal > 0), 2, budget)
