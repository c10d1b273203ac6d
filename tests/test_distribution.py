"""The wheel, the sdist, and the lock file of the tests."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import mjopt

CHECKOUT = Path(__file__).parents[1]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (CHECKOUT / "requirements" / "test.lock").read_text(encoding="utf-8")
PINS = [Requirement(line.partition("#")[0]) for line in LOCK.splitlines() if line[0] not in "# "]
EXTRAS = PROJECT["optional-dependencies"].values()
REQUIREMENTS = [*PROJECT["dependencies"], *(text for texts in EXTRAS for text in texts)]
ENVIRONMENTS = [
    {"python_version": version, "python_full_version": f"{version}.0", "sys_platform": system}
    for version in ("3.11", "3.12", "3.13")
    for system in ("linux", "darwin", "win32")
]


def build(source: Path, target: Path, *kinds: str) -> None:
    """Build wheel or sdist with the installed backend, without downloads."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", target, *kinds],
        cwd=source,
        check=True,
        capture_output=True,
    )


def contents(wheel: Path) -> dict[str, int]:
    """Return the checksum of each file of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {file.filename: file.CRC for file in archive.infolist()}


def files_in(folder: Path) -> set[str]:
    """Return the files of a folder except hidden and generated files."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {
        path.as_posix()
        for path in found
        if not any(part[0] == "." or part == "__pycache__" for part in path.parts)
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a folder with the wheel, the sdist, and the unpacked sdist."""
    folder = tmp_path_factory.mktemp("built")
    build(CHECKOUT, folder)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def unpacked(built: Path) -> Path:
    return next(path for path in built.iterdir() if path.is_dir())


def test_sdist_contains_all_files(built: Path) -> None:
    """The sdist is enough to read, build, test and benchmark."""
    folders = (
        "mjopt",
        "tests",
        "docs",
        "examples",
        "benchmarks",
        "reproduction",
        "requirements",
        ".ci",
    )
    wanted = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "Makefile"}
    for folder in folders:
        wanted |= {f"{folder}/{name}" for name in files_in(CHECKOUT / folder)}
    top = unpacked(built)
    held = files_in(top) | {f".ci/{name}" for name in files_in(top / ".ci")}
    assert held - {"PKG-INFO", "pyproject.toml"} == wanted


def test_sdist_builds_the_same_wheel(built: Path, tmp_path: Path) -> None:
    build(unpacked(built), tmp_path, "-t", "wheel")
    assert contents(next(tmp_path.glob("*.whl"))) == contents(next(built.glob("*.whl")))


def test_wheel_contains_only_the_package(built: Path) -> None:
    names = contents(next(built.glob("*.whl")))
    about = f"mjopt-{mjopt.__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"mjopt", about}
    assert "mjopt/tables/tables.bin.z" in names
    assert {"mjopt/py.typed"} <= set(names)


@pytest.mark.parametrize("needed", [Requirement(text) for text in REQUIREMENTS], ids=str)
def test_every_dependency_is_locked_once(needed: Requirement) -> None:
    """For every Python version and system; run `make lock` after a change of pyproject.toml."""
    for environment in ENVIRONMENTS:
        [pin] = [
            pin
            for pin in PINS
            if pin.name == needed.name and (pin.marker is None or pin.marker.evaluate(environment))
        ]
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier))
        assert needed.specifier.contains(str(pin.specifier)[2:])


def test_lock_names_only_packages() -> None:
    """The lock names no index, file or option."""
    assert "://" not in LOCK
    assert not re.search(r"^\s*-|@", LOCK, re.MULTILINE)
