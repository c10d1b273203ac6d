"""Rules for discards: built-in ones against plain code, and functions of a user's file."""

from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from helpers.ceiling_tables import install_flat_tables
from helpers.surroundings import environment

import mjopt
from mjopt.errors import ArgumentError, FileError, MjoptError
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.play.solitaire.ceiling_play import deal_walls
from mjopt.play.solitaire.discard_rules import RULES, read_rule

OWN_RULE = Path(__file__).parents[3] / "examples" / "own_rule.py"


def deals(number: int, tiles: TileSet = M0, seed: int = 3):
    """Return hands with a drawn tile, and their walls."""
    decks = deal_walls(tiles, number, 14, (seed, 0))
    hands = np.array([np.bincount(deck, minlength=tiles.num_kinds) for deck in decks], np.uint8)
    return hands, (4 - hands).astype(np.uint8)


def choose(name, hands, walls, tiles=M0):
    return read_rule(name, tiles=tiles, draws=18).choose(hands, walls, 18).tolist()


@pytest.mark.parametrize("tiles", [M0, FULL], ids=["m0", "136"])
def test_deficiency_and_useful_tiles_agree_with_the_ranking_of_discards(tiles):
    hands, walls = deals(40, tiles)
    least = choose("deficiency", hands, walls, tiles)
    most = choose("useful", hands, walls, tiles)
    for row, counts in enumerate(hands.tolist()):
        ranked = mjopt.discards(mjopt.Hand.from_counts(counts, tiles=tiles))
        nearest = [row.kind for row in ranked if row.deficiency == ranked[0].deficiency]
        assert least[row] == min(nearest)
        assert most[row] == ranked[0].kind  # ties by the lowest kind


@pytest.mark.parametrize("name", ["second_order", "mixture"])
def test_second_order_rules_agree_with_plain_code(name):
    hands, walls = deals(15)

    assert choose(name.replace("_", "-"), hands, walls) == choose(
        f"{OWN_RULE}:{name}", hands, walls
    )


def test_second_order_only_breaks_ties():
    hands, walls = deals(200)
    useful, second = (choose(name, hands, walls) for name in ("useful", "second-order"))
    differs = [row for row in range(len(hands)) if useful[row] != second[row]]
    assert 10 < len(differs) < 150
    judged = mjopt.discards_many(hands[differs])
    for row, place in enumerate(differs):
        one, other = useful[place], second[place]
        assert judged.deficiency[row, one] == judged.deficiency[row, other]
        assert judged.num_copies[row, one] == judged.num_copies[row, other]


def test_expected_draws_agree_with_their_ranking():
    hands, walls = deals(2)
    for row, counts in enumerate(hands.tolist()):
        means = {r.kind: r.mean for r in mjopt.rank_discards(mjopt.Hand.from_counts(counts))}
        [kind] = choose("draws", hands[row : row + 1], walls[row : row + 1])
        assert float(means[kind]) == pytest.approx(float(min(means.values())))


def test_rules_of_tables_discard_for_the_greatest_value(tmp_path, monkeypatch):
    hands, walls = deals(5)
    best = [np.flatnonzero(hand)[2].item() for hand in hands]
    values = {}
    for hand, kind in zip(hands.tolist(), best, strict=True):
        values[tuple(held - (k == kind) for k, held in enumerate(hand))] = 40_000
    install_flat_tables(monkeypatch, tmp_path, values=values)

    assert choose("ceiling", hands, walls) == best


@pytest.mark.parametrize("name", ["ceiling", "ceiling-lookahead"])
def test_missing_table_is_named_with_the_command(name, tmp_path):
    text = r"no ceiling table \(tiles 136, draws 12, all layers\)"
    with environment(MJOPT_DATA=tmp_path), pytest.raises(FileError, match=text):
        read_rule(name, tiles=FULL, draws=12)


@pytest.mark.parametrize("name", [name for name in RULES if not name.startswith("ceiling")])
def test_rules_discard_a_tile_that_the_hand_holds(name):
    """Also from a hand whose tiles are gone from the wall."""
    hands, _ = deals(3)
    for wall in (np.zeros_like(hands), np.minimum(1, 4 - hands).astype(np.uint8)):
        if wall.any() or name not in ("mixture", "draws"):
            for row, kind in enumerate(choose(name, hands, wall)):
                assert hands[row, kind]


def write(folder: Path, body: str) -> str:
    (folder / "own.py").write_text(f"def rule(hand, wall):\n    {body}\n")
    return f"{folder / 'own.py'}:rule"


@pytest.mark.parametrize(
    "body",
    [
        "return next(kind for kind, held in enumerate(hand.counts) if held)",
        "return min((name for k, name in enumerate(hand.tiles.names) if hand.counts[k]), "
        "key=hand.tiles.names.index)",
        "import numpy; return numpy.flatnonzero(hand.counts)[0]",
    ],
    ids=["kind", "name", "NumPy"],
)
def test_function_returns_a_kind_or_its_name(body, tmp_path):
    hands, walls = deals(4)
    rule = read_rule(write(tmp_path, body), tiles=M0, draws=18)
    expected = (hands > 0).argmax(axis=1).tolist()

    assert rule.choose(hands, walls, 18).tolist() == expected
    assert cloudpickle.loads(cloudpickle.dumps(rule)).choose(hands, walls, 18).tolist() == expected


def test_function_gets_the_wall(tmp_path):
    hands, walls = deals(1)
    body = "assert isinstance(wall, tuple); raise SystemError(sum(wall))"
    with pytest.raises(ArgumentError, match=r"SystemError: 94 \(line 2\)$"):
        choose(write(tmp_path, body), hands, walls)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return None", "discards None, expected a kind 0..26 that the hand holds, or its name"),
        ("return -1", "discards -1, expected a kind"),
        ("return True", "discards True, expected a kind"),
        ("return '9z'", "discards '9z', expected a kind"),
        ("return hand.counts.index(0)", "expected a kind 0..26 that the hand holds"),
        ("return [3]", r"discards \[3\], expected a kind"),
        ("return 1 / 0", r"ZeroDivisionError: division by zero \(line 2\)"),
    ],
)
def test_wrong_answers_are_one_line(body, message, tmp_path):
    hands, walls = deals(1)
    with pytest.raises(ArgumentError, match=message) as caught:
        choose(write(tmp_path, body), hands, walls)
    assert "\n" not in str(caught.value)
    assert mjopt.Hand.from_counts(hands[0].tolist()).to_text() in str(caught.value)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (
            "best",
            ArgumentError,
            "rule 'best': unknown, expected deficiency, useful, .* or FILE.py:FUN",
        ),
        ("own.py", ArgumentError, "rule 'own.py': unknown"),
        ("missing.py:rule", FileError, "missing.py: no such file"),
        ("own.py:other", FileError, "own.py has no function 'other', expected one of rule"),
        ("own.py:Path", FileError, "own.py has no function 'Path', expected one of rule"),
    ],
)
@pytest.mark.usefixtures("in_tmp_path")
def test_unknown_rules_are_refused(text, kind, message, tmp_path):
    (tmp_path / "own.py").write_text("from pathlib import Path\ndef rule(hand, wall): return 0\n")
    with pytest.raises(kind, match=message):
        read_rule(text, tiles=M0, draws=18)


def test_version_follows_the_code(tmp_path):
    before = read_rule(write(tmp_path, "return 0"), tiles=M0, draws=18).version
    after = read_rule(write(tmp_path, "return 1"), tiles=M0, draws=18).version
    assert before != after
    assert before == read_rule(write(tmp_path, "return 0"), tiles=M0, draws=18).version


def test_errors_descend_from_one():
    assert issubclass(ArgumentError, MjoptError)
