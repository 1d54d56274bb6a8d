"""A server's data are deleted from `/settings`: by whom, how that is asked, and what goes on."""

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import InteractionResult, MemberActor, ResponseMessage

from bot.playground.world import SERVER
from bot.privacy.words import (
    FORM_DESCRIPTION,
    LONGEST_NAME,
    SERVER_FORM_LABEL,
    SERVER_FORM_TITLE,
    server_question,
)
from bot.text.language import say
from tests.support.duel_stories import WRONG, number_of, playing, press, to_move, typed
from tests.support.screen import buttons, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

DELETE = "Delete this server's data"
GONE = "**I've deleted everything about this server.**"
REFUSED = "Only the server's owner and **Administrators** can delete its data."


def let_administrate(table: Table, who: MemberActor) -> None:
    role = who.guild.create_role("Admin", permissions=discord.Permissions(administrator=True))
    table.env.backend.add_member_role(who.guild.id, who.id, role.id)


async def settings(table: Table, who: MemberActor, **options: Any) -> ResponseMessage:
    """Type the command; what it answers."""
    return seen(await who.slash(table.channel, "settings", **options))


async def asked(table: Table, who: MemberActor) -> ResponseMessage:
    """The page that says what a deletion means."""
    return await press(who, await settings(table, who), DELETE)


async def form(who: MemberActor, page: ResponseMessage) -> InteractionResult:
    return await who.click(page, label="Delete …")


async def name_it(who: MemberActor, shown: InteractionResult, name: str) -> ResponseMessage:
    """Type a name into the form; what is seen then."""
    return seen(await who.submit_modal(shown, {"name": name}))


async def delete(table: Table, who: MemberActor) -> ResponseMessage:
    return await name_it(who, await form(who, await asked(table, who)), SERVER)


async def test_the_owner_of_a_server_deletes_its_data_after_an_explanation_and_a_question(
    table: Table, tmp_path: Path
) -> None:
    guild = table.ann.guild
    table.env.backend.guilds[guild.id].owner_id = table.ann.id
    await table.restart()
    await table.focdle(table.ben, guess=SECRET)
    shown = await settings(table, table.ann, channel=table.channel, length=12)
    assert buttons(shown)[-1] == DELETE
    page = await press(table.ann, shown, DELETE)
    assert page.id == shown.id
    assert page.ephemeral
    opened = await form(table.ann, page)
    await table.restart()
    refused = await name_it(table.ann, opened, "`Dice` @everyone")
    assert "Nothing was deleted: you typed `ˋDiceˋ @everyone`." in text(refused)
    assert f"Type the server's name: `{SERVER}`." in text(refused)
    assert sql(tmp_path, "SELECT count(*) FROM guilds") == [(1,)]
    done = await name_it(table.ann, await form(table.ann, refused), f" {SERVER.upper()}")
    assert text(done).startswith(GONE)
    for name in ("guilds", "members", "standings", "post_plans"):
        assert sql(tmp_path, f"SELECT count(*) FROM {name}") == [(0,)], name
    assert sql(tmp_path, "SELECT count(*) FROM plays") == [(1,)]


async def test_a_member_who_only_manages_the_server_is_refused_at_every_step_of_its_deletion(
    table: Table, tmp_path: Path
) -> None:
    role = table.let_manage(table.ann)
    shown = await settings(table, table.ann, channel=table.channel)
    assert DELETE not in buttons(shown)
    let_administrate(table, table.ann)
    page = await asked(table, table.ann)
    opened = await form(table.ann, page)
    admin = table.ann.guild.roles["Admin"]
    table.env.backend.remove_member_role(table.ann.guild.id, table.ann.id, admin.id)
    assert text(await name_it(table.ann, opened, SERVER)) == REFUSED
    assert text(seen(await form(table.ann, page))) == REFUSED
    table.env.backend.remove_member_role(table.ann.guild.id, table.ann.id, role.id)
    assert "Manage Server" in text(seen(await form(table.ann, page)))
    assert sql(tmp_path, "SELECT count(*) FROM guilds") == [(1,)]


async def test_a_duel_and_its_old_buttons_work_after_a_servers_deletion(table: Table) -> None:
    let_administrate(table, table.ann)
    await table.focdle(table.ann, guess=SECRET)
    await settings(table, table.ann, channel=table.channel)
    await table.services.posts.choices.set_takes_results(table.ann.guild.id, on=True)
    await table.ann.click(await table.focdle(table.ann), label="Share")
    (shared,) = [m for m in table.channel.history() if m.author.bot]
    board = await playing(table)
    await delete(table, table.ann)
    opened = seen(await table.ben.click(shared, label="Play #324"))
    assert "FoCdle #324" in text(opened)
    first, second = to_move(table, board)
    await typed(first, board, number_of(table, second))
    ended = await typed(second, board, WRONG[0])
    assert ended.id == board.id
    assert f"🏆 **{first.mention} wins**" in text(ended)
    again = await typed(first, ended, number_of(table, first), "Rematch")
    assert "wants a rematch" in text(again)


@pytest.mark.parametrize("name", ["x" * LONGEST_NAME, "`" * LONGEST_NAME, "é" * LONGEST_NAME])
def test_the_question_before_a_deletion_fits_the_longest_server_name(name: str) -> None:
    assert sum(map(len, server_question(name))) < 3000
    assert len(say(SERVER_FORM_TITLE)) <= 45
    assert len(say(SERVER_FORM_LABEL)) <= 45
    assert len(say(FORM_DESCRIPTION)) <= 100
