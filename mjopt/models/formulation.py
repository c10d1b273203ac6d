"""The interface of formulations, which turn a hand into an integer program."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from mjopt._internal.validation import expect_all, whole
from mjopt.errors import ModelError
from mjopt.hands.blocks import Block
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, classic_form
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models.program import Program, Row, Rows
from mjopt.models.union import union


class Goal(StrEnum):
    """The meaning of the optimum of a formulation.

    Examples
    --------
    >>> from mjopt import FORMULATIONS
    >>> FORMULATIONS["predecomposition"]().goal.name
    'PAPER_COST'
    """

    WIN = "win"  # feasible if and only if the hand is complete
    DEFICIENCY = "deficiency"
    PAPER_COST = "paper cost"  # the least of Eq. 8, not always the deficiency
    COST = "cost"  # another one, such as the tile changes to a hand of pongs


class Formulation(Protocol):
    """Turns a hand into an integer program.

    The blocks of a solution are ``program.decode(values)``.

    Examples
    --------
    >>> import mjopt
    >>> network = mjopt.FORMULATIONS["network"]()
    >>> network.build(mjopt.Hand.parse("1112345678999m1p")).num_variables
    3707
    """

    name: str
    goal: Goal = Goal.DEFICIENCY
    form: str = DEFAULT_FORM

    def build(self, hand: Hand, unseen: tuple[int, ...] | None = None) -> Program:
        """Write the program of a hand.

        Parameters
        ----------
        hand
            The hand.
        unseen
            Copies of each kind that can still arrive, shape ``(K,)``; by default all copies that
            are not in the hand.

        Raises
        ------
        ModelError
            If the formulation cannot express the query.
        """
        return self.write(HandQuery(hand, self.form, unseen))

    def write(self, query: HandQuery) -> Program:
        """Write the program of a query for the form of the model; its forms are ignored."""
        return self.write_form(query, classic_form(self.form, query.hand.tiles))

    def write_form(self, query: HandQuery, form: WinningForm) -> Program:
        """Write the program of a query for one form: one program per template, joined."""
        programs = [self.write_template(query, part) for part in query.templates(form)]
        return union(programs, f"{self.name}_{query.hand.to_text() or 'empty'}")

    def write_template(self, query: HandQuery, template: Template) -> Program:  # noqa: ARG002
        """Write the program of a query for one template of a winning form."""
        raise ModelError(f"model {self.name} finds only the form {self.form}")

    def program(
        self,
        hand: Hand,
        *,
        objective: Sequence[int],
        upper: Sequence[int],
        rows: Sequence[Row] | Rows,
        names: Sequence[str],
        pieces: Sequence[tuple[Block, ...]],
        offset: int = 0,
    ) -> Program:
        """Return a program of integer variables with lower bound 0.

        Variables beyond the end of ``pieces`` are auxiliary. The name of the program is safe in
        LP and MPS files.
        """
        size = len(objective)
        return Program(
            name=f"{self.name}_{hand.to_text() or 'empty'}",
            objective=tuple(objective),
            offset=offset,
            lower=(0,) * size,
            upper=tuple(upper),
            integer=(True,) * size,
            rows=rows if isinstance(rows, Rows) else Rows.gather(rows),
            names=tuple(names),
            pieces=tuple(pieces) + ((),) * (size - len(pieces)),
        )

    def require_unlimited(self, query: HandQuery) -> None:
        """Raise if unseen tiles are limited, in a formulation without draws."""
        if query.is_limited:
            raise ModelError(f"{self.name} says nothing about unseen tiles; leave unseen out")


def uses(blocks: Sequence[Block], kind: int) -> list[tuple[int, int]]:
    """Return (block number, copies) for the blocks that use a kind: the terms of a row.

    Examples
    --------
    >>> from mjopt.models import chow, eye
    >>> uses([chow(0), eye(1), eye(7)], 1)
    [(0, 1), (1, 2)]
    """
    held, kind = expect_all(blocks, Block, "blocks"), whole(kind, "kind")
    return [(v, block.kinds.count(kind)) for v, block in enumerate(held) if kind in block.kinds]
