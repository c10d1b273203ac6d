"""The version of mjopt, which pyproject.toml reads here."""

__version__ = "0.9.0"
