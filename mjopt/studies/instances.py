"""The hand sets of a study, with the true deficiency of every hand."""

import hashlib
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.arrays import Array
from mjopt._internal.executor import map_batches
from mjopt._internal.validation import expect, whole
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import BATCH_SIZE, MIN_HANDS, certify
from mjopt.datasets.recipes.registry import read_recipe
from mjopt.errors import ArgumentError, CertificateError
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import COPIES, M0, TileSet, as_tiles
from mjopt.studies.config import HandSet, sample_of
from mjopt.tables.labels.batch import label

Counts = npt.NDArray[np.uint8]
Columns = dict[str, Array]

MAX_HANDS: Final = 5_000_000
CERTIFY_ALL: Final = 20_000  # hands, about 5 ms each
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


def read_hand_set(
    text: str,
    *,
    seed: int,
    tiles: TileSet | str = M0,
    name: str | None = None,
    certificates: int | None = None,
) -> HandSet:
    """Read a hand set.

    Parameters
    ----------
    text
        A recipe, such as ``one-type``, ``two-type:10000`` or ``file:hands.txt``. With ``@N``
        after it, a sample of N of its hands without replacement, in their original order.
        ``paper-examples`` are the six hands of the paper's Figure 4.
    seed
        Seed of the draw.
    tiles
        The tile set.
    name
        Name of the set; by default made from the text.
    certificates
        Number of deficiencies to certify, at random; -1 for all. By default all of up to 20,000
        hands, else 1,000.

    Raises
    ------
    FileError, TileError, HandError
        If the file of the recipe cannot be read.
    ArgumentError
        If the recipe is unknown, the number after ``@`` is out of range, or the set is too large.

    Examples
    --------
    >>> hands = read_hand_set("two-type:1000@10", seed=1)
    >>> hands.name, hands.counts.shape
    ('two-type-1000-10', (10, 27))
    """
    expect(text, str, "text")
    expect("" if name is None else name, str, "name")
    if whole(seed, "seed") < 0:
        raise ArgumentError(argument="seed", value=str(seed), expected="0 or more")
    tiles = as_tiles(tiles)
    recipe_text, at, number = text.strip().rpartition("@")
    if not at or (recipe_text.startswith("file:") and not number.isdigit()):
        recipe_text, at, number = text.strip(), "", ""
    counts, recipe_name = _read_recipe(recipe_text, text, seed, tiles)
    if at:
        if not number.isdigit() or not 1 <= int(number) <= len(counts):
            raise ArgumentError(
                f"{number!r} after @",
                argument="hands",
                value=text,
                expected=f"a number in 1..{len(counts)}",
            )
        # Not the stream of the recipe itself.
        order = np.random.default_rng([seed, len(counts)]).permutation(len(counts))
        counts = np.ascontiguousarray(counts[np.sort(order[: int(number)])])
    if not len(counts):
        raise ArgumentError("no hands", argument="hands", value=text)
    base = Path(recipe_text[5:]).stem if recipe_text.startswith("file:") else recipe_name
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", base + at + number).strip("-._") or "hands"
    return _make_set(counts, name or safe, recipe_name + at + number, seed, certificates)


def make_hand_set(hands: Sequence[Hand], *, seed: int, certificates: int | None = None) -> HandSet:
    """Return a set of hands supplied by the caller, at least one, without called melds.

    Other hands, or none, are an `ArgumentError`; ``seed`` and ``certificates`` are those of
    :func:`read_hand_set`.
    """
    if not hands:
        raise ArgumentError("none", argument="hands", expected="at least one")
    for row, hand in enumerate(hands):
        if hand.called:
            raise ArgumentError(
                f"{hand.called} called melds",
                argument="hands",
                position=row,
                unit="row",
                expected="none in a study",
            )
    counts = np.array([hand.counts for hand in hands], np.uint8)
    return _make_set(counts, "hands", "given", seed, certificates)


def _make_set(
    counts: Counts, name: str, recipe: str, seed: int, certificates: int | None
) -> HandSet:
    if certificates is not None:
        whole(certificates, "certificates")
    else:
        certificates = -1 if len(counts) <= CERTIFY_ALL else CERTIFY_SOME
    return HandSet(
        name=name,
        recipe=recipe,
        seed=seed,
        num_hands=len(counts),
        digest=hashlib.sha256(counts.tobytes()).hexdigest(),
        certificates=len(counts) if certificates < 0 else min(certificates, len(counts)),
        counts=counts,
    )


def _read_recipe(recipe_text: str, text: str, seed: int, tiles: TileSet) -> tuple[Counts, str]:
    if recipe_text == PAPER_EXAMPLES:
        hands = [Hand.parse(one, notation="paper", tiles=tiles).counts for one in EXAMPLES]
        return np.array(hands, dtype=np.uint8), PAPER_EXAMPLES
    recipe = read_recipe(recipe_text, tiles=tiles)
    if recipe.num_hands > MAX_HANDS:
        raise ArgumentError(
            f"{recipe.num_hands:,} hands",
            argument="hands",
            value=text,
            expected=f"at most {MAX_HANDS:,}",
        )
    counts = np.ascontiguousarray(recipe.counts(seed=seed), dtype=np.uint8)
    return counts, recipe.name


def describe_hands(counts: Counts, tiles: TileSet, *, threads: int = 1) -> Columns:
    """Return the properties of hands, shape ``(N, K)``, with deficiencies by the table engine.

    They are the columns ``HANDS`` of `mjopt.studies.study_files`; nothing is certified yet.
    """
    write, none = get_notation("mpsz").write, (0,) * tiles.num_kinds
    texts = [write(tuple(row), none, tiles) for row in counts.tolist()]
    suits = np.array([counts[:, part].any(axis=1) for part in tiles.slices])
    return {
        "hand": np.arange(len(counts), dtype=np.int32),
        "text": np.array(texts, dtype=object),
        "deficiency": label(counts, tiles=tiles, threads=threads),
        "num_elements": num_elements(counts, tiles).astype(np.int16),
        "num_kongs": (counts == COPIES).sum(axis=1).astype(np.int8),
        "num_types": suits.sum(axis=0).astype(np.int8),
        "certified": np.zeros(len(counts), dtype=np.bool_),
    }


def certify_labels(
    hands: HandSet,
    columns: Columns,
    tiles: TileSet,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
) -> npt.NDArray[np.float64]:
    """Certify the number of deficiencies that a hand set specifies, at random.

    The result is CPU seconds of each certificate, NaN without one, shape ``(N,)``. The column
    ``certified`` of :func:`describe_hands` is updated. ``jobs`` and ``scheduler`` are as for
    :func:`certify_many`. A certificate that is refused or proves another value is a
    `CertificateError`.
    """
    assert hands.counts is not None
    chosen = sample_of(hands.num_hands, hands.certificates, seed=CERTIFICATE_SEED)
    listed = (Hand.from_counts(hands.counts[i].tolist(), tiles=tiles) for i in chosen)
    certificates = map_batches(
        _certify_batch, listed, size=BATCH_SIZE, min_items=MIN_HANDS, jobs=jobs, scheduler=scheduler
    )
    truth, texts = columns["deficiency"], columns["text"]
    seconds = np.full(hands.num_hands, np.nan)
    for number in chosen:
        where = f"hand set {hands.name}, hand {number} ({texts[number]})"
        try:
            certificate, seconds[number] = next(certificates)
        except CertificateError as error:
            raise CertificateError(f"{where}: the certificate is refused: {error}") from None
        if certificate.deficiency != truth[number]:
            raise CertificateError(
                f"{where}: labelled {truth[number]}, but the certificate proves "
                f"{certificate.deficiency}"
            )
        columns["certified"][number] = certificate.certified
    return seconds


_warm: set[int] = set()


def _certify_batch(hands: list[Hand]) -> list[tuple[Certificate, float]]:
    """Return a checked certificate for each hand, and its CPU seconds."""
    certified = []
    for hand in hands:
        if hand.tiles.num_kinds not in _warm:  # load modules before the time is measured
            certify(hand)
            _warm.add(hand.tiles.num_kinds)
        start = time.process_time()
        certificate = certify(hand)
        certified.append((certificate, time.process_time() - start))
    return certified


def num_elements(counts: Counts, tiles: TileSet) -> npt.NDArray[np.int64]:
    """Return the size of the set S of every hand, the paper's NS, shape ``(N,)``.

    A batch version of `mjopt.hands.predecomposition.candidates`.

    Examples
    --------
    >>> hand = Hand.parse("B1B2B3B3B3B3B4B8C4C5C9D6D7D8", notation="paper")
    >>> num_elements(np.array([hand.counts], dtype=np.uint8), M0).tolist()
    [12]
    """
    copies = counts.T  # one row a kind
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
