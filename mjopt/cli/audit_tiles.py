"""Report the audit of answers about tiles: a part of `mjopt audit`."""

from collections.abc import Iterable, Iterator

from rich.table import Table

from mjopt._internal.sanitize import MESSAGE, plain, shorten
from mjopt.audits.packages.comparison import SHOWN
from mjopt.audits.packages.export import open_folder, write_csv, write_summary
from mjopt.audits.packages.tile_answers import ERRORS, TileAnswer, TileFindings
from mjopt.audits.packages.value_file import ValueFile, ValueRow
from mjopt.cli.output import print_json, print_table, warn
from mjopt.cli.progress import Bar
from mjopt.hands.winning_forms import UNREACHABLE

COLUMNS = ("line", "hand", "written", "theirs", "true", "deficiency", "kind")


def report(
    subject: dict[str, str | None],
    values: ValueFile,
    findings: TileFindings,
    *,
    output: str | None,
    json: bool,
) -> int:
    """Compare the rows, write and print what is wrong, and return the exit status."""
    first: list[TileAnswer] = []

    def cells() -> Iterator[list[object]]:
        """Yield the wrong rows as cells, and keep the first ones."""
        for answer in findings.wrong(_counted(values.rows(), bar)):
            if len(first) < SHOWN:
                first.append(answer)
            yield _cells(answer, findings)

    with open_folder(output) as folder:
        with Bar("comparing", len(values), unit="rows") as bar:
            if folder is None:
                for _ in cells():
                    pass
            else:
                write_csv(folder / "disagreements.csv", COLUMNS, cells())
        document = {**subject, **findings.to_document()}
        if folder is not None:
            others = ((row.line, row.text, row.reason) for row in findings.not_hands)
            write_csv(folder / "not_hands.csv", ("line", "hand", "reason"), others)
            write_summary(folder, document)
    if json:
        examples = {
            "first_wrong": [
                dict(zip(COLUMNS, _cells(answer, findings), strict=True)) for answer in first
            ],
            "first_not_hands": [
                {"line": row.line, "hand": row.text, "reason": row.reason}
                for row in findings.not_hands[:SHOWN]
            ],
        }
        print_json(document | examples)
    else:
        _print_findings(subject, findings, first, values.hands.unit)
    if findings.num_wrong or not findings.not_hands:
        return 1 if findings.num_wrong else 0
    warn(f"{len(findings.not_hands):,} of {findings.num_rows:,} rows are not hands")
    return 2


def _counted(rows: Iterable[ValueRow], bar: Bar) -> Iterator[ValueRow]:
    for row in rows:
        yield row
        bar.advance(1)


def _cells(answer: TileAnswer, findings: TileFindings) -> list[object]:
    return [
        answer.line,
        answer.text,
        answer.written,
        findings.names(answer.theirs),
        findings.names(answer.true),
        None if answer.deficiency == UNREACHABLE else answer.deficiency,
        answer.kind,
    ]


def _print_findings(
    subject: dict[str, str | None], findings: TileFindings, first: list[TileAnswer], unit: str
) -> None:
    """Print the findings."""
    forms, kinds = ", ".join(map(str, findings.forms)), ERRORS[findings.means]
    print(
        f"{plain(str(subject['file']))}: {findings.num_hands:,} hands of {findings.tiles.name}, "
        f"{findings.num_wrong:,} rows wrong ({findings.means}, {forms})"
    )
    cells = findings.by_deficiency
    table = Table("deficiency", *kinds)
    for value in sorted({value for value, _ in cells}):
        name = "unreachable" if value == UNREACHABLE else str(value)
        table.add_row(name, *(str(cells[value, kind]) for kind in kinds))
    if cells:
        print_table(table, title="Wrong answers")
    for answer in first:
        text, written = shorten(answer.text), shorten(answer.written) or "nothing"
        true = findings.names(answer.true) or "nothing"
        print(f"{unit} {answer.line}: {text}: {written} {answer.kind}, right is {true}")
    if findings.not_hands:
        print(f"{len(findings.not_hands):,} rows are not hands; their answers are not compared")
    for row in findings.not_hands[:SHOWN]:
        print(f"{unit} {row.line}: {shorten(row.text)}: {shorten(row.reason, MESSAGE)}")
