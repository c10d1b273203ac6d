"""Run mjopt with the output for a terminal of ``COLUMNS`` columns, into a file or a pipe.

COLUMNS=80 python tools/on_screen.py discards 13345m34577p1167z
"""

import sys

from mjopt.cli import output
from mjopt.cli.main import execute

if __name__ == "__main__":
    output.is_terminal = lambda: True
    sys.exit(execute(sys.argv[1:]))
