"""Bytes that nobody of ours has packed: they call something, or would have it called."""

import pickle
from typing import Final

from bot.services.duels.listing import IS_OPTIMAL

_BEGIN: Final = pickle.PROTO + b"\x02"


def _put(what: object) -> bytes:
    """What puts something onto pickle's stack."""
    return pickle.dumps(what, 2)[2:-1]


def _named(name: tuple[str, str]) -> bytes:
    return _put(name) + pickle.BINPERSID


def called(name: tuple[str, str], *args: object) -> bytes:
    """Work that calls a function by its name as soon as it is read."""
    return _BEGIN + _named(name) + _put(args) + pickle.REDUCE + pickle.STOP


def answer(found: bytes) -> bytes:
    """An answer: that it was done, and what came of it, which is forged."""
    return _BEGIN + pickle.NEWTRUE + found[2:-1] + pickle.TUPLE2 + pickle.STOP


RENAMED: Final = (
    _BEGIN
    + _named((IS_OPTIMAL.module, IS_OPTIMAL.name))
    + _put(["tests.support.chores", "libraries"])
    + pickle.BUILD
    + pickle.STOP
)
"""Work that is in the list as it is made up, and is given another function's name then."""
