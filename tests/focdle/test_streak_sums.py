"""Whatever happens, streaks are what a look at every date that ever was comes to."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

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
from tests.support.streak_oracle import Absence, Book, Line
from tests.support.town import Town, open_town, wrong_guesses

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
@pytest.mark.parametrize("doings", HISTORIES[:: either(3, 1)])
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
