"""One readable line a log event, and no secret in any."""

import logging
from collections.abc import Iterable
from typing import Final

_FORMAT: Final = "{asctime} {levelname:<7} {name}: {message}"
_HIDDEN: Final = "[hidden]"


class _Redacting(logging.Formatter):
    """Blots out secrets wherever they turn up, tracebacks included."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__(_FORMAT, style="{")
        self._secrets = tuple(filter(None, secrets))

    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        for secret in self._secrets:
            line = line.replace(secret, _HIDDEN)
        return line


def configure_logs(level: str, *, secrets: Iterable[str] = ()) -> None:
    """Log to the standard error from here on.

    Args:
        level: the least severe level to show.
        secrets: strings that must never be shown.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_Redacting(secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # Below INFO these libraries log payloads and SQL parameters: codes among them.
    for name in ("aiosqlite", "discord"):
        logging.getLogger(name).setLevel(max(logging.getLogger().level, logging.INFO))
    logging.getLogger("alembic").setLevel(logging.WARNING)
