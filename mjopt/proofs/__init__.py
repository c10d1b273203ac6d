"""Checkers of native certificates: they need no solver, model or table."""

from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.native_check import check_native, read_native
from mjopt.proofs.win_chance_check import verify_win_chance

__all__ = ["LIMITS", "Limits", "check_native", "read_native", "verify_win_chance"]
