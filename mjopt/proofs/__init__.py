"""Proofs in the formats of the field, and strict checkers that need no solver."""

from mjopt.proofs.accepted import Accepted
from mjopt.proofs.graph import ProofGraph, proof_graph
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.mixed_program import AT_LEAST, AT_MOST, EQUAL, MixedProgram, Row
from mjopt.proofs.native_check import check_native, read_native
from mjopt.proofs.opb_read import OpbInstance, read_opb
from mjopt.proofs.opb_write import write_opb
from mjopt.proofs.pb_program import PbProgram, PbRow
from mjopt.proofs.veripb_check import check_veripb, verify_veripb
from mjopt.proofs.veripb_read import VeripbProof, read_veripb
from mjopt.proofs.veripb_write import write_bound_proof, write_refutation
from mjopt.proofs.vipr_check import check_vipr, verify_vipr
from mjopt.proofs.vipr_file import Claim, Derivation, Solution, ViprFile
from mjopt.proofs.vipr_read import read_vipr
from mjopt.proofs.vipr_write import write_dual_bound, write_vipr

__all__ = [
    "AT_LEAST",
    "AT_MOST",
    "EQUAL",
    "LIMITS",
    "Accepted",
    "Claim",
    "Derivation",
    "Limits",
    "MixedProgram",
    "OpbInstance",
    "PbProgram",
    "PbRow",
    "ProofGraph",
    "Row",
    "Solution",
    "VeripbProof",
    "ViprFile",
    "check_native",
    "check_veripb",
    "check_vipr",
    "proof_graph",
    "read_native",
    "read_opb",
    "read_veripb",
    "read_vipr",
    "verify_veripb",
    "verify_vipr",
    "write_bound_proof",
    "write_dual_bound",
    "write_opb",
    "write_refutation",
    "write_vipr",
]
