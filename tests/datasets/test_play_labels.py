"""Labels by bounds on play equal the single-hand functions and are verified by a checker."""

from fractions import Fraction
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from helpers.dataset_folders import everything

import mjopt
from mjopt import Play, rank_discards
from mjopt.datasets import Deal, build, check_dataset, make_plan, read_recipe
from mjopt.datasets.labels import win_chance as play_labels
from mjopt.datasets.labels.base import HandRows
from mjopt.datasets.labels.registry import get_label
from mjopt.datasets.labels.win_chance import ROUNDING
from mjopt.errors import ArgumentError, CertificateError, SolverError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL, M0, TileSet


def rows_of(*texts: str, tiles: TileSet = FULL, size: int = 14, called: int = 0) -> HandRows:
    hands = [Hand.parse(text, tiles=tiles, called=called).counts for text in texts]
    deal = Deal(tiles=tiles, size=size, called=called)
    counts = np.array(hands, np.uint8)
    return HandRows(deal=deal, hands=counts, rows=np.arange(len(counts)), seed=0)


def drawn(recipe: str, tiles: TileSet = M0, size: int = 14, called: int = 0) -> HandRows:
    found = read_recipe(recipe, tiles=tiles, size=size, called=called)
    hands = found.counts(seed=2)
    return HandRows(deal=found.deal, hands=hands, rows=np.arange(len(hands)), seed=2)


def test_exact_win_chance_lies_between_neighbouring_floats() -> None:
    values = get_label("win_within:18:waste=0").values(rows_of("22557m234p34789s3z"))
    exact = Fraction(1902729291963615964, 4461635097219030885)
    low, high = values["win_within_18_lower"][0], values["win_within_18_upper"][0]
    assert Fraction(low) <= exact <= Fraction(high)
    assert high <= np.nextafter(low, 1)
    assert values["win_within_18_waste"].tolist() == [0]


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("win_within:3", ("stratified:3:0=0.34,1=0.33,2=0.33", M0, 14, 0)),
        ("win_within:5:waste=1", ("stratified:3:0=0.4,1=0.6", FULL, 14, 0)),
        ("win_within:4", ("deals:2", FULL, 13, 0)),
        ("win_within:5:waste=1", ("deals:2", M0, 14, 3)),
        ("win_within:6:waste=0", ("deals:2", FULL, 13, 2)),
        ("win_within:1", ("stratified:2:5=1", M0, 14, 0)),  # out of reach: 0
    ],
)
def test_win_within_equals_optimal_play_and_its_certificate(
    name: str, hands: tuple[str, TileSet, int, int]
) -> None:
    rows = drawn(*hands)
    label, (_, draws, *given) = get_label(name), name.split(":")
    waste = int(given[0].removeprefix("waste=")) if given else "auto"
    values = label.values(rows)
    for place in range(len(rows.hands)):
        one = rows.row(place)
        low, high, wide = (values[column.name][place] for column in label.columns)
        if one.hand.is_full and mjopt.is_win(one.hand):
            assert (low, high, wide) == (1.0, 1.0, 0)
        else:
            play = mjopt.optimal_play(one.hand, draws=int(draws), waste=waste)
            assert low <= play.best.lower
            assert low == pytest.approx(float(play.best.lower), rel=1e-15)
            assert high >= max(row.upper for row in play.discards)
            assert high == pytest.approx(max(float(row.upper) for row in play.discards))
            assert wide == play.waste
        assert label.recompute(one) == {f"win_within_{draws}_lower": low}


def test_unproven_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, label = rows_of("11m124p", called=3), get_label("win_within:4:waste=1")
    true = label.recompute(rows)
    true_ends = play_labels._ends
    for change in (Fraction(1, 10**6), Fraction(-1, 2)):

        def ends(play: Play, by: Fraction = change) -> tuple[Fraction, Fraction]:
            lower, upper = true_ends(play)
            return lower + by, upper + by

        monkeypatch.setattr(play_labels, "_ends", ends)
        with pytest.raises(CertificateError, match="but the certificate proves"):
            label.recompute(rows)
    monkeypatch.undo()
    assert label.recompute(rows) == true


def test_error_names_the_row_of_too_wide_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("mjopt.chances.win_chance.optimal_play")
    monkeypatch.setattr(module, "MAX_STATES", 100)
    rows = rows_of("22557m234p34789s3z", "3336778m57p234s17z")
    for name in ("win_within:3:waste=1", "advice:3"):
        with pytest.raises(ArgumentError, match=rf"label {name}: row \d, \S+: waste 1, .* hands"):
            get_label(name).values(rows)


def test_useful_tiles_advice_is_optimal_with_one_draw() -> None:
    """A waiting hand wins in one draw in proportion to its useful copies."""
    rows = drawn("stratified:12:1=1", FULL)
    values = get_label("advice:1").values(rows)
    assert values["useful_within_1"].tolist() == [2] * 12
    seen = set()
    for place, verdict in enumerate(values["draws_within_1"].tolist()):
        hand = rows.row(place).hand
        copies = {d.kind: d.after.num_copies for d in mjopt.discards(hand) if d.deficiency == 1}
        advised = [row.kind for row in rank_discards(hand) if row.rank == 1]
        ours = max(copies.get(kind, 0) for kind in advised)
        others = max((number for kind, number in copies.items() if kind not in advised), default=0)
        # Equal chances are rounded differently, so neither is proven best.
        assert verdict == (2 if ours > others else -2 if ours < others else 0)
        lost = max(others - ours, 0) / sum(hand.unseen)
        assert values["draws_loss_within_1"][place] == pytest.approx(lost, abs=1e-12)
        seen.add(verdict)
    assert seen >= {-2, 2}


def test_verdict_agrees_with_the_bounds() -> None:
    rows, draws = drawn("stratified:6:1=0.5,2=0.5", FULL), 7
    values = get_label(f"advice:{draws}").values(rows)
    verdicts = set()
    for place in range(len(rows.hands)):
        hand = rows.row(place).hand
        first, *others = mjopt.discards(hand)
        best = (first.deficiency, first.after.num_copies)
        advised = {d.kind for d in [first, *others] if (d.deficiency, d.after.num_copies) == best}
        for n in (1, 2, 3, draws):
            play = mjopt.optimal_play(hand, draws=n, waste=1)
            upper = max(row.upper for row in play.discards if row.kind in advised)
            lower = max(row.lower for row in play.discards if row.kind in advised)
            verdict = values[f"useful_within_{n}"][place]
            verdicts.add(verdict)
            is_wrong = max(row.lower for row in play.discards) > upper
            is_best = all(row.upper <= lower for row in play.discards if row.kind not in advised)
            assert verdict == 0 or (verdict < 0) == is_wrong
            assert verdict == 0 or (verdict > 0) == is_best
            if verdict:
                assert (abs(verdict) == 2) == (n <= play.deficiency + 1)
    assert verdicts >= {1, 2}


def test_best_lower_bound_is_stored_for_each_number_of_draws() -> None:
    rows = drawn("stratified:3:1=0.5,2=0.5")
    values = get_label("advice:3:waste=0").values(rows)
    for place in range(len(rows.hands)):
        hand = rows.row(place).hand
        for draws in (1, 2, 3):
            play = mjopt.optimal_play(hand, draws=draws, waste=0, table=False)
            lower = {row.kind: row.lower for row in play.discards}
            best = values[f"best_within_{draws}"][place].item()
            assert lower[best] >= max(lower.values()) - ROUNDING
            stored = Fraction(values[f"best_lower_within_{draws}"][place])
            assert lower[best] - ROUNDING < stored <= lower[best]
        advised = [row.kind for row in rank_discards(hand) if row.rank == 1]
        assert values["draws_discards"][place] == sum(1 << kind for kind in advised)


def test_complete_hand_gets_no_advice() -> None:
    values = get_label("advice:2").values(rows_of("11122233344455s"))
    found = {name: cells.tolist() for name, cells in values.items()}
    assert found == {name: [-1 if name.startswith("best_within") else 0] for name in values}


def test_bytes_do_not_depend_on_interruption(tmp_path: Path) -> None:
    plan = make_plan(
        "stratified:4:0=0.25,1=0.75",
        tiles=FULL,
        seed=1,
        shards=2,
        labels=("deficiency", "win_within:2:waste=0", "advice:2:waste=0"),
        check=1,
    )
    build(plan, tmp_path / "one")

    rows = []

    def stop(number: int) -> None:
        rows.append(number)
        if sum(rows) > 2:  # in the second shard
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(plan, tmp_path / "stopped", advance=stop)
    assert build(plan, tmp_path / "stopped").kept_shards == 1
    same = everything(tmp_path / "one")
    assert everything(tmp_path / "stopped") == same
    assert check_dataset(tmp_path / "one").faults == []
    assert "chance to win within 2 draws" in (tmp_path / "one" / "README.md").read_text()


def test_wrong_row_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan("stratified:2:1=1", labels=("win_within:2",), seed=1, check=2)
    monkeypatch.setattr(play_labels, "_wins", lambda rows: np.ones(len(rows.hands), bool))
    with pytest.raises(SolverError, match=r"row 0, .*: win_within_2_lower is 1\.0 by bounds on"):
        build(plan, tmp_path)
