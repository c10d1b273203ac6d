"""Certificates in the formats of the field's independent checkers, and files of any format."""

from mjopt.proof_formats.any_file import check_files
from mjopt.proof_formats.dual_proof import DualProof, dual_proof
from mjopt.proof_formats.external import External, ask_external
from mjopt.proof_formats.opb import check_opb, to_opb
from mjopt.proof_formats.question import Question
from mjopt.proof_formats.report import Report
from mjopt.proof_formats.vipr import check_vipr_text, to_vipr

__all__ = [
    "DualProof",
    "External",
    "Question",
    "Report",
    "ask_external",
    "check_files",
    "check_opb",
    "check_vipr_text",
    "dual_proof",
    "to_opb",
    "to_vipr",
]
