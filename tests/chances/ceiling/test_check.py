"""Checks: sound tables pass; every wrong number, digest, mean and kernel is found."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chances.ceiling.conftest import Table

import mjopt
from mjopt import SANMA, TILE_SETS, TileSet
from mjopt.chances.ceiling import CeilingTable, TableKey, build, build_ceiling, check_table, sweeps
from mjopt.chances.ceiling.layout import make_layout
from mjopt.chances.ceiling.recursion import is_complete
from mjopt.chances.ceiling.table import HEADER_SIZE, header_bytes
from mjopt.errors import ArgumentError, CertificateError, FileError


@pytest.mark.parametrize("rebuild", [True, False])
@pytest.mark.parametrize(
    "options",
    [
        {"called": 3, "draws": 6, "all_layers": True},
        {"called": 4, "draws": 6, "tiles": "136", "all_layers": True},
        {"called": 3, "draws": 4, "melds": "known", "all_layers": True},
    ],
)
def test_sound_tables_pass(table: Table, options: dict[str, Any], rebuild: bool) -> None:
    made = table(**options)
    found = check_table(made, sample=60, seed=3, rebuild=rebuild)
    assert (found.layers, found.rebuilt, found.sampled) == (made.key.draws, rebuild, 60)
    assert found.sampled_full > 60


def test_a_table_of_one_layer_cannot_be_compared_within_the_file(table: Table) -> None:
    made = table(called=3, draws=6)
    assert check_table(made, sample=9, rebuild=False).sampled == 0
    assert check_table(made, sample=9).sampled == 9


def rewritten(
    made: CeilingTable, path: Path, change: Callable[[list[Any], list[float]], None]
) -> CeilingTable:
    """Return a table with other numbers and correct digests."""
    layers = [np.array(made.layer(draws)) for draws in made.key.layers]
    means = [*made.means]
    change(layers, means)
    digests = [hashlib.sha256(layer.data).hexdigest() for layer in layers]
    data = b"".join(layer.tobytes() for layer in layers)
    path.write_bytes(header_bytes(made.key, means, digests) + data)
    return CeilingTable.open(path)


@pytest.mark.parametrize("step", [-1, 1])
@pytest.mark.parametrize("draws", [1, 4])
def test_any_other_number_is_found(table: Table, tmp_path: Path, draws: int, step: int) -> None:
    made = table(called=3, draws=4, all_layers=True)
    number = int(np.argmax(made.layer(draws)))  # neither 0 nor 1

    def change(layers: list[Any], _means: list[float]) -> None:
        layers[draws - 1][number] = int(layers[draws - 1][number]) + step

    other = rewritten(made, tmp_path / "other", change)
    hand = mjopt.Hand.from_counts(made.layout.hand(number).tolist(), called=3).to_text()
    with pytest.raises(CertificateError, match=f"layer {draws}, {hand}: the file holds"):
        check_table(other, sample=0)


def test_a_wrong_mean_is_found(table: Table, tmp_path: Path) -> None:
    made = table(called=3, draws=4, all_layers=True)

    def change(_layers: list[Any], means: list[float]) -> None:
        means[2] += 1e-9

    with pytest.raises(CertificateError, match="mean of 2 draws"):
        check_table(rewritten(made, tmp_path / "other", change), sample=0)


def test_layers_that_do_not_follow_from_each_other_are_found(table: Table, tmp_path: Path) -> None:
    """Without a rebuild, sampled hands must agree with the layer before."""
    made = table(called=4, draws=4, all_layers=True)

    def change(layers: list[Any], _means: list[float]) -> None:
        layers[2] -= 10

    other = rewritten(made, tmp_path / "other", change)
    with pytest.raises(CertificateError, match="layer 3, .*: the file holds .* expected"):
        check_table(other, sample=200, rebuild=False)


def test_wrong_numbers_of_four_equal_tiles_are_found(table: Table, tmp_path: Path) -> None:
    """Samples prefer hands with kinds four times, where few copies are left to draw."""
    made = table(called=3, draws=4, all_layers=True)
    numbers = made.layout.numbers(4 * np.eye(27, dtype=np.uint8)[1:8])

    def change(layers: list[Any], _means: list[float]) -> None:
        layers[-1][numbers] += 1000

    other = rewritten(made, tmp_path / "other", change)
    with pytest.raises(CertificateError, match=r"layer 4, (\d)\1\1\1m: the file holds"):
        check_table(other, sample=200, rebuild=False)


def test_a_wrong_digest_is_refused_at_once(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "copy"
    data = bytearray(table(called=4, draws=4).path.read_bytes())
    data[HEADER_SIZE] ^= 1
    path.write_bytes(data)
    for rebuild in (True, False):
        with pytest.raises(CertificateError, match="wrong SHA-256"):
            check_table(CeilingTable.open(path), sample=0, rebuild=rebuild)


@pytest.mark.parametrize("name", ["draw", "discard"])
def test_a_wrong_kernel_is_found_by_exact_fractions(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Build and check use the same wrong kernel; only plain Python tells them apart."""
    right = getattr(sweeps, name)

    def wrong(written: Any, *arguments: Any) -> Any:
        found = right(written, *arguments)
        written[written > 1] -= 1
        return found

    monkeypatch.setattr(sweeps, name, wrong)
    key = TableKey(called=4, draws=3)
    made = build_ceiling(tmp_path / "wrong", key=key, threads=1)
    check_table(made, sample=0)
    with pytest.raises(CertificateError, match="exact fractions"):
        check_table(made, sample=200)


def test_too_little_memory_is_refused_before_work(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = table(called=4, draws=4, all_layers=True)
    monkeypatch.setattr(build, "available_memory", lambda: 10**6)
    with pytest.raises(FileError, match="1.0 MB of memory available, this takes 0.4 GB"):
        check_table(made)
    check_table(made, sample=4, rebuild=False)
    for sample in (-1, 10**30):
        with pytest.raises(ArgumentError, match="expected 0..1000000"):
            check_table(made, sample=sample)


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_plain_complete_hands_are_those_of_the_package(tiles: TileSet) -> None:
    layout = make_layout(tiles, 5)
    hands = [layout.hand(number).tolist() for number in range(0, layout.num_states, 5)]
    plain = [is_complete(tuple(hand), tiles) for hand in hands]
    assert plain == (mjopt.label(hands, called=3, tiles=tiles) == 0).tolist()
    assert any(plain)
    wins = [
        "11122233344455s",
        "1112223334445s5m",
        "11112345678999m",
        "22333344445556p",
        "1122334455667m",
    ]
    for text in [*wins, "22333344445567p", "11m22233344455s1p", "112233445566m77p"]:
        held = text.replace("m", "p") if tiles is SANMA else text  # it lacks 2m to 8m
        hand = mjopt.Hand.parse(held, tiles=tiles)
        if hand.is_full:
            assert is_complete(hand.counts, tiles) == mjopt.is_win(hand)
