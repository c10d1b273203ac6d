"""Verify certificate files: native ones here, VIPR and OPB files by the checkers of the field."""

import gzip
import io
import zlib
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final, cast

from mjopt._internal.executor import open_executor
from mjopt._internal.files import as_path, temporary_folder
from mjopt._internal.validation import expect, expect_all
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.formats.external_checkers import run_veripb, run_viprchk
from mjopt.analysis.formats.opb import read_opb_claim
from mjopt.analysis.formats.proof_header import read_header
from mjopt.analysis.formats.verification_result import (
    VerificationResult,
    certificate_result,
    proof_result,
    win_chance_result,
)
from mjopt.analysis.formats.vipr import read_vipr_claim
from mjopt.errors import CertificateError, FileError
from mjopt.proofs import LIMITS, Limits, check_native, read_native, verify_win_chance
from mjopt.proofs.win_chance_file import FORMAT as WIN_CHANCE

_BATCH: Final = 256  # certificates sent to a process at once
_MIN_BATCHES: Final = 10  # with fewer, starting processes takes longer than it saves
_GZIP: Final = b"\x1f\x8b"  # the first bytes of a gzip file
_OPB_SUFFIXES: Final = (".opb", ".pbp")


def verify_files(
    paths: Sequence[Path],
    *,
    jobs: int = 1,
    limits: Limits = LIMITS,
    stdin: BinaryIO | None = None,
) -> Iterator[VerificationResult]:
    """Verify files one by one; an OPB instance and its proof are one certificate.

    Native certificates are checked by :mod:`mjopt.proofs`. A VIPR or OPB file must have the
    program of the hand that its first comment names, as mjopt writes it; its proof is
    checked by ``viprchk`` or ``veripb``.

    Parameters
    ----------
    paths
        The files, optionally compressed with gzip. The suffixes ``.vipr``, ``.opb`` and
        ``.pbp`` mark proofs (one of the last two is enough); all other files hold native
        certificates.
    jobs
        Number of processes for files of many certificates.
    limits
        Limits on the size and the work of each certificate.
    stdin
        The stream for the path ``-``.

    Yields
    ------
    VerificationResult
        A result for each file or pair, in order.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import mjopt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "proof.json")
    ...     _ = path.write_text(mjopt.certify("1112345678999m1p").to_json())
    ...     [result] = verify_files([path])
    >>> result.is_accepted, result.message
    (True, '1112345678999m1p has deficiency 1')
    """
    expect(limits, Limits, "limits")
    done: set[Path] = set()
    for path in expect_all(paths, Path, "paths"):
        suffix = path.suffix.lower()
        is_opb = suffix in _OPB_SUFFIXES
        pair = tuple(map(path.with_suffix, _OPB_SUFFIXES)) if is_opb else (path,)
        if pair[0] in done:
            continue
        done.add(pair[0])
        if is_opb:
            yield _catch(pair, partial(_verify_opb, pair, limits))
        elif suffix == ".vipr":
            yield _catch(pair, partial(_verify_vipr, path, limits))
        elif stdin is not None and path == Path("-"):
            yield verify_stream(path, stdin, jobs=jobs, limits=limits)
        else:
            try:
                file = path.open("rb")
            except OSError as error:
                yield _unreadable(pair, error)
                continue
            with file:
                yield verify_stream(path, file, jobs=jobs, limits=limits)


def verify(file: Path | str, *, limits: Limits = LIMITS) -> VerificationResult:
    """Verify one certificate file, as ``mjopt verify`` does.

    Parameters
    ----------
    file
        The file; the content determines its format. One file of an OPB instance and its proof
        is enough.
    limits
        Limits on the size and the work of each certificate.

    Returns
    -------
    VerificationResult
        The statement that is proved, or the reason why none is.

    Examples
    --------
    >>> import tempfile
    >>> from mjopt import certify
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     _ = file.write(certify("1112345678999m1p").to_json())
    ...     file.flush()
    ...     result = verify(file.name)
    >>> result.is_accepted, result.message
    (True, '1112345678999m1p has deficiency 1')
    """
    [result] = verify_files([as_path(file, "file")], limits=limits)
    return result


def verify_stream(
    path: Path, file: BinaryIO, *, jobs: int = 1, limits: Limits = LIMITS
) -> VerificationResult:
    """Verify the native certificate, or the JSON lines, in an open binary file.

    The file is at its beginning and is read no further than the limits; ``path`` is its name in the
    result. Other arguments are those of :func:`verify_files`.
    """

    def verify() -> VerificationResult:
        with _unpacked(file) as content:
            return _verify_content(path, content, jobs, limits)

    return _catch((path,), verify)


def _catch(paths: tuple[Path, ...], verify: Callable[[], VerificationResult]) -> VerificationResult:
    """Run a verification; return its errors as results."""
    try:
        return verify()
    except CertificateError as error:
        return _refused(paths, error)
    except (FileError, OSError, EOFError, zlib.error) as error:
        return _unreadable(paths, error)


def _refused(
    paths: tuple[Path, ...], error: CertificateError, format: str = ""
) -> VerificationResult:
    return VerificationResult(
        paths=paths, format=format, status="refused", message=str(error), limit=error.limit
    )


def _unreadable(paths: tuple[Path, ...], error: Exception) -> VerificationResult:
    reason = str(error)
    if isinstance(error, OSError) and error.strerror:
        reason = f"{error.strerror}: {' '.join(map(str, paths))}"
    return VerificationResult(paths=paths, status="unreadable", message=reason)


@contextmanager
def _unpacked(file: BinaryIO) -> Iterator[BinaryIO]:
    """Decompress a gzip file; leave the file open."""
    reader = io.BufferedReader(cast("io.RawIOBase", file))
    try:
        is_packed = reader.peek(2)[:2] == _GZIP
        yield cast("BinaryIO", gzip.GzipFile(fileobj=reader) if is_packed else reader)
    finally:
        reader.detach()


def _verify_content(path: Path, file: BinaryIO, jobs: int, limits: Limits) -> VerificationResult:
    first = file.readline(limits.bytes + 1)
    start = first.lstrip()
    if start.startswith(b"{"):
        if not first.rstrip().endswith(b"}"):
            return _verify_json(path, _read_rest(first, file, limits), limits)
        lines = _number_lines(chain([first], _lines(file, limits)), limits)
        head = list(islice(lines, 2))
        if len(head) == 1:
            return _verify_json(path, head[0][1], limits)
        return _verify_lines(path, chain(head, lines), jobs, limits)
    _decode(first, is_whole=False)  # bytes that are not text are unreadable, not refused
    raise CertificateError(
        "not a certificate", expected="JSON, or a proof in FILE.vipr or FILE.opb with FILE.pbp"
    )


def _read_text(path: Path, limits: Limits) -> str:
    with path.open("rb") as file, _unpacked(file) as content:
        return _decode(_read_rest(b"", content, limits))


def _read_rest(first: bytes, file: BinaryIO, limits: Limits) -> bytes:
    """Return the whole content, of which the first bytes were read."""
    parts, size = [first], len(first)
    while size <= limits.bytes and (part := file.read(limits.bytes + 1 - size)):
        parts.append(part)  # a pipe may return fewer bytes
        size += len(part)
    limits.check("bytes", size, "file")
    return b"".join(parts)


def _decode(content: bytes, *, is_whole: bool = True) -> str:
    try:
        return getincrementaldecoder("utf-8")().decode(content, is_whole)
    except UnicodeDecodeError as error:
        raise FileError(value="not UTF-8 text", position=error.start, unit="byte") from None


def _verify_json(path: Path, content: bytes, limits: Limits) -> VerificationResult:
    """Verify one native certificate, of a deficiency or of win chances."""
    limits.check("bytes", len(content), "JSON")
    text = _decode(content)
    if read_native(text, limits).get("format") == WIN_CHANCE:
        return win_chance_result((path,), verify_win_chance(text, limits))
    return certificate_result((path,), Certificate.from_json(text, limits))


def _lines(file: BinaryIO, limits: Limits) -> Iterator[bytes]:
    while line := file.readline(limits.bytes + 1):
        yield line


def _number_lines(lines: Iterable[bytes], limits: Limits) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers; one too long is the last."""
    blank = 0
    for number, line in enumerate(lines, 1):
        if line.strip() or len(line) > limits.bytes:
            yield number, line
        else:
            blank += len(line)
            limits.check("bytes", blank, "blank lines")
        if len(line) > limits.bytes:
            return


def _verify_lines(
    path: Path, lines: Iterable[tuple[int, bytes]], jobs: int, limits: Limits
) -> VerificationResult:
    """Verify one certificate per line, up to the first that is refused."""
    total = 0
    batches = _cut(lines, limits)
    first = list(islice(batches, _MIN_BATCHES))
    jobs = jobs if len(first) == _MIN_BATCHES else 1
    work = partial(_verify_batch, limits=limits)
    with open_executor(jobs) as workers:
        for accepted, refusal in workers.map(work, chain(first, batches)):
            total += accepted
            if refusal:
                return _refused((path,), refusal, "JSON lines")
    return VerificationResult(
        paths=(path,),
        format="JSON lines",
        message=f"{total} certificates",
        facts={"certificates": total},
    )


def _cut(lines: Iterable[tuple[int, bytes]], limits: Limits) -> Iterator[list[tuple[int, bytes]]]:
    """Cut lines into batches that together are no longer than one line may be."""
    batch: list[tuple[int, bytes]] = []
    size = 0
    for number, line in lines:
        if batch and (len(batch) == _BATCH or size + len(line) > limits.bytes):
            yield batch
            batch, size = [], 0
        batch.append((number, line))
        size += len(line)
    if batch:
        yield batch


def _verify_batch(
    lines: Iterable[tuple[int, bytes]], limits: Limits
) -> tuple[int, CertificateError | None]:
    """Return the number of accepted certificates before the first refusal, and its error."""
    accepted = 0
    for number, line in lines:
        try:
            limits.check("bytes", len(line), "JSON")
            check_native(read_native(line.decode(), limits), limits)
        except CertificateError as error:
            error.locate(position=number, unit="line")
            return accepted, error
        except UnicodeDecodeError as error:
            return accepted, CertificateError(str(error), position=number, unit="line")
        accepted += 1
    return accepted, None


def _verify_vipr(path: Path, limits: Limits) -> VerificationResult:
    text = _read_text(path, limits)
    query = read_header(text, "%", limits)
    claim = read_vipr_claim(text, query)
    with temporary_folder("verify") as folder:
        copy = folder / "proof.vipr"
        copy.write_text(text)
        return proof_result((path,), "VIPR", query, claim, run_viprchk(copy))


def _verify_opb(paths: tuple[Path, ...], limits: Limits) -> VerificationResult:
    instance, proof = (_read_text(path, limits) for path in paths)
    query = read_header(instance, "*", limits)
    claim = read_opb_claim(instance, proof, query)
    with temporary_folder("verify") as folder:
        copies = folder / "instance.opb", folder / "proof.pbp"
        for copy, text in zip(copies, (instance, proof), strict=True):
            copy.write_text(text)
        return proof_result(paths, "VeriPB", query, claim, run_veripb(*copies))
