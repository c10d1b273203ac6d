"""Hand sets of a study: a recipe, perhaps a sample of it; hands with values, some proved."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt.analysis.certify import certify_many
from mjopt.datasets.recipes import read_recipe
from mjopt.errors import CertificateError, StudyError
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import COPIES, M0, TileSet
from mjopt.studies.plan import PlannedSet
from mjopt.studies.row_files import Columns
from mjopt.studies.study import sample_of
from mjopt.tables.batch import label

Counts = npt.NDArray[np.uint8]

MOST_HANDS: Final = 5_000_000
CERTIFY_ALL: Final = 20_000  # hands: some 5 ms each
CERTIFY_SOME: Final = 1_000
CERTIFICATE_SEED: Final = 20_230_501
PAPER_EXAMPLES: Final = "paper-examples"
EXAMPLES: Final = (  # H1 to H6 of Yan and Li (2023), section 4.2.2
    "B4B4B6B6B6B7B7B7B7B8B9B9B9B9",
    "B3B5B5B5B5B6B6B6B7B7B8B8B9B9",
    "B1B2B4B5B5C2C3C3C3C4C4C5C7C7",
    "B4C1C1C3C4C4C4C4C5C7C8C8C9C9",
    "B4B6C5C7C8C9D1D1D2D2D3D7D7D8",
    "B3C9D1D4D5D6D6D6D7D7D8D8D9D9",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandSet:
    """A hand set that a study plans to use, with its hands."""

    planned: PlannedSet  # what the plan says of it
    counts: Counts  # copies per kind, shape (N, K)
    tiles: TileSet


def read_hand_set(
    text: str,
    *,
    seed: int,
    tiles: TileSet = M0,
    name: str | None = None,
    certificates: int | None = None,
) -> HandSet:
    """Read a hand set.

    Parameters
    ----------
    text
        A recipe, such as ``one-type``, ``two-type:10000`` or ``file:hands.txt``;
        followed by ``@N`` it is N hands of those, drawn without repetition and kept in
        order. ``paper-examples`` are the six hands of the paper's Figure 4.
    seed
        What draws them.
    tiles
        The tile set.
    name
        What to call the set; by default a name made from the text.
    certificates
        How many labels to certify, at random; -1 for all. By default all of up to
        20,000 hands, 1,000 of more.

    Raises
    ------
    RecipeError, FileError, TileError, HandError
        If the recipe or its file cannot be read.
    StudyError
        If the sample is not one, or the set is too large for a study.

    Examples
    --------
    >>> hands = read_hand_set("two-type:1000@10", seed=1)
    >>> hands.planned.name, hands.counts.shape
    ('two-type-1000-10', (10, 27))
    """
    recipe_text, at, number = text.strip().rpartition("@")
    if not at or (recipe_text.startswith("file:") and not number.isdigit()):
        recipe_text, at, number = text.strip(), "", ""
    counts, recipe_name = _hands(recipe_text, text, seed, tiles)
    if at:
        if not number.isdigit() or not 1 <= int(number) <= len(counts):
            raise StudyError(
                f"--hands {text}: {number!r} after @, expected a number in 1..{len(counts)}"
            )
        # Another stream than the recipe's own, whatever that is.
        order = np.random.default_rng([seed, len(counts)]).permutation(len(counts))
        counts = np.ascontiguousarray(counts[np.sort(order[: int(number)])])
    if not len(counts):
        raise StudyError(f"--hands {text}: no hands")
    plain = Path(recipe_text[5:]).stem if recipe_text.startswith("file:") else recipe_name
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", plain + at + number).strip("-._") or "hands"
    return _planned(counts, tiles, name or safe, recipe_name + at + number, seed, certificates)


def given_hand_set(
    hands: Sequence[Hand], *, seed: int, tiles: TileSet = M0, certificates: int | None = None
) -> HandSet:
    """Return the set of hands that are given themselves; the parameters are those above.

    Raises
    ------
    StudyError
        If there is none, or one has called melds.
    """
    if not hands:
        raise StudyError("hands: none given")
    for row, hand in enumerate(hands):
        if hand.called:
            raise StudyError(f"hands, row {row}: {hand.called} called, expected none in a study")
    counts = np.array([hand.counts for hand in hands], np.uint8)
    return _planned(counts, tiles, "hands", "given", seed, certificates)


def _planned(
    counts: Counts, tiles: TileSet, name: str, recipe: str, seed: int, certificates: int | None
) -> HandSet:
    if certificates is None:
        certificates = -1 if len(counts) <= CERTIFY_ALL else CERTIFY_SOME
    planned = PlannedSet(
        name=name,
        recipe=recipe,
        seed=seed,
        num_hands=len(counts),
        digest=hashlib.sha256(counts.tobytes()).hexdigest(),
        certificates=len(counts) if certificates < 0 else min(certificates, len(counts)),
    )
    return HandSet(planned=planned, counts=counts, tiles=tiles)


def _hands(recipe_text: str, text: str, seed: int, tiles: TileSet) -> tuple[Counts, str]:
    if recipe_text == PAPER_EXAMPLES:
        hands = [Hand.parse(one, notation="paper", tiles=tiles).counts for one in EXAMPLES]
        return np.array(hands, dtype=np.uint8), PAPER_EXAMPLES
    recipe = read_recipe(recipe_text, tiles=tiles)
    if recipe.num_hands > MOST_HANDS:
        raise StudyError(
            f"--hands {text}: {recipe.num_hands:,} hands, expected at most {MOST_HANDS:,}"
        )
    counts = np.ascontiguousarray(recipe.counts(seed=seed), dtype=np.uint8)
    return counts, recipe.name


def describe_hands(hands: HandSet, *, threads: int = 1) -> Columns:
    """Return the hands of a set with their true values, nothing certified yet.

    The value is the table engine's, all that the hand does not show being unseen.

    Returns
    -------
    dict
        The columns ``HANDS`` of `mjopt.studies.row_files`.

    Raises
    ------
    TileError, HandError
        If a row is no hand.
    """
    counts, tiles = hands.counts, hands.tiles
    write, none = get_notation("mpsz").write, (0,) * tiles.num_kinds
    texts = [write(tuple(row), none, tiles) for row in counts.tolist()]
    present = np.array([counts[:, part].any(axis=1) for part in tiles.slices])
    return {
        "hand": np.arange(len(counts), dtype=np.int32),
        "text": np.array(texts, dtype=object),
        "deficiency": label(counts, threads=threads),
        "num_elements": num_elements(counts, tiles).astype(np.int16),
        "num_kongs": (counts == COPIES).sum(axis=1).astype(np.int8),
        "num_types": present.sum(axis=0).astype(np.int8),
        "certified": np.zeros(len(counts), dtype=np.bool_),
    }


def certify_labels(
    hands: HandSet, columns: Columns, *, jobs: int = 1, scheduler: str | None = None
) -> None:
    """Prove the labels of some hands, and mark those hands.

    Parameters
    ----------
    hands
        The hands; their plan says how many labels.
    columns
        The columns ``HANDS``; ``certified`` is filled in.
    jobs, scheduler
        As for :func:`certify_many`.

    Raises
    ------
    StudyError
        If a certificate is refused or proves another value: the study stops there.
    """
    chosen = sample_of(len(hands.counts), hands.planned.certificates, seed=CERTIFICATE_SEED)
    listed = (Hand.from_counts(hands.counts[i].tolist(), tiles=hands.tiles) for i in chosen)
    certificates = certify_many(listed, jobs=jobs, scheduler=scheduler)
    name, truth, texts = hands.planned.name, columns["deficiency"], columns["text"]
    for place in chosen:
        where = f"hand set {name}, hand {place} ({texts[place]})"
        try:
            certificate = next(certificates)
        except CertificateError as error:
            raise StudyError(f"{where}: the certificate is refused: {error}") from None
        if certificate.deficiency != truth[place]:
            raise StudyError(
                f"{where}: labelled {truth[place]}, but the certificate proves "
                f"{certificate.deficiency}"
            )
        columns["certified"][place] = certificate.certified


def num_elements(counts: Counts, tiles: TileSet) -> npt.NDArray[np.int64]:
    """Return the size of the set S of every hand, the paper's NS.

    The rules of `mjopt.hands.predecomposition.candidates`, for many hands at once.

    Examples
    --------
    >>> hand = Hand.parse("B1B2B3B3B3B3B4B8C4C5C9D6D7D8", notation="paper")
    >>> num_elements(np.array([hand.counts], dtype=np.uint8), M0).tolist()
    [12]
    """
    copies: Any = counts.T  # one row a kind
    held, left = copies > 0, copies < COPIES
    total: npt.NDArray[np.int64] = (copies >= 2).sum(axis=0) + (copies >= 3).sum(axis=0)
    open_pair = np.zeros_like(held)  # whether this kind and the next can become a chow
    for kind in tiles.chow_starts:
        open_pair[kind] |= left[kind + 2]
        open_pair[kind + 1] |= left[kind]
        outer = held[kind] & held[kind + 2]
        total += (outer & left[kind + 1]).astype(np.int64) + (outer & held[kind + 1])
    total += (open_pair[:-1] & held[:-1] & held[1:]).sum(axis=0)
    return total
