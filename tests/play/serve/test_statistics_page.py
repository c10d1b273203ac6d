"""The statistics page: published and reproduced win rates, and personal results."""

import re
from pathlib import Path

from helpers.watched_games import browsing, record

from mjopt.play.game.record import read_record
from mjopt.play.serve.game_library import OwnRecord, own_record
from mjopt.play.serve.statistics_page import measured_results
from mjopt.play.tournaments.config import PRESETS

DOCS = Path(__file__).parents[3] / "docs" / "results" / "gmjbg.md"


def test_results_equal_those_of_the_docs() -> None:
    rows = re.findall(
        r"^\| (L1 L. L1 L2|the literal|nearest)[^|]*\|(.*)\|$", DOCS.read_text(), re.M
    )
    assert len(rows) == 6
    results = iter(measured_results().values())
    for number, (_, cells) in enumerate(rows):
        numbers = [float(one) for one in re.findall(r"[\d.]+", cells)]
        expected = (tuple(numbers[0:8:2]), tuple(numbers[1:8:2]), numbers[8])
        if number % 3:
            counts = next(results)
            games = counts.games
            shares = [[round(100 * n / games, 1) for n in side] for side in counts[:2]]
            assert (*map(tuple, shares), round(100 * counts.drawn / games, 1)) == expected
        else:
            preset = PRESETS[f"gmjbg-table-{number // 3 + 1}"]
            assert (preset.wins, preset.own_draws, preset.drawn) == expected


def test_the_page_shows_published_and_our_results() -> None:
    with browsing() as client:
        page = client.get("/statistics").text
        for text in ("24.0 (4.7)", "18.1 (4.3)", "37.7 (10.5)", "37.4 to 38.0", "51.6"):
            assert text in page
        assert "mjopt battle gmjbg-table-2-nearest --seed 2017" in page


def test_personal_record_matches_the_stored_games(tmp_path: Path) -> None:
    lines = [record("gmjbg", game, "deficiency l3 deficiency l3") for game in range(8)]
    named = [re.sub(r"names=\S+", "names=you,l3,b,l2", line) for line in lines]
    (tmp_path / "mine.txt").write_text("\n".join([*named, "damaged", ""]))
    (tmp_path / "theirs.txt").write_text("\n".join(lines))
    found = own_record(tmp_path, "you")
    records = [read_record(line) for line in named]
    assert found == OwnRecord(
        hands=8,
        wins=sum("0H" in line.split("moves=")[1] for line in named),
        own_draws=sum("0H" in line.split("moves=")[1] and "end=own-draw" in line for line in named),
        drawn=sum(each.ending == "wall empty" for each in records),
        points=sum(each.scores[0] for each in records),
    )
    assert found.wins
    with browsing(games=tmp_path) as client:
        assert f"8 hands: {found.wins} won" in client.get("/statistics").text
    with browsing() as client:
        assert "No finished hand is kept" in client.get("/statistics").text
