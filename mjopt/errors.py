"""Every error raised on purpose."""

__all__ = [
    "CertificateError",
    "FileError",
    "HandError",
    "MjoptError",
    "ModelError",
    "NotationError",
    "SolverError",
    "SolverUnavailableError",
    "TileError",
    "WitnessError",
]


class MjoptError(Exception):
    """Base of every error that mjopt raises on purpose."""


class TileError(MjoptError, ValueError):
    """A tile, a count of tiles or a tile set that cannot be."""


class NotationError(TileError):
    """Text that is not tiles in the named notation."""


class HandError(MjoptError, ValueError):
    """Tiles that are fine one by one but do not make a hand."""


class ModelError(MjoptError, ValueError):
    """A formulation asked for something it cannot express."""


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
