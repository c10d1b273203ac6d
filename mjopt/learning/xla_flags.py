"""Limit XLA to one thread, so that equal seeds give equal weights."""

import os
import sys
from typing import Final

FLAG: Final = "--xla_cpu_multi_thread_eigen=false"
"""Do not split sums over threads."""


def one_thread() -> bool:
    """Make JAX compute in one thread; call it before JAX is imported.

    Returns
    -------
    bool
        False if JAX was imported before with other settings.
    """
    flags = os.environ.get("XLA_FLAGS", "").split()
    is_so = FLAG in flags and os.environ.get("NPROC") == "1"
    if is_so or "jax" in sys.modules:
        return is_so
    os.environ["XLA_FLAGS"] = " ".join([*(flag for flag in flags if flag != FLAG), FLAG])
    os.environ["NPROC"] = "1"  # size of XLA's thread pools
    return True
