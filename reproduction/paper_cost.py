"""Compare the least cost of Eq. 8 of Yan and Li (2023) with the deficiency of every hand of M0.

Prints how many of the 21,310,147,575 hands have each deficiency and each least cost. With -o,
lists the hands whose numbers differ, with certificates.

    python reproduction/paper_cost.py -o found
"""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from paper.audit import audit_paper
from paper.report import CERTIFICATES, summary, write_report


def outcomes(rows: Sequence[dict[str, Any]]) -> str:
    """Return a Markdown table of hands by deficiency and least cost."""
    lines = [
        "| deficiency | least cost | hands | deals | deal probability | |",
        "|---:|---:|---:|---:|---:|---|",
    ]
    for row in rows:
        differs = "" if row["cost"] == row["deficiency"] else "differs"
        lines.append(
            f"| {row['deficiency']} | {row['cost']} | {row['hands']:,} | {row['deals']:,} "
            f"| {row['deal_probability']:.4g} | {differs} |"
        )
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> None:
    """Run the audit, print the outcomes, and write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, help="folder for the hands and certificates")
    parser.add_argument("--certificates", choices=CERTIFICATES, default="representatives")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(words)
    audit = audit_paper()
    document = summary(audit)
    if options.output:
        write_report(audit, options.output, certificates=options.certificates, jobs=options.jobs)
    print("Eq. 8 with both special cases", outcomes(document["with_special_case_2"]), sep="\n\n")
    print(
        "\nEq. 8 without special case 2", outcomes(document["without_special_case_2"]), sep="\n\n"
    )
    print(
        f"\n{document['different']:,} of {document['hands']:,} hands cost less than their "
        f"deficiency (deal probability {document['deal_probability']:.4g}):\n"
        f"{document['family']}."
    )


if __name__ == "__main__":
    main()
