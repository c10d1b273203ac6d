"""The exceptions of mjopt."""


class MjoptError(Exception):
    """Base of every error that mjopt raises on purpose.

    Parameters
    ----------
    message
        What was expected and what arrived.
    argument
        The argument or the place at fault, such as ``hand`` or ``hands.csv line 4``; empty if the
        message says it. The text of the error begins with it.

    Examples
    --------
    >>> import mjopt
    >>> try:
    ...     mjopt.deficiency("123")
    ... except mjopt.MjoptError as error:
    ...     print(error)
    ...     print(error.argument)
    hand: '123' at character 1: ranks without a suit, expected m, p, s or z after them
    hand
    """

    def __init__(self, message: str = "", *, argument: str = "") -> None:
        super().__init__(message)
        self.argument = argument

    def __str__(self) -> str:
        """Return the argument and the message."""
        message = super().__str__()
        return f"{self.argument}: {message}" if self.argument else message

    def locate(self, place: str) -> None:
        """Add an outer place: the argument, file or row that holds the one at fault."""
        self.argument = f"{place}: {self.argument}" if self.argument else place


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
    """Text that is not valid in its notation.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.Hand.parse("1x")
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'x' at character 2: not a suit of FULL, expected m, p, s or z
    """


class HandError(MjoptError, ValueError):
    """Valid tiles that do not form a hand.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.Hand.parse("123m")
    Traceback (most recent call last):
    mjopt.errors.HandError: 3 tiles, expected 14 or 13
    """


class HeuristicError(MjoptError, ValueError):
    """An invalid heuristic or parameter of one.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.heuristics.run("ndde", "1112345678999m1p", rng=1, population=0)
    Traceback (most recent call last):
    mjopt.errors.HeuristicError: ndde: population = 0, expected a whole number 4 to 10000
    """


class SeedError(MjoptError, ValueError):
    """An invalid random seed.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.heuristics.run("ndde", "1112345678999m1p", rng=-1)
    Traceback (most recent call last):
    mjopt.errors.SeedError: rng: -1, expected a seed (0, 1, 2, ...) or a numpy.random.Generator
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


class UserCodeError(MjoptError, ValueError):
    """A user's Python file that cannot be loaded, or lacks the class.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.solve("1112345678999m1p", model="missing.py:Mine")
    Traceback (most recent call last):
    mjopt.errors.UserCodeError: missing.py: no such file
    """


class SolverError(MjoptError, RuntimeError):
    """A solver failed or returned an impossible result.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.solve("1112345678999m1p", solver="abacus")
    Traceback (most recent call last):
    mjopt.errors.SolverError: unknown solver 'abacus', expected one of cp-sat, highs, cbc
    """


class SolverUnavailableError(SolverError):
    """A solver is not installed, or cannot be loaded in this process.

    Examples
    --------
    >>> issubclass(SolverUnavailableError, SolverError)
    True
    """


class WitnessError(SolverError):
    """A solver's values do not satisfy the program they claim to solve.

    Examples
    --------
    >>> from mjopt.models.program import Program, Rows
    >>> from mjopt.models.solvers.base import check_point
    >>> rows = Rows.gather([("at least two", 2, None, [(0, 1)])])
    >>> program = Program(
    ...     name="toy",
    ...     objective=(1,),
    ...     lower=(0,),
    ...     upper=(3,),
    ...     integer=(True,),
    ...     rows=rows,
    ...     names=("a",),
    ...     pieces=((),),
    ... )
    >>> check_point(program, [1.0], "a solver")
    Traceback (most recent call last):
    mjopt.errors.WitnessError: a solver returned a point that breaks toy: row at least two ...
    """


class FileError(MjoptError, ValueError):
    """A file that cannot be read or written.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.play.review("missing.mjlog")
    Traceback (most recent call last):
    mjopt.errors.FileError: missing.mjlog: no such file
    """


class CertificateError(MjoptError, ValueError):
    """A certificate that is inconsistent or does not prove its claim.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.Certificate.from_json("{}")
    Traceback (most recent call last):
    mjopt.errors.CertificateError: certificate: 'bounds' is missing
    """


class MissingExtraError(MjoptError, ImportError):
    """A missing optional dependency.

    Examples
    --------
    >>> raise MissingExtraError("mjopt serve needs starlette: pip install 'mjopt[play]'")
    Traceback (most recent call last):
    mjopt.errors.MissingExtraError: mjopt serve needs starlette: pip install 'mjopt[play]'
    """


class StudyError(MjoptError, ValueError):
    """An invalid study, or one that cannot be run.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.compare([], hands="two-type:20")
    Traceback (most recent call last):
    mjopt.errors.StudyError: a study needs at least one method and one hand set
    """


class RecipeError(MjoptError, ValueError):
    """An invalid recipe for hands.

    Examples
    --------
    >>> from mjopt.datasets import make_plan
    >>> make_plan("deals:-1", seed=1)
    Traceback (most recent call last):
    mjopt.errors.RecipeError: recipe 'deals:-1': '-1' after deals:, expected a number ...
    """


class RuleError(MjoptError, ValueError):
    """An unknown rule for discards, or a ranking of rules that cannot be made.

    Examples
    --------
    >>> from mjopt.play.game.agents import known_agents
    >>> from mjopt.play.solitaire.rule_ranking import rank_rules
    >>> rank_rules([], deals=10)
    Traceback (most recent call last):
    mjopt.errors.RuleError: no rules, expected one or more of deficiency, useful, ...
    """


class GameError(MjoptError, ValueError):
    """An invalid rule set, illegal move or impossible state.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.play.battle(["l1"] * 3)
    Traceback (most recent call last):
    mjopt.errors.GameError: 3 agents, expected 4
    """


class RecordError(GameError):
    """An invalid game record, or one that breaks the rules.

    Examples
    --------
    >>> from mjopt.play.game import replay
    >>> replay("no record")
    Traceback (most recent call last):
    mjopt.errors.RecordError: begins with 'no', expected 'game1'
    """


class LogError(GameError):
    """An inconsistent log of a real game.

    Examples
    --------
    >>> issubclass(LogError, GameError)
    True
    """


class LearningError(MjoptError, ValueError):
    """An invalid configuration, weights file or training run.

    Examples
    --------
    >>> from mjopt.play.learning.actions import check_kinds
    >>> check_kinds(99)
    Traceback (most recent call last):
    mjopt.errors.LearningError: 99 kinds, expected 1..34
    """


class DatasetError(MjoptError, ValueError):
    """A damaged dataset, or one that cannot be built.

    Examples
    --------
    >>> from mjopt.datasets import check_dataset
    >>> check_dataset("missing")
    Traceback (most recent call last):
    mjopt.errors.DatasetError: missing: expected a dataset with manifest.json, found none
    """


class WorkerError(MjoptError, ValueError):
    """Workers that cannot be started, or that were killed.

    Examples
    --------
    >>> import mjopt
    >>> mjopt.play.battle(["l1"] * 4, games=1, jobs=0)
    Traceback (most recent call last):
    mjopt.errors.WorkerError: 0 jobs, expected at least 1
    """
