"""The scripts in reproduction/agent: a small run from weights to reports."""

from pathlib import Path

import pandas as pd
import pytest
from helpers.learning_states import normal_file, perfect_file
from helpers.surroundings import arguments, package_folder

SCRIPTS = Path(__file__).parents[2] / "reproduction" / "agent"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch):
    """Return a function that calls the command with some words; one baseline is enough."""
    with package_folder(SCRIPTS):
        import normal_agent_experiments  # type: ignore[import-not-found]
        import run  # type: ignore[import-not-found]

        monkeypatch.setattr(normal_agent_experiments, "BASELINES", ("deficiency",))

        def call(*words: str) -> None:
            with arguments("run.py", *words):
                run.main()

        yield call


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """Return a folder with finished trainings of seed 0."""
    for name, write in (("perfect-4-0", perfect_file), ("normal-bernoulli-0", normal_file)):
        folder = tmp_path / "trainings" / name
        folder.mkdir(parents=True)
        write(folder / "weights.npz")
    return tmp_path


def test_finished_trainings_are_used_and_reports_are_written(run, trained: Path, capsys) -> None:
    words = ("--preset", "tiny", "--seeds", "1", "--walls", "2", "-o", str(trained))
    run("table7", "table8", *words)
    out, err = capsys.readouterr()
    assert "training" not in err
    ranks = pd.read_csv(trained / "report" / "table7.csv")
    assert ranks["games"].tolist()[:2] == [4, 3328]  # two tournaments of two games; published
    wins = pd.read_csv(trained / "report" / "table8.csv")
    assert wins.loc[wins["source"] == "published", "wins"].sum() == 428
    assert "| published | 1 " in out.replace("   ", " ").replace("  ", " ")


def test_weights_of_another_configuration_are_a_one_line_error(run, trained: Path) -> None:
    with pytest.raises(SystemExit, match="weights of another configuration: channels 8, not 16$"):
        run("table8", "--preset", "tiny", "--set", "channels=16", "-o", str(trained))


def test_verdicts_allow_for_noise_games_and_other_claims(run) -> None:
    """Rounding errors decide nothing, equal seeds do not give width 0, and Holm corrects."""
    from metrics import Claim, claims_table  # type: ignore[import-not-found]

    def verdicts(*claims: tuple[list[float], float]) -> list[str]:
        table = claims_table([Claim("", "", "", values, error) for values, error in claims])
        return [verdict.partition(" at")[0] for verdict in table["verdict"]]

    assert verdicts(([-3.4e-17, -3.4e-17], 0.0), ([0.01, 0.01], 0.0)) == ["undecided"] * 2
    low, high = Claim("", "", "", [0.01, 0.01], 0.002).interval
    assert (round(low, 4), round(high, 4)) == (0.0061, 0.0139)
    assert verdicts(([0.01, 0.012], 0.002)) == ["holds"]
    assert verdicts(([0.01, 0.012], 0.02), ([-0.01, -0.012], 0.002)) == [
        "undecided",
        "does not hold",
    ]
    assert verdicts(*[([0.01, 0.01], 0.0045)] * 2) == ["undecided"] * 2  # p = .026, twice
    assert verdicts(([0.01, 0.01], 0.0045)) == ["holds"]


def test_means_over_seeds_have_students_interval(run) -> None:
    from metrics import means_over_seeds  # type: ignore[import-not-found]

    table = pd.DataFrame(
        {
            "simulations": [1, 1, 2, 2, 2],
            "seed": [0, 1, 0, 1, None],
            "loss": [3.0, 5.0, 2.0, 2.0, 9.0],
            "loss, low": 0.0,
            "dan": [1.0, float("inf"), 1.0, 2.0, 9.0],
            "decisions": 7,
        }
    )
    means = means_over_seeds(table)

    assert means[["simulations", "measurement", "mean", "n"]].to_numpy().tolist() == [
        [1, "loss", 4.0, 2],
        [2, "loss", 2.0, 2],
        [2, "dan", 1.5, 2],
    ]
    half = 12.706  # Student's 97.5 % quantile with one degree of freedom, times s / sqrt(2) = 1
    assert means["high"].round(2).tolist() == [round(4 + half, 2), 2.0, round(1.5 + half / 2, 2)]
    assert means["low"].round(2).tolist() == [round(4 - half, 2), 2.0, round(1.5 - half / 2, 2)]
    assert means_over_seeds(table[:1]).empty
