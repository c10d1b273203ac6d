"""The value of a win as the engine reported it, read from the messages of a hand."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mjopt.play.game.mjai_messages import Message, tile_of


@dataclass(frozen=True, slots=True, kw_only=True)
class WinValue:
    """The value of a win.

    Examples
    --------
    >>> message = {"type": "hora", "actor": 1, "yakus": [["menzen_tsumo", 1]], "fan": 1, "fu": 30,
    ...            "uradora_markers": ["5mr"]}
    >>> win_values([message])
    [WinValue(seat=1, yaku=(('menzen tsumo', 1),), han=1, fu=30, below=(34,))]
    """

    seat: int  # the winner
    # Yaku and dora in words, each with its han; a yaku of the limit has the engine's number.
    yaku: tuple[tuple[str, int], ...]
    han: int  # in total
    fu: int
    # The indicators below the others, which count after a riichi: tiles 0..36.
    below: tuple[int, ...]


def win_values(messages: Iterable[Message]) -> list[WinValue]:
    """Return the value of each win of a hand, in the order of its messages."""
    return [
        WinValue(
            seat=message["actor"],
            yaku=tuple((str(name).replace("_", " "), int(han)) for name, han in message["yakus"]),
            han=message["fan"],
            fu=message["fu"],
            below=tuple(map(tile_of, message["uradora_markers"])),
        )
        for message in messages
        if message["type"] == "hora"
    ]


YAKU: Final = (
    *("riichi", "ippatsu", "menzen tsumo", "pinfu", "iipeikou", "tanyao", "yakuhai haku"),
    *("yakuhai hatsu", "yakuhai chun", "yakuhai round", "yakuhai seat", "haitei", "houtei"),
    *("rinshan", "chankan", "double riichi", "chiitoitsu", "sanshoku doujun", "ittsu", "chanta"),
    *("toitoi", "sanankou", "sanshoku doukou", "sankantsu", "shousangen", "honroutou", "honitsu"),
    *("junchan", "ryanpeikou", "chinitsu", "kokushi", "suuankou", "chuuren", "daisangen"),
    *("shousuushi", "daisuushi", "tsuuiisou", "chinroutou", "ryuuiisou", "suukantsu", "tenhou"),
    *("chiihou", "dora", "uradora", "akadora"),
)
"""The names of all yaku that the engine knows, and of the three kinds of dora."""
