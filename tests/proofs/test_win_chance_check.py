"""The checker of win-chance certificates against brute force over (hand, wall)."""

import copy
import gzip
import json
import random
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from adversarial.certificates import judged
from adversarial.play import (
    CHANGES,
    false_claim,
    fault,
    forged,
    greedy,
    left_out,
    made,
    mutant,
    other_version,
    other_weights,
)
from helpers.support import deal
from helpers.tiny_certificates import standard_forms, states_of
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from reference_implementations.win_chance import ONE, World, certificate, chance, tiny_worlds

import mjopt
from mjopt import FULL, M0, SANMA, TILE_SETS
from mjopt.analysis.formats import verify_files
from mjopt.errors import CertificateError
from mjopt.proofs.limits import Limits, StepCounter
from mjopt.proofs.win_chance_check import VerifiedWinChance, _reachable_states, verify_win_chance
from mjopt.proofs.win_chance_file import MAX_DEPLETION_STATES, read_win_chance_file

SMALL = certificate(next(tiny_worlds(random.Random(3))))
NARROW = World((1, 0, 0, 1, 0, 2) + (0,) * 21, 3, (3, 0, 0, 0, 0, 1) + (0,) * 21, 4, 0)
GUIDED = certificate(next(tiny_worlds(random.Random(3))), weigh=lambda: 7)


def proved(document: Any, **limits: int) -> VerifiedWinChance:
    return verify_win_chance(json.dumps(document), Limits(**limits))


def deficiencies(hands: np.ndarray, tiles: mjopt.TileSet, called: int) -> np.ndarray:
    return standard_forms(tiles, called).of(hands)[0]


def plainly(hands: np.ndarray, tiles: mjopt.TileSet, called: int) -> list[int]:
    return [
        mjopt.deficiency(mjopt.Hand.from_counts(hand, tiles=tiles, called=called))
        for hand in hands.tolist()
    ]


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("called", range(5))
def test_deficiency_of_random_hands_matches_brute_force(tiles, called):
    rng = random.Random(called)
    suits = (2, 3) if tiles is SANMA else (1, 2, 3)  # two kinds are too few for a hand
    for size in (13, 14):
        dealt = [
            deal(rng, tiles, size=size - 3 * called, suits=rng.choice(suits), called=called)
            for _ in range(60)
        ]
        hands = np.array([hand.counts for hand in dealt])
        assert deficiencies(hands, tiles, called).tolist() == plainly(hands, tiles, called)


def test_deficiency_of_one_suit_hands_matches_brute_force():
    """Hands of four and five tiles, by enumeration of all combinations."""
    for called, size in ((3, 4), (3, 5), (4, 2)):
        chosen = combinations_with_replacement(range(9), size)
        held = np.array([[one.count(rank) for rank in range(9)] for one in chosen])
        held = held[held.max(axis=1) <= 4]
        hands = np.zeros((len(held), 34), np.int64)
        hands[:, 9:18] = held
        assert deficiencies(hands, FULL, called).tolist() == plainly(hands, FULL, called)


def test_every_certificate_is_accepted_and_true():
    is_tight = is_any = 0
    for document in made():
        accepted = proved(document)
        assert false_claim(accepted) is None
        is_any += accepted.is_unconditional
        is_tight += sum(one.upper - one.lower < 100 for one in accepted.file.claims)
        short = document | {"upper": "recomputed", "lower": "recomputed"}
        assert proved(short).file.claims == accepted.file.claims
        one_side = [one | {"upper": None} for one in document["claims"]]
        assert not proved(document | {"upper": None, "claims": one_side}).is_unconditional
        one_side = [one | {"lower": None} for one in document["claims"]]
        proved(document | {"lower": None, "policy": None, "claims": one_side})
    assert is_any > 5
    assert is_tight > 5


def refusal(document: Any, **limits: int) -> str:
    with pytest.raises(CertificateError) as caught:
        proved(document, **limits)
    return str(caught.value)


def test_hand_of_13_tiles_has_one_claim_without_discard():
    """Thirteen tiles, or four tiles with three called melds: one claim without a discard."""
    world = World((1, 1, 0, 1, 1) + (0,) * 22, 3, (2, 0, 2) + (0,) * 24, 3, 0)
    document = certificate(world)
    [claim] = proved(document).file.claims
    assert claim.discard == -1
    assert claim.lower <= chance(world, -1, in_class=False) * ONE <= claim.upper
    other = document | {"claims": [document["claims"][0] | {"discard": 0}]}
    assert refusal(other).startswith("claims[0].discard: ")


def test_upper_bound_of_waste_0_fails_for_all_play():
    """Hand 12334, wall of nine tiles: the upper bound of waste 0 does not hold for all play."""
    wall = (1, 1, 1, 1, 3, 2) + (0,) * 21
    world = World((1, 1, 2, 1) + (0,) * 23, 3, wall, 5, 0)
    accepted = proved(certificate(world))
    best = max(chance(world, one.discard, in_class=False) for one in accepted.file.claims)
    assert not accepted.is_unconditional
    assert max(one.upper for one in accepted.file.claims) < best * ONE
    assert proved(certificate(world._replace(waste=4))).is_unconditional


def is_refused_or_true(document: Any) -> bool:
    """Return whether a document is refused; one that is accepted must be true."""
    accepted = []

    def check() -> str | None:
        accepted.append(proved(document))
        return false_claim(accepted[0])

    assert judged(check) is None
    return not accepted


@pytest.mark.parametrize("change", dict.fromkeys(CHANGES), ids=lambda change: change.__name__)
def test_changed_field_is_refused_or_true(change):
    """A document that is accepted after one change is true; most are refused."""
    rng, refused = random.Random(change.__name__), 0
    for document in made():
        other = copy.deepcopy(document)
        with suppress(LookupError, TypeError, ValueError):  # this document lacks the field
            change(other, rng)
        refused += is_refused_or_true(other)
    assert refused > (5 if change not in (left_out, greedy, other_version, other_weights) else -1)


@pytest.mark.parametrize("number", [100, pytest.param(200, marks=pytest.mark.slow)])
def test_random_mutants_prove_nothing_false(number):
    rng = random.Random(11)
    for _ in range(number):
        assert fault(mutant(rng, made())) is None


def test_forged_numbers_are_refused():
    """Each forged certificate violates only one kind of inequality."""
    assert sum(map(is_refused_or_true, forged())) > 12


BAD: dict[str, Callable[[dict[str, Any]], Any]] = {
    "not the wall": lambda one: one | {"wall": [*one["wall"][1:], 5]},
    "true is no number": lambda one: one | {"called": True},
    "a float": lambda one: one | {"waste": 1.0},
    "not the scale": lambda one: one | {"scale": 47},
    "huge bound": lambda one: one | {"upper": [[10**500] * len(row) for row in one["upper"]]},
    "huge loss": lambda one: one | {"lower": one["lower"] | {"b": [
        [{"0": 2**62}] * len(row) for row in one["lower"]["b"]]}},
    "state of letters": lambda one: one | {"states": ["x" * 27, *one["states"][1:]]},
    "states as numbers": lambda one: one | {"states": [[0] * 27 for _ in one["states"]]},
    "other digits": lambda one: one | {"states": ["٣" * 27, *one["states"][1:]]},
    "state too short": lambda one: one | {"states": [one["states"][0][1:], *one["states"][1:]]},
    "no states": lambda one: one | {"states": []},
    "no claims": lambda one: one | {"claims": []},
    "two claims of one": lambda one: one | {"claims": one["claims"] * 2},
    "state of a claim": lambda one: one | {"claims": [one["claims"][0] | {"state": 10**30}]},
    "negative index": lambda one: one | {"claims": [one["claims"][0] | {"state": -1}]},
    "more in the wall than there are": lambda one: one | {"wall": [4] * 27},
    "more draws than tiles": lambda one: one | {"draws": 137},
    "no draws": lambda one: one | {"draws": 0},
    "same as nothing": lambda one: one | {"policy": [["same"] * one["draws"]] * len(one["states"])},
    "policy without bounds": lambda one: one | {"lower": None},
    "neither": lambda one: one | {"lower": None, "policy": None, "upper": None},
    "other forms": lambda one: one | {"forms": ["standard", "seven_pairs"]},
    "unknown key": lambda one: one | {"note": 1},
    "nested": lambda one: one | {"states": [[[[]]]]},
}  # fmt: skip


BAD_GUIDED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no weights": lambda one: {key: value for key, value in one.items() if key != "weights"},
    "weights of version 1": lambda one: one | {"version": 1},
    "a version to come": lambda one: one | {"version": 4},
    "true is no version": lambda one: one | {"version": True},
    "weights too few": lambda one: one | {"weights": one["weights"][1:]},
    "weights too short": lambda one: one | {"weights": [w[1:] for w in one["weights"]]},
    "weights of letters": lambda one: one | {"weights": ["x" * 27 for _ in one["weights"]]},
    "a table of T1": lambda one: one | {"upper": one["upper"]["a"]},
    "huge charge": lambda one: one | {"upper": one["upper"] | {"b": [
        [{"0": 2**49}] * len(row) for row in one["upper"]["b"]]}},
    "huge bound": lambda one: one | {"upper": one["upper"] | {"a": [
        [2**50] * len(row) for row in one["upper"]["a"]]}},
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_malformed_certificates_are_refused(name):
    assert len(refusal(BAD[name](SMALL)).splitlines()) == 1


@pytest.mark.parametrize("name", BAD_GUIDED)
def test_malformed_certificates_of_version_2_are_refused(name):
    proved(GUIDED)
    assert len(refusal(BAD_GUIDED[name](GUIDED)).splitlines()) == 1


def test_certificates_of_version_2_have_few_states():
    """A check of one with many would take gigabytes."""
    assert MAX_DEPLETION_STATES == 10_000
    plain = SMALL | {"states": SMALL["states"][:1] * (MAX_DEPLETION_STATES + 1)}
    assert not refusal(plain).startswith("states: ")
    one = GUIDED["states"][0]
    states = GUIDED["states"] + [one] * (MAX_DEPLETION_STATES - len(GUIDED["states"]))
    message = f"states: {MAX_DEPLETION_STATES + 1:,}, expected at most {MAX_DEPLETION_STATES:,}"
    assert refusal(GUIDED | {"states": [*states, one]}).startswith(message)
    assert not refusal(GUIDED | {"states": states}).startswith("states: ")


def test_charges_tighten_the_bounds_of_version_1():
    """Charges never weaken the bounds for any weights, and in some worlds tighten them strongly."""
    rng, gained = random.Random(5), 0
    worlds = tiny_worlds(rng)
    for _ in range(40):
        world = next(worlds)
        plain, guided = certificate(world), certificate(world, weigh=lambda: rng.randrange(10))
        for one, two in zip(plain["claims"], guided["claims"], strict=True):
            assert two["upper"] <= one["upper"]
            gained += two["upper"] < one["upper"] - ONE // 100
        assert proved(guided).file.claims
        proved(guided | {"upper": "recomputed", "lower": "recomputed"})
    assert gained > 5


@pytest.mark.parametrize(("limit", "number"), [("bytes", 500), ("steps", 20), ("steps", 2000)])
def test_certificate_beyond_a_limit_is_refused(limit, number):
    document = next(one for one in made() if len(one["states"]) > 5 and one["draws"] > 2)
    assert refusal(document, **{limit: number}).endswith(f"past the limit of {number:,} {limit}")


def test_file_types_are_recognised_and_refused_in_one_line(tmp_path: Path):
    """Recognised by content: text, gzip, truncated, too large, not JSON."""
    text = json.dumps(SMALL, indent=1).encode()
    packed = gzip.compress(text)
    contents = {
        "plain.json": text,
        "packed.json.gz": packed,
        "cut.json.gz": packed[:-20],
        "spoilt.json.gz": packed[:40] + b"\0\0\0\0" + packed[44:],
        "head.json.gz": packed[:3],
        "more.json.gz": packed + b"more",
        "bomb.json.gz": gzip.compress(b'{"format": "mjopt-play"' + b" " * 30_000_000),
        "nan.json": b'{"format": "mjopt-play", "draws": NaN}',
        "deep.json": b'{"format": "mjopt-play", "states": ' + b"[" * 100_000,
        "long.json": b'{"format": "mjopt-play", "draws": ' + b"9" * 5_000 + b"}",
        "twice.json": b'{"format": "mjopt-play", "format": "mjopt-play"}',
        "two.json": text + text,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    reports = {one.paths[0].name: one for one in verify_files([tmp_path / n for n in contents])}
    good, other = reports.pop("plain.json"), reports.pop("packed.json.gz")
    assert good.message == other.message
    assert good.format == other.format == "play"
    assert not any(one.is_accepted for one in reports.values())
    assert all(len(one.message.splitlines()) == 1 for one in reports.values())
    assert {name for name, one in reports.items() if one.status == "unreadable"} == {
        "cut.json.gz", "head.json.gz", "spoilt.json.gz", "more.json.gz",
    }  # fmt: skip


def test_gzipped_json_lines_are_accepted(tmp_path: Path):
    """Gzip accepts any format: here JSON lines with one certificate each."""
    line = mjopt.certify(mjopt.Hand.parse("12m", called=4)).to_json()
    (tmp_path / "many.jsonl.gz").write_bytes(gzip.compress(f"{line}\n{line}\n".encode()))
    [report] = verify_files([tmp_path / "many.jsonl.gz"])
    assert report.message == "2 certificates"


def test_statement_names_hand_wall_draws_and_bounds(tmp_path: Path):
    """One line with hand, wall, draws, class and bounds rounded outwards."""
    world = World((1, 1, 2, 1) + (0,) * 23, 3, (1, 1, 1, 1, 3, 2) + (0,) * 21, 5, 0)
    for waste, words in ((0, "with best discarding within waste 0 at most"),
                         (4, "no way to play wins with more than")):  # fmt: skip
        document = certificate(world._replace(waste=waste))
        path = tmp_path / f"{waste}.json"
        path.write_text(json.dumps(document))
        [report] = verify_files([path])
        head, least, most = report.message.replace(", 5 draws: ", "; ").split("; ")
        assert head == "12334m with 3 called and only 123455566m unseen"
        assert least.startswith("some way to play wins with at least 0.")
        assert most.startswith(f"{words} 0.")
        play = report.to_document()["play"]
        assert play["draws"], play["waste"] == (5, waste)
        assert play["unconditional"] == (waste == 4)
        assert [Fraction(one["lower"]) * ONE for one in play["discards"]] == [
            one["lower"] for one in document["claims"]
        ]


@pytest.mark.parametrize("number", [2, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("waste", [0, 1])
def test_certificates_of_the_search_are_accepted(waste, number):
    """Random hands of 136 tiles: certificates of the search are accepted, tighter ones refused."""
    rng, found = random.Random(waste), 0
    while found < number:
        hand = deal(rng, FULL, suits=rng.choice((1, 2)), size=14)
        if not 1 <= mjopt.deficiency(hand) <= 2:
            continue
        found += 1
        play = mjopt.optimal_play(hand, draws=9, waste=waste)
        throws = [row.kind for row in play.discards if row.kind in play.bounds.graph.roots]
        for with_numbers in (False, True):
            document = play.to_certificate(throws, with_numbers=with_numbers)
            claims = proved(document).file.claims
            for claim, kind in zip(claims, throws, strict=True):
                [row] = [row for row in play.discards if row.kind == kind]
                assert claim.upper == play.bounds.bounds()[kind][1]
                assert Fraction(claim.lower, ONE) <= row.lower
            for name, by in (("lower", 1), ("upper", -1)):
                claims = copy.deepcopy(document["claims"])
                claims[-1][name] += by
                assert refusal(document | {"claims": claims}).startswith("claims[")


@pytest.mark.parametrize("examples", [30, pytest.param(120, marks=pytest.mark.slow)])
def test_search_writes_what_the_checker_accepts(examples):
    """Small worlds with up to as many draws as tiles: accepted, and true by brute force."""

    @settings(max_examples=examples, database=None)
    @given(st.integers(0, 2**32), st.booleans())
    @example(0, True)  # NARROW needs slopes above 2**50
    def is_accepted(seed, with_numbers):
        world = next(tiny_worlds(random.Random(seed), draws=7)) if seed else NARROW
        hand = mjopt.Hand.from_counts(world.hand, tiles=M0, called=world.called)
        play = mjopt.optimal_play(hand, wall=world.wall, draws=world.draws, waste=world.waste)
        roots = play.bounds.graph.roots
        throws = [row.kind for row in play.discards if row.kind in roots]
        assume(throws or -1 in roots)
        proof = play.to_certificate(throws or None, with_numbers=with_numbers)
        assert false_claim(proved(proof)) is None

    is_accepted()


def test_copies_gone_match_brute_force():
    """The copies gone along a policy match brute force over all walls."""
    for document in made()[::2]:
        file = read_win_chance_file(json.dumps(document))
        states = states_of(file)
        reached = _reachable_states(file, states, StepCounter(Limits(), "win chance"))
        met = {(claim.state, file.wall) for claim in file.claims}
        for t, (rows, gone) in enumerate(reached):
            assert {state for state, _ in met} <= set(rows.tolist())
            most = dict(zip(rows.tolist(), gone, strict=True))
            then = set()
            for state, wall in met:
                assert (states.room[state] - wall <= most[state]).all()
                moves = {x: to for at, x, _, to in file.moves[t].tolist() if at == state}
                for drawn in np.flatnonzero(wall).tolist():
                    rest = tuple(w - (kind == drawn) for kind, w in enumerate(wall))
                    then.add((moves.get(drawn, state), rest))
            met = {one for one in then if one[0] >= 0}
