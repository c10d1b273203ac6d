"""
Your own agent
==============

A class that plays, and a battle that measures its strength. The picture needs
``pip install 'mjopt[experiments]'``.
"""

import matplotlib.pyplot as plt
import numpy as np

import mjopt
from mjopt.play.game import Action, Move, View
from mjopt.play.tournaments import compare, summarise


class Collector:
    """Collect pairs and pongs: discard a rarest kind of the hand, and call every pong."""

    name = "collector"

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return one of the legal moves. The observation contains only what the seat may see."""
        for wanted in (Action.WIN, Action.PONG):
            for move in moves:
                if move.action is wanted:
                    return move
        discards = [move for move in moves if move.action is Action.DISCARD]
        if not discards:
            return moves[-1]  # a tile of another seat: pass
        fewest = min(view.hand[move.kind] for move in discards)
        lone = [move for move in discards if view.hand[move.kind] == fewest]
        return lone[int(rng.integers(len(lone)))]


def main() -> None:
    battle = mjopt.play.battle([Collector, "l1", Collector, "l3"], seed=2017, games=50)
    _, axes = plt.subplots(figsize=(6, 2.4), layout="constrained")
    for side in summarise(battle).sides:
        low, high = side.mean
        print(
            f"{side.name}: wins {side.win_rate:.1%} of {side.played} games, "
            f"{side.points_a_game:+.3f} points a game ({low:+.3f} to {high:+.3f})"
        )
        spread = [[side.points_a_game - low], [high - side.points_a_game]]
        axes.errorbar(side.points_a_game, side.name, xerr=spread, fmt="o", capsize=4, color="C0")
    axes.set(xlabel="points a game, with 95 % intervals")
    axes.margins(y=0.3)
    for pair in compare(battle, tests=False):
        print(f"{pair.first} less {pair.second}: {pair.difference:+.3f} points a game")


if __name__ == "__main__":
    main()
    plt.show()
