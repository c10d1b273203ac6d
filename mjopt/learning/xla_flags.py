"""One thread: the same weights from the same seed, and no more than a core is taken."""

import os
import sys
from typing import Final

FLAG: Final = "--xla_cpu_multi_thread_eigen=false"
"""XLA's sums are then not split over threads."""


def one_thread() -> bool:
    """Have JAX compute in one thread of the processor; call it before JAX is imported.

    Returns
    -------
    bool
        Whether it will: False if JAX was imported before, with other settings.
    """
    flags = os.environ.get("XLA_FLAGS", "").split()
    is_so = FLAG in flags and os.environ.get("NPROC") == "1"
    if is_so or "jax" in sys.modules:
        return is_so
    os.environ["XLA_FLAGS"] = " ".join([*(flag for flag in flags if flag != FLAG), FLAG])
    os.environ["NPROC"] = "1"  # how many threads XLA's pools have: with the flag alone, as many
    return True
