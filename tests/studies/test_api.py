"""`mjopt.compare`: the same rows as the command, for hands in any accepted form."""

import gc
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import mjopt
from mjopt import Hand
from mjopt.cli.main import execute
from mjopt.errors import MjoptError
from mjopt.hands.tiles import as_tiles
from mjopt.heuristics import NDDE
from mjopt.studies.api import make_config
from mjopt.studies.study import Study

SMALL = {"runs": 2, "seed": 3, "sample": 3, "curves": 1}
HANDS = ["1112345678999m1p", "2344668899m1234p", "11122233344455s"]


@dataclass(frozen=True, kw_only=True)
class Mine(NDDE):
    name = "mine"


def test_rows_equal_those_of_the_command(tmp_path):
    there = tmp_path / "there"
    words = ("--runs", "2", "--seed", "3", "-j", "1")
    hands = ("--hands", "two-type:9", "-o", str(there))
    assert execute(("compare", "ndde", "tree-search", *hands, *words)) == 0
    study = mjopt.compare([NDDE(), "tree-search"], hands="two-type:9", runs=2, seed=3)
    assert study.config == Study(there).config
    for label in study.methods:
        rows = (one.rows("two-type-9", label) for one in (study, Study(there)))
        pd.testing.assert_frame_equal(*rows)
    accuracy = study.results("accuracy").set_index("method")["accuracy"]
    assert accuracy["tree-search"] == 1


def test_the_temporary_folder_is_removed_with_the_study(tmp_path):
    study = mjopt.compare("tree-search", hands="two-type:3", **SMALL)
    folder = study.folder
    assert folder.is_dir()
    del study
    gc.collect()
    assert not folder.exists()
    kept = mjopt.compare("tree-search", hands="two-type:3", **SMALL, folder=tmp_path / "kept")
    assert eval(repr(kept), {"Study": Study}).config == kept.config


@pytest.mark.parametrize("as_given", ["hands", "array", "texts"])
def test_hands_as_objects_arrays_and_texts(as_given):
    hands = [Hand.parse(text) for text in HANDS]
    array = np.array([hand.counts for hand in hands])
    given = {"hands": hands, "array": array, "texts": HANDS}[as_given]
    study = mjopt.compare("tree-search", hands=given, **SMALL)
    assert study.hands("hands")["text"].tolist() == [hand.to_text() for hand in hands]
    assert study.rows("hands", "tree-search")["value"].tolist() == [1, 2, 0]


def test_one_hand_by_its_text():
    (chosen,) = make_config("ndde", HANDS[0]).sets
    assert chosen.counts.tolist() == [list(Hand.parse(HANDS[0]).counts)]


def test_a_method_object_equals_its_text():
    given = NDDE(population=8, generations=4, out_of_range="wrap")
    text = "ndde:population=8,generations=4,out_of_range=wrap"
    assert make_config(given, "two-type:3") == make_config([text], ["two-type:3"])


@pytest.mark.parametrize(
    ("methods", "hands", "words"),
    [
        (["ndde", "ndde:population=20"], "two-type:3", "are the same"),
        ([], "two-type:3", "at least one method"),
        ("ndde", [], "at least one method and one hand set"),
        ("ndde", [Hand.parse("11m", called=4)], "hands row 0: 4 called melds, expected none"),
        ("ndde", [HANDS[0], 7], "hands row 1: 7, expected a Hand"),
        (
            "ndde",
            [HANDS[0], "two-type:3"],
            "a recipe, two-type:3, beside hands, expected only recipes or only hands",
        ),
        ("ndde", [HANDS[0], "12m"], "hands row 1: 2 tiles"),
        ("ndde", ["two-typ:3"], "recipe 'two-typ:3', expected one of one-type"),
        (type("Nowhere", (Mine,), {})(), "two-type:3", "Nowhere"),
        (7, "two-type:3", "methods: 7, expected one or several methods"),
    ],
)
def test_wrong_arguments_are_refused(methods, hands, words):
    with pytest.raises((MjoptError, TypeError), match=words):
        mjopt.compare(methods, hands=hands)


def test_tile_set_is_inferred_from_the_hands():
    """Honours or 34 kinds in the hands select FULL; recipes default to M0."""
    plain, honours = "123m456p789s11223m", "123m456p789s11223z"
    for hands, tiles in (
        ([plain], "M0"),
        ([plain, honours], "FULL"),
        (honours, "FULL"),
        ([[1, 1, 1] * 4 + [2] + [0] * 21], "FULL"),
        ("two-type:2", "M0"),
    ):
        assert make_config("tree-search", hands).tiles == as_tiles(tiles).key
    assert make_config("tree-search", [plain], tiles="full").tiles == as_tiles("full").key


def test_hands_of_three_players_are_studied_with_their_tiles():
    hand = Hand.parse("1199m123456p1122s", tiles="sanma")
    assert make_config(methods=["ndde"], hands=[hand]).tiles == hand.tiles.key
