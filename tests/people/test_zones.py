"""What people type for a time zone, and what is made of it."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from babel import Locale
from babel.core import get_global

from bot.people.model import ZoneChange
from bot.people.zones import (
    MOST_PROPOSALS,
    all_zones,
    complete_zone,
    find_zone,
    matching_zones,
    skips,
    zone_at,
)
from bot.refused import UnknownZoneError

TAKEN = {
    # Exact, and as people type it.
    "Europe/Berlin": "Europe/Berlin",
    "europe/berlin": "Europe/Berlin",
    " EUROPE / BERLIN ": "Europe/Berlin",
    "America/New_York": "America/New_York",
    "america/new york": "America/New_York",
    "UTC": "UTC",
    "gmt": "GMT",
    "Japan": "Japan",
    # The city is enough.
    "tokyo": "Asia/Tokyo",
    "New York": "America/New_York",
    "new-york": "America/New_York",
    "St Johns": "America/St_Johns",
    "São Paulo": "America/Sao_Paulo",
    "Zürich": "Europe/Zurich",
    "port-au-prince": "America/Port-au-Prince",
    "**Tokyo**": "Asia/Tokyo",
    "||`Tokyo`||\u202e": "Asia/Tokyo",
    # Of a place's names the present one.
    "Louisville": "America/Kentucky/Louisville",
    "Istanbul": "Europe/Istanbul",
    "Singapore": "Singapore",
    # Offsets as everybody counts them; IANA's own names count the other way.
    "UTC+2": "Etc/GMT-2",
    "gmt-3": "Etc/GMT+3",
    "UTC −03:00": "Etc/GMT+3",
    "UTC–3": "Etc/GMT+3",
    "+0900": "Etc/GMT-9",
    "utc+2": "Etc/GMT-2",
    "Etc/GMT-2": "Etc/GMT-2",
    "Kiev": "Europe/Kiev",
    "Kyiv": "Europe/Kyiv",
    "+09:00": "Etc/GMT-9",
    "+0": "UTC",
    "Etc/GMT+5": "Etc/GMT+5",
}

# What is proposed first for what is not taken; None where nothing is.
REFUSED = {
    # Nothing, or several.
    "": "UTC",
    "  ": "UTC",
    # Misspelt.
    "Tokio": "Asia/Tokyo",
    "Berlim": "Europe/Berlin",
    "europe/berlim": "Europe/Berlin",
    "New Yrok": "America/New_York",
    "Sydny": "Australia/Sydney",
    "Los Angelos": "America/Los_Angeles",
    # Half of it, and more than it.
    "ber": "Europe/Berlin",
    "asia/tok": "Asia/Tokyo",
    "Berlin, Germany": "Europe/Berlin",
    # Countries, and what is said of them.
    "Germany": "Europe/Berlin",
    "India": "Asia/Kolkata",
    "uk": "Europe/London",
    "USA": "America/New_York",
    "Beijing": "Asia/Shanghai",
    # Markdown and other mischief.
    "**Tokio**": "Asia/Tokyo",
    "||`Tokio`||\u202e": "Asia/Tokyo",
    "<@1> @everyone": None,
    "../../etc/passwd": None,
    "/": "UTC",
    "+": "UTC",
    # Nonsense.
    "qqqqzz": None,
    "UTC+15": None,
    "UTC+5:30": None,
    "5:30": None,
    "x" * 4000: None,
    "🟩" * 4000: "UTC",
    "Tokyo " * 666: None,
    "\x00": "UTC",
}


# What is meant by what is no name of a zone, in order; dots where more follow that are no matter.
MEANT = {
    # Abbreviations mean places, whose clocks may change with the season.
    "IST": "Asia/Kolkata Asia/Jerusalem Europe/Dublin",
    "EST": "America/New_York America/Toronto America/Iqaluit America/Jamaica America/Panama ...",
    "EDT": "America/New_York America/Toronto America/Iqaluit",
    "MST": "America/Denver America/Phoenix America/Edmonton ...",
    "PST": "America/Los_Angeles America/Vancouver America/Tijuana Asia/Manila",
    "CST": "America/Chicago America/Winnipeg America/Regina America/Havana ...",
    "CEST": "Europe/Paris Europe/Berlin Europe/Madrid Europe/Rome ...",
    "CET": "Europe/Paris Europe/Berlin Europe/Madrid Europe/Rome ...",
    "BST": "Europe/London Asia/Dhaka",
    "AEST": "Australia/Sydney Australia/Melbourne Australia/Brisbane Australia/Hobart",
    "JST": "Asia/Tokyo",
    "horário de Brasília": "America/Sao_Paulo",
    "Brasil": "America/Sao_Paulo America/Noronha America/Manaus America/Eirunepe",
    "MSK": "Europe/Moscow",
    "HST": "Pacific/Honolulu America/Adak",
    "ET": "America/New_York",
    "eastern": "America/New_York America/Toronto Canada/Eastern US/Eastern",
    "Eastern Daylight Time": "America/New_York America/Toronto Canada/Eastern US/Eastern",
    "Pacific Time": "America/Los_Angeles America/Vancouver Canada/Pacific US/Pacific",
    "Central European Summer Time": "Europe/Paris Europe/Berlin Africa/Algiers Africa/Tunis",
    "British Summer Time": "Europe/London",
    "India Standard Time": "Asia/Kolkata",
    "Moscow time": "Europe/Moscow",
    # Large cities.
    "Mumbai": "Asia/Kolkata",
    "Delhi": "Asia/Kolkata",
    "Osaka": "Asia/Tokyo",
    "Rio de Janeiro": "America/Sao_Paulo",
    "Barcelona": "Europe/Madrid America/Caracas",
    "Munich": "Europe/Berlin",
    "münchen": "Europe/Berlin",
    "San Francisco": "America/Los_Angeles",
    "Seattle": "America/Los_Angeles",
    "Boston": "America/New_York",
    "Houston": "America/Chicago",
    "Cape Town": "Africa/Johannesburg",
    "New York City": "America/New_York",
    "NYC": "America/New_York",
    "la": "America/Los_Angeles",
    "St. Petersburg": "Europe/Moscow",
    "The Hague": "Europe/Amsterdam",
    "Washington, D.C.": "America/New_York America/Los_Angeles",
    "San Juan": "America/Puerto_Rico America/Argentina/San_Juan",
    "Petersburg": "Europe/Moscow America/Indiana/Petersburg",
    "Portland": "America/New_York America/Los_Angeles",
    "Portland, Oregon": "America/New_York America/Los_Angeles",
    "Melbourne, Victoria": "Australia/Melbourne",
    # Countries and regions.
    "South Korea": "Asia/Seoul",
    "Korea": "Asia/Seoul Asia/Pyongyang",
    "England": "Europe/London",
    "Holland": "Europe/Amsterdam",
    "the Netherlands": "Europe/Amsterdam",
    "California": "America/Los_Angeles",
    "Texas": "America/Chicago America/Denver",
    "Georgia": "America/New_York Asia/Tbilisi",
    "Samoa": "Pacific/Apia Pacific/Pago_Pago Pacific/Samoa US/Samoa",
    "USA": "America/New_York America/Chicago America/Denver America/Los_Angeles "
    "America/Phoenix America/Anchorage America/Adak Pacific/Honolulu",
    "Spain": "Europe/Madrid Atlantic/Canary",
    "Argentina": "America/Argentina/Buenos_Aires",
}


@pytest.mark.parametrize(("text", "zones"), MEANT.items())
def test_a_colloquial_name_of_a_zone_is_offered_and_never_assumed(text: str, zones: str) -> None:
    with pytest.raises(UnknownZoneError) as refused:
        find_zone(text)
    meant = zones.removesuffix(" ...").split()
    offered = refused.value.proposals
    assert offered[: len(meant)] == meant
    assert (len(offered) > len(meant)) == zones.endswith("...")
    assert matching_zones(text) == offered
    assert complete_zone(text)[: len(offered)] == offered


@pytest.mark.parametrize(
    ("typed", "zone"), [("mumb", "Asia/Kolkata"), ("san fr", "America/Los_Angeles")]
)
def test_part_of_a_citys_name_finds_its_zone(typed: str, zone: str) -> None:
    assert zone in complete_zone(typed)[:3]


def column(number: int, package: str, *path: str) -> set[str]:
    """What stands in a column of a table."""
    table = files(package).joinpath(*path).read_text(encoding="utf-8")
    return {row.split("\t")[number] for row in table.splitlines() if not row.startswith("#")}


def places() -> set[str]:
    """The zones of the database that are a place's present one."""
    return column(2, "tzdata", "zoneinfo", "zone.tab")


def test_every_abbreviation_in_the_zone_database_finds_a_zone_with_its_offset() -> None:
    seasons = [datetime(2026, month, 1, 12, tzinfo=UTC) for month in (1, 7)]
    clocks: set[tuple[str, timedelta]] = set()
    for zone in places():
        for local in (season.astimezone(ZoneInfo(zone)) for season in seasons):
            called, offset = local.tzname(), local.utcoffset()
            assert called is not None
            assert offset is not None
            if called[0] not in "+-":  # else it has no name but its offset
                clocks.add((called, offset))
    for called, offset in sorted(clocks):
        offered = [
            season.astimezone(ZoneInfo(zone)).utcoffset()
            for zone in matching_zones(called)
            for season in seasons
        ]
        assert offset in offered, called


def offered(text: str) -> list[str]:
    try:
        return matching_zones(text)
    except UnknownZoneError as refused:
        return [*refused.proposals]


def clock_of(zone: str) -> tuple[object, ...]:
    """How far a zone's clock is from UTC in January and in July."""
    return tuple(datetime(2026, month, 1, tzinfo=ZoneInfo(zone)).utcoffset() for month in (1, 7))


# Where nobody who would look for it lives, or what nobody types.
NOT_LOOKED_FOR = {
    "world",
    "Unknown Region",
    "Hong Kong SAR China",
    "Macao SAR China",
    "South Georgia & South Sandwich Islands",
    "U.S. Outlying Islands",
}


@pytest.mark.parametrize("source", ["clocks", "countries"])
def test_every_cldr_name_of_a_clock_or_country_finds_its_zones(source: str) -> None:
    english: Any = Locale("en")
    named: list[tuple[str, list[str]]] = []
    if source == "countries":
        zones = get_global("territory_zones")
        named += [(name, zones.get(code, [])) for code, name in english.territories.items()]
    else:
        of = defaultdict[str, list[str]](list)
        for zone, clock in get_global("meta_zones").items():
            of[clock].append(zone)
        for clock, names in english.meta_zones.items():
            named += [(name, of[clock]) for name in names.get("long", {}).values() if of[clock]]
    assert len(named) > 200
    known, lost = {*all_zones()}, set[str]()
    for name, zones in named:
        clocks = {clock_of(zone) for zone in zones if zone in known}
        if clocks and not clocks & {clock_of(zone) for zone in offered(name)}:
            lost.add(name)
    assert lost <= NOT_LOOKED_FOR


def test_zones_listed_in_our_data_exist() -> None:
    assert column(0, "bot.people", "data", "zone_names.txt") <= places()


@pytest.mark.parametrize(("text", "zone"), TAKEN.items())
def test_a_zone_is_found_in_any_spelling_of_its_name(text: str, zone: str) -> None:
    assert find_zone(text) == zone


@pytest.mark.parametrize(("text", "first"), REFUSED.items())
def test_a_text_that_names_no_zone_is_refused_with_suggestions(
    text: str, first: str | None
) -> None:
    with pytest.raises(UnknownZoneError) as refused:
        find_zone(text)
    assert refused.value.text == text
    proposals = refused.value.proposals
    assert (proposals[0] if proposals else None) == first
    assert len(proposals) <= MOST_PROPOSALS
    assert len(set(proposals)) == len(proposals)
    assert set(proposals) <= set(all_zones())


def test_every_zone_is_found_and_completed_by_its_name() -> None:
    assert len(all_zones()) > 400
    for zone in all_zones():
        assert find_zone(zone) == zone
        assert complete_zone(zone)[0] == zone
        assert ZoneInfo(zone).key == zone


@pytest.mark.parametrize("hours", range(-12, 15))
def test_an_offset_from_utc_has_the_sign_that_people_expect(hours: int) -> None:
    zone = ZoneInfo(find_zone(f"UTC{hours:+}"))
    offset = datetime(2026, 11, 20, tzinfo=zone).utcoffset()
    assert offset is not None
    assert offset.total_seconds() == hours * 3600


@pytest.mark.parametrize("typed", ["", "a", "e", "america", "ber", "Germany", "zzz", "utc+2"])
def test_completions_of_a_zone_are_distinct_and_within_discords_limit(typed: str) -> None:
    assert len(complete_zone(typed)) <= 25
    assert len(complete_zone(typed)) == len(set(complete_zone(typed)))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("Berlin", ["Europe/Berlin"]),
        ("germany", ["Europe/Berlin", "Europe/Busingen"]),
    ],
)
def test_a_place_or_country_finds_its_zones(typed: str, offered: list[str]) -> None:
    assert matching_zones(typed) == offered


ROWS = [
    ZoneChange(
        "Asia/Tokyo", datetime(2026, 11, 21, tzinfo=UTC), datetime(2026, 11, 20, tzinfo=UTC)
    ),
    ZoneChange(
        "Pacific/Kiritimati", datetime(2026, 12, 1, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC)
    ),
]


@pytest.mark.parametrize(
    ("instant", "zone"),
    [
        (datetime(2026, 11, 20, 23, 59, tzinfo=UTC), "UTC"),
        (datetime(2026, 11, 21, tzinfo=UTC), "Asia/Tokyo"),
        (datetime(2026, 12, 25, tzinfo=UTC), "Pacific/Kiritimati"),
    ],
)
def test_a_zone_holds_from_the_moment_at_which_its_change_takes_effect(
    instant: datetime, zone: str
) -> None:
    assert zone_at(ROWS, instant) == zone


def test_a_date_without_a_single_hour_was_skipped() -> None:
    midnight = datetime(2026, 11, 20, 12, tzinfo=UTC)  # of the 21st at the western end
    west = ZoneChange("Etc/GMT+12", datetime(2026, 11, 1, 12, tzinfo=UTC), midnight)
    east = ZoneChange("Pacific/Kiritimati", datetime(2026, 11, 21, 12, tzinfo=UTC), midnight)
    assert [skip.day for skip in skips([west, east])] == [date(2026, 11, 21)]
    assert list(skips(ROWS[:1])) == []
