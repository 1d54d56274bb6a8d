"""Work that is called by its name."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Named(Generic[P, T]):
    """A function that is imported where it is called: whoever only sends it needs none of it.

    Attributes:
        module: where it is.
        name: what it is called there.
    """

    module: str
    name: str

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns."""
        return self.found()(*args, **kwargs)

    def found(self) -> Callable[P, T]:
        """The function itself."""
        found: Callable[P, T] = getattr(import_module(self.module), self.name)
        return found
