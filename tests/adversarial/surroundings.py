"""Missing or damaged caches, home folders and tables; third-party checkers."""

import atexit
import pickle
import random
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

from adversarial.attack import Attack, Judge, Ran, Skipped, command, end, run_there, start, unruly
from adversarial.certificates import certificates
from adversarial.files import obey_modes
from adversarial.materials import HANDS

import mjopt
from mjopt._internal.files import sha256_of
from mjopt._internal.kernel_cache import CHECKSUMS, FOLDER, is_intact
from mjopt.analysis.formats import to_opb, to_vipr, verify_files
from mjopt.models.solvers.registry import SOLVERS

PACKAGE = Path(mjopt.__file__).parent
COMPILING = command("label", "hands.txt")  # kernels that most users compile first
REPEATED = 2000  # fewer rows are labelled without kernels
RIGHT = "hand,deficiency\n" + REPEATED * "".join(
    f"{hand},{mjopt.deficiency(mjopt.Hand.parse(hand))}\n" for hand in HANDS.split()
)
NOTHING = "/dev/null/nowhere"
MARKER = "planted-was-run"
RUNS_MARKER = f"import pathlib; pathlib.Path({MARKER!r}).touch()\n"
PLANTED = {
    **{
        f"{name}.py": RUNS_MARKER
        for name in (
            *("sitecustomize", "usercustomize", "multiprocessing", "selectors", "pickle", "socket"),
            *("yaml", "numpy", "numba", "matplotlib", "dask", "evil"),
        )
    },
    ".numba_config.yaml": (
        "cache_dir: /proc/self/cwd/evil\ncache_locator_classes: evil.Locator\ndisable_jit: 1\n"
        "boundscheck: 1\ndebug_cache: 1\n"
    ),
    "matplotlibrc": "backend: module://evil\ntext.usetex: True\nsavefig.dpi: 7\n",
    ".env": "PYTHONPATH=.\nNUMBA_CACHE_DIR=/proc/self/cwd/evil\n",
    "dask.yaml": "distributed:\n  worker:\n    preload: evil\n",
    "pyproject.toml": "[tool.mjopt]\nevil = true\n",
    "pulp.cfg": "[locations]\nCbcPath = ./evil\n",
}
"""Files that libraries may read from the working folder, by name; code in them makes a marker."""


def plant(folder: Path) -> None:
    """Write into a folder what an attacker would put there."""
    folder.mkdir(exist_ok=True)
    (folder / "evil").mkdir()
    for name, text in PLANTED.items():
        (folder / name).write_text(text)


@cache
def warm_kernels() -> Path:
    """Return a cache of the kernels of the command, filled once per process."""
    folder = Path(tempfile.mkdtemp(prefix="attack-kernels-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    wrong = judged(label(folder / "use", NUMBA_CACHE_DIR=str(folder / "cache")))
    assert wrong is None, wrong
    assert [*folder.glob(f"cache/{FOLDER}/*/{CHECKSUMS}")]
    return folder / "cache"


def kernels(folder: Path) -> Path:
    """Return a copy of that cache in a folder."""
    return Path(shutil.copytree(warm_kernels(), folder / "cache"))


def copied(folder: Path) -> Path:
    place = folder / "copy"
    shutil.copytree(PACKAGE, place / "mjopt", copy_function=shutil.copy2)
    return place


def label(folder: Path, package: Path | None = None, **changes: str | None) -> Ran:
    folder.mkdir(exist_ok=True)
    (folder / "hands.txt").write_text(HANDS * REPEATED)
    if package is not None:
        changes["PYTHONPATH"] = str(package)
    return run_there(COMPILING, folder, **changes)


def judged(ran: Ran, refusing: bool = False) -> str | None:
    """Return None for the right answer, or for one error line where that is allowed."""
    if refusing and ran.status == 2:
        return unruly(ran)
    if ran.status:
        return f"status {ran.status}: {ran.err[-200:]}"
    return None if ran.out == RIGHT else f"another answer: {ran.out[:200]!r}"


def no_home(rng: random.Random, folder: Path) -> str | None:
    home = rng.choice([None, "", NOTHING, "/", str(folder / "gone")])
    changes = {"HOME": home, "XDG_CACHE_HOME": rng.choice([None, NOTHING]), "TMPDIR": str(folder)}
    return judged(label(folder, **changes, MPLCONFIGDIR=None, USER=None, LOGNAME=None))


def no_cache(rng: random.Random, folder: Path) -> str | None:
    """A cache that cannot be written is read, and commands without one are slower and succeed."""
    cache = kernels(folder)
    for path in cache.rglob("*.nb[ci]") if rng.random() < 0.5 else ():
        path.unlink()
    for path in (cache, *cache.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    changes = {"NUMBA_CACHE_DIR": str(cache), "HOME": NOTHING, "XDG_CACHE_HOME": NOTHING}
    (folder / "hands.txt").write_text(HANDS * REPEATED)
    return judged(end(start(COMPILING, folder, preexec_fn=obey_modes, **changes), folder))


def foreign_cache(rng: random.Random, folder: Path) -> str | None:
    """A folder of machine code that others can write is not used: what lies there would run."""
    cache = kernels(folder)
    for path in cache.rglob("*.nbi"):
        path.write_bytes(pickle.dumps(Planted()))
        (path.parent / CHECKSUMS).write_text(
            "".join(
                f"{sha256_of(file)}  {file.name}\n"
                for file in sorted(path.parent.iterdir())
                if file.name != CHECKSUMS
            )
        )
    if rng.random() < 0.5:
        (cache / FOLDER).chmod(rng.choice([0o770, 0o707, 0o777]))
    else:
        (cache / FOLDER).rename(folder / "theirs")
        (cache / FOLDER).symlink_to(folder / "theirs")
    told = judged(label(folder, NUMBA_CACHE_DIR=str(cache)))
    return "planted code was run" if (folder / MARKER).exists() else told


class Planted:
    """Makes a marker when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, (RUNS_MARKER,)


def planted_files(rng: random.Random, folder: Path) -> str | None:
    """Files in the working folder that libraries might read have no effect."""
    plant(folder)
    (folder / "hands.txt").write_text(HANDS * REPEATED)
    script = [str(Path(sys.executable).with_name("mjopt"))]  # `python -m` reads modules from there
    words = rng.choice(
        [
            ["label", "hands.txt"],
            ["label", "hands.txt", "--jobs", "2"],
            ["compare", "ndde", "--hands", "two-type:4", "--runs", "1", "-o", "study"],
            ["certify", "--hands", "hands.txt", "-o", "certificates", "--jobs", "2"],
            [
                "deficiency",
                "1112345678999m",
                "--model",
                "network",
                "--solver",
                rng.choice([*SOLVERS]),
            ],
        ]
    )
    changes = {"NUMBA_CACHE_DIR": str(folder.parent / "own")} if rng.random() < 0.2 else {}
    ran = run_there([*script, *words], folder, **changes)
    if (folder / MARKER).exists() or [*(folder / "evil").iterdir()]:
        return f"{words[0]}: a planted file had an effect"
    return unruly(ran) or (f"{words}: {ran.err[-200:]}" if ran.status else None)


def bad_cache_dir(rng: random.Random, folder: Path) -> str | None:
    (folder / "file").write_text("")
    place = rng.choice(
        [NOTHING, str(folder / "file"), "", "\udcff", "a" * 300, str(folder / "new")]
    )
    return judged(label(folder, NUMBA_CACHE_DIR=place), refusing=True)


def damaged_kernels(rng: random.Random, folder: Path) -> str | None:
    """Damaged machine code is not used, causes no failure, and is replaced."""
    cache = kernels(folder)
    ending = rng.choice(["*.nbi", "*.nbc", "*.nb[ci]", CHECKSUMS])
    how = rng.choice(["empty", "truncated", "noise", "a flipped bit", "a folder"])
    for path in sorted(cache.rglob(ending)):
        content = path.read_bytes()
        flipped = bytearray(content)
        flipped[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.unlink()
        if how == "a folder":
            path.mkdir()
        else:
            changed = {
                "empty": b"",
                "truncated": content[: rng.randrange(len(content))],
                "a flipped bit": bytes(flipped),
            }
            path.write_bytes(changed.get(how, rng.randbytes(len(content))))
    told = judged(label(folder, NUMBA_CACHE_DIR=str(cache)))
    if told is None and not all(map(is_intact, (cache / FOLDER).glob("*/"))):
        told = "not replaced"
    return f"{ending} {how}: {told}" if told else None


def damaged_tables(rng: random.Random, folder: Path) -> str | None:
    package = copied(folder)
    path = package / "mjopt" / "tables" / "tables.bin.z"
    content = bytearray(path.read_bytes())
    how = rng.choice(["flipped", "truncated", "empty", "gone", "longer", "a folder"])
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.unlink()
    if how == "a folder":
        path.mkdir()
    elif how != "gone":
        cut = content[: rng.randrange(len(content))]
        path.write_bytes(bytes({"flipped": content, "truncated": cut, "empty": b""}.get(
            how, content + content)))  # fmt: skip
    ran = label(folder, package)
    if ran.status != 2:
        return f"{how}: status {ran.status}, {ran.out[:80]!r} {ran.err[-200:]}"
    return unruly(ran) or (None if "tables.bin.z" in ran.err else f"{how}: not named: {ran.err}")


def two_compile(rng: random.Random, folder: Path) -> str | None:
    """Two processes compile and cache the same kernels concurrently."""
    (folder / "hands.txt").write_text(HANDS * REPEATED)
    changes = {"NUMBA_CACHE_DIR": str(folder / "cache")}
    runs = [start(COMPILING, folder, f"said-{n}", **changes) for n in range(2)]
    found = [judged(end(run, folder, f"said-{n}", 120)) for n, run in enumerate(runs)]
    return next(filter(None, found), None) or judged(label(folder, **changes))


def closed_streams(rng: random.Random, folder: Path) -> str | None:
    """Use a closed output pipe, a full disk as stdout, and no stdin."""
    (folder / "hands.txt").write_text(HANDS * 2000)
    words = " ".join(f"'{word}'" for word in COMPILING)
    how = rng.choice([f"{words} | head -c 5", f"{words} > /dev/full", f"{words} <&-"])
    ran = run_there(["sh", "-c", how], folder)
    if ">" in how:
        return unruly(ran) if ran.status == 2 else f"a full disk under stdout: status {ran.status}"
    return unruly(ran) or (f"{how[-20:]}: status {ran.status}, {ran.err}" if ran.status else None)


CACHES = Attack(
    "caches",
    "missing and damaged caches, homes, tables and streams",
    {
        "no home": no_home,
        "streams": closed_streams,
        "cache folder": bad_cache_dir,
        "tables": damaged_tables,
        "kernels": damaged_kernels,
        "no cache": no_cache,
        "two compile": two_compile,
        "planted files": planted_files,
        "foreign cache": foreign_cache,
    },
)


def outside(format: str) -> Judge:
    """Third-party checkers accept our certificates, and `verify` reports their verdict."""

    def case(rng: random.Random, folder: Path) -> str | None:
        single = [one for one in certificates() if len(one.forms) == 1]
        certificate = rng.choice(single)
        if format == "VIPR":
            paths, texts = [folder / "one.vipr"], [to_vipr(certificate)]
        else:
            paths, texts = [folder / "one.opb", folder / "one.pbp"], [*to_opb(certificate)]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        [result] = verify_files(paths)
        if result.status == "unchecked":
            raise Skipped(result.message.rpartition("not checked: ")[2])
        return None if result.is_accepted else result.message

    return case


OUTSIDE = Attack(
    "other checkers",
    "certificates of all kinds before viprchk and VeriPB",
    {"VIPR": outside("VIPR"), "VeriPB": outside("VeriPB")},
)
