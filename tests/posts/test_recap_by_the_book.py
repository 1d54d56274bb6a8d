"""The closest duel of drawn weeks, by plain counting."""

import asyncio
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import insert

from bot.clock import day_of
from bot.db import tables as schema
from bot.db.database import Transaction
from bot.posts.news import Recap
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.effort import examples
from tests.support.town import Town, open_town

GUILD, ELSEWHERE = 55, 56
SHOWN, HIDDEN, STRANGER = (11, 22, 33, 44), 77, 88
FIRST = 320
"""The number of Monday, November 16, 2026."""
ENDINGS = ("solved", "both_solved", "resigned", "out_of_guesses")


class Fight(NamedTuple):
    guild: int
    players: tuple[int, int]
    hours: int
    """After the beginning of Monday in UTC."""
    ending: str
    guesses: tuple[int, int]


everybody = st.sampled_from((*SHOWN, *SHOWN, HIDDEN, STRANGER))
fights = st.lists(
    st.builds(
        Fight,
        st.sampled_from((*[GUILD] * 5, ELSEWHERE)),
        st.tuples(everybody, everybody).filter(lambda pair: pair[0] != pair[1]),
        st.integers(-30, 7 * 24 + 30),
        st.sampled_from((*ENDINGS, *ENDINGS[:2])),
        st.tuples(st.integers(2, 4), st.integers(2, 4)),
    ),
    min_size=3,
    max_size=9,
)
zones = st.sampled_from(("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"))


def closest(fought: list[Fight], zone: str) -> set[int] | None:
    """Whose duel was the closest."""
    best: tuple[tuple[int, int, int, int], set[int]] | None = None
    for place, fight in enumerate(fought):
        day = ended_at(fight).astimezone(ZoneInfo(zone)).date()
        if not day_of(FIRST) <= day <= day_of(FIRST + 6) or fight.guild != GUILD:
            continue
        if fight.ending not in ENDINGS[:2] or not set(fight.players) <= set(SHOWN):
            continue
        low, high = sorted(fight.guesses)
        rank = (high - low, ENDINGS[:2].index(fight.ending) == 0, -high, -place)
        if best is None or rank < best[0]:
            best = rank, set(fight.players)
    return None if best is None else best[1]


def ended_at(fight: Fight) -> datetime:
    monday = datetime.combine(day_of(FIRST), datetime.min.time(), UTC)
    return monday + timedelta(hours=fight.hours)


@examples(8, 600, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fought=fights, zone=zones)
def test_a_recap_names_the_closest_duel_of_a_week_as_counted_by_hand(
    new_database: NewDatabase, fought: list[Fight], zone: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = new_database(Path(folder))
        recap = asyncio.run(live(Path(folder), url, fought, zone))
    assert (recap.duel and set(recap.duel.names)) == closest(fought, zone)


async def live(folder: Path, url: str, fought: list[Fight], zone: str) -> Recap:
    clock = FakeClock()
    async with open_town(folder, url, clock) as town:
        town.at(f"{day_of(FIRST - 40)}T12:00")
        await town.services.settings.change(GUILD, zone=zone)
        for player in (*SHOWN, HIDDEN):
            await town.join(player, GUILD)
        await town.services.preferences.set_hidden(HIDDEN, on=True)

        def body(tx: Transaction) -> None:
            for duel_id, fight in enumerate(fought, 1):
                write_duel(tx, duel_id, fight)

        await town.database.write(body)
        town.at(f"{day_of(FIRST + 8)}T09:00", zone)
        await town.settle()
        await three(town)
        due = await town.services.posts.book.preview(GUILD)
        due = replace(due, last_day=due.day - timedelta(days=7))
        recap = (await town.services.posts.news.gather(due)).recap
    assert recap is not None
    return recap


async def three(town: Town) -> None:
    """Let three who have no duels make sure that the week has a recap."""
    rows = [
        {
            "player_id": 900 + n,
            "guild_id": GUILD,
            "slot": f"mw{FIRST}",
            "missing": 0,
            "sort_key": n,
            "figures": "1/1/4",
        }
        for n in range(3)
    ]
    await town.database.write(lambda tx: tx.execute(insert(schema.people.standings), rows))


def write_duel(tx: Transaction, duel_id: int, fight: Fight) -> None:
    at = ended_at(fight)
    row = {
        "id": duel_id,
        "rules": "bulls:4/30",
        "mode": "equal",
        "rated": bool(duel_id % 2),
        "challenger_id": fight.players[0],
        "guild_id": fight.guild,
        "state": "over",
        "opened_at": at,
        "moved_at": at,
        "deadline_at": at,
        "finished_at": at,
        "ending": fight.ending,
        "winner": 0 if fight.ending == "solved" else None,
    }
    tx.execute(insert(schema.games.duels), row)
    seats = [{"duel_id": duel_id, "seat": n, "player_id": fight.players[n]} for n in (0, 1)]
    tx.execute(insert(schema.games.duel_seats), seats)
    tx.execute(insert(schema.games.duel_moves), list(moves(duel_id, fight.guesses, at)))


def moves(duel_id: int, guesses: tuple[int, int], at: datetime) -> Iterable[dict[str, object]]:
    made = [(seat, turn) for seat in (0, 1) for turn in range(guesses[seat])]
    for number, (seat, turn) in enumerate(made):
        yield {
            "duel_id": duel_id,
            "number": number,
            "seat": seat,
            "turn": turn,
            "code": "1234",
            "moved_at": at,
        }
