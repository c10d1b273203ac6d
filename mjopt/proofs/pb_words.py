"""What OPB instances and VeriPB proofs share: tokens, names and linear sums."""

import re
from collections.abc import Callable, Iterable

from mjopt.errors import CertificateError
from mjopt.proofs.at_least import AtLeast
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.words import MAX_DIGITS, Words, quote

_TOKEN = re.compile(r"[<>]=|[;:<=>]|[^\s;:<=>]+")
_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_\[\]{}^-]+")
_RELATIONS = (">=", "<=", "=")


class _Signed(dict[str, int]):
    """What each word means as an integer, with a plus sign allowed."""

    def __missing__(self, word: str) -> int:
        if len(word) > MAX_DIGITS or not _INTEGER.fullmatch(word):
            raise KeyError(word)
        value = self[word] = int(word)
        return value


class Names(dict[str, int]):
    """The literals seen so far: variable ``v`` as ``v + 1``, its negation as ``-(v + 1)``.

    An open list numbers new variables as they appear; a closed one refuses them.

    Examples
    --------
    >>> names = Names()
    >>> names["x1"], names["~x2"], names["x2"], names.order
    (1, -2, 2, ['x1', 'x2'])
    >>> names.is_open = False
    >>> names["x3"]
    Traceback (most recent call last):
    KeyError: 'x3'
    """

    def __init__(self) -> None:
        super().__init__()
        self.numbers = _Signed()
        self.order: list[str] = []
        self.is_open = True

    def __missing__(self, word: str) -> int:
        name = word.removeprefix("~")
        if not self.is_open or not is_name(name):
            raise KeyError(word)
        self.order.append(name)
        self[name], self["~" + name] = len(self.order), -len(self.order)
        return self[word]


def is_name(word: str) -> bool:
    """Say whether a word can name a variable: a letter, then one more character at least."""
    return len(word) <= MAX_DIGITS and _NAME.fullmatch(word) is not None


def cut(line: str) -> list[str]:
    """Cut a line into words, relations and punctuation.

    Examples
    --------
    >>> cut("min: +1 x1 -2 ~x2;")
    ['min', ':', '+1', 'x1', '-2', '~x2', ';']
    """
    return _TOKEN.findall(line)


def fixed_line(number: int) -> Callable[[int], int]:
    """Return the line finder of words that all stand on one line."""
    return lambda _: number


def statements(lines: Iterable[str], kind: str, limits: Limits = LIMITS) -> list[Words]:
    """Cut lines into statements, each ended by a semicolon.

    Examples
    --------
    >>> [list(words.words) for words in statements(["f 3 ; pol 1", "2 + ;"], "VeriPB")]
    [['f', '3'], ['pol', '1', '2', '+']]
    """
    found: list[Words] = []
    pending: list[str] = []
    start = 1
    for number, line in enumerate(lines, 1):
        for word in cut(line):
            if word != ";":
                start = start if pending else number
                pending.append(word)
            elif pending:
                found.append(Words(pending, kind, fixed_line(start)))
                limits.check("lines", len(found), f"{kind}, statements")
                pending = []
            else:
                raise CertificateError(f"{kind}, line {number}: nothing stands before ';'")
    if pending:
        raise CertificateError(f"{kind}, line {start}: the text ends before ';'")
    return found


def read_sum(words: Words, stop: int, names: Names) -> tuple[dict[int, int], int]:
    """Read ``a1 l1 a2 l2 ...`` up to a position; return terms and constant.

    A negated literal ~x counts as 1 - x.
    """
    flat = words.words[words.at : stop]
    places = range(words.at, stop)
    numbers = flat[::2]
    try:
        coefficients = [*map(names.numbers.__getitem__, numbers)]
    except KeyError as error:
        word = str(error.args[0])
        place = places[::2][numbers.index(word)]
        words.refuse(f"expected an integer coefficient, found {quote(word)}", place)
    spelled = flat[1::2]
    try:
        literals = [*map(names.__getitem__, spelled)]
    except KeyError as error:
        word = str(error.args[0])
        words.refuse(f"{quote(word)} is no known literal", places[1::2][spelled.index(word)])
    if len(coefficients) != len(literals):
        words.refuse("a coefficient has no literal", stop - 1)
    terms: dict[int, int] = {}
    constant = 0
    for coefficient, literal in zip(coefficients, literals, strict=True):
        variable = abs(literal) - 1
        if variable in terms:
            words.refuse(f"{quote(spelled[literals.index(literal)])} is in one sum twice")
        terms[variable] = coefficient if literal > 0 else -coefficient
        if literal < 0:
            constant += coefficient
    words.at = stop
    if 0 in coefficients:
        terms = {variable: a for variable, a in terms.items() if a}
    return terms, constant


def read_at_least(words: Words, names: Names) -> tuple[AtLeast, bool]:
    """Read ``sum relation integer``; say also whether it is an equation.

    ``<=`` is turned round. What follows the integer is left to the caller.
    """
    stop = words.at
    while stop < len(words.words) and words.words[stop] not in _RELATIONS:
        stop += 1
    if stop == len(words.words):
        words.refuse("a constraint has no >=, <= or =", stop - 1)
    terms, constant = read_sum(words, stop, names)
    relation = words.next("a relation")
    word = words.next("a right-hand side")
    if len(word) > MAX_DIGITS or not _INTEGER.fullmatch(word):
        words.refuse(f"expected an integer right-hand side, found {quote(word)}")
    rhs = int(word) - constant
    if relation == "<=":
        return AtLeast({variable: -a for variable, a in terms.items()}, -rhs), False
    return AtLeast(terms, rhs), relation == "="
