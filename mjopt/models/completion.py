"""Completion: the cheapest complete hand, with a variable for the missing copies of each kind."""

from mjopt.hands.blocks import Block, joker
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES
from mjopt.models.formulation import Formulation
from mjopt.models.parts import part_rows, template_parts
from mjopt.models.program import Program


class Completion(Formulation):
    """Choose the parts of a complete hand; the cost is the tiles that the hand lacks.

    Variables: a count per chow, a 0/1 per pong and per eye, and the missing copies of each kind;
    for other templates also their other parts, and the jokers in the place of each kind. It is the
    simplest and weakest formulation: the relaxation may combine fractions of many melds and miss
    nothing.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> program = Completion().build(Hand.parse("1112345678999m1p"))
    >>> program.num_variables, len(program.rows)
    (102, 29)
    """

    name = "completion"

    def write_template(self, query: HandQuery, template: Template) -> Program:
        """Write the program of one template of a query."""
        hand, tiles = query.hand, query.hand.tiles
        parts = template_parts(template, tiles, hand.called)
        names = [part.name for part in parts]
        pieces: list[tuple[Block, ...]] = [(part.block,) for part in parts]
        upper = [part.most for part in parts]
        rows = part_rows(template, tiles, hand.called, parts)
        use: list[list[tuple[int, int]]] = [[] for _ in tiles.names]
        eligible: list[list[tuple[int, int]]] = [[] for _ in tiles.names]
        for variable, part in enumerate(parts):
            for kind, copies in part.copies:
                use[kind].append((variable, copies))
                if part.eligible:
                    eligible[kind].append((variable, min(copies, part.eligible)))
        drawn = [f"missing_{name}" for name in tiles.names]
        held, unseen = template.natural(hand.counts), template.natural(query.unseen)
        if template.jokers:
            first = len(names)
            for kind, name in enumerate(tiles.names):
                names.append(f"joker_{name}")
                pieces.append((joker(kind, 1),))
                upper.append(template.most_jokers)
                stand_in = (first + kind, 1)
                most = [(v, -copies) for v, copies in eligible[kind]]
                rows.append((f"joker_{name}", None, 0, [stand_in, *most]))
                if not template.has_fifth:
                    rows.append((f"copies_{name}", None, COPIES, use[kind]))
                use[kind] = [*use[kind], (first + kind, -1)]
            drawn.append("missing_joker")
            unseen = (*unseen, template.held_jokers(query.unseen))
            terms = [(first + kind, 1) for kind in range(tiles.num_kinds)]
            missing = len(names) + tiles.num_kinds
            own = template.held_jokers(hand.counts)
            rows.append(("jokers", None, own, [*terms, (missing, -1)]))
        # use - missing <= held. The bounds missing <= unseen imply use <= held + unseen, so
        # without jokers the limit of four copies needs no row.
        rows += [
            (f"kind_{name}", None, held[k], [*use[k], (len(names) + k, -1)])
            for k, name in enumerate(tiles.names)
        ]
        return self.program(
            hand,
            objective=(0,) * len(names) + (1,) * len(drawn),
            upper=(*upper, *unseen),
            rows=rows,
            names=(*names, *drawn),
            pieces=pieces,
        )
