"""Assumptions about details that the paper leaves open."""

from typing import Final

from mjopt._internal.tables import Table
from mjopt.heuristics.registry import get_heuristic

ASSUMPTIONS: Final = (
    (
        "Which meld or pmeld the repair removes",
        "a random pmeld, or a random meld if there is none; a rule that ignores the kind falls "
        "short of Table 1, removing the first pmeld exceeds it",
        "ndde repair",
    ),
    ("The order of the elements of S", "pchows, pairs, chows, pongs, each by kind", "ndde order"),
    (
        "Cases 4 and 5 of S: 'more than two', 'more than three'",
        "at least two for a pair, three for a pong, as in the paper's examples",
        "",
    ),
    ("A mutant outside 1..NS (Eq. 9)", "clipped to the range", "ndde out_of_range"),
    ("Rounding of halves in Eq. 9", "to even, as in Python", "ndde rounding"),
    (
        "How many generations Gmax is",
        "the loop as printed, while g <= Gmax from g = 0: Gmax + 1 after the first population",
        "ndde strict_generations",
    ),
    (
        "When a trial replaces its individual",
        "after the generation, as the indices of the equations say; replacing it at once makes "
        "little difference",
        "ndde selection",
    ),
    (
        "How the hands of two and three types were drawn",
        "uniform deals from those suits, every suit present; accuracy by deficiency shows the "
        "effect of another distribution",
        "",
    ),
    (
        "The predecompositions in the two special cases of Eq. 8",
        "those of the paper's examples; a cost below the deficiency is counted as wrong, never "
        "clipped",
        "ndde special_case_1",
    ),
    (
        "PSO, GA and TLBO: all but population, generations, mapping, repair and cost",
        "the standard form of each from its first source, on the same encoding; their docstrings "
        "name every choice",
        "",
    ),
    (
        "The definition of time",
        "CPU time of the search of one hand on one thread, including S; random methods end at "
        "the certified value, the tree search when nothing can be better",
        "",
    ),
    (
        "The tree search's depth limit of eight tiles in its public version",
        "no limit: the search must be exact",
        "tree-search depth_limit",
    ),
    (
        "Best and worst in Table 3 (NDDE1)",
        "best is the highest accuracy; the paper prints the lowest there",
        "",
    ),
    (
        "The t-test and the rank-sum test",
        "two-sided, over runs; Student's with pooled variance beside the paper's, Welch's with "
        "corrections in methods/report.html",
        "",
    ),
    (
        "Section 4.3: one thousand games",
        "not included: mjopt battle section-4.3 plays them",
        "",
    ),
)
"""Triples: question, assumption, and the method and parameter that implement it, if any."""


def assumptions_table() -> Table:
    """Return the assumptions with the current values of the parameters."""
    rows = []
    for question, assumption, parameter_of in ASSUMPTIONS:
        value = ""
        if parameter_of:
            method, parameter = parameter_of.split()
            value = f"{parameter_of} = {getattr(get_heuristic(method), parameter)}"
        rows.append({"open": question, "taken": assumption, "parameter": value})
    return Table(
        name="choices", title="Assumptions about details that the paper leaves open", rows=rows
    )
