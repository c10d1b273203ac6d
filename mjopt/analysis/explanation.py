"""Explain a certificate to a player: the target, and why one tile fewer is impossible."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import certify
from mjopt.analysis.condition_text import conditions_text, forms_text
from mjopt.analysis.form_text import form_text, template_text
from mjopt.analysis.suit_shares import Shares, cheapest_shares
from mjopt.errors import CertificateError
from mjopt.hands.blocks import Block, Shape, joker_usage
from mjopt.hands.coerce import HandLike
from mjopt.hands.hand import Hand
from mjopt.hands.pairs_and_orphans import pair_prices
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE, is_classic, orphan_kinds
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm

_MOST_SHOWN: Final = 6  # templates named in an explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A certificate in sentences.

    Parameters
    ----------
    headline
        The value.
    target
        The blocks of the target and the tiles each lacks; the draws and discards.
    tiles
        Tiles that cannot arrive, if there are any.
    reasons
        Why no complete hand is nearer, form by form.

    Examples
    --------
    >>> import mjopt
    >>> explanation = mjopt.explain("1112345678999m1p")
    >>> print(explanation.headline)
    1112345678999m1p: 1 tile must change (deficiency 1, shanten 0).
    """

    headline: str
    target: tuple[str, ...]
    tiles: tuple[str, ...]
    reasons: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole text, paragraphs separated by blank lines."""
        parts = [(self.headline,), self.target, self.tiles, self.reasons]
        return "\n\n".join("\n".join(part) for part in parts if part)


def explain(
    hand: Certificate | HandLike,
    *,
    forms: FormsLike = None,
    unseen: Iterable[int] | str | None = None,
) -> Explanation:
    """Explain how far a hand is from winning, and why one tile less is impossible.

    Parameters
    ----------
    hand
        The hand, or its certificate, which is checked first and is about its own conditions.
    forms, unseen
        As for :func:`mjopt.certify`.

    Raises
    ------
    CertificateError
        If the checker refuses the certificate.

    Examples
    --------
    >>> print(explain(Hand.parse("12m", called=4)).text)
    12m with 4 called: 1 tile must change (deficiency 1, shanten 0).
    <BLANKLINE>
    Aim at:
      22m: the eye; missing 2m
    Draw 2m; 1m is not used.
    <BLANKLINE>
    Why not fewer than 1:
      A complete hand still needs the eye, and suits share no tile.
      Least tiles missing for (melds + eyes) inside each suit:
        characters: 0+1 needs 1
        dots: 0+1 needs 2
        bamboos: 0+1 needs 2
      All 3 ways to share them among the suits miss 1 or more;
      the cheapest: characters 0+1 (1), dots nothing, bamboos nothing.
    """
    if isinstance(hand, Certificate):
        if unseen is not None:
            raise CertificateError("a certificate has its own unseen tiles")
        certificate = hand
        certificate.verify()
    else:
        certificate = certify(hand, forms=forms, unseen=unseen)
    reasons: list[str] = []
    if certificate.deficiency:
        for form in certificate.forms:
            reasons += _reasons(form, certificate)
    return Explanation(
        headline=_headline(certificate),
        target=tuple(_target(certificate)),
        tiles=tuple(_unavailable(certificate)),
        reasons=tuple(reasons),
    )


def _headline(certificate: Certificate) -> str:
    hand, value = certificate.hand, certificate.deficiency
    name = conditions_text(hand, certificate.unseen) + forms_text(certificate.forms)
    if value == UNREACHABLE:
        return f"{name}: the tiles that can still arrive cannot complete it."
    if value == 0:
        return f"{name} wins: it is complete (deficiency 0, shanten -1)."
    verb = "must change" if hand.is_full else ("is missing" if value == 1 else "are missing")
    shanten = f"shanten {value - 1}"
    return f"{name}: {_number(value, 'tile')} {verb} (deficiency {value}, {shanten})."


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _tiles(counts: tuple[int, ...], hand: Hand) -> str:
    names = hand.tiles.names
    return " ".join(name for name, n in zip(names, counts, strict=True) for _ in range(n))


def _target(certificate: Certificate) -> list[str]:
    hand = certificate.hand
    if certificate.target is None:
        return []
    lines = ["Aim at:" if certificate.deficiency else "It is made of:"]
    states = _tile_states(certificate)
    for block, tiles in zip(certificate.decomposition, states, strict=True):
        if block.shape is not Shape.JOKER:
            lines.append(f"  {block.text(hand.tiles)}: {_role(block, certificate)}; {tiles}")
    draws, unused = _tiles(certificate.draws, hand), _tiles(certificate.discards, hand)
    if draws or unused:
        verb = "is" if sum(certificate.discards) == 1 else "are"
        parts = [f"Draw {draws}"] if draws else []
        parts += [f"{unused} {verb} not used"] if unused else []
        lines.append("; ".join(parts) + ".")
    return lines


def _tile_states(certificate: Certificate) -> list[str]:
    """Say for each block of the target which of its tiles are missing or jokers."""
    names = certificate.hand.tiles.names
    template = certificate.target_template
    blocks = certificate.decomposition
    held = list(certificate.hand.counts)
    natural = list(certificate.target or ())
    if template is not None:
        held = list(template.natural(certificate.hand.counts))
        jokers = joker_usage(blocks, len(natural))
        natural = [copies - some for copies, some in zip(natural, jokers, strict=True)]
    states = [""] * len(blocks)
    # Blocks without jokers first: they take the tiles that are none.
    for place in sorted(range(len(blocks)), key=lambda i: _may_have_joker(blocks[i], template)):
        missing: list[str] = []
        as_jokers: list[str] = []
        for kind in () if blocks[place].shape is Shape.JOKER else blocks[place].kinds:
            if not natural[kind]:
                as_jokers.append(names[kind])
                continue
            natural[kind] -= 1
            if held[kind]:
                held[kind] -= 1
            else:
                missing.append(names[kind])
        parts = [f"missing {' '.join(missing)}"] if missing else []
        parts += [f"a joker as {name}" for name in as_jokers]
        states[place] = ", ".join(parts) or "held"
    return states


def _may_have_joker(block: Block, template: Template | None) -> bool:
    """Return whether jokers may stand for tiles of a block."""
    if template is None or not template.jokers:
        return False
    if block.shape is Shape.FIXED:
        return bool(template.joker_fixed[block.kinds[0]])
    parts = {
        Shape.EYE: {"eyes", "pairs", "distinct"},
        Shape.SINGLE: {"distinct"},
    }.get(block.shape, {"melds"})
    return not parts.isdisjoint(template.joker_parts)


def _role(block: Block, certificate: Certificate) -> str:
    if certificate.winning_form is not None and certificate.winning_form.is_pairs:
        return "a pair"
    names = {"eye": "the eye", "single": "one of the thirteen"}
    template = certificate.target_template
    if template is not None:
        eye = "the eye" if template.eyes == 1 and not template.pairs else "a pair"
        number = len(block.kinds)
        fixed = "a fixed tile" if number == 1 else f"{number} fixed tiles"
        names = {"eye": eye, "single": "one of the different kinds", "fixed": fixed}
    return names.get(block.shape.value, f"a {block.shape.value}")


def _unavailable(certificate: Certificate) -> list[str]:
    """Name the kinds of which no copy can arrive, if the unseen tiles are limited."""
    hand, value = certificate.hand, certificate.deficiency
    is_plain = certificate.unseen == hand.unseen and value != UNREACHABLE
    unavailable = [
        kind
        for kind, copies in enumerate(certificate.unseen)
        if not copies and (hand.counts[kind] or not is_plain)
    ]
    if not unavailable or not value:
        return []
    if len(unavailable) == hand.tiles.num_kinds:
        return ["No tile at all can arrive."]
    return [f"No copy can arrive of {' '.join(hand.tiles.names[kind] for kind in unavailable)}."]


def _reasons(form: WinningForm, certificate: Certificate) -> list[str]:
    hand, value = certificate.hand, certificate.deficiency
    is_defined = not is_classic((form,))
    as_form = ""
    if is_defined or len(certificate.forms) > 1:
        name = form.name.rpartition(".")[2] if is_defined else form.name
        as_form = f" as {name.replace('_', ' ')} ({form_text(form)})"
    head = f"Why not fewer than {value}{as_form}:"
    if value == UNREACHABLE:
        head = f"Why it cannot be completed{as_form}:"
    if is_defined:
        return [head, *_by_templates(form, certificate)]
    if hand.called and not form.is_plain:
        return [head, "  The form has no called melds."]
    if form.is_plain:
        shares = cheapest_shares(hand, certificate.unseen)
        least = UNREACHABLE if shares.least is None else shares.least
        if least < value or (certificate.form == form.name and least != value):
            raise CertificateError(f"suit by suit the least is {least}, certified is {value}")
        return [head, *_by_suits(hand, shares)]
    return [head, *(_pairs(certificate) if form.is_pairs else _orphans(certificate))]


def _by_templates(form: WinningForm, certificate: Certificate) -> list[str]:
    """Give the bound that the certificate proves for each template, the least first."""
    evidence = dict(certificate.bounds)[form.name]
    allowed = HandQuery.of_checked(certificate.hand, certificate.forms).each_template(form)
    templates = [template for some in allowed for template in some or (None,)]
    bounds: list[tuple[int, int]] = []  # fewest tiles missing, and number of the template
    num_excluded = num_states = 0
    for number, part in enumerate(evidence):
        if part is None:
            num_excluded += 1
            continue
        kind, values = cast("tuple[str, tuple[int, ...]]", part)
        bounds.append((values[0] if kind == "potentials" else UNREACHABLE, number))
        num_states += len(values)
    bounds.sort()
    lines = []
    if num_excluded:
        excluded = _number(num_excluded, "template")
        lines.append(f"  The called melds leave no hand of {excluded}.")
    if not bounds:
        return lines
    lines += [
        "  Every such hand is a path through a network, one step for each kind of tile, and a step",
        "  is as long as it misses tiles. Numbers at the nodes, which no step lowers by more than",
        "  its length, prove the least length:",
    ]
    for bound, number in bounds[:_MOST_SHOWN]:
        template = templates[number]
        assert template is not None  # it has evidence
        text = template_text(template, form.tiles)
        lines.append(f"    {text}: {_least(bound)}")
    if len(bounds) > _MOST_SHOWN:
        others = _number(len(bounds) - _MOST_SHOWN, "other template")
        lines.append(f"    {others}: {_least(bounds[_MOST_SHOWN][0])}")
    return [*lines, f"  The certificate holds all {num_states:,} numbers."]


def _least(bound: int) -> str:
    if bound == UNREACHABLE:
        return "the tiles that can arrive do not suffice"
    return f"misses {bound} or more"


def _by_suits(hand: Hand, shares: Shares) -> list[str]:
    """Argue by the cheapest way to share melds and the eye among the suits."""
    needed = f"{_number(hand.melds_needed, 'meld')} and the eye" if hand.melds_needed else "the eye"
    lines = [
        f"  A complete hand still needs {needed}, and suits share no tile.",
        "  Least tiles missing for (melds + eyes) inside each suit:",
    ]
    wanted = [(m, e) for m in range(hand.melds_needed + 1) for e in (0, 1) if m or e]
    names = [suit.name or suit.letter for suit in hand.tiles.suits]
    for name, costs in zip(names, shares.costs, strict=True):
        # Shares that miss no tile are listed too: the argument needs them.
        cells = [f"{m}+{e} needs {costs[m, e]}" for m, e in wanted if (m, e) in costs]
        never = [f"{m}+{e}" for m, e in wanted if (m, e) not in costs]
        cells += [f"{' '.join(never)} cannot be made"] if never else []
        lines.append(f"    {name}: {', '.join(cells)}")
    ways = f"All {shares.num_ways} ways" if shares.num_ways > 1 else "The one way"
    if shares.least is None:
        return [*lines, f"  {ways} to share them need more of some suit than it can make."]
    best = [
        f"{name} {m}+{e} ({costs[m, e]})" if m or e else f"{name} nothing"
        for name, costs, (m, e) in zip(names, shares.costs, shares.best, strict=True)
    ]
    return [
        *lines,
        f"  {ways} to share them among the suits miss {shares.least} or more;",
        f"  the cheapest: {', '.join(best)}.",
    ]


def _pairs(certificate: Certificate) -> list[str]:
    hand, cap = certificate.hand, certificate.unseen
    lacks = list(pair_prices(hand.counts, cap).values())
    numbers = [lacks.count(lack) for lack in (0, 1, 2)]
    lines = [
        "  Seven pairs need seven different kinds, each paid for alone:",
        f"  {numbers[0]} are held twice, {numbers[1]} lack one tile and {numbers[2]} lack two.",
    ]
    if len(lacks) < 7:
        return [*lines, f"  Only {len(lacks)} kinds can become a pair."]
    return [*lines, f"  The seven cheapest miss {sum(sorted(lacks)[:7])}."]


def _orphans(certificate: Certificate) -> list[str]:
    hand, cap = certificate.hand, certificate.unseen
    orphans = orphan_kinds(hand.tiles)
    names = hand.tiles.names
    absent = [k for k in orphans if not hand.counts[k]]
    never = [names[k] for k in absent if not cap[k]]
    lines = ["  All thirteen terminals and honours are needed, and a second copy of one of them."]
    if never:
        return [*lines, f"  No copy can be had of {' '.join(never)}."]
    if absent:
        lines.append(f"  Missing at all: {' '.join(names[k] for k in absent)}.")
    if any(hand.counts[k] > 1 for k in orphans):
        return [*lines, f"  A second copy is held: {_number(len(absent), 'tile')} short in all."]
    if not any(hand.counts[k] + cap[k] > 1 for k in orphans):
        return [*lines, "  A second copy of any of them cannot be had."]
    return [*lines, f"  None is held twice: {len(absent) + 1} short in all."]
