"""Configuration of the learning agent: sizes, hyperparameters and open choices."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from typing import Any, Final, TypeVar

from mjopt._internal.sanitize import short_repr
from mjopt.errors import ArgumentError, FileError
from mjopt.play.game.rules import GameRules, read_rules

BASE_PLANES: Final = 118
EVENT_PLANES: Final = 11
ACTION_PLANES: Final = 19

Setting = bool | int | float | str | tuple[float, ...]
Number = TypeVar("Number", int, float)
Scalar = TypeVar("Scalar", bound=int | float | str)

NEWER: Final[Mapping[str, Setting]] = {"hidden": "all", "normal_cooling": 0.0, "taught_games": 0}
"""Fields added later, with the values that older files imply. Such values are not written, so older
files keep their digest."""


def _choice(*words: str) -> str:
    return field(default=words[0], metadata={"choices": words})


def _from(default: Number, low: float, high: float = float("inf")) -> Number:
    return field(default=default, metadata={"range": (low, high)})


@cache
def _rules(text: str) -> GameRules:
    return read_rules(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Rules, network sizes and training parameters; the defaults are the preset ``paper``.

    Parameters marked "open" are not given in the article; their defaults are ours.

    Parameters
    ----------
    rules
        The rules, as text for :func:`mjopt.play.game.rules.read_rules`. By default JJ's without
        ready declarations: no action of the article declares, although its appendix A allows it
        (open).
    game
        ``whole``, or ``toy`` for the tests: the end of a game with four tiles in each hand.
    declare
        Ready declarations, if the rules have them: ``never``, or ``auto`` to declare whenever a
        discard allows it (open).
    last_event
        Whether 11 planes encode the last tile and the last action, which the text mentions and
        Table 1 omits.
    hidden
        Content of the perfect agent's hidden planes in training and play: ``all`` hidden tiles,
        ``random`` tiles dealt from those that its seat cannot see, or ``none`` (Figure 7; open:
        how random features are drawn).
    recent
        Whether the last four discards, which Table 4 omits, are ``public`` or ``hidden`` from
        the normal agent (open).
    score_range
        The 11 intervals of a score have equal width between plus and minus this number of basic
        scores (open).
    player_state
        State of the next player in the channels: the strongest action ``offered``, or ``none``
        (open).
    blocks, channels
        Residual blocks and channels of the representation and of the dynamics.
    policy_channels, value_channels, value_width
        Widths of the prediction: its two convolutions, and the layer before the four values
        (open).
    normal_blocks, normal_channels, normal_policy_channels
        Sizes of the normal agent's network; the last is the width before its output (open).
    simulations, evaluation_simulations
        Simulations for a move in training, and in evaluations.
    exploration
        C1 of the selection rule.
    noise, noise_total
        Share of noise in the root's priors, and the sum of its gamma parameters.
    root
        Selection at the root: ``puct``, or ``gumbel`` (ours).
    sampled_moves
        Number of first actions of a game that are sampled from the policy (open: per game).
    sampled_answers
        Share of answers to a discard that are drawn at random.
    first_games
        Player of the games of the first version: its own untrained network (``self``), or an
        exact agent (ours).
    taught_games
        Number of those games if an exact agent plays them; 0 means ``games``. That version has no
        gate (ours).
    games
        Self-play games for each version.
    buffer_versions
        Number of versions whose games are in the replay buffer (open).
    versions
        Number of versions.
    steps
        Training steps over all versions.
    unroll
        Steps for which the dynamics are unrolled in training.
    batch, rates, rate_versions, momentum, second_momentum, optimiser, penalty
        Batch size; learning rates, and the versions after which they change; the optimiser and
        its momenta (``sgd`` does not use the second, 0.99 in Table 5; open); the L2 penalty.
    gate_games
        Games between a new version and the best one.
    normal_batch, normal_rate, normal_momentum
        The same for the normal agent.
    normal_cooling
        Share of the normal agent's last steps in which its rate falls linearly to 0 (ours; 0: it
        is constant).
    normal_games
        Number of games that the normal agent learns from (open).
    dropout
        ``bernoulli``: dropout fades out the hidden planes; ``none``: they are always 0.
    decay, decay_steps
        Decrement of the keep probability p, and the steps between decrements.
    masked
        Whether illegal actions are masked out of the normal agent's softmax (open).

    Examples
    --------
    >>> PRESETS["small"].channels, PRESETS["small"].num_planes
    (32, 118)
    >>> Configuration(channels=0)
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: channels=0, expected at least 1
    """

    rules: str = "jj,ready=0"
    game: str = _choice("whole", "toy")
    declare: str = _choice("never", "auto")
    last_event: bool = False
    hidden: str = _choice("all", "random", "none")
    recent: str = _choice("public", "hidden")
    score_range: int = _from(50, 1)
    player_state: str = _choice("offered", "none")
    blocks: int = _from(12, 1)
    channels: int = _from(128, 1)
    policy_channels: int = _from(128, 1)
    value_channels: int = _from(32, 1)
    value_width: int = _from(256, 1)
    normal_blocks: int = _from(64, 1)
    normal_channels: int = _from(256, 1)
    normal_policy_channels: int = _from(32, 1)
    simulations: int = _from(250, 1)
    evaluation_simulations: int = _from(500, 1)
    exploration: float = _from(1.5, 0)
    noise: float = _from(0.3, 0, 1)
    noise_total: float = _from(10.0, 0)
    root: str = _choice("puct", "gumbel")
    sampled_moves: int = _from(15, 0)
    sampled_answers: float = _from(0.1, 0, 1)
    first_games: str = _choice("self", "deficiency", "draws")
    taught_games: int = _from(0, 0)
    games: int = _from(1000, 1)
    buffer_versions: int = _from(3, 1)
    versions: int = _from(30, 1)
    steps: int = _from(1_200_000, 1)
    unroll: int = _from(6, 1)
    batch: int = _from(256, 1)
    rates: tuple[float, ...] = (0.01, 0.001, 0.0001)
    rate_versions: tuple[int, ...] = (10, 20)
    momentum: float = _from(0.9, 0, 1)
    second_momentum: float = _from(0.99, 0, 1)
    optimiser: str = _choice("sgd", "adam")
    penalty: float = _from(1e-4, 0)
    gate_games: int = _from(1000, 1)
    normal_batch: int = _from(512, 1)
    normal_rate: float = _from(0.001, 0)
    normal_momentum: float = _from(0.9, 0, 1)
    normal_cooling: float = _from(0.0, 0, 1)
    normal_games: int = _from(100_000, 1)
    dropout: str = _choice("bernoulli", "none")
    decay: float = _from(0.1, 0.001, 1)
    decay_steps: int = _from(60_000, 1)
    masked: bool = False

    def __post_init__(self) -> None:
        """Validate every field."""
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            if not _is_like(value, parameter.default):
                what = f"a value such as {parameter.default!r}"
                raise ArgumentError(f"{parameter.name}={short_repr(value)}", expected=what)
            low, high = parameter.metadata.get("range", (None, None))
            if low is not None and not low <= value <= high:
                words = f"at least {low}" if high == float("inf") else f"{low} to {high}"
                raise ArgumentError(f"{parameter.name}={short_repr(value)}", expected=str(words))
            choices = parameter.metadata.get("choices")
            if choices and value not in choices:
                raise ArgumentError(
                    f"{parameter.name}={short_repr(value)}", expected=tuple(choices)
                )
        if len(self.rates) != len(self.rate_versions) + 1 or min(self.rates) <= 0:
            raise ArgumentError(
                f"rates={self.rates}", expected=f"one more than {len(self.rate_versions)}, above 0"
            )
        try:
            _rules(self.rules)
        except FileError as error:
            raise ArgumentError(str(error)) from None

    @property
    def rule_set(self) -> GameRules:
        """The rules themselves."""
        return _rules(self.rules)

    def check_rules(self, rules: GameRules, name: str) -> None:
        """Check that an agent was trained for some rules; their options may differ.

        Raises
        ------
        ArgumentError
            If the rules have another name or other tiles.
        """
        own = self.rule_set
        if (rules.name, rules.tiles) != (own.name, own.tiles):
            raise ArgumentError(
                f"{name} was trained for {own.name}, not for {rules.name}",
                expected=f"rules {own.name}",
            )

    @property
    def kinds(self) -> int:
        """Number of tile kinds, K."""
        return _rules(self.rules).tiles.num_kinds

    @property
    def num_planes(self) -> int:
        """Number of planes of a state."""
        return BASE_PLANES + EVENT_PLANES * self.last_event

    def as_data(self) -> dict[str, Setting]:
        """Return the fields as plain data; see :data:`NEWER` for those that are left out."""
        return {k: v for k, v in asdict(self).items() if k not in NEWER or v != NEWER[k]}

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> "Configuration":
        """Return the configuration of :meth:`as_data`, also after a round trip through JSON.

        Raises
        ------
        ArgumentError
            If a field is unknown, missing, or out of range.

        Examples
        --------
        >>> Configuration.from_data({"colour": 1})
        Traceback (most recent call last):
        mjopt.errors.ArgumentError: configuration: unknown colour
        """
        names = {parameter.name for parameter in fields(cls)}
        if unknown := sorted(set(data) - names):
            raise ArgumentError(f"unknown {', '.join(unknown)}", argument="configuration")
        data = {**NEWER, **data}
        if missing := sorted(names - set(data)):
            raise ArgumentError(f"no {', '.join(missing)}", argument="configuration")
        values: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in data.items()
        }
        return cls(**values)

    def __str__(self) -> str:
        """Return all fields as text."""
        return ", ".join(f"{name}={value}" for name, value in asdict(self).items())

    @property
    def digest(self) -> str:
        """SHA-256 of all fields, in hexadecimal."""
        return hashlib.sha256(json.dumps(self.as_data(), sort_keys=True).encode()).hexdigest()

    def differences(self, other: "Configuration") -> list[str]:
        """Describe the fields in which another configuration differs.

        Examples
        --------
        >>> from dataclasses import replace
        >>> PRESETS["tiny"].differences(replace(PRESETS["tiny"], channels=16))
        ['channels 8, not 16']
        """
        mine, theirs = asdict(self), asdict(other)
        return [f"{k} {mine[k]}, not {theirs[k]}" for k in mine if mine[k] != theirs[k]]


def _is_like(value: object, default: object) -> bool:
    """Return whether a value has the type of a default; an int is accepted as a float."""
    if isinstance(default, tuple):
        of = type(default[0])
        return isinstance(value, tuple) and bool(value) and all(_is_like(v, of()) for v in value)
    if isinstance(default, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is type(default)


PRESETS: Final[dict[str, Configuration]] = {
    "tiny": Configuration(
        game="toy",
        first_games="deficiency",
        blocks=1,
        channels=8,
        policy_channels=8,
        value_channels=4,
        value_width=16,
        normal_blocks=1,
        normal_channels=8,
        normal_policy_channels=8,
        simulations=4,
        evaluation_simulations=4,
        sampled_moves=2,
        games=16,
        versions=2,
        steps=40,
        unroll=2,
        batch=16,
        gate_games=8,
        normal_batch=16,
        normal_games=48,
        decay_steps=4,
    ),
    "small": Configuration(
        blocks=4,
        channels=32,
        policy_channels=32,
        value_channels=8,
        value_width=64,
        normal_blocks=6,
        normal_channels=64,
        simulations=25,
        evaluation_simulations=25,
        first_games="deficiency",
        taught_games=3_000,
        games=200,
        versions=4,
        steps=3_200,
        unroll=2,
        rates=(0.05, 0.02, 0.005),
        rate_versions=(2, 3),
        gate_games=60,
        normal_batch=256,
        normal_rate=0.05,
        normal_games=800,
        decay_steps=150,
        masked=True,
    ),
    "paper": Configuration(),
}
"""For tests, for a few hours on two cores, and the sizes of the article."""


def read_configuration(preset: str, settings: Iterable[str] = ()) -> Configuration:
    """Return a preset with some fields changed, each given as ``KEY=VALUE``.

    ArgumentError if the preset or a field is unknown, or a value does not fit its field.

    Examples
    --------
    >>> read_configuration("tiny", ["rates=0.1,0.01,0.01"]).rates
    (0.1, 0.01, 0.01)
    >>> read_configuration("tiny", ["colour=1"])
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: setting colour=1: unknown, expected one of rules, game ...
    """
    if preset not in PRESETS:
        raise ArgumentError(argument="preset", value=str(preset), expected=tuple(PRESETS))
    defaults = asdict(Configuration())
    changes: dict[str, Any] = {}
    for setting in settings:
        key, sign, text = setting.partition("=")
        if key not in defaults or not sign:
            raise ArgumentError(
                "unknown", argument="setting", value=setting, expected=tuple(defaults)
            )
        changes[key] = _read_value(setting, text, defaults[key])
    return replace(PRESETS[preset], **changes)


def _read_value(setting: str, text: str, default: Setting) -> Setting:
    """Read a value of the type of a default."""
    if isinstance(default, tuple):
        kind = type(default[0])
        return tuple(_read_scalar(setting, part, kind) for part in text.split(","))
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise ArgumentError(argument="setting", value=str(setting), expected="true or false")
        return text == "true"
    return _read_scalar(setting, text, type(default))


def _read_scalar(setting: str, text: str, kind: type[Scalar]) -> Scalar:
    try:
        return kind(text)
    except ValueError:
        raise ArgumentError(argument="setting", value=str(setting), expected="a number") from None
