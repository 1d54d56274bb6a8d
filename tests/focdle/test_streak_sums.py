"""Whatever happens, streaks are what a look at every date that ever was comes to."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from bot.posts.model import ServerZoneTooSoonError
from bot.refused import ZoneTooSoonError
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import ANN
from tests.support.effort import either, examples
from tests.support.sql import sql
from tests.support.town import Town, open_town, wrong_guesses

FIRST: Final = date(2026, 1, 1)
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)

Absence = tuple[datetime, datetime]
Line = tuple[date, str, int, int, int]
"""A date, what came of it, the length before and after, and the freezes held."""


class Play(NamedTuple):
    day: date
    guild: int | None
    zone: str
    opened_at: datetime
    outcome: str | None
    on_date: bool
    guesses: int
    hints: int


class Zone(NamedTuple):
    guild: int | None
    zone: str
    effective_at: datetime
    set_at: datetime
    is_correction: int


class Book:
    """What a player's streak follows from, as the tables have it, and the bot's absences."""

    def __init__(
        self, folder: Path, player: int, now: datetime, absences: Sequence[Absence]
    ) -> None:
        self.now = now
        self.absences = [
            (began, ended) for began, ended in _whole(absences) if ended - began >= MINUTE
        ]

        def read(query: str) -> list[tuple[Any, ...]]:
            return sql(folder, query.replace("?", str(player)))

        self.plays = [
            Play(FIRST + timedelta(days=number - 1), guild, zone, _instant(opened_at), *rest)
            for number, guild, zone, opened_at, *rest in read(
                "SELECT number, guild_id, zone, opened_at, outcome, on_date,"
                " (SELECT count(*) FROM guesses WHERE play_id = plays.id),"
                " (SELECT count(*) FROM hints WHERE play_id = plays.id)"
                " FROM plays JOIN puzzles ON puzzles.id = puzzle_id"
                " WHERE player_id = ? AND number IS NOT NULL ORDER BY opened_at"
            )
        ]
        self.zones = [
            Zone(guild, zone, _instant(effective_at), _instant(set_at), is_correction)
            for guild, zone, effective_at, set_at, is_correction in read(
                "SELECT CASE subject WHEN 'guild' THEN subject_id END, zone, effective_at,"
                " set_at, is_correction FROM zones WHERE subject = 'guild' OR subject_id = ?"
                " ORDER BY effective_at"
            )
        ]

    def streak(self) -> list[Line]:
        """What every date came to."""
        solves = [p for p in self.plays if p.on_date and p.outcome == "solved"]
        solved, alone = {p.day for p in solves}, {p.day for p in solves if not p.hints}
        if not solved:
            return []
        lines: list[Line] = []
        day, length, freezes, over = min(solved), 0, 0, self.over()
        while day <= max(over, *solved):
            before = length
            if day in solved:
                length += 1
                run = takewhile(lambda line: not line[1].startswith("ended"), reversed(lines))
                made = sum(line[1] in {"solved", "solved_earned"} for line in run)
                earns = day in alone and made % 7 == 6 and freezes < 2
                freezes += earns
                how = "solved_earned" if earns else "solved"
                how = how if day in alone else "solved_assisted"
                lines.append((day, how, before, length, freezes))
            elif length and day <= over:
                skips = [day for day, why, *_ in lines if why == "excused_zone"]
                reason = self._reason(day, freezes, skips[-1] if skips else None)
                if reason.startswith("ended"):
                    length = freezes = 0
                freezes -= reason.startswith("frozen")
                lines.append((day, reason, before, length, freezes))
            day += DAY
        return lines

    def _reason(self, day: date, freezes: int, skipped: date | None) -> str:
        if self._is_skipped(day) and (skipped is None or day - skipped >= 30 * DAY):
            return "excused_zone"
        if self._is_down(day):
            return "excused_outage"
        plays = [p for p in self.plays if p.day == day]
        if any(p.on_date and p.outcome == "lost" for p in plays):
            how = "lost"
        elif any(p.guesses and _date(p.opened_at, p.zone) == day for p in plays):
            how = "unfinished"
        else:
            how = "unplayed"
        return f"{'frozen' if freezes else 'ended'}_{how}"

    def _last_play(self, day: date) -> Play:
        """The play that was opened last before a date ended where it was opened."""
        opened = [p for p in self.plays if _date(p.opened_at, p.zone) <= day]
        return opened[-1] if opened else self.plays[0]

    def _is_down(self, day: date) -> bool:
        zone = self._last_play(day).zone
        begins, ends = _start(day, zone), _start(day + DAY, zone)
        whole = sum(
            (max(min(ended, ends) - max(began, begins), 0 * DAY) for began, ended in self.absences),
            0 * DAY,
        )
        late = [min(ended, ends) - max(began, ends - 2 * HOUR) for began, ended in self.absences]
        return whole > HOUR or any(time > 5 * MINUTE for time in late)

    def _is_skipped(self, day: date) -> bool:
        place = self._last_play(day).guild
        before = "UTC"
        for zone in self.zones:
            if zone.guild != place:
                continue
            left, arrived = _date(zone.effective_at, before), _date(zone.effective_at, zone.zone)
            earlier = [p.guild for p in self.plays if p.opened_at < zone.set_at]
            excuses = not zone.is_correction and earlier and earlier[-1] == place
            if zone.effective_at > zone.set_at and left <= day < arrived and excuses:
                return not any(p.day == day == _date(p.opened_at, p.zone) for p in self.plays)
            before = zone.zone
        return False

    def over(self) -> date:
        """The last date that is over wherever the player has been in the last thirty days."""
        recent = [p for p in self.plays if p.opened_at > self.now - 30 * DAY] or self.plays[-1:]
        late = self.now - 30 * MINUTE
        return min(_date(late, self._zone(p.guild)) for p in recent) - DAY

    def _zone(self, guild: int | None) -> str:
        held = [z.zone for z in self.zones if z.guild == guild and z.effective_at <= self.now]
        return held[-1] if held else "UTC"


def _whole(absences: Sequence[Absence]) -> Iterator[Absence]:
    """Absences with less than a minute between them are one."""
    held: Absence | None = None
    for began, ended in absences:
        if held is not None and began - held[1] <= MINUTE:
            held = held[0], ended
            continue
        if held is not None:
            yield held
        held = began, ended
    if held is not None:
        yield held


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _date(instant: datetime, zone: str) -> date:
    return instant.astimezone(ZoneInfo(zone)).date()


def _start(day: date, zone: str) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).astimezone(UTC)


EAST, WEST = 100, 200
PLACES: Final = (None, EAST, WEST)
START: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)
ZONES: Final = ("UTC", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Niue")

Doing = tuple[object, ...]

places = st.sampled_from(PLACES)
actions = st.one_of(
    st.tuples(st.just("days"), places, st.integers(1, 8)),
    st.tuples(
        st.just("play"),
        places,
        st.sampled_from(["solve", "solve", "shown", "lose", "leave"]),
    ),
    st.tuples(st.just("wait"), st.sampled_from([1, 7, 12, 24, 24, 48, 24 * 9, 24 * 40])),
    st.tuples(st.just("away"), st.sampled_from([0.5, 2, 7, 40, 61, 60 * 15, 60 * 50])),
    st.tuples(st.just("zone"), places, st.sampled_from(ZONES)),
)


class Fate:
    """Ann, and what becomes of her and the bot."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._absences: list[Absence] = []

    async def do(self, what: str, *details: object) -> None:
        doings: dict[str, Callable[..., Awaitable[None]]] = {
            "days": self.days,
            "play": self.play,
            "wait": self.wait,
            "away": self.away,
            "flicker": self.flicker,
            "zone": self.zone,
        }
        await doings[what](*details)

    async def days(self, place: int | None, count: int) -> None:
        for _ in range(count):
            await self.play(place, "solve")
            await self.wait(24)

    async def play(self, place: int | None, how: str) -> None:
        play = await self._town.open(ANN, place)
        if play.game.outcome is not None:
            return
        if how == "leave":
            if not play.game.turns:
                (code,) = wrong_guesses(play.rules, play.game.secret, 0, 1)
                await self._town.services.daily.guess(ANN, play.id, code)
        else:
            guesses = 6 if how == "lose" else 3
            await self._town.finish(play, guesses, solved=how != "lose", shown=how == "shown")

    async def wait(self, hours: float) -> None:
        """Let time pass in which the bot is there."""
        self._town.clock.advance(hours=hours)
        sql(self._town.folder, "DELETE FROM pulses")  # all that time
        await self._town.services.heartbeat.beat()
        await self._town.settle()

    async def away(self, minutes: float) -> None:
        began = self._town.clock.now()
        await self._town.services.heartbeat.pause()
        self._town.clock.advance(minutes=minutes)
        self._absences.append((began, self._town.clock.now()))
        await self._town.services.heartbeat.beat()

    async def flicker(self, times: int, pause: float) -> None:
        """Lose the connection for fifty seconds, again and again."""
        for _ in range(times):
            await self.away(50 / 60)
            await self.wait(pause / 3600)

    async def zone(self, place: int | None, zone: str) -> None:
        with suppress(ServerZoneTooSoonError, ZoneTooSoonError):
            if place is None:
                await self._town.services.preferences.set_zone(ANN, zone)
            else:
                await self._town.services.settings.change(place, zone=zone)

    async def check(self) -> None:
        streak = (await self._town.services.statistics.of(ANN, viewer_id=ANN)).streak
        lines = Book(self._town.folder, ANN, self._town.clock.now(), self._absences).streak()
        assert stored(self._town.folder) == lines
        length = lines[-1][3] if lines else 0
        best = max((line[3] for line in lines), default=0)
        assert (streak.length, streak.best) == (length, best)


def stored(folder: Path) -> list[Line]:
    rows = sql(folder, "SELECT day, reason, before, after, freezes FROM streak_changes ORDER BY 1")
    return [(date.fromisoformat(day), *rest) for day, *rest in rows]


async def live(folder: Path, url: str, doings: Sequence[Doing]) -> None:
    async with open_town(folder, url, FakeClock(START)) as town:
        await town.services.heartbeat.beat()
        await town.services.settings.change(EAST, zone="Asia/Tokyo")
        await town.services.settings.change(WEST, zone="America/Los_Angeles")
        fate = Fate(town)
        for what, *details in doings:
            await fate.do(str(what), *details)
            await fate.check()


HISTORIES: Final[Sequence[Sequence[Doing]]] = [
    # an absence that excuses, long over when the next date is missed
    [
        ("days", EAST, 8),
        ("away", 60 * 50),
        ("play", EAST, "solve"),
        ("wait", 24 * 9),
        ("days", None, 3),
        ("wait", 24 * 40),
        ("flicker", 74, 20),
        ("play", None, "solve"),
    ],
    # dates that are skipped, of which one is excused
    [
        ("zone", None, "Pacific/Niue"),
        ("days", None, 4),
        ("zone", None, "Pacific/Kiritimati"),
        ("wait", 48),
        ("days", None, 8),
        ("zone", None, "Pacific/Niue"),
        ("days", None, 8),
        ("zone", None, "Pacific/Kiritimati"),
        ("wait", 48),
        ("days", None, 2),
    ],
    # a streak that is held over many flickers, and one that is not
    [
        ("play", None, "solve"),
        ("wait", 24),
        ("flicker", 74, 20),
        ("wait", 24),
        ("play", None, "solve"),
        ("wait", 24),
        ("flicker", 74, 70),
        ("wait", 24),
        ("play", None, "solve"),
    ],
    # dates with hints bring no freeze closer
    [
        ("play", None, "shown"),
        ("wait", 24),
        ("days", None, 3),
        ("play", None, "shown"),
        ("wait", 24),
        ("days", None, 4),
        ("wait", 48),
        ("wait", 48),
        ("play", None, "shown"),
    ],
]


@pytest.mark.long
@pytest.mark.parametrize("doings", HISTORIES[:: either(4, 1)])
async def test_streaks_of_known_histories_equal_a_plain_recomputation(
    tmp_path: Path, database_url: str, doings: Sequence[Doing]
) -> None:
    await live(tmp_path, database_url, doings)


@examples(2, 40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(doings=st.lists(actions, min_size=5, max_size=20))
def test_a_streak_equals_a_plain_recomputation_from_every_date(
    new_database: NewDatabase, doings: list[Doing]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(Path(name), new_database(Path(name)), doings))
