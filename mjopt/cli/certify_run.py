"""What `mjopt certify` does: certify one hand or many, and write whole files."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mjopt.answers.certificate import Certificate
from mjopt.answers.certifying import certify, certify_lines, certify_many
from mjopt.answers.formats import to_opb, to_vipr
from mjopt.cli.input_file import input_path
from mjopt.cli.options import HandReader, get_tiles
from mjopt.cli.show import as_text, print_json, value_text
from mjopt.errors import FileError, HandError, ModelError
from mjopt.hands.files import READABLE, HandFile, file_format
from mjopt.hands.forms import UNREACHABLE
from mjopt.models.solvers.base import SolveOptions
from mjopt.runtime.folder import replace_whole, write_whole

R = TypeVar("R")

FORMATS = ("json", "vipr", "opb")
ENDINGS = {".vipr": "vipr", ".opb": "opb", ".pbp": "opb"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CertifyRun:
    """One call of the command, as asked for.

    Parameters
    ----------
    reader
        How hands are written.
    output
        File or folder; ``-`` for standard output.
    format
        ``json``, ``vipr`` or ``opb``; None to go by the output's ending.
    unseen, forms, model, solver, options
        As for `mjopt.certify`.
    jobs
        Processes; None for one per core.
    quiet
        Show no progress bar.
    as_json
        Print one JSON document.
    """

    reader: HandReader
    output: str
    format: str | None
    unseen: tuple[int, ...] | None
    forms: tuple[str, ...]
    model: str | None
    solver: str | None
    options: SolveOptions
    jobs: int | None
    quiet: bool
    as_json: bool

    @property
    def kind(self) -> str:
        """The format to write."""
        if self.format is None:
            return ENDINGS.get(Path(self.output).suffix.lower(), "json")
        if self.format not in FORMATS:
            raise ModelError(f"--format {self.format}: expected one of {', '.join(FORMATS)}")
        return self.format


def certify_one(text: str, run: CertifyRun) -> None:
    """Certify a hand; write its certificate, or print it."""
    hand, kind = run.reader.hand(text), run.kind
    if run.output == "-" and kind == "opb":
        raise ModelError("--format opb is two files: name them with -o")
    certificate = certify(
        hand,
        forms=run.forms,
        unseen=run.unseen,
        model=run.model,
        solver=run.solver,
        options=run.options,
    )
    if run.output == "-":
        if kind == "json" and run.as_json:
            print_json(certificate.to_document())
        else:
            print(certificate.to_json() if kind == "json" else to_vipr(certificate).rstrip("\n"))
        return
    names = _write(certificate, Path(run.output), kind)
    value = certificate.deficiency
    if run.as_json:
        print_json(
            {
                "hand": hand.to_text(run.reader.notation),
                "forms": list(certificate.forms),
                "deficiency": None if value == UNREACHABLE else value,
                "reachable": value != UNREACHABLE,
                "certified": certificate.certified,
                "format": kind,
                "files": [str(name) for name in names],
            }
        )
    else:
        value_and_hand = (
            f"{value_text(certificate.deficiency)}\t{as_text(hand, run.reader.notation)}"
        )
        print(f"{value_and_hand}\tcertified in {' '.join(map(str, names))}")


def _write(certificate: Certificate, path: Path, kind: str) -> list[Path]:
    """Write a certificate and return the files; an instance comes after its proof."""
    if kind == "json":
        write_whole(path, f"{certificate.to_json()}\n".encode())
        return [path]
    if kind == "vipr":
        write_whole(path, to_vipr(certificate).encode())
        return [path]
    stem = path.with_suffix("") if path.suffix.lower() in (".opb", ".pbp") else path
    instance, proof = to_opb(certificate)
    paths = [stem.with_name(f"{stem.name}.opb"), stem.with_name(f"{stem.name}.pbp")]
    write_whole(paths[1], proof.encode())
    write_whole(paths[0], instance.encode())
    return paths


def certify_file(source: str, run: CertifyRun) -> None:
    """Certify every hand of a file, into JSON lines or a folder; all of it or nothing."""
    if run.reader.melds:
        raise HandError("--meld is for one hand; a file of hands takes --called")
    if run.as_json:
        raise ModelError("--json is for one hand; with --hands the certificates are the output")
    with input_path([source]) as [path]:
        if source != "-" and not path.is_file():
            raise FileError(f"{path}: no such file")
        hands = HandFile(
            path=path,
            format="text" if source == "-" else file_format(path, READABLE),
            tiles=get_tiles(run.reader.tiles),
            notation=run.reader.notation,
            called=run.reader.called or 0,
            partial=run.reader.partial,
        )
        total = len(hands)
        if run.output == "-" or Path(run.output).suffix.lower() == ".jsonl":
            if run.kind != "json":
                raise ModelError(f"--format {run.kind} with --hands needs a folder: -o DIR")
            with _stream(run.output) as file:
                for line in _each(certify_lines, hands, total, run):
                    file.write(f"{line}\n".encode())
            return
        with _folder(Path(run.output)) as folder:
            ending = {"json": ".json", "vipr": ".vipr", "opb": ".opb"}[run.kind]
            width = max(6, len(str(total)))
            for number, certificate in enumerate(_each(certify_many, hands, total, run), 1):
                _write(certificate, folder / f"{number:0{width}d}{ending}", run.kind)


def _each(
    work: Callable[..., Iterator[R]], hands: HandFile, total: int, run: CertifyRun
) -> Iterator[R]:
    """Yield what becomes of each hand, under a progress bar."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    hide = run.quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=hide) as progress:
        task = progress.add_task("certifying", total=total)
        for result in work(
            (row.hand for row in hands.rows()),
            jobs=(os.cpu_count() or 1) if run.jobs is None else run.jobs,
            forms=run.forms,
            unseen=run.unseen,
            model=run.model,
            solver=run.solver,
            options=run.options,
        ):
            yield result
            progress.advance(task)


@contextmanager
def _stream(output: str) -> Iterator[BinaryIO]:
    if output == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with replace_whole(Path(output)) as file:
            yield file


@contextmanager
def _folder(path: Path) -> Iterator[Path]:
    """Give a folder that takes its place if all goes well."""
    if path.exists():
        raise FileError(f"{path}: exists; name a new folder, or a file that ends in .jsonl")
    if not path.absolute().parent.is_dir():
        raise FileError(f"{path}: the folder {path.parent} does not exist")
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    beside.mkdir()
    try:
        yield beside
        beside.rename(path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
