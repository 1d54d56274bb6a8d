"""What is there when the bot starts is not looked through again."""

import gc
from collections.abc import Iterator

import pytest

from bot.hosting.run import freeze_objects


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """Leave those of the tests as they are."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.enable()


def is_looked_through(wanted: object) -> bool:
    return any(each is wanted for each in gc.get_objects())


def test_frozen_objects_are_skipped_by_the_garbage_collector() -> None:
    program = [object()]
    assert is_looked_through(program)
    gc.disable()  # as while the program is loaded
    freeze_objects()
    assert gc.isenabled()
    assert not is_looked_through(program)
    servers = [object()]
    assert is_looked_through(servers)
    freeze_objects()
    assert not is_looked_through(servers)
