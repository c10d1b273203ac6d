"""Certificate files of any format, recognised by their content and checked."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from mjopt.answers.certificate import Certificate
from mjopt.answers.formats.opb import check_opb
from mjopt.answers.formats.report import Report
from mjopt.answers.formats.vipr import check_vipr_text
from mjopt.errors import CertificateError, FileError
from mjopt.proofs.native_check import check_native, read_native
from mjopt.runtime.pool import batched, in_order

NATIVE, LINES, VIPR, OPB, VERIPB = "native", "JSON lines", "VIPR", "OPB", "VeriPB"
HEAD = 65536  # characters that decide on the format
BATCH = 256  # certificates sent to a process at once
MIN_BATCHES = 10  # fewer are checked sooner than another process starts


def check_files(paths: Sequence[Path], *, jobs: int = 1) -> Iterator[Report]:
    """Check files one by one; an instance and its proof are one.

    The mate of an OPB instance is the proof named with it (that of the same name, if
    several are), or else the file beside it that ends in ``.pbp``; and the other
    way round with ``.opb``.

    Parameters
    ----------
    paths
        The files.
    jobs
        Processes, for files of many certificates.
    """
    formats: dict[Path, str] = {}
    unreadable: list[Report] = []
    for path in dict.fromkeys(paths):
        try:
            formats[path] = _format(_read(path, HEAD))
        except FileError as error:
            unreadable.append(Report(paths=(path,), refusal=str(error), is_readable=False))
    done: set[Path] = set()
    for path, found in formats.items():
        if path not in done:
            pair = _pair(path, formats) if found in (OPB, VERIPB) else (path,)
            done.update(pair)
            yield _report(pair, found, jobs)
    yield from unreadable


def _read(path: Path, size: int = -1) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read(size)
    except UnicodeDecodeError as error:
        raise FileError(f"not UTF-8 text at byte {error.start}") from None
    except OSError as error:
        raise FileError(f"{error.strerror or error}: {path}") from None


def _format(head: str) -> str:
    """Return the format that the beginning of a file shows; empty if none."""
    if head.lstrip().startswith("{"):
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


def _report(paths: tuple[Path, ...], format: str, jobs: int) -> Report:
    """Report what one file or pair proves; every fault becomes a report."""
    try:
        if format == LINES:
            return _check_lines(paths[0], jobs)
        texts = [_read(path) for path in paths]
        if format == NATIVE:
            return Report.of_certificate(paths, Certificate.from_json(texts[0]))
        if format == VIPR:
            return Report.of_proof(paths, *check_vipr_text(texts[0]))
        if len(texts) == 2:
            return Report.of_proof(paths, *check_opb(texts[0], texts[1]))
        raise CertificateError("not a certificate: expected JSON, VIPR, or OPB with a VeriPB proof")
    except (CertificateError, FileError) as error:
        is_readable = isinstance(error, CertificateError)
        return Report(paths=paths, format=format, refusal=str(error), is_readable=is_readable)


def _check_lines(path: Path, jobs: int) -> Report:
    """Check a certificate a line; the first that is refused decides."""
    number = 0
    with path.open("rb") as file:
        batches = batched(enumerate(file, 1), BATCH)
        first = list(islice(batches, MIN_BATCHES))
        jobs = jobs if len(first) == MIN_BATCHES else 1
        for checked, refusal in in_order(_check_batch, chain(first, batches), jobs=jobs):
            number += checked
            if refusal:
                return Report(paths=(path,), format=LINES, refusal=refusal)
    statement = f"{number} certificates"
    return Report(paths=(path,), format=LINES, statement=statement, num_certificates=number)


def _check_batch(lines: Iterable[tuple[int, bytes]]) -> tuple[int, str]:
    """Return how many certificates were accepted, and the first refusal."""
    number = 0
    for where, line in lines:
        if line.strip():
            try:
                check_native(read_native(line.decode()))
            except (CertificateError, UnicodeDecodeError) as error:
                return number, f"line {where}: {error}"
            number += 1
    return number, ""
