"""The rules of the riichi table, and the rules of all tables by name."""

from importlib.metadata import version
from typing import Final

from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect
from mjopt.errors import GameError
from mjopt.play.game.rules import GAME_RULES, RIICHI_GAME, GameRules, get_game_rules

ENGINE: Final = "jansou"
EXTRA: Final = "riichi"
START_POINTS: Final = 25_000


def get_table_rules(text: str) -> GameRules:
    """Return rules by name as :func:`mjopt.play.game.get_game_rules` does, or those of riichi.

    Raises
    ------
    GameError
        If the name or a choice is invalid. Riichi has no choices.
    MissingExtraError
        If the rules are riichi's, and its engine is not installed.

    Examples
    --------
    >>> get_table_rules("riichi").ready, get_table_rules("jj,ready=0").ready
    (True, False)
    >>> get_table_rules("riichi,kongs=0")
    Traceback (most recent call last):
    mjopt.errors.GameError: rules riichi: 'kongs=0', expected no choices: the engine has its own
    """
    expect(text, str, "rules")
    name, _, choices = text.partition(",")
    if name == RIICHI_GAME.name:
        if choices or text != name:
            raise GameError(
                f"rules riichi: {short_repr(choices)}",
                expected="no choices: the engine has its own",
            )
        need(ENGINE, extra=EXTRA)
        return RIICHI_GAME
    if name not in GAME_RULES:
        raise GameError(
            "unknown",
            argument="rules",
            value=short_repr(name),
            expected=(*GAME_RULES, RIICHI_GAME.name),
        )
    return get_game_rules(text)


def engine_version() -> str:
    """Return the name and the version of the engine, as records have it."""
    return f"{ENGINE} {version(ENGINE)}"
