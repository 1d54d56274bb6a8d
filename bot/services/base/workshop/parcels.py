"""Work and what comes of it as bytes that somebody else keeps, and that are not trusted blindly.

`pickle` does whatever the bytes say. Here they make up only kinds of data of our own and a few of
the library's. Only work calls something, and only what has a name in a list.
"""

import io
import pickle
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from typing import Any, Final

from bot.services.base.workshop.named import Named
from bot.services.base.workshop.worker import Message, put_together, take_apart

_OURS: Final = ("bot.", "engine.")
_ALLOWED: Final = frozenset(
    {
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
    }
)
_CALLING: Final = frozenset(
    {("bot.presentation.base.language", "_speaking"), ("functools", "partial")}
)


class ForeignParcelError(Exception):
    """Bytes that would make up or call what no work of ours needs."""


def pack(what: object) -> bytes:
    """Work, or anything else that `unpack` may get.

    Raises:
        NotCalledError: it calls by its name what is in no list.
    """
    packed = io.BytesIO()
    _Packer(packed, pickle.HIGHEST_PROTOCOL).dump(what)
    return packed.getvalue()


def unpack(parcel: bytes) -> Any:
    """What was packed; nothing that calls anything.

    Raises:
        ForeignParcelError: it is nothing that we have packed.
    """
    return _load(_Unpacker(io.BytesIO(parcel)))


def answer(parcel: bytes) -> bytes:
    """What comes of packed work, packed; called by workers."""
    try:
        work: Callable[[], Any] = _load(_WorkUnpacker(io.BytesIO(parcel)))
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
    match unpack(answered):
        case (True, found):
            return found
        case (False, (kind, arguments, facts)) if _is_error(kind):
            raise put_together(kind, arguments, facts)
        case _:
            raise ForeignParcelError


def _load(unpickler: pickle.Unpickler) -> Any:
    try:
        return unpickler.load()
    except ForeignParcelError:
        raise
    except Exception as error:  # nobody knows what damaged bytes lead to
        raise ForeignParcelError from error


class _Packer(pickle.Pickler):
    def persistent_id(self, obj: object) -> tuple[str, str] | None:
        """A function's name in place of what could call any function."""
        if not isinstance(obj, Named):
            return None
        obj.require()
        return obj.module, obj.name


class _Unpacker(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """A kind of data; nothing that does anything."""
        if (module, name) in _ALLOWED:
            return super().find_class(module, name)
        if module == "builtins" or module.startswith(_OURS):
            found = super().find_class(module, name)
            if isinstance(found, type) and _is_data(found):
                return found
        raise ForeignParcelError(f"{module}.{name}")


class _WorkUnpacker(_Unpacker):
    def persistent_load(self, pid: Any) -> Named[..., Any]:
        """What is called by its name, and asks for itself whether it may be."""
        return Named(*pid)

    def find_class(self, module: str, name: str) -> Any:
        """A kind of data, or what puts together a function and what it is called with."""
        if (module, name) in _CALLING:
            return pickle.Unpickler.find_class(self, module, name)
        return super().find_class(module, name)


def _is_error(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Exception)


def _is_data(kind: Any) -> bool:
    if _is_error(kind):
        return True
    if issubclass(kind, Named) or not kind.__module__.startswith(_OURS):
        return False
    is_rules = kind.__module__.startswith("engine.")
    return is_rules or is_dataclass(kind) or issubclass(kind, tuple | Enum)
