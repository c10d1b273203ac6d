"""mjopt as it prints at a terminal of ``COLUMNS`` columns, where a file or a pipe takes it.

COLUMNS=80 python tests/helpers/on_screen.py discards 13345m34577p1167z
"""

import sys
from types import SimpleNamespace

from mjopt.cli.main import execute

SCREEN = SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True))
"""In place of the `sys` of `mjopt.cli.grid`: tables keep to the width, and have no colours."""

if __name__ == "__main__":
    import mjopt.cli.grid

    mjopt.cli.grid.sys = SCREEN  # type: ignore[assignment]
    sys.argv[0] = "mjopt"
    sys.exit(execute(sys.argv[1:]))
