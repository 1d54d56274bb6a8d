"""What the engine's functions take, return, hold and raise can be imported from the engine."""

import inspect
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import engine
from engine import EngineError, solvers
from engine.solvers.tree_files import DamagedTreeError

PUBLIC: dict[str, Any] = {
    name: getattr(module, name) for module in (engine, solvers) for name in module.__all__
}


def annotated(thing: Any) -> Iterator[Any]:
    """A function; or a class with its methods, its properties and what its fields hold."""
    yield thing
    for name, member in vars(thing).items() if inspect.isclass(thing) else ():
        if not name.startswith("_"):
            yield getattr(member, "fget", getattr(member, "__func__", member))


def classes_in(hint: Any) -> Iterator[type]:
    if inspect.isclass(hint) and hint.__module__.startswith("engine."):
        yield hint
    for part in get_args(hint):
        yield from classes_in(part)


def test_all_that_public_functions_take_return_and_hold_is_public():
    things = [each for thing in PUBLIC.values() for each in annotated(thing)]
    hints = [get_type_hints(each) for each in things if hasattr(each, "__annotations__")]
    named = {
        found.__name__
        for each in hints
        for name, hint in each.items()
        if not name.startswith("_")
        for found in classes_in(hint)
    }
    assert len(named) > 30
    assert named - set(PUBLIC) == set()


def errors(base: type[EngineError]) -> Iterator[str]:
    for each in base.__subclasses__():
        if each.__module__.startswith("engine."):
            yield each.__name__
        yield from errors(each)


def test_all_errors_of_the_engine_are_public():
    found = set(errors(EngineError))
    assert "NoSuchLengthError" in found
    assert found - set(PUBLIC) == {DamagedTreeError.__name__}  # which only makers of trees meet
