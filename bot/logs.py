"""One readable line a log event: no secret in any, and nobody's id."""

import logging
import re
from collections.abc import Callable, Iterable
from copy import copy
from typing import Final

_FORMAT: Final = "{asctime} {levelname:<7} %s{name}: {message}"
_HIDDEN: Final = "[hidden]"
# Discord's library quotes what it asked for when it has to wait: the ids of members and users,
# and tokens with which anybody could answer in the bot's place. It also says whose typing failed.
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


class _Redacting(logging.Formatter):
    """Blots out secrets and people wherever they turn up, tracebacks included."""

    def __init__(self, secrets: Iterable[str], is_nobodys_fault: IsFault, name: str) -> None:
        super().__init__(_FORMAT % (f"[{name}] " if name else ""), style="{")
        self._secrets = tuple(filter(None, secrets))
        self._is_nobodys_fault = is_nobodys_fault

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and self._is_nobodys_fault(error):
            record = _in_a_line(record, error)
        line = super().format(record)
        for secret in self._secrets:
            line = line.replace(secret, _HIDDEN)
        return _PEOPLE.sub(_HIDDEN, line)


def _in_a_line(record: logging.LogRecord, error: BaseException) -> logging.LogRecord:
    """A record with its error, but not with what led to it."""
    short = copy(record)
    short.msg, short.args = f"{record.getMessage()}: {error!r}", ()
    short.exc_info = short.exc_text = None
    return short


def configure_logs(
    level: str,
    *,
    secrets: Iterable[str] = (),
    is_nobodys_fault: IsFault = lambda _: False,
    name: str = "",
) -> None:
    """Log to the standard error from here on.

    Args:
        level: the least severe level to show.
        secrets: strings that must never be shown.
        is_nobodys_fault: whether what led to an error is not worth showing, whoever logs it: we,
            or a library.
        name: the process's, in each line, where several write to one place.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_Redacting(secrets, is_nobodys_fault, name))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # Below INFO it logs payloads: codes among them.
    logging.getLogger("discord").setLevel(max(logging.getLogger().level, logging.INFO))
    logging.getLogger("alembic").setLevel(logging.WARNING)
