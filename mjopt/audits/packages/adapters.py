"""Adapters that call other packages to get the deficiency of a hand for given winning forms."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Final

from mjopt._internal.validation import pick
from mjopt.audits.packages.value_file import ValueRow
from mjopt.errors import ArgumentError, HandError, MissingExtraError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES, FULL, SANMA, TileSet
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS

Finder = Callable[[Sequence[int]], int]
"""Map 34 concealed counts to a deficiency; the number of tiles implies the called melds."""

ALL_FORMS: Final = (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A package that computes deficiencies.

    Parameters
    ----------
    name
        The name of the package on PyPI.
    choices
        The sets of forms that its number can cover; the first is the default.
    bind
        Maps the imported package and the forms to a function for one hand.
    bind_three
        The same for hands of three players; None if the package has no such function.
    module
        Its import name, if that is another.
    """

    name: str
    choices: tuple[tuple[str, ...], ...]
    bind: Callable[[ModuleType, tuple[str, ...]], Finder]
    bind_three: Callable[[ModuleType, tuple[str, ...]], Finder] | None = None
    module: str = ""

    @property
    def version(self) -> str | None:
        """The installed version; None if the package is not installed."""
        try:
            return version(self.name)
        except PackageNotFoundError:
            return None

    def check_forms(self, forms: tuple[str, ...] | None) -> tuple[str, ...]:
        """Return the forms to compare, which the package must support.

        Examples
        --------
        >>> PEERS["xiangting"].check_forms(("standard",))
        Traceback (most recent call last):
        mjopt.errors.HandError: xiangting's number covers standard,seven_pairs,...
        """
        if forms is None:
            return self.choices[0]
        for choice in self.choices:
            if set(choice) == set(forms):
                return choice
        known = " or ".join(",".join(choice) for choice in self.choices)
        raise HandError(f"{self.name}'s number covers {known}, not {','.join(forms)}")

    def finder(self, forms: tuple[str, ...] | None = None, tiles: TileSet = FULL) -> Finder:
        """Load the package and return the function that computes its deficiency.

        Parameters
        ----------
        forms
            The winning forms, as for :meth:`check_forms`.
        tiles
            ``SANMA`` for hands of three players; other hands are taken for those of ``FULL``.

        Raises
        ------
        HandError
            If the package has no function for hands of three players.
        MissingExtraError
            If the package is not installed.
        """
        chosen = self.check_forms(forms)
        bind = self.bind_three if tiles == SANMA else self.bind
        if bind is None:
            able = " or ".join(name for name, peer in PEERS.items() if peer.bind_three)
            raise HandError(f"{self.name} has no hands of {tiles.name}", expected=able)
        try:
            package = import_module(self.module or self.name)
        except ImportError as error:
            if error.name not in (None, self.module or self.name):
                raise MissingExtraError(f"{self.name} cannot be loaded: {error}") from None
            raise MissingExtraError(
                f"{self.name} is not installed", hint=f"pip install {self.name}"
            ) from None
        return bind(package, chosen)


def peer_rows(hands: Iterable[Hand], find: Finder, notation: str = "mpsz") -> Iterator[ValueRow]:
    """Yield the value of a package for every hand, from row 0; after its error it has no number.

    Parameters
    ----------
    hands
        The hands, of any tile set; those of ``M0`` are taken for the same of ``FULL``.
    find
        The function from :meth:`Peer.finder`.
    notation
        The notation of the hands in the rows.

    Examples
    --------
    >>> hands = [Hand.parse("1112345678999m1p")]
    >>> [(row.line, row.theirs) for row in peer_rows(hands, lambda counts: 7)]
    [(0, 7)]
    """
    for line, hand in enumerate(hands):
        full = hand.in_full()
        text = hand.to_text(notation)
        theirs: int | None = None
        try:
            theirs = find(full.counts)
            written = str(theirs)
        except Exception as error:  # the error becomes the written value
            written = f"{type(error).__name__}: {error}"
        kept = hand if hand.tiles == SANMA else full
        yield ValueRow(line=line, text=text, hand=kept, written=written, theirs=theirs)


def _mahjong(package: ModuleType, forms: tuple[str, ...]) -> Finder:
    """Bind mahjong: shanten; flags add the other two forms, which need 13 or 14 tiles."""
    shanten = import_module(f"{package.__name__}.shanten").Shanten().calculate_shanten
    pairs, orphans = SEVEN_PAIRS in forms, THIRTEEN_ORPHANS in forms

    def find(counts: Sequence[int]) -> int:
        return int(shanten(list(counts), use_chiitoitsu=pairs, use_kokushi=orphans)) + 1

    return find


def _xiangting(package: ModuleType, _: tuple[str, ...], players: str = "FOUR") -> Finder:
    """Bind xiangting: the replacement number is the deficiency."""
    replacement_number = package.calculate_replacement_number
    number = getattr(package.PlayerCount, players)
    return lambda counts: int(replacement_number(list(counts), number))


def _riichienv(
    package: ModuleType, _: tuple[str, ...], function: str = "calculate_shanten"
) -> Finder:
    """Bind riichienv: shanten of a list of physical tiles, with four ids for each kind."""
    shanten = getattr(package, function)

    def find(counts: Sequence[int]) -> int:
        ids = [COPIES * kind + copy for kind, held in enumerate(counts) for copy in range(held)]
        return int(shanten(ids)) + 1

    return find


_MCR_NAMES: Final = (
    *(f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)),
    *("F1", "F2", "F3", "F4", "J3", "J2", "J1"),
)
"""The tiles of FULL as PyMahjongGB names them; its last three are red, green and white."""

_MCR_FUNCTIONS: Final = {
    STANDARD: "RegularShanten",
    "mcr.seven_pairs": "SevenPairsShanten",
    THIRTEEN_ORPHANS: "ThirteenOrphansShanten",
    "mcr.knitted_straight": "KnittedStraightShanten",
    "mcr.honours_and_knitted": "HonorsAndKnittedTilesShanten",
}


def mcr_answers(
    package: ModuleType, form: str
) -> Callable[[Sequence[int]], tuple[int, frozenset[int]]]:
    """Return a function that maps the counts of a hand before its draw to shanten and waits."""
    judge = getattr(package, _MCR_FUNCTIONS[form])
    kinds = {name: kind for kind, name in enumerate(_MCR_NAMES)}

    def answer(counts: Sequence[int]) -> tuple[int, frozenset[int]]:
        tiles = tuple(
            name for name, held in zip(_MCR_NAMES, counts, strict=True) for _ in range(held)
        )
        shanten, useful = judge(hand=tiles)
        return int(shanten), frozenset(kinds[name] for name in useful)

    return answer


def _mcr(package: ModuleType, forms: tuple[str, ...]) -> Finder:
    """Bind PyMahjongGB, which judges 13 tiles: of a hand of 14, the best discard decides."""
    answer = mcr_answers(package, forms[0])

    def find(counts: Sequence[int]) -> int:
        if sum(counts) % 3 == 1:
            return answer(counts)[0] + 1
        found = []
        for kind in (kind for kind, held in enumerate(counts) if held):
            shanten, useful = answer([n - (k == kind) for k, n in enumerate(counts)])
            found.append(0 if shanten == 0 and kind in useful else shanten + 1)
        return min(found)

    return find


PEERS: Final[dict[str, Peer]] = {
    peer.name: peer
    for peer in (
        Peer(
            name="mahjong",
            choices=(
                (STANDARD,),
                (STANDARD, SEVEN_PAIRS),
                (STANDARD, THIRTEEN_ORPHANS),
                ALL_FORMS,
            ),
            bind=_mahjong,
        ),
        Peer(
            name="xiangting",
            choices=(ALL_FORMS,),
            bind=_xiangting,
            bind_three=partial(_xiangting, players="THREE"),
        ),
        Peer(
            name="riichienv",
            choices=(ALL_FORMS,),
            bind=_riichienv,
            bind_three=partial(_riichienv, function="calculate_shanten_3p"),
        ),
        Peer(
            name="PyMahjongGB",
            module="MahjongGB",
            choices=tuple((form,) for form in _MCR_FUNCTIONS),
            bind=_mcr,
        ),
    )
}
"""The packages that can be audited, by name."""


def get_peer(name: str) -> Peer:
    """Return a package by name.

    Examples
    --------
    >>> get_peer("tenhou")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: package 'tenhou': unknown, expected one of mahjong, xiangting ...
    """
    return pick(name, PEERS, "package", ArgumentError)
