"""Tiles from text as people write it: which tile set is meant, and what would read the rest."""

from collections.abc import Sequence

from mjopt.errors import NotationError
from mjopt.hands.notation.base import Parsed
from mjopt.hands.notation.registry import NOTATIONS, get_notation
from mjopt.hands.tiles import FULL, M0, TileSet


def read_tiles(
    texts: Sequence[str], notation: str = "mpsz", tiles: TileSet | None = None
) -> tuple[TileSet, list[Parsed]]:
    """Read texts about one table.

    Parameters
    ----------
    texts
        Tiles.
    notation
        One of ``mjopt.NOTATIONS``; never guessed, but a refusal names the one that
        would read the text.
    tiles
        The tile set; by default ``FULL`` if any text holds honours, else ``M0``.

    Returns
    -------
    TileSet, list of Parsed
        The tile set, and the tiles of each text.

    Raises
    ------
    NotationError
        If a text is not tiles of that set in that notation.

    Examples
    --------
    >>> read_tiles(["123m"])[0].name, read_tiles(["123m", "東"])[0].name
    ('M0', 'FULL')
    >>> read_tiles(["W1 W2 W3 F1"])
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'W' at character 1: ...; reads as botzone: say notation="botzone"
    """
    reader, chosen = get_notation(notation), FULL if tiles is None else tiles
    found = []
    for text in texts:
        try:
            found.append(reader.parse(text, chosen))
        except NotationError as error:
            hint = _hint(text, notation, chosen)
            raise NotationError(f"{error}; {hint}" if hint else str(error)) from None
    if tiles is None and not any(any(counts[M0.num_kinds :]) for counts, _ in found):
        chosen = M0
        found = [Parsed(counts[: M0.num_kinds], red[: M0.num_kinds]) for counts, red in found]
    return chosen, found


def _hint(text: str, notation: str, tiles: TileSet) -> str:
    """Say what would read a text that is refused; nothing if nothing does."""
    if tiles == M0 and _reads(notation, text, FULL):
        return 'it holds honours: say tiles="136"'
    names = [name for name in NOTATIONS if name != notation and _reads(name, text, tiles)]
    if not names:
        has_letter = notation == "mpsz" and any(letter in "ewnfch" for letter in text.lower())
        return "1..4z are the winds E S W N, 5z white, 6z green, 7z red" if has_letter else ""
    say = " or ".join(f'notation="{name}"' for name in names)
    return f"reads as {' or '.join(names)}: say {say}"


def _reads(notation: str, text: str, tiles: TileSet) -> bool:
    """Whether a notation finds tiles in a text; one alone may be anything."""
    try:
        return sum(get_notation(notation).parse(text, tiles).counts) > 1
    except NotationError:
        return False
