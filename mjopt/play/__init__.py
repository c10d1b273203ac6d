"""Everything that plays: games, reviews, tournaments, solitaire, mjai, learning, the page."""
