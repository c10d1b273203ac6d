"""Check the upper bound of a native certificate: a complete hand at the claimed distance."""

from mjopt.errors import CertificateError
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.proofs.native_schema import Document, Query, counts, exact, quoted

STANDARD, PAIRS, ORPHANS = "standard", "seven_pairs", "thirteen_orphans"

_KEYS = frozenset({"form", "blocks", "counts", "draws", "discards"})
_MOST_CHANGED = 14


def check_target(value: object, query: Query, deficiency: int) -> None:
    """Raise unless the target is complete in one of the forms and ``deficiency`` tiles away.

    Parameters
    ----------
    value
        The ``target`` of the certificate.
    query
        The hand and the forms.
    deficiency
        The number of tiles that the target must take beyond the hand.

    Raises
    ------
    CertificateError
        With the part that fails.
    """
    tiles, held = query.tiles, query.held
    target = exact(value, _KEYS, "target")
    form = target["form"]
    if form not in query.forms:
        raise CertificateError(quoted(form), argument="target.form", expected=tuple(query.forms))
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


def _block(block: object, tiles: TileSet) -> tuple[str, list[int]]:
    """Return the shape of a block and its kinds, or raise if the kinds do not have that shape."""
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


def _check_shapes(form: str, shapes: list[str], used: list[int], query: Query) -> None:
    """Raise unless the blocks make the form, with at most four copies of each kind."""
    tiles, called = query.tiles, query.called
    eyes = shapes.count("eye")
    if form == STANDARD:
        melds = shapes.count("chow") + shapes.count("pong")
        is_form = (melds, eyes, len(shapes)) == (4 - called, 1, 5 - called)
    elif form == PAIRS:
        is_form = not called and eyes == len(shapes) == 7 and sorted(used)[-7:] == [2] * 7
    else:
        orphans = orphans_of(tiles)
        is_form = not called and len(orphans) == len(shapes) == 13 and eyes == 1
        is_form = is_form and shapes.count("single") == 12 and all(used[kind] for kind in orphans)
    if not is_form:
        raise CertificateError(
            f"{', '.join(shapes) or 'none'} are not {form}", argument="target.blocks"
        )
    if max(used) > COPIES:
        kind = used.index(max(used))
        raise CertificateError(
            f"{max(used)} copies of {tiles.names[kind]}", argument="target.blocks"
        )
