"""Measure how often bounds on optimal play prove common advice wrong."""

from mjopt.audits.advice.audit import AdviceAudit, JudgedAdvice, audit_advice
from mjopt.audits.advice.report import write_report

__all__ = ["AdviceAudit", "JudgedAdvice", "audit_advice", "write_report"]
