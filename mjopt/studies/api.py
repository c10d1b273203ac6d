"""`mjopt.compare`: compare methods on hands whose deficiency is certified."""

import inspect
import re
import weakref
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import fields
from functools import partial
from os import PathLike
from pathlib import Path

from mjopt._internal.arrays import Array
from mjopt._internal.files import temporary_folder
from mjopt._internal.optional_deps import need
from mjopt._internal.progress import Progress
from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.validation import expect, whole
from mjopt.datasets.recipes import RECIPES
from mjopt.errors import ArgumentError, MjoptError
from mjopt.hands.coerce import HandLike, as_hand, each_hand
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL, M0, SANMA, TileSet, as_list, as_tiles
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.registry import HEURISTICS, as_heuristic
from mjopt.studies.config import CURVES, SAMPLE, StudyConfig
from mjopt.studies.instances import make_hand_set, read_hand_set
from mjopt.studies.method import parse_methods
from mjopt.studies.runner import run_study
from mjopt.studies.study import Study

Methods = str | Heuristic | Iterable[str | Heuristic]
Hands = str | Iterable[str] | Iterable[HandLike] | Array


def compare(
    methods: Methods,
    *,
    hands: "Hands",
    runs: int = 10,
    seed: int = 0,
    tiles: TileSet | str | None = None,
    early_stop: bool = False,
    sample: int = SAMPLE,
    curves: int = CURVES,
    certificates: int | None = None,
    folder: str | PathLike[str] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> Study:
    """Compare methods on hands whose deficiency is certified, as ``mjopt compare`` does.

    The same seed gives the same rows for any number of processes.

    Parameters
    ----------
    methods
        One or several, each as text (``"ndde:population=50"``) or as an object
        (``NDDE(population=50)``).
    hands
        One or several recipes (``"two-type:1000"``), or hands: an array of counts, shape
        ``(N, 27)`` or ``(N, 34)``, or a list of arrays, of :class:`Hand` or of texts.
    runs
        Runs of each random method on each hand; a deterministic method runs once.
    seed
        Seed of the hands and of every run.
    tiles
        The tile set or its name. By default that of the hands: FULL if some hold honours or have
        34 kinds, else M0.
    early_stop
        Whether to stop each run at the certified value, as the paper times it.
    sample
        Hands of each set that are also run the other way.
    curves
        Hands of each set whose best value is stored for every generation.
    certificates
        Number of deficiencies to certify, -1 for all; by default all of up to 20,000, else 1,000.
    folder
        Folder for the rows, so that an interrupted study resumes and reports can be written. By
        default a temporary folder that is removed with the returned study.
    jobs, scheduler
        Worker processes, or the address of a Dask scheduler whose workers search instead. A script
        that uses several processes must make its calls below ``if __name__ == "__main__":``.
    progress
        Receives the progress.

    Returns
    -------
    Study
        Complete; ``study.results("accuracy")`` and others are its results, ``study.rows(...)`` the
        rows.

    Raises
    ------
    ArgumentError
        If an argument is wrong.
    FileError
        If the folder holds another study.

    Examples
    --------
    >>> study = compare(["ndde", "tree-search"], hands="two-type:20", runs=2, seed=1)
    >>> study.results("accuracy")[["method", "accuracy"]].values.tolist()[1]
    ['tree-search', 1.0]
    """
    need("pandas", "pyarrow", extra="experiments")
    config = make_config(
        methods,
        hands,
        runs=runs,
        seed=seed,
        tiles=tiles,
        early_stop=early_stop,
        sample=sample,
        curves=curves,
        certificates=certificates,
    )
    run = partial(
        run_study, config, jobs=whole(jobs, "jobs"), scheduler=scheduler, progress=progress
    )
    if folder is not None:
        return run(Path(folder))
    with ExitStack() as stack:
        study = run(stack.enter_context(temporary_folder("study")))
        weakref.finalize(study, stack.pop_all().close)
    return study


def make_config(
    methods: Methods,
    hands: Hands,
    *,
    runs: int = 10,
    seed: int = 0,
    tiles: TileSet | str | None = None,
    early_stop: bool = False,
    sample: int = SAMPLE,
    curves: int = CURVES,
    certificates: int | None = None,
) -> StudyConfig:
    """Return the configuration of a study; the parameters are those of :func:`compare`."""
    tile_set, seed = _tiles_of(hands) if tiles is None else as_tiles(tiles), whole(seed, "seed")
    certificates = None if certificates is None else whole(certificates, "certificates")
    expect(early_stop, bool, "early_stop")
    several = [methods] if isinstance(methods, str | Heuristic) else methods
    if not isinstance(several, Iterable):
        raise TypeError(f"methods: {short_repr(methods)}, expected one or several methods")
    texts = [item if isinstance(item, str) else _method_text(item) for item in several]
    sets = [
        read_hand_set(item, seed=seed, tiles=tile_set, certificates=certificates)
        if isinstance(item, str)
        else make_hand_set(item, seed=seed, certificates=certificates)
        for item in _recipes_or_hands(hands, tile_set)
    ]
    return StudyConfig(
        methods=parse_methods(texts),
        sets=tuple(sets),
        runs=whole(runs, "runs"),
        seed=seed,
        early_stop=early_stop,
        sample=whole(sample, "sample"),
        curves=whole(curves, "curves"),
        tiles=tile_set.key,
    )


def _tiles_of(hands: Hands) -> TileSet:
    """Return FULL if one of the hands has honours, SANMA if all have its tiles, else M0."""
    several = [hands] if isinstance(hands, str | Hand) else as_list(hands, "hands", "hands")
    items = (item for item in several if not isinstance(item, str) or _is_hand(item))
    found = {hand.tiles for hand in each_hand(items)}
    return SANMA if found == {SANMA} else FULL if FULL in found else M0


def _recipes_or_hands(hands: Hands, tiles: TileSet) -> list[str] | list[list[Hand]]:
    """Return the recipes, or one list with the hands; no recipe can be parsed as a hand."""
    several = [hands] if isinstance(hands, str | Hand) else as_list(hands, "hands", "hands")
    recipes = [item for item in several if isinstance(item, str) and not _is_hand(item)]
    if len(recipes) == len(several):
        return several
    for item in recipes:
        if re.split("[:@]", item.strip())[0] in RECIPES:
            raise ArgumentError(
                f"a recipe, {shorten(item)}, beside hands",
                argument="hands",
                expected="only recipes or only hands",
            )
    return [list(each_hand(several, tiles))]


def _is_hand(text: str) -> bool:
    if re.split("[:@]", text.strip())[0] in RECIPES:
        return False
    try:
        as_hand(text)
    except MjoptError:
        return False
    return True


def _method_text(method: Heuristic) -> str:
    """Return the text that is parsed as a method."""
    kind = type(as_heuristic(method))
    name = method.name
    if HEURISTICS.get(name) is not kind:
        try:
            name = f"{inspect.getsourcefile(kind)}:{kind.__qualname__}"
        except (OSError, TypeError):
            raise ArgumentError(
                f"method {short_repr(method)}: its class is in no file, so a study cannot load "
                "it: save it in a file, or register it in HEURISTICS"
            ) from None
    own = [field for field in fields(method) if field.init]  # type: ignore[arg-type]
    values = [(parameter.name, getattr(method, parameter.name)) for parameter in own]
    unusual = [
        f"{key}={value}" for (key, value), parameter in zip(values, own, strict=True)
        if value != parameter.default
    ]  # fmt: skip
    return f"{name}:{','.join(unusual)}" if unusual else name
