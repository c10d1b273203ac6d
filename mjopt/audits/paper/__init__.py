"""Where the paper's cost is not the deficiency: over every hand of M0."""

from mjopt.audits.paper.audit import JudgedHands, PaperAudit, audit_paper

__all__ = ["JudgedHands", "PaperAudit", "audit_paper"]
