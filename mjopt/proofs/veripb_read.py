"""VeriPB proof text into statements, one rule each, in its old and its new spelling."""

import re
from dataclasses import dataclass

from mjopt.errors import CertificateError
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.pb_words import cut, fixed_line, statements
from mjopt.proofs.words import Words, quote, refuse_foreign

PROOF_VERSIONS = ("1.0", "1.1", "1.2", "2.0", "3.0")

_HEADER = re.compile(r"pseudo-Boolean proof version ([0-9]{1,9}\.[0-9]{1,9})\s*")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VeripbProof:
    """The rules of a proof, read but not believed.

    Parameters
    ----------
    version
        Version of the format; before 3.0 a rule is a line, from then on it ends in a semicolon.
    statements
        The rules, in order.
    """

    version: str
    statements: tuple[Words, ...]

    @property
    def major(self) -> int:
        """First part of the version."""
        return int(self.version.split(".")[0])


def read_veripb(text: str, limits: Limits = LIMITS) -> VeripbProof:
    """Cut a proof into its rules.

    Raises
    ------
    CertificateError
        If the header is not that of a known version, the text ends within a rule, or it is
        past a limit.

    References
    ----------
    .. [1] Bogaerts, Gocht, McCreesh and Nordstroem (2023), "Certified dominance and symmetry
       breaking for combinatorial optimisation", JAIR 77.

    Examples
    --------
    >>> proof = read_veripb('''pseudo-Boolean proof version 3.0
    ... f 2 ; % as many as the instance has
    ... pol 1 2 + ;''')
    >>> [" ".join(words.words) for words in proof.statements]
    ['f 2', 'pol 1 2 +']
    """
    limits.check_text(text, "VeriPB")
    refuse_foreign(text, "VeriPB")
    lines = text.split("\n")
    header = _HEADER.fullmatch(lines[0])
    if header is None:
        raise CertificateError(
            f"VeriPB, line 1: expected pseudo-Boolean proof version, found {quote(lines[0])}"
        )
    version = header[1]
    if version not in PROOF_VERSIONS:
        raise CertificateError(
            f"VeriPB, line 1: version {version} is not one of {', '.join(PROOF_VERSIONS)}"
        )
    lines[0] = ""
    if version == "3.0":
        rules = statements((line.partition("%")[0] for line in lines), "VeriPB", limits)
    else:
        spoken = [
            (number, line)
            for number, line in enumerate(lines, 1)
            if line.strip() and not line.lstrip().startswith("*")
        ]
        limits.check("lines", len(spoken), "VeriPB, statements")
        rules = [Words(_old_rule(line, version), "VeriPB", fixed_line(at)) for at, line in spoken]
    return VeripbProof(version=version, statements=tuple(rules))


def _old_rule(line: str, version: str) -> list[str]:
    """Cut a line of the older format; 1.x may end some rules in 0."""
    words = cut(line)
    if version < "2" and words[0] in ("f", "p", "pol") and len(words) > 2 and words[-1] == "0":
        words.pop()
    return words
