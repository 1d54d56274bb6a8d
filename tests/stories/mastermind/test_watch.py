"""The bot breaks a code it drew; and the list in which all open games are found."""

from pathlib import Path

from cogs.privacy import PrivacyCog
from cogs.ui.pages import button
from tests.support.loose import post
from tests.support.mastermind_stories import fix_secret, opened, press, put, typed
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.sql import sql
from tests.support.table import Table


async def test_the_bot_explains_each_guess_at_mastermind(table: Table, tmp_path: Path) -> None:
    board = await opened(table, table.ann, "watch")
    fix_secret(tmp_path, "PPOB")
    assert board.ephemeral
    assert "### Mastermind: watch the bot" in text(board)
    assert (
        "One of 1,296 codes in these colours.\n🔴🟠🟡🟢🔵🟣\n"
        "The bot does not look. What would you guess?"
    ) in text(board)
    assert buttons(board) == ["Next", "All", "How to play", "More"]
    board = await press(table.ann, board, "Next")
    row = "` 1`\u2002🔴🔴🟠🟡\u20021 black\n-# **182** of 1,296 codes left\n"
    assert row in text(board)
    assert "PPOB" not in text(board)
    await table.restart()
    results = await table.at_once([table.ann.click(board, label="Next") for _ in range(2)])
    assert all("` 3`" not in text(seen(result)) for result in results)
    board = await press(table.ann, board, "All")
    assert "4 black" in text(board)
    assert "**Found in " in text(board)
    again = await press(table.ann, board, "Watch again")
    assert again.id != board.id
    assert "The bot does not look" in text(again)


async def test_a_watched_game_is_deleted_after_thirty_days(table: Table, tmp_path: Path) -> None:
    board = await press(table.ann, await opened(table, table.ann, "watch"), "All")
    message = await post(table.world, button("mm:w:view:1", "Open"))
    assert "**Found in " in text(board)
    table.clock.advance(days=30)
    cog = table.cog(PrivacyCog)
    await cog.clean()
    assert sql(tmp_path, "SELECT id FROM masterminds") == []
    gone = await press(table.ann, message, "Open")
    assert text(gone) == "That game is gone. Type `/mastermind play` for a new one."


async def test_all_open_games_are_listed_and_private_ones_open_in_place_of_the_list(
    table: Table,
) -> None:
    await put(table.ann, await opened(table, table.ann, "play", guesses=11), "RO")
    await opened(table, table.ann, "watch")
    await opened(table, table.ann, "defend")
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    public = seen(await table.ann.submit_modal(form, {"code": "RRRR"}))
    await table.focdle(table.ann)
    page = seen(await table.ann.slash(table.channel, "games"))
    assert [line for line in text(page).splitlines() if line.startswith("**")] == [
        "**FoCdle #324, Nov 20, 2026**",
        f"**Mastermind: your challenge to {table.ben.mention}**",
        "**Mastermind: the bot breaks your code**",
        "**Mastermind: watch the bot**",
        "**Mastermind**",
    ]
    assert "12 guesses · not accepted yet" in text(page)
    assert buttons(page) == [*["Open"] * 5, "Finished games", "Remove games"]
    page = seen(await table.ann.click(page, custom_id="mm:c:own:4"))
    (link,) = [part["url"] for part in parts(page) if "url" in part]
    place = f"{table.ann.guild.id}/{table.channel.id}/{public.id}"
    assert link == f"https://discord.com/channels/{place}"
    await table.restart()
    for custom_id, words in (
        ("mm:d:view:3", "**Think of a code**"),
        ("mm:w:view:2", "The bot does not look"),
        ("mm:p:keep:1", "🔴🟠▫️▫️"),
    ):
        page = seen(await table.ann.slash(table.channel, "games"))
        board = seen(await table.ann.click(page, custom_id=custom_id))
        assert board.id == page.id
        assert words in text(board)
    listed = seen(await table.ben.slash(table.channel, "games"))
    assert f"**Mastermind: {table.ann.mention}'s challenge to you**" in text(listed)


async def test_a_sealed_game_is_opened_from_the_list_of_games(table: Table) -> None:
    board = await opened(table, table.ann, "defend")
    await typed(table.ann, board, "rrrr", "Enter my code instead")
    page = seen(await table.ann.slash(table.channel, "games"))
    assert "**Mastermind: the bot breaks your sealed code**" in text(page)
    assert "🔒" in text(await press(table.ann, page, "Open"))


async def test_a_long_list_of_games_has_pages(table: Table) -> None:
    for number in range(300, 322):
        await table.services.daily.open(table.ann.id, None, puzzle=str(number))
    page = seen(await table.ann.slash(table.channel, "games"))
    assert buttons(page) == [*["Open"] * 10, "◀ Newer", "Older ▶", "Finished games", "Remove games"]
    assert "-# Page 1 of 3" in text(page)
    assert [p["disabled"] for p in parts(page) if p.get("label") == "◀ Newer"] == [True]
    await table.restart()
    page = await press(table.ann, await press(table.ann, page, "Older ▶"), "Older ▶")
    assert "-# Page 3 of 3" in text(page)
    assert buttons(page) == [*["Open"] * 2, "◀ Newer", "Older ▶", "Finished games", "Remove games"]
    page = await press(table.ann, page, "◀ Newer")
    assert "-# Page 2 of 3" in text(page)
    assert len(custom_ids(page)) == 14
