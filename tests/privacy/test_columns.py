"""What is exported and what is deleted, column by column, as the schema has them."""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import BigInteger, Column, Table, select

from bot.db import tables as schema
from bot.db.database import Database, Transaction
from bot.db.tables import metadata
from bot.db.tables.kinds import AT_SERVER, PLACE, Fate, IdOf, naming
from bot.privacy.servers import KEPT_FOR
from bot.privacy.store import SECTIONS
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.filled import ANN, BEN, HERE, THERE, fill
from tests.support.sql import sql

Cell = tuple[str, Any]
"""A column's name and a value as an export has it."""

# Rows that are another player's as well: there they keep what was played, without a name.
SHARED = {
    schema.games.analyses,
    schema.games.duel_moves,
    schema.games.duel_seats,
    schema.games.duels,
    schema.games.mastermind_turns,
    schema.games.masterminds,
    schema.games.puzzles,
    schema.games.race_guesses,
    schema.games.race_seats,
    schema.games.races,
    schema.games.rating_changes,
}

# Rows that a digest outlives.
OUTLIVED = {schema.people.exclusions, schema.people.kept_out}

# Rows that go by themselves within days.
PASSING = {
    schema.bookkeeping.free_games,
    schema.people.member_posts,
    schema.people.recent_deletions,
    schema.bookkeeping.leases,
    schema.bookkeeping.spent_clicks,
    schema.people.web_posts,
    schema.people.web_sessions,
    schema.people.web_tickets,
}

# Cards that are to be edited away: their numbers are gone.
ENDED = {schema.games.duel_seeks}

# A server's messages, which are to be drawn anew when somebody is in them no more.
DRAWN_ANEW = {schema.posts.cards}


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    opened = await Database.open(database_url)
    await opened.write(fill)
    yield opened
    await opened.close()


async def take_back(services: Services, of: int) -> None:
    """Forget a player's or server's champions, as when Discord has taken the role from them."""
    for wearer in await services.champions.due():
        if of in wearer:
            await services.champions.forget(wearer)


def plain(column: Any, value: Any) -> Any:
    if isinstance(column.type, BigInteger) and value is not None:
        return str(value)
    return value.isoformat() if isinstance(value, date | datetime) else value


async def snapshot(database: Database) -> dict[Any, dict[tuple[Any, ...], dict[str, Any]]]:
    """All rows of all tables, by their keys."""
    found: dict[Any, dict[tuple[Any, ...], dict[str, Any]]] = {}

    def body(tx: Transaction) -> None:
        for table in metadata.sorted_tables:
            rows = [
                {c.name: plain(c, value) for c, value in zip(table.c, row, strict=True)}
                for row in tx.execute(select(table))
            ]
            found[table] = {tuple(row[c.name] for c in table.primary_key): row for row in rows}

    await database.write(body)
    return found


def dump(folder: Path) -> str:
    """The whole database as text, as another program sees it."""
    rows = [sql(folder, f"SELECT * FROM {table}") for table in metadata.tables]
    return "\n".join(repr(row) for table in rows for row in table)


def cells(data: Any, name: str = "") -> Iterator[Cell]:
    """All names and values in a document, however deep."""
    if isinstance(data, dict):
        for inner, value in cast("dict[str, Any]", data).items():
            yield from cells(value, inner)
    elif isinstance(data, list):
        for item in cast("list[Any]", data):
            yield from cells(item, name)
    else:
        yield name, data


def without_server(table: Table, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows that stay when one of the servers goes."""
    owner = next((c.name for c in naming(IdOf.SERVER, Fate.GOES) if c.table is table), None)
    return [row for row in rows if owner is None or row[owner] != str(HERE)]


def places(table: Table) -> set[str]:
    """The columns that are emptied in rows that stay."""
    return {c.name for c in table.c if c.info in (AT_SERVER, PLACE)}


def undeclared() -> list[Column[Any]]:
    """The columns whose `info` does not say whom they name."""
    return [c for table in metadata.sorted_tables for c in table.c if not c.info.keys() & set(IdOf)]


def test_every_column_declares_whom_it_identifies(monkeypatch: pytest.MonkeyPatch) -> None:
    assert undeclared() == [], "give each a word of bot/db/tables/kinds.py"
    monkeypatch.setattr(schema.games.guesses.c.code, "info", {})
    assert undeclared() == [schema.games.guesses.c.code]


def test_every_table_with_columns_about_players_is_exported() -> None:
    exported = {section.table for section in SECTIONS}
    exported |= {part.key.table for section in SECTIONS for part in section.parts}
    personal = {c.table for c in naming(IdOf.PLAYER, Fate.GOES, Fate.TAKEN_BACK, Fate.LOSES_ID)}
    # What belongs to such a row goes with it.
    belonging = {
        table
        for table in metadata.sorted_tables
        if any(key.column.table in personal for key in table.foreign_keys)
    }
    assert personal | belonging <= exported
    assert len({section.name for section in SECTIONS}) == len(SECTIONS)


async def test_the_filled_database_has_a_value_in_every_column(database: Database) -> None:
    for table, rows in (await snapshot(database)).items():
        empty = [c.name for c in table.c if all(row[c.name] is None for row in rows.values())]
        assert empty == [], table


async def test_an_export_has_everything_that_a_deletion_removes(
    database: Database, services: Services
) -> None:
    before = await snapshot(database)
    export = await services.privacy.players.export(ANN)
    exported = set(cells(json.loads(export.content)))
    await services.privacy.players.delete(ANN, "DELETE")
    after = await snapshot(database)
    taken: list[Cell] = []
    for table, rows in before.items():
        if table in DRAWN_ANEW:
            continue
        for key, row in rows.items():
            left = after[table].get(key)
            taken += [(n, v) for n, v in row.items() if left is None or left[n] != v]
    assert len(taken) > 150
    # Another player's rows lose no more than this one's id.
    missing = [cell for cell in taken if cell not in exported and cell[1] not in {None, str(ANN)}]
    assert missing == []


async def test_no_row_names_a_player_after_their_deletion(
    database: Database, services: Services, tmp_path: Path
) -> None:
    exported = json.loads((await services.privacy.players.export(ANN)).content)
    (name,) = [row["name"] for row in exported["names"]]
    before = await snapshot(database)
    assert str(ANN) in dump(tmp_path)
    await services.privacy.players.delete(ANN, "DELETE")
    await take_back(services, ANN)
    text = dump(tmp_path)
    assert str(ANN) not in text
    assert f"'{name}'" not in text
    after = await snapshot(database)
    mine = set(cells(exported))
    for table, rows in after.items():
        for row in rows.values():
            strings = {(n, v) for n, v in row.items() if str(v).startswith("v")}
            assert not strings & mine or table in SHARED | OUTLIVED | ENDED, (table, row)
    # What was only the player's is gone as rows, not only as names.
    for column in (*naming(IdOf.PLAYER, Fate.GOES), schema.games.plays.c.player_id):
        table = column.table
        others = [r for r in before[table].values() if r[column.name] != str(ANN)]
        assert len(after[table]) == len(others) < len(before[table]), table


@pytest.mark.usefixtures("database")
async def test_a_deletion_leaves_other_players_data_unchanged(services: Services) -> None:
    before = json.loads((await services.privacy.players.export(BEN)).content)
    await services.privacy.players.delete(ANN, "DELETE")
    after = json.loads((await services.privacy.players.export(BEN)).content)

    def cells_of(document: Any) -> Counter[Cell]:
        # Boards are to be shown anew, and the coach's view of the other's guesses is gone.
        noise = {"revision", "version", "stale_at", "shown", "look_at", "tried_at"}
        return Counter(cell for cell in cells(document) if cell[0] not in noise)

    lost = cells_of(before) - cells_of(after)
    gained = cells_of(after) - cells_of(before)
    stand_ins = {value for _, value in gained}
    (stand_in,) = stand_ins
    assert int(stand_in) < 0
    analyses = [
        analysis
        for game in before["mastermind"]
        if game["codebreaker_id"] == str(ANN)
        for analysis in game["analyses"]
    ]
    expected = {c for c in cells_of(analyses) if c[1] != str(ANN)}
    named = {name for (name, value) in lost if value == str(ANN)}
    assert {cell for cell in lost if cell[1] != str(ANN)} == expected
    assert named == {name for name, _ in gained}
    assert named >= {"codebreaker_id", "owner_id", "opponent_id", "player_id"}


async def test_no_row_names_a_server_thirty_days_after_the_bot_has_left(
    database: Database, services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    everything = await snapshot(database)
    await services.privacy.servers.joined(HERE)  # it had left long before
    await services.privacy.servers.left(HERE)
    clock.advance(days=KEPT_FOR.days, seconds=-1)
    await services.privacy.servers.sweep([THERE])
    assert str(HERE) in dump(tmp_path)
    clock.advance(seconds=1)
    await services.privacy.servers.sweep([THERE])
    assert str(HERE) not in dump(tmp_path)
    after = await snapshot(database)
    for table, rows in everything.items():
        if table is schema.people.departed_guilds:  # the other server is present
            continue
        if table in PASSING:
            assert not after[table], table
            continue
        kept = without_server(table, rows.values())
        assert len(after[table]) == len(kept), table
        for row in after[table].values():
            if "guild_id" in row and row["guild_id"] in {None, "0"}:
                assert {row[name] for name in places(table)} <= {None, "0"}, table
    assert str(THERE) in dump(tmp_path)


async def test_a_server_that_deletes_its_data_keeps_only_its_zones_and_lengths(
    database: Database, services: Services, tmp_path: Path
) -> None:
    everything = await snapshot(database)
    await services.privacy.servers.delete(HERE, "Here", "here")
    await take_back(services, HERE)
    named = {
        table.name
        for table in metadata.sorted_tables
        if str(HERE) in repr(sql(tmp_path, f"SELECT * FROM {table}"))
    }
    stays = {schema.people.zones, schema.people.guild_lengths}
    assert named == {table.name for table in stays}
    after = await snapshot(database)
    for table, rows in everything.items():
        if table in {schema.bookkeeping.leases, schema.people.standing_rebuilds}:
            continue
        kept = list(rows.values()) if table in stays else without_server(table, rows.values())
        names = sorted(set(table.c.keys()) - places(table) - {"stale_at", "nudge_at"})
        found, left = (
            sorted(repr([row[name] for name in names]) for row in rows)
            for rows in (after[table].values(), kept)
        )
        assert found == left, table
