"""Where the paper's cost is not the deficiency: over every hand of M0."""

from mjopt.experiments.audits.paper.audit import Outcome, PaperAudit, audit_paper

__all__ = ["Outcome", "PaperAudit", "audit_paper"]
