"""`mjopt.compare`: methods against hands whose value is certified, as a call."""

import inspect
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from mjopt._internal.optional_deps import need
from mjopt._internal.progress import Watcher
from mjopt._internal.validation import expect, told, whole
from mjopt.datasets.recipes import RECIPES
from mjopt.errors import HeuristicError, MjoptError, StudyError
from mjopt.hands.coerce import HandLike, as_hand, each_hand
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL, M0, TileSet, as_tiles
from mjopt.heuristics.base import Heuristic
from mjopt.heuristics.registry import HEURISTICS, as_heuristic
from mjopt.studies.methods import plan_methods
from mjopt.studies.plan import Plan
from mjopt.studies.running import run_study
from mjopt.studies.study import Study
from mjopt.studies.study_hands import HandSet, given_hand_set, read_hand_set

Methods = str | Heuristic | Iterable[str | Heuristic]
Hands = str | Iterable[str] | Iterable[HandLike] | NDArray[Any]


def compare(
    methods: Methods,
    *,
    hands: Hands,
    runs: int = 10,
    seed: int = 0,
    tiles: TileSet | str | None = None,
    early_stop: bool = False,
    sample: int = 2000,
    curves: int = 6,
    certificates: int | None = None,
    folder: str | PathLike[str] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    watcher: Watcher | None = None,
) -> Study:
    """Compare methods on hands whose deficiency is certified, as ``mjopt compare`` does.

    The same seed gives the same rows for any number of processes, here and there.

    Parameters
    ----------
    methods
        One or several, each as text (``"ndde:population=50"``) or a method itself
        (``NDDE(population=50)``).
    hands
        One or several recipes (``"two-type:1000"``), or the hands themselves: an array of
        counts, shape ``(N, 27)`` or ``(N, 34)``, or a list of them, of :class:`Hand` or of
        texts that read as hands.
    runs
        Of each method on each hand; of one that draws nothing, one.
    seed
        Of the hands and of every run.
    tiles
        The tile set or its name. By default that of the hands, where some hold honours or are
        of 34 kinds, else M0.
    early_stop
        Stop each run at the certified value, as the paper times it.
    sample
        Hands of each set that are also run the other way.
    curves
        Hands of each set whose best value is kept generation by generation.
    certificates
        How many labels to certify, -1 for all; by default all of up to 20,000, else 1,000.
    folder
        Where the rows are kept, so that a study that was stopped goes on, and tables and
        figures may be written. By default nowhere: they go with the study that is returned.
    jobs, scheduler
        Processes, or the address of a Dask scheduler whose workers search instead.
    watcher
        Is told how it goes.

    Returns
    -------
    Study
        Complete; ``study.summary`` says what it shows, ``study.rows(...)`` has the rows.

    Raises
    ------
    StudyError, HeuristicError, RecipeError
        If it cannot be planned so, or the folder holds another study.

    Examples
    --------
    >>> study = compare(["ndde", "tree-search"], hands="two-type:20", runs=2, seed=1)
    >>> [(one.label, one.accuracy.share) for one in study.summary.sets[0].methods][1]
    ('tree-search', 1.0)
    """
    need("pandas", "pyarrow", extra="experiments")
    plan, sets = plan_study(
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
    workers: dict[str, Any] = {
        "jobs": whole(jobs, "jobs"),
        "scheduler": scheduler,
        "watcher": watcher,
    }
    if folder is not None:
        return run_study(plan, sets, Path(folder), **workers)
    kept = tempfile.mkdtemp(prefix="mjopt-study-")
    try:
        study = run_study(plan, sets, Path(kept), **workers)
    except BaseException:
        shutil.rmtree(kept, ignore_errors=True)
        raise
    weakref.finalize(study, shutil.rmtree, kept, ignore_errors=True)
    return study


def plan_study(
    methods: Methods,
    hands: Hands,
    *,
    runs: int = 10,
    seed: int = 0,
    tiles: TileSet | str | None = None,
    early_stop: bool = False,
    sample: int = 2000,
    curves: int = 6,
    certificates: int | None = None,
) -> tuple[Plan, list[HandSet]]:
    """Return the plan of a study and its hands; the parameters are those of :func:`compare`."""
    from mjopt import __version__

    tile_set, seed = _tiles_of(hands) if tiles is None else as_tiles(tiles), whole(seed, "seed")
    certificates = None if certificates is None else whole(certificates, "certificates")
    expect(early_stop, bool, "early_stop")
    several = [methods] if isinstance(methods, str | Heuristic) else methods
    if not isinstance(several, Iterable):
        raise TypeError(f"methods: {told(repr(methods))}, expected one or several methods")
    texts = [one if isinstance(one, str) else _text(one) for one in several]
    sets = [
        read_hand_set(one, seed=seed, tiles=tile_set, certificates=certificates)
        if isinstance(one, str)
        else given_hand_set(one, seed=seed, tiles=tile_set, certificates=certificates)
        for one in _recipes(hands, tile_set)
    ]
    plan = Plan(
        methods=plan_methods(texts),
        sets=tuple(chosen.planned for chosen in sets),
        runs=whole(runs, "runs"),
        seed=seed,
        early_stop=early_stop,
        sample=whole(sample, "sample"),
        curves=whole(curves, "curves"),
        tiles=tile_set.key,
        version=__version__,
    )
    return plan, sets


def _tiles_of(hands: Any) -> TileSet:
    """Return FULL if a hand among these is of it, else M0: recipes have either."""
    several = [hands] if isinstance(hands, str | Hand) else list(hands)
    given = (one for one in several if not isinstance(one, str) or _is_hand(one))
    return FULL if any(hand.tiles is FULL for hand in each_hand(given)) else M0


def _recipes(hands: Any, tiles: TileSet) -> list[Any]:
    """Return recipes, each a text, or else one list of the hands themselves.

    No recipe reads as a hand: a text that does is one.
    """
    several = [hands] if isinstance(hands, str | Hand) else list(hands)
    recipes = [one for one in several if isinstance(one, str) and not _is_hand(one)]
    if len(recipes) == len(several):
        return several
    for one in recipes:
        if re.split("[:@]", one.strip())[0] in RECIPES:
            raise StudyError(f"hands: {told(one)} beside hands, expected recipes or hands")
    return [list(each_hand(several, tiles))]


def _is_hand(text: str) -> bool:
    try:
        as_hand(text)
    except MjoptError:
        return False
    return True


def _text(method: Heuristic) -> str:
    """Return the text that names a method: what a plan keeps and another process reads."""
    kind = type(as_heuristic(method))
    name = method.name
    if HEURISTICS.get(name) is not kind:
        try:
            name = f"{inspect.getsourcefile(kind)}:{kind.__qualname__}"
        except (OSError, TypeError):
            raise HeuristicError(
                f"method {told(repr(method))}: its class is in no file, so no plan can name it: "
                "write it to one, or register it in HEURISTICS"
            ) from None
    own = [field for field in fields(method) if field.init]  # type: ignore[arg-type]
    given = [(one.name, getattr(method, one.name)) for one in own]
    unusual = [
        f"{key}={value}" for (key, value), one in zip(given, own, strict=True)
        if value != one.default
    ]  # fmt: skip
    return f"{name}:{','.join(unusual)}" if unusual else name
