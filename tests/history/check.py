"""Looks through a history and the database that is left: is all of it as it was told?

Everything is read from a folder: the history, and a copy of the database as a file of SQLite's. So
a history that was found wrong can be looked at again.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise, product
from pathlib import Path
from typing import Final

from sqlalchemy.exc import IntegrityError

from bot.leaderboards import boards
from bot.leaderboards.boards import BoardGame, Period, periods_of
from tests.history.record import Act, Event, Outcome, Post, read
from tests.support import duel_oracle
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.standings_oracle import Board, Books
from tests.support.town import Town, open_town

HISTORY: Final = "history.jsonl"
DATABASE: Final = "test.db"
LOGS: Final = "log-*"
# As a traceback names it, once an error, whatever the driver.
_WRITTEN_TWICE: Final = f"{IntegrityError.__module__}.{IntegrityError.__name__}"
_BEFORE: Final = (1500.0, 55.0, 0)

Game = tuple[str, int]
"""A game as the history names it, and who guesses in it."""


def faults(folder: Path, now: datetime) -> list[str]:
    """What is wrong with the history in a folder; nothing if all is well.

    Args:
        folder: where it and the database are.
        now: the instant at which it ended, by everybody's clock.
    """
    events = [*read(folder / HISTORY)]
    return [
        *faults_of_guesses(events, _stored(folder)),
        *faults_of_posts(events),
        *_faults_of_duels(folder),
        *_faults_of_ratings(folder),
        *asyncio.run(_faults_of_standings(folder, now)),
        *faults_of_logs(folder),
    ]


def faults_of_guesses(
    events: Iterable[Event], stored: Mapping[Game, Sequence[str]]
) -> Iterator[str]:
    """Guesses that were shown and are not there, or twice, or in another order; or from nowhere.

    Args:
        events: the history.
        stored: what counts of each game and player, in its order.
    """
    acts: defaultdict[Game, list[Act]] = defaultdict(list)
    for event in events:
        if isinstance(event, Act):
            acts[event.game, event.player].append(event)
    for game in sorted({*stored, *acts}):
        codes, told = stored.get(game, ()), acts[game]
        sent = {act.code for act in told}
        played = {act.code for act in told if act.outcome is Outcome.PLAYED}
        refused = {act.code for act in told if act.outcome is Outcome.REFUSED}
        maybe = played | {act.code for act in told if act.outcome is Outcome.UNKNOWN}
        if len({*codes}) < len(codes):
            yield f"{game}: a guess counts twice: {codes}"
        yield from (f"{game}: {code} was shown and is lost" for code in sorted(played - {*codes}))
        yield from (f"{game}: nobody has sent {code}" for code in sorted({*codes} - sent))
        yield from (
            f"{game}: {code} was refused, and counts"
            for code in sorted((refused - maybe) & {*codes})
        )
        yield from _faults_of_order(game, codes, told)


def _faults_of_order(game: Game, codes: Sequence[str], acts: Sequence[Act]) -> Iterator[str]:
    """Whoever has seen a guess before they send the next finds it before that one."""
    shown: dict[str, float] = {}
    sent: dict[str, float] = {}
    for act in acts:
        if act.outcome is Outcome.PLAYED:
            shown[act.code] = min(act.ended, shown.get(act.code, act.ended))
        sent[act.code] = min(act.began, sent.get(act.code, act.began))
    for earlier, later in pairwise(codes):
        if shown.get(later, float("inf")) < sent.get(earlier, 0.0):
            yield f"{game}: {earlier} stands before {later}, which was shown before it was sent"


def faults_of_posts(events: Iterable[Event]) -> Iterator[str]:
    """Messages that a channel has been sent more than once for a date."""
    found: defaultdict[tuple[int, str], int] = defaultdict(int)
    for event in events:
        if isinstance(event, Post):
            found[event.channel, event.date] += 1
    for (channel, date), times in found.items():
        if times > 1:
            yield f"channel {channel} has {times} posts of {date}"


def _stored(folder: Path) -> dict[Game, list[str]]:
    """What counts of each game and player, in its order."""
    stored: defaultdict[Game, list[str]] = defaultdict(list)
    for number, player, code in sql(
        folder,
        "SELECT number, player_id, code FROM plays JOIN puzzles ON puzzles.id = puzzle_id"
        " JOIN guesses ON play_id = plays.id ORDER BY plays.id, turn",
    ):
        stored[f"puzzle:{number}", player].append(code)
    for duel, player, code in sql(
        folder,
        "SELECT duel_moves.duel_id, player_id, code FROM duel_moves"
        " JOIN duel_seats ON duel_seats.duel_id = duel_moves.duel_id"
        " AND duel_seats.seat = duel_moves.seat ORDER BY duel_moves.duel_id, number",
    ):
        stored[f"duel:{duel}", player].append(code)
    return stored


def _faults_of_duels(folder: Path) -> Iterator[str]:
    """Duels in which somebody has moved out of turn, or that have not ended as they must have."""
    for duel in duel_oracle.read(folder).values():
        seats = [move.seat for move in duel.moves]
        if duel.mode != "race" and seats != [n % 2 for n in range(len(seats))]:
            yield f"duel {duel.id}: moved by {seats}"
        needed = [duel.needed(seat) for seat in duel_oracle.SEATS]
        if duel.state == "playing" and duel.mode == "classic" and any(needed):
            yield f"duel {duel.id}: found, and goes on"
        if duel.ending == "solved" and (duel.winner is None or needed[duel.winner] is None):
            yield f"duel {duel.id}: won by a player who has not found the number"


def _faults_of_ratings(folder: Path) -> Iterator[str]:
    """Ratings that are not what one rated duel after the other has made of them."""
    changes = duel_oracle.read_changes(folder)
    for duel in duel_oracle.read(folder).values():
        players = {change["player_id"] for change in changes.get(duel.id, ())}
        is_rated = duel.rated and duel.ending in duel_oracle.PLAYED
        if players != ({*duel.players} if is_rated else set()):
            yield f"duel {duel.id}: changed the ratings of {players}"
    ratings: dict[int, tuple[float, float, int]] = {}
    every = sorted((c for both in changes.values() for c in both), key=lambda c: c["games"])
    for change in every:
        player = change["player_id"]
        mu, sigma, games = ratings.get(player, _BEFORE)
        if (change["mu_before"], change["sigma_before"], change["games"]) != (mu, sigma, games + 1):
            yield f"duel {change['duel_id']}: the rating of {player} was {mu} after {games} games"
        ratings[player] = change["mu_after"], change["sigma_after"], games + 1
    if duel_oracle.read_ratings(folder) != ratings:
        yield "ratings are not what the last duels have left"


async def _faults_of_standings(folder: Path, now: datetime) -> list[str]:
    """Leaderboards that are not sums over the games."""
    clock = FakeClock(now)
    found: list[str] = []
    async with open_town(folder, f"sqlite:///{folder / DATABASE}", clock) as town:
        await town.settle()
        books = Books(folder, now)
        guilds = sorted({guild for guild, _ in books.members})
        for game, period, guild in product((BoardGame.FOCDLE, BoardGame.DUELS), Period, guilds):
            if period in periods_of(game):
                expected = books.board(Board(game.value, period.value, False, guild))
                shown = await _rows(town, boards.Board(game, period, guild_id=guild))
                if shown != [(r, p, "/".join(map(str, f))) for r, p, f in expected]:
                    found.append(f"{game} {period} in {guild}: {shown}, not {expected}")
    return found


def faults_of_logs(folder: Path) -> Iterator[str]:
    """Rows that two processes have written at once: only the database has kept them apart."""
    for path in sorted(folder.glob(LOGS)):
        found = path.read_text().count(_WRITTEN_TWICE)
        if found:
            yield f"{path.name}: {_WRITTEN_TWICE}, {found} times"


async def _rows(town: Town, board: boards.Board) -> list[tuple[int, int, str]]:
    return [(row.rank, row.player_id, row.figures.encode()) for row in await town.rows(board)]
