"""Certificate files of any format, recognised by their content and checked."""

import gzip
import io
import os
import re
import stat
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from mjopt._internal.pool import in_order
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.formats.opb import check_opb
from mjopt.analysis.formats.report import Report
from mjopt.analysis.formats.vipr import check_vipr_text
from mjopt.errors import CertificateError, FileError
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.native_check import check_native, read_native
from mjopt.proofs.play_check import verify_play

NATIVE, LINES, VIPR, OPB, VERIPB = "native", "JSON lines", "VIPR", "OPB", "VeriPB"
PLAY = "play"
HEAD = 65536  # bytes that decide on the format
BATCH = 256  # certificates sent to a process at once
MIN_BATCHES = 10  # fewer are checked sooner than another process starts
GZIP = b"\x1f\x8b"  # the first bytes of what gzip packed
_IS_PLAY = re.compile(r'"format"\s*:\s*"mjopt-play"')


def check_files(
    paths: Sequence[Path],
    *,
    jobs: int = 1,
    limits: Limits = LIMITS,
    streams: Mapping[Path, BinaryIO] | None = None,
) -> Iterator[Report]:
    """Check files one by one; an instance and its proof are one.

    The mate of an OPB instance is the proof named with it (that of the same name, if
    several are), or else the file beside it that ends in ``.pbp``; and the other
    way round with ``.opb``.

    Parameters
    ----------
    paths
        The files; pipes and devices too, each read once.
    jobs
        Processes, for files of many certificates.
    limits
        How much is read, computed and kept at most; no file is read further than that.
    streams
        What is open already, such as standard input, by the path that stands for it.
    """
    sources: dict[Path, _Source] = {}
    formats: dict[Path, str] = {}
    unreadable: list[Report] = []
    for path in dict.fromkeys(paths):
        try:
            sources[path] = source = _Source(path, (streams or {}).get(path))
            formats[path] = _format(source.head)
        except FileError as error:
            unreadable.append(Report(paths=(path,), refusal=str(error), is_readable=False))
    done: set[Path] = set()
    try:
        for path, found in formats.items():
            if path not in done:
                pair = _pair(path, formats) if found in (OPB, VERIPB) else (path,)
                done.update(pair)
                yield _report(pair, found, jobs, limits, sources)
    finally:
        for source in sources.values():
            source.close()
    yield from unreadable


class _Source:
    """A file whose beginning was looked at; what cannot be read twice is kept open.

    What gzip has packed is unpacked as it is read, no further than the rest asks for.
    """

    def __init__(self, path: Path, stream: BinaryIO | None = None) -> None:
        self.path = path
        self._rest = stream
        self._is_ours = stream is None
        try:
            file = path.open("rb") if stream is None else stream
            self._first = _read_up_to(file, HEAD)
            if self._is_ours and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                file.close()
            else:
                self._rest = file
        except OSError as error:
            raise FileError(f"{error.strerror or error}: {path}") from None
        head = self._first
        self._is_packed = head.startswith(GZIP)
        if self._is_packed:
            try:
                head = zlib.decompressobj(31).decompress(head, HEAD)
            except zlib.error as error:
                raise FileError(f"gzip: {error}: {path}") from None
        # The last character may have been cut; any other that is none is refused here.
        self.head = _decoded(head, final=False)

    def open(self) -> BinaryIO:
        """Return the file, from its beginning."""
        if self._rest is None:
            return cast("BinaryIO", (gzip.open if self._is_packed else open)(self.path, "rb"))
        file = io.BufferedReader(_Again(self._first, self._rest))
        return cast("BinaryIO", gzip.GzipFile(fileobj=file)) if self._is_packed else file

    def text(self, limits: Limits, name: str, kind: str) -> str:
        """Return the text; refuse a file past a limit, of which one byte more is read."""
        with self.open() as file:
            content = _read_up_to(file, getattr(limits, name) + 1)
        limits.check(name, len(content), kind)
        return _decoded(content)

    def close(self) -> None:
        """Close what this opened and has kept open."""
        if self._is_ours and self._rest is not None:
            self._rest.close()


class _Again(io.RawIOBase):
    """What was read of a stream, and then the rest of it."""

    def __init__(self, first: bytes, rest: BinaryIO) -> None:
        self._first = io.BytesIO(first)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._first.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)


def _read_up_to(file: BinaryIO, size: int) -> bytes:
    """Read so many bytes, fewer only at the end: a pipe gives what it has."""
    parts = []
    while size and (part := file.read(min(size, HEAD))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _decoded(content: bytes, *, final: bool = True) -> str:
    try:
        return getincrementaldecoder("utf-8")().decode(content, final)
    except UnicodeDecodeError as error:
        raise FileError(f"not UTF-8 text at byte {error.start}") from None


def _format(head: str) -> str:
    """Return the format that the beginning of a file shows; empty if none."""
    if head.lstrip().startswith("{"):
        if _IS_PLAY.search(head):
            return PLAY
        first, _, rest = head.lstrip().partition("\n")
        is_whole = first.rstrip().endswith("}") and rest.lstrip().startswith("{")
        return LINES if is_whole else NATIVE
    if head.startswith("pseudo-Boolean proof"):
        return VERIPB
    if head.startswith("*"):
        return OPB
    lines = (line.strip() for line in head.split("\n"))
    first = next((line for line in lines if line and not line.startswith("%")), "")
    return VIPR if first.startswith("VER") else ""


def _pair(path: Path, formats: dict[Path, str]) -> tuple[Path, Path]:
    """Return an instance and its proof, one of which is given."""
    wanted = VERIPB if formats[path] == OPB else OPB
    named = [other for other, found in formats.items() if found == wanted]
    same = [other for other in named if other.with_suffix("") == path.with_suffix("")]
    is_only = len(named) == 1 == list(formats.values()).count(formats[path])
    beside = path.with_suffix(".pbp" if wanted == VERIPB else ".opb")
    mate = (same or (named if is_only else []) or [beside])[0]
    return (path, mate) if wanted == VERIPB else (mate, path)


def _report(
    paths: tuple[Path, ...],
    format: str,
    jobs: int,
    limits: Limits,
    sources: Mapping[Path, _Source],
) -> Report:
    """Report what one file or pair proves; every fault becomes a report."""
    try:
        if format == LINES:
            return _check_lines(sources[paths[0]], jobs, limits)
        if format == "":
            raise CertificateError(
                "not a certificate: expected JSON, VIPR, or OPB with a VeriPB proof"
            )
        name, kind = ("line", "JSON") if format == NATIVE else ("bytes", format)
        texts = [(sources.get(path) or _Source(path)).text(limits, name, kind) for path in paths]
        if format == PLAY:
            return Report.of_play(paths, verify_play(texts[0], limits))
        if format == NATIVE:
            return Report.of_certificate(paths, Certificate.from_json(texts[0], limits))
        if format == VIPR:
            return Report.of_proof(paths, *check_vipr_text(texts[0], limits))
        return Report.of_proof(paths, *check_opb(texts[0], texts[1], limits))
    except (CertificateError, FileError, OSError, EOFError, zlib.error) as error:
        is_readable = isinstance(error, CertificateError)
        reason = str(error)
        if isinstance(error, OSError):
            reason = f"{error.strerror or error}: {' '.join(map(str, paths))}"
        return Report(paths=paths, format=format, refusal=reason, is_readable=is_readable)


def _check_lines(source: _Source, jobs: int, limits: Limits) -> Report:
    """Check a certificate a line; the first that is refused decides."""
    number = 0
    paths = (source.path,)
    with source.open() as file:
        batches = _batches(file, limits)
        first = list(islice(batches, MIN_BATCHES))
        jobs = jobs if len(first) == MIN_BATCHES else 1
        work = partial(_check_batch, limits=limits)
        for checked, refusal in in_order(work, chain(first, batches), jobs=jobs):
            number += checked
            if refusal:
                return Report(paths=paths, format=LINES, refusal=refusal)
    statement = f"{number} certificates"
    return Report(paths=paths, format=LINES, statement=statement, num_certificates=number)


def _batches(file: BinaryIO, limits: Limits) -> Iterator[list[tuple[int, bytes]]]:
    """Cut a file into lists of lines, each of one longest line or less; too long a line is last."""
    batch: list[tuple[int, bytes]] = []
    size = number = 0
    while line := file.readline(limits.line + 1):
        number += 1
        if batch and (len(batch) == BATCH or size + len(line) > limits.line):
            yield batch
            batch, size = [], 0
        batch.append((number, line))
        size += len(line)
        if len(line) > limits.line:
            break
    if batch:
        yield batch


def _check_batch(lines: Iterable[tuple[int, bytes]], limits: Limits) -> tuple[int, str]:
    """Return how many certificates were accepted, and the first refusal."""
    number = 0
    for where, line in lines:
        if len(line) > limits.line or line.strip():
            try:
                limits.check("line", len(line), "JSON")
                check_native(read_native(line.decode(), limits))
            except (CertificateError, UnicodeDecodeError) as error:
                return number, f"line {where}: {error}"
            number += 1
    return number, ""
