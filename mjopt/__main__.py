"""Run the command line: ``python -m mjopt``, and the script ``mjopt``."""

import os
from typing import NoReturn

from mjopt._internal.signals import exit_status, handle_signals


def run() -> NoReturn:
    """Run the command line of this process; a signal while it loads or ends leaves no traceback."""
    try:
        handle_signals()
        from mjopt.cli.main import run as run_commands  # workers load this file too, for nothing

        run_commands()
    except KeyboardInterrupt:
        os._exit(130)
    except BaseException:
        if status := exit_status():
            os._exit(status)
        raise


if __name__ == "__main__":
    run()
