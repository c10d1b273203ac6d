"""Columns of a file of answers: their names, and the question that each answers."""

from collections.abc import Mapping, Sequence
from typing import Final

from mjopt.audits.questions import DISCARD_QUESTIONS, QUESTIONS
from mjopt.errors import ArgumentError, FileError

SKIP: Final = "skip"
"""The question of a column that is not audited."""

BARRED: Final = "cannot_win_on"
OPPONENT_MELDS: Final = "opponent_melds"
OPPONENT_CALLED: Final = ("opponent_called", "num_melds")
DISCARD: Final = "discard"
"""Columns of questions about discards: kinds that the opponent cannot win on, the tiles and the
number of his melds, and the discard if the answer is no list of the rates of all kinds."""

MELDS: Final = "melds"
UNSEEN: Final = "unseen"

LOOKS_LIKE: Final = {
    "win": r"wins?|is_win|agari|hule|complete",
    "shanten": r".*(shanten|xiangting|syanten).*",
    "deficiency": r".*deficienc.*",
    "useful": r"useful.*|waits?|machi|outs|acceptance|accepts|effective.*",
    "ukeire": r".*ukeire.*|num_copies|copies|useful_copies|num_useful",
    "discard": r"discards?|best.*|.*_discards?",
    "decompositions": r".*decompositions?.*|num_splits",
    "danger": r"(danger|deal_?in)(?!.*verdict).*",
}
"""Names of columns that may be answers, by question; they are named, not audited."""


def rate_columns(
    chosen: Mapping[str, str], named: Mapping[str, str], names: Sequence[str], label: str
) -> dict[str, str]:
    """Return the columns of deal-in rates, which are audited alone."""
    for name, question in chosen.items():
        if question not in DISCARD_QUESTIONS and name in named:
            raise FileError(
                f"{label}: column {name} asks about hands, and others about discards",
                argument="--column",
                expected="danger alone",
            )
    if BARRED not in names:
        raise FileError(
            f"{label}: no column {BARRED}",
            argument="column",
            expected="the kinds that the opponent cannot win on",
        )
    return {name: question for name, question in chosen.items() if question in DISCARD_QUESTIONS}


def read_columns(texts: Sequence[str]) -> dict[str, str]:
    """Return the columns of ``--column``: the name of each, and its question.

    Examples
    --------
    >>> read_columns(["value=shanten", "useful", "discard=skip"])
    {'value': 'shanten', 'useful': 'useful', 'discard': 'skip'}
    >>> read_columns(["value"])
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: --column value, expected value=QUESTION with win, ... or skip
    """
    found = {}
    for text in texts:
        name, _, question = text.rpartition("=")
        name, question = (name, question) if name else (text, text)
        if question not in {*QUESTIONS, *DISCARD_QUESTIONS, SKIP}:
            raise ArgumentError(
                argument="--column",
                value=text,
                expected=f"{name}=QUESTION with {', '.join([*QUESTIONS, *DISCARD_QUESTIONS])} or "
                f"{SKIP}",
            )
        found[name] = question
    return found
