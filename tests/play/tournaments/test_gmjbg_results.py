"""The published and the repeated results of GMJBG in the docs."""

import json
import re
from pathlib import Path

from mjopt.play.tournaments.config import PRESETS

DOCS = Path(__file__).parents[3] / "docs" / "results"


def test_table_has_the_published_shares_and_the_counts_of_our_games() -> None:
    document = json.loads((DOCS / "reproduction" / "gmjbg.json").read_text(encoding="utf-8"))
    page = (DOCS / "gmjbg.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (L1 L. L1 L2|the literal|nearest)[^|]*\|(.*)\|$", page, re.M)
    assert len(rows) == 6
    counts = iter(document["presets"].values())
    for number, (_, cells) in enumerate(rows):
        numbers = [float(one) for one in re.findall(r"[\d.]+", cells)]
        shown = (tuple(numbers[0:8:2]), tuple(numbers[1:8:2]), numbers[8])
        if number % 3:
            ours, games = next(counts), document["games"]
            shares = [[round(100 * n / games, 1) for n in ours[k]] for k in ("wins", "own_draws")]
            assert (*map(tuple, shares), round(100 * ours["drawn"] / games, 1)) == shown
        else:
            preset = PRESETS[f"gmjbg-table-{number // 3 + 1}"]
            assert (preset.wins, preset.own_draws, preset.drawn) == shown
