"""The words of a proof file: numbers read strictly, refusals that name the line."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NoReturn

from mjopt.errors import CertificateError

Rational = int | Fraction

MAX_DIGITS = 600  # Python may be told to refuse longer integers than 640 digits, no fewer

_FOREIGN = re.compile(r"[^\t\n\r -~]")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_RATIONAL = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?")


class _Integers(dict[str, int]):
    """What each word means as an integer; a proof repeats few words many times."""

    def __missing__(self, word: str) -> int:
        if len(word) > MAX_DIGITS or not _INTEGER.fullmatch(word):
            raise KeyError(word)
        value = self[word] = int(word)
        return value


class _Rationals(dict[str, Rational]):
    """What each word means as a rational; whole numbers stay int, for speed."""

    def __missing__(self, word: str) -> Rational:
        match = _RATIONAL.fullmatch(word) if len(word) <= MAX_DIGITS else None
        if match is None:
            raise KeyError(word)
        value = Fraction(int(match[1]), int(match[2] or 1))
        exact = self[word] = value.numerator if value.denominator == 1 else value
        return exact


class Words:
    """A cursor over words that never reads past the end.

    Files hold tens of thousands of numbers, nearly all of them seen before: reading many at
    once, and each spelling once, is what makes the checkers quick.

    Parameters
    ----------
    words
        The text, cut up.
    kind
        What the file claims to be, for messages.
    line_of
        Line on which the word at a position stands.

    Examples
    --------
    >>> words = Words("VAR 2 x".split(), "VIPR", lambda at: 1)
    >>> words.keyword("VAR"), words.count("variables")
    (None, 2)
    >>> words.take(2, "names")
    Traceback (most recent call last):
    mjopt.errors.CertificateError: VIPR, line 1: the text ends inside names
    """

    __slots__ = ("_integers", "_line_of", "_rationals", "at", "kind", "words")

    def __init__(self, words: Sequence[str], kind: str, line_of: Callable[[int], int]) -> None:
        self.words = words
        self.kind = kind
        self.at = 0
        self._line_of = line_of
        self._integers = _Integers()
        self._rationals = _Rationals()

    def refuse(self, reason: str, at: int | None = None) -> NoReturn:
        """Raise, naming the line of the word at a position (default: the last one read)."""
        at = self.at - 1 if at is None else at
        line = self._line_of(max(0, min(at, len(self.words) - 1)))
        raise CertificateError(f"{self.kind}, line {line}: {reason}")

    def take(self, count: int, what: str) -> Sequence[str]:
        """Return the next words, exactly so many."""
        taken = self.words[self.at : self.at + count]
        if len(taken) != count:
            self.refuse(f"the text ends inside {what}", len(self.words))
        self.at += count
        return taken

    def next(self, what: str) -> str:
        """Return the next word."""
        if self.at >= len(self.words):
            self.refuse(f"the text ends where {what} should be")
        self.at += 1
        return self.words[self.at - 1]

    def keyword(self, *expected: str) -> None:
        """Step over words that must be there."""
        for word in expected:
            found = self.next(word)
            if found != word:
                self.refuse(f"expected {word}, found {quote(found)}")

    def end(self) -> None:
        """Refuse anything that is left."""
        if self.at < len(self.words):
            self.refuse(f"unexpected {quote(self.words[self.at])} after the end", self.at)

    def integer(self, what: str) -> int:
        """Return the next word as an integer."""
        word = self.next(what)
        try:
            return self._integers[word]
        except KeyError:
            self.refuse(f"{what} should be an integer, found {quote(word)}")

    def count(self, what: str) -> int:
        """Return the next word as a number of things, 0 or more."""
        value = self.integer(what)
        if value < 0:
            self.refuse(f"{what}: there cannot be {show(value)}")
        return value

    def rational(self, what: str) -> Rational:
        """Return the next word as an integer or p/q."""
        word = self.next(what)
        try:
            return self._rationals[word]
        except KeyError:
            self.refuse(f"{what} should be an integer or p/q, found {quote(word)}")

    def integers(self, words: Sequence[str], places: range, what: str) -> list[int]:
        """Read many words, which stand at the given places, as integers."""
        try:
            return [*map(self._integers.__getitem__, words)]
        except KeyError as error:
            word = str(error.args[0])
            reason = f"{what} should be an integer, found {quote(word)}"
            self.refuse(reason, places[words.index(word)])

    def rationals(self, words: Sequence[str], places: range, what: str) -> list[Rational]:
        """Read many words, which stand at the given places, as integers or p/q."""
        try:
            return [*map(self._rationals.__getitem__, words)]
        except KeyError as error:
            word = str(error.args[0])
            reason = f"{what} should be an integer or p/q, found {quote(word)}"
            self.refuse(reason, places[words.index(word)])


def line_finder(text: str) -> Callable[[int], int]:
    r"""Return a function from the position of a word to its line.

    Counting waits until something is refused: a good file is never counted.

    Examples
    --------
    >>> find = line_finder("VER 1.1\n\nVAR 2 x y")
    >>> find(1), find(2)
    (1, 3)
    """

    def line_of(at: int) -> int:
        seen = 0
        number = 1
        for number, line in enumerate(text.split("\n"), 1):  # noqa: B007 - the last line counts
            seen += len(line.split())
            if at < seen:
                break
        return number

    return line_of


def refuse_foreign(text: str, kind: str) -> None:
    r"""Refuse any character that is not plain ASCII text.

    Exotic blanks and digits mean one thing to Python and another to a C++ reader.

    Examples
    --------
    >>> refuse_foreign("x >= 1 ;\n\u0661", "OPB")
    Traceback (most recent call last):
    mjopt.errors.CertificateError: OPB, line 2: character U+0661 is not plain ASCII text
    """
    found = _FOREIGN.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise CertificateError(
            f"{kind}, line {line}: character U+{ord(found[0]):04X} is not plain ASCII text"
        )


def show(value: Rational) -> str:
    """Return a number for a message, or its size where the digits would fill a page.

    Examples
    --------
    >>> show(Fraction(3, 4)), show(10**900)
    ('3/4', 'a number of 2990 bits')
    """
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    return str(value) if bits <= 128 else f"a number of {bits} bits"


def quote(word: str) -> str:
    """Return a word for a message, cut short where it is long."""
    return repr(word if len(word) <= 40 else f"{word[:37]}...")
