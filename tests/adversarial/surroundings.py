"""Missing or damaged caches, home folders and tables; third-party checkers."""

import atexit
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

from adversarial.attack import Attack, Judge, Ran, Skipped, command, end, run_there, start, unruly
from adversarial.certificates import certificates
from adversarial.files import obey_modes
from adversarial.materials import HANDS

import mjopt
from mjopt.analysis.formats import to_opb, to_vipr, verify_files

PACKAGE = Path(mjopt.__file__).parent
COMPILING = command("label", "hands.txt")  # kernels that most users compile first
RIGHT = "hand,deficiency\n" + "".join(
    f"{hand},{mjopt.deficiency(mjopt.Hand.parse(hand))}\n" for hand in HANDS.split()
)
NOTHING = "/dev/null/nowhere"


@cache
def warm_copy() -> Path:
    """Return a copy of the package with cached kernels, created once per process."""
    folder = Path(tempfile.mkdtemp(prefix="attack-package-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copytree(PACKAGE, folder / "mjopt", copy_function=shutil.copy2)
    (folder / "use").mkdir()
    wrong = judged(label(folder / "use", folder))
    assert wrong is None, wrong
    return folder


def copied(folder: Path) -> Path:
    place = folder / "copy"
    shutil.copytree(warm_copy() / "mjopt", place / "mjopt", copy_function=shutil.copy2)
    return place


def label(folder: Path, package: Path | None = None, **changes: str | None) -> Ran:
    (folder / "hands.txt").write_text(HANDS)
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
    """Without a writable cache folder, commands are slower and succeed."""
    package = copied(folder)
    changes = {"PYTHONPATH": str(package), "HOME": NOTHING, "XDG_CACHE_HOME": NOTHING}
    for path in package.rglob("*.nb[ci]"):
        path.unlink()
    for path in package.rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    (folder / "hands.txt").write_text(HANDS)
    return judged(end(start(COMPILING, folder, preexec_fn=obey_modes, **changes), folder))


def bad_cache_dir(rng: random.Random, folder: Path) -> str | None:
    (folder / "file").write_text("")
    place = rng.choice(
        [NOTHING, str(folder / "file"), "", "\udcff", "a" * 300, str(folder / "new")]
    )
    return judged(label(folder, NUMBA_CACHE_DIR=place), refusing=True)


def damaged_kernels(rng: random.Random, folder: Path) -> str | None:
    """Damaged cached kernels are not used and cause no failure."""
    package = copied(folder)
    ending = rng.choice(["*.nbi", "*.nbc", "*.nb[ci]"])
    how = rng.choice(["empty", "truncated", "noise", "a folder"])
    for path in sorted(package.rglob(ending)):
        content = path.read_bytes()
        path.unlink()
        if how == "a folder":
            path.mkdir()
        else:
            changed = {"empty": b"", "truncated": content[: rng.randrange(len(content))]}
            path.write_bytes(changed.get(how, rng.randbytes(len(content))))
    told = judged(label(folder, package))
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
    package = copied(folder)
    for path in package.rglob("*.nb[ci]"):
        path.unlink()
    (folder / "hands.txt").write_text(HANDS)
    changes = {"PYTHONPATH": str(package)}
    runs = [start(COMPILING, folder, f"said-{n}", **changes) for n in range(2)]
    found = [judged(end(run, folder, f"said-{n}", 120)) for n, run in enumerate(runs)]
    return next(filter(None, found), None) or judged(label(folder, package))


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
            raise Skipped(result.message)
        return None if result.is_accepted else result.message

    return case


OUTSIDE = Attack(
    "other checkers",
    "certificates of all kinds before viprchk and VeriPB",
    {"VIPR": outside("VIPR"), "VeriPB": outside("VeriPB")},
)
