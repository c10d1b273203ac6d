"""Rules for discards, ranked by the random deals that they win without opponents."""

from mjopt._internal.lazy_import import load_later

# Loaded on first use.
_HOMES = {"rank_rules": "mjopt.play.solitaire.rule_ranking"}

__all__ = [*_HOMES]  # noqa: PLE0604 - names alone
__getattr__ = load_later(__name__, _HOMES)
