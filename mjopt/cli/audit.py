"""`mjopt audit`: compare the values of a file with exact results."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Annotated

from rich.table import Table
from typer import Argument, Option

from mjopt._internal.sanitize import MESSAGE, plain, shorten
from mjopt.audits.packages.causes import KINDS
from mjopt.audits.packages.comparison import SHOWN, Disagreement, Findings, compare
from mjopt.audits.packages.export import open_folder, write_findings, write_summary
from mjopt.audits.packages.tile_answers import ANSWERS, DISCARD, TileFindings
from mjopt.audits.packages.value_file import MEANINGS, SHANTEN, ValueFile, ValueRow
from mjopt.cli import audit_tiles
from mjopt.cli.options import (
    FORMS_HELP,
    STDIN,
    FileReader,
    Json,
    Work,
    WorkerOptions,
    input_paths,
    rules_of_options,
)
from mjopt.cli.output import print_json, print_table, warn
from mjopt.cli.progress import Bar
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.file_formats import TABULAR, file_format
from mjopt.hands.files import HandFile
from mjopt.hands.hand import HAND_SIZE
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.hands.winning_forms import DEFAULT_FORM, UNREACHABLE, check_forms, read_forms

Output = Annotated[
    str | None, Option("--output", "-o", help="Folder for the rows, certificates and summary.")
]


def command(
    file: Annotated[
        str, Argument(help="Hands with values: .csv, .jsonl or .parquet; - for CSV on stdin.")
    ],
    *,
    column: Annotated[
        str | None,
        Option(
            help="The column of values and what they are, such as value=shanten. [default: the "
            f"column {', '.join(MEANINGS)}, {' or '.join(ANSWERS)}]",
            metavar="NAME=MEANING",
        ),
    ] = None,
    reader: FileReader,
    forms: Annotated[
        str | None,
        Option(
            help=f"{FORMS_HELP} [default: those of --rules, else riichi for shanten, standard "
            "otherwise]"
        ),
    ] = None,
    output: Output = None,
    work: Work,
    json: Json = False,
) -> int:
    """Find every value that is wrong, with the likely cause and a certificate.

    A column `useful` or `discard` holds the useful tiles or the discard of an engine,
    under any rule set or form.

    Many packages give shanten, one less than the deficiency, and the minimum over
    three forms: see --column and --forms. Exit status 1 if a value is wrong, 2 if none is
    and some rows are not hands.

    Example: `mjopt audit values.csv -o found`
    """
    name, means = _column(column)
    rules = rules_of_options(reader.rules, forms)
    if rules is None:
        check_forms(forms or DEFAULT_FORM, FULL)  # before opening any file
    workers = work.workers
    label = STDIN if file == "-" else file
    with input_paths([file]) as [path]:
        kind = "csv" if file == "-" else file_format(path, TABULAR)
        tiles = M0
        if path.is_file():
            tiles, _ = reader.tiles_of(path, kind, forms, label)
            if name is None:
                name = means = _tile_column(path, kind, tiles, reader.notation, label)
        values = ValueFile.open(
            path,
            tiles=tiles,
            notation=reader.notation,
            called=reader.called,
            column=name,
            means="deficiency" if means in ANSWERS else means,
            format=kind,
            name=label,
            rules=rules,
        )
        size = HAND_SIZE if rules is None else rules.size
        if means in ANSWERS:
            return audit_tiles.report(
                {"file": file, "column": values.column},
                values,
                TileFindings(
                    means=str(means),
                    tiles=tiles,
                    forms=read_forms(forms, tiles, size, rules=rules),
                    notation=reader.notation,
                ),
                output=output,
                json=json,
            )
        is_riichi = forms is None and rules is None and values.means == SHANTEN
        if is_riichi and reader.tiles is None and tiles is M0:
            tiles = FULL  # as for `mjopt shanten`
            values = values.in_full()
        chosen = read_forms("riichi" if is_riichi else forms, tiles, size, rules=rules)
        with Findings(tiles=tiles, forms=chosen, means=values.means, rules=rules) as findings:
            return report(
                {"file": file, "column": values.column},
                values,
                len(values),
                findings,
                output=output,
                workers=workers,
                json=json,
            )


def _column(text: str | None) -> tuple[str | None, str | None]:
    """Return the name and the meaning of the column of values; None for the default."""
    meanings = (*MEANINGS, *ANSWERS)
    if text is None or text in meanings:
        return text, text
    name, _, meaning = text.rpartition("=")
    if not name or meaning not in meanings:
        expected = " or ".join(f"{name or text}={meaning}" for meaning in meanings)
        raise ArgumentError(argument="--column", value=text, expected=expected)
    return name, meaning


def _tile_column(path: Path, format: str, tiles: TileSet, notation: str, label: str) -> str | None:
    """Return the column of answers about tiles; None if there is none, or one of values.

    Raises
    ------
    FileError
        If there is a discard beside a value, which may be that after the discard, or beside the
        best discard, as in a review.
    """
    names = HandFile(path=path, format=format, tiles=tiles, notation=notation, name=label).names
    named = [name for name in ANSWERS if name in names]
    values = [name for name in MEANINGS if name in names]
    for other in (*values, "best") if DISCARD in named else ():
        if other in names:
            meant = other if other in values else f"{other}={DISCARD}"
            raise FileError(
                f"{label}: has columns {DISCARD} and {other}",
                argument="--column",
                expected=f"the one to audit: {DISCARD} or {meant}",
                hint=f"{other} may be that after the {DISCARD}" if other in values else "",
            )
    return None if values or len(named) != 1 else named[0]


def report(
    subject: dict[str, str | None],
    rows: Iterable[ValueRow] | ValueFile,
    total: int,
    findings: Findings,
    *,
    output: str | None,
    workers: WorkerOptions,
    json: bool,
) -> int:
    """Compare the rows, write and print what is wrong, and return the exit status.

    ``subject`` has the first fields of the document: what is audited.
    """
    with open_folder(output) as folder:
        with Bar("comparing", total, unit="rows") as bar:
            compare(rows, findings, progress=bar.advance)
        document = {**subject, **findings.to_document()}
        if folder is not None:
            with Bar("certifying", findings.num_wrong, unit="rows") as bar:
                write_findings(folder, findings, progress=bar.advance, **workers)
            write_summary(folder, document)
    wrong = list(islice(findings.wrong(), SHOWN))
    no_hands = list(islice(findings.not_hands(), SHOWN))
    if json:
        about = ("written", "theirs", "true", "kind", "cause")
        examples = {
            "first_wrong": [
                _example(row, *about)
                | {name: findings.on_scale(getattr(row, name)) for name in ("theirs", "true")}
                for row in wrong
            ],
            "first_not_hands": [_example(row, "reason") for row in no_hands],
        }
        print_json(document | examples)
    else:
        unit = rows.hands.unit if isinstance(rows, ValueFile) else "row"
        _print_findings(subject, findings, wrong, no_hands, unit)
    if findings.num_wrong or not findings.num_not_hands:
        return 1 if findings.num_wrong else 0
    warn(f"{findings.num_not_hands:,} of {findings.num_rows:,} rows are not hands")
    return 2


def _example(row: Disagreement, *names: str) -> dict[str, object]:
    return {"line": row.line, "hand": row.text, **{name: getattr(row, name) for name in names}}


def _print_findings(
    subject: dict[str, str | None],
    findings: Findings,
    wrong: list[Disagreement],
    no_hands: list[Disagreement],
    unit: str,
) -> None:
    """Print the findings on the scale of the file, which the first line names."""
    scale, forms = findings.means, ", ".join(map(str, findings.forms))
    name = subject.get("file") or f"{subject['package']} {subject['version'] or ''}".strip()
    print(
        f"{plain(name)}: {findings.num_hands:,} hands of {findings.tiles.name}, "
        f"{findings.num_wrong:,} rows wrong ({scale}, {forms})"
    )
    table = Table(f"true {scale}", *KINDS)
    cells = findings.by_deficiency
    for value in sorted({value for value, _ in cells}):
        truth = "unreachable" if value == UNREACHABLE else str(findings.on_scale(value))
        table.add_row(truth, *(str(cells[value, kind]) for kind in KINDS))
    if cells:
        print_table(table, title="Wrong values")
    for cause, rows in findings.causes.items():
        print(f"{rows:>10,}  {cause}")
    for row in wrong:
        text, written = shorten(row.text), shorten(row.written)
        true = findings.on_scale(row.true)
        truth = f"the {scale} is {'unreachable' if true is None else true}"
        print(f"{unit} {row.line}: {text}: {written or 'nothing'}, {truth}")
    if findings.num_not_hands:
        print(f"{findings.num_not_hands:,} rows are not hands; their values are not compared")
    for row in no_hands:
        print(f"{unit} {row.line}: {shorten(row.text)}: {shorten(row.reason, MESSAGE)}")
