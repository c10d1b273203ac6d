"""`mjopt agents`: list the agents with their options."""

from mjopt.cli.methods import show_parameters
from mjopt.cli.options import Json
from mjopt.play.game.agents.registry import AGENTS


def command(*, json: Json = False) -> None:
    """List the agents: what each does, every option, its default and its range.

    You can add an agent as a class in a file, `mjopt battle bot.py:Bot l1 l2 l3`, as any program,
    `mjopt battle mine=process:COMMAND l1 l2 l3`, or as a riichi bot that speaks mjai,
    `mjai:COMMAND`.

    Example: `mjopt agents --json`
    """
    show_parameters("agents", AGENTS.describe(), json=json)
