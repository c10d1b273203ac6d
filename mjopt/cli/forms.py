"""`mjopt forms`: list the rule sets and their winning forms."""

from typing import TypedDict

from rich.table import Table

from mjopt.analysis.form_text import form_text, template_text
from mjopt.cli.options import Json
from mjopt.cli.output import print_json, print_table
from mjopt.hands.rules.classic_forms import is_classic
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm


class _Form(TypedDict):
    """One winning form of a rule set."""

    name: str
    words: str
    templates: int
    games: bool


class _Rules(TypedDict):
    """One rule set."""

    name: str
    title: str
    tiles: str
    size: int
    forms: list[_Form]


def command(*, json: Json = False) -> None:
    """List the rule sets: their tiles, sizes and winning forms.

    Every form has integer programs, certificates, labels, useful tiles, targets, draws and win
    chances; with jokers all but draws and win chances. Heuristics and games know only the forms
    that the column `games` marks. A file of rules is read wherever a name is: `--rules FILE.toml`.

    Example: `mjopt forms --json`
    """
    rows = [_describe(get_rules(name)) for name in RULE_SETS]
    if json:
        print_json({"rules": rows})
        return
    table = Table("rules", "tiles", "size", "form", "hands of", "templates", "games")
    for row in rows:
        cells = (row["name"], row["tiles"], str(row["size"]))
        for number, form in enumerate(row["forms"]):
            table.add_row(
                *(cells if number == 0 else ("", "", "")),
                form["name"],
                form["words"],
                str(form["templates"]),
                "yes" if form["games"] else "no",
            )
    print_table(table, title="Rule sets", optional=("templates",))


def _describe(rules: RuleSet) -> _Rules:
    return {
        "name": rules.name,
        "title": rules.title,
        "tiles": rules.tiles.key,
        "size": rules.size,
        "forms": [
            {
                "name": form.name,
                "words": _words(form),
                "templates": len(form.templates),
                "games": is_classic((form,)),
            }
            for form in rules.forms
        ],
    }


def _words(form: WinningForm) -> str:
    """Describe the hands of the first template."""
    if is_classic((form,)):
        return form_text(form)
    return template_text(form.templates[0], form.tiles)
