"""Time zones: what a typed text may mean, the zone at an instant, and when dates end."""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Final
from zoneinfo import ZoneInfo

from bot.clock import date_in, start_of
from bot.people.model import ZoneChange
from bot.refused import UnknownZoneError

_TYPED: Final = re.compile(
    r"(utc|gmt)?([+-])?(\d{1,2})(?:[:.,h]?(\d\d)|[.,]([05]))?(?:h|m|hours)?", re.ASCII
)
_DASHES: Final = str.maketrans(dict.fromkeys("−–—‒‐‑﹣－", "-"))
# Minutes of decimal fractions of an hour; other digits are minutes themselves.
_PARTS: Final = {"0": 0, "5": 30, "50": 30, "25": 15, "75": 45}

# The largest whole hours west and east that have an `Etc/GMT` zone.
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
"""Zones by offsets from UTC that are not whole hours, which they have in a part of the year at
least.
"""


@dataclass(frozen=True, slots=True)
class Offset:
    """A typed offset from UTC, without its sign; `sign` is empty if none was typed."""

    minutes: int
    sign: str

    @property
    def zone(self) -> str | None:
        """The zone that always has the offset, UTC or one of `Etc`.

        None if there is none, or if the sign of an offset other than 0 is missing.
        """
        return next(self._fixed(self.sign), None) if self.sign or not self.minutes else None

    def offered(self) -> list[str]:
        """List the zones that have the offset, with either sign if none was typed.

        Some have it only in a part of the year.
        """
        hours, minutes = divmod(self.minutes, 60)
        found: list[str] = []
        for sign in self.sign or "+-":
            found += self._fixed(sign)
            found += PARTS_OF_HOURS.get(f"{sign}{hours}:{minutes:02}", ())
        return list(dict.fromkeys(found))

    def _fixed(self, sign: str) -> Iterator[str]:
        hours, minutes = divmod(self.minutes, 60)
        if minutes or hours > (_EAST if sign == "+" else _WEST):
            return
        # IANA counts westward: Etc/GMT-2 is two hours ahead of UTC.
        yield f"Etc/GMT{'-' if sign == '+' else '+'}{hours}" if hours else "UTC"


def find_offset(text: str) -> Offset | None:
    """Parse an offset from UTC, as in `UTC+2` or `-3:30`; None for any other text."""
    plain = unicodedata.normalize("NFKD", "".join(text.split())).casefold().translate(_DASHES)
    match = _TYPED.fullmatch(plain)
    if match is None or not (match[1] or match[2]):
        return None
    part = match[4] or match[5] or "0"
    is_decimal = match[5] or plain[match.end(3) : match.end(3) + 1] in {".", ","}
    minutes = _PARTS.get(part, int(part)) if is_decimal else int(part)
    return Offset(int(match[3]) * 60 + minutes, match[2] or "")


DEFAULT_ZONE: Final = "UTC"
MOST_PROPOSALS: Final = 25

_DAY: Final = timedelta(days=1)

# The least similarity of a misspelt name; below, proposals look random.
_LIKENESS: Final = 0.7

# Entries of the database that are neither a place nor an offset. Its abbreviations have fixed
# clocks, while a person who types one means a place.
_NOT_FOR_PEOPLE: Final = frozenset(
    {"Factory", "localtime", "posixrules", "EST", "MST", "HST", "CET", "MET", "EET", "WET"}
)

# Words that add nothing to a name.
_BESIDE: Final = re.compile(r"^the_|(?:_(?:standard|daylight|summer|time))+$")
_LETTERS: Final = re.compile(r"[a-z](?:_[a-z])+")

# Common names of countries that the database calls otherwise.
_ALIASES: Final = {
    "usa": "united_states",
    "us": "united_states",
    "america": "united_states",
    "uk": "britain_uk",
    "britain": "britain_uk",
}

_MANY: Final = 2
"""The most zones of a country that are all proposed; of more, one for each clock is."""
_SEASONS: Final = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class _Entry:
    """A zone and its names, folded for comparison.

    Attributes:
        city: the last part of the IANA name; empty for offsets.
        on_map: true for a present zone of a place; false for an old name or an offset.
        words: the words to search in: the name, the country, and which part of it has the zone.
    """

    zone: str
    name: str
    city: str
    on_map: bool
    words: str


@cache
def all_zones() -> tuple[str, ...]:
    """List every zone that a player or a server may choose, in alphabetical order."""
    # The package's list, not the machine's: all installations must know the same zones.
    zones = files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return tuple(sorted(set(zones) - _NOT_FOR_PEOPLE))


def find_zone(text: str) -> str:
    """Find the one zone that a text names, ignoring case, accents and punctuation.

    A unique city is enough, ``tokyo``, and so is an offset in whole hours, ``UTC+2``. For other
    texts `UnknownZoneError` proposes zones. The player chooses one by the time that it is there.
    """
    wanted = _folded(text)
    named = [entry.zone for entry in _entries() if entry.name == wanted]
    if named:
        return named[0]
    if (offset := find_offset(text)) and offset.zone:
        return offset.zone
    ending = _in_city(wanted)
    if len(ending) == 1 and wanted not in _names():
        return ending[0]
    raise UnknownZoneError(text=text, proposals=_meant(text) or complete_zone(text))


def matching_zones(text: str) -> list[str]:
    """List up to 25 zones that a text may mean, the exact one first.

    If it means none, `UnknownZoneError` proposes zones.
    """
    return _meant(text) or [find_zone(text)]


def complete_zone(text: str) -> list[str]:
    """List up to 25 zones for a text that is still being typed, the likeliest first."""
    wanted = _plain(text.partition(",")[0])
    if not wanted:
        return [zone for zone in _COMMON if zone in all_zones()]
    entries, meant = _entries(), _meant(text)
    found = dict.fromkeys(
        chain(
            meant,
            (entry.zone for entry in entries if entry.city.startswith(wanted)),
            *(zones for name, zones in _names().items() if name.startswith(wanted)),
            () if meant else (entry.zone for entry in entries if wanted in entry.words),
        )
    )
    return list(found or dict.fromkeys(_alike(wanted)))[:MOST_PROPOSALS]


def zone_at(rows: Sequence[ZoneChange], instant: datetime) -> str:
    held = [row.zone for row in rows if row.effective_at <= instant]
    return held[-1] if held else DEFAULT_ZONE


@dataclass(frozen=True, slots=True)
class Skip:
    """A date that a change of zone, chosen at `chosen_at`, jumped over: nobody could play it."""

    day: date
    chosen_at: datetime
    is_correction: bool


def skips(rows: Sequence[ZoneChange]) -> Iterator[Skip]:
    """Yield the dates that changes of zone jumped over. A change that holds at once skips none."""
    before = DEFAULT_ZONE
    for row in rows:
        day, arrived = date_in(before, row.effective_at), date_in(row.zone, row.effective_at)
        if row.effective_at > row.set_at:  # a change in force at once finds a date that has begun
            for n in range((arrived - day).days):
                yield Skip(day + timedelta(days=n), row.set_at, row.is_correction)
        before = row.zone


def next_midnight(zone: str, now: datetime) -> datetime:
    return start_of(date_in(zone, now) + timedelta(days=1), zone)


def no_repeat(current: str, zone: str, now: datetime) -> datetime:
    """Find the first midnight from which a new zone can hold without repeating a date.

    Further west the next date begins later; the current zone holds until then.
    """
    following = date_in(current, now) + timedelta(days=1)
    return max(start_of(following, current), start_of(following, zone))


def first_end(rows: Sequence[ZoneChange], day: date) -> datetime:
    """Find when a date first ended for a server or player, by the history of their zones.

    A later move west may bring the date back, but it has ended once. If the first choice of a zone
    came into force at once, the default zone before it does not count: nobody had played there.
    """
    zones, changes = [DEFAULT_ZONE, *(row.zone for row in rows)], [r.effective_at for r in rows]
    if rows and rows[0].effective_at <= rows[0].set_at:
        zones, changes = zones[1:], changes[1:]
    *before, last = zones
    since = datetime.min.replace(tzinfo=UTC)
    for zone, until in zip(before, changes, strict=True):
        end = max(start_of(day + _DAY, zone), since)
        if end <= until:  # including that midnight
            return end
        since = until
    return max(start_of(day + _DAY, last), since)


def _alike(wanted: str) -> Iterator[str]:
    """Yield zones whose name or city is spelt like this, the most similar first."""
    zones = {name: called[0] for name, called in _names().items()}
    # Reversed, so that a city's current zone wins over its old name.
    zones |= {entry.city: entry.zone for entry in reversed(_entries()) if entry.city}
    zones |= {entry.name: entry.zone for entry in _entries()}
    names = difflib.get_close_matches(wanted, zones, n=MOST_PROPOSALS, cutoff=_LIKENESS)
    return (zones[name] for name in names)


def _meant(text: str) -> list[str]:
    """List up to 25 zones that a text may mean.

    For ``a, b`` they are the zones that both parts mean or, if there are none, those of either.
    """
    name, _comma, where = (text, "", "") if find_offset(text) else text.partition(",")
    found, around = _called(name), _called(where)
    both = [zone for zone in found if zone in around]
    return list(dict.fromkeys(both or [*found, *around]))[:MOST_PROPOSALS]


def _called(name: str) -> list[str]:
    """List the zones that a name may mean, some of them more than once."""
    wanted, folded = _plain(name), _folded(name)
    if not wanted:
        return []
    named = [entry.zone for entry in _entries() if entry.name in {wanted, folded}]
    offset = find_offset(name)
    found = [*named, *(offset.offered() if offset else ())]
    return [*found, *_names().get(wanted, ()), *_in_country(wanted), *_in_city(wanted)]


def _in_city(wanted: str) -> list[str]:
    ending = [entry for entry in _entries() if wanted and entry.city == wanted]
    # Prefer the current zone to old names of the same place.
    return [entry.zone for entry in ending if entry.on_map] or [entry.zone for entry in ending]


def _in_country(wanted: str) -> list[str]:
    """List the zones of a country.

    If there are more than two, list only the best-known one of those with the same time.
    """
    country = _ALIASES.get(wanted, wanted)
    found = [zone for zone, (where, _part) in _map().items() if country in _turned(where)]
    if len(found) <= _MANY:
        return found
    clocks: dict[tuple[timedelta | None, ...], str] = {}
    known = {*chain(*_names().values())}
    for zone in sorted(found, key=lambda zone: (zone not in _COMMON, zone not in known)):
        info = ZoneInfo(zone)
        clocks.setdefault(tuple(instant.astimezone(info).utcoffset() for instant in _SEASONS), zone)
    return list(clocks.values())


def _turned(country: str) -> tuple[str, str]:
    name, _underscore, part = country.rpartition("_")
    return country, f"{part}_{name}"


@cache
def _names() -> dict[str, list[str]]:
    """Map further names of zones, folded, to the zones that have them."""
    found: dict[str, list[str]] = {}
    table = files("bot.people").joinpath("data", "zone_names.txt")
    for zone, names in _columns(table.read_text(encoding="utf-8")):
        for name in names.split(", "):
            found.setdefault(_plain(name), []).append(zone)
    return found


@cache
def _entries() -> tuple[_Entry, ...]:
    """List every zone: those with many people, the rest of the map, then other names."""
    entries: list[_Entry] = []
    for zone in sorted(all_zones(), key=lambda z: (z not in _COMMON, z not in _map(), z)):
        name = _folded(zone)
        city = "" if zone.startswith("Etc/") else name.rpartition("/")[2]
        words = " ".join([name, *_map().get(zone, ())])
        entries.append(_Entry(zone, name, city, zone in _map(), words))
    return tuple(entries)


@cache
def _map() -> dict[str, tuple[str, str]]:
    """Map each present zone to its country and the part of that country, both folded."""
    folder = files("tzdata").joinpath("zoneinfo")
    countries = dict(_columns(folder.joinpath("iso3166.tab").read_text(encoding="utf-8")))
    zones = _columns(folder.joinpath("zone.tab").read_text(encoding="utf-8"))
    return {
        zone: (_folded(countries[code]), _folded(" ".join(part)))
        for code, _place, zone, *part in zones
    }


def _columns(table: str) -> Iterator[list[str]]:
    return (line.split("\t") for line in table.splitlines() if line and line[0] != "#")


def _folded(text: str) -> str:
    """Bring a text to lower case, without accents, with `_` or `/` between words."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    # "/" stays between parts, and "+" as in GMT+5.
    return re.sub(r"_*/_*", "/", re.sub(r"(?:[^\w/+]|_)+", "_", letters)).strip("_")


def _plain(text: str) -> str:
    """Fold a typed name, without a leading *the* or a final *time*; ``U.S.A.`` becomes ``usa``."""
    plain = _BESIDE.sub("", _folded(text)).strip("/+")
    return plain.replace("_", "") if _LETTERS.fullmatch(plain) else plain


_COMMON: Final = (
    "UTC",
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Halifax",
    "America/Mexico_City",
    "America/Bogota",
    "America/Sao_Paulo",
    "America/Argentina/Buenos_Aires",
    "Europe/London",
    "Europe/Paris",
    "Europe/Berlin",
    "Europe/Athens",
    "Europe/Moscow",
    "Africa/Lagos",
    "Africa/Johannesburg",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Jakarta",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Asia/Seoul",
    "Australia/Sydney",
    "Pacific/Auckland",
)
