"""A worker: a process that does what it is handed, one piece after the other.

It is a program of its own, `python -m`, and knows nothing of the bot but what it is handed through
its input; it imports only what that needs. It ends when its input closes, whatever it is doing: so
it outlives no bot, however that ends.
"""

import os
import pickle
import queue
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, Final

SIZE: Final = struct.Struct(">Q")
"""What stands before each message: how many bytes it has."""

_NICENESS: Final = 10
"""How far a worker stands back where the bot wants the same core."""

Message = tuple[bool, Any]
"""Whether the work was done, and what came of it: a result, or an error as `take_apart` has it."""


def take_apart(error: Exception) -> tuple[type[Exception], tuple[Any, ...], dict[str, Any]]:
    """An error as it can be sent; many cannot be made anew from their text alone."""
    told = "".join(traceback.format_exception(error))
    parts = (type(error), error.args, {**vars(error), "__notes__": [told]})
    try:
        pickle.dumps(parts)
    except Exception:  # noqa: BLE001 - whatever it holds, its text can be sent
        return RuntimeError, (told,), {}
    return parts


def put_together(
    kind: type[Exception], arguments: tuple[Any, ...], facts: dict[str, Any]
) -> Exception:
    """The error that was taken apart."""
    error = kind.__new__(kind)
    error.args = arguments
    vars(error).update(facts)
    return error


def _answer(message: bytes) -> bytes:
    try:
        work: Callable[[], Any] = pickle.loads(message)  # noqa: S301 - only the bot writes there
        return pickle.dumps((True, work()))
    except Exception as error:  # noqa: BLE001 - the bot is told
        return pickle.dumps((False, take_apart(error)))


def _read(source: BinaryIO, messages: "queue.SimpleQueue[bytes]") -> None:
    """Take in what comes, and end the process when nothing can come any more."""
    while len(size := source.read(SIZE.size)) == SIZE.size:
        messages.put(source.read(*SIZE.unpack(size)))
    os._exit(0)


def main() -> None:
    """Work until the input closes."""
    # Who stops the bot in a terminal stops all of its group: the bot ends its workers itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, messages), daemon=True).start()
    while True:
        answer = _answer(messages.get())
        answers.write(SIZE.pack(len(answer)) + answer)
        answers.flush()


if __name__ == "__main__":
    main()
