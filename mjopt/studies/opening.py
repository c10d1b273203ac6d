"""Open the folder of a study: which of its rows stand, and which are made again."""

import shutil
from collections.abc import Callable, Container
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from mjopt._internal.folder import write_whole
from mjopt._internal.registry import written
from mjopt.errors import FileError, StudyError
from mjopt.heuristics.registry import code_of
from mjopt.studies.methods import make_method
from mjopt.studies.plan import Plan, PlannedMethod, PlannedSet
from mjopt.studies.provenance import MADE_BY, maker, read_record, write_record
from mjopt.studies.study import FILES, PLAN, Study

_SAID: Final = ("parameters", "is_random", "stream")
"""What the rows of a method depend on beside its code; not how its file is named."""


def open_study(
    plan: Plan, folder: Path, *, only: Container[str] | None = None, say: Callable[[str], None]
) -> Study:
    """Write the plan, or let the one that stands there grow into it.

    Methods, sets of hands and runs may come and go: rows that were made stay, and are read
    again when they are asked for again. Those of a method whose code or parameters have
    changed go, to be made again. Nothing else of a plan may differ.

    Parameters
    ----------
    plan
        The plan.
    folder
        The folder, held by this process.
    only
        The methods that are run now, by label; by default all.
    say
        Is told what becomes of rows that were there.

    Raises
    ------
    StudyError
        If the folder holds something else, or a study that cannot grow so.
    FileError
        If a file of it is damaged.
    """
    record: dict[str, Any] = {"methods": {}, "sets": {}}
    is_new = not (folder / PLAN).exists()
    if is_new:
        strange = (p.name for p in folder.iterdir() if not p.name.startswith("."))
        if names := sorted(name for name in strange if name != MADE_BY):
            raise StudyError(f"{folder}: holds {names[0]} but no study; name another folder")
        stored = plan
    else:
        stored = Study(folder).plan
        try:
            record |= read_record(folder) or {}
            _note(record, stored, code=None)
            sets = {name: PlannedSet(**values) for name, values in record["sets"].items()}
        except (TypeError, StudyError) as error:
            raise FileError(f"{folder / MADE_BY}: {error}; remove it to keep all rows") from None
        grown = replace(
            stored,
            methods=plan.methods,
            sets=tuple(sets.get(hands.name, hands) for hands in plan.sets),
            runs=plan.runs,
            version=plan.version,
        )
        if difference := plan.difference(grown):
            raise StudyError(f"{folder}: holds another study ({difference}); name another folder")
    for left in folder.rglob(".*.tmp"):  # of a run that was killed while it wrote
        left.unlink()
    _sort_out(plan, folder, record, only, say)
    _note(record, plan, code=None)
    write_record(folder, record)
    if is_new or plan != replace(stored, version=plan.version):
        write_whole(folder / PLAN, plan.to_json().encode())
    return Study(folder)


def _note(record: dict[str, Any], plan: Plan, *, code: str | None) -> None:
    """Note the methods and sets of a plan that a record does not know."""
    by = {"mjopt": plan.version, "code": code}
    for method in plan.methods:
        record["methods"].setdefault(method.label, _entry(method, by))
    for hands in plan.sets:
        record["sets"].setdefault(hands.name, asdict(hands))


def _entry(method: PlannedMethod, by: dict[str, Any]) -> dict[str, Any]:
    return {"by": by, **{name: getattr(method, name) for name in _SAID}}


def _sort_out(
    plan: Plan,
    folder: Path,
    record: dict[str, Any],
    only: Container[str] | None,
    say: Callable[[str], None],
) -> None:
    """Remove the rows of methods that are no longer what they were; note who makes the rest."""
    stands: dict[bool, list[str]] = {True: [], False: []}  # by whether their code was noted
    is_changed = False
    for method in plan.methods:
        if only is not None and method.label not in only:
            continue
        label, entry = method.label, _entry(method, maker(code_of(make_method(method))))
        before = record["methods"].get(label)
        record["methods"][label] = entry
        if before is None or not (there := _folders(folder, label)):
            continue
        was, now = before.get("by", {}), entry["by"]
        changed = _difference(before, entry)
        if not changed and was.get("code") in (None, now["code"]):
            stands[was.get("code") is not None].append(label)
            entry["by"] = was if was.get("code") else {**was, "code": now["code"]}
            continue
        is_changed = True
        say(
            f"{label}: {changed or 'its code has changed'} since its rows were made "
            f"(mjopt {was.get('mjopt') or 'of unknown version'}): they are made again"
        )
        for path in there:  # before the record: a run that is killed now finds them once more
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    if is_changed and stands[True]:
        say(f"the rows of {', '.join(stands[True])} stand")
    if stands[False]:
        names = ", ".join(stands[False])
        say(f"{folder}: what code made the rows of {names} was not noted: they are kept")


def _difference(before: dict[str, Any], entry: dict[str, Any]) -> str:
    """Say in what a method is not as it was noted, its code aside; empty if in nothing."""
    if all(before.get(name) == entry[name] for name in _SAID):
        return ""
    names = [str(one.get("stream")).partition(":")[0] for one in (before, entry)]
    if names[0] != names[1]:
        return f"{names[0]} has become {names[1]}"
    was, now = before.get("parameters", {}), entry["parameters"]
    told = [
        f"{name} is gone" if name not in now
        else f"{name}={written(now[name])} is new" if name not in was
        else f"{name} has changed from {written(was[name])} to {written(now[name])}"
        for name in {**now, **was}
        if name not in was or name not in now or was[name] != now[name]
    ]  # fmt: skip
    if before.get("is_random") != entry["is_random"]:
        told.append("whether it draws at random has changed")
    return ", ".join(told) or "its random numbers have changed"


def _folders(folder: Path, label: str) -> list[Path]:
    """Return where the files of a method stand."""
    patterns = {form.format(hands="*", method=label, run=0) for form in FILES.values()}
    trees = {p.rpartition("/")[0] if p.count("/") == 3 else p for p in patterns if label in p}
    return sorted(path for pattern in trees for path in folder.glob(pattern))
