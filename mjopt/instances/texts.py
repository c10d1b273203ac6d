"""README and licence of an instance set."""

from collections import Counter
from typing import Final

from mjopt._version import __version__
from mjopt.instances.index import Instance

LICENSE: Final = """SPDX-License-Identifier: CC0-1.0

These files are in the public domain, by CC0 1.0 Universal:
https://creativecommons.org/publicdomain/zero/1.0/legalcode
Use them for any purpose without asking.
"""


def readme_text(instances: list[Instance], seed: int) -> str:
    """Return the README of an instance set."""
    hands = {instance.certificate: instance for instance in instances}.values()
    groups = Counter(instance.group for instance in hands)
    values = Counter(instance.deficiency for instance in hands)
    models = Counter(instance.model for instance in instances)
    ordered = sorted(values, key=lambda value: 99 if value is None else value)
    words = ["none" if value is None else str(value) for value in ordered]
    by_value = ", ".join(f"{values[v]} of {w}" for v, w in zip(ordered, words, strict=True))
    lines = [
        "# Integer programs of Mahjong hands with certified optima",
        "",
        f"{len(instances):,} programs of {len(hands):,} hands, made by mjopt {__version__} with "
        f"`mjopt instances build --number {len(hands)} --seed {seed}`.",
        "",
        "| group | hands | |",
        "|---|---:|---|",
        *(f"| {group} | {number} | {_GROUPS[group]} |" for group, number in groups.items()),
        "",
        f"By deficiency (tiles to change before the hand wins): {by_value}; 'none' are hands that "
        "the unseen tiles cannot complete, whose programs have no solution.",
        "",
        "| model | programs | optimum |",
        "|---|---:|---|",
        *(f"| {model} | {number} | {_MODELS[model]} |" for model, number in models.items()),
        "",
        "- `index.parquet`, `index.csv`: a row for each program, with its optimum and its files.",
        "- `programs/`: free MPS, and OPB where all variables are 0 or 1.",
        "- `solutions/`: an optimum in the form of MIPLIB; `=infeas=` where there is none.",
        "- `certificates/`: the proof of each deficiency, checked by `mjopt verify` without a "
        "solver.",
        "- `SHA256SUMS`: digests of these files, for `sha256sum --check`.",
        "",
        "`mjopt instances solve DIR --solver cp-sat,highs,cbc` runs solvers on the programs and "
        "compares every answer with the optimum. The files are in the public domain (CC0).",
        "",
    ]
    return "\n".join(lines)


_GROUPS: Final = {
    "one-type": "hands of one suit",
    "two-type": "hands of two suits",
    "three-type": "hands of three suits",
    "honours": "hands of 136 tiles with honours",
    "called": "hands beside one to four called melds",
    "limited": "hands with few unseen tiles",
    "cost-too-low": "hands whose least cost of Eq. 8 (Yan and Li, 2023) is below the deficiency",
}
_MODELS: Final = {
    "completion": "the deficiency; its relaxation is weak",
    "blockwise": "the deficiency; its relaxation is nearly tight",
    "network": "the deficiency; totally unimodular",
    "predecomposition": "the least cost of Eq. 8, not always the deficiency; two solvers agree",
}
