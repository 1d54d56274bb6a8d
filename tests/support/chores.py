"""Work for workers, which import it by its name."""

import os
import signal
import sys
import threading
from pathlib import Path

from engine import InconsistentFeedback

GATE = threading.Event()
"""Opened, it lets those who draw in this process go on."""
DRAWN: list[int] = []
"""What was drawn in this process."""


def draw(number: int) -> int:
    """Draw, when the gate is open."""
    assert GATE.wait(60)  # which never passes while anything goes on
    DRAWN.append(number)
    return number


def environment() -> dict[str, str]:
    """What a worker knows of the host."""
    return dict(os.environ)


def libraries() -> set[str]:
    """What a worker has imported."""
    return {name.partition(".")[0] for name in sys.modules}


def die_once(mark: Path) -> str:
    """End the worker as the system does when it needs memory, but only the first time."""
    if not mark.exists():
        mark.touch()
        die()
    return "done"


def die() -> None:
    """End the worker as the system does when it needs memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def contradict() -> None:
    """Fail with an error that has facts."""
    raise InconsistentFeedback((0, 2), (1,))


def chatter() -> str:
    """Print, as libraries may."""
    sys.stdout.write("not an answer\n")
    sys.stdout.flush()
    return "done"
