"""The page: look at a hand, play a match, watch a game, in a browser on this machine."""
