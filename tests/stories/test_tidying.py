"""*Tidy up* in `/play`: what is only a player's goes from the list, and what waits stands out."""

from collections.abc import Awaitable
from pathlib import Path

import discord
import pytest
from simcord import MemberActor, ResponseMessage

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from tests.support.duel_stories import press
from tests.support.masterminds import secret_of
from tests.support.screen import buttons, my_games, parts, seen, text
from tests.support.table import SECRET, Table

BLUE, GREY = discord.ButtonStyle.primary.value, discord.ButtonStyle.secondary.value
EMPTY = "### Unfinished games\nAll tidy."


async def games(table: Table, who: MemberActor) -> ResponseMessage:
    return await my_games(who, table.channel)


async def tidying(table: Table, who: MemberActor) -> ResponseMessage:
    return await press(who, await games(table, who), "Remove games")


async def finished(table: Table, who: MemberActor) -> str:
    return text(await press(who, await games(table, who), "Finished games"))


def titles(page: ResponseMessage) -> list[str]:
    return [line.strip("*") for line in text(page).splitlines() if line.startswith("**")]


def colours(page: ResponseMessage) -> list[tuple[str, int]]:
    """Each game on a list, and the colour of its *Open*."""
    sections = [part for part in parts(page) if part["type"] == 9]
    return [
        (part["components"][0]["content"].split("**")[1], part["accessory"]["style"])
        for part in sections
    ]


# FoCdle.


@pytest.mark.parametrize("guess", [None, "12+34-5=41"])
async def test_a_dismissed_archived_puzzle_leaves_the_list_until_it_is_opened_again(
    table: Table, guess: str | None
) -> None:
    options = {} if guess is None else {"guess": guess}
    await table.focdle(table.ann, puzzle="300", **options)
    tidy = await tidying(table, table.ann)
    assert buttons(tidy) == ["Remove", "Done"]
    await table.restart()
    emptied = await press(table.ann, tidy, "Remove")
    assert emptied.id == tidy.id
    assert text(emptied) == EMPTY
    assert buttons(await press(table.ann, emptied, "Done"))[-2:] == ["Finished games", "◀ Back"]
    assert "None yet." in await finished(table, table.ann)
    board = await table.focdle(table.ann, puzzle="300")
    assert ("5 guesses left." in text(board)) == (guess is not None)
    assert titles(await games(table, table.ann)) == ["FoCdle #300, Oct 27, 2026"]


async def test_a_practice_without_a_guess_is_dismissed_at_once_and_another_one_opens(
    table: Table,
) -> None:
    first = await table.services.practice.open(table.ann.id, None, 7)
    emptied = await press(table.ann, await tidying(table, table.ann), "Remove")
    assert text(emptied) == EMPTY
    assert "None yet." in await finished(table, table.ann)
    second = await table.services.practice.open(table.ann.id, None, 7)
    assert second.id != first.id


async def test_a_practice_with_a_guess_is_given_up_only_after_a_confirmation(table: Table) -> None:
    play = await table.services.practice.open(table.ann.id, None, 10)
    await table.services.daily.guess(table.ann.id, play.id, "12+34-5=41")
    tidy = await tidying(table, table.ann)
    asked = await press(table.ann, tidy, "End …")
    assert text(asked) == ("**FoCdle practice**\n-# 10 symbols · 1/6\n**End it for good?**")
    kept = await press(table.ann, asked, "Keep it")
    assert titles(kept) == ["FoCdle practice"]
    asked = await press(table.ann, kept, "End …")
    await table.restart()
    assert text(await press(table.ann, asked, "Yes, end it")) == EMPTY
    assert "❌ **FoCdle practice**\n-# given up · " in await finished(table, table.ann)


async def test_todays_puzzle_cannot_be_dismissed(table: Table) -> None:
    board = await table.focdle(table.ann, guess="12+34-5=41")
    assert buttons(await games(table, table.ann)) == ["Open", "Finished games", "◀ Back"]
    play = (await table.services.practice.unfinished(table.ann.id))[0].play_id
    await table.services.practice.dismiss(table.ann.id, play)
    assert titles(await games(table, table.ann)) == ["FoCdle #324, Nov 20, 2026"]
    # Its date over, it is like any other; what was solved is on another list.
    table.clock.advance(days=1)
    await press(table.ann, await tidying(table, table.ann), "Remove")
    solved = await table.guess(table.ann, board, SECRET)
    assert "Solved in 2 of 6" in text(solved)
    await table.services.practice.dismiss(table.ann.id, play)
    assert "FoCdle #324" in await finished(table, table.ann)


# Mastermind.


async def test_dismissing_a_mastermind_with_a_guess_asks_for_confirmation(
    table: Table, tmp_path: Path
) -> None:
    solo = table.services.mastermind.solo
    game = await solo.open(table.ann.id, Setting())
    assert text(await press(table.ann, await tidying(table, table.ann), "Remove")) == EMPTY
    assert "None yet." in await finished(table, table.ann)
    game = await solo.open(table.ann.id, Setting())
    wrong = "RRGG" if secret_of(tmp_path, game.id) != "RRGG" else "BBYY"
    await solo.guess(table.ann.id, game.id, wrong)
    asked = await press(table.ann, await tidying(table, table.ann), "End …")
    assert text(asked).endswith("**Give up?** You'll see the code.")
    assert text(await press(table.ann, asked, "Yes, end it")) == EMPTY
    assert "❌ **Mastermind**\n-# given up · " in await finished(table, table.ann)


async def test_games_in_which_the_bot_guesses_can_be_dismissed(table: Table) -> None:
    mastermind, player = table.services.mastermind, table.ann.id
    sealed = await mastermind.defence.open_sealed(player, Setting(), "RGBY")
    await mastermind.defence.step(player, sealed.game.id, 0)
    tidy = await tidying(table, table.ann)
    assert titles(tidy) == ["Mastermind: the bot breaks your sealed code"]
    first = f"games:ask:defend:{sealed.game.id}:0"
    asked = seen(await table.ann.click(tidy, custom_id=first))
    assert text(asked).endswith("**End it for good?**")
    assert text(await press(table.ann, asked, "Yes, end it")) == EMPTY
    over = await finished(table, table.ann)
    assert over.count("-# ended by you · ") == 1
    view = await mastermind.defence.view(player, sealed.game.id)
    assert (view.game.ending, len(view.game.turns)) == ("surrendered", 1)


async def test_a_game_in_which_another_player_waits_cannot_be_dismissed(table: Table) -> None:
    ann, ben = table.ann, table.ben
    between = (ann.id, ben.id, ann.guild.id, table.channel.id)
    await table.services.mastermind.challenges.invite(Invitation(*between), Setting(), "RGBY")
    await table.services.duels.inviting.challenge(Challenge(ann.id, None), DuelOptions())
    for who in (ann, ben):
        page = await games(table, who)
        assert "Open" in buttons(page)
        assert "Remove games" not in buttons(page)


# Clicks that come late, or from somebody else.


async def test_an_outdated_list_of_games_does_not_end_a_game_solved_meanwhile(table: Table) -> None:
    play = await table.services.practice.open(table.ann.id, None, 10)
    await table.services.daily.guess(table.ann.id, play.id, "12+34-5=41")
    older, newer = [await tidying(table, table.ann) for _ in range(2)]
    asked = await press(table.ann, newer, "End …")
    solved = await table.services.daily.guess(table.ann.id, play.id, play.game.secret)
    assert text(await press(table.ann, older, "End …")) == EMPTY
    assert text(await press(table.ann, asked, "Yes, end it")) == EMPTY
    assert await table.services.daily.view(table.ann.id, play.id) == solved


async def test_two_simultaneous_clicks_on_dismiss_both_show_the_list_without_the_game(
    table: Table,
) -> None:
    await table.focdle(table.ann, puzzle="300")
    pages = [await tidying(table, table.ann) for _ in range(2)]
    clicks: list[Awaitable[object]] = [table.ann.click(page, label="Remove") for page in pages]
    await table.at_once(clicks)
    assert [text(page) for page in pages] == [EMPTY, EMPTY]


# What stands out.


async def test_a_game_that_waits_for_the_player_is_listed_first_with_a_blue_button(
    table: Table,
) -> None:
    ann, ben = table.ann, table.ben
    await table.focdle(ben, puzzle="300")
    table.clock.advance(minutes=1)
    await table.focdle(ben)
    between = (ann.id, ben.id, ann.guild.id, table.channel.id)
    await table.services.mastermind.challenges.invite(Invitation(*between), Setting(), "RGBY")
    await table.services.mastermind.solo.open(ben.id, Setting())
    assert colours(await games(table, ben)) == [
        (f"Mastermind: <@{ann.id}>'s challenge to you", BLUE),
        ("FoCdle #324, Nov 20, 2026", GREY),
        ("Mastermind", GREY),
        ("FoCdle #300, Oct 27, 2026", GREY),
    ]
    assert colours(await games(table, ann)) == [
        (f"Mastermind: your challenge to <@{ben.id}>", GREY)
    ]
