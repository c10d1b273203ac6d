"""What the paper leaves open, and the reading that our numbers rest on."""

from typing import Final

from mjopt.heuristics.registry import get_heuristic
from mjopt.reports.table import Table, make_table

LEFT_OPEN: Final = (
    (
        "Which meld or pmeld the repair removes",
        "a pmeld before a meld, and any of those; a rule blind to the sort falls short of "
        "Table 1, the first of the pmelds goes above it",
        "ndde repair",
    ),
    ("The order of the elements of S", "pchows, pairs, chows, pongs, each by kind", "ndde order"),
    (
        "Cases 4 and 5 of S: 'more than two', 'more than three'",
        "at least two for a pair, three for a pong, as the paper's examples have it",
        "",
    ),
    ("A mutant outside 1..NS (Eq. 9)", "the nearer end of the range", "ndde out_of_range"),
    ("Eq. 9 half-way between two numbers", "the even one, as Python rounds", "ndde rounding"),
    (
        "How many generations Gmax is",
        "the loop as printed, while g <= Gmax from g = 0: Gmax + 1 after the first population",
        "ndde strict_generations",
    ),
    (
        "When a trial replaces its individual",
        "after the generation, as the equations' indices say; at once makes little difference",
        "ndde selection",
    ),
    (
        "How the hands of two and three types were drawn",
        "uniform deals from those suits, every suit present; accuracy by deficiency shows what "
        "another draw would change",
        "",
    ),
    (
        "Which predecompositions the two special cases of Eq. 8 are for",
        "both as the paper's examples have them; a cost below the deficiency is counted as "
        "wrong, never clipped",
        "ndde special_case_1",
    ),
    (
        "PSO, GA and TLBO: all but population, generations, mapping, repair and cost",
        "the standard form of each from its first source, on the same encoding; their "
        "docstrings name every choice",
        "",
    ),
    (
        "What a time is of",
        "CPU time of the search of one hand on one thread, S made anew; random methods end at "
        "the certified value, the tree search when nothing can be better",
        "",
    ),
    (
        "The tree search's cut at eight tiles in its public version",
        "no cut: it must be exact",
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
        "not here: mjopt battle --preset section-4.3 plays them",
        "",
    ),
)
"""What is open, what was taken, and the method and parameter it lives in, if it is one."""


def left_open_table() -> Table:
    """Return the list as a table, with the values that the parameters have now."""
    rows = []
    for what, taken, where in LEFT_OPEN:
        value = ""
        if where:
            method, parameter = where.split()
            value = f"{where} = {getattr(get_heuristic(method), parameter)}"
        rows.append((what, taken, value))
    return make_table(
        "choices",
        "What the paper leaves open, and how it was read",
        "open | taken | parameter",
        rows,
        groups=0,
    )
