"""Yaku that are certain: enough to know that a win is allowed, not to score it."""

from collections.abc import Sequence

from mjopt.hands.winning_forms import DEFAULT_FORM
from mjopt.play.game.events import Meld
from mjopt.play.game.rules import GameRules
from mjopt.play.game.scoring import patterns, winning_form


def certain_yaku(
    counts: Sequence[int], melds: Sequence[Meld], *, values: frozenset[int], rules: GameRules
) -> tuple[str, ...]:
    """Return yaku that the tiles of a complete hand have under every riichi rule.

    The list is not complete: yaku that depend on the decomposition into melds, such as pinfu
    and mixed triple chow, are not looked for.

    Parameters
    ----------
    counts
        Concealed copies per kind, including the winning tile.
    melds
        Melds on the table.
    values
        The kinds whose pongs are a yaku; see :func:`mjopt.play.game.open_hands.value_kinds`.
    rules
        Rules with the winning forms of riichi.

    Examples
    --------
    >>> from mjopt.play.mjai import RIICHI_TABLE
    >>> hand = [0, 1, 1, 1, 0, 2, 0, 0, 0] + [0, 0, 3, 0, 3, 0, 0, 3, 0] + [0] * 16
    >>> certain_yaku(hand, (), values=frozenset(), rules=RIICHI_TABLE)
    ('all simples',)
    """
    tiles = rules.tiles
    kinds = {kind for kind, copies in enumerate(counts) if copies}
    kinds |= {kind for meld in melds for kind in meld.block.kinds}
    of_chows = {kind for first in tiles.chow_starts for kind in range(first, first + 3)}
    pongs = {kind for kind, copies in enumerate(counts) if copies >= 3}
    pongs |= {meld.kind for meld in melds if len(set(meld.block.kinds)) == 1}
    yaku = []
    if (form := winning_form(counts, rules)) != DEFAULT_FORM:
        yaku.append(form.replace("_", " "))
    elif pongs & values:
        yaku.append("value honours")
    if all(kind in of_chows and 2 <= tiles.rank(kind) <= 8 for kind in kinds):
        yaku.append("all simples")
    if "all_pongs" in patterns(counts, melds, rules):
        yaku.append("all pongs")
    if len({tiles.letter(kind) for kind in kinds & of_chows}) == 1:
        yaku.append("one suit")
    return tuple(yaku)
