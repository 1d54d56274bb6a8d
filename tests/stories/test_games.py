"""Finished games as a member meets them: found under `/play`, page by page, opened in private."""

from pathlib import Path

import pytest
from simcord import MemberActor, ResponseMessage

from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from tests.support.duel_stories import number_of, playing, press, to_move, typed
from tests.support.masterminds import secret_of
from tests.support.screen import buttons, my_games, text
from tests.support.table import SECRET, Table


async def finished(table: Table, who: MemberActor) -> ResponseMessage:
    """A member's list, by way of `/play`."""
    return await press(who, await my_games(who, table.channel), "Finished games")


def titles(page: ResponseMessage) -> list[str]:
    """The first line of each game in a list."""
    return [line for line in text(page).splitlines() if "**" in line]


async def solve_one(table: Table, number: int) -> None:
    """Ann solves a puzzle of the archive with her first guess."""
    play = await table.services.daily.open(table.ann.id, None, puzzle=str(number))
    await table.services.daily.guess(table.ann.id, play.id, play.game.secret)
    table.clock.advance(minutes=1)


async def test_a_player_without_open_games_is_led_to_all_that_can_be_played(table: Table) -> None:
    games = await my_games(table.ann, table.channel)
    assert text(games) == "### Unfinished games\nNone."
    assert buttons(games) == ["Finished games", "◀ Back"]
    page = await press(table.ann, games, "Finished games")
    assert page.id == games.id
    assert text(page) == ("### Finished games\nNone yet.")
    back = await press(table.ann, page, "Unfinished games")
    assert back.id == games.id
    assert "### Unfinished games" in text(back)


async def test_a_listed_focdle_is_opened_beside_the_list(table: Table) -> None:
    await table.focdle(table.ann, guess="12+34-5=41")
    await table.focdle(table.ann, guess=SECRET)
    page = await finished(table, table.ann)
    assert page.ephemeral
    at = int(table.clock.now().timestamp())
    assert text(page) == (
        "### Finished games\n"
        "✅ **FoCdle #324, Nov 20, 2026**\n"
        f"-# solved in 2 of 6 · <t:{at}:R> · 10 symbols"
    )
    assert SECRET not in text(page)
    await table.restart()
    board = await press(table.ann, page, "Open")
    assert board.ephemeral
    assert board.id != page.id
    assert "Solved in 2 of 6 ·" in text(board)
    assert buttons(board) == ["Share", "Coach", "More"]
    board = await press(table.ann, board, "More")
    assert "### Finished games" in text(page)
    verified = await press(table.ann, board, "Is it fair?")
    assert SECRET in text(verified)


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("play", "✅ **Mastermind**"),
        ("defend", "🤖 **Mastermind: the bot breaks your sealed code**"),
    ],
    ids=["play", "defend"],
)
async def test_a_listed_mastermind_is_opened_with_its_coach_and_verify_buttons(
    table: Table, tmp_path: Path, kind: str, title: str
) -> None:
    await finish(table, tmp_path, kind)
    page = await finished(table, table.ann)
    assert titles(page) == [title]
    shown = await press(table.ann, page, "Open")
    assert shown.id != page.id
    assert {"Coach", "More" if kind == "play" else "Is it fair?"} <= set(buttons(shown))


async def test_both_players_open_a_listed_challenge_in_private(table: Table) -> None:
    await challenged(table)
    for who, title in (
        (table.ann, f"❌ **Mastermind: your challenge to <@{table.ben.id}>**"),
        (table.ben, f"✅ **Mastermind: <@{table.ann.id}>'s challenge to you**"),
    ):
        page = await finished(table, who)
        assert titles(page) == [title]
        copy = await press(who, page, "Open")
        assert copy.ephemeral
        assert {"Coach", "Is it fair?"} <= set(buttons(copy))


async def test_a_listed_duel_is_opened_as_the_players_own_page(table: Table) -> None:
    board = await playing(table, mode="classic")
    mover, other = to_move(table, board)
    await typed(mover, board, number_of(table, other))
    for who, title, again in (
        (mover, f"🏆 **Duel with <@{other.id}>**", "Rematch"),
        (other, f"❌ **Duel with <@{mover.id}>**", "Rematch"),
    ):
        page = await finished(table, who)
        assert titles(page) == [title]
        assert not any(number in text(page) for number in ("0123", "4567"))
        own = await press(who, page, "Open")
        assert own.ephemeral
        assert {again, "Coach", "More"} <= set(buttons(own))


async def test_the_pages_of_the_list_of_games_can_be_turned_after_a_restart(table: Table) -> None:
    for number in range(1, 22):
        await solve_one(table, number)
    page = await finished(table, table.ann)
    assert titles(page)[0] == "✅ **FoCdle #21, Jan 21, 2026**"
    assert len(titles(page)) == 10
    assert "-# Page 1 of 3" in text(page)
    assert buttons(page)[-3:] == ["◀ Newer", "Older ▶", "Unfinished games"]
    await table.restart()
    page = await press(table.ann, page, "Older ▶")
    assert titles(page)[0] == "✅ **FoCdle #11, Jan 11, 2026**"
    page = await press(table.ann, page, "Older ▶")
    assert titles(page) == ["✅ **FoCdle #1, Jan 1, 2026**"]
    page = await press(table.ann, page, "◀ Newer")
    assert "-# Page 2 of 3" in text(page)


async def test_turning_the_pages_of_finished_games_after_a_deletion_shows_an_empty_list(
    table: Table,
) -> None:
    for number in range(1, 12):
        await solve_one(table, number)
    page = await press(table.ann, await finished(table, table.ann), "Older ▶")
    assert len(titles(page)) == 1
    await table.services.privacy.players.delete(table.ann.id, "DELETE")
    emptied = await press(table.ann, page, "◀ Newer")
    assert "None yet." in text(emptied)


async def test_a_listed_game_deleted_meanwhile_is_said_to_be_deleted(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    page = await finished(table, table.ann)
    before = text(page)
    await table.services.privacy.players.delete(table.ann.id, "DELETE")
    answer = await press(table.ann, page, "Open")
    assert answer.ephemeral
    assert answer.id != page.id
    assert SECRET not in text(answer)
    assert text(answer).startswith("That game is gone.")
    assert text(page) == before


async def finish(table: Table, folder: Path, kind: str) -> None:
    """Let Ann finish one game of a kind."""
    mastermind, player = table.services.mastermind, table.ann.id
    if kind == "play":
        game = await mastermind.solo.open(player, Setting())
        await mastermind.solo.guess(player, game.id, secret_of(folder, game.id))
    else:
        game = (await mastermind.defence.open_sealed(player, Setting(), "RGBY")).game
        await mastermind.defence.finish(player, game.id)


async def challenged(table: Table) -> None:
    """A challenge of Ann's that Ben has broken."""
    challenges = table.services.mastermind.challenges
    between = (table.ann.id, table.ben.id, table.ann.guild.id, table.channel.id)
    view = await challenges.invite(Invitation(*between), Setting(), "RGBY")
    await challenges.accept(table.ben.id, view.game.id, Setting())
    await challenges.guess(table.ben.id, view.game.id, "RGBY")
