"""Offsets from UTC as people type them, and the zones that have them."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

_TYPED: Final = re.compile(
    r"(utc|gmt)?([+-])?(\d{1,2})(?:[:.,h]?(\d\d)|[.,]([05]))?(?:h|m|hours)?", re.ASCII
)
_DASHES: Final = str.maketrans(dict.fromkeys("−–—‒‐‑﹣－", "-"))
# What people write after a dot: parts of an hour, or minutes.
_PARTS: Final = {"0": 0, "5": 30, "50": 30, "25": 15, "75": 45}

# Zones that the database has for whole hours.
_WEST, _EAST = 12, 14

PARTS_OF_HOURS: Final[Mapping[str, tuple[str, ...]]] = {
    "-3:30": ("America/St_Johns",),
    "-2:30": ("America/St_Johns",),
    "+5:30": ("Asia/Kolkata", "Asia/Colombo"),
    "+5:45": ("Asia/Kathmandu",),
    "+4:30": ("Asia/Kabul",),
    "+3:30": ("Asia/Tehran",),
    "+6:30": ("Asia/Yangon", "Indian/Cocos"),
    "+9:30": ("Australia/Darwin", "Australia/Adelaide", "Australia/Broken_Hill"),
    "+10:30": ("Australia/Adelaide", "Australia/Broken_Hill", "Australia/Lord_Howe"),
    "+8:45": ("Australia/Eucla",),
    "+12:45": ("Pacific/Chatham",),
    "+13:45": ("Pacific/Chatham",),
    "-9:30": ("Pacific/Marquesas",),
}
"""Where clocks are offset from UTC by no whole hours, at least in a part of the year."""


@dataclass(frozen=True, slots=True)
class Offset:
    """An offset from UTC that a text names.

    Attributes:
        minutes: how large it is.
        sign: ``+``, ``-``, or nothing, where the text does not say.
    """

    minutes: int
    sign: str

    @property
    def zone(self) -> str | None:
        """The zone that always has it, if it is certain and there is one."""
        return next(self._fixed(self.sign), None) if self.sign or not self.minutes else None

    def offered(self) -> list[str]:
        """The zones that have it, at least in a part of the year."""
        return list(dict.fromkeys(zone for sign in self.sign or "+-" for zone in self._all(sign)))

    def _all(self, sign: str) -> Iterator[str]:
        hours, minutes = divmod(self.minutes, 60)
        parts = PARTS_OF_HOURS.get(f"{sign}{hours}:{minutes:02}", ())
        return chain(self._fixed(sign), parts)

    def _fixed(self, sign: str) -> Iterator[str]:
        hours, minutes = divmod(self.minutes, 60)
        if minutes or hours > (_EAST if sign == "+" else _WEST):
            return
        # IANA counts them westward: Etc/GMT-2 is two hours ahead of UTC.
        yield f"Etc/GMT{'-' if sign == '+' else '+'}{hours}" if hours else "UTC"


def find_offset(text: str) -> Offset | None:
    """The offset from UTC that a text names, if it names one."""
    plain = unicodedata.normalize("NFKD", "".join(text.split())).casefold().translate(_DASHES)
    match = _TYPED.fullmatch(plain)
    if match is None or not (match[1] or match[2]):
        return None
    part = match[4] or match[5] or "0"
    is_decimal = match[5] or plain[match.end(3) : match.end(3) + 1] in {".", ","}
    minutes = _PARTS.get(part, int(part)) if is_decimal else int(part)
    return Offset(int(match[3]) * 60 + minutes, match[2] or "")
