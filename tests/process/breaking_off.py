"""Kills a program at one of its steps: just before it asks SQLite or the system for something."""

import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

# The names of functions that change files, wait for the disk, or let SQLite do either.
_STEPS: Final = frozenset(
    {
        *("execute", "backup", "commit", "connect", "close"),
        *("open", "write", "fsync", "link", "rename", "replace", "unlink", "mkdir", "lockf"),
    }
)


@contextmanager
def break_off(step: int) -> Generator[None]:
    """Kill this process at its so-manieth step; with 0 at none, and write how many there were.

    Args:
        step: which one, from 1.
    """
    lock, taken = threading.Lock(), 0

    def look(_frame: FrameType, event: str, function: object) -> None:
        nonlocal taken
        if event == "c_call" and getattr(function, "__name__", "") in _STEPS:
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
