"""Recipes by name: hands that are listed, drawn at random, or read from a file."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.files import sha256_of
from mjopt._internal.jit import in_python, is_few
from mjopt._internal.registry import USER_CLASS, PluginRegistry
from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import UserCode, load_member, source_digest
from mjopt._internal.validation import expect
from mjopt.datasets.recipes.base import BLOCK_ROWS, STREAMS, Counts, Deal, HandRecipe
from mjopt.datasets.recipes.positions import positions_from_file
from mjopt.datasets.recipes.ranking import (
    DEALT,
    DISTINCT,
    Ranking,
    any_hand,
    rank_hands,
    with_kongs,
    with_types,
)
from mjopt.datasets.recipes.stratified import stratified
from mjopt.errors import ArgumentError, FileError, HandError, MjoptError, TileError
from mjopt.hands.files.formats import READABLE, file_format
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.rules.classic_forms import HAND_SIZE
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import M0, TileSet, as_tiles
from mjopt.tables.suits.state_index import one_type_counts

RECIPES: Final = {
    "one-type": "one-type: every hand of one suit (118,800 of 14 tiles)",
    "two-type": "two-type:N: deals with tiles of exactly two suits",
    "three-type": "three-type:N: deals with tiles of exactly three suits",
    "deals": "deals:N: all deals equally likely",
    "distinct": "distinct:N: all distinct hands equally likely",
    "stratified": "stratified:N[:D=SHARE,...]: deals, so many of each deficiency; equally many "
    "unless shares are named",
    "kongs": "kongs:N[:K]: distinct hands with at least K kinds held four times (3)",
    "all": "all: every distinct hand, in order",
    "file": "file:PATH: the hands of a .txt, .csv, .jsonl, .parquet or .npy file",
    "positions": "positions:PATH: hands, what their player sees, and what an opponent shows, from "
    "a .parquet file such as that of `mjopt dataset positions`",
}
"""Descriptions of all recipes."""

FROM_FILES: Final = ("file", "positions")
"""Recipes whose text names a file, which a dataset does not hold."""

PAPER_SETS: Final = ("one-type", "two-type:100000", "three-type:100000")
"""The data sets of Yan and Li (2023), section 4.1."""

_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}

MAX_KINDS: Final = 64  # number of bits in the dealing kernel, one for each kind
FEW_HANDS: Final = 4096  # fewer are dealt in Python, without importing numba
DEFAULT_KONGS: Final = 3  # the minimum for which the paper's cost can be wrong


def read_recipe(
    text: str,
    *,
    tiles: TileSet | str | None = None,
    size: int | None = None,
    called: int = 0,
    rules: RuleSet | str | Path | None = None,
) -> HandRecipe:
    """Parse a recipe.

    Parameters
    ----------
    text
        One of :data:`RECIPES`, or ``FILE.py:NAME``, perhaps with ``:TEXT``: a function of a
        :class:`Deal` and of the text that returns a :class:`HandRecipe`. A number may be written
        ``100000``, ``100_000``, ``100k`` or ``1e5``.
    tiles
        The tile set; by default that of the rules, and without rules ``M0``.
    size
        Tiles of a hand with nothing called: those of a complete hand, which is the default, or
        one fewer. A complete hand has 14 without rules.
    called
        Melds on the table, each of them three tiles fewer in the hand.
    rules
        The rule set of the hands; see :func:`mjopt.get_rules`.

    Raises
    ------
    ArgumentError
        If there is no such recipe, or it does not fit the tiles.
    FileError, TileError, HandError
        If the file of a ``file:`` recipe cannot be read.

    Examples
    --------
    >>> read_recipe("one-type").num_hands
    118800
    >>> recipe = read_recipe("two-type:1e3")
    >>> recipe.name, recipe.counts(seed=7).shape
    ('two-type:1000', (1000, 27))
    >>> read_recipe("four-type:10")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: recipe 'four-type:10', expected one of one-type, two-type:N ...
    """
    expect(text, str, "recipe")
    word, _, rest = text.strip().partition(":")
    deal = make_deal(tiles=tiles, size=size, called=called, rules=rules)
    try:
        if word not in RECIPES and _OWN.is_known(_OWN.parse_spec(text)[1]):
            return _read_own(text.strip(), deal)
        return _read(word, rest, deal)
    except ArgumentError as error:
        error.locate("recipe", value=short_repr(text))
        raise


def make_deal(
    *,
    tiles: TileSet | str | None,
    size: int | None,
    called: int,
    rules: RuleSet | str | Path | None,
) -> Deal:
    """Return the tile set and the size of hands from arguments as for :func:`read_recipe`."""
    known = None if rules is None else get_rules(rules)
    if tiles is None:
        tiles = M0 if known is None else known.tiles
    if size is None:
        size = HAND_SIZE if known is None else known.size
    return Deal(tiles=as_tiles(tiles), size=size, called=called, rules=known)


_OWN: Final = PluginRegistry[Callable[[Deal, str], HandRecipe]](
    "recipe",
    "mjopt.recipes",
    {},
    ArgumentError,
    lambda given: None if callable(given) else "expected a function",
    lambda spec: load_member(spec, "function or class", callable),
)
"""Recipes of installed packages, and of users' files."""


def _read_own(text: str, deal: Deal) -> HandRecipe:
    """Return a recipe of a user's code, from the deal and the text after its name."""
    _, name, rest = _OWN.parse_spec(text)
    make = _OWN.find(name)
    with UserCode(make, "fails", ArgumentError):
        recipe: object = make(deal, rest)
    if not isinstance(recipe, HandRecipe):
        raise ArgumentError(f"returns {short_repr(recipe)}", expected="a HandRecipe")
    spec = USER_CLASS.fullmatch(name)
    code = {"code": source_digest(spec[1])} if spec else {}
    return replace(recipe, name=text, deal=deal, identity={**recipe.identity, **code})


def _read(word: str, rest: str, deal: Deal) -> HandRecipe:
    if word not in RECIPES:
        names = (line.partition(": ")[0] for line in RECIPES.values())
        raise ArgumentError(expected=(*names, "FILE.py:NAME"))
    if word in FROM_FILES:
        if not rest:
            raise ArgumentError(expected=f"{word}:PATH")
        if rest == "-":
            raise ArgumentError(
                f"standard input is read only once, the hands more often: {word}:PATH"
            )
        return (from_file if word == "file" else positions_from_file)(deal, Path(rest))
    if word in _LISTED:
        if rest:
            raise ArgumentError(expected=f"{word} alone: its number of hands is given")
        return _LISTED[word](deal)
    number, _, more = rest.partition(":")
    wanted = _number(number, word)
    if word == "kongs":
        return kongs(deal, wanted, *([_number(more, "kongs:N", least=0)] if more else []))
    if word == "stratified":
        return stratified(deal, wanted, more)
    if more:
        raise ArgumentError(expected=f"{word}:N and no more")
    return _DRAWN[word](deal, wanted)


def is_from_file(recipe: str, as_in: str = "") -> bool:
    """Return whether a recipe names a file, and is of the same kind as another one, if given."""
    word = recipe.partition(":")[0]
    return word in FROM_FILES and as_in.partition(":")[0] in ("", word)


def _number(text: str, word: str, *, least: int = 1) -> int:
    """Parse a number of hands."""
    found = re.fullmatch(r"(\d[\d_,]*)(?:e(\d{1,2})|([kmg]?))", text.strip().lower())
    if not found:
        raise ArgumentError(
            f"{short_repr(text)} after {word}:", expected="a number such as 100000 or 100k"
        )
    digits, power, scale = found.groups()
    number = int(re.sub("[_,]", "", digits)) * (10 ** int(power) if power else _SCALE[scale or ""])
    if number < least:
        raise ArgumentError(f"{number} after {word}:", expected=f"{least} or more")
    return number


def every_hand(deal: Deal) -> HandRecipe:
    """List every distinct hand, in lexicographic order of its copies."""
    ranking = rank_hands(deal.tiles, any_hand(deal.num_tiles), weights=DISTINCT)

    def find(start: int, stop: int, _: np.random.Generator) -> Counts:
        """Unrank the first hand, then step to each next one."""
        from mjopt.datasets._kernels import next_hands

        hands = np.empty((stop - start, deal.tiles.num_kinds), np.uint8)
        hands[:1] = ranking.hands(np.array([start], np.uint64))
        next_hands(hands)
        return hands

    return HandRecipe(name="all", deal=deal, num_hands=ranking.total, find=find)


def _given(name: str, deal: Deal, hands: Counts, identity: dict[str, object]) -> HandRecipe:
    """List the hands of an array, shape (N, K)."""

    def find(start: int, stop: int, _: np.random.Generator) -> Counts:
        return np.ascontiguousarray(hands[start:stop], np.uint8)

    return HandRecipe(name=name, deal=deal, num_hands=len(hands), find=find, identity=identity)


def one_type(deal: Deal) -> HandRecipe:
    """List every hand of the first suit of nine ranks: 118,800 hands of 14 tiles."""
    suits = zip(deal.tiles.suits, deal.tiles.slices, strict=True)
    part = next((part for suit, part in suits if len(suit.ranks) == 9), None)
    if part is None:
        raise ArgumentError(f"one-type: no suit of {deal.tiles.name} has nine ranks")
    counts = one_type_counts(deal.num_tiles)
    hands = np.zeros((len(counts), deal.tiles.num_kinds), np.uint8)
    hands[:, part] = counts
    return _given("one-type", deal, hands, {})


def from_file(deal: Deal, path: Path) -> HandRecipe:
    """Read hands from a file: text (mpsz), CSV, Parquet or ``.npy``.

    A file that cannot be read is a `FileError`; a row that is not a hand of the deal, a `TileError`
    or `HandError` that names it.
    """
    if not path.is_file():
        raise FileError("no such file", argument=str(path))
    source = HandFile(
        path=path,
        format=file_format(path, READABLE),
        tiles=deal.tiles,
        called=deal.called,
        rules=deal.rules,
    )
    if source.format == "npy":
        rows = source.array()
    else:
        empty = np.zeros((0, deal.tiles.num_kinds), np.uint8)
        rows = np.concatenate([empty, *source.count_blocks()])
    for start in range(0, len(rows), BLOCK_ROWS):
        try:
            _check(rows[start : start + BLOCK_ROWS], start, deal, path)
        except MjoptError:
            for _ in (
                () if source.format == "npy" else source.rows(start)
            ):  # slower, but the error message names the line
                pass
            raise
    hands = rows if rows.dtype == np.uint8 else rows.astype(np.uint8)
    return _given(f"file:{path}", deal, hands, {"sha256": sha256_of(path)})


def _check(rows: npt.NDArray[np.integer], start: int, deal: Deal, path: Path) -> None:
    copies = (rows < 0) | (rows > 4)
    if copies.any():
        row, kind = (int(n) for n in np.argwhere(copies)[0])
        raise TileError(
            f"{rows[row, kind]} copies of {deal.tiles.names[kind]}",
            argument=str(path),
            position=start + row,
            unit="row",
            expected="0..4",
        )
    sizes = rows.sum(axis=1, dtype=np.int64)
    # A file may mix hands before and after the draw.
    full = deal.num_tiles + deal.complete - deal.size
    wrong = np.flatnonzero((sizes != full) & (sizes != full - 1))
    if len(wrong):
        row = int(wrong[0])
        raise HandError(
            f"{sizes[row]} tiles",
            argument=str(path),
            position=start + row,
            unit="row",
            expected=f"{full} or {full - 1}",
        )


@lru_cache(maxsize=32)
def _ranking(deal: Deal, stream: str, number: int) -> Ranking:
    if stream == "types":
        return rank_hands(deal.tiles, with_types(deal.tiles, deal.num_tiles, number), weights=DEALT)
    if stream == "kongs":
        return rank_hands(deal.tiles, with_kongs(deal.num_tiles, number), weights=DISTINCT)
    return rank_hands(deal.tiles, any_hand(deal.num_tiles), weights=DISTINCT)


def _drawn(deal: Deal, number: int, text: str, stream: str, of_rule: int = 0) -> HandRecipe:
    """Draw hands in order; a longer recipe begins with the hands of a shorter one."""
    ranking = _ranking(deal, stream, of_rule)
    return HandRecipe(
        name=text,
        deal=deal,
        num_hands=number,
        find=lambda start, stop, rng: ranking.draw(stop - start, rng),
        stream=STREAMS[stream],
    )


def distinct(deal: Deal, number: int) -> HandRecipe:
    """Draw hands, all distinct hands equally likely."""
    return _drawn(deal, number, f"distinct:{number}", "distinct")


def few_types(deal: Deal, number: int, num_types: int, word: str) -> HandRecipe:
    """Draw deals with an exact number of suits (honours are one), all equally likely."""
    return _drawn(deal, number, f"{word}-type:{number}", "types", num_types)


def kongs(deal: Deal, number: int, least: int = DEFAULT_KONGS) -> HandRecipe:
    """Draw hands that hold some kinds four times, all distinct such hands equally likely."""
    text = f"kongs:{number}" + (f":{least}" if least != DEFAULT_KONGS else "")
    return _drawn(deal, number, text, "kongs", least)


def deals(deal: Deal, number: int) -> HandRecipe:
    """Draw deals: all sets of tiles of the given size are equally likely.

    Numbering all deals, as other recipes do, is equally exact but takes five times as long (310
    against 62 ns a hand), and this recipe is meant for a hundred million of them.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> deals(Deal(tiles=M0), 5).counts(seed=1).sum(axis=1).tolist()
    [14, 14, 14, 14, 14]
    """
    num_kinds = deal.tiles.num_kinds
    if num_kinds > MAX_KINDS:
        raise ArgumentError(f"{num_kinds} kinds", expected=f"at most {MAX_KINDS}")
    if deal.num_tiles > deal.tiles.num_tiles:
        raise ArgumentError(f"{deal.num_tiles} tiles from the {deal.tiles.num_tiles} there are")

    def find(start: int, stop: int, rng: np.random.Generator) -> Counts:
        from mjopt.datasets._kernels import deal_hands

        # 27 pieces of 7 bits, or 40 of 8 bits, suffice for nearly every row.
        num_words = 3 if 4 * num_kinds <= 128 else 5
        words = rng.integers(0, 1 << 64, size=(stop - start, num_words), dtype=np.uint64)
        hands = np.empty((stop - start, num_kinds), np.uint8)
        is_small = is_few(len(hands), FEW_HANDS)
        with np.errstate(over="ignore"):  # 64-bit arithmetic wraps around
            (in_python(deal_hands) if is_small else deal_hands)(words, deal.num_tiles, hands)
        return hands

    return HandRecipe(
        name=f"deals:{number}", deal=deal, num_hands=number, find=find, stream=STREAMS["deals"]
    )


_LISTED: Final[dict[str, Callable[[Deal], HandRecipe]]] = {"one-type": one_type, "all": every_hand}
_DRAWN: Final[dict[str, Callable[[Deal, int], HandRecipe]]] = {
    "deals": deals,
    "distinct": distinct,
    "two-type": partial(few_types, num_types=2, word="two"),
    "three-type": partial(few_types, num_types=3, word="three"),
}
