"""Measure how often bounds on optimal play prove common advice wrong."""

from mjopt.play.solitaire.advice.audit import AdviceAudit, JudgedAdvice, audit_advice
from mjopt.play.solitaire.advice.report import write_report

__all__ = ["AdviceAudit", "JudgedAdvice", "audit_advice", "write_report"]
