"""`mjopt models`: list the formulations and the solvers that are installed."""

import platform

from rich.table import Table

from mjopt._version import __version__
from mjopt.cli.options import Json
from mjopt.cli.output import print_json, print_table
from mjopt.models.formulation import Formulation
from mjopt.models.registry import FORMULATIONS, get_formulation
from mjopt.models.solvers.registry import SOLVERS


def command(*, json: Json = False) -> None:
    """List the formulations and the solvers, with versions.

    Example: `mjopt models --json`
    """
    formulations = [
        {"model": name, "form": _form(model), "answers": str(model.goal)}
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


def _form(model: Formulation) -> str:
    """Return the winning form of a model, or that it takes every one."""
    takes_any = type(model).write_template is not Formulation.write_template
    return "every" if takes_any else model.form
