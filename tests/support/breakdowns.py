"""What breaks while a story is told: its player reads "tell my host", and a reference."""

import logging
from collections.abc import Generator
from contextlib import contextmanager

_BROKEN = "interaction %s failed, reference %s"


class _Listener(logging.Handler):
    """Keeps what has broken; while anything `may_break`, that is all it does."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[logging.LogRecord] = []
        self.may_break = False

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == _BROKEN:
            self.found.append(record)


_listener = _Listener()


def listen() -> None:
    """Hear from now on of whatever breaks."""
    logging.getLogger("cogs.ui.replies").addHandler(_listener)


def check_unbroken() -> None:
    """Fail if anything has broken since the last look, unless that is what a story is about."""
    if _listener.found and not _listener.may_break:
        first, *_ = _listener.found
        _listener.found.clear()
        raise AssertionError(first.getMessage()) from (first.exc_info or (None, None))[1]


@contextmanager
def breaking() -> Generator[None]:
    """Let something break in this block; something has to."""
    _listener.may_break = True
    try:
        yield
        assert _listener.found
    finally:
        _listener.found.clear()
        _listener.may_break = False
