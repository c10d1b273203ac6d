"""Small tables, built once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.surroundings import environment

from mjopt.chances.ceiling import CeilingTable, TableKey, build_ceiling

Table = Callable[..., CeilingTable]


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Return a table by its key; tests must not change its file."""
    folder, made = tmp_path_factory.mktemp("tables"), {}

    def build(**options: object) -> CeilingTable:
        key = TableKey(**options)  # type: ignore[arg-type]
        if key not in made:
            made[key] = build_ceiling(folder / key.file_name, key=key, threads=2)
        return made[key]

    return build


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path) -> Iterator[Path]:
    """Keep tables of the user out of the tests."""
    folder = tmp_path / "data"
    with environment(MJOPT_DATA=folder):
        yield folder
