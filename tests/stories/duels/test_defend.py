"""The bot breaks a player's number: answers, slips, a sealed number, rated duels."""

import re

from simcord import MemberActor, ResponseMessage

from cogs.ui.pages import button
from engine import score
from tests.support.duel_stories import more, playing, press, typed, with_bot
from tests.support.loose import post
from tests.support.screen import buttons, custom_ids, seen, text
from tests.support.table import Table

SECRET = "4325"


async def opened(
    table: Table, *, who: MemberActor | None = None, digits: int = 4, repeats: bool = False
) -> ResponseMessage:
    new = button(f"bc:new:{digits}{'r' if repeats else ''}", "New")
    return await press(who or table.ann, await post(table.world, new), "New")


def names(board: ResponseMessage) -> list[str]:
    """The emojis of a board, by their names."""
    return re.findall(r"<:(\w+):", text(board))


def asked(board: ResponseMessage) -> str:
    found = re.search(r"^ ?\d+ (\d+) \?$", text(board), re.MULTILINE)
    assert found, text(board)
    return found[1]


async def answer(who: MemberActor, board: ResponseMessage, bulls: int, cows: int):
    board = await press(who, board, str(bulls))
    return await press(who, board, str(cows)) if "how many cows?" in text(board) else board


async def answer_truly(who: MemberActor, board: ResponseMessage, secret: str = SECRET):
    return await answer(who, board, *score(asked(board), secret))


async def test_the_bot_finds_a_players_number_even_when_it_restarts_after_every_answer(
    table: Table,
) -> None:
    board = await opened(table)
    assert board.ephemeral
    assert text(board).startswith(
        "### Bulls and Cows: the bot guesses your number\n-# 4 digits, all different\n"
        "**Think of a number** and write it down."
    )
    assert "**How many bulls?** Count the right digits in the right place." in text(board)
    assert "-# 5,040 numbers are still possible." in text(board)
    assert buttons(board) == ["0", "1", "2", "3", "4", "Enter my number instead", "How to play"]
    turns = 0
    while "found your number" not in text(board):
        turns += 1
        await table.restart()
        board = await answer_truly(table.ann, board)
    assert turns <= 7
    assert f"**The bot found your number in {turns} guesses.**\n-# Numbers possible: 5,040 → " in (
        text(board)
    )
    assert text(board).endswith(" → 1")
    assert buttons(board) == ["Play again", "Correct an answer", "How to play"]
    assert "**Think of a number**" in text(await press(table.ann, board, "Play again"))


async def test_answered_bulls_can_be_changed_and_the_only_possible_cows_are_filled_in(
    table: Table,
) -> None:
    board = await press(table.ann, await opened(table), "1")
    guess = asked(board)
    assert "1 bull. **And how many cows?**" in text(board)
    assert buttons(board) == ["0", "1", "2", "3", "Change bulls", "How to play"]
    board = await press(table.ann, board, "Change bulls")
    assert "**How many bulls?**" in text(board)
    old = await post(table.world, button("bc:d:4:1:ab", "Then"), button("bc:d:4:1:abb", "Bulls"))
    assert asked(seen(await table.ann.click(old, label="Then"))) == asked(
        await press(table.ann, seen(await table.ann.click(old, label="Bulls")), "Change bulls")
    )
    assert asked(board) == guess
    board = await press(table.ann, board, "3")
    assert f" 1 {guess} 3B0C\n 2 " in text(board)


async def test_a_wrong_answer_about_a_number_is_found_and_corrected(table: Table) -> None:
    board = await answer(table.ann, await opened(table), 0, 0)
    # Of ten digits, four are out; four others leave too few.
    board = await answer(table.ann, board, 0, 0)
    assert "⚠️ **No number fits these 2 answers together:**" in text(board)
    assert "✏️" not in text(board)  # it may be either
    assert buttons(board) == ["How to play"]
    (picked,) = [each for each in custom_ids(board) if each.startswith("bc:pick")]
    await table.restart()
    fix = seen(await table.ann.select(board, ["1"], custom_id=picked))
    assert "You answered 0B0C to **guess 2**, `" in text(fix)
    assert "Compare it with:\n```\n 1 " in text(fix)
    kept = await press(table.ann, fix, "Back to the game")
    assert "⚠️ **No number fits" in text(kept)
    fix = seen(await table.ann.select(kept, ["1"], custom_id=custom_ids(kept)[0]))
    board = await answer(table.ann, fix, 1, 1)
    assert "⚠️" not in text(board)
    assert text(board).count("0B0C") == 1
    assert " 2 " in text(board)
    assert "Correct an answer" in buttons(board)
    chosen = await press(table.ann, board, "Correct an answer")
    assert "How many bulls?" not in text(chosen)
    assert "**How many bulls?**" in text(await press(table.ann, chosen, "Back to the game"))


async def test_the_bot_breaks_a_sealed_number_without_asking_for_answers(table: Table) -> None:
    board = await typed(table.ann, await opened(table), "1123", "Enter my number instead")
    assert "`1123` has `1` twice, but all digits must differ." in text(board)
    board = await typed(table.ann, board, SECRET, "Enter the number again")
    assert "🔒 The sealed number is one of 5,040." in text(board)
    assert buttons(board) == ["Next", "All", "How to play"]
    again = await typed(table.ann, await opened(table), SECRET, "Enter my number instead")
    hidden = {custom_ids(each)[0].split(":")[4] for each in (board, again)}
    assert hidden != {SECRET}  # by chance one may look like it
    board = await press(table.ann, board, "Next")
    if "with its first guess" in text(board):  # one in 5,040 is found so
        board = await press(table.ann, again, "Next")
    first = text(board)
    assert " 1 " in first
    assert "still possible" in first
    await table.restart()
    board = await press(table.ann, board, "All")
    assert f" {SECRET} 4B0C" in text(board)
    assert "The bot found your number in" in text(board)
    assert buttons(board) == ["Enter another number", "Play again", "How to play"]


async def test_the_bots_guesses_are_shown_in_tiles_and_wrong_answers_are_marked(
    table: Table,
) -> None:
    await table.bot.upload_tiles()
    board = await opened(table)
    first = names(board)
    assert [name[1] for name in first] == ["u"] * 4
    board = await answer(table.ann, board, 0, 0)
    assert names(board)[:5] == [*first, "00"]
    assert [name[1] for name in names(board)[5:]] == ["u"] * 4
    board = await answer(table.ann, board, 0, 0)
    assert names(board).count("00") == 2
    sealed = await typed(table.ann, await opened(table), SECRET, "Enter my number instead")
    board = await press(table.ann, sealed, "All")
    assert names(board)[-1] == "40"


async def test_a_rated_duel_stops_the_bot_from_guessing_a_players_numbers_of_the_same_length(
    table: Table,
) -> None:
    before = await opened(table)
    sealed = await typed(table.ann, await opened(table), SECRET, "Enter my number instead")
    form = await table.ann.click(await opened(table), label="Enter my number instead")
    asks = f"You're in a rated duel with {table.ben.mention} (4 digits, all different)."
    duel = await playing(table)
    for shown in (
        await opened(table),
        await opened(table, repeats=True),
        await press(table.ann, before, "0"),
        await press(table.ann, before, "Enter my number instead"),
        seen(await table.ann.submit_modal(form, {"number": SECRET})),
        await press(table.ann, sealed, "All"),
    ):
        assert shown.ephemeral
        assert asks in text(shown)
        assert buttons(shown) == ["Let it pick a number"]
    card = await press(table.ann, seen(await table.ann.slash(table.channel, "play")), "Together")
    card = await press(table.ann, card, "Duel")
    assert asks in text(await press(table.ann, card, "Defend a number"))
    table.clock.advance(seconds=10)
    drawn = await press(table.ann, shown, "Let it pick a number")
    assert text(drawn).startswith("### Bulls and Cows: the bot guesses a random number")
    assert "🔒 The sealed number is one of " in text(drawn)
    await table.restart()
    drawn = await press(table.ann, drawn, "All")  # just the first guess may be right, by chance
    assert "**The bot found the number in " in text(drawn)
    assert buttons(drawn) == ["Let it pick another", "How to play"]
    # Other numbers, and players who are in no such duel, are another matter.
    for digits in (3, 5):
        assert "**Think of a number**" in text(await opened(table, digits=digits))
    third = table.world.members[2]
    board = await opened(table, who=third)
    assert "**Think of a number**" in text(board)
    asking = await more(table.ann, duel, "Call it off")
    await press(table.ann, asking, "Yes, call it off")
    assert "how many cows?" in text(await press(table.ann, before, "0"))


async def test_a_player_in_a_rated_duel_cannot_choose_their_own_number_against_the_bot(
    table: Table,
) -> None:
    await playing(table)
    page = await with_bot(table)
    refused = await press(table.ann, page, "Set my number")
    assert "You're in a rated duel with" in text(refused)
    assert buttons(refused) == ["Pick a number for me"]
    page = await press(table.ann, refused, "Pick a number for me")
    assert "Guess" in buttons(page)


async def test_an_old_button_with_an_impossible_answer_about_a_number_changes_nothing(
    table: Table,
) -> None:
    old = await post(
        table.world,
        button("bc:d:4:1:df", "Impossible"),
        button("bc:k:4:1:11235:3", "No number"),
    )
    shown = seen(await table.ann.click(old, label="Impossible"))
    assert "5,040 numbers are still possible." in text(shown)
    shown = seen(await table.ann.click(old, label="No number"))
    assert "has 5 digits" in text(shown)
