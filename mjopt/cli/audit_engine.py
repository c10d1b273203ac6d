"""`mjopt audit-engine`: compare the answers of an engine with exact results."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

import numpy as np
from typer import Argument, Option

from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.answer_file import AnswerFile
from mjopt.audits.comparison import Audit
from mjopt.audits.conformance import RECIPE, read_hands
from mjopt.audits.engines import PROTOCOLS, Engine, get_engine, in_full, with_hands_before_draw
from mjopt.audits.findings import Disagreement
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.packages import PACKAGES
from mjopt.audits.pipe import TIMEOUT
from mjopt.audits.questions import QUESTIONS
from mjopt.audits.smaller import FaultGroup, small_groups
from mjopt.cli.audit import Output, report
from mjopt.cli.options import FORMS_HELP, HANDS_HELP, HandsSeed, Json, Work
from mjopt.cli.readers import EngineReader, is_file, rules_of_options
from mjopt.errors import ArgumentError
from mjopt.hands.rules.classic_forms import HAND_SIZE, names_of
from mjopt.hands.rules.read_forms import read_forms
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import FULL, SANMA, TileSet, as_tiles


def command(
    name: Annotated[
        str | None,
        Argument(
            help=f"An installed package: {', '.join(PACKAGES)}; or FILE.py:FUNCTION.",
            metavar="[NAME|FILE.py:FUNCTION]",
        ),
    ] = None,
    *,
    program: Annotated[
        str | None,
        Option(
            "--command",
            help="A program that reads a hand a line and answers a line.",
            metavar="TEXT",
        ),
    ] = None,
    ask: Annotated[
        str | None,
        Option(
            help=f"Questions, comma-separated: {', '.join(QUESTIONS)}. [default: all that are "
            "answered; a program with the text protocol needs them]"
        ),
    ] = None,
    protocol: Annotated[
        str, Option(help=f"Lines of the program: {' or '.join(PROTOCOLS)}.")
    ] = PROTOCOLS[0],
    timeout: Annotated[
        float, Option(help="Seconds without an answer after which the program is killed.")
    ] = TIMEOUT,
    hands: Annotated[
        str | None,
        Option(
            help=f"{HANDS_HELP} [default: {RECIPE}riichi, 2,000 hands that find the usual faults; "
            "with --rules those of that rule set]",
            metavar="RECIPE|FILE",
        ),
    ] = None,
    seed: HandsSeed = 0,
    reader: EngineReader,
    forms: Annotated[
        str | None,
        Option(help=f"{FORMS_HELP} [default: those of --rules or of the package, else riichi]"),
    ] = None,
    output: Output = None,
    work: Work,
    json: Json = False,
) -> int:
    """Find every hand that an engine gets wrong, and the simplest of each fault.

    The engine is an installed package, a function of a hand, or a program in any language: it
    reads a line for each hand, its tiles and the number of called melds, and writes a line with the
    answers to --ask, tabs between. Every second hand of another recipe than conformance:RULES is
    one before its draw. Exit status 1 if an answer is wrong.

    Example: `mjopt audit-engine --command "node engine.js" --ask shanten,useful --hands deals:1000`
    """
    rules, workers, tiles_option = rules_of_options(reader.rules, forms), work.workers, reader.tiles
    if reader.tiles is None and rules is None:
        reader = replace(reader, tiles=FULL.key)
    three = reader.tiles is not None and as_tiles(reader.tiles) == SANMA
    tiles = rules.tiles if rules is not None else SANMA if three else FULL
    hands = hands or _default_hands(rules, tiles, reader.called)
    size = HAND_SIZE if rules is None else rules.size
    engine = get_engine(
        name,
        command=program,
        questions=[] if ask is None else [word.strip() for word in ask.split(",")],
        protocol=protocol,
        timeout=timeout,
        forms=forms if rules is None or forms is not None else names_of(rules.forms),
        tiles=tiles,
    )
    chosen = (
        read_forms(engine.forms, tiles, size, rules=rules) if forms or not rules else rules.forms
    )
    columns = {name: name for name in engine.questions}
    with (
        _blocks_of(hands, reader, forms, seed, tiles, size) as (total, blocks),
        Audit(columns, tiles=tiles, forms=chosen, rules=rules) as audit,
    ):
        options = {
            "--command": program,
            "--ask": ask,
            "--protocol": None if protocol == PROTOCOLS[0] else protocol,
            "--forms": forms,
            "--rules": reader.rules,
            "--tiles": tiles_option,
        }
        words = ["mjopt", "audit-engine", *([] if name is None else [name])]
        for option, value in options.items():
            words += [] if value is None else [option, value]
        return report(
            {"engine": engine.name, "version": engine.version, "hands_file": hands},
            engine.blocks(blocks),
            total,
            audit,
            output=output,
            workers=workers,
            json=json,
            unit="row",
            find_groups=lambda: _groups(audit, engine, words, must_answer=ask is not None),
        )


def _default_hands(rules: RuleSet | None, tiles: TileSet, called: int | None) -> str:
    """Return the recipe of the conformance suite; random deals of other rules or called melds."""
    name = rules.name if rules is not None else "sanma" if tiles == SANMA else "riichi"
    is_shipped = name in RULE_SETS and (rules is None or rules == get_rules(name))
    return f"{RECIPE}{name}" if is_shipped and called is None else "deals:10000"


@contextmanager
def _blocks_of(
    text: str, reader: EngineReader, forms: str | None, seed: int, tiles: TileSet, size: int
) -> Iterator[tuple[int, Iterator[AnswerBlock]]]:
    """Return the number of hands of a recipe or a file, and the hands in blocks."""
    if text.startswith(RECIPE) and not is_file(text):
        if reader.called is not None:
            raise ArgumentError(f"{text} has hands with 0 to 4 called melds, not --called")
        name = text.removeprefix(RECIPE)
        hands = read_hands(name)
        if (hands[0].tiles, hands[0].size) != (tiles, size):
            raise ArgumentError(f"{text} has hands of other rules", expected=f"--rules {name}")
        if reader.rules is None:
            hands = [replace(hand, rules=None) for hand in hands]
        yield len(hands), iter([AnswerBlock.of(HandBatch.of(hands))])
        return
    with reader.recipe_or_file(text, forms, seed=seed) as file:
        blocks: Iterator[AnswerBlock] = map(in_full, AnswerFile(hands=file, columns={}).blocks())
        if not is_file(text):
            blocks = with_hands_before_draw(blocks, np.random.default_rng(seed))
        yield len(file), blocks


def _groups(
    audit: Audit, engine: Engine, words: list[str], *, must_answer: bool
) -> list[tuple[FaultGroup, str]]:
    """Return the groups of wrong answers, each with the command that shows one."""
    if not audit.num_rows:
        raise ArgumentError(argument="--hands", value="nothing", expected="hands")
    audit.drop_unanswered(engine.name, must_answer=must_answer)
    return [(group, _command(group.simplest, words)) for group in small_groups(audit, engine)]


def _command(row: Disagreement, words: list[str]) -> str:
    """Return the command that shows a wrong answer; empty if it needs a file of unseen tiles."""
    if row.left is not None:
        return ""
    called = ["--called", str(row.called)] if row.called else []
    return f"echo {row.text} | {shlex.join([*words, '--hands', '-', *called])}"
