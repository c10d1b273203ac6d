"""`mjopt mjai`: an agent that speaks mjai on standard input and output."""

import json
import sys
from typing import Annotated

from typer import Argument, Option

from mjopt._internal.signals import STOPPED, delayed_signals
from mjopt.cli.output import warn
from mjopt.errors import FileError
from mjopt.play.mjai import Player

LONGEST = 1 << 20  # maximum bytes of a line


def command(
    agent: Annotated[
        str,
        Argument(
            help="An agent: l3, deficiency, ... (see mjopt agents), process:COMMAND, "
            "FILE.py:CLASS; options after a colon.",
            metavar="AGENT",
        ),
    ],
    *,
    seed: Annotated[int, Option(help="Seed of the agent.")] = 0,
    riichi: Annotated[
        bool,
        Option(
            "--riichi/--no-riichi",
            help="Declare riichi whenever a discard makes a closed hand ready, so that it has a "
            "yaku.",
        ),
    ] = True,
    calls: Annotated[
        str,
        Option(
            help="Calls that the agent may make: never; yaku, with a pong of value honours on "
            "the table; free, which may leave a hand without a yaku.",
        ),
    ] = "yaku",
) -> None:
    """Play at the table of another program by the mjai protocol.

    Reads one event or one JSON array of events a line on standard input, and answers each line
    with one action, until the input ends. Blank lines are skipped. A line that is malformed or
    out of order ends the program with exit status 2.

    Example: `mjopt mjai l3 --calls never`
    """
    player = Player(agent, seed=seed, riichi=riichi, calls=calls)
    number = 0
    try:
        while line := sys.stdin.buffer.readline(LONGEST):
            number += 1
            if not line.strip():
                continue
            try:
                answer = player.react(_decode(line))
            except FileError as error:
                error.locate(position=number, unit="line")
                raise
            with delayed_signals():  # an interrupted flush would write the line again at the end
                print(json.dumps(answer, separators=(",", ":"), ensure_ascii=False), flush=True)
    except STOPPED:
        warn(f"stopped after {number} lines")
        raise
    finally:
        player.close()


def _decode(line: bytes) -> str:
    if len(line) == LONGEST and not line.endswith(b"\n"):
        raise FileError(f"more than {LONGEST:,} bytes without an end of line")
    try:
        return line.decode().removeprefix("\ufeff")  # some programs begin with a mark
    except UnicodeDecodeError as error:
        raise FileError(value="not UTF-8 text", position=error.start, unit="byte") from None
