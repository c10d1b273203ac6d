"""The packages that studies and their reports stand on."""

from typing import Final

from mjopt import extras

__all__ = ["EXTRA", "need"]

EXTRA: Final = ("matplotlib", "pandas", "pyarrow", "scikit_posthocs", "scipy")
"""All of them, by import name."""


def need(*packages: str) -> None:
    """Refuse in one line to go on without packages of the extra ``experiments``."""
    extras.need(*packages, extra="experiments")
