"""The exceptions of mjopt."""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = [
    "ArgumentError",
    "CertificateError",
    "FileError",
    "GameError",
    "HandError",
    "MissingExtraError",
    "MjoptError",
    "ModelError",
    "NotationError",
    "SolverError",
    "SolverUnavailableError",
    "TileError",
    "WorkerError",
]


class MjoptError(Exception):
    """Base of every error that mjopt raises on purpose.

    The fields hold the facts, and the text is composed from them: ``ARGUMENT VALUE: MESSAGE,
    expected EXPECTED; HINT``. Empty fields are left out. A text of more than 1,000 characters is
    cut in the middle.

    Parameters
    ----------
    message
        What is wrong.
    argument
        The argument, field or file at fault, such as ``hand`` or ``hands.csv``.
    value
        What arrived, as it is shown: all of the argument, or what is at the position.
    position
        Where in the argument. Characters, lines and moves count from 1; positions of an array, rows
        and items of a list count from 0. None if the error is about no single place.
    unit
        What ``position`` counts: ``byte``, ``character``, ``position``, ``line``, ``row``, ...
    expected
        What is valid, as text, or all valid choices.
    hint
        A remedy, such as a command.

    Attributes
    ----------
    message, argument, value, position, unit, expected, hint
        As above.

    Examples
    --------
    >>> import mjopt
    >>> try:
    ...     mjopt.deficiency("12x")
    ... except mjopt.MjoptError as error:
    ...     print(error)
    ...     print([error.argument, error.value, error.position, error.unit, error.expected])
    hand: 'x' at character 3: not a suit of FULL, expected m, p, s or z
    ['hand', "'x'", 3, 'character', 'm, p, s or z']
    """

    _before_hint = "; "

    def __init__(
        self,
        message: str = "",
        *,
        argument: str = "",
        value: str = "",
        position: int | None = None,
        unit: str = "position",
        expected: str | tuple[str, ...] = "",
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.argument = argument
        self.value = value
        self.position = position
        self.unit = unit
        self.expected = expected
        self.hint = hint

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __str__(self) -> str:
        """Return the text, composed from the fields."""
        return _cut(self._with_remedy(self._finding()))

    @property
    def detail(self) -> str:
        """The text without the argument, for a form that shows it beside the field."""
        return _cut(self._with_remedy(_join(self._place(""), self.message)))

    def locate(
        self, argument: str = "", position: int | None = None, unit: str = "row", *, value: str = ""
    ) -> None:
        """Add the argument or the file that holds what is at fault, its value, the place in it.

        Any smaller place becomes part of the message.

        Examples
        --------
        >>> error = TileError(argument="counts", value="5", position=0, expected="0..4")
        >>> error.locate("hands.npy", 7)
        >>> print(error)
        hands.npy row 7: counts: 5 at position 0, expected 0..4
        >>> error.argument, error.position, error.unit
        ('hands.npy', 7, 'row')
        """
        if argument == self.argument and not value and position is None:
            return
        has_place = self.value or self.position is not None
        if self.argument or (has_place and (value or position is not None)):
            self.message = self._finding()
            self.value, self.position = "", None
        self.argument = argument
        if value or position is not None:
            self.value, self.position, self.unit = value, position, unit

    def _finding(self) -> str:
        return _join(self._place(self.argument), self.message)

    def _place(self, argument: str) -> str:
        """Return the argument, the value and the position, such as ``hand: 'x' at character 3``."""
        if self.position is None:
            return " ".join(filter(None, (argument, self.value)))
        place = f"{self.unit} {self.position}"
        if self.unit in ("byte", "character", "position"):
            return _join(argument, f"{self.value} at {place}" if self.value else place)
        return _join(f"{argument} {place}".lstrip(), self.value)

    def _with_remedy(self, text: str) -> str:
        if self.expected:
            choices = self.expected
            valid = choices if isinstance(choices, str) else f"one of {', '.join(choices)}"
            text = _join(text, f"expected {valid}", ": " if text == self.argument else ", ")
        return _join(text, self.hint, self._before_hint)


def _cut(text: str, most: int = 1000) -> str:
    half = (most - 3) // 2
    return text if len(text) <= most else f"{text[:half]}...{text[-half:]}"


def _join(before: str, after: str, mark: str = ": ") -> str:
    return f"{before}{mark}{after}" if before and after else before or after


class ArgumentError(MjoptError, ValueError):
    """An invalid argument, such as an unknown name or a number out of range.

    Recipes, rules, seeds, methods, configurations and what a user's own code returns are arguments
    too. Wrong tiles, hands and files have errors of their own.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.heuristics.run("ndde", "1112345678999m1p", rng=1, population=0)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: ndde: population = 0, expected a whole number 4 to 10000
    """


class TileError(MjoptError, ValueError):
    """An invalid tile, tile count or tile set.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.Hand.from_counts([5, 9] + [0] * 25)
    Traceback (most recent call last):
    mjopt.errors.TileError: counts: 5 copies of 1m at position 0, expected 0..4
    """


class NotationError(TileError):
    """Text that is not valid in its notation, or that several notations read differently.

    Attributes
    ----------
    readings
        Of an ambiguous text, the copies and the red fives per kind, by notation; else empty.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.Hand.parse("1x")
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'x' at character 2: not a suit of FULL, expected m, p, s or z
    """

    readings: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = MappingProxyType({})


class HandError(MjoptError, ValueError):
    """Valid tiles that do not form a hand.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.Hand.parse("123m")
    Traceback (most recent call last):
    mjopt.errors.HandError: 3 tiles, expected 14 or 13
    """


class ModelError(MjoptError, ValueError):
    """A query that a formulation cannot express.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.deficiency("1112345678999m1p", model="predecomposition", unseen="1p")
    Traceback (most recent call last):
    mjopt.errors.ModelError: model predecomposition does not answer with a deficiency
    """


class SolverError(MjoptError, RuntimeError):
    """A solver failed or returned a wrong result.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.solve("1112345678999m1p", solver="abacus")
    Traceback (most recent call last):
    mjopt.errors.SolverError: solver 'abacus': unknown, expected one of cp-sat, highs, cbc
    """


class SolverUnavailableError(SolverError):
    """A solver that is not installed, or cannot be loaded in this process.

    Examples
    --------
    >>> raise SolverUnavailableError("OR-Tools is not installed", hint="pip install ortools")
    Traceback (most recent call last):
    mjopt.errors.SolverUnavailableError: OR-Tools is not installed: pip install ortools
    """

    _before_hint = ": "


class FileError(MjoptError, ValueError):
    """A file, folder or record that cannot be read or written, is damaged or holds something else.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.play.review("missing.mjlog")
    Traceback (most recent call last):
    mjopt.errors.FileError: missing.mjlog: no such file
    """


class CertificateError(MjoptError, ValueError):
    """A certificate that is inconsistent or does not prove its claim.

    Attributes
    ----------
    limit
        The limit of the checker that it exceeds, ``bytes`` or ``steps``; else empty.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.Certificate.from_json("{}")
    Traceback (most recent call last):
    mjopt.errors.CertificateError: certificate: 'bounds' is missing
    """

    limit: str = ""


class MissingExtraError(MjoptError, ImportError):
    """A missing optional dependency; the hint is the command that installs it.

    Examples
    --------
    >>> raise MissingExtraError("jax is not installed", hint="pip install 'mjopt[learning]'")
    Traceback (most recent call last):
    mjopt.errors.MissingExtraError: jax is not installed: pip install 'mjopt[learning]'
    """

    _before_hint = ": "


class GameError(MjoptError, ValueError):
    """An invalid rule set, an illegal move or an impossible state of a game.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.play.battle(["l1"] * 4, rules="chess")
    Traceback (most recent call last):
    mjopt.errors.GameError: rules 'chess': unknown, expected one of m0, gmjbg, jj
    """


class WorkerError(MjoptError, RuntimeError):
    """Worker processes that were killed, or a cluster that cannot be used.

    Examples
    --------
    >>> raise WorkerError("a worker was killed", hint="run the same command again")
    Traceback (most recent call last):
    mjopt.errors.WorkerError: a worker was killed: run the same command again
    """

    _before_hint = ": "
