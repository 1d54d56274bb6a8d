"""The list in which all open games are found."""

from tests.support.mastermind_stories import opened, put
from tests.support.screen import buttons, my_games, parts, seen, text
from tests.support.table import Table

LISTS = ["Finished games", "Remove games", "◀ Back"]


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
