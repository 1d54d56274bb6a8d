"""The event loop's pauses are kept short."""

import gc
import sys

from bot.pauses import shorten_pauses


def test_threads_take_turns_and_what_stays_is_not_looked_at_again() -> None:
    turn, stays = sys.getswitchinterval(), ["something that stays"]
    assert any(found is stays for found in gc.get_objects())
    try:
        shorten_pauses()
        assert sys.getswitchinterval() < turn
        assert not any(found is stays for found in gc.get_objects())
    finally:
        sys.setswitchinterval(turn)
