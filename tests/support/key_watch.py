"""Proves that no row is written but by a transaction that is about it.

Triggers note each row that is written, and a map says which key covers it. SQLite lets one
transaction write at a time, so here nothing goes wrong without the key; where many processes share
a database, two could write the row at once.
"""

import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import pytest
from sqlalchemy import event
from sqlalchemy.pool import ConnectionPoolEntry, Pool

from bot.db.keys import Key
from bot.db.sqlite import Sqlite
from bot.db.tables import metadata
from bot.db.transaction import Transaction

_WATCHED: Final = "watched"
_OF_PLAYER: Final = "'player:' || {row}.player_id"
_OF_PLAY: Final = "'player:' || (SELECT player_id FROM plays WHERE id = {row}.play_id)"
_OF_DUEL: Final = "'duel:' || {row}.duel_id"
_OF_RACE: Final = "'race:' || {row}.race_id"
_OF_SERVER: Final = "'server:' || {row}.guild_id"
# Whoever breaks a code that another player has set shares the game with them.
_GAME: Final = (
    "CASE {row}.kind WHEN 'challenge' THEN 'mastermind:' || {row}.id"
    " ELSE 'player:' || {row}.owner_id END"
)
_OF_GAME: Final = "(SELECT " + _GAME.format(row="m") + " FROM masterminds AS m WHERE m.id = {row}."
_NOBODY_ELSES_KEY: Final = "nobody else's"
_NOBODY_ELSES: Final = "'nobody else''s'"

COVERED: Final[Mapping[str, str]] = {
    "always_shares": _OF_PLAYER,
    "champions": _OF_SERVER,
    "analyses": _NOBODY_ELSES,
    "duel_moves": _OF_DUEL,
    "equations": "'server:' || {row}.guild_id",
    "duel_seats": _OF_DUEL,
    "duel_seeks": "'seek:' || {row}.id",
    "duels": "'duel:' || {row}.id",
    "exclusions": _OF_SERVER,
    "finishers": _OF_SERVER,
    "finishers_threads": _OF_SERVER,
    "free_games": _OF_PLAYER,
    "guesses": _OF_PLAY,
    "hints": f"coalesce({_OF_PLAY}, {_OF_GAME}mastermind_id))",
    "leases": "'lease:' || {row}.name",
    "mastermind_turns": _OF_GAME + "game_id)",
    "masterminds": _GAME,
    "member_posts": _OF_PLAYER,
    "members": _OF_PLAYER,
    "players": _OF_PLAYER,
    "outages": "'pulses'",
    "plays": _OF_PLAYER,
    "login_slots": "'login:' || {row}.bucket",
    "pulses": "'pulses'",
    "race_guesses": _OF_RACE,
    "race_seats": _OF_RACE,
    "races": "'race:' || {row}.id",
    "post_plans": _OF_SERVER,
    "posts": _OF_SERVER,
    # A practice has no number, and one play, which is begun with it.
    # A set equation is its server's.
    "puzzles": "coalesce('puzzle:' || {row}.number || '/' || {row}.length,"
    " 'server:' || (SELECT guild_id FROM equations WHERE puzzle_id = {row}.id), 'nobody else''s')",
    "rating_changes": "'player:' || {row}.opponent_id",
    "ratings": _OF_PLAYER,
    "reminder_plans": _OF_PLAYER,
    "reminders": _OF_PLAYER,
    "cards": _OF_SERVER,
    "card_rows": _OF_SERVER,
    "spent_clicks": "'message:' || {row}.message_id",
    "standing_rebuilds": "'rebuilds'",
    "standings": _OF_PLAYER,
    "streak_changes": _OF_PLAYER,
    "streaks": _OF_PLAYER,
    "web_posts": _OF_PLAYER,
    "web_sessions": _OF_PLAYER,
    "web_tickets": _OF_PLAYER,
}
"""The key of a row, by table; nothing for what no other transaction can write. Other tables are
written by transactions that are about everything."""

_GAMES: Final = ("duel_seeks", "duels", "masterminds", "races")


class Watch:
    """What was written since a transaction began, and what was wrong so far.

    Attributes:
        wrong: what was written, or taken, as it must not be.
    """

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self._written: list[tuple[str, str, str]] = []

    def note(self, how: str, table: str, key: str) -> None:
        """Note a row that is written, and its key."""
        self._written.append((how, table, key))

    def check(self, keys: set[Key] | None) -> None:
        """Look at what a transaction has written, which was about these; None for everything."""
        written, self._written = self._written, []
        if keys is None:
            return
        known = {_NOBODY_ELSES_KEY, *(key.name for key in keys)}
        # Nobody else knows a game that was only just begun.
        known |= {key for how, table, key in written if how == "INSERT" and table in _GAMES}
        self.wrong += [
            f"{how} {table}: {key} is not among {sorted(known)}"
            for how, table, key in written
            if key not in known
        ]


@cache
def _triggers() -> str:
    """What notes each row that is written; of rows that change, as they were and as they are."""
    statements: list[str] = []
    for table in metadata.tables:
        key = COVERED.get(table, "'everything'")
        for how, rows in (("INSERT", ["NEW"]), ("UPDATE", ["OLD", "NEW"]), ("DELETE", ["OLD"])):
            when = "AFTER" if how == "INSERT" else "BEFORE"  # a new row's id is not known before
            noted = " ".join(
                f"SELECT noted('{how}', '{table}', {key.format(row=row)});" for row in rows
            )
            statements.append(
                f"CREATE TEMP TRIGGER watch_{table}_{how} {when} {how} ON main.{table}"
                f" BEGIN {noted} END;"
            )
    return "".join(statements)


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Generator[Watch]:
    """Watch all databases that are opened meanwhile, whose tables must be there."""
    watch = Watch()

    def watch_rows(connection: Any, record: ConnectionPoolEntry, _pooled: object) -> None:
        if isinstance(connection, sqlite3.Connection) and not record.info.get(_WATCHED):
            connection.create_function("noted", 3, watch.note)
            connection.executescript(_triggers())
            record.info[_WATCHED] = True

    writing, about = Sqlite.writing, Transaction.about

    @contextmanager
    def writing_checked(self: Sqlite, keys: Iterable[Key], until: float) -> Generator[Transaction]:
        with writing(self, keys, until) as tx:
            try:
                yield tx
            finally:
                watch.check(tx.keys)

    def about_in_order(self: Transaction, *keys: Key) -> None:
        more = set(keys) - (self.keys or set())
        if self.keys and more and min(more) < max(self.keys):
            watch.wrong.append(f"{min(more)} is taken after {max(self.keys)}")
        about(self, *keys)

    monkeypatch.setattr(Sqlite, "writing", writing_checked)
    monkeypatch.setattr(Transaction, "about", about_in_order)
    event.listen(Pool, "checkout", watch_rows)
    yield watch
    event.remove(Pool, "checkout", watch_rows)
