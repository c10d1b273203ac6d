"""Measure the danger of discards on games with a player in riichi, and fit the prior to them.

    python -m danger.run positions.parquet
    python -m danger.run my-logs/ another.mjlog

run from the folder `reproduction`, prints the table of docs/results/danger.md. The first form
reads a table of positions, whose columns docs/results/danger.md lists, the second logs of any
format that `mjopt review` reads. Fits are crossed over two halves of the games, and intervals
are those of a bootstrap over games.
"""

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from danger.measures import MEASURES, interval, measures, resamples, sample_of
from danger.models import Floats, Kinds, fitted_weights, kinds_of, predictions
from danger.positions import Positions, ReadyHands, count_hands, read_logs, read_table
from mjopt.chances.danger.ready_counts import WAITS
from mjopt.errors import MjoptError

SEED = 60
DIGITS = (4, 3, 2, 2)
BINS = (-1, 0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 1)
PAIRS = (
    ("exact, riichi-2022", "exact, uniform"),
    ("exact, riichi-2022", "suji classes, fitted"),
    ("exact, weights fitted here", "exact, riichi-2022"),
)


def halves(games: Floats, rng: np.random.Generator) -> Floats:
    """Return for each position whether its game is in the second half, by chance."""
    _, number = np.unique(games, return_inverse=True)
    order = rng.permutation(int(number.max()) + 1)
    return order[number] >= len(order) / 2


def table(found: dict[str, Floats], kinds: Kinds, game: Floats, number: int) -> list[str]:
    """Return the lines of the table of all models, and those of differences of pairs."""
    _, game = np.unique(game, return_inverse=True)
    num_games = int(game.max()) + 1
    times = resamples(num_games, number, np.random.default_rng(SEED))
    ones = np.ones(num_games)
    values, drawn = {}, {}
    for name, chance in found.items():
        sample = sample_of(chance, kinds, game, num_games)
        values[name] = measures(sample, ones)
        drawn[name] = np.array([measures(sample, row) for row in times.astype(np.float64)])
    lines = [f"| model | {' | '.join(MEASURES)} |", "|---|---:|---:|---:|---:|"]
    for name, row in values.items():
        lines.append(f"| {name} | {' | '.join(_cells(row, *interval(drawn[name])))} |")
    lines += ["", f"| difference | {' | '.join(MEASURES)} |", "|---|---:|---:|---:|---:|"]
    for one, two in PAIRS:
        bounds = interval(drawn[one] - drawn[two])
        cells = _cells(values[one] - values[two], *bounds)
        lines.append(f"| {one} less {two} | {' | '.join(cells)} |")
    return lines


def _cells(row: Floats, low: Floats, high: Floats) -> list[str]:
    return [
        f"{value:.{digits}f} [{a:.{digits}f}, {b:.{digits}f}]"
        for value, a, b, digits in zip(row, low, high, DIGITS, strict=True)
    ]


def weights_table(positions: Positions, hands: ReadyHands, second: Floats) -> list[str]:
    """Return the lines of the weights fitted to all positions and to each half."""
    every = np.ones(len(positions.game), np.bool_)
    columns = [fitted_weights(hands, rows) for rows in (every, ~second, second)]
    lines = ["| kind of wait | all | first half | second half |", "|---|---:|---:|---:|"]
    for wait, *weights in zip(WAITS, *columns, strict=True):
        lines.append(f"| `{wait}` | {' | '.join(f'{weight:.3f}' for weight in weights)} |")
    return lines


def calibration(chance: Floats, kinds: Kinds) -> list[str]:
    """Return the lines of a table of the shares that were computed and the waits that were true."""
    lines = ["| share | kinds | mean share, % | true waits, % |", "|---|---:|---:|---:|"]
    for low, high in pairwise(BINS):
        inside = (chance > low) & (chance <= high) if high else chance == 0
        if inside.any():
            name = f"{100 * low:g} to {100 * high:g} %" if high else "0, proved safe"
            lines.append(
                f"| {name} | {inside.sum():,} | {100 * chance[inside].mean():.2f} "
                f"| {100 * kinds.is_wait[inside].mean():.2f} |"
            )
    return lines


def main(words: Sequence[str] | None = None) -> None:
    """Count, fit, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", nargs="+", help="a .parquet file, or logs and folders of logs")
    parser.add_argument("--resamples", type=int, default=1000, help="of the bootstrap")
    parser.add_argument("--several", action="store_true", help="also with two or more in riichi")
    options = parser.parse_args(words)
    try:
        is_table = options.sources[0].endswith(".parquet")
        positions = read_table(Path(options.sources[0])) if is_table else read_logs(options.sources)
    except MjoptError as error:
        parser.error(str(error))
    if not options.several:
        positions = positions.take(positions.num_riichi == 1)
    hands = count_hands(positions)
    kinds = kinds_of(positions)
    second = halves(positions.game, np.random.default_rng(SEED))
    zero = hands.by_kind.sum(axis=1)[kinds.row, kinds.kind] == 0
    furiten = (positions.true_waits & positions.cannot_win_on).any(axis=1)
    with_zero = len(np.unique(kinds.row[zero]))
    print(
        f"{len(np.unique(positions.game))} games, {len(positions.game):,} positions, "
        f"{len(kinds.row):,} kinds held and not safe by rule, "
        f"{100 * kinds.is_wait.mean():.2f} % of them in the true waits\n"
        f"proved safe: {zero.sum():,} kinds in {100 * with_zero / len(positions.game):.1f} % of "
        f"the positions, {kinds.is_wait[zero].sum()} of them in the true waits\n"
        f"positions that no ready hand explains: {(hands.explained.sum(axis=1) == 0).sum():,}; "
        f"of an opponent in furiten: {furiten.sum():,}\n"
        f"a kind at random deals in: {100 * _random_rate(kinds):.2f} %\n"
    )
    found = predictions(positions, hands, kinds, second)
    print("\n".join(table(found, kinds, positions.game[kinds.row], options.resamples)))
    print("\nexact, riichi-2022:")
    print("\n".join(calibration(found["exact, riichi-2022"], kinds)))
    print()
    print("\n".join(weights_table(positions, hands, second)))


def _random_rate(kinds: Kinds) -> float:
    """Return the mean over positions of the share of waits among their kinds."""
    number = np.bincount(kinds.row)
    waits = np.bincount(kinds.row, kinds.is_wait)
    return float((waits[number > 0] / number[number > 0]).mean())


if __name__ == "__main__":
    main()
