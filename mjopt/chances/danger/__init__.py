"""Danger: exact shares of the ready hands of an opponent that win on each kind."""
