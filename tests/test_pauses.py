"""The event loop's pauses are kept short."""

import gc
import sys

from bot.pauses import shorten_pauses


def test_threads_take_turns_and_what_stays_is_not_looked_at_again() -> None:
    before = sys.getswitchinterval()
    try:
        shorten_pauses()
        assert sys.getswitchinterval() < before
        assert gc.get_freeze_count() > 1000
        assert len(gc.get_objects()) < gc.get_freeze_count()
    finally:
        sys.setswitchinterval(before)
        gc.unfreeze()
