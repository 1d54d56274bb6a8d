"""Storage is tested with the driver that the bot has."""

from collections.abc import Generator

import pytest

from tests.support.in_loop import in_a_thread


@pytest.fixture(autouse=True)
def the_bots_driver() -> Generator[None]:
    with in_a_thread():
        yield
