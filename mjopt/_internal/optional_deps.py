"""Packages of mjopt's extras: asked for when they are used, not before."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from mjopt.errors import MissingExtraError

EXPERIMENTS: Final = ("matplotlib", "pandas", "pyarrow", "scikit_posthocs", "scipy")
"""What a study and its report stand on, by import name."""

SERVE: Final = ("jinja2", "starlette", "uvicorn")
"""What the page stands on."""


def need(*packages: str, extra: str) -> None:
    """Refuse in one line to go on without packages of an extra.

    Parameters
    ----------
    *packages
        Import names.
    extra
        The extra that installs them.

    Raises
    ------
    MissingExtraError
        If one of them is not installed.

    Examples
    --------
    >>> need("numpy", extra="datasets")
    >>> need("no_such_package", extra="datasets")
    Traceback (most recent call last):
    mjopt.errors.MissingExtraError: no_such_package is not installed: pip install 'mjopt[datasets]'
    """
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtraError(f"{package} is not installed: pip install 'mjopt[{extra}]'")


@contextmanager
def imported_meanwhile(*modules: str) -> Iterator[None]:
    """Import modules in a thread, if they are installed, and have them when this ends.

    Kernels that are compiled meanwhile leave most of their time to it. A module that cannot be
    imported is left to whoever needs it, who can say why.

    Examples
    --------
    >>> with imported_meanwhile("wave", "no_such_package.part"):
    ...     pass
    """
    from threading import Thread

    def work() -> None:
        for module in modules:
            with suppress(Exception):
                if find_spec(module.partition(".")[0]) is not None:
                    import_module(module)

    thread = Thread(target=work, name="mjopt imports")
    thread.start()
    try:
        yield
    finally:
        thread.join()
