"""The closest duel and who improved most, over drawn weeks, by plain counting."""

import asyncio
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlalchemy import insert

from bot.model.dailies import day_of
from bot.services.server.recap import Recap
from bot.storage import schema
from bot.storage.database import Transaction
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.effort import examples
from tests.support.town import Town, open_town

GUILD, ELSEWHERE = 55, 56
SHOWN, HIDDEN, STRANGER = (11, 22, 33, 44), 77, 88
FIRST = 320
"""The number of Monday, November 16, 2026."""
MISS = 7
ENDINGS = ("solved", "both_solved", "resigned", "out_of_guesses")


class Result(NamedTuple):
    player: int
    number: int
    guesses: int
    hints: int


class Fight(NamedTuple):
    guild: int
    players: tuple[int, int]
    hours: int
    """After the beginning of Monday in UTC."""
    ending: str
    guesses: tuple[int, int]


everybody = st.sampled_from((*SHOWN, *SHOWN, HIDDEN, STRANGER))
results = st.lists(
    st.builds(
        Result,
        st.sampled_from((11, 11, 22, 33, HIDDEN)),
        st.sampled_from((*range(FIRST, FIRST + 5), *range(FIRST - 30, FIRST - 24), FIRST + 7)),
        st.integers(1, MISS),
        st.integers(0, 2),
    ),
    min_size=12,
    max_size=50,
    unique_by=lambda result: (result.player, result.number),
)
pars = st.lists(st.none() | st.integers(320, 420), min_size=40, max_size=40)
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


def par_of(number: int, drawn: list[int | None]) -> int | None:
    return drawn[number % len(drawn)]


def improved(played: list[Result], drawn: list[int | None]) -> tuple[int, Fraction] | None:
    """Who has improved most, and by how many hundredths of a guess."""
    gains: list[tuple[Fraction, int]] = []
    for player in SHOWN:
        spans: tuple[list[int], list[int]] = [], []
        for result in played:
            par = par_of(result.number, drawn)
            weeks = (result.number - FIRST) // 7
            if result.player != player or par is None or weeks not in range(-4, 1):
                continue
            taken = MISS if result.guesses == MISS else result.guesses + result.hints
            spans[weeks == 0].append(100 * min(taken, MISS) - par)
        before, now = spans
        if len(before) >= 3 and len(now) >= 3:
            gain = Fraction(sum(before), len(before)) - Fraction(sum(now), len(now))
            gains.append((gain, -player))
    if not gains or max(gains)[0] <= 5:
        return None
    gain, player = max(gains)
    return -player, gain


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


@examples(25, 600, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(played=results, drawn=pars, fought=fights, zone=zones)
def test_it_is_as_counted_by_hand(
    new_database: NewDatabase,
    played: list[Result],
    drawn: list[int | None],
    fought: list[Fight],
    zone: str,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = new_database(Path(folder))
        recap = asyncio.run(live(Path(folder), url, played, drawn, fought, zone))
    found = recap.improved and (recap.improved.player_id, round(recap.improved.gain, 6))
    expected = improved(played, drawn)
    assert found == (expected and (expected[0], round(float(expected[1]) / 100, 6)))
    assert (recap.duel and set(recap.duel.names)) == closest(fought, zone)


async def live(
    folder: Path,
    url: str,
    played: list[Result],
    drawn: list[int | None],
    fought: list[Fight],
    zone: str,
) -> Recap:
    clock = FakeClock()
    async with open_town(folder, url, clock) as town:
        town.at(f"{day_of(FIRST - 40)}T12:00")
        await town.services.settings.change(GUILD, zone=zone)
        for player in (*SHOWN, HIDDEN):
            await town.join(player, GUILD)
        await town.services.preferences.set_hidden(HIDDEN, on=True)
        async with town.database.transaction() as tx:
            await write(tx, played, drawn, fought, zone)
        town.at(f"{day_of(FIRST + 8)}T09:00", zone)
        await town.settle()
        await three(town)
        due = await town.services.posts.book.preview(GUILD)
        due = replace(due, last_day=due.day - timedelta(days=7))
        recap = (await town.services.posts.news.gather(due)).recap
    assert recap is not None
    return recap


async def three(town: Town) -> None:
    """Let three who have drawn nothing make sure that the week has a recap."""
    rows = [
        {"player_id": 900 + n, "guild_id": GUILD, "slot": f"mw{FIRST}", "figures": "1/1/4"}
        for n in range(3)
    ]
    async with town.database.transaction() as tx:
        await tx.execute(insert(schema.standings), rows)


async def write(
    tx: Transaction,
    played: list[Result],
    drawn: list[int | None],
    fought: list[Fight],
    zone: str,
) -> None:
    """Put what was drawn into the tables, and queue whom it concerns."""
    numbers = {result.number for result in played}
    guesses, hints = list[dict[str, Any]](), list[dict[str, Any]]()
    for number, length in product(numbers, (10, 11)):  # the longer ones are nobody's
        par, noon = par_of(number, drawn), noon_of(number, zone)
        puzzle = {"id": 2 * number + length - 10, "number": number, "length": length}
        named = {"rules": f"focdle:{length}/6", "secret": "1"}
        await tx.execute(insert(schema.puzzles), puzzle | named)
        if par is not None:
            row = {"number": number, "length": length, "mean": par / 100, "runs": 1}
            await tx.execute(insert(schema.pars), row | {"made_at": noon})
    for play_id, result in enumerate(played, 1):
        await tx.execute(insert(schema.plays), play_row(play_id, result, zone))
        noon = noon_of(result.number, zone)
        for turn in range(min(result.guesses, 6)):
            guess = {"play_id": play_id, "turn": turn, "code": f"{turn}", "guessed_at": noon}
            guesses.append(guess)
        for turn in range(result.hints):
            hint = {"play_id": play_id, "turn": turn, "kind": "count", "answer": "1"}
            hints.append(hint | {"given_at": noon})
    for table, rows in ((schema.guesses, guesses), (schema.hints, hints)):
        if rows:
            await tx.execute(insert(table), rows)
    for player in {result.player for result in played}:
        queued = {"player_id": player, "duels_only": False}
        await tx.execute(insert(schema.standing_rebuilds), queued)
    for duel_id, fight in enumerate(fought, 1):
        await write_duel(tx, duel_id, fight)


def noon_of(number: int, zone: str) -> datetime:
    return datetime.combine(day_of(number), datetime.min.time(), ZoneInfo(zone)) + timedelta(
        hours=12
    )


def play_row(play_id: int, result: Result, zone: str) -> dict[str, object]:
    noon = noon_of(result.number, zone)
    return {
        "id": play_id,
        "puzzle_id": 2 * result.number,
        "player_id": result.player,
        "guild_id": GUILD,
        "zone": zone,
        "hard": False,
        "opened_at": noon,
        "finished_at": noon,
        "outcome": "lost" if result.guesses == MISS else "solved",
        "on_date": True,
    }


async def write_duel(tx: Transaction, duel_id: int, fight: Fight) -> None:
    at = ended_at(fight)
    row = {
        "id": duel_id,
        "rules": "bulls:4/30",
        "mode": "race",
        "pace": "relaxed",
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
    await tx.execute(insert(schema.duels), row)
    seats = [{"duel_id": duel_id, "seat": n, "player_id": fight.players[n]} for n in (0, 1)]
    await tx.execute(insert(schema.duel_seats), seats)
    await tx.execute(insert(schema.duel_moves), list(moves(duel_id, fight.guesses, at)))


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
