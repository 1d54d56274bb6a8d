"""Kills a program at one of its steps: just before it asks SQLite or the system for something."""

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Final

# What changes files, waits for the disk, or lets SQLite do either.
_OF_SQLITE: Final = frozenset({"backup", "commit", "connect", "close"})
_BY_AIOSQLITE: Final = "Connection._execute"
_OF_FILES: Final = frozenset(
    {"open", "write", "fsync", "link", "rename", "replace", "unlink", "mkdir", "close", "lockf"}
)
_SYSTEM: Final = frozenset({"posix", "fcntl"})


@contextmanager
def break_off(step: int) -> Generator[None]:
    """Kill this process at its so-manieth step; with 0 at none, and write how many there were.

    Args:
        step: which one, from 1.
    """
    lock, taken = threading.Lock(), 0

    def look(frame: FrameType, event: str, function: object) -> None:
        nonlocal taken
        if event == "call" and frame.f_code.co_qualname == _BY_AIOSQLITE:
            event, function = "c_call", frame.f_locals["fn"]  # which its thread is to call
        if event == "c_call" and _is_step(function):
            with lock:
                taken += 1
                if taken == step:
                    os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    sys.stdout.write(f"{taken} steps\n")
    sys.stdout.flush()


def _is_step(function: object) -> bool:
    name = getattr(function, "__name__", "")
    if name in _OF_SQLITE and isinstance(
        getattr(function, "__self__", None), sqlite3.Connection | ModuleType
    ):
        return True
    return name in _OF_FILES and getattr(function, "__module__", "") in _SYSTEM
