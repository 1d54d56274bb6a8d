"""Statements that are built once: to build one takes several times what it takes to execute it."""

from collections.abc import Callable, Collection
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar, cast

from sqlalchemy import Executable, bindparam

P = ParamSpec("P")
S = TypeVar("S", bound=Executable)


def once(build: Callable[P, S]) -> Callable[P, tuple[S, dict[str, Any]]]:
    """Let a function build its statement once, with parameters in place of its arguments.

    The function sees no value: it can put an argument into a statement, and nothing else, and
    none is ever None. What is called then gives the statement and its parameters:

        @once
        def _find(number: int) -> Select[int]:
            return select(puzzles.c.id).where(puzzles.c.number == number)

        await tx.scalar(*_find(number))
    """
    names = {name: f"of_{name}" for name in signature(build).parameters}
    built: list[S] = []

    @wraps(build)
    def bound(*values: P.args, **others: P.kwargs) -> tuple[S, dict[str, Any]]:
        if not built:
            of_any: Callable[..., S] = build
            built.append(of_any(**{name: bindparam(of) for name, of in names.items()}))
        found = dict(zip(names.values(), values, strict=False))
        found |= {names[name]: value for name, value in others.items()}
        return built[0], {name: _listed(value) for name, value in found.items()}

    return bound


def _listed(value: object) -> object:
    """A value; what are several, as the list that a statement takes."""
    if isinstance(value, Collection) and not isinstance(value, str):
        return list(cast("Collection[object]", value))
    return value
