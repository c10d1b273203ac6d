"""No page of a match contains information hidden from the person before a hand ends."""

import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from helpers.browsing import Wire
from helpers.table_talk import simple, word

from mjopt.play.game import GAME_RULES, GMJBG
from mjopt.play.game.record import to_numbers
from mjopt.play.game.table import GameTable
from mjopt.play.matches.match_session import MatchSettings, play_move, start_session
from mjopt.play.matches.match_store import Matches, MatchView
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings, Site
from mjopt.play.serve.match_view import match_context
from mjopt.play.serve.tiles import tile_words


def shuffled(session, rng):
    """Return a session with the same view for the person but other hidden tiles."""
    state, seat = session.state, session.seat
    front, end = state.front, len(state.wall) - state.back
    hidden = list(state.wall[front:end])
    others = [other for other in range(4) if other != seat]
    for other in others:
        hidden += [kind for kind, held in enumerate(state.hands[other]) for _ in range(held)]
    rng.shuffle(hidden)
    hands = list(state.hands)
    for other in others:
        taken = [hidden.pop() for _ in range(sum(state.hands[other]))]
        hands[other] = tuple(taken.count(kind) for kind in range(len(state.hands[other])))
    wall = (*state.wall[:front], *hidden, *state.wall[end:])
    return replace(session, seed=1, table=GameTable(replace(state, wall=wall, hands=tuple(hands))))


@pytest.mark.parametrize("hints", ["", "l3", "deficiency:method=ndde"])
def test_hidden_tiles_change_no_byte_of_the_page(hints):
    site, rng = Site(Settings()), random.Random(4)
    around = {"name": "x", "message": "", "watch": ""}
    for rules in GAME_RULES:
        setting = MatchSettings(rules=rules, players=("l3", "l2", "l3"), hints=hints)
        session = start_session(setting, 9)
        for _ in range(6 if hints else 20):
            if session.state.is_over:
                break
            pages = {
                site.render("play.html", here="/play", **match_context(seen), **around)
                for seen in (
                    MatchView(session, 4.0, None),
                    MatchView(shuffled(session, rng), 4.0, None),
                    MatchView(shuffled(session, rng), 4.0, None),
                )
            }
            assert len(pages) == 1
            session = play_move(session, simple(session))
    site.close()


TILE_NAME = re.compile(rb"(?<![0-9a-zA-Z_-])([1-9])([mpsz])(?![0-9a-zA-Z_-])")
WORDS = {tile_words(name).encode(): name for name in GMJBG.tiles.names}
TILE_IN_WORDS = re.compile(b"|".join(sorted(WORDS, key=len, reverse=True)))


def mentioned(sent):
    """Return every tile mentioned in some bytes, by name or in words."""
    found = {match[1].decode() + match[2].decode() for match in TILE_NAME.finditer(sent)}
    return found | {WORDS[words] for words in TILE_IN_WORDS.findall(sent)}


def check_sent(sent, session):
    """Fail if the bytes contain more than the person may see."""
    state, seat = session.state, session.seat
    names = state.table.rules.tiles.names
    seen = [a + b for a, b in zip(state.table.shown, state.hands[seat], strict=True)]
    visible = {names[kind] for kind, copies in enumerate(seen) if copies}
    assert mentioned(sent) <= visible
    # An offered tile is shown in its discard row and once or twice more.
    page = re.sub(rb'<p class="(calls|offer).*?</p>', b"", sent, flags=re.DOTALL)
    page = re.sub(rb'<svg class="tile said".*?</svg>', b"", page)  # again in sentences
    for name, copies in Counter(re.findall(rb"tiles\.svg#(\w+)", page)).items():
        if name == b"back":
            continue
        assert copies <= seen[names.index(name.decode())]
    assert str(session.seed).encode() not in sent
    assert f"{session.seed:x}".encode() not in sent
    hidden = state.wall[state.front :]
    for at in range(len(hidden) - 4):
        assert to_numbers(hidden[at : at + 4], state.table.rules.tiles).encode() not in sent


def test_no_hidden_information_is_sent_in_twelve_games():
    """No response before the end of a hand contains information hidden from the person."""
    seeds = iter(random.Random(15).sample(range(2**62, 2**63), 999))
    made = Matches(new_seed=seeds.__next__)
    wire, games, num_bytes, name = Wire(make_app(Settings(), matches=made)), 0, 0, ""
    while games < 12:
        session = made.look(name).session if name else None
        if session is None or session.match.is_over:
            rules = ("gmjbg", "m0", "jj")[games % 3]
            form = f"rules={rules}&player1=l3&player2=deficiency&player3=deficiency"
            status, sent = wire.ask("POST", "/play", form.encode())
            assert status == 303
            name = re.search(rb"/play/([\w-]{22}\.[\w-]{22})", sent)[1].decode()
            check_sent(sent, made.look(name).session)
        else:
            if session.state.is_over:
                body = f"number={session.number}&next=1"
            else:
                move = word(session, simple(session)).replace(" ", "+")
                body = f"number={session.number}&move={move}"
            for ask in (
                ("POST", f"/play/{name}", body.encode()),
                ("GET", f"/play/{name}"),
                *[("GET", f"/play/{name}/records.txt")] * (session.num_own_moves % 8 == 5),
                *[("GET", "/play")] * (session.num_own_moves == 6),
            ):
                status, sent = wire.ask(*ask)
                now = made.look(name).session
                assert status == (303 if ask[0] == "POST" else 200)
                if now.state.is_over:
                    games += ask[0] == "POST"
                    continue
                num_bytes += len(sent)
                if "records" in ask[1]:  # records of ended hands are complete
                    assert str(now.seed).encode() not in sent
                    assert sent.count(b"game1 ") == len(now.match.lines)
                elif ask[1] != "/play":
                    check_sent(sent, now)
                else:
                    assert not mentioned(sent)
    wire.close()
    assert num_bytes > 400_000


def test_leak_check_detects_leaks():
    """The leak check fails on an extra tile, the seed or the wall."""
    session = start_session(MatchSettings(players=("l1",) * 3), 2**62 + 5)
    state, tiles = session.state, GMJBG.tiles
    unseen = next(kind for kind, held in enumerate(state.hands[0]) if not held)
    held = next(kind for kind, held in enumerate(state.hands[0]) if held == 1)
    check_sent(b"nothing", session)
    name = tiles.names[held]
    check_sent(f'<use href="/static/tiles.svg#{name}"/>'.encode(), session)
    for leak in (
        f"#{tiles.names[unseen]}",
        f'aria-label="{tile_words(unseen)}"',
        f'<use href="/static/tiles.svg#{name}"/>' * 2,
        str(session.seed),
        to_numbers(state.wall[60:70], tiles),
    ):
        with pytest.raises(AssertionError):
            check_sent(leak.encode(), session)


def test_riichi_shows_only_what_the_person_sees():
    """Pages of a hand in play name no tile, nor more copies of one, than the person may see."""
    pytest.importorskip("jansou")
    made = Matches(new_seed=iter(range(70, 99)).__next__)
    wire, num_pages = Wire(make_app(Settings(), matches=made)), 0
    status, sent = wire.ask("POST", "/play", b"rules=riichi&player1=l3&player2=l2&player3=l1")
    assert status == 303
    name = re.search(rb"/play/([\w-]{22}\.[\w-]{22})", sent)[1].decode()
    while not (session := made.look(name).session).state.is_over:
        status, sent = wire.ask("GET", f"/play/{name}")
        assert status == 200
        state, names = session.state, session.match.rules.tiles.names
        seen = [a + b for a, b in zip(state.table.shown, state.hands[0], strict=True)]
        assert mentioned(sent) <= {names[kind] for kind, copies in enumerate(seen) if copies}
        board = re.sub(rb'<p class="(calls|offer).*?</p>', b"", sent, flags=re.DOTALL)
        board = re.sub(rb'<svg class="tile said".*?</svg>', b"", board)
        shown = Counter(re.findall(rb"tiles\.svg#(\d\w)", board))
        for kind, own in enumerate(names):
            red = f"0{own[1]}" if own[0] == "5" and own[1] != "z" else ""
            assert shown[own.encode()] + shown[red.encode()] <= seen[kind]
        made.play(name, session.number, word(session, session.default()))
        num_pages += 1
    assert num_pages > 5
    wire.close()
