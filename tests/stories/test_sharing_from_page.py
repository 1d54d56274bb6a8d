"""*Share* on the page: the bot posts it where the page was opened, if both may write there then."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import MemberActor

from bot.duels.challenges import Challenge
from bot.duels.model import State
from bot.duels.position import DuelOptions
from bot.games.model import Channel, GameName, Source
from bot.mastermind.game import Setting
from bot.page.model import WRITING
from bot.privacy.model import Keeps
from cogs.page import PagePostsCog
from tests.stories.duels.test_challenges import called
from tests.support.duels import against_bot, wrong
from tests.support.overwrites import overwrite
from tests.support.posted import post_text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

GUESS = "12+34-5=41"


@pytest.fixture
async def table(table: Table) -> Table:
    await table.restart(web_url="https://focdle.example.org")
    return table


def here(table: Table) -> Channel:
    return Channel(table.ann.guild.id, table.channel.id)


async def solved(table: Table, who: MemberActor) -> GameName:
    """Today's, played on the page: Discord shows nothing of it."""
    await table.services.standings.members.seen(
        who.id, who.name, guild_id=who.guild.id, guild_name=who.name
    )
    play = await table.services.daily.open(who.id, who.guild.id, guess=SECRET)
    return GameName(Source.PLAY, play.id)


async def ask(table: Table, who: MemberActor, name: GameName | str, wait: bool = True) -> str:
    """Ask for a share, and let the bot look for it; return what has come of it."""
    await table.services.posting.ask(who.id, here(table), name)
    if wait:
        await table.rounds(table.cog(PagePostsCog).post)
    return await table.services.posting.find(who.id, here(table), name)


def posts(table: Table) -> list[str]:
    found = [message for message in table.channel.history() if message.components]
    return [post_text(message).replace("\u2068", "").replace("\u2069", "") for message in found]


async def test_a_daily_is_shared_on_todays_card_and_a_practice_as_a_message_each_once(
    table: Table,
) -> None:
    name = await solved(table, table.ann)
    assert await ask(table, table.ann, name) == "sent"
    assert await ask(table, table.ann, name) == "sent"
    (card,) = posts(table)
    assert card.startswith("### FoCdle #324")
    practice = await table.services.practice.open(table.ann.id, table.ann.guild.id, 7)
    play = GameName(Source.PLAY, practice.id)
    await table.services.daily.guess(table.ann.id, practice.id, practice.game.secret)
    for _ in range(2):
        assert await ask(table, table.ann, play) == "sent"
        table.clock.advance(minutes=11)
        await table.services.privacy.servers.sweep(None)
    assert len(posts(table)) == 2
    assert f"{table.ann.mention} solved a **FoCdle practice** in 1/6" in posts(table)[-1]


async def test_masterminds_and_duels_are_shared_as_share_in_discord_does(
    table: Table, tmp_path: Path
) -> None:
    services, ann = table.services, table.ann.id
    game = await services.mastermind.solo.open(ann, Setting())
    sql(tmp_path, "UPDATE masterminds SET secret = 'RGBY'")
    await services.mastermind.solo.guess(ann, game.id, "RGBY")
    assert await ask(table, table.ann, GameName(Source.MASTERMIND, game.id)) == "sent"
    duel = await against_bot(services, player=ann)
    await services.duels.playing.guess(ann, duel.duel.id, wrong(0))
    assert await ask(table, table.ann, GameName(Source.DUEL, duel.duel.id)) == "refused"
    await services.duels.playing.resign(ann, duel.duel.id)
    assert await ask(table, table.ann, GameName(Source.DUEL, duel.duel.id)) == "sent"
    mastermind, shared = posts(table)
    assert "Mastermind" in mastermind
    assert "Bulls and Cows" in shared


async def test_a_share_is_posted_at_once_where_the_page_is_served_beside_the_bot(
    table: Table,
) -> None:
    name = await solved(table, table.ann)
    await ask(table, table.ann, name, wait=False)
    await table.rounds()
    while await table.services.posting.find(table.ann.id, here(table), name) == "waits":
        await table.rounds()
    assert len(posts(table)) == 1


@pytest.mark.parametrize(
    ("who", "came"),
    [
        *(("member", "refused"), ("timed out", "refused"), ("bot", "refused")),
        *(("left", "absent"), ("removed", "refused"), ("kept out", "refused")),
        ("channel", "refused"),
    ],
)
async def test_nothing_is_posted_or_permitted_where_the_player_or_the_bot_may_no_longer_write(
    table: Table, who: str, came: str
) -> None:
    name, backend, guild = await solved(table, table.ann), table.env.backend, table.ann.guild
    if who == "member":
        overwrite(table, table.channel, table.ann, send_messages=False)
    elif who == "timed out":
        until = (discord.utils.utcnow() + timedelta(days=1)).isoformat()
        backend.edit_member(guild.id, table.ann.id, {"timed_out_until": until})
    elif who == "bot":
        overwrite(table, table.channel, guild.me, send_messages=False)
    elif who == "left":
        backend.remove_member(guild.id, table.ann.id)
    elif who == "removed":
        backend.emit("GUILD_DELETE", {"id": str(guild.id)})
    elif who == "channel":
        backend.delete_channel(table.channel.id)
    else:
        await table.services.privacy.keeping_out.keep_out("user", table.ann.id)
        await table.services.moderation.refresh()
    for asked in (name, WRITING):
        assert await ask(table, table.ann, asked) == came
    assert who == "channel" or posts(table) == []


async def test_whoever_may_write_there_is_told_so_without_a_post(table: Table) -> None:
    assert await ask(table, table.ann, WRITING) == "sent"
    assert posts(table) == []


async def test_those_off_boards_share_a_message_of_their_own_and_whoever_has_deleted_nothing(
    table: Table,
) -> None:
    services, guild = table.services, table.ann.guild.id
    name = await solved(table, table.ann)
    await services.settings.take_off(table.ben.id, guild, table.ann.id)
    assert await ask(table, table.ann, name) == "sent"
    (message,) = posts(table)
    assert f"{table.ann.mention} solved" in message
    await solved(table, table.ben)
    await services.privacy.players.delete(table.ben.id, "DELETE")
    assert await ask(table, table.ben, await solved(table, table.ben)) == "refused"
    assert posts(table) == [message]


async def test_a_share_that_no_process_has_posted_within_ten_minutes_is_late(table: Table) -> None:
    table.bot.hearing.heard.clear()
    name = await solved(table, table.ann)
    await ask(table, table.ann, name, wait=False)
    table.clock.advance(minutes=10)
    assert await table.services.posting.due() == []
    assert await table.services.posting.find(table.ann.id, here(table), name) == "late"


async def rematched(table: Table, who: MemberActor) -> GameName:
    """Ask for a rematch on the page."""
    duels, guild = table.services.duels, who.guild.id
    challenge = Challenge(who.id, table.ben.id, guild, table.channel.id)
    duel = (await duels.inviting.challenge(challenge, DuelOptions(), "0123")).duel
    await duels.inviting.accept(table.ben.id, duel.id, duel.terms, "4567")
    await duels.playing.call_off(table.ben.id, duel.id)
    asked = await duels.inviting.rematch(who.id, duel.id, "0123", on_page=True)
    return GameName(Source.DUEL, asked.duel.id)


async def test_a_rematch_that_the_page_asks_for_is_posted_and_calls_the_opponent(
    table: Table,
) -> None:
    name, before = await rematched(table, table.ann), len(table.env.http_requests)
    await table.rounds(table.cog(PagePostsCog).post)
    assert await ask(table, table.ann, name) == "sent"
    (message,) = [each for each in table.channel.history() if each.components]
    assert f"{table.ann.mention} challenges {table.ben.mention}" in post_text(message)
    assert called(table, before) == [{"parse": [], "users": [table.ben.id]}]
    form = await table.ben.click(message, label="Accept")
    await table.ben.submit_modal(form, {"number": "4567"})
    view = await table.services.duels.games.of(table.ben.id, name.id)
    assert (view.duel.state, view.duel.message_id) == (State.PLAYING, message.id)


async def test_a_rematch_is_posted_neither_again_nor_where_its_player_may_not_write(
    table: Table,
) -> None:
    name, inviting = await rematched(table, table.ann), table.services.duels.inviting
    overwrite(table, table.channel, table.ann, send_messages=False)
    assert await ask(table, table.ann, name) == "refused"
    overwrite(table, table.channel, table.ann, send_messages=True)
    assert await inviting.claim_posting(name.id)  # for a click
    assert await ask(table, table.ann, name) == "sent"
    await inviting.withdraw(table.ann.id, name.id)
    table.clock.advance(minutes=10)
    assert await ask(table, table.ann, name) == "sent"
    assert posts(table) == []


@pytest.mark.parametrize("make", [solved, rematched])
async def test_what_a_killed_process_has_posted_is_sent_again_with_the_same_nonce(
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Table, MemberActor], Awaitable[GameName]],
) -> None:
    await table.services.posts.choices.set_todays_card(table.ann.guild.id, on=False)
    name, nonces = await make(table, table.ann), list[Any]()
    send = discord.PartialMessageable.send

    async def killed(self: Any, *args: Any, **options: Any) -> Any:
        nonces.append(options["nonce"])
        message = await send(self, *args, **options)
        if len(nonces) == 1:
            raise ConnectionResetError
        return message

    monkeypatch.setattr(discord.PartialMessageable, "send", killed)
    assert await ask(table, table.ann, name) == "waits"
    table.clock.advance(seconds=59)
    assert await ask(table, table.ann, name) == "waits"
    table.clock.advance(seconds=1)
    assert await ask(table, table.ann, name) == "sent"
    assert (len(nonces), len(set(nonces))) == (2, 1)


async def test_the_last_guess_on_the_page_asks_for_the_share_that_its_player_wants_always(
    table: Table,
) -> None:
    services, player = table.services, table.ann.id
    name = await solved(table, table.ben)
    await services.daily.open(player, table.ann.guild.id)
    await services.entries.share_always(player, table.ann.guild.id, table.channel.id)
    play = await services.daily.open(player, table.ann.guild.id)
    await services.daily.guess(player, play.id, GUESS, at=0, posts=True)
    await table.rounds(table.cog(PagePostsCog).post)
    assert posts(table) == []
    await services.daily.guess(player, play.id, SECRET, at=1, posts=True)
    await table.rounds(table.cog(PagePostsCog).post)
    assert len(posts(table)) == 1
    assert name.id != play.id


async def test_a_deletion_of_ones_data_takes_back_what_one_has_asked_for(table: Table) -> None:
    table.bot.hearing.heard.clear()
    name = await solved(table, table.ann)
    await ask(table, table.ann, name, wait=False)
    await table.services.privacy.players.delete(table.ann.id, "DELETE", Keeps.MARK)
    assert await table.services.posting.due() == []
