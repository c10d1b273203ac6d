"""The web page: analyse a hand, play a match, watch a game."""
