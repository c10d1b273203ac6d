"""The page of a whole game, and how much it weighs."""

from mjopt.play.review.api import review_games
from mjopt.play.serve.review_file import review_page

MOST_BYTES = 3_000_000


def test_the_page_of_the_longest_game_is_small(longest):
    found = review_games([("", 1, longest)])
    page = review_page(found)
    assert page.count('<section class="step"') == len(found.judged.discards) >= 811
    assert len(page.encode()) <= MOST_BYTES
