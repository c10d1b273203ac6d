"""The stored matches of a browser: its hands, its results and its rating."""

from functools import lru_cache

from mjopt.errors import FileError
from mjopt.play.game.record import Record
from mjopt.play.matches.match_session import YOU, MatchSession
from mjopt.play.matches.match_store import Matches
from mjopt.play.matches.rating import RatingHistory, rate_matches
from mjopt.play.matches.results import PersonalResults, personal_results
from mjopt.play.riichi.record import RiichiRecord, read_line


def own_hands(matches: Matches, owner: str) -> list[tuple[str, int]]:
    """Return the finished hands of a browser as records, each with its seat, the last first."""
    sessions = _whole_matches(matches, owner)
    return [(line, each.seat) for each in sessions for line in reversed(each.match.lines)]


def _whole_matches(matches: Matches, owner: str) -> list[MatchSession]:
    """Return a browser's matches, the last played first, without hands begun at a position."""
    sessions = [one.session for one in matches.of(owner)[0]]
    return [session for session in sessions if not session.setting.position]


@lru_cache(maxsize=64)
def own_results(lines: tuple[str, ...]) -> PersonalResults:
    """Return the results of the person over records; invalid lines do not count."""
    return personal_results(filter(None, map(_read, lines)), YOU)


def _read(line: str) -> Record | RiichiRecord | None:
    try:
        return read_line(line)
    except FileError:
        return None


def own_rating(matches: Matches, owner: str) -> RatingHistory:
    """Return the rating of a browser's person after each of its finished matches."""
    played = [session.match for session in reversed(_whole_matches(matches, owner))]
    return rate_matches(
        [[*zip(m.names, m.standing, strict=True)] for m in played if m.is_over], YOU
    )
