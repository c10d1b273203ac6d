"""The paper's hand sets and methods: their names in tables, and the methods in our terms."""

from typing import Final

from mjopt.studies.config import StudyConfig

WORDS: Final = {"one": "one type", "two": "two types", "three": "three types"}
NDDE: Final = "ndde:population={},generations={}"
PAPER_METHODS: Final = {
    "tree search": "tree-search",
    "NDDE1": NDDE.format(20, 50),
    "NDDE2": NDDE.format(50, 500),
    "PSO": "pso:population=20,generations=50",
    "GA": "ga:population=20,generations=50",
    "TLBO": "tlbo:population=20,generations=50",
}
"""The paper's names of methods (it calls tree search TSA), and ours."""

COMPARED: Final = {
    3: ("tree search", "NDDE1", "NDDE2"),
    4: ("tree search", "NDDE1", "NDDE2"),
    5: ("PSO", "GA", "TLBO", "NDDE1"),
    6: ("PSO", "GA", "TLBO", "NDDE1"),
    7: ("NDDE1", "PSO", "GA", "TLBO"),
}
"""The methods of each table; NDDE in Tables 5 to 7 is NDDE1."""


def shown_name(table: int, name: str) -> str:
    """Return the name of a method in a table: NDDE1 is NDDE in Tables 5 to 7."""
    return "NDDE" if name == "NDDE1" and table >= 5 else name


def labels_of(config: StudyConfig) -> dict[str, str]:
    """Return the label of each of the paper's methods in our study of methods."""
    labels = [method.label for method in config.methods]
    return dict(zip(PAPER_METHODS, labels, strict=True))
