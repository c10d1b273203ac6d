"""A solver's false claim of optimality is refused wherever it would become an answer."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt.analysis.deficiency import confirmed_value
from mjopt.cli.main import execute
from mjopt.errors import ModelError, SolverError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.rules.splits import find_splits
from mjopt.hands.tiles import FULL, Suit, TileSet
from mjopt.models.completion import Completion

HAND, WAITING, WIN = "123m456m1358p2479s", "1112345678999m1p", "11122233344455s"

SMALL_SET = TileSet("small", (Suit("m", "characters", (1, 2, 3, 4, 5, 6, 7, 8, 9)),))

LIARS = """
from mjopt.models.solvers.base import RawSolution, Solver
from mjopt.models.solvers.cp_sat import CpSat

class Liar(CpSat):
    name = "liar"

    def load(self):
        pass

    def version(self):
        return "1"

class Infeasible(Liar):
    def search(self, program, options):
        return RawSolution(is_infeasible=True)

class High(Liar):
    def search(self, program, options):
        import dataclasses
        turned = dataclasses.replace(program, objective=[-cost for cost in program.objective])
        raw = super().search(turned, options)
        if raw.values is None:
            return raw
        return raw._replace(bound=program.evaluate([round(value) for value in raw.values]))

class OneOnly(Liar):
    def search(self, program, options):
        if any(name.startswith("not_known") for name in program.rows.names):
            return RawSolution(is_infeasible=True)
        return super().search(program, options)
"""


@pytest.fixture
def liars(tmp_path: Path) -> str:
    (tmp_path / "liars.py").write_text(LIARS)
    return str(tmp_path / "liars.py")


@pytest.mark.parametrize("model", ["completion", "blockwise", "network"])
@pytest.mark.parametrize("kind", ["Infeasible", "High"])
def test_deficiency_names_both_values(liars: str, model: str, kind: str) -> None:
    liar = f"{liars}:{kind}"
    right = mjopt.deficiency(HAND)
    if kind == "Infeasible":
        message = f"liar says unreachable with the model {model}, the shortest path {right}$"
        with pytest.raises(SolverError, match=message):
            mjopt.solve(HAND, model=model, solver=liar)
    else:
        claim = mjopt.solve(HAND, model=model, solver=liar)
        assert claim.is_optimal
        assert claim.value is not None
        assert claim.value > right
        message = f"liar says {claim.value} with the model {model}, the tables {right}$"
    with pytest.raises(SolverError, match=message):
        mjopt.deficiency(HAND, model=model, solver=liar)
    forms = ("standard", "seven_pairs")
    with pytest.raises(SolverError, match=message):
        mjopt.deficiency(HAND, model=model, solver=liar, forms=forms)


def test_false_claim_that_there_is_no_solution_is_refused(liars: str) -> None:
    liar = f"{liars}:Infeasible"
    for hand, model, right in (
        (HAND, "predecomposition", 3),
        (WIN, "predecomposition", 0),
        (WIN, "partition", 0),
    ):
        message = f"liar says unreachable with the model {model}, the shortest path {right}$"
        with pytest.raises(SolverError, match=message):
            mjopt.solve(hand, model=model, solver=liar)
    with pytest.raises(SolverError, match="the shortest path 1"):
        mjopt.solve("1133557799m113p", model="blockwise", solver=liar, forms="seven_pairs")
    for hand, model, unseen in ((HAND, "partition", None), (WAITING, "network", [0] * 27)):
        answer = mjopt.solve(hand, model=model, solver=liar, unseen=unseen)
        assert answer.value == mjopt.UNREACHABLE


def test_unreachable_hand_needs_the_tables_too(liars: str) -> None:
    none = [0] * 27
    assert mjopt.deficiency(WAITING, unseen=none, solver=f"{liars}:Infeasible") == 127
    with pytest.raises(
        SolverError, match="says unreachable with the model blockwise, the shortest path 1"
    ):
        mjopt.deficiency(WAITING, unseen="1p", solver=f"{liars}:Infeasible")


def test_custom_tile_set_is_compared_with_the_shortest_path(liars: str) -> None:
    hand = mjopt.Hand.parse("1112345678999m", tiles=SMALL_SET)
    assert mjopt.deficiency(hand, model="completion") == 1
    with pytest.raises(SolverError, match="the shortest path 1"):
        mjopt.deficiency(hand, model="completion", solver=f"{liars}:Infeasible")


@pytest.mark.parametrize(
    ("hand", "forms", "source"),
    [
        (WAITING, "standard", "the tables"),
        (mjopt.Hand.parse("1112345678999m", tiles=SMALL_SET), "standard", "the shortest path"),
        ("147m258p369s1234z", "mcr.knitted_straight", "the shortest path"),
    ],
)
def test_message_names_the_source_of_the_right_value(
    hand: str | mjopt.Hand, forms: str, source: str
) -> None:
    answer = mjopt.solve(hand, forms=forms, solver="cbc")
    assert answer.value is not None
    false = replace(answer, value=answer.value + 1, bound=answer.value + 1)
    with pytest.raises(SolverError, match=f", {source} {answer.value}$"):
        confirmed_value(false, HandQuery(hand, forms, general=True).forms[0])


@pytest.mark.parametrize(("kind", "number"), [("Infeasible", 0), ("OneOnly", 1)])
def test_missing_decompositions_are_noticed(liars: str, kind: str, number: int) -> None:
    message = f"liar finds {number} decompositions, there are 4"
    with pytest.raises(SolverError, match=message):
        mjopt.decompositions(WIN, solver=f"{liars}:{kind}")
    assert mjopt.decompositions(WAITING, solver=f"{liars}:{kind}") == []


def test_win_is_compared_with_the_tables(liars: str) -> None:
    with pytest.raises(
        SolverError, match="says unreachable with the model partition, the shortest path 0"
    ):
        mjopt.is_win(WIN, solver=f"{liars}:Infeasible")
    assert not mjopt.is_win("11122233344457s", solver=f"{liars}:Infeasible")
    assert mjopt.is_win(WIN, solver="cbc")


def wrong_model(kind: type, change: Callable[[int], int]) -> type:
    class Wrong(kind):  # type: ignore[misc]
        name = "wrong"

        def write(self, query):  # type: ignore[no-untyped-def]
            import dataclasses

            program = super().write(query)
            return dataclasses.replace(program, offset=change(program.offset))

    return Wrong


def test_wrong_model_is_noticed() -> None:
    model = wrong_model(Completion, lambda offset: offset + 1)
    assert mjopt.solve(WAITING, model=model).value == 2
    with pytest.raises(SolverError, match="says 2 with the model wrong, the tables 1"):
        mjopt.deficiency(WAITING, model=model)


@pytest.mark.usefixtures("in_tmp_path")
def test_commands_refuse_the_claim(liars: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("hands.txt").write_text(f"{HAND}\n")
    for words in (
        ["deficiency", HAND],
        ["deficiency", HAND, "--forms", "standard,seven_pairs"],
        ["label", "hands.txt", "-o", "labels.csv", "--jobs", "1"],
    ):
        assert execute([*words, "--solver", f"{liars}:High"]) == 2, words
        err = capsys.readouterr().err
        assert "liar says 1" in err, words
        assert err.count("\n") == 1
    assert execute(["deficiency", HAND, "--solver", "cbc", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deficiency"] == mjopt.deficiency(HAND)


@settings(max_examples=60, database=None)
@given(st.lists(st.integers(0, 33), min_size=4, max_size=4), st.integers(0, 33), st.integers(0, 15))
def test_splits_are_counted(melds: list[int], pair: int, chows: int) -> None:
    counts = [0] * 34
    for number, kind in enumerate(melds):
        is_chow = bool(chows >> number & 1) and kind in FULL.chow_starts
        for offset in range(3):
            counts[kind + offset * is_chow] += 1
    counts[pair] += 2
    if max(counts) > 4:
        return
    hand = mjopt.Hand.from_counts(counts, tiles=FULL)
    splits = find_splits(hand.counts, FULL, standard_template(FULL))
    assert sorted(splits) == mjopt.decompositions(hand, solver="cp-sat") != []


def test_formulation_with_another_goal_is_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    model = f"{Path(__file__).parents[2] / 'examples' / 'own_formulation.py'}:AllPongs"
    hand = "123456m789p1133s1z"
    assert mjopt.solve(hand, model=model).value == 7
    with pytest.raises(ModelError, match="all_pongs does not answer with a deficiency"):
        mjopt.deficiency(hand, model=model)
    assert execute(["deficiency", hand, "--model", model, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["cost"] == 7
    assert "deficiency" not in document
