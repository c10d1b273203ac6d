"""Optional dependencies, checked when they are used."""

from importlib.util import find_spec
from typing import Final

from mjopt.errors import MissingExtraError

EXPERIMENTS: Final = ("matplotlib", "pandas", "pyarrow", "scikit_posthocs", "scipy")
"""Import names that studies and their reports need."""

PLAY: Final = ("jinja2", "starlette", "uvicorn")
"""Import names that the web page needs."""


def need(*packages: str, extra: str) -> None:
    """Raise `MissingExtraError` unless the packages of an extra, by import name, are installed.

    Examples
    --------
    >>> need("numpy", extra="datasets")
    >>> need("no_such_package", extra="datasets")
    Traceback (most recent call last):
    mjopt.errors.MissingExtraError: no_such_package is not installed: pip install 'mjopt[datasets]'
    """
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtraError(
                f"{package} is not installed", hint=f"pip install 'mjopt[{extra}]'"
            )
