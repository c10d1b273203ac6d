"""`mjopt replay`: check recorded games line by line, show or convert them."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.files import atomic_open, atomic_write, check_output
from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import plain
from mjopt._internal.text_input import open_text
from mjopt.cli.options import Json
from mjopt.cli.output import print_json, warn
from mjopt.cli.progress import waiting
from mjopt.cli.standard_input import input_paths
from mjopt.errors import ArgumentError, FileError
from mjopt.play.game.agents.human import describe_event
from mjopt.play.game.table import HandInPlay
from mjopt.play.riichi.record import read_line
from mjopt.play.riichi.replay import mjai_lines_of, replay_line

PAGE, MJAI = ".html", ".mjson"  # endings of files
REFUSED = 1  # the exit status if a record breaks the rules
NAMED = 20  # refused lines that are named on stderr


def command(
    source: Annotated[str, Argument(help="Records, one game a line; - for stdin.", metavar="FILE")],
    *,
    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            help="A .html page of one game, of line 1 or of --show, with every step; or a .mjson "
            "file of mjai messages, one JSON document a line, - for stdout.",
            metavar="FILE",
        ),
    ] = None,
    show: Annotated[int | None, Option(help="Print one game move by move.", metavar="LINE")] = None,
    json: Json = False,
) -> int:
    """Replay recorded games, and check every draw, move, ending and score.

    Exit status 1 if some record is refused; the first 20 lines are named on stderr.

    Example: `mjopt battle l1 l3 l1 l2 -n 10 --records games.txt && mjopt replay games.txt`
    """
    is_page = output is not None and output.lower().endswith(PAGE)
    if (output is not None) + json + (show is not None and not is_page) > 1:
        raise ArgumentError("-o, --show and --json exclude each other: give one of them")
    if output is not None and is_page:
        check_output(output)
        return _write_page(source, 1 if show is None else show, Path(output))
    endings: Counter[str] = Counter()
    refused: list[dict[str, object]] = []
    shown = False
    is_printing = output == "-" or show is not None
    with ExitStack() as stack:
        [path] = stack.enter_context(input_paths([source]))
        if not is_printing:
            stack.enter_context(waiting("replaying"))
        if not path.is_file():
            raise FileError("no such file", argument=str(path))
        write = _mjai_writer(output, stack)
        for number, line in _lines(path, source):
            try:
                table = replay_line(line)
                outcome = table.outcome
                write(mjai_lines_of(line))
                if show == number:
                    shown = True
                    _show(line, table)
            except FileError as error:
                refused.append({"line": number, "error": str(error)})
                if len(refused) <= NAMED:
                    warn(f"{source}, line {number}: {error}")
                continue
            assert outcome is not None
            endings[outcome.ending.value] += 1
    if len(refused) > NAMED:
        warn(f"{len(refused):,} lines refused, of which {NAMED} are named; --json names all")
    if show is not None and not shown and not refused:
        raise ArgumentError(f"--show {show}: {source} has no such line")
    if json:
        print_json(
            {
                "accepted": endings.total(),
                "refused": refused,
                "endings": dict(sorted(endings.items())),
            }
        )
    elif not is_printing:
        text = ", ".join(f"{games} {ending}" for ending, games in sorted(endings.items()))
        print(f"{endings.total()} games replayed" + (f": {text}" if text else ""))
    return REFUSED if refused else 0


def _mjai_writer(output: str | None, stack: ExitStack) -> Callable[[list[str]], object]:
    """Return a function that writes a game as mjai messages to a file, to stdout, or nowhere."""
    if output is None:
        return lambda _: None
    if output == "-":
        return lambda lines: print(*lines, sep="\n")
    if not output.lower().endswith(MJAI):
        raise FileError(
            argument="-o", value=str(output), expected=f"{PAGE} or {MJAI}, or - for stdout"
        )
    file = stack.enter_context(atomic_open(output))
    return lambda lines: file.writelines(f"{line}\n".encode() for line in lines)


def _write_page(source: str, wanted: int, target: Path) -> int:
    """Write one game as a page; an invalid record is shown up to its first illegal step."""
    need("jinja2", extra="play")
    from mjopt.play.serve.replay_file import record_page

    with input_paths([source]) as [path]:
        if not path.is_file():
            raise FileError("no such file", argument=str(path))
        line = next((line for number, line in _lines(path, source) if number == wanted), None)
    if line is None:
        raise ArgumentError(f"{source} has no line {wanted}")
    name = "standard input" if source == "-" else Path(source).name
    refused = ""
    try:
        replay_line(line)
    except FileError as error:
        refused = str(error)
        warn(f"{source}, line {wanted}: {error}")
    try:
        text = record_page(line.strip(), title=f"{plain(name)}, line {wanted}")
    except FileError:
        return REFUSED
    atomic_write(target, text)
    print(plain(str(target)))
    return REFUSED if refused else 0


def _lines(path: Path, name: str) -> Iterator[tuple[int, str]]:
    with open_text(path, name) as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, line


def _show(line: str, table: HandInPlay) -> None:
    """Print a record, whose replay is at its end, move by move."""
    record, kinds = read_line(line), table.rules.tiles.names
    print(f"{table.rules.name}, dealer seat {record.dealer + 1}")
    for seat, (name, hand) in enumerate(zip(record.names, record.hands, strict=True), start=1):
        print(f"seat {seat} {plain(name)}: {' '.join(kinds[kind] for kind in hand)}")
    for event in table.news():
        print(describe_event(event, kinds))
    assert table.outcome is not None
    scores = ", ".join(f"{points:+d}" for points in table.outcome.scores)
    print(f"{table.outcome.ending.value}: {scores}")
