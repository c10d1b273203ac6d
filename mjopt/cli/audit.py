"""`mjopt audit`: compare given values, a package, the paper or advice with exact results."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from rich.table import Table
from typer import Argument, Option

from mjopt._internal.files import make_folder
from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import MESSAGE, plain, shorten
from mjopt.audits.packages.adapters import get_peer, peer_rows
from mjopt.audits.packages.causes import (
    IMPOSSIBLE,
    KINDS,
    NOT_A_NUMBER,
    TOO_HIGH,
    TOO_LOW,
)
from mjopt.audits.packages.comparison import SHOWN, Disagreement, Findings, compare
from mjopt.audits.packages.export import check_choice, write_findings, write_summary
from mjopt.audits.packages.value_file import MEANINGS, ValueFile, ValueRow
from mjopt.audits.paper import audit_paper
from mjopt.audits.paper.report import summary, write_report
from mjopt.cli.options import (
    FileReader,
    HandsFile,
    Json,
    Wide,
    Work,
    as_recipes,
    get_tiles,
    input_paths,
    tiles_of_recipes,
)
from mjopt.cli.output import print_json, print_table, print_tables, right, warn
from mjopt.cli.progress import Bar
from mjopt.errors import MjoptError
from mjopt.hands.files import TABULAR, file_format
from mjopt.hands.tiles import FULL, M0, SANMA
from mjopt.hands.winning_forms import FORMS, STANDARD, check_forms


def command(
    file: Annotated[
        str | None, Argument(help="Hands with values: .csv or .parquet; - for CSV on stdin.")
    ] = None,
    *,
    package: Annotated[
        str | None, Option(help="Audit mahjong, xiangting or riichienv, with --hands.")
    ] = None,
    hands: HandsFile = None,
    paper: Annotated[
        bool, Option("--paper", help="Audit the paper's cost over all hands of M0.")
    ] = False,
    advice: Annotated[
        list[str] | None,
        Option(help="Audit common advice on deals: a recipe, one or more.", metavar="RECIPE"),
    ] = None,
    draws: Annotated[
        int | None,
        Option(help="With --advice: maximum number of draws. [default: 18]", metavar="N"),
    ] = None,
    waste: Annotated[
        int | None, Option(help="With --advice: as for win-chance. [default: 1]", metavar="N")
    ] = None,
    seed: Annotated[
        int | None, Option(help="With --advice: seed of the deals. [default: 0]")
    ] = None,
    ceiling: Annotated[
        bool,
        Option("--ceiling", help="With --advice: also decide by ceiling tables, for all plays."),
    ] = False,
    rule: Annotated[
        list[str] | None,
        Option(
            help="With --ceiling: also judge a rule of mjopt solitaire, or FILE.py:FUNCTION; "
            "repeatable.",
            metavar="RULE",
        ),
    ] = None,
    column: Annotated[
        str | None, Option(help="The column of values. [default: deficiency or shanten]")
    ] = None,
    means: Annotated[
        str | None, Option(help=f"Meaning of the column: {' or '.join(MEANINGS)}.")
    ] = None,
    reader: FileReader,
    forms: Annotated[
        str | None,
        Option(
            help=f"Winning forms, comma-separated: {', '.join(FORMS)}. "
            f"[default: {STANDARD}, or the forms of the package]"
        ),
    ] = None,
    output: Annotated[
        str | None, Option("--output", "-o", help="Folder for the rows, certificates and summary.")
    ] = None,
    certificates: Annotated[
        str | None,
        Option(
            help="all, representatives (one for equivalent hands) or none. "
            "[default: all; with --paper representatives]"
        ),
    ] = None,
    work: Work,
    wide: Wide = False,
    json: Json = False,
) -> int:
    """Find every value that is wrong, with the likely cause and a certificate.

    Many packages give shanten, one less than the deficiency, and the minimum over
    three forms: see --means and --forms. Exit status 1 if a value is wrong.
    --paper lists where the least cost of Eq. 8 differs from the deficiency, over all
    21,310,147,575 hands. --advice measures how often most useful tiles and fewest expected
    draws are proven not to be the best discard; the same command resumes an interrupted audit.
    With --ceiling, which needs the table of `mjopt ceiling build --all-layers`, more verdicts hold
    for all ways to play, and any --rule is judged too.

    Example: `mjopt audit values.csv -o found`
    """
    if (file is not None) + (package is not None) + paper + bool(advice) != 1:
        raise MjoptError("expected one of FILE, --package NAME --hands FILE, --paper and --advice")
    of_values = (column, means, forms, certificates, reader.partial or None)
    options = _of_deals(
        advice, of_values, draws=draws, waste=waste, seed=seed, ceiling=ceiling or None, rule=rule
    )
    if (package is None) != (hands is None):
        raise MjoptError("--package and --hands go together")
    if means is not None and means not in MEANINGS:
        raise MjoptError(f"--means {means}: expected {' or '.join(MEANINGS)}")
    if means is not None and column is None:
        raise MjoptError("--means goes with --column")
    if forms is not None:
        check_forms(forms, FULL)  # before opening any file
    workers = work.workers
    folder = None if output is None else Path(output)
    if advice:
        options |= {"tiles_name": reader.tiles, "quiet": work.quiet, "wide": wide, "json": json}
        return _audit_advice(advice, folder, **workers, **options)
    if paper:
        chosen = certificates or "representatives"
        return _audit_paper(folder, chosen, workers=workers, quiet=work.quiet, wide=wide, json=json)
    if package is not None and (column or reader.partial):
        raise MjoptError("--package takes whole hands: no --column, no --partial")
    with (
        _file_rows(file or "-", column, means, reader, forms or STANDARD)
        if package is None
        else _package_rows(package, hands or "-", reader, forms)
    ) as (what, rows, total, findings):
        check_choice(certificates or "all")
        if folder is not None:
            make_folder(folder)
        with Bar("comparing", total, unit="rows", quiet=work.quiet) as bar:
            compare(rows, findings, progress=bar.advance)
        document = what | findings.to_document()
        if folder is not None:
            with Bar("certifying", findings.num_wrong, unit="rows", quiet=work.quiet) as bar:
                write_findings(
                    folder,
                    findings,
                    certificates=certificates or "all",
                    progress=bar.advance,
                    **workers,
                )
            write_summary(folder, document)
        wrong = list(islice(findings.wrong(TOO_LOW, TOO_HIGH, NOT_A_NUMBER), SHOWN))
        no_hands = list(islice(findings.wrong(IMPOSSIBLE), SHOWN))
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
            _print_findings(document, findings, wrong, no_hands)
        return 1 if findings.num_wrong else 0


Compared = tuple[dict[str, Any], Iterable[ValueRow], int, Findings]


@contextmanager
def _file_rows(
    source: str,
    column: str | None,
    means: str | None,
    reader: FileReader,
    forms: str,
) -> Iterator[Compared]:
    """Yield a description of the file, its rows, their number, and empty findings."""
    with input_paths([source]) as [path]:
        kind = "csv" if source == "-" else file_format(path, TABULAR)
        tiles = reader.tiles_of(path, kind, forms)[0] if path.is_file() else M0
        values = ValueFile.open(
            path,
            tiles=tiles,
            notation=reader.notation,
            called=reader.called,
            partial=reader.partial,
            column=column,
            means=means,
            format=kind,
        )
        with Findings(tiles=tiles, forms=check_forms(forms, tiles), means=values.means) as findings:
            what = {"file": source, "column": values.column}
            yield what, values.rows(), len(values), findings


@contextmanager
def _package_rows(
    name: str, source: str, reader: FileReader, forms: str | None
) -> Iterator[Compared]:
    """Yield the same for the values of a package on a file of hands."""
    peer = get_peer(name)
    covered = check_forms(
        peer.check_forms(None if forms is None else check_forms(forms, FULL)), FULL
    )
    is_sanma = reader.tiles is not None and get_tiles(reader.tiles) == SANMA
    tiles = SANMA if is_sanma else FULL
    find = peer.finder(covered, tiles)
    with reader.hands_file(source) as hands:
        rows = peer_rows(hands.rows(), find, reader.notation)
        with Findings(tiles=tiles, forms=covered, means="deficiency") as findings:
            what = {"package": name, "version": peer.version, "hands_file": source}
            yield what, rows, len(hands), findings


def _example(row: Disagreement, *names: str) -> dict[str, Any]:
    return {"line": row.line, "hand": row.text, **{name: getattr(row, name) for name in names}}


def _print_findings(
    document: dict[str, Any],
    findings: Findings,
    wrong: list[Disagreement],
    no_hands: list[Disagreement],
) -> None:
    """Print the findings on the scale of the file, which the first line names."""
    scale, forms = document["means"], ", ".join(document["forms"])
    subject = document.get("file") or f"{document['package']} {document['version'] or ''}".strip()
    print(
        f"{plain(subject)}: {document['hands']:,} hands of {findings.tiles.name}, "
        f"{document['wrong']:,} rows wrong ({scale}, {forms})"
    )
    if not document["wrong"]:
        return
    table = Table(f"true {scale}", *KINDS[:3])
    cells = {(row["deficiency"], row["kind"]): row["rows"] for row in document["by_deficiency"]}
    for value in dict.fromkeys(value for value, _ in cells):
        name = "unreachable" if value is None else str(findings.on_scale(value))
        table.add_row(name, *(str(cells.get((value, kind), 0)) for kind in KINDS[:3]))
    if cells:
        print_table(table, title="Wrong values")
    for cause, rows in document["causes"].items():
        print(f"{rows:>10,}  {cause}")
    for row in wrong:
        text, written = shorten(row.text), shorten(row.written)
        true = findings.on_scale(row.true)
        truth = f"the {scale} is {'unreachable' if true is None else true}"
        print(f"line {row.line}: {text}: {written or 'nothing'}, {truth}")
    if document["kinds"][IMPOSSIBLE]:
        print(f"{document['kinds'][IMPOSSIBLE]:,} rows are not hands")
    for row in no_hands:
        print(f"line {row.line}: {shorten(row.text)}: {shorten(row.reason, MESSAGE)}")


def _of_deals(advice: object, of_values: Iterable[object], **options: Any) -> dict[str, Any]:
    """Return the options of --advice that are set; MjoptError if others conflict with them."""
    chosen = {name: value for name, value in options.items() if value is not None}
    if chosen and not advice:
        raise MjoptError(f"--{next(iter(chosen))} goes with --advice")
    if advice and any(option is not None for option in of_values):
        raise MjoptError("--advice takes recipes: no options of values, forms or certificates")
    if "rule" in chosen:
        if "ceiling" not in chosen:
            raise MjoptError("--rule goes with --ceiling")
        chosen["rules"] = chosen.pop("rule")
    return chosen


def _audit_advice(
    recipes: list[str],
    folder: Path | None,
    *,
    tiles_name: str | None,
    quiet: bool,
    wide: bool,
    json: bool,
    **options: Any,
) -> int:
    """Judge advice on deals, print the verdicts for the most draws, write the report."""
    if folder is None:
        raise MjoptError("--advice needs -o FOLDER, where an interrupted audit resumes")
    from mjopt.play.solitaire import advice
    from mjopt.play.solitaire.advice.report import advice_table

    need("matplotlib", "pyarrow", extra="experiments")  # fail before the work
    recipes = as_recipes(recipes)
    tiles, why = tiles_of_recipes(tiles_name, recipes)
    with Bar("judging", unit="deals", quiet=quiet, resumes=True) as bar:
        options |= {"tiles": tiles, "begin": bar.begin, "advance": bar.advance}
        audit = advice.audit_advice(recipes, folder, **options)
    if why:
        warn(why)
    advice.write_report(audit, folder)
    if json:
        print_json(audit.to_document())
    else:
        print_tables([advice_table(audit, audit.at(audit.draws))], wide=wide)
    return 1 if audit.num_wrong else 0


def _audit_paper(
    folder: Path | None,
    certificates: str,
    *,
    workers: dict[str, Any],
    quiet: bool,
    wide: bool,
    json: bool,
) -> int:
    """Audit all hands of M0, print the outcomes, write the differing hands."""
    check_choice(certificates)
    if folder is not None:
        make_folder(folder)  # fail before the audit
    with Bar("judging all hands", quiet=quiet):
        audit = audit_paper()
    document = summary(audit)
    if folder is not None:
        with Bar("writing", unit="hands", quiet=quiet) as bar:
            document = write_report(
                audit,
                folder,
                certificates=certificates,
                progress=lambda _, number: bar.advance(number),
                **workers,
            )
    if json:
        print_json(document)
    else:
        _print_paper(document, wide=wide)
    return 1 if document["different"] else 0


def _print_paper(document: dict[str, Any], *, wide: bool) -> None:
    for title, key in (
        ("Eq. 8 with both special cases", "with_special_case_2"),
        ("Eq. 8 without special case 2", "without_special_case_2"),
    ):
        columns = ("deficiency", "least cost", "hands", "deals", "deal probability", "")
        table = Table(*right(columns))
        for row in document[key]:
            table.add_row(
                str(row["deficiency"]),
                str(row["cost"]),
                f"{row['hands']:,}",
                f"{row['deals']:,}",
                f"{row['deal_probability']:.4g}",
                "" if row["cost"] == row["deficiency"] else "differs",
            )
        print_table(table, title=title, optional=("deals", "deal probability"), wide=wide)
    print(
        f"{document['different']:,} of {document['hands']:,} hands cost less than their "
        f"deficiency (deal probability {document['deal_probability']:.4g}):"
    )
    print(f"{document['family']}.")
