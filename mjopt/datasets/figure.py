"""A figure of a dataset's deficiencies beside the exact census."""

from pathlib import Path

from mjopt.datasets.describe import Description
from mjopt.errors import DatasetError
from mjopt.runtime.extras import need
from mjopt.runtime.folder import replace_whole

ENDINGS = (".svg", ".png", ".pdf")


def draw_description(found: Description, path: Path) -> None:
    """Draw observed and exact shares, and write the figure; the same each time.

    Parameters
    ----------
    found
        What was counted.
    path
        A ``.svg``, ``.png`` or ``.pdf`` file.
    """
    if path.suffix not in ENDINGS:
        raise DatasetError(f"{path}: ending {path.suffix!r}, expected {', '.join(ENDINGS)}")
    need("matplotlib", extra="experiments")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    values = range(len(found.counts))
    with mpl.rc_context({"svg.hashsalt": "mjopt", "font.size": 9}):
        figure = Figure(figsize=(5, 3), layout="constrained")
        axes = figure.add_subplot()
        shares = [count / found.rows for count in found.counts]
        axes.bar(values, shares, width=0.6, color="#4477aa", label=f"{found.rows:,} rows")
        if found.expected is not None:
            exact = [float(share) for share in found.expected]
            axes.plot(range(len(exact)), exact, "o", mfc="none", color="#aa3377", label="exact")
        axes.set_yscale("log")
        axes.set_xticks(list(values))
        axes.set_xlabel("deficiency")
        axes.set_ylabel("share of hands")
        axes.set_title(_title(found))
        axes.legend()
        plain = {"Date": None} if path.suffix in (".svg", ".pdf") else {"Software": None}
        if path.suffix == ".pdf":
            plain = {"CreationDate": None}
        with replace_whole(path) as file:
            figure.savefig(file, format=path.suffix[1:], dpi=150, metadata=plain)


def _title(found: Description) -> str:
    test = found.fit
    if test is None:
        return found.plan.recipe
    if test.is_certain:
        return f"{found.plan.recipe}: {'exact' if test.p_value else 'NOT as it must be'}"
    return (
        f"{found.plan.recipe}: chi-squared {test.statistic:.2f}, "
        f"{test.degrees} degrees, p = {test.p_value:.3f}"
    )
