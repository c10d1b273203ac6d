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
    flags = os.environ.get("XLA_FLAGS", "")
    if FLAG in flags.split():
        return True
    if "jax" in sys.modules:
        return False
    os.environ["XLA_FLAGS"] = f"{flags} {FLAG}".strip()
    os.environ["NPROC"] = "1"  # how many threads XLA's pools have
    return True
