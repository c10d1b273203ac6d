"""Time of one call for one hand, from Python, given as an object, as text or as counts."""

from importlib import import_module

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import mjopt
from mjopt import Hand
from paired import Comparison, Side, installed, measure
from test_tables_label import FORMS, deal, peer_call

PEERS = ("xiangting", "mahjong")


@pytest.mark.claim
def test_calls(benchmark: BenchmarkFixture, quick: bool) -> None:
    number, size = (10, 100) if quick else (500, 50_000)
    counts = deal(34, 50_000)[:size].tolist()
    texts = [Hand.from_counts(hand).to_text() for hand in counts]
    hands = [Hand.parse(text, tiles="136") for text in texts[:number]]
    expected = [mjopt.deficiency(hand, forms=FORMS) for hand in hands]
    assert mjopt.label(texts, forms=FORMS)[:number].tolist() == expected
    sides = [
        Side(
            name="mjopt.deficiency of a Hand",
            run=lambda _: [mjopt.deficiency(hand, forms=FORMS) for hand in hands],
            units=number,
            note="a call for each hand",
        ),
        Side(
            name="mjopt.deficiency of a text",
            run=lambda _: [mjopt.deficiency(text, forms=FORMS) for text in texts[:number]],
            units=number,
            note="a call for each hand",
        ),
        Side(
            name="mjopt.Hand.parse",
            run=lambda _: [Hand.parse(text) for text in texts[:number]],
            units=number,
            note="reading a text alone",
        ),
        Side(
            name="mjopt.label of texts",
            run=lambda _: mjopt.label(texts, forms=FORMS),
            units=len(texts),
            note="a list of texts in one call",
        ),
    ]
    present, absent = installed(PEERS)
    for name, title in present.items():
        call = peer_call(name, counts[:number])
        assert call(0) == expected, name
        sides.append(Side(name=f"{title}, counts", run=call, units=number, note="counts given"))
    if "mahjong" in present:
        convert = import_module("mahjong.tile").TilesConverter.one_line_string_to_34_array
        find = import_module("mahjong.shanten").Shanten().calculate_shanten
        title = f"{present['mahjong']}, text"

        def read_and_find(_: int) -> list[int]:
            return [find(convert(text)) + 1 for text in texts[:number]]

        assert read_and_find(0) == expected
        sides.append(Side(name=title, run=read_and_find, units=number, note="a text given"))
    compared = Comparison(
        claim="calls", unit="hand", sides=sides, base=sides[0].name, absent=absent
    )
    measure(benchmark, compared, rounds=2 if quick else 20)
