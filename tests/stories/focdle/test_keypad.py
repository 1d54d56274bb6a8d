"""*Keypad* leads from a board to the page, where the host has one."""

from simcord import ResponseMessage

from tests.support.forging import forge_click
from tests.support.screen import buttons, parts, seen, text
from tests.support.table import Table

URL = "https://focdle.example.org"


def link_on(message: ResponseMessage) -> str:
    (found,) = links_on(message)
    return found


def links_on(message: ResponseMessage) -> list[str]:
    return [part["url"] for part in parts(message) if part.get("url")]


async def test_a_board_has_no_keypad_without_a_page(table: Table) -> None:
    assert "Keypad" not in buttons(await table.focdle(table.ann))


async def test_keypad_gives_a_private_link_that_opens_this_board_as_this_player(
    table: Table,
) -> None:
    await table.restart(web_url=URL)
    board = await table.focdle(table.ann)
    assert buttons(board)[:2] == ["Guess", "Keypad"]
    answer = seen(await table.ann.click(board, label="Keypad"))
    assert answer.ephemeral
    assert "Yours alone" in text(answer)
    address, _, ticket = link_on(answer).partition("/#")
    assert address == URL
    looked = await table.services.sessions.look(ticket)
    assert (looked.player_id, looked.guild_id) == (table.ann.id, table.ann.guild.id)
    play = await table.services.daily.view(table.ann.id, looked.play_id)
    assert not play.game.turns


async def test_a_keypad_of_somebody_else_or_of_a_page_that_is_gone_gives_no_link(
    table: Table,
) -> None:
    await table.restart(web_url=URL)
    board = await table.focdle(table.ann)
    (custom_id,) = [part["custom_id"] for part in parts(board) if part.get("label") == "Keypad"]
    forged = seen(await forge_click(table.ben, table.channel, custom_id))
    assert "somebody else's" in text(forged)
    await table.restart()
    gone = seen(await table.ann.click(board, label="Keypad"))
    assert "older version" in text(gone)
    for message in (forged, gone):
        assert not links_on(message)
