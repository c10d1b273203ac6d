"""Public names that load on their first use, so that importing a package stays quick."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def load_later(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a package's ``__getattr__``.

    Parameters
    ----------
    package
        The package, ``__name__``.
    homes
        Module that defines each name. A module that does not define it is the value itself.

    Examples
    --------
    >>> find = load_later(__name__, {"sqrt": "math"})
    >>> find("sqrt")(9.0)
    3.0
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(homes[name])
        value = getattr(module, name, module)
        setattr(sys.modules[package], name, value)
        return value

    return find
