"""Printing: results on stdout, everything else on stderr."""

import json
from typing import Any

from mjopt.hands.forms import UNREACHABLE
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.models.solving import Answer


def print_json(document: Any) -> None:
    """Print one JSON document on stdout."""
    print(json.dumps(document, ensure_ascii=False, indent=2))


def value_text(value: int | None) -> str:
    """Write a deficiency."""
    return "unreachable" if value == UNREACHABLE else "unknown" if value is None else str(value)


def as_text(hand: Hand, notation: str) -> str:
    """Write a hand with its called melds."""
    melds = " ".join(f"({meld.text(hand.tiles)})" for meld in hand.melds)
    return f"{hand.to_text(notation)} {melds}".strip()


def tiles_text(counts: tuple[int, ...], hand: Hand, notation: str) -> str:
    """Write some tiles in a notation; a dash for none."""
    none = (0,) * len(counts)
    return get_notation(notation).write(counts, none, hand.tiles) or "-"


def blocks_text(answer: Answer) -> list[str]:
    """Write the blocks of an answer."""
    return [block.text(answer.hand.tiles) for block in answer.blocks]
