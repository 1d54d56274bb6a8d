"""A group conversation, where friends play who have installed the bot for themselves."""

import discord
import pytest
from simcord import UserHandle

from tests.support.screen import buttons, seen, text
from tests.support.simcord_gaps import open_group
from tests.support.table import SECRET, Table


@pytest.fixture
def friends(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[UserHandle]:
    return open_group(table.env, monkeypatch, table.world.members)


async def test_the_bot_recognises_a_group_conversation(
    table: Table, friends: list[UserHandle]
) -> None:
    heard: list[discord.Interaction[discord.Client]] = []

    async def hear(interaction: discord.Interaction[discord.Client]) -> None:
        heard.append(interaction)

    bot = table.bot
    bot.add_listener(hear, "on_interaction")
    await friends[0].slash("play")
    (one,) = heard
    assert isinstance(one.channel, discord.GroupChannel)
    assert one.context.private_channel
    assert one.guild_id is None


async def test_each_member_of_a_group_plays_todays_puzzle_by_themselves_and_shares_it(
    friends: list[UserHandle],
) -> None:
    ann, ben, _ = friends
    board = seen(await ann.slash("focdle"))
    assert board.ephemeral
    assert "### FoCdle #324" in text(board)
    board = seen(await ann.slash("focdle", guess=SECRET))
    shared = seen(await ann.click(board, label="Share"))
    assert not shared.ephemeral
    assert shared.channel_id == board.channel_id
    assert SECRET not in text(shared)
    other = seen(await ben.click(shared, label="Play #324"))
    assert other.ephemeral
    assert "Find the hidden equation" in text(other)
    assert "already" in text(seen(await ann.click(board, label="Share")))


async def test_mastermind_in_a_group_is_played_in_private(friends: list[UserHandle]) -> None:
    board = seen(await friends[0].slash("mastermind play"))
    assert board.ephemeral
    assert "Find the hidden code" in text(board)


async def test_a_duel_in_a_group_is_played_with_the_bot(friends: list[UserHandle]) -> None:
    ann, ben, _ = friends
    page = seen(await ann.slash("duel", digits=4))
    assert page.ephemeral
    assert "casual bot" in text(page)
    form = await ann.click(page, label="Set my number")
    page = seen(await ann.submit_modal(form, {"number": "0123"}))
    assert "Guess" in buttons(page)
    refused = seen(await ann.slash("duel", opponent=ben))
    assert refused.ephemeral
    assert text(refused).endswith("Here you can play me.")


async def test_the_leaderboard_in_a_group_links_the_servers_that_the_player_shares(
    friends: list[UserHandle],
) -> None:
    found = text(seen(await friends[0].slash("leaderboard")))
    assert found == "Leaderboards belong to servers, and we share no server yet."


async def test_the_play_card_in_a_group_offers_only_games_possible_there(
    friends: list[UserHandle],
) -> None:
    card = seen(await friends[0].slash("play"))
    assert card.ephemeral
    assert "Welcome!" in text(card)
    page = seen(await friends[0].click(card, label="Duel"))
    assert "Here you play me." in text(page)
