"""Time zones: what a typed text may mean, the zone at an instant, and when dates end."""

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
from zoneinfo import ZoneInfo

from bot.clock import date_in, start_of
from bot.people.model import ZoneChange
from bot.refused import UnknownZoneError

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

_HOURS: Final = re.compile(r"(?:utc|gmt)?([+-])(\d\d?)(?::?00)?", re.ASCII)
_DASHES: Final = str.maketrans("−–—", "---")
# Words that add nothing to a name.
_BESIDE: Final = re.compile(r"^the_|(?:_(?:standard|daylight|summer|time))+$")
# Common names of countries that the database calls otherwise.
_ALIASES: Final = {
    "usa": "united_states",
    "us": "united_states",
    "america": "united_states",
    "uk": "britain_uk",
    "britain": "britain_uk",
    "brasil": "brazil",
}

_MANY: Final = 2
"""The most zones of a country that are all proposed; of more, one for each clock is."""
_SEASONS: Final = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC))


@cache
def all_zones() -> tuple[str, ...]:
    """List every zone that a player or a server may choose, in alphabetical order."""
    # The package's list, not the machine's: all installations must know the same zones.
    zones = files("tzdata").joinpath("zones").read_text(encoding="utf-8").split()
    return tuple(sorted(set(zones) - _NOT_FOR_PEOPLE))


def find_zone(text: str) -> str:
    """Find the one zone that a text names, ignoring case, accents and punctuation.

    A unique city is enough, ``tokyo``, and so are whole hours from UTC, ``UTC+2``. For other texts
    `UnknownZoneError` proposes zones. The player chooses one by the time that it is there.
    """
    named, cities, wanted = _by_name(), _cities(), _folded(text)
    if zone := named.get(wanted) or _at_hours(text):
        return zone
    if len(found := cities.get(wanted, ())) == 1 and wanted not in _kept():
        return found[0]
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
    names = (_cities(), _kept(), {name: [zone] for name, zone in _by_name().items()})
    begun = (zones for known in names for name, zones in known.items() if name.startswith(wanted))
    found = dict.fromkeys(chain(_meant(text), *begun))
    if not found:
        found = {zone: None for zone, country in _countries().items() if wanted in country}
    if not found:
        called = {name: zones for known in reversed(names) for name, zones in known.items()}
        alike = difflib.get_close_matches(wanted, called, n=MOST_PROPOSALS, cutoff=_LIKENESS)
        found = dict.fromkeys(chain(*(called[name] for name in alike)))
    return list(found)[:MOST_PROPOSALS]


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


def _meant(text: str) -> list[str]:
    """List up to 25 zones that a text may mean; of ``a, b`` those of ``a``, if it means nothing."""
    for part in (text, text.partition(",")[0]):
        wanted, zone = _plain(part), _by_name().get(_folded(part)) or _at_hours(part)
        found = [zone] if zone else []
        found += _kept().get(wanted, ())
        found += _in_country(_ALIASES.get(wanted, wanted))
        found += _cities().get(wanted, ())
        if found:
            return list(dict.fromkeys(found))[:MOST_PROPOSALS]
    return []


def _at_hours(text: str) -> str | None:
    """Find the zone of whole hours from UTC, as in ``UTC+2`` or ``-3``."""
    match = _HOURS.fullmatch("".join(text.split()).casefold().translate(_DASHES))
    if match is None:
        return None
    hours = int(match[2])
    # IANA counts westward: Etc/GMT-2 is two hours ahead of UTC.
    zone = f"Etc/GMT{'-' if match[1] == '+' else '+'}{hours}" if hours else DEFAULT_ZONE
    return zone if zone in all_zones() else None


def _in_country(wanted: str) -> list[str]:
    """List the zones of a country.

    If there are more than two, list only the best-known one of those with the same time.
    """
    found = [zone for zone, country in _countries().items() if wanted in _turned(country)]
    if len(found) <= _MANY:
        return found
    clocks: dict[tuple[timedelta | None, ...], str] = {}
    known = {*chain(*_kept().values())}
    for zone in sorted(found, key=lambda zone: (zone not in _COMMON, zone not in known)):
        info = ZoneInfo(zone)
        clocks.setdefault(tuple(instant.astimezone(info).utcoffset() for instant in _SEASONS), zone)
    return list(clocks.values())


def _turned(country: str) -> tuple[str, str]:
    """Return a country's name in both orders: the database has ``korea_south``."""
    name, _underscore, part = country.rpartition("_")
    return country, f"{part}_{name}"


@cache
def _by_name() -> dict[str, str]:
    """Map the database's names of zones, folded, to the zones: those with many people first."""
    zones = sorted(all_zones(), key=lambda z: (z not in _COMMON, z not in _countries(), z))
    return {_folded(zone): zone for zone in zones}


@cache
def _cities() -> dict[str, list[str]]:
    """Map cities, folded, to their zones; a city's present zone wins over its old names."""
    found: dict[str, list[str]] = {}
    for name, zone in _by_name().items():
        if zone.startswith("Etc/"):
            continue
        there = found.setdefault(name.rpartition("/")[2], [])
        if zone in _countries() or not any(other in _countries() for other in there):
            there.append(zone)
    return found


@cache
def _kept() -> dict[str, list[str]]:
    """Map further names of zones, folded, to the zones that have them."""
    found: dict[str, list[str]] = {}
    table = files("bot.people").joinpath("data", "zone_names.txt")
    for zone, names in _columns(table.read_text(encoding="utf-8")):
        for name in names.split(", "):
            found.setdefault(_plain(name), []).append(zone)
    return found


@cache
def _countries() -> dict[str, str]:
    """Map each present zone to its country, folded."""
    folder = files("tzdata").joinpath("zoneinfo")
    countries = dict(_columns(folder.joinpath("iso3166.tab").read_text(encoding="utf-8")))
    zones = _columns(folder.joinpath("zone.tab").read_text(encoding="utf-8"))
    return {zone: _folded(countries[code]) for code, _place, zone, *_ in zones}


def _columns(table: str) -> Iterator[list[str]]:
    return (line.split("\t") for line in table.splitlines() if line and line[0] != "#")


def _folded(text: str) -> str:
    """Bring a text to lower case, without accents, with `_` or `/` between words."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c for c in letters if not unicodedata.combining(c))
    # "/" stays between parts, and "+" as in GMT+5.
    return re.sub(r"_*/_*", "/", re.sub(r"(?:[^\w/+]|_)+", "_", letters)).strip("_")


def _plain(text: str) -> str:
    """Fold a typed name, without a leading *the* or a final *time*."""
    return _BESIDE.sub("", _folded(text)).strip("/+")


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
