"""Other packages on awkward and random hands; skipped if not installed."""

import random
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
from helpers.support import AWKWARD, deal

from mjopt import FULL, Hand
from mjopt.audits.packages.adapters import (
    ALL_FORMS,
    PEERS,
    MissingExtraError,
    Peer,
    peer_rows,
)
from mjopt.audits.packages.causes import true_deficiency
from mjopt.errors import HandError


@pytest.fixture(params=PEERS)
def peer(request: pytest.FixtureRequest) -> Peer:
    if find_spec(request.param) is None:
        # The extra `test` installs all of them; other environments may lack one.
        pytest.skip(f"{request.param} is not installed")
    return PEERS[request.param]


def test_packages_are_right_on_awkward_hands(peer: Peer) -> None:
    for forms in peer.choices:
        find = peer.finder(forms)
        for known in AWKWARD:
            hand = known.hand.in_full()
            assert find(hand.counts) == true_deficiency(hand, forms), known.text


@pytest.mark.parametrize(("size", "called"), [(14, 0), (13, 0), (11, 1), (7, 2), (5, 3), (1, 4)])
def test_packages_are_right_for_every_size_and_number_of_melds(
    peer: Peer, size: int, called: int
) -> None:
    rng = random.Random(size)
    for forms in peer.choices:
        find = peer.finder(forms)
        for _ in range(30):
            kinds = rng.choice([None, max(5, size // 2)])
            hand = deal(rng, FULL, size=size, called=called, num_kinds=kinds)
            assert find(hand.counts) == true_deficiency(hand, forms), hand.to_text()


def test_packages_know_the_three_forms(peer: Peer) -> None:
    find = peer.finder(peer.choices[-1])
    assert peer.choices[-1] == ALL_FORMS
    for text in ("1133557799m1133p", "19m19p19s12345677z", "123m456p789s11222z"):
        assert find(Hand.parse(text, tiles=FULL).counts) == 0
    assert peer.version


def test_unsupported_forms_are_refused() -> None:
    with pytest.raises(HandError) as error:
        PEERS["riichienv"].check_forms(("standard",))
    forms = "standard,seven_pairs,thirteen_orphans"
    assert str(error.value) == f"riichienv's number covers {forms}, not standard"
    assert PEERS["mahjong"].check_forms(None) == ("standard",)
    assert PEERS["mahjong"].check_forms(("seven_pairs", "standard")) == ("standard", "seven_pairs")


def test_missing_package_is_refused() -> None:
    absent = Peer(name="no_such_mahjong", choices=(ALL_FORMS,), bind=lambda *_: len)
    assert absent.version is None
    with pytest.raises(MissingExtraError) as error:
        absent.finder()
    assert str(error.value) == "no_such_mahjong is not installed: pip install no_such_mahjong"


def test_arguments_and_results_are_converted() -> None:
    """Shanten is one less; riichienv takes tile ids, xiangting the number of players."""
    counts = Hand.parse("11m", tiles=FULL, called=4).counts
    seen: list[object] = []

    def calculate(*arguments: object) -> int:
        seen.append(arguments)
        return -1

    riichienv = SimpleNamespace(calculate_shanten=calculate)
    assert PEERS["riichienv"].bind(riichienv, ALL_FORMS)(counts) == 0
    xiangting = SimpleNamespace(
        calculate_replacement_number=calculate, PlayerCount=SimpleNamespace(FOUR="four")
    )
    assert PEERS["xiangting"].bind(xiangting, ALL_FORMS)(counts) == -1
    assert seen == [([0, 1],), (list(counts), "four")]


def test_error_of_a_package_is_recorded() -> None:
    def refuse(counts: object) -> int:
        raise ValueError("not today")

    [row] = peer_rows([Hand.parse("11m", called=4)], refuse)
    assert (row.theirs, row.written) == (None, "ValueError: not today")
    assert row.hand is not None
    assert row.hand.tiles == FULL
