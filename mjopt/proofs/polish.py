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
from mjopt.proofs.pb_words import Names
from mjopt.proofs.words import Words, quote, show

_FOREIGN_OPERATORS = frozenset("cmn-")  # variable-form division, MIR cuts, a lower right side


def evaluate_polish(words: Words, find: Callable[[str], AtLeast], names: Names) -> AtLeast:
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

    Examples
    --------
    >>> names = Names()
    >>> rows = {"1": AtLeast({0: 1, 1: 1}, 1), "2": AtLeast({0: 1, 1: -1}, 0)}
    >>> words = Words("1 2 + 2 d".split(), "VeriPB", lambda at: 1)
    >>> evaluate_polish(words, rows.__getitem__, names)
    AtLeast(terms={0: 1}, rhs=1)
    """
    stack: list[AtLeast] = []
    while words.at < len(words.words):
        word = words.next("a step")
        if word == "+":
            top = _pop(stack, words)
            stack.append(add(_pop(stack, words), top))
        elif word == "s":
            stack.append(saturate(_pop(stack, words)))
        elif word in _FOREIGN_OPERATORS:
            words.refuse(f"operation {quote(word)} is not verified here")
        else:
            _push_or_scale(word, words, stack, find, names)
    result = _pop(stack, words)
    if stack:
        words.refuse(f"{len(stack)} constraints are left over")
    return result


def _push_or_scale(
    word: str,
    words: Words,
    stack: list[AtLeast],
    find: Callable[[str], AtLeast],
    names: Names,
) -> None:
    """Act on an operand, which is only known by the word after it."""
    operator = words.words[words.at] if words.at < len(words.words) else ""
    if word[0] == "@" or word[0].isdigit() or word[0] in "+-":
        if operator not in ("*", "d"):
            row = find(word)
            stack.append(AtLeast(dict(row.terms), row.rhs))
            return
        words.at -= 1
        number = words.integer("a factor or divisor")
        words.keyword(operator)
        if number < (operator == "d"):
            words.refuse(f"cannot apply {show(number)} {operator}")
        row = _pop(stack, words)
        stack.append(multiply(row, number) if operator == "*" else divide(row, number))
        return
    try:
        literal = names[word]
    except KeyError:
        words.refuse(f"{quote(word)} is no known literal, constraint or operation")
    if operator == "w":
        words.keyword("w")
        if literal < 0:
            words.refuse(f"weakening names a variable, found {quote(word)}")
        stack.append(weaken(_pop(stack, words), literal - 1))
    else:
        stack.append(literal_axiom(abs(literal) - 1, positive=literal > 0))


def _pop(stack: list[AtLeast], words: Words) -> AtLeast:
    """Take the constraint on top."""
    if not stack:
        words.refuse("an operation finds no constraint to work on")
    return stack.pop()
