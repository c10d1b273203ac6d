"""Audits: compare the answers of files and engines with exact ones."""

from mjopt._internal.lazy_import import load_later

# Loaded on first use.
_HOMES = {
    "PACKAGES": "mjopt.audits.packages",
    "QUESTIONS": "mjopt.audits.questions",
    "AnswerBlock": "mjopt.audits.answer_block",
    "AnswerFile": "mjopt.audits.answer_file",
    "Audit": "mjopt.audits.comparison",
    "Disagreement": "mjopt.audits.findings",
    "Engine": "mjopt.audits.engines",
    "Findings": "mjopt.audits.findings",
    "HandBatch": "mjopt.audits.hand_batch",
    "compare": "mjopt.audits.comparison",
    "get_engine": "mjopt.audits.engines",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - names alone
__getattr__ = load_later(__name__, _HOMES)
