"""The command `mjopt`: every subcommand, and one line for every error."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer
from typer.exceptions import TyperException

from mjopt.cli import (
    audit,
    battle,
    census,
    certify,
    compare,
    dataset,
    deficiency,
    discards,
    draws,
    explain,
    export,
    label,
    league,
    models,
    play,
    replay,
    reproduce,
    search,
    tables,
    targets,
    verify,
    win,
)
from mjopt.errors import MjoptError

BAD_INPUT = 2
INTERRUPTED = 130  # what shells report for Ctrl-C

app = typer.Typer(
    name="mjopt",
    help="How many tiles must change before this Mahjong hand wins? Answered with proof.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    deficiency,
    win,
    discards,
    targets,
    draws,
    certify,
    verify,
    explain,
    audit,
    label,
    census,
    models,
    export,
    search,
    compare,
    reproduce,
    battle,
    league,
    play,
    replay,
)
for module in COMMANDS:
    app.command(module.NAME)(module.command)
app.add_typer(tables.app, name=tables.NAME)
app.add_typer(dataset.app, name=dataset.NAME)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    arguments
        Words after ``mjopt``; by default those of this process.

    Returns
    -------
    int
        0 done, 1 the answer is no, 2 bad input, 3 a certificate refused, 130 interrupted.
    """
    try:
        status = app(args=arguments, standalone_mode=False)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (TyperException, MjoptError) as error:
        message = error.format_message() if isinstance(error, TyperException) else str(error)
        print(f"mjopt: {' '.join(message.split())}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output, head for one, has seen enough
        sys.stderr.close()
        return 0
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        print(f"mjopt: {error.strerror or error}{where}", file=sys.stderr)
        return BAD_INPUT
    return status if isinstance(status, int) else 0


def run() -> NoReturn:
    """Run the command line of this process."""
    status = main()
    if status == INTERRUPTED:
        # A solver that cannot be stopped may still run in a daemon thread, and would
        # abort an interpreter that ends in the ordinary way.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
