"""`mjopt deficiency`: the least number of tile changes to a win."""

from mjopt.analysis.certify import certify
from mjopt.analysis.deficiency import confirmed_value, deficiency
from mjopt.cli.options import FormsOfHand, HandTexts, Json, Model, SolverName, Unseen
from mjopt.cli.output import as_document, as_text, print_json, tiles_text, value_text
from mjopt.cli.readers import HandReader
from mjopt.errors import CertificateError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE, classic_form, default_forms, names_of
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models.formulation import Goal
from mjopt.models.registry import get_formulation
from mjopt.models.solve import DEFAULT_MODEL, Answer, solve


def command(
    hands: HandTexts,
    *,
    reader: HandReader,
    model: Model = None,
    solver: SolverName = None,
    unseen: Unseen = None,
    forms: FormsOfHand = None,
    json: Json = False,
) -> None:
    """Print the deficiency of each hand: the least number of tile changes to a win.

    Shanten is one less. The tiles to draw and discard for one nearest win follow. The
    answer comes from tables and is confirmed by a checked proof. With `--model` or
    `--solver` it comes from an integer program instead, and the tables must agree.

    Example: `mjopt deficiency 123m456p789s1122s 1112345678999m1p`
    """
    notation, by_tables = reader.notation, model is None and solver is None
    chosen_model = DEFAULT_MODEL if model is None else model
    rows: list[dict[str, object]] = []
    for hand in reader.hands(hands, unseen, forms=forms):
        known, chosen = reader.unseen(unseen, hand), reader.forms(forms, hand)
        if by_tables:
            row = _from_tables(hand, chosen, known, notation)
        elif len(chosen) == 1 and not (chosen[0].is_pairs or chosen[0].is_singles):
            goal = get_formulation(chosen_model).goal
            is_default = hand.rules is None and chosen == default_forms(hand.tiles)
            one = None if is_default else chosen  # as the model
            answer = solve(hand, unseen=known, forms=one, model=chosen_model, solver=solver)
            if answer.is_optimal and goal in (Goal.DEFICIENCY, Goal.WIN):
                confirmed_value(
                    answer, classic_form(answer.form, hand.tiles) if one is None else one[0]
                )
            row = _from_solver(answer, goal, notation)
        else:
            row = as_document(
                deficiency(hand, forms=chosen, unseen=known, model=chosen_model, solver=solver)
            )
        rows.append({"hand": hand.to_text(notation), "forms": list(names_of(chosen)), **row})
        if not json:
            print(_line(as_text(hand, notation), row))
    if json:
        print_json(rows[0] if len(rows) == 1 else rows)


def _from_tables(
    hand: Hand, forms: tuple[WinningForm, ...], unseen: tuple[int, ...] | None, notation: str
) -> dict[str, object]:
    """Answer from the tables, confirmed by a certificate."""
    value = deficiency(hand, forms=forms, unseen=unseen)
    cert = certify(hand, forms=forms, unseen=unseen)
    if cert.deficiency != value:
        raise CertificateError(
            f"the tables say {value}, the proof {cert.deficiency}: please report"
        )
    return {
        **as_document(value),
        "certified": cert.certified,
        "form": cert.form,
        "decomposition": [block.text(hand.tiles) for block in cert.decomposition],
        "draws": tiles_text(cert.draws, hand, notation),
        "discards": tiles_text(cert.discards, hand, notation),
        "model": "tables",
    }


def _from_solver(answer: Answer, goal: Goal, notation: str) -> dict[str, object]:
    """Return the answer of an integer program; `optimal` is its claim."""
    hand, value = answer.hand, answer.value
    if goal is Goal.WIN:
        row: dict[str, object] = {"win": value == 0}
    else:
        row = as_document(value, "deficiency" if goal is Goal.DEFICIENCY else "cost")
    return {
        **row,
        "optimal": answer.is_optimal,
        "bound": None if answer.bound == UNREACHABLE else answer.bound,
        "decomposition": [block.text(hand.tiles) for block in answer.blocks],
        "draws": tiles_text(answer.draws, hand, notation),
        "discards": tiles_text(answer.discards, hand, notation),
        "model": answer.model,
        "solver": answer.solver,
        "version": answer.version,
        "termination": str(answer.termination),
    }


def _line(hand: str, row: dict[str, object]) -> str:
    """Format one result: the number, the hand and the changes."""
    if "win" in row:
        return f"{'wins' if row['win'] else 'does not win'}\t{hand}"
    value = row["cost"] if "cost" in row else row["deficiency"]
    number = value if isinstance(value, int) else None
    text = "unreachable" if not row["reachable"] else value_text(number)
    tail = ""
    if value and row.get("decomposition") and row["draws"] != "-":
        tail = f"   draw {row['draws']}   discard {row['discards']}"
    if not row.get("optimal", True):
        tail += f"   ({row['termination']}: not proved least)"
    return f"{text}\t{hand}{tail}"
