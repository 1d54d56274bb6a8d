"""A bot with two shards: the server is on the second, direct messages are on the first."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from discord.ext import commands

from bot.duels.model import TURN
from cogs.hosting import HeartbeatCog
from tests.support.duel_stories import beat, playing, to_move, typed
from tests.support.screen import text
from tests.support.sql import sql
from tests.support.table import Table

MESSAGES, SERVER = 0, 1


def bot_of(table: Table) -> commands.AutoShardedBot:
    assert isinstance(table.bot, commands.AutoShardedBot)
    return table.bot


@asynccontextmanager
async def told(table: Table) -> AsyncGenerator[None]:
    """Let the bot take in what it is told of meanwhile: SimCord waits for what it tells itself."""
    before = asyncio.all_tasks()
    yield
    await asyncio.wait(asyncio.all_tasks() - before)
    await table.env.settle()


async def lose(table: Table, shard: int) -> None:
    """Break a shard's line, as the library tells of it."""
    async with told(table):
        bot_of(table).dispatch("disconnect")
        bot_of(table).dispatch("shard_disconnect", shard)


async def resume(table: Table, shard: int) -> None:
    """Let a shard go on where it was, as the library tells of it."""
    async with told(table):
        bot_of(table).dispatch("resumed")
        bot_of(table).dispatch("shard_resumed", shard)


async def pulse(table: Table, **duration: float) -> None:
    """Let time pass, and the heartbeat beat."""
    table.clock.advance(**duration)
    cog = bot_of(table).get_cog("HeartbeatCog")
    assert isinstance(cog, HeartbeatCog)
    await cog.beat()
    await table.env.settle()


def noted(folder: Path) -> list[tuple[Any, ...]]:
    query = "SELECT shard, shard_count, began_at, ended_at FROM outages ORDER BY ended_at"
    return sql(folder, query)


async def test_a_lost_connection_is_recorded_with_its_beginning_and_end(
    table: Table, tmp_path: Path
) -> None:
    began = table.clock.now() + timedelta(seconds=30)
    await pulse(table, seconds=30)
    await lose(table, SERVER)
    table.clock.advance(seconds=5)
    await lose(table, SERVER)
    table.clock.advance(seconds=5)
    await resume(table, SERVER)
    await pulse(table, seconds=80)
    await lose(table, SERVER)  # and heard again in no time at all
    await resume(table, SERVER)
    stamps = [f"{at:%Y-%m-%d %H:%M:%S.%f}" for at in (began, began + timedelta(seconds=10))]
    assert noted(tmp_path) == [(SERVER, 2, *stamps)]


def leave_two_minutes(table: Table, folder: Path) -> None:
    """Let the turn have begun so long ago that two minutes of it are left."""
    due = table.clock.now() + timedelta(minutes=2)
    began, ends = (f"'{at:%Y-%m-%d %H:%M:%S.%f}'" for at in (due - TURN, due))
    sql(folder, f"UPDATE duels SET playing_at = {began}, deadline_at = {ends}")
    sql(folder, f"UPDATE duel_moves SET moved_at = {began}")


async def test_a_lost_connection_of_one_shard_does_not_stop_the_others(
    table: Table, tmp_path: Path
) -> None:
    board = await playing(table)
    _, other = to_move(table, board)
    leave_two_minutes(table, tmp_path)
    await pulse(table)
    await lose(table, MESSAGES)
    await pulse(table, seconds=80)
    await pulse(table, seconds=40)
    await beat(table)
    assert f"🏆 **{other.mention} wins**" in text(board)
    await resume(table, MESSAGES)
    assert [row[:2] for row in noted(tmp_path)] == [(MESSAGES, 2)]


async def test_a_shard_with_a_new_session_counts_as_connected_again(
    table: Table, tmp_path: Path
) -> None:
    board = await playing(table)
    who, _ = to_move(table, board)
    leave_two_minutes(table, tmp_path)
    await pulse(table)
    shard = bot_of(table).get_shard(SERVER)
    assert shard is not None
    async with told(table):
        await shard.disconnect()
    await pulse(table, seconds=80)
    await pulse(table, seconds=80)
    await beat(table)
    assert "wins" not in text(board)
    async with told(table):
        await shard.reconnect()  # the library says that it is connected, but not that all are
    assert [row[:2] for row in noted(tmp_path)] == [(SERVER, 2)]
    await pulse(table, seconds=60)
    await typed(who, board, "9876")
    leave_two_minutes(table, tmp_path)
    for _ in range(5):  # what was lost is given back
        await pulse(table, seconds=80)
    await beat(table)
    assert f"🏆 **{who.mention} wins**" in text(board)
