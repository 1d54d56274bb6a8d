"""What people type for a time zone, and what is made of it."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.model.places import ZoneChange
from bot.services.base.errors import UnknownZoneError
from bot.services.base.zones import (
    MOST_PROPOSALS,
    all_zones,
    complete_zone,
    find_zone,
    matching_zones,
    skips,
    zone_at,
)

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
    "+09:00": "Etc/GMT-9",
    "+0": "UTC",
    "Etc/GMT+5": "Etc/GMT+5",
}

# What is proposed first for what is not taken; None where nothing is.
REFUSED = {
    # Nothing, or several.
    "": "UTC",
    "  ": "UTC",
    "eastern": "Canada/Eastern",
    "Pacific Time": "Canada/Pacific",
    "samoa": "Pacific/Samoa",
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
    "x" * 4000: None,
    "🟩" * 4000: "UTC",
    "Tokyo " * 666: None,
    "\x00": "UTC",
}


@pytest.mark.parametrize(("text", "zone"), TAKEN.items())
def test_a_name_is_taken_however_it_is_typed(text: str, zone: str) -> None:
    assert find_zone(text) == zone


@pytest.mark.parametrize(("text", "first"), REFUSED.items())
def test_what_is_no_name_is_refused_with_what_may_be_meant(text: str, first: str | None) -> None:
    with pytest.raises(UnknownZoneError) as refused:
        find_zone(text)
    assert refused.value.text == text
    proposals = refused.value.proposals
    assert (proposals[0] if proposals else None) == first
    assert len(proposals) <= MOST_PROPOSALS
    assert len(set(proposals)) == len(proposals)
    assert set(proposals) <= set(all_zones())


def test_every_zone_is_found_by_its_name_and_has_a_clock() -> None:
    assert len(all_zones()) > 400
    for zone in all_zones():
        assert find_zone(zone) == zone
        assert complete_zone(zone)[0] == zone
        assert ZoneInfo(zone).key == zone


@pytest.mark.parametrize("hours", range(-12, 15))
def test_an_offset_has_the_sign_that_people_mean(hours: int) -> None:
    zone = ZoneInfo(find_zone(f"UTC{hours:+}"))
    offset = datetime(2026, 11, 20, tzinfo=zone).utcoffset()
    assert offset is not None
    assert offset.total_seconds() == hours * 3600


@pytest.mark.parametrize("typed", ["", "a", "e", "america", "ber", "Germany", "zzz", "utc+2"])
def test_completions_are_no_more_than_discord_takes(typed: str) -> None:
    assert len(complete_zone(typed)) <= 25
    assert len(complete_zone(typed)) == len(set(complete_zone(typed)))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("Berlin", ["Europe/Berlin"]),
        ("germany", ["Europe/Berlin", "Europe/Busingen"]),
    ],
)
def test_a_place_or_a_country_names_its_zones(typed: str, offered: list[str]) -> None:
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
def test_a_zone_holds_from_its_instant_on(instant: datetime, zone: str) -> None:
    assert zone_at(ROWS, instant) == zone


def test_a_date_of_which_no_hour_came_about_was_skipped() -> None:
    midnight = datetime(2026, 11, 20, 12, tzinfo=UTC)  # of the 21st at the western end
    west = ZoneChange("Etc/GMT+12", datetime(2026, 11, 1, 12, tzinfo=UTC), midnight)
    east = ZoneChange("Pacific/Kiritimati", datetime(2026, 11, 21, 12, tzinfo=UTC), midnight)
    assert [skip.day for skip in skips([west, east])] == [date(2026, 11, 21)]
    assert list(skips(ROWS[:1])) == []
