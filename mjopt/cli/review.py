"""`mjopt review`: evaluate every discard and call of real games."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.files import atomic_write, check_output
from mjopt._internal.optional_deps import PLAY, need
from mjopt._internal.sanitize import MESSAGE, short_repr, shorten
from mjopt.chances.advice.options import NOTHING
from mjopt.cli.options import Json, Work
from mjopt.cli.output import print_json, print_tables, warn
from mjopt.cli.progress import Bar, waiting
from mjopt.cli.standard_input import STDIN, input_paths
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.tiles import FULL
from mjopt.play.review.api import Review, files_in, review
from mjopt.play.review.batch import Problem, ReviewOptions, review_folder
from mjopt.play.review.collector import OWN_KONGS
from mjopt.play.review.cost import costliest, could_improve
from mjopt.play.review.evaluate import CHANCE, DEFICIENCY, MEASURES, THROWS, Call
from mjopt.play.review.export import FORMATS, discards_file
from mjopt.play.review.game_address import address_error
from mjopt.play.review.log_danger import say_danger
from mjopt.play.review.riichi_wins import WinBasis
from mjopt.play.review.rows import CallRow, DiscardRow
from mjopt.play.review.summary import BESIDE_DANGER, NOT_SAID, YARDSTICKS, ReviewSummary

PAGE = "html"
REFUSED = 1  # some game could not be read


def command(
    files: Annotated[
        list[str],
        Argument(help="Logs, folders of logs, or an address; - for stdin.", metavar="FILE..."),
    ],
    *,
    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            help="A .html page, a .csv, .jsonl or .parquet file, or a folder of .parquet files.",
            metavar="PLACE",
        ),
    ] = None,
    seat: Annotated[int | None, Option(help="Only this seat, from 0.", metavar="N")] = None,
    forms: Annotated[
        str | None, Option(help="Winning forms. [default: riichi, or those of the rules]")
    ] = None,
    by: Annotated[
        str,
        Option(
            help="Measure: deficiency and useful tiles; draws: also exact expected draws (10 ms a "
            "discard); chance: also the chance to win that is lost (a minute for each player).",
            metavar="|".join(MEASURES),
        ),
    ] = DEFICIENCY,
    away: Annotated[
        bool,
        Option(
            "--away",
            help="Print only discards and calls that raise the deficiency, and passed calls that "
            "would lower it.",
        ),
    ] = False,
    names: Annotated[bool, Option("--names", help="Show the names of the players.")] = False,
    strict: Annotated[
        bool,
        Option(
            "--strict",
            help="Refuse a game with any flaw. [default: judge all that can be replayed]",
        ),
    ] = False,
    work: Work,
    json: Json = False,
) -> int:
    """Evaluate every discard of real games: deficiency, useful tiles, best discard.

    Reads Tenhou's XML and JSON, mjai, JJ's lines and our own records, also compressed, and
    replays each game. A flaw in tiles or turns is named and ends its round there; one on which
    no decision depends is named and ignored. For one game the output lists each discard
    and call, and each passed call that would reduce the deficiency. For several games it lists
    only the shares. By chance, folding is left out of the costliest discards. Exit status 1 if
    a game or a part of a round was left out.

    Example: `mjopt review game.mjlog --seat 0 --by chance`
    """
    if by not in MEASURES:
        raise ArgumentError(argument="--by", value=short_repr(by), expected=MEASURES)
    if forms is not None:
        check_forms(forms, FULL)
    place = None if output is None else Path(output)
    ending = "" if place is None else place.suffix.removeprefix(".").lower()
    if place is not None and not ending:
        if not json:
            print(f"{BESIDE_DANGER if by == CHANCE else NOT_SAID}\n{YARDSTICKS[by]}")
        options = ReviewOptions(forms=forms, by=by, seat=seat, strict=strict)
        summary, refused, found = _into_folder(files, place, options, work)
        document = {"by": by, **summary.to_document(), "refusals": refused, "flaws": found}
        _warn_of([*refused, *found])
        _show_sums(summary, document, (), json=json)
        return REFUSED if summary.refused or summary.rounds_refused else 0
    if place is not None:
        _check_file(place, ending)
    if work.scheduler is not None:
        raise ArgumentError("--scheduler goes with -o DIR")
    with input_paths(files) as paths, waiting("judging"):
        read = list(zip(files, paths, strict=True))
        sources = [path if text == "-" or os.path.exists(text) else text for text, path in read]
        jobs = work.num_jobs if by == CHANCE else 1
        reviewed = review(sources, forms=forms, by=by, seat=seat, strict=strict, jobs=jobs)
    stdin = {str(path) for text, path in read if text == "-"}
    if place is not None:
        places = [f"{STDIN if name in stdin else name}:{line}" for name, line in reviewed.sources]
        page = ending == PAGE
        content = (
            _page(reviewed, seat, names) if page else discards_file(reviewed.judged, places, ending)
        )
        atomic_write(place, content)
    refusals = [asdict(refusal) for refusal in reviewed.refused]
    flaws = [asdict(flaw) for flaw in reviewed.flaws]
    for problem in (*refusals, *flaws):
        if problem["source"] in stdin:
            problem["source"] = STDIN
    document = {"by": by, **reviewed.summary.to_document(), "refusals": refusals, "flaws": flaws}
    _warn_of([*refusals, *flaws])
    if not json:
        print(f"{BESIDE_DANGER if by == CHANCE else NOT_SAID}\n{YARDSTICKS[by]}")
    else:
        document |= {"discards": list(reviewed.discards), "judged_calls": list(reviewed.calls)}
    players = _show_game(reviewed, away=away, named=names, shown=not json)
    _show_sums(reviewed.summary, document, players, json=json)
    return REFUSED if reviewed.refused or reviewed.num_unread else 0


def _check_file(path: Path, ending: str) -> None:
    """Refuse a file that cannot be written, before the work."""
    if ending == PAGE:
        need(*PLAY, extra="play")
    elif ending not in FORMATS:
        expected = ", ".join(f".{kind}" for kind in (PAGE, *FORMATS))
        raise FileError(argument="-o", value=str(path), expected=f"{expected}, or a folder")
    check_output(path)


def _page(reviewed: Review, seat: int | None, named: bool) -> bytes:
    if len(reviewed.judged.games) != 1:
        number = len(reviewed.judged.games)
        if not number and reviewed.refused:
            refusal = reviewed.refused[0]
            raise FileError(f"{refusal.source}, line {refusal.line}: {refusal.why}")
        raise ArgumentError(
            argument="games", value=str(number), expected="one for a page: -o DIR takes many"
        )
    from mjopt.play.serve.review_file import review_page

    return review_page(reviewed, seat=seat, named=named).encode()


def _into_folder(
    names: list[str], place: Path, options: ReviewOptions, work: Work
) -> tuple[ReviewSummary, list[Problem], list[Problem]]:
    files: list[Path] = []
    for name in names:
        if not os.path.exists(name):  # a Path raises an error for a long text
            why = FileError("no such file", argument=shorten(name, MESSAGE))
            raise address_error(name) or why
        files += files_in(Path(name)) if os.path.isdir(name) else [Path(name)]
    inside = place.resolve()
    files = [path for path in files if not path.resolve().is_relative_to(inside)]
    with Bar("judging", len(files), unit="logs", resumes=True) as bar:
        return review_folder(files, place, options, advance=bar.advance, **work.workers)


def _warn_of(problems: list[Problem]) -> None:
    """Write one line for each game: its refusal, or its first flaw."""
    by_game: dict[tuple[str | int, ...], list[str]] = {}
    for problem in problems:
        game = problem["source"], problem["line"]
        by_game.setdefault(game, []).append(str(problem["why"]))
    for (source, line), (first, *rest) in by_game.items():
        more = f"; {len(rest)} more in --json" if rest else ""
        warn(f"{source}, line {line}: {first}{more}")


def _show_sums(
    summary: ReviewSummary,
    document: dict[str, object],
    players: tuple[str, ...],
    *,
    json: bool,
) -> None:
    if json:
        print_json(document)
        return
    total = summary.total
    counts = {"game": summary.games, "round": summary.rounds, "discard": total["discards"]}
    numbers = ", ".join(f"{n} {name}{'s' * (n != 1)}" for name, n in counts.items())
    print(f"{numbers}, {summary.declared} more after a declaration")
    print(summary.calls_told)
    if summary.wins_told:
        print(summary.wins_told)
    if total["discards"]:
        seats = tuple(shorten(name) for name in players)
        print_tables([summary.table("seat", seats), summary.table("deficiency")])


def _show_game(reviewed: Review, *, away: bool, named: bool, shown: bool) -> tuple[str, ...]:
    """Print a line for each discard if there is one game; return the names of its players."""
    if len(reviewed.judged.games) != 1:
        return ()
    game = reviewed.judged.games[0]
    for deal in game.rounds:
        for note in deal.notes:
            warn(f"{deal.name}, {note}")
    if shown:
        _show_moves(reviewed, away=away)
    return game.names if named else ()


def _show_moves(reviewed: Review, *, away: bool) -> None:
    """Print the discards, the calls, and the passed calls that would reduce the deficiency."""
    judged = reviewed.judged
    columns = (judged.discards.deal, judged.discards.event, judged.discards.better_by_draws)
    places = zip(*(column.tolist() for column in columns), strict=True)
    shown = [
        (place, row, _discard_lines(row, better=better))
        for (*place, better), row in zip(places, reviewed.discards, strict=True)
        if row["moves_away"] or not away
    ]
    if costly := costliest([row for _, row, _ in shown]):
        print("Worth a look, the costliest first:")
        for at in costly:
            print(shown[at][2])
        print("In order:")
    lines = [(*place, 1, text) for place, _, text in shown]
    lines += [
        (call.deal, call.event, 0, _call_line(row))
        for call, row in zip(judged.calls, reviewed.calls, strict=True)
        if _is_shown(call, away=away)
    ]
    for *_, line in sorted(lines):
        print(line)


def _is_shown(call: Call, *, away: bool) -> bool:
    """Return whether to show a call; a passed kong is shown if it does not raise the deficiency."""
    if call.made:
        return call.moves_away or not away
    is_kong = call.called.action in OWN_KONGS and not call.moves_away
    return call.is_nearer or (is_kong and not away)


def _line_prefix(row: DiscardRow | CallRow) -> str:
    return f"{_short(row['round']):5} {row['turn']:2} seat {row['seat']}"


def _call_line(row: CallRow) -> str:
    could_win = row["win"] != WinBasis.NO_YAKU
    verb = "" if row["made"] else "passes up " if could_win else "cannot "
    line = f"{_line_prefix(row)} {verb}{row['call']} {row['tile']}"
    if row["win"]:
        return f"{line}  {row['win']}"
    line += f" with {row['held']}" if row["call"] in [action.word for action in THROWS] else ""
    line += f"  {row['without']}->{row['with']} {row['copies_with']} copies"
    if "draws_with" in row:
        line += f" {_draws(row['draws_without'])}->{_draws(row['draws_with'])} draws"
    moves_away = row["made"] and row["with"] > row["without"]
    line += "  moves away" if moves_away else ""
    return line + (_lost(row["lost"], row["best_option"]) if "lost" in row else "")


def _discard_lines(row: DiscardRow, *, better: bool) -> str:
    """Return a discard and, if another discard is better, the hand below it."""
    line = _discard_line(row)
    if not could_improve(row):
        return line
    line += f"\n         from {row['hand']}"
    line += f" and {row['called']} called" if row["called"] else ""
    return line + (f"; by expected draws better than {row['best']}" if better else "")


def _discard_line(row: DiscardRow) -> str:
    line = f"{_line_prefix(row)} {row['discard']:3}"
    change = f"{row['before']}->{row['deficiency']}"
    line += f"{change:5}{row['copies']:4} copies"
    if row["declared"]:
        line += "  (declared)"
    elif "lost" in row:
        line += "  nothing can be won" if row["measure"] == NOTHING else ""
        line += _lost(row["lost"], row["best_option"])
    elif row["rank"] > 1:
        line += f"  rank {row['rank']:2}, best {row['best']} {row['best_copies']}"
    if "draws" in row and not row["declared"]:
        line += f"  {_draws(row['draws'])} draws"
        if row["draws"] != row["best_draws"]:
            line += f" ({row['best_by_draws']} {_draws(row['best_draws'])})"
    line += "  moves away" if row["moves_away"] else ""
    if danger := say_danger(row):
        return f"{line}  {danger}"
    return line + ("  safe" if row["folds"] else "")


def _lost(lost: float | None, best: str | None) -> str:
    """Return the points lost, if there are any, and the best option."""
    return f"  loses {100 * lost:.1f} points, best: {best}" if lost else ""


def _short(name: str) -> str:
    """Abbreviate the name of a round.

    Examples
    --------
    >>> _short("South 2, counter 1"), _short("East 4")
    ('S2.1', 'E4')
    """
    wind, *rest = name.replace(", counter ", ".").split()
    return wind[0] + "".join(rest)


def _draws(number: float | None) -> str:
    return "no" if number is None else f"{number:.1f}"
