"""Storage is tested with SQLite in a thread of its own, as the bot has it."""

from collections.abc import Generator

import pytest
from tests.support.in_loop import in_a_thread


@pytest.fixture(autouse=True)
def the_bots_thread() -> Generator[None]:
    with in_a_thread():
        yield
