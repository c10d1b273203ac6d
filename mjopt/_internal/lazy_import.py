"""Lazy imports of public names, so that importing a package is fast."""

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
        The module of each name; if the module has no such attribute, the value is the module
        itself.

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
