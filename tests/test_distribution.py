"""The wheel, the sdist, and the lock file of the tests."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import mjopt

CHECKOUT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
REPOSITORY = PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
LOCK = (CHECKOUT / "requirements" / "test.lock").read_text(encoding="utf-8")
PINS = [Requirement(line.partition("#")[0]) for line in LOCK.splitlines() if line[0] not in "# "]
CITATION = (CHECKOUT / "CITATION.cff").read_text(encoding="utf-8")
CHANGELOG = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")
COMMUNITY = [
    *(CHECKOUT / name for name in ("CHANGELOG.md", "CITATION.cff", "CODE_OF_CONDUCT.md")),
    CHECKOUT / "SECURITY.md",
    *sorted((CHECKOUT / ".github").rglob("*.*")),
]
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


def metadata(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


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
        "tools",
        "docs",
        "examples",
        "benchmarks",
        "reproduction",
        "requirements",
        "conformance",
        ".ci",
        ".github",
    )
    wanted = {"CITATION.cff", "Dockerfile", "LICENSE", "Makefile", "environment.yml"}
    wanted |= {"hatch_build.py"} | {path.name for path in CHECKOUT.glob("*.md")}
    for folder in folders:
        wanted |= {f"{folder}/{name}" for name in files_in(CHECKOUT / folder)}
    top = unpacked(built)
    held = files_in(top)
    held |= {f"{hidden}/{n}" for hidden in (".ci", ".github") for n in files_in(top / hidden)}
    assert held - {"PKG-INFO", "pyproject.toml"} == wanted
    assert (top / ".readthedocs.yaml").exists()
    assert (top / ".dockerignore").exists()


def test_sdist_builds_the_same_wheel(built: Path, tmp_path: Path) -> None:
    build(unpacked(built), tmp_path, "-t", "wheel")
    assert contents(next(tmp_path.glob("*.whl"))) == contents(next(built.glob("*.whl")))


def test_wheel_contains_only_the_package(built: Path) -> None:
    names = contents(next(built.glob("*.whl")))
    about = f"mjopt-{mjopt.__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"mjopt", about}
    assert "mjopt/tables/tables.bin.z" in names
    assert {"mjopt/py.typed"} <= set(names)
    endings = {Path(name).suffix for name in names if name.startswith("mjopt/")}
    code = {".py", ".typed", ".z", ".bundle", ".layers", ".npz", ".txt", ".toml"}
    pages = {".html", ".css", ".js", ".svg", ".po", ".json", ".mplstyle"}
    assert endings <= code | pages
    assert sum(".dist-info/" in name for name in names) == 5


def test_urls_lead_only_to_the_articles_and_the_repository(built: Path) -> None:
    urls = metadata(next(built.glob("*.whl"))).get_all("Project-URL")
    dois = set()
    for url in urls:
        label, address = url.split(", ")
        assert len(label) <= 32  # the limit of the package index
        if not REPOSITORY or not address.startswith(REPOSITORY):
            dois.add(address.removeprefix("https://doi.org/"))
    assert dois == set(re.findall(r"^    doi: (.+)$", CITATION, re.MULTILINE))


def test_repository_is_one_setting(tmp_path: Path) -> None:
    shutil.copytree(CHECKOUT / "mjopt", tmp_path / "mjopt")
    for name in ("README.md", "LICENSE", "hatch_build.py"):
        shutil.copy(CHECKOUT / name, tmp_path)
    text = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    address = "https://example.org/mjopt"
    changed = text.replace('repository = ""', f'repository = "{address}/"')
    (tmp_path / "pyproject.toml").write_text(changed, encoding="utf-8")
    build(tmp_path, tmp_path, "-t", "wheel")
    urls = metadata(next(tmp_path.glob("*.whl"))).get_all("Project-URL")
    assert {f"Source, {address}", f"Issues, {address}/issues"} <= set(urls)


def test_description_has_no_relative_links(built: Path) -> None:
    """A package index shows it and has none of the files."""
    about = metadata(next(built.glob("*.whl")))
    text = str(about.get_payload())
    assert about["Description-Content-Type"] == "text/markdown"
    assert text.startswith("# mjopt\n")
    assert "Getting started |" in text
    assert [link for link in re.findall(r"\]\(([^)]*)\)", text) if "://" not in link] == []


def test_metadata_name_no_person(built: Path) -> None:
    about = metadata(next(built.glob("*.whl")))
    assert about.get_all("Author") == ["The mjopt developers"]
    assert not any(about.get_all(f"{role}-email") for role in ("Author", "Maintainer"))


@pytest.mark.parametrize("needed", [Requirement(text) for text in REQUIREMENTS], ids=str)
def test_every_dependency_is_locked_once(needed: Requirement) -> None:
    """For all systems that need it; run `make lock` after a change of pyproject.toml."""
    for environment in ENVIRONMENTS:
        if needed.marker and not needed.marker.evaluate(environment):
            continue
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


def test_version_is_the_same_everywhere(built: Path) -> None:
    version = mjopt.__version__
    releases = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\S+)$", CHANGELOG, re.MULTILINE)
    cited = dict(re.findall(r"^(version|date-released): (\S+)$", CITATION, re.MULTILINE))
    assert (cited["version"], cited["date-released"]) == releases[0]
    assert version == releases[0][0] == metadata(next(built.glob("*.whl")))["Version"]
    assert "version" in PROJECT["dynamic"]
    assert CHANGELOG.index("## [Unreleased]") < CHANGELOG.index(f"## [{version}]")


def test_keywords_of_the_citation_are_those_of_the_package() -> None:
    listed = CITATION.partition("\nkeywords:\n")[2].partition("\nreferences:")[0]
    assert re.findall(r"- (.+)", listed) == PROJECT["keywords"]


def test_citation_names_the_repository_that_is_set() -> None:
    [*named] = re.findall(r"^repository-code: (\S+)$", CITATION, re.MULTILINE)
    assert named == [REPOSITORY] * bool(REPOSITORY)


def test_workflows_test_the_python_versions_of_the_classifiers() -> None:
    classifier = re.compile(r"Programming Language :: Python :: (3\.\d+)")
    versions = [m[1] for text in PROJECT["classifiers"] if (m := classifier.fullmatch(text))]
    workflow = (CHECKOUT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    required, _, optional = workflow.partition("continue-on-error: true")
    [matrix] = re.findall(r"python: \[(.*)\]", required)
    assert re.findall(r'"(.*?)"', matrix) == versions
    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert "Operating System :: POSIX :: Linux" in PROJECT["classifiers"]
    assert all(system in optional for system in ("macos", "windows", "3.14"))


@pytest.mark.parametrize("path", COMMUNITY, ids=lambda path: path.name)
def test_community_files_name_no_address(path: Path) -> None:
    """No page that does not exist, no e-mail address."""
    text = path.read_text(encoding="utf-8")
    known = ("doi.org", "keepachangelog.com", "semver.org")
    hosts = re.findall(r"https?://([^/\s)]+)", text)
    assert set(hosts) <= set(known)
    assert not re.search(r"[\w.]+@[\w]+\.\w+", text)
