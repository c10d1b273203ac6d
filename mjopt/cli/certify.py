"""`mjopt certify`: write the deficiency of hands with a proof."""

import os
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO, TypedDict

from typer import Argument, Option

from mjopt._internal.executor import map_batches
from mjopt._internal.files import atomic_path, check_output, lock_output
from mjopt._internal.sanitize import plain
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import BATCH_SIZE, MIN_HANDS, certify
from mjopt.analysis.formats import to_opb, to_vipr
from mjopt.cli.options import HANDS_HELP, FormsOfHand, Json, Unseen, Work
from mjopt.cli.output import as_document, as_text, print_json, value_text
from mjopt.cli.progress import Bar
from mjopt.cli.readers import WholeHandReader
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import names_of
from mjopt.hands.rules.read_forms import read_forms
from mjopt.hands.rules.winning_form import WinningForm

FORMATS = ("json", "vipr", "opb")
ENDINGS = {".vipr": "vipr", ".opb": "opb", ".pbp": "opb"}


def command(
    hand: Annotated[
        str | None,
        Argument(help="A hand of 13 or 14 tiles; - for standard input.", metavar="HAND"),
    ] = None,
    *,
    output: Annotated[
        str, Option("--output", "-o", help="File, or folder for --hands; - for stdout.")
    ] = "-",
    format: Annotated[
        str | None, Option(help="json, vipr or opb. [default: by the ending, or json]")
    ] = None,
    hands: Annotated[str | None, Option(help=HANDS_HELP, metavar="RECIPE|FILE")] = None,
    reader: WholeHandReader,
    unseen: Unseen = None,
    forms: FormsOfHand = None,
    work: Work,
    json: Json = False,
) -> None:
    """Write a certificate: target, decomposition, and a proof that no complete hand is nearer.

    mjopt checks it before writing; `mjopt verify` checks it again. The value comes from a
    shortest path (`mjopt deficiency --model` compares it with an integer program). The opb format
    has two files, FILE.opb and FILE.pbp. With --hands, -o is a folder, or a file of JSON lines
    (.jsonl).

    Example: `mjopt certify 1112345678999m1p -o hand.json`
    """
    if (hand is None) == (hands is None):
        raise ArgumentError(expected="one HAND, or --hands RECIPE or FILE")
    kind = _kind(format, output)
    _check_output(output, kind, is_folder=hands is not None and not _is_lines(output))
    if hand is not None:
        if work.scheduler is not None:
            raise ArgumentError("--scheduler goes with --hands: one hand needs no cluster")
        read = reader.hand(hand, unseen, forms=forms)
        known, chosen = reader.unseen(unseen, read), reader.forms(forms, read)
        settings = _Settings(unseen=known, forms=chosen)
        _certify_one(read, settings, output, kind, reader.notation, json)
        return
    if json:
        raise ArgumentError("--json is for one hand; with --hands the certificates are the output")
    with reader.file_reader().recipe_or_file(hands or "-", forms) as file:
        known = None if unseen is None else reader.counts("--unseen", unseen, file.tiles)
        chosen = read_forms(forms, file.tiles, file.size, rules=file.rules)
        settings = _Settings(unseen=known, forms=chosen)
        _certify_file(file, settings, output, kind, work)


class _Settings(TypedDict):
    """Keyword arguments of `certify`."""

    unseen: tuple[int, ...] | None
    forms: tuple[WinningForm, ...]


def _kind(format: str | None, output: str) -> str:
    """Return the format to write."""
    if format is None:
        return ENDINGS.get(Path(output).suffix.lower(), "json")
    if format not in FORMATS:
        raise ArgumentError(argument="--format", value=str(format), expected=tuple(FORMATS))
    return format


def _is_lines(output: str) -> bool:
    """Return whether the certificates of --hands go into one file of JSON lines."""
    return output == "-" or Path(output).suffix.lower() == ".jsonl"


def _check_output(output: str, kind: str, *, is_folder: bool) -> None:
    """Refuse an output that cannot be written, before the work."""
    if output == "-":
        return
    if is_folder:
        _check_new(output)
    for path in [Path(output)] if is_folder else _paths(output, kind):
        check_output(path)


def _check_new(output: str) -> None:
    if os.path.exists(output):
        raise FileError("exists already", argument=output, expected="the name of a new folder")


def _paths(output: str, kind: str) -> list[Path]:
    """Return the files of a certificate: two for OPB."""
    path = Path(output)
    if kind != "opb":
        return [path]
    stem = path.with_suffix("") if path.suffix.lower() in (".opb", ".pbp") else path
    return [Path(f"{stem}.opb"), Path(f"{stem}.pbp")]


def _certify_one(
    hand: Hand,
    settings: _Settings,
    output: str,
    kind: str,
    notation: str,
    json: bool,
) -> None:
    """Certify a hand; write its certificate, or print it."""
    if output == "-" and kind == "opb":
        raise ArgumentError("--format opb is two files: name them with -o")
    certificate = certify(hand, **settings)
    if output == "-":
        if kind == "json" and json:
            print_json(certificate.to_document())
        else:
            print(_to_texts(certificate, kind)[0].rstrip("\n"))
        return
    paths = _paths(output, kind)
    _write(paths, _to_texts(certificate, kind))
    names = [str(path) for path in paths]
    if json:
        print_json(
            {
                "hand": hand.to_text(notation),
                "forms": list(names_of(certificate.forms)),
                **as_document(certificate.deficiency),
                "certified": certificate.certified,
                "format": kind,
                "files": names,
            }
        )
    else:
        value = value_text(certificate.deficiency)
        print(f"{value}\t{as_text(hand, notation)}\tcertified in {plain(' '.join(names))}")


def _to_texts(certificate: Certificate, kind: str) -> tuple[str, ...]:
    """Return the content of the files of a certificate: two for OPB."""
    if kind == "json":
        return (f"{certificate.to_json()}\n",)
    return (to_vipr(certificate),) if kind == "vipr" else to_opb(certificate)


def _write(paths: list[Path], texts: tuple[str, ...]) -> None:
    """Write the files of a certificate atomically."""
    with ExitStack() as stack:
        for path, text in zip(paths, texts, strict=True):
            temporary = stack.enter_context(atomic_path(path))
            temporary.write_text(text, encoding="utf-8", newline="")


def _certify_batch(hands: list[Hand], *, settings: _Settings, kind: str) -> list[tuple[str, ...]]:
    """Return the file contents of each hand as text, which is fast to send between processes."""
    return [_to_texts(certify(hand, **settings), kind) for hand in hands]


def _certify_file(hands: HandFile, settings: _Settings, output: str, kind: str, work: Work) -> None:
    """Certify every hand of a file, into JSON lines or a folder, atomically."""
    is_lines = _is_lines(output)
    if is_lines and kind != "json":
        raise ArgumentError(f"--format {kind} with --hands needs a folder: -o DIR")
    total = len(hands)
    certify_batch = partial(_certify_batch, settings=settings, kind=kind)
    rows = map_batches(
        certify_batch, hands.rows(), size=BATCH_SIZE, min_items=MIN_HANDS, **work.workers
    )
    with Bar("certifying", total, unit="hands") as bar:
        if output == "-":
            _write_lines(sys.stdout.buffer, bar.each(rows))
        elif is_lines:
            with atomic_path(output) as temporary, temporary.open("wb") as file:
                _write_lines(file, bar.each(rows))
        else:
            suffixes = (".opb", ".pbp") if kind == "opb" else (f".{kind}",)
            width = max(6, len(str(total)))
            with lock_output(Path(output), "certificates"):
                _check_new(output)
                with atomic_path(output) as folder:
                    folder.mkdir()
                    for number, texts in enumerate(bar.each(rows), 1):
                        for suffix, text in zip(suffixes, texts, strict=True):
                            (folder / f"{number:0{width}d}{suffix}").write_bytes(text.encode())


def _write_lines(file: BinaryIO, rows: Iterable[tuple[str, ...]]) -> None:
    for (line,) in rows:
        file.write(line.encode())
