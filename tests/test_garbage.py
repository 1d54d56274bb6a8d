"""What is there when the bot starts is not looked through again."""

import gc
from collections.abc import Iterator

import pytest

from bot.garbage import set_aside_program, set_aside_servers


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    """Leave those of the tests as they are."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def is_looked_through(wanted: object) -> bool:
    return any(each is wanted for each in gc.get_objects())


def test_what_stays_is_set_aside_and_what_is_garbage_is_cleared_up() -> None:
    program, garbage = [object()], set[int]()

    class Told:
        itself: "Told"

        def __del__(self) -> None:
            garbage.add(1)

    told = Told()
    told.itself = told
    del told
    assert is_looked_through(program)
    set_aside_program()
    assert garbage
    assert not is_looked_through(program)
    servers = [object()]
    assert is_looked_through(servers)
    set_aside_servers()
    assert not is_looked_through(servers)
