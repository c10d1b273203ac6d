"""Writers of VIPR and OPB with VeriPB, and the verification of files of every format."""

from mjopt.analysis.formats.dual_proof import DualProof, dual_proof
from mjopt.analysis.formats.opb import PROOF_VERSIONS, to_opb
from mjopt.analysis.formats.verification_result import VerificationResult
from mjopt.analysis.formats.verify_file import verify_files
from mjopt.analysis.formats.vipr import to_vipr

__all__ = [
    "PROOF_VERSIONS",
    "DualProof",
    "VerificationResult",
    "dual_proof",
    "to_opb",
    "to_vipr",
    "verify_files",
]
