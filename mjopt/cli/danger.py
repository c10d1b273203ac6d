"""`mjopt danger`: how likely each discard deals in."""

from typing import Annotated

from rich.table import Table
from typer import Argument, Option

from mjopt.chances.advice.position import Position
from mjopt.chances.danger.danger import Danger, danger
from mjopt.chances.danger.prior import DEFAULT_PRIOR, PRIORS
from mjopt.cli.options import FormsOfHand, Json, RuleSetName, Seen
from mjopt.cli.output import print_json, print_table, right
from mjopt.cli.progress import waiting
from mjopt.cli.readers import position_text, rules_of_options

Opponents = Annotated[
    list[str],
    Option(
        "--opponent",
        help="What an opponent shows, in quotes: melds=123m,777z discards=1m9p passed=4s "
        "ready=yes; repeatable.",
        metavar="WORDS",
    ),
]
PriorName = Annotated[
    str | None,
    Option(
        "--prior",
        help=f"Weights of the kinds of waits: {', '.join(PRIORS)}, or FILE.toml. "
        f"[default: {DEFAULT_PRIOR}]",
        metavar="NAME|FILE",
    ),
]


def command(
    hand: Annotated[
        str,
        Argument(
            help="Your hand of 13 or 14 tiles, or a whole position in quotes, as for "
            "`mjopt advise`; - for standard input.",
            metavar="HAND",
        ),
    ],
    *,
    opponent: Opponents,
    prior: PriorName = None,
    seen: Seen = None,
    rules: RuleSetName = None,
    forms: FormsOfHand = None,
    json: Json = False,
) -> None:
    """Say how likely each discard deals in: the exact share of the ready hands of opponents.

    "Safe by rule" is furiten: discards and tiles let pass since riichi. "Proved safe": no ready
    hand of tiles that you do not see wins on it. Other shares depend on a prior. Without "seen",
    the melds and discards of the opponents are the tiles seen.

    Example: `mjopt danger 123m406p123789s11z --opponent "discards=19m4z passed=7s ready=yes"`
    """
    known = rules_of_options(rules, forms)
    text = position_text(hand, {"seen": seen})
    with waiting("counting"):
        position = Position.parse(text, rules=known, forms=forms)
        found = danger(position, opponent, prior=DEFAULT_PRIOR if prior is None else prior)
    if json:
        print_json(found.to_document())
        return
    _show(found)


def _show(found: Danger) -> None:
    """Print the kinds that the player holds, the safest first."""
    is_alone = len(found.opponents) == 1
    heading = "deals in, if ready" if found.is_conditional else "deals in"
    opponents = [f"opponent {number}" for number in range(1, len(found.opponents) + 1)]
    more = ["winning hands"] if is_alone else opponents
    table = Table(*right(["discard", heading, *more]))
    for row in found.discards:
        cells = (
            [f"{row.hands:,}"] if is_alone else [o.kinds[row.kind].text for o in found.opponents]
        )
        table.add_row(row.name, row.text, *cells)
    notes = [
        f"{name}: {opponent.ready:,} ready hands" if opponent.ready else f"{name}: no hand is ready"
        for name, opponent in zip(opponents, found.opponents, strict=True)
    ]
    print_table(table, title=found.position.to_text(), notes=[*notes, *found.assumptions])
