"""A disk that is full, as far as files that are written now can tell."""

import resource
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def no_room(most: int) -> Generator[None]:
    """Let the system refuse to make any file longer than so many bytes meanwhile."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
