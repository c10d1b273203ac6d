"""Readers of hands, files of hands and positions, by the options of a command."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mjopt._internal.files import temporary_folder
from mjopt.cli.options import (
    WHOLE_NUMBER,
    Called,
    NotationName,
    NumCalled,
    Partial,
    RuleSetName,
    TilesOfHands,
)
from mjopt.cli.output import warn
from mjopt.cli.standard_input import STDIN, input_paths, lines_of_stdin
from mjopt.errors import ArgumentError, FileError, HandError, MjoptError, TileError
from mjopt.hands.hand import Hand
from mjopt.hands.notation import read_tiles
from mjopt.hands.rules.read_forms import needs_honours, read_forms, rule_set_of
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, M0, TileSet, as_tiles

if TYPE_CHECKING:
    from mjopt.hands.files.hand_file import HandFile


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReader:
    """Options for reading hands."""

    tiles: TilesOfHands = None
    notation: NotationName = "mpsz"
    called: Called = None
    partial: Partial = False
    rules: RuleSetName = None

    @property
    def _num_called(self) -> int | None:
        """The number of called melds, if given."""
        numbers = [int(text) for text in self.called or () if WHOLE_NUMBER.fullmatch(text)]
        return numbers[-1] if numbers else None

    @property
    def _melds(self) -> list[str]:
        """The called melds whose tiles are given."""
        return [text for text in self.called or () if not WHOLE_NUMBER.fullmatch(text)]

    def hand(self, text: str, *beside: str | None, forms: str | None = None) -> Hand:
        """Read one hand, or standard input for ``-``; errors quote the text.

        The tile set is also FULL if the tiles ``beside`` it or the forms contain honours.
        """
        hands = self.hands([text], *beside, forms=forms)
        if len(hands) != 1:
            raise HandError(f"{STDIN}: {len(hands)} hands", expected="one")
        return hands[0]

    def hands(
        self, texts: Sequence[str], *beside: str | None, forms: str | None = None
    ) -> list[Hand]:
        """Read hands separately; ``-`` reads standard input, one hand per line."""
        all_texts: list[str] = []
        for text in texts:
            all_texts += lines_of_stdin() if text == "-" else [text]
        return [self._hand(text, beside, forms) for text in all_texts]

    def forms(self, forms: str | None, hand: Hand) -> tuple[WinningForm, ...]:
        """Return the winning forms of a question about a hand."""
        return read_forms(forms, hand.tiles, hand.size, rules=hand.rules)

    def _hand(self, text: str, beside: Sequence[str | None], forms: str | None) -> Hand:
        tiles = None if self.tiles is None else as_tiles(self.tiles)
        rules = rules_of_options(self.rules, forms)
        if tiles is None and rules is None and forms is not None and needs_honours(forms):
            tiles = FULL
        for meld in self._melds:
            with _located("--called", meld):
                read_tiles([meld], self.notation)
        others = [other for other in beside if other is not None]
        if tiles is None and rules is None and others:
            with suppress(MjoptError):  # the later parse reports the error
                tiles = FULL if read_tiles(others, self.notation)[0] is FULL else None
        try:
            return Hand.parse(
                text,
                tiles=tiles,
                notation=self.notation,
                called=self._num_called,
                melds=self._melds,
                partial=self.partial,
                rules=rules,
            )
        except MjoptError as error:
            if os.path.isfile(text):  # a Path raises an error for a long text
                raise HandError(
                    "a file",
                    argument=text,
                    expected="a hand",
                    hint=f"for every hand of a file: mjopt label {text}",
                ) from None
            error.locate(repr(text))
            raise

    def unseen(self, text: str | None, hand: Hand) -> tuple[int, ...] | None:
        """Read the unseen tiles of a hand."""
        return None if text is None else self.counts("--unseen", text, hand.tiles)

    def wall(self, hand: Hand, wall: str | None, seen: str | None) -> tuple[int, ...] | None:
        """Read the wall of a hand less the tiles seen elsewhere; None without both options."""
        if wall is None and seen is None:
            return None
        wall_counts = hand.unseen if wall is None else self.counts("--wall", wall, hand.tiles)
        if seen is None:
            return wall_counts
        pairs = list(zip(wall_counts, self.counts("--seen", seen, hand.tiles), strict=True))
        for kind, (most, num_seen) in enumerate(pairs):
            if num_seen > most:
                raise TileError(
                    f"--seen {seen!r}: {num_seen} copies of {hand.tiles.names[kind]}, "
                    f"but only {most} can be anywhere else"
                )
        return tuple(most - num_seen for most, num_seen in pairs)

    def counts(self, option: str, text: str, tiles: TileSet) -> tuple[int, ...]:
        """Read tiles; errors name the option."""
        with _located(option, text):
            return read_tiles([text], self.notation, tiles)[1][0].counts

    def file_reader(self) -> "FileReader":
        """Return the same options for a file of hands."""
        if self._melds:
            raise ArgumentError(
                f"--called {self._melds[0]} is for one hand; a file of hands takes --called N"
            )
        return FileReader(
            tiles=self.tiles,
            notation=self.notation,
            called=self._num_called,
            partial=self.partial,
            rules=self.rules,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeHandReader(HandReader):
    """As HandReader, without --partial."""

    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader:
    """Options for reading files of hands."""

    tiles: TilesOfHands = None
    notation: NotationName = "mpsz"
    called: NumCalled = None
    partial: bool = False
    rules: RuleSetName = None

    @contextmanager
    def hands_file(self, name: str, forms: str | None = None) -> "Iterator[HandFile]":
        """Open a file of hands, ``-`` for text on standard input."""
        from mjopt.hands.files.formats import READABLE, file_format
        from mjopt.hands.files.hand_file import HandFile

        with input_paths([name]) as [path]:
            if name != "-" and not path.is_file():
                raise FileError("no such file", argument=str(path))
            kind = "text" if name == "-" else file_format(path, READABLE)
            label = STDIN if name == "-" else name
            tiles, why = self.tiles_of(path, kind, forms, label)
            yield HandFile(
                path=path,
                format=kind,
                tiles=tiles,
                notation=self.notation,
                called=self.called,
                partial=self.partial,
                name=label,
                rules=rules_of_options(self.rules, forms),
            )
            if why:  # after reading, so that an error is the only output
                warn(f"{label}: {why}")

    @contextmanager
    def recipe_or_file(
        self, text: str, forms: str | None = None, *, seed: int = 0
    ) -> "Iterator[HandFile]":
        """Open a file of hands as `hands_file` does, or the hands of a recipe as such a file."""
        from mjopt.hands.files.hand_file import HandFile

        if is_file(text):
            with self.hands_file(text.removeprefix("file:"), forms) as file:
                yield file
            return

        import numpy as np

        from mjopt.datasets.recipes.registry import read_recipe

        rules = rules_of_options(self.rules, forms)
        if rules is not None:
            tiles = self._tiles_by(rules)
        else:
            tiles = as_tiles(self.tiles or ("136" if needs_honours(forms or ()) else "m0"))
        called = self.called or 0
        with temporary_folder("hands") as folder:
            path = folder / "hands.npy"
            recipe = read_recipe(text, tiles=tiles, called=called, rules=rules)
            np.save(path, recipe.counts(seed=seed))
            yield HandFile(
                path=path,
                format="npy",
                tiles=tiles,
                notation=self.notation,
                called=called,
                rules=rules,
            )

    def tiles_of(
        self, path: Path, format: str, forms: str | None = None, name: str = ""
    ) -> tuple[TileSet, str]:
        """Return the tile set of a file of hands, and the reason if it was inferred."""
        from mjopt.hands.files.file_tiles import tiles_in

        if (rules := rules_of_options(self.rules, forms)) is not None:
            return self._tiles_by(rules), ""
        if self.tiles is not None:
            return as_tiles(self.tiles), ""
        has_orphans, tiles, why = needs_honours(forms or ()), M0, ""
        if not has_orphans or format == "parquet":  # which may name its tile set
            tiles, why = tiles_in(path, format, self.notation, name)
        if has_orphans and tiles is M0:
            tiles, why = FULL, "the forms need honours"
        return tiles, f"{why}: {_READ_AS[tiles.key]}" if why else ""

    def _tiles_by(self, rules: RuleSet) -> TileSet:
        """Return the tile set of a rule set; another in --tiles is an error."""
        if self.tiles is not None and as_tiles(self.tiles) != rules.tiles:
            raise TileError(
                f"--tiles {self.tiles}, but the rules {rules.name} are about {rules.tiles.name}"
            )
        return rules.tiles


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeFileReader(FileReader):
    """As FileReader, without --partial."""

    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineReader(WholeFileReader):
    """As WholeFileReader, without --notation: hands are written in mpsz."""

    notation: str = "mpsz"


def is_file(text: str) -> bool:
    """Return whether a text names a file of hands, or standard input, and no recipe."""
    from mjopt.hands.files.formats import is_readable

    is_named = text.startswith("file:") or text == "-"
    return is_named or os.path.exists(text) or is_readable(Path(text))


def rules_of_options(rules: str | None, forms: str | None) -> RuleSet | None:
    """Return the rule set of --rules; without it, that which --forms names, if one."""
    if rules is None:
        return rule_set_of(forms)
    from mjopt.hands.rules.rule_file import get_rules  # of no use to most commands

    return get_rules(rules)


_READ_AS = {
    "m0": "all hands are read as M0, --tiles 136 reads them as FULL",
    "136": "all hands are read as FULL",
}


@contextmanager
def _located(option: str, text: str) -> Iterator[None]:
    """Name the option and its text in an error."""
    try:
        yield
    except MjoptError as error:
        error.locate(option, value=repr(text))
        raise


def as_recipes(texts: Iterable[str]) -> list[str]:
    """Return recipes, with ``file:`` before the names of files of hands."""
    from mjopt.hands.files.formats import is_readable

    def is_file(text: str) -> bool:
        path = Path(re.sub(r"@\d+$", "", text))
        return is_readable(path) and path.is_file()

    stripped = (text.strip() for text in texts)
    return [f"file:{text}" if is_file(text) else text for text in stripped]


def tiles_of_recipes(name: str | None, recipes: Iterable[str]) -> tuple[TileSet, str]:
    """Return the tile set of the option, else of a ``file:`` recipe, and the reason."""
    for recipe in recipes if name is None else ():
        path = Path(re.sub(r"@\d+$", "", recipe.strip().removeprefix("file:")))
        if recipe.strip().startswith("file:") and path.is_file():
            from mjopt.hands.files.formats import READABLE, file_format

            tiles, why = FileReader().tiles_of(path, file_format(path, READABLE))
            if tiles is not M0:
                return tiles, f"{path}: {why}" if why else ""
    return as_tiles(name or "m0"), ""


def position_text(text: str, given: dict[str, str | None]) -> str:
    """Return the text form of a position, given a part of it and the options."""
    if text == "-":
        lines = lines_of_stdin()
        if len(lines) != 1:
            raise HandError(f"{STDIN}: {len(lines)} positions", expected="one")
        [text] = lines
    words = [text]
    for name, value in given.items():
        if value is None:
            continue
        word = value.replace(" ", "")
        if not word and name != "seen":
            raise ArgumentError("nothing", argument=name, expected="a value")
        words.append(f"{name}={word}")
    return " ".join(words)
