"""Labels, rows and splits added to a complete dataset: the bytes of one that is built at once."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.dataset_folders import everything

from mjopt.datasets import (
    LABELS,
    DatasetColumn,
    Label,
    build,
    check_dataset,
    make_plan,
    read_recipe,
)
from mjopt.datasets import recipes as recipe_room
from mjopt.datasets.manifest import MANIFEST
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import FileError


def plan_of(recipe: str = "deals:60", **changes: Any) -> DatasetPlan:
    return make_plan(recipe, **{"seed": 4, "shards": 2, "labels": ("deficiency",), **changes})


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    build(plan_of(), folder)
    return folder


@pytest.fixture
def folder(small: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small, tmp_path / "copy")


MORE = ("digest", "deficiency", "win")


@pytest.mark.parametrize(
    "plan",
    [
        plan_of(labels=MORE),
        plan_of(splits="train=8,test=2"),
        plan_of("deals:90"),
        plan_of("deals:90", shards=7, labels=MORE, splits="a=1,train=1", check=1),
    ],
    ids=["labels", "splits", "rows", "all"],
)
def test_addition_equals_a_new_build(folder: Path, tmp_path: Path, plan: DatasetPlan) -> None:
    build(plan, folder)
    build(plan, tmp_path / "new")
    assert everything(folder) == everything(tmp_path / "new")
    assert not (folder / ".next").exists()
    assert check_dataset(folder, sample=9).is_sound
    assert build(plan, folder).rows == 0  # it is complete


def test_additions_follow_each_other(folder: Path, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"text": True}
    for change in ({"labels": MORE}, {"splits": "train=1,test=1"}, {"labels": (*MORE, "useful")}):
        changes |= change
        build(plan_of(**changes), folder)
    build(plan_of("deals:61", **changes), folder)
    build(plan_of("deals:61", **changes), tmp_path / "new")
    assert everything(folder) == everything(tmp_path / "new")


@contextmanager
def counted_label() -> Iterator[list[int]]:
    """Register a label that records the rows that it computes."""
    computed: list[int] = []

    def compute(rows: Any) -> Any:
        computed.extend(rows.rows.tolist())
        return np.array([f"{row} é" for row in rows.rows], object)

    column = DatasetColumn("counted", "string", "number of the row")
    LABELS["counted"] = Label(name="counted", engine="own 1", columns=(column,), compute=compute)
    try:
        yield computed
    finally:
        del LABELS["counted"]


@pytest.mark.parametrize("block", [122_880, 16])
def test_known_labels_are_not_computed_again(
    tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("base", "registry"):
        monkeypatch.setattr(f"{recipe_room.__name__}.{module}.BLOCK_ROWS", block)
    for module in ("plan", "planner", "shard", "check"):
        monkeypatch.setattr(f"mjopt.datasets.{module}.BLOCK_ROWS", block)
    folder, labels = tmp_path / "out", ("counted",)
    with counted_label() as computed:
        build(plan_of(labels=labels, splits="a=1,b=1"), folder)
        assert sorted(computed) == list(range(60))
        computed.clear()
        more = plan_of("deals:75", labels=(*labels, "win"), splits="a=1,b=1,c=2", shards=3)
        build(more, folder)
        assert sorted(computed) == list(range(60, 75))
        build(more, tmp_path / "new")
    assert everything(folder) == everything(tmp_path / "new")


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (plan_of(seed=5, labels=MORE), "(seed 4, not 5)"),
        (plan_of("deals:50"), "(recipe deals:60, not deals:50; ...)"),
        (plan_of("distinct:90"), "(recipe deals:60, not distinct:90; ...)"),
        (plan_of("deals:90", labels=("win",)), '(labels ["deficiency"], not ["win"]; ...)'),
        (plan_of("deals:90", tiles="136"), "(tiles m0, not 136)"),
        (plan_of("deals:90", splits="test"), '(splits {"train": 1.0}, not {"test": 1.0})'),
        (plan_of("deals:90", text=False), "(text true, not false)"),
        (plan_of(shards=3), "(shards 2, not 3)"),
        (plan_of(check=3), "(checked_per_shard 0, not 3)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_changes_are_refused(folder: Path, plan: DatasetPlan, message: str) -> None:
    before = everything(folder)
    with pytest.raises(FileError) as error:
        build(plan, folder)
    assert str(error.value) == f"{folder}: holds another dataset {message}; name another folder"
    assert everything(folder) == before


def test_longer_stratified_recipes_have_other_hands(tmp_path: Path) -> None:
    build(plan_of("stratified:14"), tmp_path)
    with pytest.raises(FileError, match="recipe stratified:14, not stratified:28"):
        build(plan_of("stratified:28"), tmp_path)


def test_file_of_hands_may_grow(tmp_path: Path) -> None:
    hands, path = read_recipe("deals:40").counts(seed=1), tmp_path / "h.npy"
    for number in (20, 40):
        np.save(path, hands[:number])
        build(make_plan(f"file:{path}"), tmp_path / "out")
    assert check_dataset(tmp_path / "out", sample=40, recipe=f"file:{path}").is_sound
    hands = np.concatenate([hands, hands[:1]])
    hands[[3, 5]] = hands[[5, 3]]
    np.save(path, hands)
    before = everything(tmp_path / "out" / "data")
    with pytest.raises(FileError, match="row 3 is another hand than the recipe gives now"):
        build(make_plan(f"file:{path}"), tmp_path / "out")
    assert everything(tmp_path / "out" / "data") == before


@pytest.mark.parametrize("spoil", ["modified", "missing"])
def test_damaged_dataset_is_not_added_to(folder: Path, spoil: str) -> None:
    path = sorted((folder / "data").iterdir())[0]
    if spoil == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(FileError, match=spoil if spoil == "modified" else "files are missing"):
        build(plan_of(labels=MORE), folder)


class StoppedError(Exception):
    pass


def stop(_: int) -> None:
    raise StoppedError


def test_another_unfinished_addition_is_refused(folder: Path) -> None:
    data = everything(folder)
    with pytest.raises(StoppedError):
        build(plan_of(labels=MORE), folder, advance=stop)
    assert everything(folder / "data") == {
        name.removeprefix("data/"): sha for name, sha in data.items() if name.startswith("data/")
    }
    assert check_dataset(folder).is_sound  # the dataset as it was
    with pytest.raises(FileError, match="another addition is unfinished; run its command again"):
        build(plan_of("deals:90"), folder)
    assert build(plan_of(), folder).rows == 0
    report = build(plan_of(labels=MORE), folder)
    assert report.kept_shards == 1
    assert json.loads((folder / MANIFEST).read_text())["plan"]["labels"] == [*MORE]
