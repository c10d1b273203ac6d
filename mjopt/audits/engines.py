"""Engines to audit: an installed package, a function of a user's file, or a program."""

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np

from mjopt._internal.sanitize import short_repr
from mjopt._internal.signals import STOPPED
from mjopt._internal.user_module import load_function
from mjopt._internal.validation import expect, is_number, pick
from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.answers import read_answers
from mjopt.audits.exact_answers import Answers
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.packages import get_package
from mjopt.audits.pipe import TIMEOUT, exchange
from mjopt.audits.questions import QUESTIONS, get_question
from mjopt.errors import ArgumentError, WorkerError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import RIICHI, names_of
from mjopt.hands.rules.read_forms import read_forms
from mjopt.hands.tiles import COPIES, FULL, SANMA, TileSet, as_tiles

PROTOCOLS: Final = ("text", "json")
"""How a program reads hands and writes answers; see docs/reference/engines.md."""

BLOCK: Final = 1 << 12  # hands written to a program at once
LONGEST: Final = 86_400  # seconds without an answer: a day

Reply = Mapping[str, object] | str
"""Answers by question, those that are not given left out; or the error that came instead."""

Ask = Callable[[Iterable[HandBatch]], Iterator[list[Reply]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A program that answers questions about hands.

    Parameters
    ----------
    name, version
        Its name in reports, and its version if it is known.
    questions
        The questions that it may answer.
    forms
        The winning forms that its answers are about; None for those of the rules.
    ask
        Maps batches of hands to lists of replies.
    """

    name: str
    version: str | None = None
    questions: tuple[str, ...]
    forms: tuple[str, ...] | str | None = None
    ask: Ask

    def blocks(self, blocks: Iterable[AnswerBlock]) -> Iterator[AnswerBlock]:
        """Yield blocks of hands with the answers of the engine.

        Examples
        --------
        >>> engine = get_engine(None, command="sed s/.*/1/", questions=["win"])
        >>> hands = HandBatch.of([Hand.parse("1112345678999m1p")])
        >>> [block.given["win"].tolist() for block in engine.blocks([AnswerBlock.of(hands)])]
        [[1]]
        """
        waiting: list[AnswerBlock] = []

        def batches() -> Iterator[HandBatch]:
            for block in chain.from_iterable(map(_parts, blocks)):
                waiting.append(block)
                if block.hands is not None:
                    yield block.hands

        for replies in self.ask(batches()):
            while waiting and waiting[0].hands is None:
                yield waiting.pop(0)
            yield self.answered(waiting.pop(0), replies)
        yield from waiting

    def answered(self, block: AnswerBlock, replies: Sequence[Reply]) -> AnswerBlock:
        """Return a block of hands with the replies to them as answers."""
        assert block.hands is not None
        tiles = block.hands.tiles

        def cell(reply: Reply, name: str) -> object:
            if isinstance(reply, str):
                return reply
            answer = reply.get(name)
            return "-" if answer is None else answer

        given: dict[str, Answers] = {
            name: read_answers([cell(reply, name) for reply in replies], QUESTIONS[name], tiles)
            for name in self.questions
        }
        return replace(
            block,
            given=given,
            written=lambda place, name: _as_text(cell(replies[place], name), tiles),
        )


def _parts(block: AnswerBlock) -> Iterator[AnswerBlock]:
    """Yield a block in parts, so that answers are compared while others are computed."""
    hands = block.hands
    if hands is None or len(hands) <= BLOCK:
        yield block if hands else replace(block, hands=None)
        return
    for start in range(0, len(hands), BLOCK):
        rows = np.arange(start, min(start + BLOCK, len(hands)))
        yield replace(
            block,
            num_rows=len(rows) + (block.num_rows - len(hands) if start == 0 else 0),
            hands=hands.take(rows),
            lines=block.lines[start : start + BLOCK],
            text=lambda place, start=start: block.text(start + place),  # type: ignore[misc]
            not_hands=block.not_hands if start == 0 else (),
        )


def _as_text(answer: object, tiles: TileSet) -> str:
    if isinstance(answer, set | frozenset):
        names = [tiles.names[kind] for kind in sorted(answer) if 0 <= kind < tiles.num_kinds]
        return " ".join(names) or "none"
    return " ".join(map(str, answer)) if isinstance(answer, list | tuple) else str(answer)


def get_engine(
    name: str | None,
    *,
    command: str | None = None,
    questions: Sequence[str] = (),
    protocol: str = "text",
    timeout: float = TIMEOUT,
    forms: tuple[str, ...] | str | None = None,
    tiles: TileSet = FULL,
) -> Engine:
    """Return an engine.

    Parameters
    ----------
    name
        An installed package of ``PACKAGES``, or ``FILE.py:FUNCTION``; None for a command.
    command
        The command line of a program.
    questions
        The questions to ask; by default all. A program with the text protocol, or a function
        that returns one answer instead of a mapping, needs them.
    protocol
        One of ``PROTOCOLS``.
    timeout
        Seconds without an answer after which a program is killed.
    forms
        The winning forms, if they are chosen.
    tiles
        The tile set of the hands.

    Raises
    ------
    ArgumentError
        If there is no such engine, or a question is unknown.

    Examples
    --------
    >>> engine = get_engine(None, command="sed s/.*/0/", questions=["win"])
    >>> hands = HandBatch.of([Hand.parse("1112345678999m1p")])
    >>> next(engine.ask([hands]))
    [{'win': '0'}]
    """
    tiles = as_tiles(tiles)
    asked = tuple(dict.fromkeys(get_question(question).name for question in questions))
    if not (is_number(timeout) and 0 < timeout <= LONGEST):  # false for NaN
        raise ArgumentError(
            argument="--timeout",
            value=short_repr(timeout),
            expected=f"more than 0, and at most {LONGEST} seconds",
        )
    if (name is None) == (command is None):
        number = "no engine" if name is None else "two engines"
        raise ArgumentError(number, expected="one: NAME, FILE.py:FUNCTION or --command")
    if command is not None:
        words = _words(command)
        pick(protocol, dict.fromkeys(PROTOCOLS), "--protocol", ArgumentError)
        if protocol == "text" and not asked:
            raise ArgumentError(
                "--ask is missing",
                expected="the questions that each line answers, such as --ask shanten,useful",
            )
        asked = asked or tuple(QUESTIONS)
        chosen = RIICHI if forms is None else forms
        ask = _program(words, asked, protocol, timeout)
        return Engine(name=command, questions=asked, forms=chosen, ask=ask)
    assert name is not None
    if ".py:" in name:
        ask = _function(load_function(name), asked)
        chosen = RIICHI if forms is None else forms
        return Engine(name=name, questions=asked or tuple(QUESTIONS), forms=chosen, ask=ask)
    package = get_package(name)
    covered = package.check_forms(None if forms is None else names_of(read_forms(forms, FULL)))
    return Engine(
        name=name,
        version=package.version,
        questions=asked or tuple(QUESTIONS),
        forms=covered,
        ask=_function(package.load(covered, tiles)),
    )


def _words(command: str) -> list[str]:
    """Return the program and the arguments of a command line."""
    expect(command, str, "command")
    expected = "a program"
    try:
        words = shlex.split(command)
    except ValueError as error:  # no closing quotation
        words, expected = [], f"a program: {error}"
    if not words or "\0" in command:
        raise ArgumentError(argument="--command", value=short_repr(command), expected=expected)
    return words


def _mapping(answer: object, asked: tuple[str, ...]) -> Mapping[str, object]:
    """Return the answer of a function as a mapping."""
    if isinstance(answer, Mapping):
        return answer
    if len(asked) != 1:
        raise ArgumentError(
            f"the function returns {short_repr(answer)}, and --ask names {len(asked)} questions",
            expected="a dict of answers, or one question",
        )
    return {asked[0]: answer}


def _function(find: Callable[[Hand], object], asked: tuple[str, ...] = ()) -> Ask:
    """Return how to ask a function; its error is the reply to that hand."""

    def reply(hand: Hand) -> Reply:
        try:
            answer = find(hand)
        except STOPPED:
            raise
        except BaseException as error:
            return f"{type(error).__name__}: {error}"
        return _mapping(answer, asked)

    def ask(batches: Iterable[HandBatch]) -> Iterator[list[Reply]]:
        for batch in batches:
            yield [reply(batch.hand(row)) for row in range(len(batch))]

    return ask


def _program(words: list[str], asked: tuple[str, ...], protocol: str, timeout: float) -> Ask:
    """Return how to ask a program, which runs once for each call."""
    write, read = (_text_lines, _text_reply) if protocol == "text" else (_json_lines, _json_reply)

    def ask(batches: Iterable[HandBatch]) -> Iterator[list[Reply]]:
        waiting: list[list[str]] = []

        def lines() -> Iterator[list[str]]:
            for batch in batches:
                waiting.append(write(batch))
                yield waiting[-1]

        for answers in exchange(words, lines(), timeout=timeout):
            replies = []
            for hand, line in zip(waiting.pop(0), answers, strict=True):
                try:
                    replies.append(read(line, asked))
                except ValueError as error:
                    raise WorkerError(f"{shlex.join(words)}: {hand}: {error}") from None
            yield replies

    return ask


def _text_lines(batch: HandBatch) -> list[str]:
    """Return the hands in mpsz with their called melds; each distinct suit is written once."""
    columns = []
    for part in batch.tiles.slices:
        names, counts = batch.tiles.names[part], batch.counts[:, part].astype(np.int64)
        place = (COPIES + 1) ** np.arange(len(names))
        _, first, row = np.unique(counts @ place, return_index=True, return_inverse=True)
        texts = [
            "".join(name[0] * held for name, held in zip(names, suit, strict=True))
            for suit in counts[first].tolist()
        ]
        letter = names[0][1]
        columns.append(np.array([text and text + letter for text in texts], object)[row])
    called = batch.called.tolist()
    return [f"{''.join(suits)} {melds}" for *suits, melds in zip(*columns, called, strict=True)]


def _text_reply(line: str, asked: tuple[str, ...]) -> Reply:
    cells = line.split("\t")
    if len(cells) != len(asked):
        raise ValueError(
            f"{len(cells)} answers in {line[:60]!r}, expected {len(asked)}, tabs between"
        )
    return dict(zip(asked, cells, strict=True))


def _json_lines(batch: HandBatch) -> list[str]:
    return [_json_line(batch, row) for row in range(len(batch))]


def _json_line(batch: HandBatch, row: int) -> str:
    hand = batch.hand(row)
    line: dict[str, object] = {
        "hand": hand.to_text(),
        "counts": list(hand.in_full().counts),
        "called": hand.called,
    }
    if (unseen := batch.unseen(row)) is not None:
        left = dict(zip(batch.tiles.names, unseen, strict=True))
        line["unseen"] = [left.get(name, 0) for name in FULL.names]
    return json.dumps(line)


def _json_reply(line: str, _: tuple[str, ...]) -> Reply:
    try:
        reply = json.loads(line)
    except ValueError:
        raise ValueError(f"{line[:60]!r} is not JSON") from None
    if not isinstance(reply, dict):
        raise ValueError(f"{line[:60]!r} is not an object of JSON")
    return str(reply["error"]) if "error" in reply else reply


def with_hands_before_draw(
    blocks: Iterable[AnswerBlock], rng: np.random.Generator
) -> Iterator[AnswerBlock]:
    """Yield blocks in which every second hand after its draw lacks a random tile."""
    for block in blocks:
        hands = block.hands
        if hands is None:
            yield block
            continue
        rows = np.flatnonzero(hands.is_full)[1::2]
        counts = hands.counts.copy()
        place = rng.integers(0, counts[rows].sum(axis=1, dtype=np.int64))
        kinds = (counts[rows].cumsum(axis=1, dtype=np.int64) <= place[:, None]).sum(axis=1)
        counts[rows, kinds] -= 1
        changed = replace(hands, counts=counts)
        yield replace(block, hands=changed, text=changed.text)


def in_full(block: AnswerBlock) -> AnswerBlock:
    """Return a block of hands of ``M0`` as the same hands of ``FULL``."""
    hands = block.hands
    if hands is None or hands.rules is not None or hands.tiles in (FULL, SANMA):
        return block
    width = FULL.num_kinds - hands.tiles.num_kinds
    wide = np.pad(hands.counts, [(0, 0), (0, width)])
    left = None if hands.left is None else np.pad(hands.left, [(0, 0), (0, width)])
    return replace(block, hands=replace(hands, counts=wide, left=left, tiles=FULL))
