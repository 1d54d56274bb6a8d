"""Whatever the bot brings to Discord by the clock, and whatever Discord answers."""

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path

import discord
import pytest

from bot.clock import PuzzleName
from bot.duels.challenges import Challenge
from bot.games.model import Channel
from bot.leaderboards.boards import Period
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.moderation.game import SERVER
from cogs.champions import ChampionsCog
from cogs.mastermind.guess import MastermindClockCog
from cogs.posts.delivery import JOIN, PostsCog
from cogs.ui import deliveries
from cogs.ui.pages import button
from engine import Mastermind
from tests.support.duels import EQUAL
from tests.support.effort import either
from tests.support.loose import post
from tests.support.screen import text
from tests.support.sql import sql
from tests.support.table import Table
from tests.support.walk import loops_of

DELIVERIES = {
    "board of duel",
    "board of mastermind",
    "call to duel",
    "champion's role",
    "closing of thread",
    "daily post",
    "finishers' thread",
    "leaving of server",
    "look-up of member",
    "post of equation",
    "post of race",
    "reminder",
    "results of",
}
"""What each one's line in the log begins with."""

GIVEN_UP = {"board of duel", "board of mastermind", "finishers' thread", "reminder"}
"""What is not tried again within a minute once Discord has refused it."""


SOON = "You'll be added to the finishers' thread soon."


def at(table: Table, folder: Path, moment: str) -> None:
    """Let it be that moment, and the bot have been there all the time."""
    table.clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    sql(folder, "DELETE FROM pulses")


async def solve(table: Table, player_id: int) -> None:
    play = await table.services.daily.open(player_id, table.ann.guild.id)
    await table.services.daily.guess(player_id, play.id, play.game.secret)


async def everything_is_due(table: Table, folder: Path) -> None:
    """On a Wednesday at half past ten in the evening there is something of each kind to deliver."""
    services, guild, here = table.services, table.ann.guild, table.channel.id
    ann, ben, place = table.ann.id, table.ben.id, Channel(guild.id, here)
    unwelcome = table.env.create_guild("Unwelcome", shard_id=1)
    assert guild.me is not None
    may_all = discord.Permissions(administrator=True)
    role = guild.create_role("Champion")
    keeper = guild.create_role("Keeper", permissions=may_all)
    table.env.backend.add_member_role(guild.id, guild.me.id, keeper.id)
    at(table, folder, "2026-11-22T12:00")
    for who in (table.ann, table.ben):
        name, server = who.name, guild.id
        await services.standings.members.seen(who.id, name, guild_id=server, guild_name=name)
    await services.settings.change(guild.id, channel_id=here)
    await services.posts.choices.set_finishers_threads(guild.id, on=True)
    await services.champions.choose(guild.id, role.id, Period.WEEK)
    await services.reminders.ask(ben)
    await solve(table, ann)
    posting, champions = table.cog(PostsCog), table.cog(ChampionsCog)
    for moment in ("2026-11-22T12:01", "2026-11-23T09:05", "2026-11-24T12:00"):
        at(table, folder, moment)
        await table.rounds(posting.post, posting.thread, champions.crown)
    await services.champions.choose(guild.id, None, Period.WEEK)
    await solve(table, ben)
    at(table, folder, "2026-11-25T22:30")
    await services.privacy.keeping_out.keep_out(SERVER, unwelcome.id)
    await solve(table, ann)
    assert await services.entries.enter(ann, PuzzleName(329, 10), guild.id, here) is not None
    duels, challenges = services.duels, services.mastermind.challenges
    duel = await duels.inviting.challenge(Challenge(ann, ben, guild.id, here), EQUAL, "0123")
    await duels.playing.published(duel.duel.id, 1, here)
    await duels.inviting.accept(ben, duel.duel.id, 0, "4567")
    invited = await challenges.invite(Invitation(ann, ben, guild.id, here), Setting(), "RGBY")
    await challenges.published(invited.game, 2)
    await challenges.accept(ben, invited.game.id, Setting())
    equation = await services.equations.set(ann, place, "12+34-5=41")
    await services.equations.posted(equation, 3)
    await services.equations.close(ann, equation.equation.puzzle_id, place, is_manager=False)
    race = await services.races.open(ann, place, Mastermind())
    await services.races.posted(race, 4)
    await services.races.join(ben, race.race.id, place)
    table.clock.advance(seconds=40)


async def be_silent(*_: object, **__: object) -> None:
    """Answer no request."""
    await asyncio.Event().wait()


def answer(table: Table, status: int, code: int, patch: pytest.MonkeyPatch) -> None:
    """Let Discord answer every request so but clicks; with no status, let it answer none."""
    if status:
        for path in ("channels", "guilds", "users"):
            table.env.inject_error("*", f"/{path}/*", status=status, code=code, times=None)
    else:
        patch.setattr(deliveries, "TRY_SECONDS", 0.1)
        patch.setattr(table.bot.http, "request", be_silent)


async def test_no_round_waits_for_what_it_delivers(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(table, tmp_path, "2026-11-24T12:00")
    guild, here = table.ann.guild.id, table.channel.id
    challenges = table.services.mastermind.challenges
    await table.services.settings.change(guild, channel_id=here)
    invitation = Invitation(table.ann.id, table.ben.id, guild, here)
    invited = await challenges.invite(invitation, Setting(), "RGBY")
    await challenges.published(invited.game, 2)
    await challenges.withdraw(table.ann.id, invited.game.id)
    at(table, tmp_path, "2026-11-25T09:05")
    monkeypatch.setattr(table.bot.http, "request", be_silent)
    await table.cog(PostsCog).post()
    await table.cog(MastermindClockCog).publish()
    begun = [task for task in asyncio.all_tasks() if task.get_name().startswith("delivery: ")]
    assert len(begun) == 2
    assert not any(task.done() for task in begun)


def told(caplog: pytest.LogCaptureFixture) -> set[str]:
    """Which deliveries the log tells of since the last look."""
    lines = [record.message for record in caplog.records]
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]
    caplog.clear()
    return {each for each in DELIVERIES if any(line.startswith(each) for line in lines)}


NOBODY_ANSWERS = 0, 0
FORBIDDEN = (403, 50001), (403, 50013)
BUSY = (429, 30046), (400, 160006), (429, 0), (500, 0), NOBODY_ANSWERS


@pytest.mark.long
@pytest.mark.parametrize(("status", "code"), (FORBIDDEN + BUSY)[:: either(6, 1)])
async def test_each_refusal_of_discords_is_a_line_in_the_log_and_keeps_nothing_else_waiting(
    table: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    status: int,
    code: int,
) -> None:
    await everything_is_due(table, tmp_path)
    message = await post(table.world, button(JOIN(number=329), "Join"))
    caplog.clear()
    caplog.set_level("INFO", "cogs")
    answer(table, status, code, monkeypatch)
    await table.rounds(*loops_of(table.bot))
    nested = {"look-up of member"} if (status, code) == NOBODY_ANSWERS else set[str]()
    assert told(caplog) == DELIVERIES - nested
    table.clock.advance(seconds=61)
    await table.rounds(*loops_of(table.bot))
    is_busy = (status, code) in BUSY
    assert GIVEN_UP & told(caplog) == (GIVEN_UP if is_busy else set())
    pressed = await table.ann.click(message, label="Join")
    assert text(pressed.followups[-1]) == (SOON if is_busy else "The thread for #329 is closed.")
