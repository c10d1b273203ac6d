"""`--rules riichi` in `mjopt play`, and its records in `mjopt replay`."""

import json

import pytest

pytest.importorskip("jansou")


def test_a_hand_at_the_terminal(mjopt, tmp_path):
    path = tmp_path / "games.txt"
    words = ("--rules", "riichi", "--number", "1", "--seed", "3", "--records", str(path))
    # Every kind is tried in turn until one can be discarded.
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
    lines = ["", *kinds, *[f"{rank}z" for rank in range(1, 8)]] * 30
    ran = mjopt("play", "l1", "l2", "l3", *words, stdin="\n".join(lines))
    assert ran.status == 0
    assert "East 1, counter 0, deposits 0, indicators 8s" in ran.out
    assert mjopt("replay", str(path)).out.startswith("1 games replayed")
    shown = mjopt("replay", str(path), "--show", "1").out
    assert shown.startswith("riichi, dealer seat 1\nseat 1 you: ")
    messages = tmp_path / "game.mjson"
    assert mjopt("replay", str(path), "-o", str(messages)).status == 0
    assert json.loads(messages.read_text().splitlines()[0])["rules"] == "riichi"
    page = tmp_path / "game.html"
    assert mjopt("replay", str(path), "-o", str(page)).status == 0
    assert "East 1" in page.read_text(encoding="utf-8")
