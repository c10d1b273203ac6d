"""Every error raised on purpose."""


class MjoptError(Exception):
    """Base of every error that mjopt raises on purpose."""


class TileError(MjoptError, ValueError):
    """A tile, a count of tiles or a tile set that cannot be."""


class NotationError(TileError):
    """Text that is not tiles in the named notation."""


class HandError(MjoptError, ValueError):
    """Tiles that are fine one by one but do not make a hand."""


class HeuristicError(MjoptError, ValueError):
    """A heuristic, or one of its parameters, that cannot be."""


class SeedError(MjoptError, ValueError):
    """A seed that no random numbers can start from."""


class ModelError(MjoptError, ValueError):
    """A formulation asked for something it cannot express."""


class UserCodeError(MjoptError, ValueError):
    """A user's Python file that cannot be loaded, or lacks the class."""


class SolverError(MjoptError, RuntimeError):
    """A solver failed, or returned something that cannot be."""


class SolverUnavailableError(SolverError):
    """A solver is not installed, or cannot be loaded in this process."""


class WitnessError(SolverError):
    """A solver's values do not satisfy the program they claim to solve."""


class FileError(MjoptError, ValueError):
    """A file that cannot be read or written as asked."""


class CertificateError(MjoptError, ValueError):
    """Evidence that contradicts itself or does not prove what it claims."""


class MissingExtraError(MjoptError, ImportError):
    """A package that only an extra installs."""


class StudyError(MjoptError, ValueError):
    """A study that cannot be planned, run or read as asked."""


class RecipeError(MjoptError, ValueError):
    """A recipe for hands that cannot be read or followed."""


class GameError(MjoptError, ValueError):
    """A rule, a move or a state that the game does not allow."""


class RecordError(GameError):
    """A recorded game that cannot be read, or that the rules refuse."""


class LogError(GameError):
    """A log of a real game that does not add up."""


class LearningError(MjoptError, ValueError):
    """A configuration, a file of weights or a run of training that cannot be."""


class DatasetError(MjoptError, ValueError):
    """A dataset that is not what it should be, or cannot be built as asked."""


class WorkerError(MjoptError, ValueError):
    """Workers that cannot be had as asked, or that were killed."""
