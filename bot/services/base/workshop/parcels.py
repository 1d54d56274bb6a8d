"""Work and what comes of it as bytes that somebody else keeps, and that are not trusted blindly.

`pickle` does whatever the bytes say. Here they make up only kinds of data of our own and a few of
the library's, and call only what has a name in a list.
"""

import io
import pickle
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from typing import Any, Final, TypeVar, cast

from bot.services.base.workshop.named import Named
from bot.services.base.workshop.worker import Message, put_together, take_apart

T = TypeVar("T")

CALLED: Final = frozenset(
    {
        "bot.presentation.coach.chart_picture",
        "bot.presentation.statistics_picture",
        "bot.presentation.year_picture",
        "bot.services.coach.analysing",
        "bot.services.duels.solving",
        "bot.services.focdle.solving",
        "bot.services.mastermind.solving",
    }
)
"""Modules whose functions may be called by their names."""

_OURS: Final = ("bot.", "engine.")
_ALLOWED: Final = frozenset(
    {
        ("bot.presentation.base.language", "_speaking"),
        ("builtins", "bytearray"),
        ("builtins", "frozenset"),
        ("builtins", "range"),
        ("builtins", "set"),
        ("collections", "Counter"),
        ("collections", "OrderedDict"),
        ("collections", "deque"),
        ("datetime", "date"),
        ("datetime", "datetime"),
        ("datetime", "timedelta"),
        ("datetime", "timezone"),
        ("fractions", "Fraction"),
        ("functools", "partial"),
    }
)


class ForeignParcelError(Exception):
    """Bytes that would make up or call what no work of ours needs."""


def pack(what: object) -> bytes:
    """Work, or anything else that `unpack` may get.

    Raises:
        ForeignParcelError: it calls by its name what is in no list.
    """
    packed = io.BytesIO()
    _Packer(packed, pickle.HIGHEST_PROTOCOL).dump(what)
    return packed.getvalue()


def unpack(parcel: bytes) -> Any:
    """What was packed.

    Raises:
        ForeignParcelError: it is nothing that we have packed.
    """
    try:
        return _Unpacker(io.BytesIO(parcel)).load()
    except ForeignParcelError:
        raise
    except Exception as error:  # nobody knows what damaged bytes lead to
        raise ForeignParcelError from error


def answer(parcel: bytes) -> bytes:
    """What comes of packed work, packed; called by workers."""
    try:
        work: Callable[[], Any] = unpack(parcel)
        message: Message = (True, work())
        return pack(message)
    except Exception as error:  # noqa: BLE001 - it is raised where somebody waits
        return failure(error)


def failure(error: Exception) -> bytes:
    """What comes of work that has failed, packed."""
    return pack((False, take_apart(error)))


def result(answered: bytes) -> Any:
    """The result of an answer.

    Raises:
        ForeignParcelError: it is no answer of ours.
        Exception: what the work has raised.
    """
    is_done, found = cast("Message", unpack(answered))
    if is_done:
        return found
    raise put_together(*found)


class _Packer(pickle.Pickler):
    def persistent_id(self, obj: object) -> tuple[str, str] | None:
        """A function's name in place of what could call any function."""
        if not isinstance(obj, Named):
            return None
        return _allowed(obj.module, obj.name)


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Named[..., Any]:
        """What is called by its name."""
        module, name = pid
        return Named(*_allowed(module, name))

    def find_class(self, module: str, name: str) -> Any:
        """A kind of data; nothing that does anything."""
        if (module, name) in _ALLOWED:
            return super().find_class(module, name)
        if module == "builtins" or module.startswith(_OURS):
            found = super().find_class(module, name)
            if isinstance(found, type) and _is_data(found):
                return found
        raise ForeignParcelError(f"{module}.{name}")


def _allowed(module: str, name: str) -> tuple[str, str]:
    if module not in CALLED or name.startswith("_"):
        raise ForeignParcelError(f"{module}.{name}")
    return module, name


def _is_data(kind: Any) -> bool:
    if issubclass(kind, Exception):
        return True
    if issubclass(kind, Named) or not kind.__module__.startswith(_OURS):
        return False
    is_rules = kind.__module__.startswith("engine.")
    return is_rules or is_dataclass(kind) or issubclass(kind, tuple | Enum)
