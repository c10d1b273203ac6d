"""Kernels made the quick way: what is linked in is compiled once, and machine code is kept.

It leans on names of numba's that are not public, and takes about half of what the others take;
:mod:`mjopt._internal.kernels` asks whether they stand.
"""

import operator
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import BuiltinFunctionType
from typing import Any, Final

import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.types import Function, unliteral  # type: ignore[attr-defined]  # by a star
from numba.core.typing import Context
from numba.core.typing.templates import _OverloadFunctionTemplate, make_intrinsic_template
from numba.extending import intrinsic as numba_intrinsic

from mjopt._internal.compiling import heard_kernel, heard_part
from mjopt._internal.kept_kernels import KeptKernel, leaving
from mjopt._internal.plain_kernels import allowed, compiling


def compiled(function: Callable[..., Any], number: Callable[[], int] = lambda: 1) -> Any:
    """Return a function that is compiled on its first call, and kept.

    ``number`` tells how many functions are to be compiled for it.
    """
    made = _made(function)
    with suppress(RuntimeError):  # numba: "cannot cache function ...: no locator available"
        made._cache = KeptKernel(function)
    compiler = made._compiler  # what is only read from where it is kept does not come here
    heard = compiling(
        compiler.compile, lambda: heard_kernel(number, made._cache.cache_path is not None)
    )
    compiler.compile = leaving(made._cache)(heard)
    return made


def linked(function: Callable[..., Any], *, by_constant: bool = False) -> Any:
    """Return a function as kernels call it: code that becomes a part of theirs."""
    made = _made(function, by=_Linking, no_cpython_wrapper=True)
    if not by_constant:
        template = made.get_call_template
        made.get_call_template = lambda args, kws: template(tuple(map(unliteral, args)), kws)
    made._compiler.compile = compiling(made._compiler.compile, heard_part)
    return made


def _made(
    function: Callable[..., Any], by: type["_Compiling"] | None = None, **options: Any
) -> Any:
    options |= {"nogil": True, "no_cfunc_wrapper": True, "pipeline_class": by or _Compiling}
    with allowed():
        made: Any = numba.njit(**options)(function)
    made.compile = allowed()(made.compile)
    return made


class _LinkedCode(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """What kernels link in, optimise with what is theirs, and make machine code of.

    Numba would do all that for each function by itself as well, where nobody runs it.
    """

    @property
    def codegen(self) -> "_LinkedCode":
        """Who is asked to set the environment of what runs by itself: nothing here does."""
        return self

    def set_env(self, *_: Any) -> None:
        """Leave it."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _Typing(Context):  # type: ignore[misc]
    """Numba's own typing context, which remembers what it found of the language's functions.

    Numba would try all the ways there are to add, or to take an item, at every place anew:
    a sixth of its time.
    """

    def __init__(self, own: Context) -> None:
        self.__dict__ = own.__dict__  # one state, two ways to ask
        self._found: dict[tuple[object, ...], Any] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a function for such arguments."""
        if type(func) not in (Function, BuiltinFunctionType):  # others may have to be compiled
            return super().resolve_function_type(func, args, kws)
        asked = (func, tuple(args), tuple(kws.items()))
        if (found := self._found.get(asked)) is None:
            found = super().resolve_function_type(func, args, kws)
            self._found[asked] = found
        return found

    def resolve_setitem(self, *arguments: Any) -> Any:
        """Return the signature of ``arguments[0][arguments[1]] = arguments[2]``."""
        return self.resolve_function_type(operator.setitem, arguments, {})


@cache
def _remembering(own: Context) -> _Typing:
    return _Typing(own)


def _link_overloads() -> None:
    """Have numba's own functions, such as the maximum, compiled as ours are that are linked in.

    Only for kernels of ours: their typing context is :class:`_Typing`.
    """
    of_numba = _OverloadFunctionTemplate._get_jit_decorator

    def decorator(template: Any) -> Any:
        jit = of_numba(template)
        if type(template.context) is not _Typing:
            return jit
        return lambda **options: jit(**options | _LINKED)

    _OverloadFunctionTemplate._get_jit_decorator = decorator


@register_pass(mutates_CFG=False, analysis_only=False)
class _Borrowing(FunctionPass):  # type: ignore[misc]
    """Count no references where none is made or returned: arrays stay those of the caller.

    That is so in files that say ``BORROWS = True``. It halves the time that the heuristics take,
    but LLVM makes a slower loop of the tables' discards without: a file is measured first.
    """

    _name = "mjopt_borrowing"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Decide by the types of what is called and returned."""
        if not state.func_id.func.__globals__.get("BORROWS"):
            return False
        views = ("getitem", "static_getitem")
        signatures = [
            signature.return_type
            for place, signature in state.calltypes.items()
            if signature is not None and getattr(place, "op", None) not in views
        ]
        models = state.targetctx.data_model_manager
        made = (models[kind] for kind in (state.return_type, *signatures))
        if not any(model.contains_nrt_meminfo() for model in made):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


class _Compiling(Compiler):  # type: ignore[misc]
    def define_pipelines(self) -> Any:
        self.state.typingctx = _remembering(self.state.typingctx)
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.add_pass_after(_Borrowing, NopythonTypeInference)
            pipeline.finalize()
        return pipelines


class _Linking(_Compiling):
    def define_pipelines(self) -> Any:
        state = self.state
        state.library = _LinkedCode(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


_LINKED: Final = {
    "pipeline_class": _Linking,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_link_overloads()


def intrinsic_type(function: Callable[..., Any]) -> Any:
    """Return the type by which kernels know a function that writes LLVM instructions."""
    made = numba_intrinsic(function)
    return Function(make_intrinsic_template(made, function, function.__name__))


# Whether all that stands ------------------------------------------------------------------


def stands() -> bool:
    """Return whether a small kernel is made well, of all that kernels are made of."""
    try:
        return list(compiled(_widest)(np.array([[1, 5], [7, 2]]))) == [5, 7]
    except Exception:  # whatever has become of numba's own names
        return False


def _widest(rows: Any) -> Any:
    found = np.zeros(len(rows), np.int64)
    for i in range(len(rows)):
        found[i] = _wider(rows[i], 0)
    return found


@linked
def _wider(row: Any, found: int) -> int:
    for j in range(len(row)):
        found = max(found, row[j])
    return found
