"""The command `mjopt`: its subcommands and error handling."""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from mjopt._internal.jit import hide_note
from mjopt._internal.signals import STOPPED, exit_on_signals, exit_status, handle_signals
from mjopt._version import __version__
from mjopt.cli.stdio import IS_QUIET, close_streams, open_streams
from mjopt.errors import MjoptError

BAD_INPUT = 2
INTERRUPTED = 130  # as shells report Ctrl-C

COMMANDS = {
    "One hand": {
        "deficiency": "Print the deficiency of each hand: the least number of tile changes to a "
        "win.",
        "shanten": "Print the shanten of each hand over the riichi forms: one less than the "
        "deficiency.",
        "win": "Print whether a hand wins, with every decomposition. Exit status 1 if it does not.",
        "discards": "Rank the discards of a 14-tile hand; for 13 tiles, list the useful tiles.",
        "targets": "Count the nearest complete hands and list some, with the tiles to draw and "
        "discard.",
        "advise": "Say what to do in a position, with the chance to win of every option.",
        "draws": "Print the exact expected number of draws and its distribution.",
        "win-chance": "Bound the chance to win within N draws under optimal play, for every "
        "discard.",
        "danger": "Say how likely each discard deals in: the exact share of the ready hands of "
        "opponents.",
        "export": "Write the integer program of a hand as an LP, MPS or OPB file.",
    },
    "Many hands": {
        "instances": "Integer programs with certified optima: build the set, run solvers on it.",
        "label": "Label every hand of a file with its deficiency.",
        "audit": "Find every answer that is wrong, with the likely cause and a certificate.",
        "audit-engine": "Find every hand that an engine gets wrong, and the simplest of each "
        "fault.",
        "census": "Count all hands and all deals by deficiency, exactly.",
        "ceiling": "A bound on the chance to win for every hand: build, check, describe tables.",
    },
    "Proof": {
        "certify": "Write a certificate: target, decomposition, and a proof that no complete "
        "hand is nearer.",
        "verify": "Check certificates; the content determines the format.",
        "explain": "Explain how far a hand is from winning, and why one tile less is impossible.",
        "tables": "Prove every entry of the lookup tables, or check such a proof's summary.",
    },
    "Heuristics and studies": {
        "search": "Search a hand with one heuristic: best cost, its progress, and the exact "
        "answer.",
        "compare": "Compare methods on hands whose deficiency is certified.",
        "reproduce": "Reproduce tables and figures of Yan and Li (2023), beside the published "
        "ones.",
    },
    "Datasets": {"dataset": "Labelled hands in bulk: build, check, describe."},
    "Game": {
        "battle": "Let four agents play the same walls with rotated seats.",
        "league": "Rate agents: Bradley-Terry strengths on Elo's scale, and Tenhou's stable rank.",
        "solitaire": "Rank rules for discards by the random deals that they win alone, without "
        "calls.",
        "play": "Play a match against three agents.",
        "mjai": "Play at the table of another program by the mjai protocol.",
        "review": "Evaluate every discard of real games: deficiency, useful tiles, best discard.",
        "replay": "Replay recorded games, and check every draw, move, ending and score.",
        "serve": "Serve the page until Ctrl-C: analyse a hand, play a match, watch a game.",
    },
    "Learning": {
        "train": "Train the learning agents: the perfect one, the normal one, one by imitation.",
    },
    "What is installed": {
        "forms": "List the rule sets: their tiles, sizes and winning forms.",
        "models": "List the formulations and the solvers, with versions.",
        "warm": "Compile every kernel now, so that no command waits for it later.",
        "methods": "List the heuristics: what each does, every parameter, its default and its "
        "range.",
        "agents": "List the agents: what each does, every option, its default and its range.",
    },
}

RENAMED = {"audit-package": "audit-engine"}
"""Earlier names of commands."""


HELP = {name: text for commands in COMMANDS.values() for name, text in commands.items()}


Context = Any
"""A context of Click. Some versions of Typer have a private copy of Click."""

Params = list[Any]
"""Parameters of the same Click."""


def _flags(params: Params) -> Params:
    """Return the options that take no value."""
    return [param for param in params if getattr(param, "is_flag", False)]


def _hide_flag_types(params: Params) -> Params:
    for flag in _flags(params):
        flag.metavar = ""
    return params


class Group(TyperGroup):
    """Group of commands whose help shows no type for flags."""

    def get_params(self, ctx: Context) -> Params:
        """Return the parameters, flags without a type."""
        return _hide_flag_types(super().get_params(ctx))


class Command(TyperCommand):
    """Command whose help shows no type for flags, and whose errors explain misplaced words."""

    def get_params(self, ctx: Context) -> Params:
        """Return the parameters, flags without a type."""
        return _hide_flag_types(super().get_params(ctx))

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse the arguments; remember the words that follow flags."""
        names = {name for flag in _flags(self.params) for name in flag.opts}
        pairs = [pair for pair in pairwise(args) if pair[0] in names and args[0] != pair[0]]
        pairs += [pair for pair in pairwise(args) if pair[0] in names and pair[1] in _BOOLEANS]
        ctx.meta[_AFTER_FLAGS] = pairs
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            word = getattr(error, "option_name", None)
            if any(word in param.opts for param in ctx.find_root().command.params):
                name = ctx.command_path.removeprefix("mjopt ")
                raise MjoptError(
                    f"{word} goes before the command: mjopt {word} {name} ..."
                ) from None
            raise

    def invoke(self, ctx: Context) -> object:
        """Run the command; name the option or the flag that an error is about."""
        try:
            return super().invoke(ctx)
        except MjoptError as error:
            for flag, word in ctx.meta[_AFTER_FLAGS]:
                if error.argument in (repr(word), word) and word[:1] != "-":
                    error.locate(f"{flag} takes no value, so {word!r} is an argument of its own")
                    raise
            options = {
                name: option
                for param in self.params
                for option in reversed(param.opts)
                for name in (param.name, option.lstrip("-").replace("-", "_"))
                if option[0] == "-"
            }
            error.argument = options.get(error.argument, error.argument)
            raise


_AFTER_FLAGS = f"{__name__}.after_flags"
_BOOLEANS = ("true", "false", "yes", "no", "on", "off", "1", "0")


class LazyGroup(Group):
    """Group of commands whose modules load on first call; until then it knows names and help.

    The module of the same name defines ``command``, or ``commands`` for a nested group.
    """

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Load the called command; a nested group without a subcommand prints its help."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is None:
            return name, None, rest
        command = load_command(str(name))
        is_alone = isinstance(command, TyperGroup) and not rest and not ctx.resilient_parsing
        return name, command, ["--help"] if is_alone else rest

    def invoke(self, ctx: Context) -> object:
        """Run the called command, with no progress after ``--quiet``."""
        token = IS_QUIET.set(ctx.params["quiet"])
        try:
            with hide_note(ctx.params["quiet"]):
                return super().invoke(ctx)
        finally:
            IS_QUIET.reset(token)


def load_command(name: str) -> Any:
    """Import the module of a command and return the command."""
    from mjopt.cli.options import expanded

    module = import_module(f"mjopt.cli.{name.replace('-', '_')}")
    app = typer.Typer(cls=Group, help=HELP[name], add_completion=False, rich_markup_mode="markdown")
    for command in getattr(module, "commands", ()):
        app.command(command.__name__, cls=Command)(expanded(command))
    if not app.registered_commands:
        app.command(name, cls=Command)(expanded(module.command))
    return typer.main.get_command(app)


def _show_version(requested: bool) -> None:
    if requested:
        print(f"mjopt {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Define the options of `mjopt` itself."""


_ROOT = typer.Typer()
_ROOT.callback()(_options)

GROUP = LazyGroup(
    name="mjopt",
    params=typer.main.get_command(_ROOT).params,
    epilog="`mjopt help COMMAND` prints the help of a command.",
    help="How many tiles must change before this Mahjong hand wins? Answered with proof.",
    commands=[
        TyperCommand(name, help=text, rich_help_panel=panel, rich_markup_mode="markdown")
        for panel, commands in COMMANDS.items()
        for name, text in commands.items()
    ],
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def execute(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    words
        Arguments after ``mjopt``; by default those of this process.

    Returns
    -------
    int
        0 success, 1 a negative answer, 2 bad input or a failed run, 3 a
        rejected certificate, 130 interrupted by Ctrl-C, 129 and 143 ended by SIGHUP and
        SIGTERM: see ``docs/reference/exit-status.md``.
    """
    args = list(sys.argv[1:] if words is None else words)
    if args[:1] == ["help"]:
        args = [*args[1:], "--help"]
    args[:1] = [RENAMED.get(word, word) for word in args[:1]]
    try:
        status = GROUP.main(args=args or ["--help"], prog_name="mjopt", standalone_mode=False)
    except STOPPED as stop:
        return exit_status(stop)
    except (TyperException, MjoptError) as error:
        return exit_status() or _report_error(
            error.format_message() if isinstance(error, TyperException) else str(error)
        )
    except BrokenPipeError:  # the reader of the output, such as `head`, has seen enough
        return 0
    except SystemExit as stop:  # from typer or rich, on a closed pipe
        if isinstance(stop.__context__, BrokenPipeError):
            return 0
        raise
    except OSError as error:
        return exit_status() or _report_error(_describe_os_error(error))
    return status if isinstance(status, int) else 0


def _report_error(message: str) -> int:
    from mjopt.cli.output import warn

    warn(" ".join(message.split()))
    return BAD_INPUT


def _describe_os_error(error: OSError) -> str:
    where = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{where}"


def _end_line() -> None:
    """Print a line break after the ``^C`` that a terminal shows."""
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, b"\n")


def run() -> NoReturn:
    """Run the command line of this process."""
    handle_signals()
    try:
        open_streams()
        os.environ["MPLBACKEND"] = "agg"  # figures go to files; other backends may be missing
        status = execute()
    except BaseException:
        if not exit_status():  # otherwise a library has replaced the exception of the signal
            raise
        status = exit_status()
    exit_on_signals()
    if (error := close_streams()) and status < BAD_INPUT:
        status = _report_error(_describe_os_error(error))
    if status > 128:
        # A solver that cannot be stopped may still run in a daemon thread, and would
        # abort a normal interpreter shutdown.
        if status == INTERRUPTED:
            _end_line()
        os._exit(status)
    gc.freeze()  # the interpreter would look for garbage in all loaded libraries as it ends
    sys.exit(status)
