"""Special and damaged files and full disks as inputs and outputs of each command."""

import ctypes
import gzip
import io
import os
import random
import socket
import stat
import subprocess
import threading
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
from adversarial.attack import (
    Attack,
    Judge,
    Ran,
    Skipped,
    command,
    damaged,
    end,
    left_lying,
    run_here,
    start,
    unruly,
)
from adversarial.materials import MARKER, bring, pickled

READING = {
    "label text": "label hands.txt -o out.csv",
    "label csv": "label hands.csv -o out.csv",
    "label npy": "label hands.npy -o out.npy",
    "label parquet": "label hands.parquet -o out.csv",
    "certify": "certify --hands hands.txt -o out.jsonl -j 1",
    "certify npy": "certify --hands hands.npy -o out -j 1",
    "audit": "audit values.csv -o found -j 1",
    "verify json": "verify hand.json",
    "verify lines": "verify many.jsonl -j 1",
    "verify vipr": "verify hand.vipr",
    "verify opb": "verify hand.opb",
    "replay": "replay records.txt",
    "tables": "tables verify proof.json",
    "weights": "battle normal:taught.npz random random random --rules jj --rounds 1 -n 1 -j 1",
    "dataset": "dataset build file:hands.txt -o out -j 1",
    "compare": "compare tree-search --hands file:hands.txt --runs 1 -j 1 -o out",
}
WRITING = {
    "label csv": "label hands.txt -o OUT.csv",
    "label npy": "label hands.txt -o OUT.npy",
    "label model": "label hands.txt --model blockwise -j 1 -o OUT.jsonl",
    "certify": "certify 1112345678999m1p -o OUT.json",
    "certify opb": "certify 1112345678999m1p -o OUT.opb",
    "certify lines": "certify --hands hands.txt -j 1 -o OUT.jsonl",
    "certify folder": "certify --hands hands.txt -j 1 -o OUT",
    "audit": "audit values.csv -j 1 -o OUT",
    "export": "export 1112345678999m1p -o OUT.lp",
    "records": "battle l1 l2 l1 random -n 1 -j 1 --records OUT.txt",
    "battle": "battle l1 l2 l1 random -n 2 -j 1 -o OUT",
    "league": "league l1 random -n 4 -j 1 -o OUT",
    "dataset": "dataset build deals:9 -j 1 -o OUT",
    "compare": "compare tree-search --hands two-type:2 --runs 1 -j 1 -o OUT",
}
Spoil = Callable[[Path, random.Random], None]
"""Puts something else where a good file stands."""


def torn(path: Path, rng: random.Random) -> None:
    path.write_bytes(damaged(path.read_bytes(), rng)[1])


def instead(make: Callable[[Path, Path], object]) -> Spoil:
    """Move the good file aside and create something else in its place."""

    def spoil(path: Path, rng: random.Random) -> None:
        aside = path.with_name(f"aside-{path.name}")
        path.rename(aside)
        make(path, aside)

    return spoil


def pickle_in_npy(path: Path, aside: Path) -> None:
    """Return a .npy file of pickled objects that write a file when loaded."""
    whole = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        whole, {"descr": "|O", "fortran_order": False, "shape": (1,)}
    )
    path.write_bytes(whole.getvalue() + pickled())


def bomb(path: Path, aside: Path) -> None:
    """Return a small file that declares, or unpacks to, a huge content."""
    ending = path.suffix
    if ending == ".npy":
        whole = io.BytesIO()
        shape = {"descr": "|u1", "fortran_order": False, "shape": (10**13, 27)}
        np.lib.format.write_array_header_1_0(whole, shape)
        path.write_bytes(whole.getvalue() + bytes(270))
    elif ending == ".parquet":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("a.npy", bytes(1 << 24))
    else:
        path.write_bytes(gzip.compress(bytes(1 << 24)))


def pipe(path: Path, aside: Path) -> None:
    """Replace the file by a FIFO that delivers its content."""
    os.mkfifo(path)
    whole = aside.read_bytes()

    def write() -> None:
        with suppress(OSError):  # the reader closed the FIFO
            path.write_bytes(whole)

    threading.Thread(target=write, daemon=True).start()


def device(path: Path, aside: Path) -> None:
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))  # endless zeros
        path.open("rb").close()
    except OSError as error:
        raise Skipped(f"no device can be made here: {error.strerror}") from None


def bound(path: Path, aside: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(path.name)


SPOILS: dict[str, Spoil] = {
    "damaged": torn,
    "a pickle": instead(pickle_in_npy),
    "a bomb": instead(bomb),
    "a folder": instead(lambda path, _: path.mkdir()),
    "missing": instead(lambda *_: None),
    "a link to nothing": instead(lambda path, _: path.symlink_to("nowhere")),
    "a link to itself": instead(lambda path, _: path.symlink_to(path.name)),
    "a link": instead(lambda path, aside: path.symlink_to(aside.name)),
    "a FIFO": instead(pipe),
    "a device": instead(device),
    "a socket": instead(bound),
    "no text": instead(lambda path, _: path.write_bytes(b"\xff\xfe" + bytes(range(256)) * 40)),
    "one long line": instead(lambda path, _: path.write_bytes(b"1" * 3_000_000)),
    "nested": instead(lambda path, _: path.write_bytes(b'{"a":' * 200_000)),
    "a surrogate": instead(lambda path, _: path.write_text('{"a": "\\ud800"}\n{"a": "\\ud800"}\n')),
}


def reading(name: str, spoil: Spoil) -> Judge:
    words = READING[name].split()
    file = next(word.rpartition(":")[2] for word in words if "." in word)

    def case(rng: random.Random, folder: Path) -> str | None:
        path = bring(file, folder)
        if rng.random() < 0.3 and (other := path.with_suffix(".pbp")).exists():
            path = other
        spoil(path, rng)
        there = set(folder.iterdir())
        ran = run_here(words)
        return _fault(ran, folder, there)

    return case


def _fault(ran: Ran, folder: Path, there: set[Path]) -> str | None:
    if (folder / MARKER).exists():
        return "a pickle was loaded"
    new = [path.name for path in set(folder.iterdir()) - there if path.is_file()]
    if "No space left" in ran.err:  # finished labels remain for the next run
        new = [name for name in new if not name.endswith(".labels")]
    if ran.status == 2 and new:
        return f"refused, and left behind: {new} ({ran.err.strip()})"
    long = [line[:100] for line in ran.err.splitlines() if len(line) > 2000]
    return unruly(ran) or left_lying(folder) or (f"a line of a screen: {long[0]}" if long else None)


# Outputs


def writing(name: str, where: str) -> Judge:
    def case(rng: random.Random, folder: Path) -> str | None:
        words = WRITING[name].split()
        for word in {"hands.txt", "values.csv", "dataset"}.intersection(words):
            bring(word, folder)
        output = Path(next(word for word in words if word.startswith("OUT")))
        return PLACES[where](words, output, folder)

    return case


def _asked(words: list[str], output: Path, place: Path) -> list[str]:
    return [str(place) if word == str(output) else word for word in words]


def no_folder(words: list[str], output: Path, folder: Path) -> str | None:
    there = set(folder.iterdir())
    ran = run_here(_asked(words, output, Path("nowhere") / "deep" / output))
    if ran.status == 0 and output.suffix:
        return "written into a folder that does not exist"
    return _fault(ran, folder, there | {folder / "nowhere"})


def a_folder(words: list[str], output: Path, folder: Path) -> str | None:
    """A folder in place of a file, or a file in place of a folder, is not changed."""
    if output.suffix:
        output.mkdir()
    else:
        output.write_text("mine")
    there = set(folder.iterdir())
    ran = run_here(words)
    if ran.status == 0 and output.suffix != ".opb":
        return f"done, though {output} is something else"
    kept = output.is_dir() if output.suffix else output.read_text() == "mine"
    return _fault(ran, folder, there) if kept else f"{output} was overwritten"


def a_device(words: list[str], output: Path, folder: Path) -> str | None:
    """Writing to /dev/full fails, and the device and the link to it remain."""
    output.symlink_to("/dev/full")
    there = set(folder.iterdir())
    ran = run_here(words)
    if not Path("/dev/full").is_char_device():
        return "the device was replaced"
    return _fault(ran, folder, there)


def full(words: list[str], output: Path, folder: Path) -> str | None:
    """A full disk gives one line and no partial file."""
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(disk)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        raise Skipped("no small disk can be mounted here")
    try:
        (disk / "ballast").write_bytes(bytes(4096))
        ran = run_here(_asked(words, output, disk / output))
        fault = unruly(ran)
        if ran.status != 2:
            fault = f"status {ran.status} on a full disk"
        elif not fault and (left := [p.name for p in disk.rglob("*.*") if p.name.endswith(".tmp")]):
            fault = f"left behind: {left}"
        elif not fault and output.suffix and (disk / output).exists():
            fault = "half of the output stands"
        return fault or (None if "space" in ran.err else f"not named: {ran.err}")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def read_only(words: list[str], output: Path, folder: Path) -> str | None:
    """A folder that even root cannot write to."""
    place = folder / "locked"
    place.mkdir()
    place.chmod(0o555)
    words = command(*_asked(words, output, place / output))
    ran = end(start(words, folder, preexec_fn=obey_modes), folder)
    left = list(place.iterdir())
    place.chmod(0o755)
    if ran.status != 2:
        return f"status {ran.status}: {ran.err[-200:]}"
    return unruly(ran) or (f"left behind: {left}" if left else None)


def obey_modes() -> None:
    """Drop root's capability to ignore file permissions."""
    if os.getuid() == 0:
        libc = ctypes.CDLL(None)
        for right in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            libc.prctl(24, right, 0, 0, 0)  # PR_CAPBSET_DROP: takes effect in the next program


PLACES = {
    "in no folder": no_folder,
    "something else": a_folder,
    "on a device": a_device,
    "on a full disk": full,
    "read-only": read_only,
}

KINDS: dict[str, Judge] = {
    f"{name} < {spoil}": reading(name, SPOILS[spoil]) for name in READING for spoil in SPOILS
}
KINDS |= {f"{name} > {place}": writing(name, place) for name in WRITING for place in PLACES}
ATTACK = Attack("files", "damaged, odd and unwritable files, to read and to write", KINDS)
