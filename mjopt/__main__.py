"""Run the command line: ``python -m mjopt``, and the script ``mjopt``."""

from typing import NoReturn

from mjopt._internal.loading import begin_loading


def run() -> NoReturn:
    """Run the command line of this process."""
    begin_loading()
    from mjopt.cli.main import run as run_commands  # workers load this file too, for nothing

    run_commands()


if __name__ == "__main__":
    run()
