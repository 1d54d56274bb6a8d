"""Logging: a line for each event, plain or JSON, without secrets and ids of people."""

import json
import logging
import re
from collections.abc import Callable, Iterable
from copy import copy
from datetime import UTC, datetime
from typing import Final

from bot.config import LogSettings

_FORMAT: Final = "{asctime} {levelname:<7} %s{name}: {message}"
_HIDDEN: Final = "[hidden]"
# A shorter password is redacted only in URLs: elsewhere it is usually part of another word.
_SHORTEST_SECRET: Final = 6
# Discord's library logs paths of requests with ids of members, and tokens with which anybody could
# answer in the bot's place. It also logs whose autocompletion failed.
_PEOPLE: Final = re.compile(
    r"(?<=/members/)\d+"
    r"|(?<=/thread-members/)\d+"
    r"|(?<=/users/)\d+"
    r"|(?<=/avatars/)\d+/[^/\s?\"']+"
    r"|(?<=/webhooks/)\d+/[^/\s?\"']+"
    r"|(?<=/interactions/)\d+/[^/\s?\"']+"
    r"|(?<=\bUser: )\d+"
    # A database may quote the row that it refuses.
    r"|(?<=\)=\()[^)\n]*(?=\) (?:already exists|is not present|is still referenced))"
)

IsFault = Callable[[BaseException], bool]


def redacted(text: str, secrets: Iterable[str]) -> str:
    """Replace secrets and ids of people in a text; empty secrets are skipped.

    A secret of fewer than six characters is replaced only as the password in a URL.
    """
    for secret in filter(None, secrets):
        if len(secret) < _SHORTEST_SECRET:
            text = text.replace(f":{secret}@", f":{_HIDDEN}@")
        else:
            text = text.replace(secret, _HIDDEN)
    return _PEOPLE.sub(_HIDDEN, text)


class _Redacting(logging.Formatter):
    """A formatter that hides secrets and ids of people, in tracebacks, too."""

    def __init__(self, secrets: Iterable[str], is_nobodys_fault: IsFault, name: str) -> None:
        super().__init__(_FORMAT % (f"[{name}] " if name else ""), style="{")
        self._secrets = tuple(secrets)
        self._is_nobodys_fault = is_nobodys_fault

    def format(self, record: logging.LogRecord) -> str:
        return self.redacted(super().format(self.in_short(record)))

    def in_short(self, record: logging.LogRecord) -> logging.LogRecord:
        """Return the record; if its error is nobody's fault, a copy without the traceback.

        The copy has the error at the end of its message.
        """
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not self._is_nobodys_fault(error):
            return record
        short = copy(record)
        short.msg, short.args = f"{record.getMessage()}: {error!r}", ()
        short.exc_info = short.exc_text = None
        return short

    def redacted(self, text: str) -> str:
        return redacted(text, self._secrets)


class _Json(_Redacting):
    def __init__(self, secrets: Iterable[str], is_nobodys_fault: IsFault, name: str) -> None:
        super().__init__(secrets, is_nobodys_fault, name)
        self._name = name

    def format(self, record: logging.LogRecord) -> str:
        record = self.in_short(record)
        event = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": self._name,
            "message": record.getMessage(),
            "error": self.formatException(record.exc_info) if record.exc_info else "",
        }
        # Redacted before encoding, since JSON escapes some characters.
        found = {key: self.redacted(text) for key, text in event.items() if text}
        return json.dumps(found, ensure_ascii=False)


def configure_logs(
    settings: LogSettings,
    *,
    secrets: Iterable[str] = (),
    is_nobodys_fault: IsFault = lambda _: False,
    name: str = "",
) -> None:
    """Log to the standard error from now on.

    Args:
        secrets: texts to hide.
        is_nobodys_fault: returns true for errors that are logged without their traceback.
        name: the name of this process, in each line; empty for none.
    """
    handler = logging.StreamHandler()
    written = _Json if settings.is_json else _Redacting
    handler.setFormatter(written(secrets, is_nobodys_fault, name))
    logging.basicConfig(level=settings.level, handlers=[handler], force=True)
    # Below INFO it logs payloads: codes among them.
    discord = logging.getLogger("discord")
    discord.setLevel(settings.level)
    discord.setLevel(max(discord.level, logging.INFO))
    # Below WARNING these libraries log statements with their values: codes among them.
    for part in ("aiosqlite", "alembic", "psycopg", "sqlalchemy"):
        logging.getLogger(part).setLevel(logging.WARNING)
