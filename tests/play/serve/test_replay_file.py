"""A game as one self-contained file with every step."""

import re
from collections import Counter
from html import escape
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from helpers.watched_games import record, tiles_on

from mjopt.errors import FileError
from mjopt.play.game import replay_steps
from mjopt.play.serve.replay_file import record_page

MOST_BYTES = 1_500_000
VOID = {"meta", "br", "input", "link"}


class Reader(HTMLParser):
    """Checks the nesting of elements and collects ids and references."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.references: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids[str(value)] += 1
            if name in ("href", "src", "action", "data", "poster", "srcset", "xlink:href"):
                self.references.append(str(value))
            assert not name.startswith("on")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def sections(page: str) -> dict[int, str]:
    """Return the steps of a page by their number."""
    parts = re.split(r'<section class="step" id="step-(\d+)"', page)[1:]
    return {int(number): part for number, part in zip(parts[::2], parts[1::2], strict=True)}


def test_file_contains_every_step_and_needs_no_request() -> None:
    line = record("gmjbg", 2)
    page = record_page(line, title="A game")
    read = Reader(page)
    assert len(page.encode()) < MOST_BYTES
    assert set(read.ids.values()) == {1}
    # Every reference is internal: tiles, the chart, other steps.
    assert read.references
    assert {one.removeprefix("#") for one in read.references} <= set(read.ids)
    assert all(one.startswith("#") for one in read.references)
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page
    steps, shown = list(replay_steps(line)), sections(page)
    assert set(shown) == set(range(len(steps)))
    for at, (state, _) in enumerate(steps):
        names = state.table.rules.tiles.names
        least = Counter({n: k for n, k in zip(names, state.table.shown, strict=True) if k})
        for hand in state.hands:
            least += Counter({n: k for n, k in zip(names, hand, strict=True) if k})
        assert not least - tiles_on(shown[at])
    assert line in page


def test_first_step_is_shown_until_another_is_targeted() -> None:
    page = record_page(record("m0", 0), title="A game")
    # The rule below hides the first step when another is the target, so the first comes last.
    assert ".step:target ~ #step-0 { display: none }" in page
    assert list(sections(page))[-1] == 0


def test_file_of_the_longest_game_is_small_enough() -> None:
    lines = [record("gmjbg", number, "l3 l1 l3 l2") for number in range(6)]
    longest = max(lines, key=len)
    assert len(list(replay_steps(longest))) > 80
    assert len(record_page(longest, title="A long game").encode()) < MOST_BYTES


def test_broken_record_is_shown_up_to_the_error() -> None:
    line = record("m0", 0)
    moves = re.search(r"moves=(\S+)", line)[1]
    page = record_page(line.replace(moves, moves[:200]), title="Cut")
    assert "The next step breaks the rules" in page
    with pytest.raises(FileError):
        record_page("game1 rules=m0", title="None")


def test_player_name_is_escaped() -> None:
    names = quote(",".join(["<b>", "</section>", "&", "'\""]), safe=",")
    page = record_page(re.sub(r"names=\S+", f"names={names}", record("m0", 0)), title="<i>")
    Reader(page)
    assert escape("</section>") in page
    assert "<b> (" not in page
