"""Digest of everything that the machine code of a function depends on.

These are the bytecode of the function and of the functions it calls, and the values of their
global names, whatever files they stand in. Comments, docstrings, line numbers and paths are not
part of it, so that an edit changes the digests of those functions alone whose code it changes.
"""

import hashlib
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, GenericAlias, ModuleType, UnionType
from typing import Any, Final

import numpy as np

Inner = Mapping[Callable[..., object], tuple[Callable[..., object], bool]]
"""For each function that kernels call: the function to compile, and whether it is inlined."""

_LIBRARIES: Final = ("builtins", "llvmlite", "math", "numba", "numpy", "operator", "typing")
"""Named in a digest, not described: their versions are part of it."""
_PLAIN: Final = (
    *(bool, int, float, complex, str, bytes, type(None), type(...), range, slice),
    *(np.generic, np.dtype, GenericAlias, UnionType),
)
_SETTINGS_OF_NO_EFFECT: Final = ("NUMBA_CACHE_DIR", "NUMBA_CACHE_LOCATOR_CLASSES")


class _UnknownValueError(Exception):
    """A value that no description covers."""


def code_digest(
    function: Callable[..., object], signature: tuple[Any, ...], inner: Inner, *options: object
) -> str | None:
    """Return a SHA-256 of a function's code for numba's types of its arguments.

    None if the function uses a value that cannot be described; its code must not be kept.
    """
    digest = hashlib.sha256()
    try:
        for part in (
            *_describe_environment(),
            repr(options),
            *map(_describe_type, signature),
            *_describe(function, inner, {}),
        ):
            digest.update(part.encode("utf-8", "surrogateescape") + b"\n")
    except _UnknownValueError:
        return None
    return digest.hexdigest()


def _describe_environment() -> tuple[str, ...]:
    """Return the versions, the processor and the settings that determine machine code."""
    settings = [
        f"{name}={value}"
        for name, value in sorted(os.environ.items())
        if name.startswith("NUMBA_") and name not in _SETTINGS_OF_NO_EFFECT
    ]
    return *_machine(), *settings


@cache
def _machine() -> tuple[str, ...]:
    import llvmlite  # type: ignore[import-untyped]  # it has no stubs
    import numba
    from llvmlite import binding

    versions = [library.__version__ for library in (numba, llvmlite, np)]
    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return (python, platform.system(), platform.machine(), *versions, *processor)


def _describe_type(kind: Any) -> str:
    """Describe a type of numba; the name of a tuple type does not contain those of its fields."""
    parts = ",".join(map(_describe_type, getattr(kind, "types", ())))
    return f"{kind} {getattr(kind, 'fields', '')} ({parts})"


def _describe(value: Any, inner: Inner, seen: dict[int, int]) -> Iterator[str]:
    """Yield parts of a description of a value; equal descriptions mean equal machine code."""
    if isinstance(value, _PLAIN):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, FunctionType):
        yield from _describe_function(value, inner, seen)
    elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
        yield f"array {value.dtype.descr} {value.shape}"
        yield hashlib.sha256(value.tobytes()).hexdigest()
    elif isinstance(value, tuple | list | dict):
        yield f"{type(value).__name__} of {len(value)}"
        for part in value.items() if isinstance(value, dict) else value:
            yield from _describe(part, inner, seen)
    elif isinstance(value, set | frozenset):
        yield f"{type(value).__name__} of {len(value)}"
        yield from sorted("\n".join(_describe(part, inner, seen)) for part in value)
    elif isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
        yield f"class {value.__qualname__} {value._fields}"
        yield from _describe(tuple(getattr(value, "_field_defaults", {}).values()), inner, seen)
    elif isinstance(value, type) and _library_of(value) not in _LIBRARIES:
        yield f"class {value.__qualname__} {_source_digest(value.__module__)}"
    elif is_dataclass(value):
        yield f"record {type(value).__qualname__}"
        for field in fields(value):
            yield from _describe(getattr(value, field.name), inner, seen)
    elif isinstance(getattr(value, "__wrapped__", None), FunctionType):  # numba's intrinsics
        yield f"{_library_name(type(value))} of"
        yield from _describe_function(value.__wrapped__, inner, seen)
    else:
        yield _library_name(value)


def _describe_function(function: Any, inner: Inner, seen: dict[int, int]) -> Iterator[str]:
    """Describe a function, and all that it uses, once."""
    function, is_inlined = inner.get(function, (function, False))
    if _library_of(function) in _LIBRARIES:
        yield f"function {_library_name(function)}"
        return
    yield f"function {function.__name__} {is_inlined}"
    if id(function) in seen:
        yield f"number {seen[id(function)]}"
        return
    seen[id(function)] = len(seen)
    yield from _describe(function.__defaults__, inner, seen)
    for cell in function.__closure__ or ():
        yield from _describe(cell.cell_contents, inner, seen)
    yield from _describe_code(function.__code__, function.__doc__)
    for name in dict.fromkeys(_names(function.__code__)):
        if name in function.__globals__:  # others are attributes or built in
            yield f"global {name}"
            yield from _describe(function.__globals__[name], inner, seen)


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names that code looks up, with those of functions defined in it."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names(part)


def _describe_code(code: CodeType, doc: str | None = None) -> Iterator[str]:
    """Yield bytecode, names and constants of code, without its docstring."""
    variables = code.co_varnames, code.co_freevars, code.co_cellvars
    arguments = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    yield f"code {code.co_code.hex()} {code.co_names} {variables} {arguments}"
    for place, part in enumerate(code.co_consts):
        if isinstance(part, CodeType):
            yield from _describe_code(part)
        else:
            is_docstring = place == 0 and part == doc
            yield from _describe(None if is_docstring else part, {}, {})


@cache
def _source_digest(module: str) -> str:
    """Return a SHA-256 of the source of a module; its classes are not described one by one."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        raise _UnknownValueError
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _library_of(value: Any) -> str:
    """Return the name of the top module that defines a value; empty if it does not tell."""
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    # Functions of NumPy that are written in C do not name a module, but ufuncs are NumPy's.
    return str(module or ("numpy" if isinstance(value, np.ufunc) else "")).partition(".")[0]


def _library_name(value: Any) -> str:
    """Return the name of something that a library defines.

    Nothing else is described by its name alone, because its meaning may change.
    """
    name = getattr(value, "__qualname__", "") or getattr(value, "__name__", "")
    if not name or _library_of(value) not in _LIBRARIES:
        raise _UnknownValueError
    return f"{getattr(value, '__module__', '')}.{name}"
