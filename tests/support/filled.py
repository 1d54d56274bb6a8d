"""A database in which every column of every table is filled, each cell with a value of its own.

It is made only from the schema, so a new column is filled as soon as it exists; what is given
by name here is only what the tables' constraints demand, and who is who.
"""

from datetime import UTC, date, datetime, timedelta
from enum import Enum
from itertools import count
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    Date,
    Float,
    Integer,
    LargeBinary,
    String,
    Table,
    insert,
)

from bot.db import tables as schema
from bot.db.database import Transaction
from bot.db.tables import metadata
from bot.db.tables.kinds import UtcDateTime, Word

ANN, BEN = 770_000_000_000_000_001, 770_000_000_000_000_002
HERE, THERE = 880_000_000_000_000_001, 880_000_000_000_000_002


class Filler:
    """Fills rows; no value comes twice, but for booleans and words."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx
        self._numbers = count(1000)
        self.filled: set[Table] = set()

    def add(self, table: Table, **given: Any) -> dict[str, Any]:
        """A row with these values and others of its own; all of them."""
        values = {
            column.name: given.get(column.name, self._value(column.type)) for column in table.c
        }
        assert not given.keys() - values.keys()
        self._tx.execute(insert(table).values(values))
        self.filled.add(table)
        return values

    def _value(self, kind: Any) -> Any:
        n = next(self._numbers)
        if isinstance(kind, Word):
            words = list(cast("Word[Enum]", kind).kind)
            return words[n % len(words)].value
        values: dict[type[Any], Any] = {
            Boolean: True,
            UtcDateTime: datetime(2026, 2, 1, tzinfo=UTC) + timedelta(minutes=n),
            Date: date(2020, 1, 1) + timedelta(days=n),
            Float: n + 0.5,
            BigInteger: 10**15 + n,  # before integers, of which it is one
            Integer: n,
            String: f"v{n}",
            LargeBinary: f"v{n}".encode(),
        }
        return next(value for of, value in values.items() if isinstance(kind, of))


def fill(tx: Transaction) -> None:
    """Two players who have all there can be, each by themselves and both together, in servers."""
    filler = Filler(tx)
    for player, other, guild in ((ANN, BEN, HERE), (BEN, ANN, THERE)):
        _fill_focdle(filler, player, guild)
        _fill_choices(filler, player, other, guild)
        solo = _mastermind(filler, "play", player, player, guild)
        filler.add(schema.games.hints, play_id=None, mastermind_id=solo["id"], symbol="R")
        _mastermind(filler, "challenge", player, other, guild)
        duel_id = _duel(filler, player, None, guild)
    _duel(filler, ANN, BEN, HERE, duel_id)
    _race(filler, ANN, BEN, HERE, _race(filler, ANN, BEN, HERE))
    _equation(filler, ANN, BEN, HERE)
    for table in metadata.sorted_tables:
        if table not in filler.filled:
            filler.add(table)


def _fill_focdle(filler: Filler, player: int, guild: int) -> None:
    for number in (None, player % 10):
        puzzle = filler.add(schema.games.puzzles, number=number)
        play = filler.add(
            schema.games.plays, puzzle_id=puzzle["id"], player_id=player, guild_id=guild
        )
        play_id = play["id"]
        filler.add(schema.games.guesses, play_id=play_id)
        _share(filler, player, play_id=play_id)
        filler.add(schema.games.hints, play_id=play_id, mastermind_id=None, symbol="4")
        _analysis(filler, play_id=play_id)


def _fill_choices(filler: Filler, player: int, other: int, guild: int) -> None:
    filler.add(schema.people.zones, subject="player", subject_id=player)
    filler.add(schema.people.zones, subject="guild", subject_id=guild)
    card = filler.add(schema.posts.cards, guild_id=guild)
    filler.add(schema.posts.card_rows, card_id=card["id"], player_id=player, guild_id=guild)
    filler.add(schema.people.exclusions, player_id=player, guild_id=guild, by_id=other)
    filler.add(schema.people.exclusions, player_id=player, guild_id=guild, by_id=player)
    filler.add(schema.people.kept_out, user_id=player, guild_id=None)
    filler.add(schema.people.kept_out, user_id=None, guild_id=guild)
    for table in metadata.sorted_tables:
        owners = {"player_id": player, "guild_id": guild}
        given = {name: owner for name, owner in owners.items() if name in table.c}
        filled = {
            schema.people.exclusions,
            schema.people.kept_out,
        }
        is_alone = not table.foreign_keys and table not in filled
        if given and is_alone and "owner_id" not in table.c and "challenger_id" not in table.c:
            filler.add(table, **given)


def _mastermind(filler: Filler, kind: str, owner: int, breaker: int, guild: int) -> dict[str, Any]:
    game = filler.add(
        schema.games.masterminds, kind=kind, owner_id=owner, codebreaker_id=breaker, guild_id=guild
    )
    filler.add(schema.games.mastermind_turns, game_id=game["id"])
    _analysis(filler, mastermind_id=game["id"])
    _share(filler, breaker, mastermind_id=game["id"])
    return game


def _analysis(filler: Filler, **game: int) -> None:
    names = {"play_id": None, "mastermind_id": None, "duel_id": None, "race_id": None}
    filler.add(schema.games.analyses, **(names | game))


def _share(filler: Filler, player: int, **game: int) -> None:
    names: dict[str, int | None] = {"play_id": None, "mastermind_id": None, "duel_id": None}
    filler.add(schema.posts.shares, player_id=player, **(names | game))


def _equation(filler: Filler, player: int, other: int, guild: int) -> None:
    puzzle = filler.add(schema.games.puzzles, number=None)
    filler.add(
        schema.games.equations,
        puzzle_id=puzzle["id"],
        setter_id=player,
        invited_id=other,
        guild_id=guild,
    )


def _race(filler: Filler, player: int, other: int, guild: int, follows: int | None = None) -> int:
    race = filler.add(schema.games.races, opener_id=player, guild_id=guild, follows=follows)
    for seat, own in enumerate((player, other)):
        filler.add(schema.games.race_seats, race_id=race["id"], seat=seat, player_id=own)
        filler.add(schema.games.race_guesses, race_id=race["id"], seat=seat)
        _analysis(filler, race_id=race["id"], seat=seat)
    found: int = race["id"]
    return found


def _duel(
    filler: Filler, player: int, opponent: int | None, guild: int, after: int | None = None
) -> int:
    given: dict[str, Any] = {} if opponent is None else {"strength": None}
    duel = filler.add(
        schema.games.duels,
        challenger_id=player,
        guild_id=guild,
        state="over",
        rematch_of=after,
        mode="equal",
        **given,
    )
    duel_id = duel["id"]
    for seat, (own, other) in enumerate(((player, opponent), (opponent, player))):
        filler.add(schema.games.duel_seats, duel_id=duel_id, seat=seat, player_id=own)
        filler.add(schema.games.duel_moves, duel_id=duel_id, seat=seat)
        if own is not None:
            if other is None:
                _share(filler, own, duel_id=duel_id)
            _analysis(filler, duel_id=duel_id, seat=seat)
            if other is not None:
                filler.add(
                    schema.games.rating_changes, duel_id=duel_id, player_id=own, opponent_id=other
                )
    return int(duel_id)
