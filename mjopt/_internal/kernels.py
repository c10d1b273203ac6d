"""Which way kernels are made: the quick one where numba is as that knows it, else the plain one.

:mod:`mjopt._internal.jit` is the door, and loads this with the first batch.
"""

from functools import cache
from types import ModuleType
from typing import Final

import numba

KNOWN: Final = (0, 68)
"""The newest numba with which the quick way has been run; of a newer one it is asked."""


@cache
def way() -> ModuleType:
    """Return the module that compiles, links and types what kernels are made of."""
    try:
        from mjopt._internal import quick_kernels
    except (ImportError, AttributeError):
        pass
    else:
        if numba.version_info[:2] <= KNOWN or quick_kernels.stands():
            return quick_kernels
    from mjopt._internal import plain_kernels

    return plain_kernels


def why_not_kept() -> str:
    """Say why kernels that are compiled are not kept, where they are not."""
    if way().__name__.endswith("plain_kernels"):
        return f"as numba {numba.__version__} is not known here (a newer mjopt may know it)"
    return "as no folder can be written to keep them (NUMBA_CACHE_DIR=FOLDER names one)"
