"""How much a run of the tests tries: a little with every change, much in the long form.

`pytest --long` runs the long form, and of it only what has one: what Hypothesis draws, and what is
marked `long`.
"""

from typing import Any, TypeVar

from hypothesis import settings

T = TypeVar("T")

_chosen: set[str] = set()


def choose_long_form() -> None:
    """Try much, in whatever is imported from now on."""
    _chosen.add("long")


def either(short: T, long: T) -> T:
    """What belongs to the form that is run."""
    return long if _chosen else short


def examples(short: int, long: int, **more: Any) -> settings:
    """How many examples Hypothesis draws, however long one takes."""
    return settings(deadline=None, max_examples=either(short, long), **more)
