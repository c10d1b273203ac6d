"""Figures 6 and 7 and Table 6: the perfect agent on held-out decisions."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise
from math import nan
from pathlib import Path
from statistics import fmean

import numpy as np
import pandas as pd

from evaluation import BASELINES, Evaluation
from heldout_dataset import SEED
from metrics import COLUMNS_EXPLAINED, Agreement, Claim, accuracy_error, slope, slope_factors
from mjopt.play.learning.training_curves import CURVES
from report import Curve, Report

FEATURES = {"all": "all", "random": "random", "removed": "none"}  # name: option `hidden`
PUBLISHED_ACCURACY = {"learned": (0.73, 0.72), "simulator": (0.705, 0.696)}  # highest, mean


def fig6(evaluation: Evaluation) -> Report:
    """Train with several numbers of simulations; compare loss and accuracy over the steps."""
    rng = np.random.default_rng(SEED)
    agreements: list[dict[int, Agreement]] = []  # one per seed
    losses: dict[str, Curve] = defaultdict(Curve)
    accuracies: dict[str, Curve] = defaultdict(Curve)
    rows = []
    falls, rises, leads = [], [], []  # one per seed
    for seed in evaluation.seeds:
        final_loss, final_accuracy = {}, {}
        agreements.append({})
        for number in evaluation.simulations:
            weights, name = (
                evaluation.train_perfect(seed, simulations=number),
                f"{number} simulations",
            )
            loss = read_losses(weights.parent)
            agreements[-1][number] = agreement = evaluation.search_agreement(weights)
            losses[name].add(loss)
            accuracies[name].add(evaluation.accuracy_curve(weights, evaluation.search_agreement))
            final_loss[number], final_accuracy[number] = loss[1.0], agreement.accuracy
            row = {"simulations": number, "seed": seed, "loss": loss[1.0]}
            rows.append(row | agreement.row(rng))
        *fewer, most = evaluation.simulations
        falls.append(-slope(final_loss))
        rises.append(slope(final_accuracy))
        best_of_fewer = max((final_accuracy[few] for few in fewer), default=nan)
        leads.append(final_accuracy[most] - best_of_fewer)
    return Report(
        title="Figure 6: simulations in training",
        notes=[
            "The article trains with 10, 50, 100 and 250 simulations and evaluates with 500; here "
            f"{', '.join(map(str, evaluation.simulations))}, evaluated with "
            f"{evaluation.config.evaluation_simulations}. Accuracy there is on decisions of "
            "people, here agreement with the exact agent of fewest expected draws.",
            "The loss is cross-entropy with the search's own policy, which is sharper with few "
            "simulations: losses of different trainings have different least values.",
            COLUMNS_EXPLAINED,
        ],
        tables={"fig6": pd.DataFrame(rows)},
        claims=[
            Claim(
                "more simulations, lower loss",
                "250 lowest, 100 second",
                "fall of the loss when simulations double",
                falls,
            ),
            Claim(
                "more simulations, higher accuracy",
                "10, 50: < 50 %, 250: 72 %",
                "rise of the accuracy when simulations double",
                rises,
                accuracy_error(agreements, slope_factors(evaluation.simulations), rng),
            ),
            Claim(
                f"the most ({most}) are the best",
                "250: 72 %",
                "accuracy, less the next",
                leads,
                max(accuracy_error(agreements, {most: 1, few: -1}, rng) for few in fewer)
                if fewer
                else 0.0,
            ),
        ],
        panels={"loss": losses, "accuracy (validation)": accuracies},
        x_label="share of the training",
    )


def fig7(evaluation: Evaluation) -> Report:
    """Evaluate several numbers of simulations, with hidden features and with the simulator."""
    numbers = evaluation.scale.evaluated
    rng = np.random.default_rng(SEED)
    few, many = min(numbers), max(numbers)
    near = min(numbers, key=lambda number: abs(number - evaluation.config.simulations))
    agreements: list[dict[tuple[str, int], Agreement]] = []  # one per seed
    curves: dict[str, Curve] = defaultdict(Curve)
    rows = []
    for seed in evaluation.seeds:
        trained = {
            name: evaluation.train_perfect(seed, hidden=hidden) for name, hidden in FEATURES.items()
        }
        variants: dict[str, tuple[Path, str, bool]] = {
            name: (trained[name], hidden, False) for name, hidden in FEATURES.items()
        }
        for name in ("random", "removed"):
            label = f"{name}, in evaluation alone"
            variants[label] = trained["all"], FEATURES[name], False
        variants["simulator"] = trained["all"], "all", True
        agreements.append({})
        for name, (weights, hidden, use_simulator) in variants.items():
            for number in numbers:
                agreement = evaluation.search_agreement(
                    weights, simulations=number, hidden=hidden, use_simulator=use_simulator
                )
                agreements[-1][name, number] = agreement
                curves[name].add({number: agreement.accuracy})
                rows.append(
                    {"features": name, "simulations": number, "seed": seed} | agreement.row(rng)
                )

    def compare(text: str, article: str, a: tuple[str, int], b: tuple[str, int]) -> Claim:
        return Claim(
            text,
            article,
            f"accuracy, {a[0]} at {a[1]} less {b[0]} at {b[1]}",
            [one[a].accuracy - one[b].accuracy for one in agreements],
            accuracy_error(agreements, {a: 1, b: -1}, rng),
        )

    slope_parts = {("removed", n): factor for n, factor in slope_factors(numbers).items()}
    removed_slopes = [
        slope({number: one["removed", number].accuracy for number in numbers}) for one in agreements
    ]
    lead = {n: curves["all"].mean(n) - curves["simulator"].mean(n) for n in numbers}
    return Report(
        title="Figure 7: hidden features, and the learned model against the simulator",
        notes=[
            "All, random, removed: a network is trained, searched and evaluated with these hidden "
            "features, as in the article. In evaluation alone: the network of all features is "
            "given others when it is evaluated. Random: all tiles that the seat cannot see are "
            "dealt again for every decision.",
            f"Learned model against simulator: {describe_crossing(lead)}",
            COLUMNS_EXPLAINED,
        ],
        tables={"fig7": pd.DataFrame(rows)},
        claims=[
            compare("random better than removed", "order", ("random", many), ("removed", many)),
            compare("all better than random", "72 % best", ("all", many), ("random", many)),
            compare("search helps with all", "rises to 72 %", ("all", many), ("all", few)),
            Claim(
                "search does not help with removed ones",
                "below 35 %, not improved",
                "0.01 less the rise when simulations double",
                [0.01 - value for value in removed_slopes],
                accuracy_error(agreements, slope_parts, rng),
            ),
            compare(
                "learned model ahead of the simulator",
                "below 500",
                ("all", near),
                ("simulator", near),
            ),
            compare("simulator ahead with many", "above 500", ("simulator", many), ("all", many)),
        ],
        panels={
            "hidden features": {
                name: curve for name, curve in curves.items() if name != "simulator"
            },
            "states": {"learned model": curves["all"], "simulator": curves["simulator"]},
        },
        x_label="simulations in evaluation",
        log_x=True,
    )


def table6(evaluation: Evaluation) -> Report:
    """Compare learned model and simulator with the number of simulations used in training."""
    rng = np.random.default_rng(SEED)
    simulations = evaluation.config.simulations
    summary, rows, agreements = [], [], []
    for states, (highest, mean) in PUBLISHED_ACCURACY.items():
        of_seeds = [
            evaluation.search_agreement(
                evaluation.train_perfect(seed),
                simulations=simulations,
                use_simulator=states == "simulator",
            )
            for seed in evaluation.seeds
        ]
        agreements.append(of_seeds)
        accuracies = [one.accuracy for one in of_seeds]
        summary.append(
            {
                "states": states,
                "highest": max(accuracies),
                "mean": fmean(accuracies),
                "published highest": highest,
                "published mean": mean,
            }
        )
        rows += [
            {"policy": states, "seed": seed} | one.row(rng)
            for seed, one in zip(evaluation.seeds, of_seeds, strict=True)
        ]
    rows += [
        {"policy": name, "seed": None} | evaluation.agent_agreement(name).row(rng)
        for name in BASELINES
    ]
    pairs = [
        dict(zip(PUBLISHED_ACCURACY, of_seed, strict=True))
        for of_seed in zip(*agreements, strict=True)
    ]
    return Report(
        title="Table 6: accuracy",
        notes=[
            f"Both with {simulations} simulations, as in training; 250 in the article, on "
            "decisions of people. Ours is agreement with an exact agent: signs can be compared, "
            "levels cannot.",
            COLUMNS_EXPLAINED,
        ],
        tables={"table6": pd.DataFrame(summary), "table6-seeds": pd.DataFrame(rows)},
        claims=[
            Claim(
                "the learned model is more accurate",
                "72.0 against 69.6 %",
                "learned less simulator",
                [pair["learned"].accuracy - pair["simulator"].accuracy for pair in pairs],
                accuracy_error(pairs, {"learned": 1, "simulator": -1}, rng),
            )
        ],
    )


def read_losses(folder: Path) -> dict[float, float]:
    """Return the loss of a training by the completed share of its steps."""
    curves = pd.read_csv(folder / CURVES).dropna(subset=["policy loss"])
    shares = curves["step"] / curves["step"].iloc[-1]
    return dict(zip(shares, curves["policy loss"] + curves["value loss"], strict=True))


def describe_crossing(lead: Mapping[int, float]) -> str:
    """Describe between which numbers of simulations the lead changes."""
    numbers = sorted(lead)
    text = f"no crossing from {numbers[0]} to {numbers[-1]} simulations"
    for before, after in pairwise(numbers):
        if lead[before] > 0 > lead[after]:
            text = f"ahead up to {before} simulations, behind from {after} on"
    return f"{text}; published: about 500."
