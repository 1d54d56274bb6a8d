"""The list in which all open games are found."""

from tests.support.mastermind_stories import opened, press, put, typed
from tests.support.screen import buttons, custom_ids, my_games, parts, seen, text
from tests.support.table import Table

LISTS = ["Finished games", "Remove games", "◀ Back"]
TURNS = ["◀ Newer", "Older ▶"]


async def test_all_open_games_are_listed_and_private_ones_open_in_place_of_the_list(
    table: Table,
) -> None:
    await put(table.ann, await opened(table, table.ann, "play", guesses=11), "RO")
    await opened(table, table.ann, "defend")
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    public = seen(await table.ann.submit_modal(form, {"code": "RRRR"}))
    await table.focdle(table.ann)
    page = await my_games(table.ann, table.channel)
    assert [line for line in text(page).splitlines() if line.startswith("**")] == [
        "**FoCdle #324, Nov 20, 2026**",
        f"**Mastermind: your challenge to {table.ben.mention}**",
        "**Mastermind: the bot breaks your code**",
        "**Mastermind**",
    ]
    assert "12 guesses · not accepted yet" in text(page)
    assert buttons(page) == [*["Open"] * 4, *LISTS]
    page = seen(await table.ann.click(page, custom_id="mm:c:own:4"))
    (link,) = [part["url"] for part in parts(page) if "url" in part]
    place = f"{table.ann.guild.id}/{table.channel.id}/{public.id}"
    assert link == f"https://discord.com/channels/{place}"
    await table.restart()
    for custom_id, words in (
        ("mm:d:view:3", "**Think of a code**"),
        ("mm:p:keep:2", "🔴🟠▫️▫️"),
    ):
        page = await my_games(table.ann, table.channel)
        board = seen(await table.ann.click(page, custom_id=custom_id))
        assert board.id == page.id
        assert words in text(board)
    listed = await my_games(table.ben, table.channel)
    assert f"**Mastermind: {table.ann.mention}'s challenge to you**" in text(listed)


async def test_a_sealed_game_is_opened_from_the_list_of_games(table: Table) -> None:
    board = await opened(table, table.ann, "defend")
    await typed(table.ann, board, "rrrr", "Enter my code instead")
    page = await my_games(table.ann, table.channel)
    assert "**Mastermind: the bot breaks your sealed code**" in text(page)
    assert "🔒" in text(await press(table.ann, page, "Open"))


async def test_a_long_list_of_games_has_pages(table: Table) -> None:
    for number in range(300, 322):
        await table.services.daily.open(table.ann.id, None, puzzle=str(number))
    page = await my_games(table.ann, table.channel)
    assert buttons(page) == [*["Open"] * 10, *TURNS, *LISTS]
    assert "-# Page 1 of 3" in text(page)
    assert [p["disabled"] for p in parts(page) if p.get("label") == "◀ Newer"] == [True]
    await table.restart()
    page = await press(table.ann, await press(table.ann, page, "Older ▶"), "Older ▶")
    assert "-# Page 3 of 3" in text(page)
    assert buttons(page) == [*["Open"] * 2, *TURNS, *LISTS]
    page = await press(table.ann, page, "◀ Newer")
    assert "-# Page 2 of 3" in text(page)
    assert len(custom_ids(page)) == 15
