"""Small faults of Python code, one at a time: the mutants of a module."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.Break: ast.Continue, ast.Continue: ast.Break,
}  # fmt: skip
_PAIRS = (
    ("any", "all"), ("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"),
    ("zeros", "ones"), ("zeros_like", "ones_like"), ("floor", "ceil"), ("issubset", "issuperset"),
    ("startswith", "endswith"),
)  # fmt: skip
_NAMES = {one: two for pair in _PAIRS for one, two in (pair, pair[::-1])}
# Words of messages, annotations, and what guards the code's own reasoning.
_SKIPPED = (ast.Assert, ast.Import, ast.ImportFrom, ast.JoinedStr)
_NOT_ENTERED = {"annotation", "returns", "decorator_list", "bases", "exc", "cause", "ctx"}
_PARTS = (ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.Slice)  # of an expression
_WIDTH = 60  # characters of the expression that a mutant is named by


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module: the replacement number ``variant`` at node number ``site``.

    ``function`` is the innermost function or class around it, ``outermost`` the outermost function
    whose code holds it: empty for constants of modules and classes, and for default arguments.
    """

    path: Path
    line: int
    function: str
    outermost: str
    text: str  # "before -> after", unique in the function
    site: int
    variant: int

    @property
    def name(self) -> str:
        """Return the name by which lists of equivalent mutants refer to it."""
        return f"{self.function}: {self.text}"


class _Site:
    """A node with its place: the field, or the element of a list in a field, of its parent."""

    def __init__(self, parents: tuple[ast.AST, ...], field: str, at: int | None) -> None:
        self.parents, self.field, self.at = parents, field, at

    @property
    def node(self) -> ast.AST:
        value: Any = getattr(self.parents[-1], self.field)
        return value if self.at is None else value[self.at]

    def put(self, node: ast.AST) -> None:
        if self.at is None:
            setattr(self.parents[-1], self.field, node)
        else:
            getattr(self.parents[-1], self.field)[self.at] = node


def _sites(node: ast.AST, parents: tuple[ast.AST, ...] = ()) -> Iterator[_Site]:
    """Yield every node that may be changed, in the order of the source."""
    parents = (*parents, node)
    for field, value in ast.iter_fields(node):
        for at, inner in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(inner, ast.AST) or isinstance(inner, _SKIPPED):
                continue
            if isinstance(inner, ast.keyword) and inner.arg == "strict":
                continue
            if field not in _NOT_ENTERED:
                yield _Site(parents, field, at if isinstance(value, list) else None)
                yield from _sites(inner, parents)


def _replacements(node: ast.AST) -> list[ast.AST]:  # noqa: PLR0911 - one for each kind of node
    """Return the nodes that may stand in place of a node."""
    match node:
        case ast.BoolOp():
            rest = [node.values[:i] + node.values[i + 1 :] for i in range(len(node.values))]
            return [r[0] if len(r) == 1 else ast.BoolOp(node.op, r) for r in rest]
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            return [node.operand]
        case ast.Constant(value=bool()):
            return [ast.Constant(not node.value)]
        case ast.Constant(value=int() | float()):
            return [ast.Constant(node.value + 1), ast.Constant(node.value - 1)]
        case ast.Name() if node.id in _NAMES:
            return [ast.Name(_NAMES[node.id], node.ctx)]
        case ast.Attribute() if node.attr in _NAMES:
            return [ast.Attribute(node.value, _NAMES[node.attr], node.ctx)]
        case ast.Raise() | ast.AugAssign() | ast.Expr(value=ast.Call() | ast.YieldFrom()):
            return [ast.Pass()]
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute() | ast.Tuple()]):
            elements = [t for one in node.targets for t in getattr(one, "elts", [one])]
            stores = all(isinstance(one, ast.Subscript | ast.Attribute) for one in elements)
            return [ast.Pass()] if stores else []
        case _ if type(node) in _OPERATORS:
            return [_OPERATORS[type(node)]()]
    return []


def _negated(site: _Site) -> list[ast.AST]:
    """Return the negation of a condition that is a plain name or call."""
    is_test = site.field == "test" or (
        site.field == "ifs" and isinstance(site.parents[-1], ast.comprehension)
    )
    if is_test and ast.unparse(site.node) == "TYPE_CHECKING":
        return []  # any program may import types
    if is_test and isinstance(site.node, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr):
        return [ast.UnaryOp(ast.Not(), site.node)]  # type: ignore[arg-type]
    return []


def _context(site: _Site) -> ast.AST:
    """Return the largest expression or simple statement around a node that is short."""
    around = site.node
    for parent in reversed(site.parents):
        if isinstance(parent, ast.FunctionDef | ast.ClassDef | ast.Module | ast.For | ast.While):
            break
        if isinstance(parent, ast.If | ast.Try | ast.With | ast.match_case | ast.Match):
            break
        if len(ast.unparse(parent)) > _WIDTH and not isinstance(around, _PARTS):
            break
        around = parent
    return around


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 3 * _WIDTH else f"{text[: 3 * _WIDTH]}..."


def _function(site: _Site) -> str:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return ".".join(node.name for node in site.parents if isinstance(node, kinds)) or "module"


def _outermost(site: _Site) -> str:
    names = []
    for node, inner in pairwise((*site.parents, site.node)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.append(node.name)
        if isinstance(node, ast.FunctionDef):
            return "" if inner is node.args else ".".join(names)
    return ""


def mutants(path: Path) -> list[Mutant]:
    """Return all mutants of a module."""
    tree = ast.parse(path.read_bytes())
    found: list[Mutant] = []
    names: Counter[tuple[str, str]] = Counter()
    for number, site in enumerate(_sites(tree)):
        before, around = site.node, _context(site)
        line = next(
            node.lineno for node in (before, *reversed(site.parents)) if hasattr(node, "lineno")
        )
        for variant, after in enumerate(_replacements(before) + _negated(site)):
            old = _short(ast.unparse(around))
            site.put(after)
            new = _short(ast.unparse(after if around is before else around))
            site.put(before)
            function, text = _function(site), f"{old} -> {new}"
            names[function, text] += 1
            if (times := names[function, text]) > 1:
                text = f"{text} ({times})"
            found.append(Mutant(path, line, function, _outermost(site), text, number, variant))
    return found


def mutated(mutant: Mutant) -> ast.Module:
    """Return the syntax tree of a mutant."""
    tree = ast.parse(mutant.path.read_bytes())
    for number, site in enumerate(_sites(tree)):
        if number == mutant.site:
            site.put((_replacements(site.node) + _negated(site))[mutant.variant])
            return ast.fix_missing_locations(tree)
    raise ValueError(f"{mutant.path} has no node {mutant.site}")
