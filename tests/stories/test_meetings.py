"""Races and set equations among a member's games, and what befalls their posts and players."""

import asyncio
import itertools
from pathlib import Path

import pytest
from simcord import MemberActor, ResponseMessage

from bot.equations.model import OneEquationError
from bot.games.model import Channel
from bot.races.model import RaceOpenError
from bot.services import open_services
from cogs.home.games import TIDY
from cogs.ui.pages import button
from engine import Focdle
from tests.support.loose import post
from tests.support.meetings import (
    EQUATION,
    SECRETS,
    Track,
    cleo,
    guess,
    more,
    play,
    publish,
    set_one,
    text,
    twenty,
)
from tests.support.overwrites import overwrite
from tests.support.screen import buttons, my_games, parts, reach, seen
from tests.support.sql import sql
from tests.support.table import KEY, Table


@pytest.fixture
def track(table: Table, tmp_path: Path) -> Track:
    return Track(table, tmp_path)


async def games(table: Table, who: MemberActor) -> ResponseMessage:
    return await my_games(who, table.world.channels[1])


def links(page: ResponseMessage) -> list[str]:
    return [part["url"] for part in parts(page) if part.get("url")]


def address(message: ResponseMessage, table: Table) -> str:
    return f"https://discord.com/channels/{table.ann.guild.id}/{message.channel_id}/{message.id}"


async def test_a_race_is_listed_for_its_players_until_they_are_done(track: Track) -> None:
    table = track.table
    board = await track.open()
    listed = await games(table, table.ann)
    assert "**Race: FoCdle**\n-# 10 symbols · waiting for a second player" in text(listed)
    assert links(listed) == [address(board, table)]
    await track.press(table.ben, "Join")
    starts_at = int(table.clock.now().timestamp()) + 60
    assert f"10 symbols · starts <t:{starts_at}:R>" in text(await games(table, table.ben))
    own = await track.press(table.ann, "Start")
    ends_at = int(table.clock.now().timestamp()) + 600
    assert f"10 symbols · **ends <t:{ends_at}:R>**" in text(await games(table, table.ann))
    assert "Race" not in text(await games(table, cleo(table)))
    await guess(table.ann, own, SECRETS["focdle"])
    assert "Race" not in text(await games(table, table.ann))
    assert "Race" in text(await games(table, table.ben))
    table.clock.advance(minutes=10)
    assert "Race" not in text(await games(table, table.ben))


async def test_an_equation_is_listed_for_the_invited_player_until_they_open_it(
    table: Table,
) -> None:
    board = await set_one(table, member=table.ben)
    listed = await games(table, table.ben)
    closes_at = int(table.clock.now().timestamp()) + 24 * 60 * 60
    assert "**A FoCdle made for you**" in text(listed)
    assert f"10 symbols · closes <t:{closes_at}:R>" in text(listed)
    assert links(listed) == [address(board, table)]
    for other in (table.ann, cleo(table)):
        assert links(await games(table, other)) == []
    await play(table.ben, board)
    listed = await games(table, table.ben)
    assert "**Ann's FoCdle**" in text(listed)
    assert links(listed) == []
    table.clock.advance(hours=24)
    assert "FoCdle" not in text(await games(table, table.ben))


async def test_races_and_set_equations_cannot_be_removed_from_the_list_of_games(
    track: Track,
) -> None:
    table = track.table
    await track.open()
    await set_one(table, by=table.ben, member=table.ann)
    assert "Remove games" not in buttons(await games(table, table.ann))
    loose = await post(table.world, button(TIDY(page=0), "Tidy"))
    assert "All tidy." in text(seen(await table.ann.click(loose, label="Tidy")))


def unnote(track: Track, table: str) -> None:
    """Forget which message the post is, as a process does that ends before it has noted it."""
    at = f"{track.table.clock.now():%Y-%m-%d %H:%M:%S}.000000"
    sql(track.folder, f"UPDATE {table} SET message_id = NULL, shown = '', look_at = '{at}'")


async def test_the_post_of_a_race_is_found_and_updated_although_its_id_was_not_noted(
    track: Track,
) -> None:
    table = track.table
    await track.open()
    unnote(track, "races")
    await track.press(table.ben, "Join")
    await track.press(table.ann, "Start")
    await track.publish()
    await track.publish()
    assert buttons(track.post) == ["Play", "More"]


async def test_a_race_that_somebody_joins_continues_where_its_post_cannot_be_looked_for(
    track: Track,
) -> None:
    table = track.table
    await track.open()
    unnote(track, "races")
    table.env.inject_error("GET", "/channels/*/messages", status=403, code=50001, times=None)
    await track.press(table.ben, "Join")
    await track.publish()
    assert "Already in: Ann, Ben" in text(track.post)
    await track.press(table.ann, "Start")
    await track.publish()
    assert buttons(track.post) == ["Play", "More"]


async def test_a_post_that_was_sent_but_not_noted_is_found_and_shows_that_its_equation_closed(
    track: Track,
) -> None:
    table = track.table
    board = await set_one(table)
    unnote(track, "equations")
    await publish(table)
    await reach(table.ann, await more(table.ann, board), "Close")
    await publish(table)
    assert f"It was `{EQUATION}`." in text(board)


@pytest.mark.parametrize("is_there", [True, False])
async def test_another_race_or_equation_can_be_opened_when_the_post_of_one_cannot_be_found(
    track: Track, *, is_there: bool
) -> None:
    """Whether it is gone, or the bot may not read what was posted."""
    table = track.table
    boards = [await set_one(table), await track.open()]
    for name in ("equations", "races"):
        unnote(track, name)
    if is_there:
        table.env.inject_error("GET", "/channels/*/messages", status=403, code=50001, times=2)
    else:
        for board in boards:
            await table.dismiss(board)
    assert buttons(await set_one(table)) == ["Play", "More"]
    assert buttons(await track.open()) == ["Join", "Start", "More"]


@pytest.mark.parametrize("command", ["race", "equation"])
@pytest.mark.usefixtures("breaking")
async def test_a_race_or_equation_whose_post_discord_refuses_is_deleted(
    track: Track, command: str
) -> None:
    table = track.table
    form = await table.ann.slash(table.channel, "equation")
    table.env.inject_error("POST", "/interactions/*", status=400, code=50035, times=1)
    if command == "race":
        await table.ann.slash(table.channel, "race")
    else:
        await table.ann.submit_modal(form, {"equation": EQUATION})
    assert sql(track.folder, "SELECT count(*) FROM races") == [(0,)]
    assert sql(track.folder, "SELECT count(*) FROM equations") == [(0,)]
    assert buttons(await set_one(table)) == ["Play", "More"]
    assert buttons(await track.open()) == ["Join", "Start", "More"]


async def hide_channel(table: Table, *, on: bool) -> None:
    """Let the bot see the channel no more, or again."""
    overwrite(table, table.channel, table.ann.guild.me, view_channel=not on)


async def test_the_post_of_an_equation_is_updated_when_the_bot_sees_its_channel_again(
    table: Table,
) -> None:
    board = await set_one(table)
    await hide_channel(table, on=True)
    own = await play(table.ben, board)
    await table.guess(table.ben, own, EQUATION)
    await publish(table)
    assert "1/6" not in str(board.components)
    assert "I need **View Channel** there." in text(await set_one(table, by=cleo(table)))
    await hide_channel(table, on=False)
    table.clock.advance(hours=1)
    await publish(table)
    assert "1/6" in str(board.components)


async def test_a_race_continues_in_a_channel_that_the_bot_may_not_see(track: Track) -> None:
    table = track.table
    own, bens = await track.begin(table.ben)
    await hide_channel(table, on=True)
    await guess(table.ann, own, SECRETS["focdle"])
    await guess(table.ben, bens, "12+34-6=40")
    await track.publish(600)
    assert "wins" not in text(track.post)
    await hide_channel(table, on=False)
    await track.publish(60)
    assert "Ann wins" in text(track.post)


async def test_a_deleted_channel_closes_its_equation_and_calls_off_its_race(track: Track) -> None:
    table = track.table
    await track.open()
    await track.press(table.ben, "Join")
    await table.guess(table.ben, await play(table.ben, await set_one(table)), EQUATION)
    table.env.backend.delete_channel(table.channel.id)
    await track.publish(60)
    await publish(table)
    at = f"{table.clock.now():%Y-%m-%d %H:%M:%S}.000000"
    assert sql(track.folder, "SELECT ending FROM races") == [("called_off",)]
    closed = f"SELECT closes_at <= '{at}' FROM puzzles WHERE closes_at IS NOT NULL"
    assert sql(track.folder, closed) == [(1,)]
    for name in ("equations", "races"):
        assert sql(track.folder, f"SELECT look_at, tried_at FROM {name}") == [(None, None)]


async def test_a_setter_and_a_solver_who_left_the_server_stay_on_the_post(table: Table) -> None:
    board = await set_one(table)
    await table.guess(table.ben, await play(table.ben, board), EQUATION)
    for member in (table.ann, table.ben):
        table.env.backend.remove_member(member.guild.id, member.id)
    await publish(table)
    assert "Ann set an equation" in text(board)
    assert "Ben" in str(board.components)
    await table.guess(cleo(table), await play(cleo(table), board), EQUATION)
    table.clock.advance(hours=24)
    await publish(table)
    assert f"It was `{EQUATION}`." in text(board)


async def test_a_race_whose_opener_left_the_server_starts_and_ends_in_time(track: Track) -> None:
    table = track.table
    await track.open()
    await track.press(table.ben, "Join")
    table.env.backend.remove_member(table.ann.guild.id, table.ann.id)
    await track.publish(60)
    await guess(table.ben, await track.press(table.ben, "Play"), SECRETS["focdle"])
    await track.publish(600)
    assert "Ben wins" in text(track.post)


async def test_two_processes_asked_at_once_open_one_race_and_set_one_equation(
    track: Track, database_url: str
) -> None:
    table = track.table
    here = Channel(table.ann.guild.id, table.channel.id)
    async with open_services(database_url, table.clock, puzzle_key=KEY) as other:
        both = (table.services, other)
        opened = await asyncio.gather(
            *(each.races.open(table.ann.id, here, Focdle()) for each in both),
            return_exceptions=True,
        )
        made = await asyncio.gather(
            *(each.equations.set(table.ann.id, here, EQUATION) for each in both),
            return_exceptions=True,
        )
    refused = [type(each) for each in (*opened, *made) if isinstance(each, Exception)]
    assert refused == [RaceOpenError, OneEquationError]


async def test_the_post_of_a_race_of_twenty_shows_no_guess_early_and_is_rarely_edited(
    track: Track,
) -> None:
    table = track.table
    await track.open(game="bulls")
    players = [table.ann, *twenty(table)[1:]]
    await table.at_once([each.click(track.post, label="Join") for each in players[1:]])
    await track.press(table.ann, "Start")
    await track.publish()
    boards = [await track.press(each, "Play") for each in players]
    edits = list[tuple[float, str]]()
    began = table.clock.now()
    for turn, code in enumerate(("4312", SECRETS["bulls"])):
        forms = await table.at_once(
            [who.click(own, label="Guess") for who, own in zip(players, boards, strict=True)]
        )
        for who, form in zip(players, forms, strict=True):
            before = track.edits()
            await who.submit_modal(form, {"guess": code})
            await track.publish(0.25)
            if track.edits() > before:
                edits.append(((table.clock.now() - began).total_seconds(), text(track.post)))
            is_over = (turn, who) == (1, players[-1])
            assert is_over or "4312" not in text(track.post)
    await track.publish()
    assert all(later[0] - earlier[0] >= 2 for earlier, later in itertools.pairwise(edits))
    assert len(edits) >= 4
    assert "tie" in text(track.post) or "wins" in text(track.post)
    assert text(track.post).count("4312") == 20
