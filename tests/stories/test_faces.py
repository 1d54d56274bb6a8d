"""Avatars beside what is told of somebody: gone with who hides, and where hosts want none."""

import io

from PIL import Image
from simcord import MemberActor, ResponseMessage

from cogs.posts.delivery import PostsCog
from tests.support import duel_stories as duels
from tests.support import mastermind_stories as mastermind
from tests.support.cdn import Cdn, opened
from tests.support.overwrites import overwrite
from tests.support.screen import custom_ids, parts, seen, text
from tests.support.table import SECRET, Table

HASHES = ("a_" + "0f" * 16, "1e" * 16)
"""Ann's and Ben's."""


def give_avatars(table: Table) -> None:
    """Let Discord say that Ann and Ben have avatars."""
    for who, avatar in zip((table.ann, table.ben), HASHES, strict=True):
        table.env.backend.users[who.id].avatar = avatar


def face(table: Table, who: MemberActor) -> str:
    """The address of a still picture."""
    avatar = HASHES[0 if who is table.ann else 1]
    return f"https://cdn.discordapp.com/avatars/{who.id}/{avatar}.png?size=128"


def faces(message: ResponseMessage) -> list[tuple[str, str]]:
    """The faces of a message, and what stands beside each."""
    return [
        (part["accessory"]["media"]["url"], part["components"][0]["content"])
        for part in parts(message)
        if part["type"] == 9 and part["accessory"]["type"] == 11
    ]


async def share(table: Table, puzzle: int, *, on_card: bool = False) -> ResponseMessage:
    """Ann solves a daily and shares it."""
    await table.services.posts.choices.set_todays_card(table.ann.guild.id, on=on_card)
    board = await table.focdle(table.ann, puzzle=str(puzzle))
    play = int(custom_ids(board)[0].rpartition(":")[2])
    secret = (await table.services.daily.view(table.ann.id, play)).game.secret
    return seen(await table.ann.click(await table.guess(table.ann, board, secret), label="Share"))


async def test_an_avatar_is_shown_beside_results_until_its_player_hides(table: Table) -> None:
    give_avatars(table)
    preferences = table.services.preferences
    shared = await share(table, 324)
    headline = f"{table.ann.mention} solved **FoCdle #324** in 1/6"
    [(address, beside)] = faces(shared)
    assert address == face(table, table.ann)
    assert beside.splitlines()[0] == headline
    own = seen(await table.ann.slash(table.channel, "stats"))
    assert faces(own) == []  # it is only Ann who reads it
    await table.ben.slash(table.channel, "help")
    looked_up = seen(await table.ben.slash(table.channel, "stats", member=table.ann))
    assert [address for address, _ in faces(looked_up)] == [face(table, table.ann)]
    await preferences.set_hidden(table.ann.id, on=True)
    assert faces(await share(table, 323)) == []
    await preferences.set_hidden(table.ann.id, on=False)
    assert [address for address, _ in faces(await share(table, 322))] == [face(table, table.ann)]


async def test_tiles_use_the_whole_width_where_the_bot_may_not_attach_files(table: Table) -> None:
    give_avatars(table)
    overwrite(table, table.channel, attach_files=False)
    shared = await share(table, 324)
    [(_, beside)] = faces(shared)
    assert "🟩" not in beside
    assert "🟩" * 10 in text(shared)


async def test_challenges_show_the_challengers_avatar_and_results_a_picture_of_both(
    table: Table,
) -> None:
    give_avatars(table)
    for who in (table.ann, table.ben):
        await who.slash(table.channel, "help")
    board = await duels.challenge(table)
    [(address, beside)] = faces(board)
    assert address == face(table, table.ann)
    assert beside.startswith("### Bulls and Cows duel")
    board = await duels.accept(table.ben, board)
    first, second = duels.to_move(table, board)
    assert faces(board) == []
    board = await duels.typed(first, board, duels.number_of(table, second))
    board = await duels.typed(second, board, duels.WRONG[0])
    assert faces(board) == []
    [described] = duels.pictures(board)
    assert all(f"hid {duels.number_of(table, who)}" in described for who in (first, second))
    form = await table.ben.slash(table.channel, "mastermind challenge", member=table.ann)
    invitation = seen(await table.ben.submit_modal(form, {"code": "RRGB"}))
    assert [address for address, _ in faces(invitation)] == [face(table, table.ben)]
    assert faces(await mastermind.press(table.ann, invitation, "Accept")) == []


async def test_todays_card_shows_every_players_avatar(table: Table) -> None:
    give_avatars(table)
    cdn = Cdn()
    async with opened(cdn) as album:
        table.bot.album = album
        told = await share(table, 324, on_card=True)
        assert "You're on [today's card]" in text(told)
        # Ann's click waits for no avatar: what is not at hand comes with the next picture.
        assert pictures(table) == {"Ann 1/6": False}
        board = await table.focdle(table.ben, guess="12+34-5=41")
        await table.ben.click(await table.guess(table.ben, board, SECRET), label="Share")
        await pass_time(table, seconds=5)
        assert pictures(table) == {"Ann 1/6 · Ben 2/6": True}
        assert set(cdn.asked.values()) == {1}
        overwrite(table, table.channel, attach_files=False)
        await table.services.preferences.set_hidden(table.ben.id, on=True)
        await pass_time(table, seconds=5)
        assert pictures(table) == {}


def pictures(table: Table) -> dict[str, bool]:
    """What the pictures in the channel's messages are said to show, and whether avatars are red."""
    found: dict[str, bool] = {}
    for message in table.channel.history():
        for file in message.attachments:
            png = table.env.backend.cdn.get(file.url)
            assert png is not None
            found[file.description or ""] = is_red(Image.open(io.BytesIO(png)).convert("RGB"))
    return found


def is_red(picture: Image.Image) -> bool:
    """Whether there is any red in it as avatars have it."""
    colours = picture.getcolors(picture.width * picture.height) or ()
    return any(colour == (255, 0, 0) for _, colour in colours)


async def pass_time(table: Table, **duration: float) -> None:
    """Let some time pass, and the bot look what is due."""
    table.clock.advance(**duration)
    cog = table.cog(PostsCog)
    await table.rounds(cog.card)
