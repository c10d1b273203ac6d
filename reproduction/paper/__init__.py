"""Compare the paper's cost with the deficiency over all hands of M0."""

from paper.audit import JudgedHands, PaperAudit, audit_paper

__all__ = ["JudgedHands", "PaperAudit", "audit_paper"]
