"""A generated database of players: games in bulk, leaderboards from the real upkeep."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import Table, insert

from bot.clock import day_of
from bot.db import tables as schema
from bot.db.database import Database, Transaction
from bot.streaks.model import Record, work_out
from engine import BullsAndCows, Focdle, Mastermind

DAYS: Final = 180
"""How many dates there are; the last one was yesterday."""
LENGTHS: Final = (9, 10, 11, 12, 13)
PLAYS_EACH: Final = 20
"""How many plays a player has, on average."""
MEMBERS_EACH: Final = 100
"""How many players there are for each server; they are members of two or three."""

_FIRST_PLAYER: Final = 10**17
_FIRST_GUILD: Final = 2 * 10**17
_FEWEST: Final = 6  # players, so that some of them meet
_CHUNK: Final = 5_000
_CODES: Final = 40
_LOST: Final = 7
_RESULTS: Final = (1, 2, 3, 4, 5, 6, _LOST)
"""Guesses, or that it was lost."""
_WEIGHTS: Final = (1, 4, 14, 30, 28, 15, 8)
_HIDDEN: Final = 0.02
_STILL_PLAY: Final = 0.5
_ON_DATE: Final = 0.92
_HARD: Final = 0.1

Rows = dict[Table, list[dict[str, Any]]]
Add = Callable[[Table, Mapping[str, Any]], None]
MASTERMINDS_EACH: Final = 8
DUELS_EACH: Final = 5
"""How many each player begins; they have twice as many."""
_RULES: Final = Mastermind()
_DUEL_RULES: Final = BullsAndCows()
_SOLVED: Final = 0.95
_SUREST: Final = 20.0


@dataclass(frozen=True, slots=True)
class World:
    """A generated world; its first player played all dailies, `guild_id` is the largest server."""

    plays: int
    players: Sequence[int]
    guild_id: int
    members: Sequence[int]
    guilds: int
    now: datetime = field(default=datetime.combine(day_of(DAYS + 1), time(12), UTC))


class _Filler:
    """Generates rows, and writes them in batches."""

    def __init__(self, tx: Transaction, plays: int, seed: int) -> None:
        self._tx = tx
        self.rng = random.Random(seed)
        self._rows: Rows = {}
        self._most = plays
        self.plays = 0
        self.guilds = max(3, plays // PLAYS_EACH // MEMBERS_EACH)
        self.members: dict[int, list[int]] = {}
        self._codes = {length: self._draw(length) for length in LENGTHS}

    def _draw(self, length: int) -> list[str]:
        rules = Focdle(length)
        return list(dict.fromkeys(rules.draw(self.rng) for _ in range(_CODES)))

    @property
    def is_full(self) -> bool:
        return self.plays >= self._most

    def add(self, table: Table, row: Mapping[str, Any]) -> None:
        """Add a row; full batches are written, after the rows they refer to."""
        self._rows.setdefault(table, []).append(dict(row))
        if len(self._rows[table]) >= _CHUNK:
            self.flush()

    def flush(self) -> None:
        """Write all batches, in the order of references."""
        for table in schema.metadata.sorted_tables:
            if rows := self._rows.pop(table, []):
                self._tx.execute(insert(table), rows)

    def add_puzzles(self) -> None:
        for number in range(1, DAYS + 1):
            for place, length in enumerate(LENGTHS):
                row = {
                    "id": _puzzle_id(number, place),
                    "number": number,
                    "length": length,
                    "rules": Focdle(length).encode(),
                    "secret": self._codes[length][0],
                    "salt": "0",
                }
                self.add(schema.games.puzzles, row)

    def add_guilds(self) -> None:
        for guild in range(self.guilds):
            row = {
                "guild_id": _FIRST_GUILD + guild,
                "from_day": day_of(1),
                "length": LENGTHS[(guild + 1) % len(LENGTHS)],
            }
            self.add(schema.people.guild_lengths, row)

    def add_player(self, player_id: int, *, tireless: bool) -> None:
        """Add a player with memberships, choices, plays and the resulting streak."""
        # Squared, so that the first servers are far larger than the last ones.
        wanted = 4 if tireless else self.rng.randint(1, 4)
        guilds = {int(self.guilds * self.rng.random() ** 2) for _ in range(wanted)}
        guilds |= {0} if tireless else set()
        for guild in guilds:
            self.members.setdefault(guild, []).append(player_id)
            row = {
                "guild_id": _FIRST_GUILD + guild,
                "player_id": player_id,
                "name": f"Player {player_id}",
                "seen_at": _noon(DAYS),
            }
            self.add(schema.people.members, row)
        self.add(
            schema.people.players,
            {"player_id": player_id, "name": f"Player {player_id}", "seen_at": _noon(DAYS)},
        )
        choice = {
            "player_id": player_id,
            "hard_mode": False,
            "palette": "standard",
            "asks": "nothing",
            "hidden": not tireless and self.rng.random() < _HIDDEN,
        }
        self.add(schema.people.preferences, choice)
        home = min(guilds)
        places = range(len(LENGTHS)) if tireless else [(home + 1) % len(LENGTHS)]
        solved = {
            day_of(number)
            for number in (range(1, DAYS + 1) if tireless else self._numbers())
            for place in places
            if self._add_play(player_id, _FIRST_GUILD + home, number, place)
        }
        self._add_streak(player_id, frozenset(solved))

    def _numbers(self) -> list[int]:
        """Draw a player's dates up to some date; many have stopped long ago."""
        plays = min(int(self.rng.expovariate(1 / PLAYS_EACH)) + 1, DAYS)
        span = min(int(plays * 1.2) + 1, DAYS)
        stopped = 0 if self.rng.random() < _STILL_PLAY else self.rng.randint(0, DAYS - span)
        last = DAYS - stopped
        return sorted(self.rng.sample(range(last - span + 1, last + 1), plays))

    def _add_play(self, player_id: int, guild_id: int, number: int, place: int) -> bool:
        """Add a play; return true if it was solved on its date."""
        self.plays += 1
        (result,) = self.rng.choices(_RESULTS, _WEIGHTS)
        on_date, opened_at = self.rng.random() < _ON_DATE, _noon(number)
        play = {
            "id": self.plays,
            "puzzle_id": _puzzle_id(number, place),
            "player_id": player_id,
            "guild_id": guild_id,
            "zone": "UTC",
            "hard": self.rng.random() < _HARD,
            "opened_at": opened_at,
            "finished_at": opened_at + timedelta(minutes=5),
            "outcome": "solved" if result < _LOST else "lost",
            "on_date": on_date,
        }
        self.add(schema.games.plays, play)
        first = self.rng.randrange(_CODES // 2)
        for turn, code in enumerate(self._codes[LENGTHS[place]][first : first + min(result, 6)]):
            guess = {"play_id": self.plays, "turn": turn, "code": code, "guessed_at": opened_at}
            self.add(schema.games.guesses, guess)
        return on_date and result < _LOST

    def _add_streak(self, player_id: int, solved: frozenset[date]) -> None:
        streak = work_out(Record(solved, day_of(DAYS)))
        row = {
            "player_id": player_id,
            "length": streak.length,
            "best": streak.best,
            "freezes": streak.freezes,
            "settles_at": _noon(DAYS + 2) if streak.length else None,
        }
        self.add(schema.games.streaks, row)
        for change in streak.changes:
            row = {"player_id": player_id, **asdict(change), "reason": change.reason.value}
            self.add(schema.games.streak_changes, row)
        self.add(schema.people.standing_rebuilds, {"player_id": player_id})


async def fill(database: Database, plays: int, seed: int = 7) -> World:
    """Generate a world with `plays` plays; the upkeep must still build its leaderboards."""

    def body(tx: Transaction) -> World:
        filler = _Filler(tx, plays, seed)
        filler.add_puzzles()
        filler.add_guilds()
        players: list[int] = []
        while not filler.is_full or len(players) < _FEWEST:
            players.append(_FIRST_PLAYER + len(players))
            filler.add_player(players[-1], tireless=len(players) == 1)
        gamers = players[:1] + filler.rng.sample(players[1:], max(1, (len(players) - 1) // 5))
        add_masterminds(filler.add, filler.rng, gamers, _noon(DAYS))
        add_duels(filler.add, filler.rng, gamers, _noon(DAYS))
        filler.flush()
        guild, members = max(filler.members.items(), key=lambda item: len(item[1]))
        return World(filler.plays, players, _FIRST_GUILD + guild, members, filler.guilds)

    return await database.write(body)


def _puzzle_id(number: int, place: int) -> int:
    return number * len(LENGTHS) + place


def _noon(number: int) -> datetime:
    return datetime.combine(day_of(number), time(12), UTC)


def add_masterminds(add: Add, rng: random.Random, players: Sequence[int], last: datetime) -> None:
    """Add games at the standard setting for each player, up to an instant."""
    codes = list(dict.fromkeys(_RULES.draw(rng) for _ in range(100)))
    for game in range(len(players) * MASTERMINDS_EACH):
        at = last - timedelta(minutes=rng.randrange(60 * 24 * 60))
        player = players[game % len(players)]
        row = {
            "id": game + 1,
            "kind": "play",
            "rules": _RULES.encode(),
            "secret": codes[0],
            "owner_id": player,
            "codebreaker_id": player,
            "pending": "",
            "opened_at": at,
            "moved_at": at,
            "deadline_at": at + timedelta(days=7),
            "finished_at": at,
            "ending": "solved" if rng.random() < _SOLVED else "surrendered",
        }
        add(schema.games.masterminds, row)
        first = rng.randrange(50)
        for turn, code in enumerate(codes[first : first + rng.randint(2, 8)]):
            turned = {"game_id": game + 1, "turn": turn, "code": code, "guessed_at": at}
            add(schema.games.mastermind_turns, turned)


def add_duels(add: Add, rng: random.Random, players: Sequence[int], last: datetime) -> None:
    """Add rated duels of each player with the next ones, up to an instant."""
    ratings: dict[int, tuple[float, float, int]] = {}
    count = len(players) * DUELS_EACH
    for duel in range(count):
        at = last - timedelta(minutes=count - duel)
        first = players[duel % len(players)]
        second = players[(duel + 1 + duel // len(players) % (len(players) - 1)) % len(players)]
        _add_duel(add, duel + 1, (first, second), at)
        change = rng.gauss(0, 15)
        for player, other, by in ((first, second, change), (second, first, -change)):
            mu, sigma, games = ratings.get(player, (1500.0, 55.0, 0))
            ratings[player] = mu + by, max(sigma * 0.98, _SUREST), games + 1
            row = {
                "duel_id": duel + 1,
                "player_id": player,
                "opponent_id": other,
                "mu_before": mu,
                "sigma_before": sigma,
                "mu_after": ratings[player][0],
                "sigma_after": ratings[player][1],
                "games": games + 1,
                "changed_at": at,
            }
            add(schema.games.rating_changes, row)
    for player, (mu, sigma, games) in ratings.items():
        row = {"player_id": player, "mu": mu, "sigma": sigma, "games": games, "dates": games}
        add(schema.games.ratings, row | {"changed_at": last})


def _add_duel(add: Add, duel: int, players: tuple[int, int], at: datetime) -> None:
    row = {
        "id": duel,
        "rules": _DUEL_RULES.encode(),
        "mode": "equal",
        "rated": True,
        "challenger_id": players[0],
        "state": "over",
        "opened_at": at,
        "moved_at": at,
        "deadline_at": at,
        "finished_at": at,
        "ending": "solved",
        "winner": duel % 2,
    }
    add(schema.games.duels, row)
    for seat, player in enumerate(players):
        add(schema.games.duel_seats, {"duel_id": duel, "seat": seat, "player_id": player})
