"""Run the command line: ``python -m mjopt``, and the script ``mjopt``."""

import os
from typing import NoReturn


def run() -> NoReturn:
    """Run the command line of this process; Ctrl-C while it loads or ends leaves no traceback."""
    try:
        from mjopt.cli.main import run as run_commands  # workers load this file too, for nothing

        run_commands()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    run()
