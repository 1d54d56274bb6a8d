"""Races and set equations among a member's games, and what befalls their posts and players."""

from pathlib import Path

import pytest
from simcord import MemberActor, ResponseMessage

from cogs.home.games import TIDY
from cogs.ui.pages import button
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
)
from tests.support.screen import buttons, parts, reach, seen
from tests.support.sql import sql
from tests.support.table import Table


@pytest.fixture
def track(table: Table, tmp_path: Path) -> Track:
    return Track(table, tmp_path)


async def games(table: Table, who: MemberActor) -> ResponseMessage:
    return seen(await who.slash(table.world.channels[1], "games"))


def links(page: ResponseMessage) -> list[str]:
    return [part["url"] for part in parts(page) if part.get("url")]


def address(message: ResponseMessage, table: Table) -> str:
    return f"https://discord.com/channels/{table.ann.guild.id}/{message.channel_id}/{message.id}"


async def test_a_race_is_listed_for_its_players_until_they_are_done(track: Track) -> None:
    table = track.table
    board = await track.open()
    listed = await games(table, table.ann)
    assert "**Race: FoCdle**\n-# 10 symbols · waits for a second player" in text(listed)
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


async def test_a_lobby_that_has_lapsed_is_listed_no_more(track: Track) -> None:
    await track.open()
    track.table.clock.advance(minutes=5)
    assert "Race" not in text(await games(track.table, track.table.ann))


async def test_an_equation_is_listed_for_whom_it_pings_until_they_open_it(table: Table) -> None:
    board = await set_one(table, member=table.ben)
    listed = await games(table, table.ben)
    closes_at = int(table.clock.now().timestamp()) + 24 * 60 * 60
    assert "**A FoCdle set for you**" in text(listed)
    assert f"10 symbols · closes <t:{closes_at}:R>" in text(listed)
    assert links(listed) == [address(board, table)]
    for other in (table.ann, cleo(table)):
        assert links(await games(table, other)) == []
    await play(table.ben, board)
    listed = await games(table, table.ben)
    assert "A member's FoCdle" in text(listed)
    assert links(listed) == []
    table.clock.advance(hours=24)
    assert "FoCdle" not in text(await games(table, table.ben)).partition("Begin one")[0]


async def test_an_equation_that_has_closed_is_listed_for_nobody(table: Table) -> None:
    await set_one(table, member=table.ben)
    table.clock.advance(hours=24)
    assert links(await games(table, table.ben)) == []


async def test_races_and_set_equations_are_not_among_the_games_that_can_go(track: Track) -> None:
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


async def test_a_race_whose_post_was_not_noted_is_played_on_it(track: Track) -> None:
    table = track.table
    await track.open()
    unnote(track, "races")
    await track.press(table.ben, "Join")
    await track.press(table.ann, "Start")
    await track.publish()
    await track.publish()
    assert buttons(track.post) == ["Play", "More"]


async def test_an_equation_whose_post_was_not_noted_is_closed_on_it(track: Track) -> None:
    table = track.table
    board = await set_one(table)
    unnote(track, "equations")
    await publish(table)
    await reach(table.ann, await more(table.ann, board), "Close")
    await publish(table)
    assert f"It was `{EQUATION}`." in text(board)


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_post_that_cannot_be_looked_for_makes_room_for_another(
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
async def test_a_post_that_discord_refuses_leaves_nothing(track: Track, command: str) -> None:
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
