"""`mjopt models`: list the formulations and the solvers that are installed."""

import platform

from rich.table import Table

from mjopt._version import __version__
from mjopt.cli.options import Json
from mjopt.cli.output import print_json, print_table
from mjopt.models.registry import FORMULATIONS, get_formulation
from mjopt.models.solvers.registry import SOLVERS


def command(*, json: Json = False) -> None:
    """List the formulations and the solvers, with versions.

    Example: `mjopt models --json`
    """
    formulations = [
        {"model": name, "form": model.form, "answers": str(model.goal)}
        for name, model in ((name, get_formulation(name)) for name in FORMULATIONS.names)
    ]
    solvers = [
        {
            "solver": name,
            "available": (available := kind().available()),
            "version": kind().version() if available else None,
        }
        for name, kind in SOLVERS.items()
    ]
    if json:
        print_json(
            {
                "mjopt": __version__,
                "python": platform.python_version(),
                "models": formulations,
                "solvers": solvers,
            }
        )
        return
    for title, rows in (("Formulations", formulations), ("Solvers", solvers)):
        table = Table(*rows[0])
        for row in rows:
            table.add_row(*("-" if cell is None else str(cell) for cell in row.values()))
        print_table(table, title=f"{title} (mjopt {__version__})")
