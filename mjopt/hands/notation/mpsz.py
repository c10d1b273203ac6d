"""The mpsz notation (ranks, then a suit letter), its variants, and their tokens."""

import re
import string
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple
from urllib.parse import unquote

from mjopt.errors import NotationError
from mjopt.hands.notation.automaton import SPACES, TextAutomaton, build_groups, read_fast
from mjopt.hands.notation.base import (
    HeldTile,
    Parsed,
    TileToken,
    count_tiles,
    each_tile,
    notation_error,
    one_of,
)
from mjopt.hands.notation.unicode import SELECTORS, Unicode, character_automaton
from mjopt.hands.tiles import TileSet

HONOURS: Final = {
    **dict.fromkeys("東东", "1z"),
    "南": "2z",
    "西": "3z",
    "北": "4z",
    "白": "5z",
    "中": "7z",
    **dict.fromkeys("發発发", "6z"),
}
_SIGNS: Final = {
    **dict(zip("一二三四五六七八九伍", "1234567895", strict=True)),
    **dict.fromkeys("萬万", "m"),
    **dict.fromkeys("筒餅饼", "p"),
    **dict.fromkeys("索条條", "s"),
    "\N{IDEOGRAPHIC SPACE}": " ",
    "\N{IDEOGRAPHIC COMMA}": ",",
    **dict.fromkeys("+\N{FULLWIDTH PLUS SIGN}", ","),  # before the drawn tile
}
_WIDE: Final = {chr(0xFEE0 + ord(sign)): sign for sign in map(chr, range(0x21, 0x7F))}
_PLAIN: Final = str.maketrans(
    {sign: meaning.lower() for sign, meaning in _WIDE.items()}
    | _SIGNS
    | dict(zip(string.ascii_uppercase, string.ascii_lowercase, strict=True))
)  # one character for each, so that positions stay the same
_TILE = re.compile("[\U0001f000-\U0001f02f]")
_LETTERS: Final = "ESWNPFC"  # of the honours 1z to 7z, as in mjai
_WORD: Final = re.compile(
    r"(?:(?<![0-9A-Za-z])|(?<=[mpsz]))(?:[ESWNPFC]+(?![0-9A-Za-z])|[ESWNPFC]{2,}(?![A-Za-z]))"
)
"""Letters of honours in a row, which mjai writes apart; ranks may follow several: ``EESS123m``."""
_ADDRESS: Final = re.compile(r"(?:https?://)?tenhou\.net/2/\?(?:[^#\s]*&)?[pq]=([^&#\s]*)\S*")
"""An address of Tenhou's page about a hand, and the hand in it."""


class Token(NamedTuple):
    """A rank, a suit letter, a whole tile or a separator."""

    text: str
    position: int  # index of its first character, from 0
    meaning: str  # the mpsz rank or suit letter; both for a whole tile, empty for a comma
    red: bool = False  # whether it is the rank of a red five

    @property
    def is_rank(self) -> bool:
        """Whether this is a rank rather than a suit letter."""
        return self.meaning.isdigit()

    @property
    def is_separator(self) -> bool:
        """Whether a suit letter cannot apply across this token: a whole tile or a comma."""
        return len(self.meaning) != 1

    def to_tile(self) -> Iterator[TileToken]:
        """Yield the tile of a whole-tile token; nothing for a comma."""
        if self.meaning:
            yield TileToken(self.meaning, self.text, self.position)

    def with_suit(self, suit: "Token") -> TileToken:
        """Return the tile of this rank in a suit."""
        return TileToken(self.meaning + suit.meaning, self.text, self.position, self.red)


def ranks_then_suit(tokens: Iterable[Token], letters: str) -> Iterator[TileToken]:
    """Yield each rank with the next suit letter, in the order of the text.

    A rank without a suit letter, or a suit letter without ranks, raises `NotationError`; its
    message lists the valid ``letters``.

    Examples
    --------
    >>> tokens = [Token("1", 0, "1"), Token("2", 1, "2"), Token("m", 2, "m")]
    >>> [tile.name for tile in ranks_then_suit(tokens, "m")]
    ['1m', '2m']
    >>> list(ranks_then_suit(tokens[:2], "m"))
    Traceback (most recent call last):
    mjopt.errors.NotationError: '12' at character 1: ranks without a suit, expected m after them
    """
    ranks: list[Token] = []
    for token in tokens:
        if token.is_rank:
            ranks.append(token)
            continue
        if token.is_separator:
            if ranks:
                raise _missing_suit(ranks, f"{letters} after them")
            yield from token.to_tile()
            continue
        if not ranks:
            reason = "a suit without ranks"
            raise notation_error(token.text, token.position, reason, "ranks before it")
        yield from (rank.with_suit(token) for rank in ranks)
        ranks = []
    if ranks:
        raise _missing_suit(ranks, f"{letters} after them")


def suit_then_ranks(tokens: Iterable[Token], letters: str) -> Iterator[TileToken]:
    """Combine each rank with the last suit letter before it.

    Examples
    --------
    >>> tokens = [Token("B", 0, "s"), Token("3", 1, "3"), Token("3", 2, "3")]
    >>> [tile.name for tile in suit_then_ranks(tokens, "B")]
    ['3s', '3s']
    """
    suit: Token | None = None
    has_ranks = True
    for token in tokens:
        if token.is_rank:
            if suit is None:
                raise _missing_suit([token], f"{letters} before them")
            has_ranks = True
            yield token.with_suit(suit)
            continue
        if suit is not None and not has_ranks:
            raise _missing_ranks(suit)
        suit, has_ranks = (None, True) if token.is_separator else (token, False)
        if token.is_separator:
            yield from token.to_tile()
    if suit is not None and not has_ranks:
        raise _missing_ranks(suit)


def _missing_ranks(suit: Token) -> NotationError:
    return notation_error(suit.text, suit.position, "a suit without ranks", "ranks after it")


def _missing_suit(ranks: list[Token], expected: str) -> NotationError:
    text = "".join(rank.text for rank in ranks)
    return notation_error(text, ranks[0].position, "ranks without a suit", expected)


class Mpsz:
    """Ranks and then a suit letter, as in ``123m406p11z``.

    The letters are those of the tile set: m characters, p dots, s bamboos, z
    honours (1 to 4 the winds E S W N, 5 white, 6 green, 7 red). Suits may come in
    any order and repeat. White space is allowed between any two tiles, commas
    and ``+`` between groups.

    Capitals, full-width characters and Chinese and Japanese characters are read too:
    ranks 一 to 九, suits 萬 (万), 筒 (餅), 索 (条), and honours 東南西北白發中, each a whole
    tile. A text of Mahjong tile characters is read as notation ``unicode``.

    Honours may also be the letters E S W N P F C of mjai: ``EESS123m``, ``123mEE``, ``123m E E``,
    unless the text can be read without them. An address ``tenhou.net/2/?q=123m...`` is the hand
    in it.

    A red five is ``0``, ``5r`` or ``r5``. An ``r`` belongs to the character right
    before it if that is a 5 not yet red, else to a 5 right after it: ``5r5m`` is a
    red and then a plain five, ``r5r5m`` two red ones. A tile set with a suit r
    keeps the letter for it and has only ``0``.

    The output has suits in the order of the tile set, ranks ascending, and red
    fives, as ``0``, before plain ones. Reading it restores counts and red fives.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL, M0
    >>> counts, red = Mpsz().parse("r56m 11z 4m", FULL)
    >>> counts[:6], red[4]
    ((0, 0, 0, 1, 1, 1), 1)
    >>> Mpsz().write(counts, red, FULL)
    '406m11z'
    >>> Mpsz().write(*Mpsz().parse("一二三萬, 456P, 789s 東東", FULL), FULL)
    '123m456p789s11z'
    >>> Mpsz().parse("123m1z", M0)
    Traceback (most recent call last):
    mjopt.errors.NotationError: 'z' at character 6: not a suit of M0, expected m, p or s
    """

    name = "mpsz"
    description = "ranks, then a suit letter; 0 is a red five"
    example = "123m406p12333888s"

    def parse(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; raise NotationError with the position of what is wrong."""
        return read_fast(self.automata(tiles), text) or self.parse_fully(text, tiles)

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return the automaton of the groups, and that of tile characters."""
        groups = _automaton(tiles.names, is_reversed=True)
        return groups, character_automaton(tiles.names, needs_tile=True)

    def parse_fully(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles token by token."""
        if not text.isascii() and _TILE.search(text):
            return _tile_characters(text, tiles)
        if address := _ADDRESS.fullmatch(text.strip()):
            return _read_groups(unquote(address[1]), tiles)
        try:
            return _read_groups(text, tiles)
        except NotationError:
            spelled = _spelled(text)
            if spelled != text and not any(map(tiles.suit, "ewnfc")):
                with suppress(NotationError):
                    return _read_groups(spelled, tiles)
            raise

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; any kind of any tile set can be written."""
        return self.spell(each_tile(counts, red, tiles))

    def spell(self, held: Iterable[HeldTile]) -> str:
        """Write tiles that `held_tiles` yields."""
        return "".join(ranks + letter for letter, ranks in _groups(held))


class Prefix:
    """The suit letter, then ranks: ``m123p406z11``; otherwise the same as `Mpsz`.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> counts, red = Prefix().parse("m123 p406 z11", FULL)
    >>> Mpsz().write(counts, red, FULL), Prefix().write(counts, red, FULL)
    ('123m406p11z', 'm123p406z11')
    """

    name = "prefix"
    description = "a suit letter, then ranks; 0 is a red five"
    example = "m123p406s12333888"

    def parse(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles; raise NotationError with the position of what is wrong."""
        return read_fast(self.automata(tiles), text) or self.parse_fully(text, tiles)

    def automata(self, tiles: TileSet) -> tuple[TextAutomaton, ...]:
        """Return the automaton of the groups."""
        return (_automaton(tiles.names, is_reversed=False),)

    def parse_fully(self, text: str, tiles: TileSet) -> Parsed:
        """Read tiles token by token."""
        return count_tiles(suit_then_ranks(_tokens(text, tiles), _letters(tiles)), tiles)

    def write(self, counts: tuple[int, ...], red: tuple[int, ...], tiles: TileSet) -> str:
        """Write tiles; any kind of any tile set can be written."""
        return self.spell(each_tile(counts, red, tiles))

    def spell(self, held: Iterable[HeldTile]) -> str:
        """Write tiles that `held_tiles` yields."""
        return "".join(letter + ranks for letter, ranks in _groups(held))


@lru_cache(maxsize=16)
def _automaton(names: tuple[str, ...], *, is_reversed: bool) -> TextAutomaton:
    letters = {name[1] for name in names}
    useful = {*string.digits, *letters, *SPACES, ",", *HONOURS}
    signs = {*useful, *map(chr, _PLAIN)}
    meanings = {sign: sign.translate(_PLAIN) for sign in signs}
    return build_groups(
        names,
        {s: HONOURS.get(plain, plain) for s, plain in meanings.items() if plain in useful},
        is_reversed=is_reversed,
    )


def _read_groups(text: str, tiles: TileSet) -> Parsed:
    return count_tiles(ranks_then_suit(_tokens(text, tiles), _letters(tiles)), tiles)


def _spelled(text: str) -> str:
    """Write letters of honours as groups of mpsz, apart from what is beside them."""
    return _WORD.sub(
        lambda word: f",{''.join(f'{_LETTERS.index(c) + 1}z' for c in word[0])},", text
    )


def _groups(held: Iterable[HeldTile]) -> Iterator[tuple[str, str]]:
    """Yield the letter and the ranks of each suit in the hand."""
    for letter, group in groupby(held, key=lambda tile: tile[0][1]):
        yield letter, "".join("0" if is_red else name[0] for name, is_red in group)


def _letters(tiles: TileSet) -> str:
    return one_of(suit.letter for suit in tiles.suits)


def _tile_characters(text: str, tiles: TileSet) -> Parsed:
    """Read tile characters, which must not be mixed with mpsz."""
    for at, char in enumerate(text):
        if not (_TILE.match(char) or char.isspace() or char in SELECTORS):
            raise notation_error(char, at, "mpsz beside tile characters", "all of one kind")
    return Unicode().parse(text, tiles)


def _tokens(text: str, tiles: TileSet) -> Iterator[Token]:
    plain = text.translate(_PLAIN)
    at = 0
    while at < len(text):
        char = plain[at]
        if char == ",":
            yield Token(text[at], at, "")
        elif char in HONOURS:
            yield Token(char, at, HONOURS[char])
        elif not char.isspace():
            token = _read_token(text, plain, at, tiles)
            yield token
            at += len(token.text)
            continue
        at += 1


def _read_token(text: str, plain: str, at: int, tiles: TileSet) -> Token:
    """Read the rank or the suit letter at a position."""
    char, written = plain[at], text[at]
    if tiles.suit(char) is not None:
        return Token(written, at, char)
    if char == "0":
        return Token(written, at, "5", red=True)
    # An r that does not follow a plain 5 can only be a prefix of the next 5.
    if tiles.suit("r") is None and plain[at : at + 2] in ("5r", "r5"):
        return Token(text[at : at + 2], at, "5", red=True)
    if char in string.digits:
        return Token(written, at, char)
    if char == "r":
        raise notation_error(written, at, "red marker without its five", "5r or r5")
    if char in string.ascii_letters:
        raise notation_error(written, at, f"not a suit of {tiles.name}", _letters(tiles))
    raise notation_error(
        written, at, expected=f"a rank (1..9, 0 for a red five) or {_letters(tiles)}"
    )
