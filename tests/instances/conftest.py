"""One small instance set for all tests; those that change it copy it."""

from pathlib import Path

import pytest

from mjopt.instances import build_instances


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_instances(tmp_path_factory.mktemp("set") / "set", hands=7, seed=2, jobs=1).folder
