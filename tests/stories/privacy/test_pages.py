"""`/privacy`: what is said, the file, the way to a deletion and what is left after it."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from simcord import MemberActor, ResponseMessage

from bot.privacy.model import CONFIRMATION
from bot.privacy.words import FORM_DESCRIPTION, FORM_LABEL, FORM_TITLE, question
from bot.text.language import say
from cogs.mastermind.guess import MastermindClockCog
from cogs.privacy import PrivacyCog, question_page
from tests.support.clock import NOON
from tests.support.duel_stories import beat, playing, to_move
from tests.support.ids import ids_on
from tests.support.messages import words
from tests.support.plays import assert_fits
from tests.support.screen import buttons, parts, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

GONE = "**I've deleted your games, streak and rating.**"


async def page(table: Table, who: MemberActor) -> ResponseMessage:
    """Type the command; what it answers."""
    return seen(await who.slash(table.channel, "privacy"))


async def delete(table: Table, who: MemberActor, word: str = "DELETE") -> ResponseMessage:
    """All the way from the command; what is seen at its end."""
    asked = seen(await who.click(await page(table, who), label="Delete everything"))
    return await confirm(who, asked, word)


async def confirm(who: MemberActor, asked: ResponseMessage, word: str) -> ResponseMessage:
    form = await who.click(asked, label="Delete …")
    return seen(await who.submit_modal(form, {"confirmation": word}))


async def file_of(message: ResponseMessage) -> Any:
    """What the attached file says."""
    (attachment,) = message.attachments
    return json.loads(await attachment.read())


async def test_an_export_is_sent_in_private(table: Table) -> None:
    await table.focdle(table.ann, guess="12+34-5=41")
    await table.focdle(table.ben, guess="13+34-5=42")
    shown = await page(table, table.ann)
    await table.restart()
    message = seen(await table.ann.click(shown, label="Export my data"))
    assert message.ephemeral
    assert message.id != shown.id
    assert [part["name"] for part in parts(message) if part["type"] == 13] == ["my-data.json"]
    data = await file_of(message)
    assert data["player_id"] == str(table.ann.id)
    assert [row["guesses"][0]["code"] for row in data["focdle"]] == ["12+34-5=41"]
    assert [row["name"] for row in data["names"]] == ["Ann"]
    assert str(table.ben.id) not in json.dumps(data)
    assert SECRET not in json.dumps(data)
    again = seen(await table.ann.click(shown, label="Export my data"))
    later = int(NOON.timestamp()) + 600
    assert text(again) == (f"You've only just got your data. You can ask again <t:{later}:R>.")


async def test_a_deletion_is_explained_and_confirmed_and_complete(
    table: Table, tmp_path: Path
) -> None:
    await table.focdle(table.ann, guess=SECRET)
    asked = seen(await table.ann.click(await page(table, table.ann), label="Delete everything"))
    refused = await confirm(table.ann, asked, "yes")
    assert "Nothing was deleted: you typed `yes`. Type `DELETE`." in text(refused)
    assert sql(tmp_path, "SELECT count(*) FROM plays") == [(1,)]
    await table.restart()
    done = await confirm(table.ann, refused, "delete ")
    assert done.ephemeral
    assert text(done).startswith(GONE)
    for name in ("plays", "players", "members", "streaks", "standings"):
        assert sql(tmp_path, f"SELECT count(*) FROM {name}") == [(0,)], name


async def test_opening_the_deletion_page_stores_nothing(table: Table, tmp_path: Path) -> None:
    await page(table, table.ann)
    assert sql(tmp_path, "SELECT * FROM players") == []
    assert sql(tmp_path, "SELECT * FROM members") == []


async def test_a_deletion_ends_a_running_duel_and_its_board_names_nobody(table: Table) -> None:
    board = await playing(table)
    stayer, leaver = to_move(table, board)
    asked = seen(await leaver.click(await page(table, leaver), label="Delete everything"))
    said = text(asked)
    assert "and resign your duels" in said
    assert "New games won't count for 7 days" in said
    assert "Messages in channels stay, as do others' blocks on you." in said
    assert words(" ".join([said, *buttons(asked)])) <= 60
    done = await confirm(leaver, asked, "DELETE")
    assert "Games with others will soon say “deleted player”." in text(done)
    assert "New games count again in 7 days." in text(done)
    await beat(table, seconds=60)
    there = str(table.env.backend.get_message(table.channel.id, board.id).components)
    assert f"<@{leaver.id}>" not in there
    assert f"<@{stayer.id}>" in there
    assert "deleted player" in there
    refused = text(seen(await stayer.click(board, label="Rematch")))
    assert refused.startswith("Your opponent has deleted their data")


async def test_the_board_of_a_deleted_players_challenge_names_nobody(table: Table) -> None:
    invited = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    board = seen(await table.ann.submit_modal(invited, {"code": "RGBY"}))
    await table.ben.click(board, label="Accept")
    await delete(table, table.ann)
    table.clock.advance(minutes=1)
    cog = table.cog(MastermindClockCog)
    await table.rounds(cog.publish)
    there = str(table.env.backend.get_message(table.channel.id, board.id).components)
    assert f"<@{table.ann.id}>" not in there
    assert "deleted player" in there


async def test_a_server_that_the_bot_left_is_forgotten_after_thirty_days(
    table: Table, tmp_path: Path
) -> None:
    await table.focdle(table.ann)
    guild_id = table.ann.guild.id
    table.env.backend.emit("GUILD_DELETE", {"id": str(guild_id)})
    await table.env.settle()
    assert sql(tmp_path, "SELECT guild_id FROM departed_guilds") == [(guild_id,)]
    cog = table.cog(PrivacyCog)
    for days, left in ((29, guild_id), (1, None)):
        table.clock.advance(days=days)
        await cog.sweep()
        assert sql(tmp_path, "SELECT guild_id FROM plays") == [(left,)]
    assert sql(tmp_path, "SELECT * FROM members") == []


def departed(tmp_path: Path) -> list[Any]:
    return sql(tmp_path, "SELECT guild_id FROM departed_guilds")


def privacy(table: Table) -> PrivacyCog:
    return table.cog(PrivacyCog)


async def test_a_bot_whose_application_id_is_not_the_databases_deletes_no_servers_data(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody starts a bot for tests, which is in other servers, on the real one's database."""
    await table.focdle(table.ann)
    await table.services.posts.choices.set_hour(55, 9)  # the real bot's server
    sql(tmp_path, "UPDATE facts SET value = '77' WHERE name = 'application'")
    guild_id = table.ann.guild.id
    for _ in range(2):
        await privacy(table).on_ready()
    assert departed(tmp_path) == []
    table.env.backend.emit("GUILD_DELETE", {"id": str(guild_id)})
    await table.env.settle()
    assert departed(tmp_path) == []
    await table.services.privacy.servers.left(guild_id)  # as the real bot has noted
    table.clock.advance(days=31)
    await privacy(table).sweep()
    assert sql(tmp_path, "SELECT guild_id FROM plays") == [(guild_id,)]
    (warning,) = [record for record in caplog.records if record.name == "cogs.privacy"]
    assert warning.levelname == "WARNING"
    assert "This database is that of the application 77, and the token that of " in warning.message


async def test_a_bot_with_the_databases_application_id_notes_servers_that_it_has_left(
    table: Table, tmp_path: Path
) -> None:
    await table.focdle(table.ann)
    await table.services.posts.choices.set_hour(55, 9)
    (known,) = sql(tmp_path, "SELECT value FROM facts WHERE name = 'application'")
    await table.restart()
    assert departed(tmp_path) == [(55,)]
    assert sql(tmp_path, "SELECT value FROM facts WHERE name = 'application'") == [known]


async def test_an_outage_of_discord_does_not_count_as_leaving_a_server(
    table: Table, tmp_path: Path
) -> None:
    await table.focdle(table.ann)
    guild_id = table.ann.guild.id
    table.env.backend.emit("GUILD_DELETE", {"id": str(guild_id), "unavailable": True})
    await table.env.settle()
    guild = table.bot.get_guild(guild_id)
    assert guild is not None
    assert guild.unavailable
    await privacy(table).on_ready()
    assert departed(tmp_path) == []


def test_the_question_before_a_deletion_is_within_discords_limits() -> None:
    page = question_page(question(f"https://{'x' * 200}/privacy"))
    assert ids_on(page) == ["priv:confirm", "priv:export", "priv:keep"]
    assert_fits(page)
    assert len(say(FORM_TITLE)) <= 45
    assert len(say(FORM_LABEL, word=CONFIRMATION)) <= 45
    assert len(say(FORM_DESCRIPTION)) <= 100


async def test_unseen_players_are_forgotten_after_the_time_stated_on_the_privacy_page(
    table: Table, tmp_path: Path
) -> None:
    await table.focdle(table.ann, guess=SECRET)
    await table.restart(forget_after=timedelta(days=400))
    told = "Until you delete your data, or stay away for 400 days."
    assert told in text(await page(table, table.ann))
    for days, left in ((399, 1), (1, 0)):
        table.clock.advance(days=days)
        sql(tmp_path, "DELETE FROM pulses")  # nobody has noted that the bot was away
        await privacy(table).clean()
        assert sql(tmp_path, "SELECT count(*) FROM players") == [(left,)]
    assert sql(tmp_path, "SELECT count(*) FROM plays") == [(0,)]
