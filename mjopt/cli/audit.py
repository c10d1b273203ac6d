"""`mjopt audit`: compare the answers of a file with exact results."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from rich.table import Table
from typer import Argument, Option

from mjopt._internal.sanitize import MESSAGE, plain, shorten
from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.answer_columns import read_columns
from mjopt.audits.answer_file import AnswerFile
from mjopt.audits.comparison import SHOWN, Audit, compare
from mjopt.audits.export import open_folder, write_findings, write_summary
from mjopt.audits.findings import Disagreement
from mjopt.audits.questions import QUESTIONS, RATE, default_forms
from mjopt.cli.options import FORMS_HELP, Json, Work, WorkerOptions
from mjopt.cli.output import print_json, print_table, warn
from mjopt.cli.progress import Bar
from mjopt.cli.readers import WholeFileReader, rules_of_options
from mjopt.cli.standard_input import STDIN, input_paths
from mjopt.hands.files.formats import TABULAR, file_format
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, HAND_SIZE, UNREACHABLE
from mjopt.hands.rules.read_forms import check_forms, read_forms
from mjopt.hands.tiles import FULL, M0

if TYPE_CHECKING:
    from mjopt.audits.smaller import FaultGroup

Output = Annotated[
    str | None, Option("--output", "-o", help="Folder for the rows, certificates and summary.")
]


def command(
    file: Annotated[
        str, Argument(help="Hands with answers: .csv, .jsonl or .parquet; - for CSV on stdin.")
    ],
    *,
    column: Annotated[
        list[str] | None,
        Option(
            help="A column with another name and its question, such as value=shanten, or "
            f"value=skip; repeatable. [default: the columns {', '.join(QUESTIONS)}]",
            metavar="NAME=QUESTION",
        ),
    ] = None,
    reader: WholeFileReader,
    forms: Annotated[
        str | None,
        Option(
            help=f"{FORMS_HELP} [default: those of --rules, else riichi if shanten is among the "
            "questions, all for danger, standard otherwise]"
        ),
    ] = None,
    output: Output = None,
    work: Work,
    json: Json = False,
) -> int:
    """Find every answer that is wrong, with the likely cause and a certificate.

    All columns with the name of a question are audited, under any rule set or form: win, shanten,
    deficiency, useful (tiles), ukeire (their number of copies), discard, decompositions (their
    number). Columns called or melds and unseen say what lies on the table and what can arrive.
    Deal-in rates of discards, `--column NAME=danger`, are audited alone: the column cannot_win_on
    says what the opponent discarded or let pass.

    Exit status 1 if an answer is wrong, 2 if none is and some rows are not hands.

    Example: `mjopt audit answers.csv -o found`
    """
    columns, workers = read_columns(column or ()), work.workers
    rules = rules_of_options(reader.rules, forms)
    if rules is None:
        check_forms(forms or DEFAULT_FORM, FULL)  # before opening any file
    label = STDIN if file == "-" else file
    with input_paths([file]) as [path]:
        kind = "csv" if file == "-" else file_format(path, TABULAR)
        tiles = reader.tiles_of(path, kind, forms, label)[0] if path.is_file() else M0
        hands = HandFile(
            path=path,
            format=kind,
            tiles=tiles,
            notation=reader.notation,
            called=reader.called,
            name=label,
            rules=rules,
        )
        answers = AnswerFile.open(hands, columns)
        if forms is None and rules is None:
            forms = default_forms([*answers.columns.values()])
            if forms == "riichi" and reader.tiles is None and tiles is M0:
                tiles = FULL  # as for `mjopt shanten`
                answers = replace(answers, hands=replace(hands, tiles=FULL))
        size = HAND_SIZE if rules is None else rules.size
        chosen = read_forms(forms, tiles, size, rules=rules)
        with Audit(answers.columns, tiles=tiles, forms=chosen, rules=rules) as audit:
            status = report(
                {"file": file},
                answers.blocks(),
                len(answers),
                audit,
                output=output,
                workers=workers,
                json=json,
                unit=hands.unit,
            )
        for name, question in answers.similar.items() if status != 2 else ():
            warn(f"{label}: column {name} is not audited: --column {name}={question}")
        return status


def report(
    subject: dict[str, object],
    blocks: Iterable[AnswerBlock],
    total: int,
    audit: Audit,
    *,
    output: str | None,
    workers: WorkerOptions,
    json: bool,
    unit: str,
    find_groups: Callable[[], list[tuple["FaultGroup", str]]] = list,
) -> int:
    """Compare the rows, write and print what is wrong, and return the exit status.

    ``subject`` has the first fields of the document: what is audited. ``find_groups`` returns
    groups of wrong answers, each with the command that shows one.
    """
    with open_folder(output) as folder:
        with Bar("comparing", total, unit="rows") as bar:
            compare(blocks, audit, progress=bar.advance)
        groups = find_groups()
        document = {**subject, **audit.to_document()}
        if groups:
            document["groups"] = [
                {"rows": group.num_rows, **example(group.simplest, audit), "reproduce": line}
                for group, line in groups
            ]
        if folder is not None:
            total_wrong = sum(findings.num_wrong for findings in audit.columns.values())
            with Bar("certifying", total_wrong, unit="rows") as bar:
                found = [(group.num_rows, group.simplest) for group, _ in groups]
                write_findings(folder, audit, found, progress=bar.advance, **workers)
            write_summary(folder, document)
    wrong = list(islice(audit.wrong(), SHOWN))
    no_hands = list(islice(audit.not_hands(), SHOWN))
    if json:
        print_json(
            document
            | {
                "first_wrong": [{"line": row.line, **example(row, audit)} for row in wrong],
                "first_not_hands": [
                    {"line": line, "hand": text, "reason": reason}
                    for line, text, reason in no_hands
                ],
            }
        )
    else:
        names = (subject.get(name) for name in ("file", "engine", "version"))
        print_findings(" ".join(str(name) for name in names if name), audit)
        for group, line in groups:
            row = group.simplest
            print(f"{group.num_rows:>10,}  {_sentence(row, audit)} ({row.cause or row.kind})")
            if line:
                print(f"{'':>10}  {line}")
        print_rows(audit, [] if groups else wrong, no_hands, unit)
    if audit.num_wrong or not audit.num_not_hands:
        return 1 if audit.num_wrong else 0
    warn(f"{audit.num_not_hands:,} of {audit.num_rows:,} rows are not hands")
    return 2


def example(row: Disagreement, audit: Audit) -> dict[str, object]:
    """Return a wrong answer as plain data."""
    question = audit.columns[row.column].question
    return {
        "hand": row.text,
        "column": row.column,
        "written": row.written,
        "theirs": None if row.given is None else question.value(row.given, audit.tiles),
        "true": question.value(row.exact, audit.tiles),
        "kind": row.kind,
        "cause": row.cause,
    }


def print_findings(name: str, audit: Audit) -> None:
    """Print the questions with their forms, and the wrong answers of each by kind and cause."""
    is_rate = any(findings.question.scale == RATE for findings in audit.columns.values())
    noun = "discards" if is_rate else "hands"
    print(
        f"{plain(name)}: {audit.num_hands:,} {noun} of {audit.tiles.name}, "
        f"{audit.num_wrong:,} rows wrong ({audit.name})"
    )
    is_one = len(audit.columns) == 1
    for findings in audit.columns.values():
        prefix = "" if is_one else f"{findings.name}: "
        notes = ((findings.num_undefined, "have no such answer"), (findings.num_skipped, "skipped"))
        for number, note in notes:
            if number:
                print(f"{number:>10,}  {prefix}hands {note}")
        cells, errors = findings.by_deficiency, findings.question.errors
        if not cells:
            continue
        table = Table("deficiency", *errors)
        for value in sorted({value for value, _ in cells}):
            truth = "unreachable" if value == UNREACHABLE else str(value)
            table.add_row(truth, *(str(cells[value, kind]) for kind in errors))
        print_table(table, title=f"Wrong answers: {findings.name}")
        causes = findings.causes
        for cause, rows in islice(causes.items(), SHOWN):
            print(f"{rows:>10,}  {prefix}{cause}")
        if number := sum(islice(causes.values(), SHOWN, None)):
            print(f"{number:>10,}  {prefix}{len(causes) - SHOWN} other causes")


def print_rows(
    audit: Audit, wrong: list[Disagreement], no_hands: list[tuple[int, str, str]], unit: str
) -> None:
    """Print some wrong answers, and some rows that are not hands."""
    for row in wrong:
        print(f"{unit} {row.line}: {_sentence(row, audit)}")
    if audit.num_not_hands:
        print(f"{audit.num_not_hands:,} rows are not hands; their answers are not compared")
    for line, text, reason in no_hands:
        print(f"{unit} {line}: {shorten(text)}: {shorten(reason, MESSAGE)}")


def _sentence(row: Disagreement, audit: Audit) -> str:
    true = audit.columns[row.column].question.text(row.exact, audit.tiles)
    written = shorten(row.written) or "nothing"
    return f"{shorten(row.text)}: {row.column} {written}, right is {true}"
