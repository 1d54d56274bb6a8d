"""Ends of games: each has something to play next, and one button of it stands out."""

from pathlib import Path

import pytest
from simcord import ResponseMessage

from tests.support.duel_stories import number_of, playing, to_move, with_bot
from tests.support.duel_stories import press as press_duel
from tests.support.duel_stories import typed as typed_number
from tests.support.duels import number_of as drawn_number
from tests.support.mastermind_stories import fix_secret, opened, press, typed
from tests.support.screen import buttons, my_games, offered, parts, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

BLUE = 1
OPTIONS = {"numbers": ["5"], "mode": "classic"}
"""Of duels with the bot, which does not find such a number by chance."""


def blue(message: ResponseMessage) -> list[str]:
    """The buttons that stand out."""
    return [part["label"] for part in parts(message) if part.get("style") == BLUE]


async def solved(table: Table, puzzle: str) -> ResponseMessage:
    """Ann solves an earlier puzzle."""
    play = await table.services.daily.open(table.ann.id, table.ann.guild.id, puzzle=puzzle)
    return await table.focdle(table.ann, puzzle=puzzle, guess=play.game.secret)


async def test_a_finished_daily_leads_to_practice_of_its_length(table: Table) -> None:
    board = await table.focdle(table.ann, guess=SECRET)
    assert buttons(board) == ["Share", "Coach", "More"]
    board = await table.more(table.ann, board)
    practice = seen(await table.ann.click(board, label="Practice"))
    assert practice.id != board.id
    assert "### FoCdle practice\n-# 10 symbols" in text(practice)


async def test_a_finished_archived_puzzle_leads_to_todays_puzzle_until_that_is_finished(
    table: Table,
) -> None:
    board = await solved(table, "300")
    assert buttons(board) == ["Today's puzzle", "Share", "Coach", "More"]
    assert blue(board) == ["Today's puzzle"]
    today = seen(await table.ann.click(board, label="Today's puzzle"))
    assert "### FoCdle #324" in text(today)
    assert today.id != board.id  # what was solved can still be shared
    await table.guess(table.ann, today, "12+34-5=41")
    assert blue(await table.focdle(table.ann, puzzle="300")) == ["Today's puzzle"]
    await table.guess(table.ann, today, SECRET)
    board = await table.focdle(table.ann, puzzle="300")
    assert blue(board) == []
    assert offered(await table.more(table.ann, board)) == ["Practice", "Is it fair?"]


async def test_todays_puzzle_is_offered_though_the_one_of_another_length_is_solved(
    table: Table,
) -> None:
    await solved(table, "324/9")
    assert blue(await solved(table, "300")) == ["Today's puzzle"]


@pytest.mark.parametrize(("length", "label", "following"), [(9, 10, 10), (15, 7, 7)])
async def test_a_finished_practice_leads_to_the_next_and_to_another_length(
    table: Table, length: int, label: int, following: int
) -> None:
    await table.focdle(table.ann, guess=SECRET)
    practice = table.services.practice
    play = await practice.open(table.ann.id, table.ann.guild.id, length)
    board = seen(await table.ann.slash(table.channel, "practice", length=length))
    board = await table.guess(table.ann, board, play.game.secret)
    assert buttons(board) == ["Next one", "Share", "Coach", "More"]
    assert blue(board) == ["Next one"]
    again = seen(await table.ann.click(board, label="Next one"))
    board = await table.more(table.ann, board)
    assert offered(board) == [f"Try {label} symbols", "Is it fair?"]
    longer = seen(await table.ann.click(board, label=f"Try {label} symbols"))
    assert f"-# {following} symbols" in text(longer)
    assert f"-# {length} symbols" in text(again)
    assert len({board.id, longer.id, again.id}) == 3


async def test_swapping_sides_keeps_the_setting(table: Table, tmp_path: Path) -> None:
    board = await opened(table, table.ann, "play", pegs=3, colours=4, guesses=6)
    fix_secret(tmp_path, "RRR")
    board = await typed(table.ann, board, "rrr")
    assert buttons(board) == ["Play again", "Share", "Coach", "More"]
    assert blue(board) == ["Play again"]
    board = await press(table.ann, board, "More")
    swapped = await press(table.ann, board, "Swap sides")
    assert swapped.id != board.id
    assert "**Think of a code**" in text(swapped)
    assert sql(tmp_path, "SELECT kind, rules FROM masterminds WHERE id > 1 ORDER BY id") == [
        ("play", "mastermind:3x4r/6"),
        ("defend", "mastermind:3x4r/6"),
    ]
    asked = await press(table.ann, swapped, "End game")
    ended = await press(table.ann, asked, "Yes, end it")
    assert buttons(ended) == ["Play again", "Swap sides"]
    back = await press(table.ann, ended, "Swap sides")
    assert "Find the hidden code" in text(back)
    assert sql(tmp_path, "SELECT kind, rules FROM masterminds WHERE id > 1 ORDER BY id")[2] == (
        "play",
        "mastermind:3x4r/6",
    )


@pytest.mark.parametrize(("strength", "following"), [("casual", "sharp"), ("sharp", "perfect")])
async def test_a_player_who_beat_the_bot_is_offered_a_stronger_one(
    table: Table, tmp_path: Path, strength: str, following: str
) -> None:
    page = await with_bot(table, strength=strength, **OPTIONS)
    ended = await beaten(table, tmp_path, page)
    label = f"Try the {following} bot"
    assert buttons(ended)[:2] == [label, "Rematch"]
    assert blue(ended) == [label]
    assert buttons(ended)[2:] == ["Share", "Coach", "More"]
    results = await table.at_once([table.ann.click(ended, label=label) for _ in range(2)])
    pages = [seen(result) for result in results]
    assert ended.id not in {each.id for each in pages}
    assert all("5 digits, all different · classic" in text(each) for each in pages)
    assert all(f"{following} bot" in text(each) for each in pages)
    assert sql(tmp_path, "select count(*) from duels") == [(2,)]
    again = await press_duel(table.ann, ended, "Rematch")
    assert f"{strength} bot" in text(again)


async def test_the_loser_of_a_duel_can_ask_for_a_rematch_in_their_finished_games(
    table: Table,
) -> None:
    board = await playing(table, mode="classic")
    winner, loser = to_move(table, board)
    own = await press_duel(loser, board, "Notebook")
    await typed_number(winner, board, number_of(table, loser))
    games = await my_games(loser, table.channel)
    own = await press_duel(loser, await press_duel(loser, games, "Finished games"), "Open")
    assert blue(own) == ["Rematch"]
    told = await typed_number(loser, own, number_of(table, loser), "Rematch")
    assert text(told).startswith("Rematch offered: [it's here](https://discord.com/channels/")
    (game,) = await table.services.duels.games.open_of(winner.id)
    assert game.duel.challenger_id == loser.id


async def beaten(table: Table, tmp_path: Path, page: ResponseMessage) -> ResponseMessage:
    """Ann sets a number and finds the bot's with her first guess, before the bot finds hers."""
    page = await typed_number(table.ann, page, "98765", "Set my number")
    ((seat,),) = sql(tmp_path, "select seat from duel_seats where player_id is null")
    page = await typed_number(table.ann, page, drawn_number(tmp_path, 1, seat))
    assert f"🏆 **{table.ann.mention} wins**" in text(page)
    return page
