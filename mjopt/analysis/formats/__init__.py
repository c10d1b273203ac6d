"""Certificates in the formats of the field's independent checkers, and files of any format."""

from mjopt.analysis.formats.any_file import check_files
from mjopt.analysis.formats.duals import DualProof, dual_proof
from mjopt.analysis.formats.external import External, ask_external
from mjopt.analysis.formats.opb import check_opb, to_opb
from mjopt.analysis.formats.report import Report
from mjopt.analysis.formats.vipr import check_vipr_text, to_vipr
from mjopt.hands.query import Question

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
