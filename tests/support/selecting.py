"""An event loop that looks at sockets now and then, while it has anything else to do.

Before each round it asks the system whether something has come from outside. In most tests nothing
can, and a test has some hundred rounds: asking was a fifteenth of the time of all stories.
"""

import selectors
from typing import Any, Final

_ROUNDS: Final = 20


class PatientSelector(selectors.DefaultSelector):
    """Asks the system when there is nothing else to do, else every twentieth time."""

    _unasked = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; nothing, if it was not asked for."""
        if timeout is not None and timeout <= 0 and self._unasked < _ROUNDS:
            self._unasked += 1
            return []
        self._unasked = 0
        return super().select(timeout)


def ask_seldom() -> None:
    """Let event loops that are made from now on ask seldom."""
    module: Any = selectors
    module.DefaultSelector = PatientSelector
