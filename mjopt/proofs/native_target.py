"""Check the upper bound of a native certificate: a complete hand at the claimed distance."""

from itertools import combinations_with_replacement

from mjopt.errors import CertificateError
from mjopt.hands.rules.classic_forms import is_classic, names_of
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.proofs.native_forms import joker_supply, templates_beside
from mjopt.proofs.native_schema import Counts, Document, Query, counts, exact, quoted, whole

# Theorem: the blocks are the parts of a form, beside the called melds; no kind is used more often
# than it exists; the tiles beyond the hand are `deficiency` many and can arrive. So the deficiency
# is at most that. Copies, draws and discards follow from blocks and hand; they are computed here
# and only compared, since a certificate could otherwise name fewer draws than its target needs.

_KEYS = frozenset({"form", "blocks", "counts", "draws", "discards"})
_MOST_CHANGED = 14
_MOST_BLOCKS = 64  # 32 tiles, each a block of its own and a joker
_SHAPES = ("chow", "pong", "eye", "single", "fixed", "joker")


def check_target(value: object, query: Query, deficiency: int) -> None:
    """Raise unless the target is complete in one of the forms and ``deficiency`` tiles away.

    The target, ``target`` of the certificate, must take that many tiles beyond the hand. A
    CertificateError names the part that fails.
    """
    tiles, held = query.tiles, query.held
    name = value.get("form") if isinstance(value, dict) else None
    form = next((form for form in query.forms if form.name == name), None)
    if form is not None and not is_classic((form,)):
        _check_parts(exact(value, _KEYS | {"template"}, "target"), form, query, deficiency)
        return
    target = exact(value, _KEYS, "target")
    if form is None:
        raise CertificateError(quoted(name), argument="target.form", expected=names_of(query.forms))
    used, shapes = _blocks(target, tiles)
    _check_shapes(form, shapes, used, query)
    if counts(target["counts"], tiles.num_kinds, "target.counts") != tuple(used):
        raise CertificateError("not the tiles of target.blocks", argument="target.counts")
    draws = tuple([w - h if w > h else 0 for w, h in zip(used, held, strict=True)])
    discards = tuple([h - w if h > w else 0 for w, h in zip(used, held, strict=True)])
    if counts(target["draws"], tiles.num_kinds, "target.draws") != draws:
        raise CertificateError("not what the target takes beyond the hand", argument="target.draws")
    if counts(target["discards"], tiles.num_kinds, "target.discards") != discards:
        raise CertificateError(
            "not what the hand holds beyond the target", argument="target.discards"
        )
    for kind, (drawn, unseen) in enumerate(zip(draws, query.unseen, strict=True)):
        if drawn > unseen:
            raise CertificateError(
                f"{drawn} of {tiles.names[kind]}, but {unseen} can arrive", argument="target.draws"
            )
    if sum(draws) != deficiency:
        raise CertificateError(f"{sum(draws)} tiles away, not {deficiency}", argument="target")


def orphans_of(tiles: TileSet) -> list[int]:
    """Return the terminals and honours of a tile set."""
    return [
        kind
        for kind in range(tiles.num_kinds)
        if tiles.letter(kind) == "z" or tiles.rank(kind) in (1, 9)
    ]


def _blocks(target: Document, tiles: TileSet) -> tuple[list[int], list[str]]:
    """Return the tiles and the shapes of the blocks."""
    blocks = target["blocks"]
    if not isinstance(blocks, list) or len(blocks) > _MOST_CHANGED:
        raise CertificateError(f"target.blocks: {quoted(blocks)}", expected="a list")
    used = [0] * tiles.num_kinds
    shapes: list[str] = []
    for block in blocks:
        shape, kinds = _block(block, tiles)
        shapes.append(shape)
        for kind in kinds:
            used[kind] += 1
    return used, shapes


def _kinds_of(block: object, tiles: TileSet) -> tuple[str, list[int]]:
    """Return the shape of a block and its kinds, or raise if these do not exist."""
    if (
        not isinstance(block, list)
        or len(block) != 2
        or not isinstance(block[0], str)
        or not isinstance(block[1], list)
    ):
        raise CertificateError(quoted(block), argument="target.blocks", expected="[shape, [kinds]]")
    shape, kinds = block
    if not kinds or any(type(k) is not int or not 0 <= k < tiles.num_kinds for k in kinds):
        raise CertificateError(
            f"{quoted(block)} names kinds that do not exist", argument="target.blocks"
        )
    return shape, kinds


def _block(block: object, tiles: TileSet) -> tuple[str, list[int]]:
    """Return the shape of a block and its kinds, or raise if the kinds do not have that shape."""
    shape, kinds = _kinds_of(block, tiles)
    first = kinds[0]
    if shape == "chow":
        fits = kinds == [first, first + 1, first + 2] and first in tiles.chow_starts
    else:
        copies = {"pong": 3, "eye": 2, "single": 1}.get(shape, 0)
        fits = kinds == [first] * copies
    if not fits:
        raise CertificateError(
            f"{quoted(block)} is not a {quoted(shape)}", argument="target.blocks"
        )
    return shape, kinds


def _check_shapes(form: WinningForm, shapes: list[str], used: list[int], query: Query) -> None:
    """Raise unless the blocks make the form, with at most four copies of each kind."""
    tiles, called = query.tiles, query.called
    eyes = shapes.count("eye")
    if form.is_plain:
        melds = shapes.count("chow") + shapes.count("pong")
        is_form = (melds, eyes, len(shapes)) == (4 - called, 1, 5 - called)
    elif form.is_pairs:
        is_form = not called and eyes == len(shapes) == 7 and sorted(used)[-7:] == [2] * 7
    else:
        orphans = orphans_of(tiles)
        is_form = not called and len(orphans) == len(shapes) == 13 and eyes == 1
        is_form = is_form and shapes.count("single") == 12 and all(used[kind] for kind in orphans)
    if not is_form:
        raise CertificateError(
            f"{', '.join(shapes) or 'none'} are not {form}", argument="target.blocks"
        )
    # Possible blocks may use a fifth copy together: 123m, 333m and 345m.
    if max(used) > COPIES:
        kind = used.index(max(used))
        raise CertificateError(
            f"{max(used)} copies of {tiles.names[kind]}", argument="target.blocks"
        )


def _check_parts(target: Document, form: WinningForm, query: Query, deficiency: int) -> None:
    """Raise unless the target has the parts of a template and is ``deficiency`` tiles away."""
    tiles = query.tiles
    number = whole(target["template"], 0, len(form.templates) - 1, "target.template")
    allowed = templates_beside(form.templates[number], query.called, query.meld_kinds, tiles)
    if not allowed:
        raise CertificateError("the called melds leave no such hand", argument="target.template")
    parts = _Parts(target, tiles)
    template = next((part for part in allowed if part.fixed == parts.fixed), None)
    if template is None:
        raise CertificateError("not the fixed tiles of the template", argument="target.blocks")
    parts.check(template, query.called)
    if target["counts"] != parts.used or not set(map(type, target["counts"])) <= {int}:
        raise CertificateError("not the tiles of target.blocks", argument="target.counts")
    draws, discards = _changes(parts, template, query)
    if counts(target["draws"], tiles.num_kinds, "target.draws") != draws:
        raise CertificateError("not what the target takes beyond the hand", argument="target.draws")
    if counts(target["discards"], tiles.num_kinds, "target.discards") != discards:
        raise CertificateError(
            "not what the hand holds beyond the target", argument="target.discards"
        )
    if sum(draws) != deficiency:
        raise CertificateError(f"{sum(draws)} tiles away, not {deficiency}", argument="target")


def _changes(parts: "_Parts", template: Template, query: Query) -> tuple[Counts, Counts]:
    """Return the tiles to draw and to discard; jokers of the first kinds stand in first.

    CertificateError if more are to be drawn than can arrive.
    """
    held, num_held = joker_supply(template, query.held)
    unseen, num_unseen = joker_supply(template, query.unseen)
    needed = [use - jokers for use, jokers in zip(parts.used, parts.jokers, strict=True)]
    draws = [max(0, need - have) for need, have in zip(needed, held, strict=True)]
    discards = [max(0, have - need) for need, have in zip(needed, held, strict=True)]
    for kind, (drawn, left) in enumerate(zip(draws, unseen, strict=True)):
        if drawn > left:
            raise CertificateError(
                f"{drawn} of {query.tiles.names[kind]}, but {left} can arrive",
                argument="target.draws",
            )
    num_jokers = sum(parts.jokers)
    if num_jokers > num_held + num_unseen:
        raise CertificateError(
            f"{num_jokers} jokers, but {num_held} are held and {num_unseen} can arrive",
            argument="target.draws",
        )
    for kind in template.jokers:
        discards[kind] = max(0, query.held[kind] - num_jokers)
        num_jokers -= query.held[kind] - discards[kind]
    for kind in template.jokers:
        draws[kind] = min(num_jokers, query.unseen[kind])
        num_jokers -= draws[kind]
    return tuple(draws), tuple(discards)


class _Parts:
    """The blocks of a target, counted per kind."""

    def __init__(self, target: Document, tiles: TileSet) -> None:
        blocks = target["blocks"]
        if not isinstance(blocks, list) or len(blocks) > _MOST_BLOCKS:
            raise CertificateError(f"target.blocks: {quoted(blocks)}", expected="a list")
        self._tiles = tiles
        self._number: dict[str, list[int]] = {shape: [0] * tiles.num_kinds for shape in _SHAPES}
        self.used = [0] * tiles.num_kinds  # copies taken by all blocks
        for block in blocks:
            self._add(block)
        self.jokers = self._number["joker"]  # copies for which jokers stand
        self.fixed = tuple(self._number["fixed"])  # copies in fixed blocks

    def _add(self, block: object) -> None:
        shape, kinds = _kinds_of(block, self._tiles)
        first = kinds[0]
        if shape in ("fixed", "joker"):  # one block per kind names all of its copies
            if kinds != [first] * len(kinds) or self._number[shape][first]:
                raise CertificateError(f"{quoted(block)} is not {shape}", argument="target.blocks")
            self._number[shape][first] = len(kinds)
        else:
            shape, kinds = _block(block, self._tiles)
            self._number[shape][first] += 1
        if shape != "joker":
            for kind in kinds:
                self.used[kind] += 1

    def check(self, template: Template, called: int) -> None:
        """Raise unless the blocks but the fixed ones are the parts of a template.

        The template is one that the called melds leave.
        """
        number, names = self._number, self._tiles.names
        self._check_melds(template, called)
        # For the kinds so far: the eyes, doubled kinds and pairs that the blocks can be.
        # A block of two equal tiles may be an eye, a kind held twice, or a pair. All readings are
        # tried together: choosing one for each kind could refuse a target that another choice
        # completes.
        made = {(0, 0, 0)}
        for kind, (use, jokers) in enumerate(zip(self.used, self.jokers, strict=True)):
            if use > COPIES + (jokers if template.has_fifth else 0):
                raise CertificateError(f"{use} copies of {names[kind]}", argument="target.blocks")
            ways = self._readings(template, kind)
            made = {
                (eyes + e, doubled + d, pairs + p)
                for eyes, doubled, pairs in made
                for e, d, p in ways
            }
        singles = sum(number["single"]) + template.doubled
        if (
            singles != template.distinct
            or (template.eyes, template.doubled, template.pairs) not in made
        ):
            raise CertificateError(
                "the eyes and singles are not those of the template", argument="target.blocks"
            )

    def _check_melds(self, template: Template, called: int) -> None:
        chows, pongs = self._number["chow"], self._number["pong"]
        if sum(chows) + sum(pongs) != template.melds - called:
            raise CertificateError(
                f"{sum(chows) + sum(pongs)} melds",
                argument="target.blocks",
                expected=f"{template.melds - called}",
            )
        allowed = set(template.kinds)
        for kind, (chow, pong) in enumerate(zip(chows, pongs, strict=True)):
            if (chow and not (template.has_chows and {kind, kind + 1, kind + 2} <= allowed)) or (
                pong and not (template.has_pongs and kind in allowed)
            ):
                raise CertificateError(
                    f"a meld from {self._tiles.names[kind]}", argument="target.blocks"
                )

    def _readings(self, template: Template, kind: int) -> list[tuple[int, int, int]]:
        """Return what the eyes at a kind can be: eyes, doubled kinds and pairs."""
        number = self._number
        eyes, single = number["eye"][kind], number["single"][kind]
        parts, in_kinds = template.joker_parts, kind in template.kinds
        chows = sum(number["chow"][max(0, kind - 2) : kind + 1])
        in_melds = chows + 3 * number["pong"][kind]
        is_single, readings = kind in template.of, list[tuple[int, int, int]]()
        for names in combinations_with_replacement("edp", eyes):
            e, d, p = map(names.count, "edp")
            if (
                d + single > is_single
                or (eyes > d and not in_kinds)
                or (p > 1 and not template.has_equal_pairs)
            ):
                continue
            eligible = in_melds * ("melds" in parts) + 2 * e * ("eyes" in parts)
            eligible += (2 * d + single) * ("distinct" in parts) + 2 * p * ("pairs" in parts)
            eligible += template.joker_fixed[kind] if template.joker_fixed else 0
            if self.jokers[kind] <= eligible:
                readings.append((e, d, p))
        return readings
