"""Public boards speak the server's language, what is private the player's."""

from collections.abc import Iterator
from pathlib import Path

import discord
import pytest
from simcord import ResponseMessage

from cogs.mastermind.guess import MastermindClockCog
from tests.support.catalogues import german
from tests.support.mastermind_stories import press, typed
from tests.support.screen import buttons, my_games, seen, text
from tests.support.table import Table

GERMAN = {
    "Mastermind challenge": "Mastermind-Herausforderung",
    "Accept": "Annehmen",
    "Undo": "Zurück",
    "How to play": "Spielregeln",
    "More": "Mehr",
    "Is it fair?": "Nachprüfen",
}


@pytest.fixture(autouse=True)
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with german(tmp_path, monkeypatch, GERMAN):
        yield


async def german_challenge(table: Table) -> ResponseMessage:
    """Ann challenges Ben on a German server; both speak English."""
    table.env.backend.edit_guild(table.ann.guild.id, {"preferred_locale": "de"})
    await table.env.settle()
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    return seen(await table.ann.submit_modal(form, {"code": "RRGB"}))


async def sweep(table: Table) -> None:
    cog = table.cog(MastermindClockCog)
    await table.rounds(cog.publish)


async def test_private_pages_of_a_challenge_use_the_players_language(table: Table) -> None:
    board = await press(table.ben, await german_challenge(table), "Annehmen")
    refused = await typed(table.ben, board, "rr")
    assert buttons(refused) == ["Edit"]
    copy = await typed(table.ben, refused, "rgrg", "Edit")
    assert "### Mastermind challenge" in text(copy)
    assert buttons(copy) == ["Go there", "Guess", "More"]
    assert "### Mastermind-Herausforderung" in text(board)
    page = await press(table.ann, await my_games(table.ann, table.channel), "Open")
    assert buttons(page)[-2:] == ["Post the board again", "More"]
    page = await press(table.ann, page, "Post the board again")
    assert buttons(page)[-2:] == ["Post the board again", "More"]
    channel = table.bot.get_channel(table.channel.id)
    assert isinstance(channel, discord.TextChannel)
    (game,) = await table.services.mastermind.games.open_of(table.ann.id)
    posted = table.env.backend.get_message(table.channel.id, game.message_id or 0)
    assert "Mastermind-Herausforderung" in str(posted.components)


async def test_boards_that_the_bot_updates_by_itself_use_each_servers_language(
    table: Table,
) -> None:
    german = await german_challenge(table)
    other = table.env.create_guild("Another server")
    members = [other.add_member(member.user) for member in (table.ann, table.world.members[2])]
    channel = other.create_text_channel("theirs")
    form = await members[0].slash(channel, "mastermind challenge", member=members[1])
    english = seen(await members[0].submit_modal(form, {"code": "RRGB"}))
    table.clock.advance(hours=25)
    await sweep(table)
    assert "### Mastermind-Herausforderung" in text(german)
    assert buttons(german) == ["Spielregeln"]
    assert "### Mastermind challenge" in text(english)
    assert buttons(english) == ["How to play"]
