"""Certificates in the formats of the field's independent checkers, and files of any format."""

from mjopt.answers.formats.any_file import check_files
from mjopt.answers.formats.duals import DualProof, dual_proof
from mjopt.answers.formats.external import External, ask_external
from mjopt.answers.formats.opb import check_opb, to_opb
from mjopt.answers.formats.report import Report
from mjopt.answers.formats.vipr import check_vipr_text, to_vipr
from mjopt.hands.question import Question

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
