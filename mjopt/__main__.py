"""Run the command line: ``python -m mjopt``, and the script ``mjopt``."""

from typing import NoReturn


def run() -> NoReturn:
    """Run the command line of this process."""
    from mjopt.cli.main import run as run_commands  # workers load this file too, for nothing

    run_commands()


if __name__ == "__main__":
    run()
