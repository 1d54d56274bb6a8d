"""Time zones: those that a typed text may mean, which one holds when, when dates end in them."""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Final

from bot.model.places import ZoneChange
from bot.services.base.clock import date_in, start_of
from bot.services.base.errors import UnknownZoneError

DEFAULT_ZONE: Final = "UTC"
MOST_PROPOSALS: Final = 25

_DAY: Final = timedelta(days=1)

# How alike a misspelt name must be; below, what is proposed looks like chance.
_LIKENESS: Final = 0.7

# In the database of zones, but not a place or an offset.
_NOT_FOR_PEOPLE: Final = frozenset({"Factory", "localtime", "posixrules"})

_OFFSET: Final = re.compile(r"(?:utc|gmt)?([+-])0?(\d{1,2})(?::?00)?", re.ASCII)

# What people call countries that the database names otherwise.
_ALIASES: Final = {"usa": "united_states", "uk": "britain_uk", "united_kingdom": "britain_uk"}


@dataclass(frozen=True, slots=True)
class _Entry:
    """A zone, and what people may call it, folded.

    Attributes:
        zone: its IANA name.
        name: the same, folded.
        city: its last part; empty for offsets.
        on_map: whether it is a place's present zone, not an old name or an offset.
        words: everything it may be looked for by.
    """

    zone: str
    name: str
    city: str
    on_map: bool
    words: str


@cache
def all_zones() -> tuple[str, ...]:
    """Every zone a person may choose, in alphabetical order."""
    # Not those of the machine's own database: every machine shall know the same.
    zones = files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return tuple(sorted(set(zones) - _NOT_FOR_PEOPLE))


def find_zone(text: str) -> str:
    """The zone that a text names, whatever its case, accents and punctuation.

    The last part is enough where only one zone ends in it, ``tokyo``; so is an
    offset in whole hours, ``UTC+2``.

    Raises:
        UnknownZoneError: it names none; with up to 25 that it may have meant.
    """
    wanted = _folded(text)
    named = [entry.zone for entry in _entries() if entry.name == wanted]
    if named:
        return named[0]
    if offset := _find_offset(text):
        return offset
    ending = [entry for entry in _entries() if wanted and entry.city == wanted]
    # Old names of a place live on beside its present one.
    ending = [entry for entry in ending if entry.on_map] or ending
    if len(ending) == 1:
        return ending[0].zone
    raise UnknownZoneError(text=text, proposals=complete_zone(text))


def matching_zones(text: str) -> list[str]:
    """Up to 25 zones that a text may name, first the one that it names; or those of a country.

    Raises:
        UnknownZoneError: it names none; with up to 25 that it may have meant.
    """
    if _in_country(text):
        return complete_zone(text)
    return list(dict.fromkeys([find_zone(text), *complete_zone(text)]))[:MOST_PROPOSALS]


def complete_zone(text: str) -> list[str]:
    """Up to 25 zones that a text may be on its way to, the likeliest first."""
    wanted = _folded(text.partition(",")[0]).removesuffix("_time").strip("/+")
    if not wanted:
        return [zone for zone in _COMMON if zone in all_zones()]
    entries = _entries()
    offset = _find_offset(text)
    found = dict.fromkeys(
        chain(
            (entry.zone for entry in entries if entry.name == wanted),
            [offset] if offset else [],
            _in_country(text),
            (entry.zone for entry in entries if entry.city.startswith(wanted)),
            (entry.zone for entry in entries if wanted in entry.words),
        )
    )
    return list(found or dict.fromkeys(_alike(wanted)))[:MOST_PROPOSALS]


def zone_at(rows: Sequence[ZoneChange], instant: datetime) -> str:
    """The zone that holds at an instant."""
    held = [row.zone for row in rows if row.effective_at <= instant]
    return held[-1] if held else DEFAULT_ZONE


@dataclass(frozen=True, slots=True)
class Skip:
    """A date that a change of zone jumped over: none of its hours came about.

    Attributes:
        day: the date.
        chosen_at: when the change was chosen.
        is_correction: whether the change corrected the one before it.
    """

    day: date
    chosen_at: datetime
    is_correction: bool


def skips(rows: Sequence[ZoneChange]) -> Iterator[Skip]:
    """The dates that a history of zones jumped over."""
    before = DEFAULT_ZONE
    for row in rows:
        day, arrived = date_in(before, row.effective_at), date_in(row.zone, row.effective_at)
        if row.effective_at > row.set_at:  # what holds at once finds a date begun
            for n in range((arrived - day).days):
                yield Skip(day + timedelta(days=n), row.set_at, row.is_correction)
        before = row.zone


def next_midnight(zone: str, now: datetime) -> datetime:
    """When the next date begins in a zone."""
    return start_of(date_in(zone, now) + timedelta(days=1), zone)


def no_repeat(current: str, zone: str, now: datetime) -> datetime:
    """The first midnight at which a zone can follow another without repeating a date.

    Further west that date begins later, and until then lasts in the zone that holds.
    """
    following = date_in(current, now) + timedelta(days=1)
    return max(start_of(following, current), start_of(following, zone))


def first_end(rows: Sequence[ZoneChange], day: date) -> datetime:
    """When a date ended for the first time where a history of zones holds.

    A zone further west may bring it back: it has ended all the same. What holds before a first
    choice that took hold at once ends nothing: nobody had chosen it, and nobody had played there.
    """
    zones, changes = [DEFAULT_ZONE, *(row.zone for row in rows)], [r.effective_at for r in rows]
    if rows and rows[0].effective_at <= rows[0].set_at:
        zones, changes = zones[1:], changes[1:]
    *before, last = zones
    since = datetime.min.replace(tzinfo=UTC)
    for zone, until in zip(before, changes, strict=True):
        end = max(start_of(day + _DAY, zone), since)
        if end <= until:  # at the very midnight, too
            return end
        since = until
    return max(start_of(day + _DAY, last), since)


def _alike(wanted: str) -> Iterator[str]:
    """Zones whose name or city looks like a text."""
    # Reversed, so that of two with one city the one on the map stays.
    zones = {entry.city: entry.zone for entry in reversed(_entries()) if entry.city}
    zones |= {entry.name: entry.zone for entry in _entries()}
    names = difflib.get_close_matches(wanted, zones, n=MOST_PROPOSALS, cutoff=_LIKENESS)
    return (zones[name] for name in names)


def _in_country(text: str) -> list[str]:
    """The zones of the country that a text names, if it names one."""
    name = _folded(text.partition(",")[0])
    country = _ALIASES.get(name, name)
    return [zone for zone, (where, _part) in _map().items() if where == country]


def _find_offset(text: str) -> str | None:
    """The zone with a fixed offset in whole hours from UTC, if a text names one."""
    plain = unicodedata.normalize("NFKD", "".join(text.split())).casefold().replace("−", "-")
    match = _OFFSET.fullmatch(plain)
    if match is None:
        return None
    # IANA counts them westward: Etc/GMT-2 is two hours ahead of UTC.
    sign, hours = ("-" if match[1] == "+" else "+"), int(match[2])
    zone = f"Etc/GMT{sign}{hours}" if hours else DEFAULT_ZONE
    return zone if zone in all_zones() else None


@cache
def _entries() -> tuple[_Entry, ...]:
    """Every zone: first where many people live, then the rest of the map, then other names."""
    entries: list[_Entry] = []
    for zone in sorted(all_zones(), key=lambda z: (z not in _COMMON, z not in _map(), z)):
        name = _folded(zone)
        city = "" if zone.startswith("Etc/") else name.rpartition("/")[2]
        words = " ".join([name, *_map().get(zone, ())])
        entries.append(_Entry(zone, name, city, zone in _map(), words))
    return tuple(entries)


@cache
def _map() -> dict[str, tuple[str, str]]:
    """The country of every zone on the map, and which part of it, folded; a country's in order."""
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
    """A text without case, accents and separators, which people type in different ways."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    # Besides letters and digits, "/" between parts stays, and "+", as in GMT+5.
    return re.sub(r"_*/_*", "/", re.sub(r"(?:[^\w/+]|_)+", "_", letters)).strip("_")


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
