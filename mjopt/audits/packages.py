"""Packages on PyPI that answer questions about a hand, and how to call them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Final

import numpy as np

from mjopt._internal.validation import pick
from mjopt.errors import ArgumentError, HandError, MissingExtraError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, orphan_kinds
from mjopt.hands.tiles import COPIES, FULL, SANMA, TileSet

Forms = tuple[str, ...]
Ask = Callable[[Hand], Mapping[str, object]]
"""Map a hand to the answers of a package, by question; it gives no others for this hand."""

ALL_FORMS: Final = (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A package that answers questions about hands."""

    name: str  # on PyPI
    module: str  # to import
    parts: tuple[str, ...] = ()  # submodules that this import leaves out
    bind: Callable[[ModuleType, Forms, TileSet], Ask]  # for hands of 34 kinds
    forms: tuple[Forms, ...] = (ALL_FORMS,)  # that its answers can cover; the first by default
    sanma: bool = False  # whether it knows hands of three players

    @property
    def version(self) -> str | None:
        """The installed version; None if the package is not installed."""
        try:
            return version(self.name)
        except PackageNotFoundError:
            return None

    def check_forms(self, forms: Forms | None) -> Forms:
        """Return the forms to compare, which the package must support.

        Examples
        --------
        >>> PACKAGES["xiangting"].check_forms(("standard",))
        Traceback (most recent call last):
        mjopt.errors.HandError: xiangting answers for standard,seven_pairs,...
        """
        if forms is None:
            return self.forms[0]
        for choice in self.forms:
            if set(choice) == set(forms):
                return choice
        known = " or ".join(",".join(choice) for choice in self.forms)
        raise HandError(f"{self.name} answers for {known}, not {','.join(forms)}")

    def load(self, forms: Forms | None = None, tiles: TileSet = FULL) -> Ask:
        """Import the package and return the function that asks it about a hand.

        The answers are plain values: ``win`` a bool, ``shanten`` or ``deficiency``, ``ukeire`` and
        ``decompositions`` numbers, ``useful`` and ``discard`` lists of names of tiles. An error of
        the package propagates; one of a package in Rust may be no ``Exception``. HandError if the
        package does not support the forms, or hands of three players; MissingExtraError if it is
        not installed.
        """
        chosen = self.check_forms(forms)
        if tiles == SANMA and not self.sanma:
            able = " or ".join(each.name for each in PACKAGES.values() if each.sanma)
            raise HandError(f"{self.name} has no hands of {tiles.name}", expected=able)
        try:
            module = import_module(self.module)
            for part in self.parts:
                import_module(f"{self.module}.{part}")
        except ImportError as error:
            if error.name not in (None, self.module):
                raise MissingExtraError(f"{self.name} cannot be loaded: {error}") from None
            raise MissingExtraError(
                f"{self.name} is not installed", hint=f"pip install {self.name}"
            ) from None
        ask = self.bind(module, chosen, tiles)
        return lambda hand: {name: _named(answer) for name, answer in ask(hand.in_full()).items()}


def _named(answer: object) -> object:
    """Return a set of kinds of ``FULL`` as names, anything else as it is."""
    return [FULL.names[kind] for kind in sorted(answer)] if isinstance(answer, set) else answer


def _ids(counts: Sequence[int]) -> list[int]:
    """Return four ids for each kind, as many as are held."""
    return [COPIES * kind + copy for kind, held in enumerate(counts) for copy in range(held)]


def _mahjong(package: ModuleType, forms: Forms, tiles: TileSet) -> Ask:
    """Bind mahjong; flags add the forms that need 13 or 14 tiles, the other answers cover all."""
    find = package.shanten.Shanten().calculate_shanten
    flags = {"use_chiitoitsu": SEVEN_PAIRS in forms, "use_kokushi": THIRTEEN_ORPHANS in forms}
    if tiles == SANMA:
        flags["is_three_player"] = True
    orphans = orphan_kinds(FULL)

    def ask(hand: Hand) -> Mapping[str, object]:
        counts = list(hand.counts)
        answers: dict[str, object] = {"shanten": find(counts, **flags)}
        if forms == ALL_FORMS and hand.is_full:
            answers["win"] = package.agari.Agari.is_agari(counts)
            # It divides hands into melds or pairs, so thirteen orphans have no division.
            if not hand.called and not all(counts[kind] for kind in orphans):
                divide = package.hand_calculating.divider.HandDivider.divide_hand
                answers["decompositions"] = len(divide(counts))
        return answers

    return ask


def _xiangting(package: ModuleType, _: Forms, tiles: TileSet) -> Ask:
    """Bind xiangting: the replacement number is the deficiency, bits are necessary tiles."""
    players = package.PlayerCount.THREE if tiles == SANMA else package.PlayerCount.FOUR

    def ask(hand: Hand) -> Mapping[str, object]:
        number, bits = package.calculate_necessary_tiles(list(hand.counts), players)
        useful = {kind for kind in range(FULL.num_kinds) if bits >> kind & 1}
        return {"deficiency": number, "useful": useful}

    return ask


def _riichienv(package: ModuleType, _: Forms, tiles: TileSet) -> Ask:
    """Bind riichienv: ids of tiles; only with the melds does it know wins and waits."""
    three = tiles == SANMA
    shanten = package.calculate_shanten_3p if three else package.calculate_shanten
    evaluator = package.HandEvaluator3P if three else package.HandEvaluator

    def ask(hand: Hand) -> Mapping[str, object]:
        ids = _ids(hand.counts)
        answers: dict[str, object] = {"shanten": shanten(ids)}
        if hand.is_full and not hand.called:
            answers["win"] = evaluator(ids).calc(ids[-1]).has_win_shape
        elif not hand.called and answers["shanten"] == 0:
            answers["useful"] = set(evaluator(ids).get_waits())
        return answers

    return ask


_MCR_NAMES: Final = (
    *(f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)),
    *("F1", "F2", "F3", "F4", "J3", "J2", "J1"),
)  # the tiles of FULL; the last three are white, green and red

_MCR: Final = {
    STANDARD: ("RegularShanten", 4),
    "mcr.seven_pairs": ("SevenPairsShanten", 0),
    THIRTEEN_ORPHANS: ("ThirteenOrphansShanten", 0),
    "mcr.knitted_straight": ("KnittedStraightShanten", 1),
    "mcr.honours_and_knitted": ("HonorsAndKnittedTilesShanten", 0),
}  # for each form the function, and how many melds may be called


def _mcr(package: ModuleType, forms: Forms, _: TileSet) -> Ask:
    """Bind PyMahjongGB, which judges 13 tiles: of a hand of 14, the best discard decides."""
    kinds = {name: kind for kind, name in enumerate(_MCR_NAMES)}

    def judge(counts: Sequence[int], functions: Sequence[str]) -> tuple[int, set[int]]:
        names = zip(_MCR_NAMES, counts, strict=True)
        tiles = tuple(name for name, held in names for _ in range(held))
        found = [getattr(package, function)(hand=tiles) for function in functions]
        least = min(shanten for shanten, _ in found)
        return least, {kinds[name] for each, useful in found if each == least for name in useful}

    def ask(hand: Hand) -> Mapping[str, object]:
        functions = [_MCR[form][0] for form in forms if hand.called <= _MCR[form][1]]
        if not hand.is_full and functions:
            shanten, useful = judge(hand.counts, functions)
            return {"shanten": shanten, "useful": useful}
        numbers = []
        for kind in (kind for kind, held in enumerate(hand.counts) if held and functions):
            shanten, useful = judge(hand.with_one(kind, -1).counts, functions)
            numbers.append(-1 if shanten == 0 and kind in useful else shanten)
        return {"shanten": min(numbers)} if numbers else {}

    return ask


def _jansou(package: ModuleType, _: Forms, __: TileSet) -> Ask:
    """Bind jansou; it takes called melds as a number, but must see them for some answers."""
    core, analysis = package.core, package.analysis

    def ask(hand: Hand) -> Mapping[str, object]:
        counts = list(hand.counts)
        shanten = analysis.shanten.shanten_counts(counts, hand.called)
        answers: dict[str, object] = {"shanten": shanten}
        if not hand.is_full:
            draws = analysis.efficiency.acceptance_counts(counts, hand.called)
            return answers | {"useful": set(map(int, draws)), "ukeire": sum(draws.values())}
        is_win = answers["win"] = analysis.decompose.is_complete(counts, hand.called)
        if hand.called:
            return answers
        held = [core.tiles.Tile(core.tiles.TileKind(i // COPIES)) for i in _ids(counts)]
        if is_win:
            # A division is listed once for each of its waits.
            found = analysis.decompose.decompose(held, (), held[0])
            blocks = {tuple(sorted(block.kinds for block in each.all_groups)) for each in found}
            return answers | {"decompositions": len(blocks)}
        options = analysis.efficiency.discard_evaluation(core.hand.Hand(tuple(held), ()))
        best = options[0].shanten, options[0].total_acceptance
        equal = [each for each in options if (each.shanten, each.total_acceptance) == best]
        return answers | {"discard": {int(each.discard) for each in equal}}

    return ask


def _kago(package: ModuleType, _: Forms, __: TileSet) -> Ask:
    """Bind kago-utils, shanten only."""
    find, counter = package.shanten.Shanten.calculate_shanten, package.hai.Hai34Counter
    return lambda hand: {"shanten": find(counter(list(hand.counts)), hand.called)}


def _shanten_tools(package: ModuleType, _: Forms, __: TileSet) -> Ask:
    """Bind shanten-tools, whose number is the deficiency."""
    return lambda hand: {"deficiency": int(package.shanten(np.array(hand.counts, np.uint8)))}


PACKAGES: Final[dict[str, Package]] = {
    package.name: package
    for package in (
        Package(
            name="mahjong",
            module="mahjong",
            parts=("shanten", "agari", "hand_calculating.divider"),
            bind=_mahjong,
            forms=(ALL_FORMS, *((STANDARD, *more) for more in ((), ALL_FORMS[1:2], ALL_FORMS[2:]))),
            sanma=True,
        ),
        Package(name="xiangting", module="xiangting", bind=_xiangting, sanma=True),
        Package(name="riichienv", module="riichienv", bind=_riichienv, sanma=True),
        Package(
            name="PyMahjongGB",
            module="MahjongGB",
            bind=_mcr,
            forms=(tuple(_MCR), *((form,) for form in _MCR)),
        ),
        Package(
            name="jansou",
            module="jansou",
            parts=("analysis.efficiency", "analysis.decompose"),
            bind=_jansou,
        ),
        Package(name="kago-utils", module="kago_utils", parts=("shanten",), bind=_kago),
        Package(name="shanten-tools", module="shanten_tools", bind=_shanten_tools),
    )
}
"""The packages that can be audited, by name."""


def get_package(name: str) -> Package:
    """Return a package by name.

    Examples
    --------
    >>> get_package("tenhou")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: package 'tenhou': unknown, expected one of mahjong, xiangting ...
    """
    return pick(name, PACKAGES, "package", ArgumentError)
