"""Certificate: a deficiency with its target, its lower bounds and the claim of the solver."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mjopt.errors import CertificateError, MjoptError
from mjopt.hands.blocks import Block, Shape, beyond, tiles_taken, usage
from mjopt.hands.hand import Hand
from mjopt.hands.notation import read_tiles
from mjopt.hands.rules.classic_forms import HAND_SIZE, UNREACHABLE, is_classic, names_of
from mjopt.hands.rules.document import definitions, tiles_document
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm

if TYPE_CHECKING:
    from mjopt.hands.rules.template import Template
    from mjopt.proofs.limits import Limits
    from mjopt.proofs.native_schema import Document

Evidence = tuple[str, tuple[int, ...] | int | None]
"""("potentials", numbers), ("cut", nodes), or ("least", tiles or None)."""

FormEvidence = Evidence | tuple[Evidence | None, ...]
"""Evidence for a form; for the form of a rule set that of each template, None for one that the
called melds rule out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Where the value came from, before it was checked."""

    model: str  # the formulation; ``network`` if no integer program was solved
    solver: str  # ``shortest path`` if no integer program was solved
    version: str  # of the solver
    termination: str  # why the run stopped


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Two-sided evidence for the deficiency of one hand.

    Parameters
    ----------
    hand
        The hand.
    unseen
        Copies of each kind that can still arrive.
    forms
        The winning forms that count.
    deficiency
        Tile changes, or ``UNREACHABLE``.
    form
        The form of the target; None if there is no target.
    decomposition
        The blocks of the target without the called melds.
    bounds
        The evidence that no complete hand is nearer, for every form.
    claim
        Where the value came from.
    template
        The number of the template of the target, if the form is of a rule set.

    Examples
    --------
    >>> from mjopt.analysis.certify import certify
    >>> cert = certify(Hand.parse("1112345678999m1p"))
    >>> cert.deficiency, cert.certified, len(cert.decomposition)
    (1, True, 5)
    >>> Certificate.from_json(cert.to_json()) == cert
    True
    """

    hand: Hand
    unseen: tuple[int, ...] = field(repr=False)
    forms: tuple[WinningForm, ...]
    deficiency: int
    form: str | None
    decomposition: tuple[Block, ...] = field(repr=False)
    bounds: tuple[tuple[str, FormEvidence], ...] = field(repr=False)
    claim: Claim = field(repr=False)
    template: int | None = field(default=None, repr=False)

    @property
    def target(self) -> tuple[int, ...] | None:
        """Tiles of the target, per kind; None if no target can be reached."""
        if self.form is None:
            return None
        return usage(self.decomposition, self.hand.tiles.num_kinds)

    @property
    def draws(self) -> tuple[int, ...]:
        """Copies of each kind to draw on the way to the target, jokers included."""
        return beyond(self._used, self.hand.counts)

    @property
    def discards(self) -> tuple[int, ...]:
        """Copies of each kind that the hand holds beyond the target."""
        return beyond(self.hand.counts, self._used)

    @property
    def winning_form(self) -> WinningForm | None:
        """The form of the target; None if there is no target."""
        return next((form for form in self.forms if form.name == self.form), None)

    @property
    def target_template(self) -> "Template | None":
        """The template of the target, if its form is of a rule set."""
        form = self.winning_form
        if self.template is None or form is None:
            return None
        return form.templates[self.template]

    @property
    def _used(self) -> tuple[int, ...] | None:
        """Tiles of the target, per kind, with jokers as tiles of their own kinds."""
        target, template = self.target, self.target_template
        if target is None or template is None or not template.jokers:
            return target
        return tiles_taken(self.decomposition, template.jokers, self.hand.counts, self.unseen)

    @property
    def certified(self) -> bool:
        """Whether the checker accepts this certificate; computed at each access."""
        try:
            self.verify()
        except CertificateError:
            return False
        return True

    def verify(self) -> None:
        """Check both sides, without any solver or table.

        Raises
        ------
        CertificateError
            With the reason, if a part does not hold.
        """
        from mjopt.proofs.native_check import check_native  # loads NumPy, `import mjopt` does not

        check_native(self.to_document())

    def to_document(self) -> "Document":
        """Return the certificate as plain data in the native format."""
        from mjopt.proofs.native_check import DEFINED_VERSION, FORMAT, VERSION, digest, plain_text

        hand, target = self.hand, self.target
        defined = definitions(self.forms)
        document: Document = {
            "format": FORMAT,
            "version": DEFINED_VERSION if defined else VERSION,
            "tiles": tiles_document(hand.tiles),
            "hand": hand.to_text() if any(hand.red) else plain_text(hand.tiles, hand.counts),
            "held": list(hand.counts),
            "unseen": list(self.unseen),
            "called": hand.called,
            "melds": [meld.text(hand.tiles) for meld in hand.melds],
            "forms": list(names_of(self.forms)),
            "deficiency": None if self.deficiency == UNREACHABLE else self.deficiency,
            "target": None
            if target is None
            else {
                "form": self.form,
                "blocks": [[b.shape.value, list(b.kinds)] for b in self.decomposition],
                "counts": list(target),
                "draws": list(self.draws),
                "discards": list(self.discards),
            },
            "bounds": {form: _evidence_document(evidence) for form, evidence in self.bounds},
            # Not `asdict`, which takes a tenth of the time of `certify`.
            "claim": {name: getattr(self.claim, name) for name in Claim.__slots__},
        }
        if defined:
            document["size"] = hand.size
            document["definitions"] = defined
            if self.template is not None:
                document["target"]["template"] = self.template
        document["digest"] = digest(document)
        return document

    def to_json(self) -> str:
        """Write the certificate as one line of JSON."""
        return json.dumps(self.to_document(), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str, limits: "Limits | None" = None) -> "Certificate":
        """Read a certificate and check it.

        Parameters
        ----------
        text
            The certificate.
        limits
            Limits on its size; by default ``mjopt.proofs.LIMITS``.

        Raises
        ------
        CertificateError
            If the text is not a certificate, or the checker refuses it.
        """
        from mjopt.proofs.limits import LIMITS
        from mjopt.proofs.native_check import check_native, read_native

        limits = limits or LIMITS
        document = read_native(text, limits)
        check_native(document, limits)
        return cls._from_document(document)

    @classmethod
    def _from_document(cls, document: "Document") -> "Certificate":
        """Return the certificate in a document that the checker has accepted."""
        target = document["target"]
        value = document["deficiency"]
        forms = _forms(document)
        return cls(
            hand=_hand(document, forms),
            unseen=tuple(document["unseen"]),
            forms=forms,
            deficiency=UNREACHABLE if value is None else value,
            form=None if target is None else target["form"],
            decomposition=()
            if target is None
            else tuple(Block(tuple(kinds), Shape(shape)) for shape, kinds in target["blocks"]),
            bounds=tuple((form, _evidence(document["bounds"][form])) for form in document["forms"]),
            claim=Claim(**document["claim"]),
            template=None if target is None else target.get("template"),
        )


def _evidence(document: "dict[str, list[Any] | int | None]") -> FormEvidence:
    [(kind, values)] = document.items()
    if kind == "templates" and isinstance(values, list):
        return tuple(None if part is None else _numbers(part) for part in values)
    return _numbers(document)


def _numbers(document: dict[str, list[int] | int | None]) -> Evidence:
    [(kind, values)] = document.items()
    return kind, tuple(values) if isinstance(values, list) else values


def _evidence_document(evidence: FormEvidence) -> dict[str, object]:
    if evidence and isinstance(evidence[0], str):
        kind, values = evidence
        return {kind: list(values) if isinstance(values, tuple) else values}
    parts = [None if part is None else _evidence_document(part) for part in evidence]
    return {"templates": parts}


def _forms(document: "Document") -> tuple[WinningForm, ...]:
    """Return the forms of a document that the checker has accepted."""
    from mjopt.proofs.native_forms import read_forms
    from mjopt.proofs.native_schema import tile_set

    names, defined = document["forms"], document.get("definitions", {})
    return read_forms(names, defined, tile_set(document["tiles"]), document.get("size", HAND_SIZE))


def _hand(document: "Document", forms: tuple[WinningForm, ...]) -> Hand:
    """Return the hand; red fives and called melds are given as text only."""
    from mjopt.proofs.native_schema import meld_kinds, tile_set

    tiles = tile_set(document["tiles"])
    held, called = document["held"], document["called"]
    rules = rules_of_forms(forms)
    if rules is not None:
        # The checker has accepted all parts. Its forms may have fewer melds than are called.
        melds = tuple(meld_of(meld_kinds(meld, tiles)) for meld in document["melds"])
        _, [(_, red), *_] = read_tiles([document["hand"]], "mpsz", tiles)
        return Hand.of_checked(tiles, tuple(held), red, called, melds, True, rules)
    if not document["melds"] and "0" not in document["hand"]:
        return Hand.from_counts(held, tiles=tiles, called=called, partial=True)
    try:
        text, melds = document["hand"], document["melds"]
        return Hand.parse(text, tiles=tiles, called=called, melds=melds, partial=True)
    except MjoptError as error:
        raise CertificateError(str(error), argument="hand") from None


def meld_of(kinds: list[int]) -> Block:
    """Return the chow, pong or kong of some kinds."""
    if kinds[0] != kinds[-1]:
        return Block(tuple(kinds), Shape.CHOW)
    return Block(tuple(kinds), Shape.PONG if len(kinds) == 3 else Shape.KONG)


def check_size(text: str) -> None:
    """Raise if the JSON of a certificate is longer than checkers accept by default."""
    from mjopt.proofs.limits import LIMITS

    LIMITS.check("bytes", len(text), "certificate")


def rules_of_forms(forms: tuple[WinningForm, ...]) -> RuleSet | None:
    """Return a rule set of these forms; None if all of them are classic."""
    if is_classic(forms):
        return None
    form = next(form for form in forms if not is_classic((form,)))
    name = form.name.partition(".")[0]
    return RuleSet(name=name, title=name, tiles=form.tiles, size=form.size, forms=forms)
