"""Packages of the extra ``experiments``: asked for when they are used, not before."""

from importlib.util import find_spec
from typing import Final

from mjopt.errors import MissingExtraError

__all__ = ["EXTRA", "need"]

EXTRA: Final = ("matplotlib", "pandas", "pyarrow", "scikit_posthocs", "scipy")
"""What a study and its report stand on."""


def need(*packages: str) -> None:
    """Refuse in one line to go on without packages of the extra ``experiments``.

    Parameters
    ----------
    *packages
        Import names.

    Raises
    ------
    MissingExtraError
        If one of them is not installed.

    Examples
    --------
    >>> need("numpy")
    >>> need("no_such_package")
    Traceback (most recent call last):
    mjopt.errors.MissingExtraError: no_such_package is not installed: ...
    """
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtraError(f"{package} is not installed: pip install 'mjopt[experiments]'")
