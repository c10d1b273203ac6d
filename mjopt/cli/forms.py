"""`mjopt forms`: list the rule sets and their winning forms."""

from typing import TypedDict

from rich.table import Table

from mjopt.cli.options import Json
from mjopt.cli.output import print_json, print_table
from mjopt.hands.rule_file import RULE_SETS, get_rules
from mjopt.hands.rule_set import RuleSet, WinningForm, templates_of


class _Form(TypedDict):
    """One winning form of a rule set."""

    form: str
    templates: int
    chances: bool


class _Rules(TypedDict):
    """One rule set."""

    rules: str
    title: str
    tiles: str
    size: int
    forms: list[_Form]


def command(*, json: Json = False) -> None:
    """List the rule sets: their tiles, sizes and winning forms, and what each supports.

    Every form has integer programs, certificates, labels, useful tiles and targets. Draws, win
    chances, advice, heuristics and games know standard, seven_pairs and thirteen_orphans. A file
    of rules is read wherever a name is: `--rules FILE.toml`.

    Example: `mjopt forms --json`
    """
    rows = [_describe(get_rules(name)) for name in RULE_SETS]
    if json:
        print_json(rows)
        return
    table = Table("rules", "tiles", "size", "form", "templates", "chances", "title")
    for row in rows:
        cells = (row["rules"], row["tiles"], str(row["size"]))
        for number, form in enumerate(row["forms"]):
            table.add_row(
                *(cells if number == 0 else ("", "", "")),
                form["form"],
                str(form["templates"]),
                "yes" if form["chances"] else "no",
                row["title"] if number == 0 else "",
            )
    print_table(table, title="Rule sets", notes=["chances: draws, win chances and advice"])


def _describe(rules: RuleSet) -> _Rules:
    return {
        "rules": rules.name,
        "title": rules.title,
        "tiles": rules.tiles.key,
        "size": rules.size,
        "forms": [
            {
                "form": str(form),
                "templates": len(templates_of(form, rules.tiles)),
                "chances": not isinstance(form, WinningForm),
            }
            for form in rules.forms
        ],
    }
