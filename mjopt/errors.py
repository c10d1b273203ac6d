"""The exceptions of mjopt."""


class MjoptError(Exception):
    """Base of every error that mjopt raises on purpose."""


class TileError(MjoptError, ValueError):
    """An invalid tile, tile count or tile set."""


class NotationError(TileError):
    """Text that is not valid in its notation."""


class HandError(MjoptError, ValueError):
    """Valid tiles that do not form a hand."""


class HeuristicError(MjoptError, ValueError):
    """An invalid heuristic or parameter of one."""


class SeedError(MjoptError, ValueError):
    """An invalid random seed."""


class ModelError(MjoptError, ValueError):
    """A query that a formulation cannot express."""


class UserCodeError(MjoptError, ValueError):
    """A user's Python file that cannot be loaded, or lacks the class."""


class SolverError(MjoptError, RuntimeError):
    """A solver failed or returned an impossible result."""


class SolverUnavailableError(SolverError):
    """A solver is not installed, or cannot be loaded in this process."""


class WitnessError(SolverError):
    """A solver's values do not satisfy the program they claim to solve."""


class FileError(MjoptError, ValueError):
    """A file that cannot be read or written."""


class CertificateError(MjoptError, ValueError):
    """A certificate that is inconsistent or does not prove its claim."""


class MissingExtraError(MjoptError, ImportError):
    """A missing optional dependency."""


class StudyError(MjoptError, ValueError):
    """An invalid study, or one that cannot be run."""


class RecipeError(MjoptError, ValueError):
    """An invalid recipe for hands."""


class RuleError(MjoptError, ValueError):
    """An unknown rule for discards, or a ranking of rules that cannot be made."""


class GameError(MjoptError, ValueError):
    """An invalid rule set, illegal move or impossible state."""


class RecordError(GameError):
    """An invalid game record, or one that breaks the rules."""


class LogError(GameError):
    """An inconsistent log of a real game."""


class LearningError(MjoptError, ValueError):
    """An invalid configuration, weights file or training run."""


class DatasetError(MjoptError, ValueError):
    """A damaged dataset, or one that cannot be built."""


class WorkerError(MjoptError, ValueError):
    """Workers that cannot be started, or that were killed."""
