"""Tick labels of logarithmic axes."""

import math

import pytest

from mjopt._internal.plot_style import set_log_ticks, thousands

pytest.importorskip("matplotlib")

RANGES = [
    (start * 10.0**power, start * 10.0**power * ratio)
    for start in (1.0, 1.4, 6.2)
    for power in (-7, -1, 0, 4)
    for ratio in (1.02, 1.3, 2.5, 9.0, 40.0, 3e3, 2e8)
]


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_every_logarithmic_axis_has_plain_labels(low: float, high: float) -> None:
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    set_log_ticks(axes.yaxis, low, high)
    shown = [
        label.get_text()
        for label in axes.yaxis.get_ticklabels(which="both")
        if label.get_text() and low * 0.999 <= label.get_position()[1] <= high * 1.001
    ]
    assert 2 <= len(shown) <= 12
    assert len(set(shown)) == len(shown)
    assert not {"e", "^"} & set("".join(shown))


@pytest.mark.parametrize(
    ("value", "text"), [(1e-7, "0.0000001"), (2e10, "20\u202f000\u202f000\u202f000"), (0.3, "0.3")]
)
def test_numbers_on_axes_have_no_exponent(value: float, text: str) -> None:
    assert thousands(value) == text
    assert math.isclose(float(text.replace("\u202f", "")), value)
