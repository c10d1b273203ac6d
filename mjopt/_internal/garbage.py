"""Nobody looks for garbage while much is made that is none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_later() -> Iterator[None]:
    """Look for garbage when this is done: a tenth of the time of a compiler, or of figures.

    Examples
    --------
    >>> with garbage_later():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
