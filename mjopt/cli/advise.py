"""`mjopt advise`: what to do in a position, with the chance to win of every option."""

from math import isinf
from typing import Annotated, Any

from rich.table import Table
from typer import Argument, Option

from mjopt.chances.advice.advise import advise
from mjopt.chances.advice.options import (
    CHANCE,
    ESTIMATE,
    IGNORED,
    MEASURES,
    NOT_RANKED_BY,
    NOTHING,
    WIN,
    Advice,
    AdvisedOption,
)
from mjopt.chances.advice.position import Position
from mjopt.chances.advice.why import describe_loss, say_why
from mjopt.chances.danger.danger import Danger, danger
from mjopt.chances.danger.prior import DEFAULT_PRIOR
from mjopt.chances.win_chance.discard_bounds import decimals
from mjopt.cli.danger import Opponents, PriorName
from mjopt.cli.options import FormsOfHand, Json, RuleSetName, Seen
from mjopt.cli.output import print_json, print_table, right
from mjopt.cli.progress import waiting
from mjopt.cli.readers import position_text, rules_of_options
from mjopt.errors import ArgumentError
from mjopt.hands.rules.classic_forms import UNREACHABLE

NOT_SEARCHED = "not searched"
LOST = "lost, about"
DEALS_IN = "deals in"
POINTS = 2  # decimals of a percentage


def command(
    hand: Annotated[
        str,
        Argument(
            help="A hand of 13 or 14 tiles, or a whole position in quotes: "
            '"2378m345p6688s11z draws=6 offered=4m"; - for standard input.',
            metavar="HAND",
        ),
    ],
    *,
    draws: Annotated[
        str | None,
        Option(help="Your own draws to come if you call nothing. [default: 18]", metavar="N"),
    ] = None,
    seen: Seen = None,
    melds: Annotated[
        list[str] | None,
        Option("--meld", help="A meld that you have called; repeatable.", metavar="TILES"),
    ] = None,
    offered: Annotated[
        str | None, Option(help="A tile that another player discards.", metavar="TILE")
    ] = None,
    opponent: Opponents = [],  # noqa: B006 - typer copies it
    prior: PriorName = None,
    rules: RuleSetName = None,
    forms: FormsOfHand = None,
    json: Json = False,
) -> None:
    """Say what to do in a position, with the chance to win of every option.

    Options are discards, calls, passing, kongs and a win. The chance is to win within your own
    draws. "at least" and "at most" are proven for all plays; "not searched" is no zero. Five and
    more tiles from a win the chance is estimated by simulation, with its interval of 95 %.

    Positions under rules without swap calls, as in riichi, say so: "swaps=no" with a tile on
    offer, and "barred=1m4m" with what a hand that has just called must not discard.

    With "opponent" as for `mjopt danger`, the danger of each discard stands beside its chance to
    win. The order is that of the chance.

    Example: `mjopt advise 2378m345p6688s11z --offered 4m`
    """
    called = None if melds is None else ",".join(melds)
    given = {"draws": draws, "seen": seen, "melds": called, "offered": offered}
    known = rules_of_options(rules, forms)
    position = Position.parse(position_text(hand, given), rules=known, forms=forms)
    if prior is not None and not opponent:
        raise ArgumentError("--prior goes with --opponent")
    found = (
        danger(position, opponent, prior=DEFAULT_PRIOR if prior is None else prior)
        if opponent
        else None
    )
    with waiting("searching"):
        advice = advise(position)
    if json:
        more: dict[str, Any] = {"why": [say_why(advice, each) for each in _told(advice)]}
        if found is not None:
            more["danger"] = found.to_document()
        print_json(advice.to_document() | more)
        return
    _show(advice, found)


def _told(advice: Advice) -> tuple[AdvisedOption, ...]:
    """Return the options that a sentence explains: the first, unless too little was searched."""
    is_told = advice.measure == NOTHING or advice.best is not None
    return advice.options[: 1 if is_told else 0]


def _show(advice: Advice, found: Danger | None) -> None:
    """Print the options, the best first, the danger of their discards, and the reasons."""
    has_estimate = advice.measure == ESTIMATE
    figures = ["at least", "at most", *["estimate"] * has_estimate, LOST]
    beside = [DEALS_IN] if found is not None else []
    more = [*beside, "deficiency", "useful", "draws", "draws keeping all"]
    table = Table("", *right([*figures, *more]))
    for option in advice.options:
        first, rest = _cells(option, has_estimate=has_estimate)
        cells = [] if found is None else [_danger(found, option)]
        table.add_row(*first, *cells, *rest)
    for column in table.columns:
        if column.header in ("", "estimate", LOST):  # their cells are not folded
            column.min_width = max(len(str(text)) for text in column.cells)
    ignored = IGNORED if found is None else NOT_RANKED_BY
    if advice.assumptions:  # these forms are yaku
        ignored = ignored.replace("Yaku, points", "Points").replace("yaku, points", "points")
    notes = [f"{_capital(MEASURES[advice.measure])}. {ignored}"]
    notes += advice.assumptions
    notes += [] if found is None else [f"{DEALS_IN}: {each}" for each in found.assumptions]
    notes += [_capital(say_why(advice, each)) for each in _told(advice)]
    if barred := advice.position.barred:
        names = " ".join(advice.position.hand.tiles.names[kind] for kind in barred)
        notes.append(f"Must not be discarded right after the call: {names}.")
    if advice.measure == CHANCE:
        plays = "all plays" if advice.is_closed else f"plays of waste {advice.waste}"
        notes.append(f"Searched {plays}: {advice.states} hands.")
    print_table(
        table,
        title=f"{advice.position.to_text()}: chance to win within the draws left, in per cent",
        notes=notes,
        optional=["draws keeping all", "useful", "at most", "deficiency"],
    )


def _danger(found: Danger, option: AdvisedOption) -> str:
    return "" if option.kind is None else found.of(option.kind).text


def _cells(option: AdvisedOption, *, has_estimate: bool) -> tuple[list[str], list[str]]:
    least, most, found = option.at_least, option.at_most, option.estimate
    cells = [
        option.name,
        NOT_SEARCHED if least is None else decimals(100 * least, POINTS, up=False),
        "" if most is None else decimals(100 * most, POINTS, up=True),
    ]
    if has_estimate:
        low, high = (0.0, 0.0) if found is None else found.interval
        cells.append(
            "" if found is None else f"{100 * found.mean:.1f} ({100 * low:.1f} to {100 * high:.1f})"
        )
    mean, lost = option.mean_draws_keeping_all, float(option.lost or 0)
    cells.append(describe_loss(lost, is_proven=option.is_lost_proven, text="%(points)s"))
    return cells, [
        "-" if option.deficiency == UNREACHABLE else str(option.deficiency),
        "" if option.action == WIN else str(option.num_useful),
        str(option.draws),
        "never" if isinf(mean) else f"{mean:.2f}",
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
