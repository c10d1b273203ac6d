"""Cutting-plane derivations in reverse Polish notation."""

from collections.abc import Callable

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

_Held = tuple[AtLeast, int, int]
"""A constraint on the stack, a bound on its numbers, and its weight as the budget counts it."""

_BITS = 256  # of a number that weighs as two
_LONG = 1 << _BITS
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
            (top, most, weight), (row, other, also) = _pop(stack, words), _pop(stack, words)
            budget.spend(1 + min(len(top.terms), len(row.terms)))
            _push(stack, add(row, top), most + other, budget, weight + also)
        elif word == "s":
            _change(saturate, stack, words, budget)
        elif word in _FOREIGN_OPERATORS:
            words.refuse(f"operation {quote(word)} is not verified here")
        else:
            _push_or_scale(word, words, stack, find, names, budget)
    row, _, weight = _pop(stack, words)
    if stack:
        words.refuse(f"{len(stack)} constraints are left over")
    _push(stack, row, _most(row), budget, weight)
    return row


def _most(row: AtLeast) -> int:
    return max(map(abs, row.terms.values()), default=0) + abs(row.rhs)


def _push(stack: list[_Held], row: AtLeast, most: int, budget: Budget, freed: int = 0) -> None:
    """Put a constraint on top, in place of what weighed so much; what is on the stack is kept."""
    weight = 1 + len(row.terms)
    if most >= _LONG:
        if budget.is_long(most):
            most = _most(row)
            budget.weigh(most)
        weight *= 1 + most.bit_length() // _BITS
    budget.keep(weight - freed)
    stack.append((row, most, weight))


def _pop(stack: list[_Held], words: Words) -> _Held:
    """Take the constraint on top."""
    if not stack:
        words.refuse("an operation finds no constraint to work on")
    return stack.pop()


def _change(
    change: Callable[[AtLeast], AtLeast], stack: list[_Held], words: Words, budget: Budget
) -> None:
    """Put another constraint in the place of the one on top."""
    row, _, weight = _pop(stack, words)
    budget.spend(1 + len(row.terms))
    row = change(row)
    _push(stack, row, _most(row), budget, weight)


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
        _change(lambda row: scale(row, number), stack, words, budget)
        return
    try:
        literal = names[word]
    except KeyError:
        words.refuse(f"{quote(word)} is no known literal, constraint or operation")
    if operator == "w":
        words.keyword("w")
        if literal < 0:
            words.refuse(f"weakening names a variable, found {quote(word)}")
        _change(lambda row: weaken(row, literal - 1), stack, words, budget)
    else:
        _push(stack, literal_axiom(abs(literal) - 1, positive=literal > 0), 2, budget)
