"""Questions before what cannot be undone: the answer that loses nothing stands out."""

from discord import ButtonStyle
from simcord import ResponseMessage

from tests.support.duel_stories import more, with_bot
from tests.support.duel_stories import press as press_duel
from tests.support.duel_stories import typed as typed_number
from tests.support.mastermind_stories import opened, press
from tests.support.screen import parts, seen
from tests.support.table import Table

RED, BLUE, GREY = (
    each.value for each in (ButtonStyle.danger, ButtonStyle.primary, ButtonStyle.secondary)
)


def looks(message: ResponseMessage) -> list[tuple[str, int]]:
    """The buttons, and their colours."""
    return [(part["label"], part["style"]) for part in parts(message) if part["type"] == 2]


async def test_of_a_practice(table: Table) -> None:
    play = await table.services.practice.open(table.ann.id, None, 10)
    await table.services.daily.guess(table.ann.id, play.id, "12+34-5=41")
    board = seen(await table.ann.slash(table.channel, "practice", length=10))
    asked = await press(table.ann, board, "Give up")
    assert looks(asked) == [("Yes, give up", RED), ("Keep playing", BLUE)]


async def test_of_tidying_up(table: Table) -> None:
    play = await table.services.practice.open(table.ann.id, None, 10)
    await table.services.daily.guess(table.ann.id, play.id, "12+34-5=41")
    games = seen(await table.ann.slash(table.channel, "games"))
    asked = await press(table.ann, await press(table.ann, games, "Remove games"), "Dismiss")
    assert looks(asked) == [("Yes, end it", RED), ("Keep it", BLUE)]


async def test_of_masterminds(table: Table) -> None:
    defended = await press(table.ann, await opened(table, table.ann, "defend"), "End game")
    assert looks(defended) == [("Yes, end it", RED), ("Keep playing", BLUE)]
    played = await press(table.ann, await opened(table, table.ann, "play"), "Give up")
    assert looks(played) == [("Yes, give up", RED), ("Keep playing", BLUE)]


async def test_of_duels(table: Table) -> None:
    page = await with_bot(table)
    called_off = await more(table.ann, page, "Call it off")
    assert looks(called_off) == [("Yes, call it off", RED), ("Keep playing", BLUE)]
    page = await press_duel(table.ann, called_off, "Keep playing")
    page = await typed_number(table.ann, page, "0123", "Set my number")
    page = await typed_number(table.ann, page, "9876")
    resigned = await more(table.ann, page, "Resign")
    assert looks(resigned) == [("Yes, resign", RED), ("Keep playing", BLUE)]


async def test_of_a_deletion(table: Table) -> None:
    await table.focdle(table.ann)
    page = seen(await table.ann.slash(table.channel, "privacy"))
    asked = await press(table.ann, page, "Delete everything")
    assert looks(asked) == [
        ("Go on to confirm", RED),
        ("Export my data", GREY),
        ("Keep my data", BLUE),
    ]
