"""`mjopt certify`: the deficiency of a hand, or of many, with a proof anybody can check."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from typer import Argument, Option

from mjopt._internal.folder import new_file, new_folder, replace_whole
from mjopt._internal.sanitize import plain
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import certify, certify_lines, certify_many
from mjopt.analysis.formats import PROOF_VERSIONS, to_opb, to_vipr
from mjopt.cli.options import Forms, HandReader, HandsFile, Json, Solving, Unseen, Work, read_forms
from mjopt.cli.output import as_document, as_text, print_json, value_text
from mjopt.cli.progress import Bar
from mjopt.cli.stdio import binary_stdout
from mjopt.errors import HandError, ModelError
from mjopt.hands.files import HandFile
from mjopt.hands.hand import Hand
from mjopt.hands.winning_forms import STANDARD

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
    proof_version: Annotated[
        str | None,
        Option(
            "--proof-version",
            help=f"Of the VeriPB proof: {', '.join(PROOF_VERSIONS)}. [default: the last]",
        ),
    ] = None,
    hands: HandsFile = None,
    reader: HandReader,
    unseen: Unseen = None,
    forms: Forms = STANDARD,
    solving: Solving,
    work: Work,
    json: Json = False,
) -> None:
    """Write a certificate: target, decomposition, and a proof that nothing is nearer.

    It is checked before it is written; `mjopt verify` checks it again. A shortest path
    finds the value, or the model and solver named. The opb format is two files,
    FILE.opb and FILE.pbp. With --hands, -o is a folder, or a file of
    JSON lines (.jsonl).

    Example: `mjopt certify 1112345678999m1p -o hand.json`
    """
    if (hand is None) == (hands is None):
        raise HandError("expected one HAND, or --hands FILE")
    kind = _kind(format, output)
    version = _version(proof_version, kind)
    if hand is not None:
        if work.scheduler is not None:
            raise HandError("--scheduler goes with --hands: one hand needs no cluster")
        read = reader.hand(hand, unseen, forms=forms)
        known, chosen = reader.unseen(unseen, read), read_forms(forms, read.tiles)
        how = {"unseen": known, "forms": chosen, **solving.how(None)}
        _certify_one(read, how, output, kind, version, reader.notation, json)
        return
    if reader.meld:
        raise HandError("--meld is for one hand; a file of hands takes --called")
    if json:
        raise ModelError("--json is for one hand; with --hands the certificates are the output")
    with reader.hands_file(hands or "-", forms) as file:
        known = None if unseen is None else reader.counts("--unseen", unseen, file.tiles)
        how = {"unseen": known, "forms": read_forms(forms, file.tiles), **solving.how(None)}
        _certify_file(file, how, output, kind, version, work)


def _kind(format: str | None, output: str) -> str:
    """Return the format to write."""
    if format is None:
        return ENDINGS.get(Path(output).suffix.lower(), "json")
    if format not in FORMATS:
        raise ModelError(f"--format {format}: expected one of {', '.join(FORMATS)}")
    return format


def _version(given: str | None, kind: str) -> str:
    """Return the version of the VeriPB proof to write."""
    if given is None:
        return PROOF_VERSIONS[-1]
    if given not in PROOF_VERSIONS:
        raise ModelError(f"--proof-version {given}: expected one of {', '.join(PROOF_VERSIONS)}")
    if kind != "opb":
        raise ModelError(f"--proof-version {given}: the format is {kind}, expected opb")
    return given


def _certify_one(
    hand: Hand,
    how: dict[str, Any],
    output: str,
    kind: str,
    version: str,
    notation: str,
    json: bool,
) -> None:
    """Certify a hand; write its certificate, or print it."""
    if output == "-" and kind == "opb":
        raise ModelError("--format opb is two files: name them with -o")
    certificate = certify(hand, **how)
    if output == "-":
        if kind == "json" and json:
            print_json(certificate.to_document())
        else:
            print(certificate.to_json() if kind == "json" else to_vipr(certificate).rstrip("\n"))
        return
    names = [str(name) for name in _write(certificate, Path(output), kind, version)]
    if json:
        print_json(
            {
                "hand": hand.to_text(notation),
                "forms": list(certificate.forms),
                **as_document(certificate.deficiency),
                "certified": certificate.certified,
                "format": kind,
                "files": names,
            }
        )
    else:
        value = value_text(certificate.deficiency)
        print(f"{value}\t{as_text(hand, notation)}\tcertified in {plain(' '.join(names))}")


def _write(
    certificate: Certificate,
    path: Path,
    kind: str,
    version: str,
    *,
    put: Callable[[Path], AbstractContextManager[BinaryIO]] = replace_whole,
) -> list[Path]:
    """Write a certificate and return the files; an instance comes after its proof."""
    if kind != "opb":
        text = f"{certificate.to_json()}\n" if kind == "json" else to_vipr(certificate)
        with put(path) as file:
            file.write(text.encode())
        return [path]
    stem = path.with_suffix("") if path.suffix.lower() in (".opb", ".pbp") else path
    instance, proof = to_opb(certificate, version=version)
    paths = [stem.with_name(f"{stem.name}.opb"), stem.with_name(f"{stem.name}.pbp")]
    with put(paths[0]) as model, put(paths[1]) as lines:
        model.write(instance.encode())
        model.flush()  # a device that is full says so before the proof takes its place
        lines.write(proof.encode())
    return paths


def _certify_file(
    hands: HandFile, how: dict[str, Any], output: str, kind: str, version: str, work: Work
) -> None:
    """Certify every hand of a file, into JSON lines or a folder; all of it or nothing."""
    total, stream = len(hands), hands.rows()
    how = {**how, **work.workers()}
    with Bar("certifying", total, unit="hands", quiet=work.quiet) as bar:
        if output == "-" or Path(output).suffix.lower() == ".jsonl":
            if kind != "json":
                raise ModelError(f"--format {kind} with --hands needs a folder: -o DIR")
            with _stream(output) as file:
                for line in bar.each(certify_lines(stream, **how)):
                    file.write(f"{line}\n".encode())
            return
        with new_folder(Path(output)) as folder:
            width = max(6, len(str(total)))
            for number, certificate in enumerate(bar.each(certify_many(stream, **how)), 1):
                path = folder / f"{number:0{width}d}.{kind}"
                _write(certificate, path, kind, version, put=new_file)


@contextmanager
def _stream(output: str) -> Iterator[BinaryIO]:
    if output == "-":
        with binary_stdout() as file:
            yield file
    else:
        with replace_whole(Path(output)) as file:
            yield file
