"""`/play`: one private card that says what is new, and leads to everything."""

from typing import Any

import pytest
from simcord import MemberActor, ResponseMessage

from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    accept,
    challenge,
    playing,
    press,
    resign,
    to_move,
    typed,
)
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.table import SECRET, Table

DOORS = ["Today", "Together", "Practice", "Mastermind", "My games", "Stats", "Help"]
FIRST_DOORS = ["Today", "Together", "Warm up", "Mastermind", "My games", "Stats", "Help"]
BLUE = 1


async def card(table: Table, who: MemberActor | None = None) -> ResponseMessage:
    """Open the card."""
    found = seen(await (who or table.ann).slash(table.channel, "play"))
    assert found.ephemeral
    return found


def blue(message: ResponseMessage) -> list[str]:
    """The buttons that stand out."""
    return [part["label"] for part in parts(message) if part.get("style") == BLUE]


async def test_the_play_command_welcomes_a_newcomer_and_opens_no_game(table: Table) -> None:
    found = await card(table)
    assert text(found) == (
        "### Welcome! Today's puzzle is waiting\n"
        "Each day, find a hidden equation in six guesses. Only you can see them."
    )
    assert buttons(found) == FIRST_DOORS
    assert blue(found) == ["Today"]
    assert "None." in text(await press(table.ann, found, "My games"))
    assert "FoCdle practice\n-# 7 symbols" in text(
        await press(table.ann, await card(table), "Warm up")
    )
    assert buttons(await card(table)) == DOORS


async def test_the_play_card_shows_the_state_of_todays_puzzle(table: Table) -> None:
    await table.focdle(table.ann, puzzle="1")
    found = await card(table)
    assert text(found).startswith("### FoCdle #324 is waiting\nNov 20, 2026 · 10 symbols")
    board = await press(table.ann, found, "Today")
    assert board.id == found.id
    assert "### FoCdle #324" in text(board)
    await table.guess(table.ann, board, "12+34-5=41")
    under_way = text(found := await card(table))
    assert "### FoCdle #324 is under way\n" in under_way
    assert under_way.endswith("\n5 guesses left.")
    assert blue(found) == ["Today"]
    await table.focdle(table.ann, guess=SECRET)
    found = await card(table)
    midnight = int(table.clock.now().replace(hour=0).timestamp()) // 86400 * 86400 + 86400
    assert text(found) == (
        "### FoCdle #324 is solved\n"
        f"In **2 of 6**. The next one comes <t:{midnight}:R>.\n"
        "🔥 **1 day** in a row."
    )
    assert blue(found) == ["Together"]
    alone = seen(await table.ann.user.slash("play"))
    assert blue(alone) == ["Practice"]
    table.clock.advance(days=1)
    assert "🔥 **1 day** in a row: make it 2 today." in text(await card(table))


async def test_the_play_card_after_a_loss_does_not_promise_a_longer_streak(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    table.clock.advance(days=1)
    play = await table.services.daily.open(table.ann.id, table.ann.guild.id)
    for last in range(1, 7):
        guess = f"12+34-{last}={46 - last}"
        await table.services.daily.guess(table.ann.id, play.id, guess)
    found = text(await card(table))
    assert found.startswith("### FoCdle #325 got away\nThe next one comes <t:")
    assert "make it" not in found


async def test_games_where_it_is_the_players_turn_are_counted_and_listed_first(
    table: Table,
) -> None:
    await table.focdle(table.ben, guess=SECRET)
    board = await challenge(table)
    found = await card(table, table.ben)
    assert "⚔️ Your turn in **1 game**." in text(found)
    assert text(found).startswith("⚔️ Your turn")
    assert blue(found) == ["Open"]
    assert "Your turn in" not in text(await card(table))
    await accept(table.ben, board)
    turns = [("Your turn in" in text(await card(table, who))) for who in (table.ann, table.ben)]
    assert sorted(turns) == [False, True]
    challenged = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    await table.ann.submit_modal(challenged, {"code": "rygb"})
    count = 1 + turns[1]
    noun = "game" if count == 1 else "games"
    assert f"⚔️ Your turn in **{count} {noun}**." in text(await card(table, table.ben))


async def test_running_games_are_first_on_the_play_card_and_can_be_opened_there(
    table: Table,
) -> None:
    board = await playing(table)
    mover, other = to_move(table, board)
    found = await card(table, mover)
    at = int(table.clock.now().timestamp()) + 24 * 3600
    assert text(found).startswith(
        "⚔️ Your turn in **1 game**.\n"
        f"**Duel with <@{other.id}>**\n"
        f"-# **your turn** · time runs out <t:{at}:R>\n"
        "### FoCdle #324 is waiting\n"
        "Each day, find a hidden equation in six guesses"
    )
    assert buttons(found)[:2] == ["Open", "Today"]
    opened = await press(mover, found, "Open")
    assert opened.id == found.id
    assert "### Your notebook" in text(opened)
    waits = await card(table, other)
    assert text(waits).startswith(
        f"**Duel with <@{mover.id}>**\n-# waiting · time runs out <t:{at}:R>\n"
    )
    assert "Welcome" not in text(waits)
    assert blue(waits) == ["Today"]


async def test_a_player_is_no_newcomer_after_a_first_game(table: Table) -> None:
    board = await playing(table)
    who, _ = to_move(table, board)
    await typed(who, board, WRONG[0])
    await resign(who, board)
    shown = text(await card(table, who))
    assert shown.startswith("### FoCdle #324 is waiting\nEach day, find a hidden equation")


@pytest.mark.parametrize(
    ("door", "command", "options"),
    [
        ("Today", "focdle", {}),
        ("Practice", "practice", {}),
        ("Stats", "stats", {}),
        ("Help", "help", {}),
    ],
)
async def test_a_door_of_the_play_card_replaces_the_card_by_the_page_of_its_command(
    table: Table, door: str, command: str, options: dict[str, Any]
) -> None:
    shown = seen(await table.ann.slash(table.channel, command, **options))
    found = await card(table)
    after = await press(table.ann, found, door)
    assert after.id == found.id
    assert text(after) == text(shown)
    assert buttons(after) == buttons(shown)


@pytest.mark.parametrize("way", ["Play", "Defend"])
async def test_the_mastermind_button_asks_for_a_kind_of_game_and_has_a_way_back(
    table: Table, way: str
) -> None:
    found = await card(table)
    page = await press(table.ann, found, "Mastermind")
    assert buttons(page) == ["Play", "Defend", "◀ Back"]
    assert buttons(await press(table.ann, page, "◀ Back")) == FIRST_DOORS
    await press(table.ann, found, "Mastermind")
    board = await press(table.ann, found, way)
    assert board.id == found.id
    shown = seen(await table.ann.slash(table.channel, f"mastermind {way.lower()}"))
    assert text(board) == text(shown)


async def test_the_duel_button_offers_a_member_or_the_bot(table: Table) -> None:
    found = await card(table)
    page = await press(table.ann, await press(table.ann, found, "Together"), "Duel")
    bots = ["Casual", "Sharp", "Perfect"]
    assert buttons(page) == ["Anybody here?", *bots, "Defend a number", "◀ Back"]
    assert blue(page) == ["Anybody here?"]
    (members,) = [each for each in custom_ids(page) if each == "play:opponent"]
    form = await table.ann.select(page, [table.ben], custom_id=members)
    assert form.modal is not None
    board = seen(await table.ann.submit_modal(form, {"number": NUMBERS[0]}))
    assert not board.ephemeral
    assert f"<@{table.ben.id}>" in text(board)
    own = seen(await table.ann.select(page, [table.ann], custom_id=members))
    assert own.ephemeral
    duel = await press(table.ann, page, "Casual")
    assert duel.id == found.id
    assert "casual bot" in text(duel)


async def test_the_duel_button_offers_only_the_bot_where_there_are_no_members(table: Table) -> None:
    found = seen(await table.ann.user.slash("play"))
    page = seen(await table.ann.user.click(found, label="Duel"))
    assert buttons(page) == ["Casual", "Sharp", "Perfect", "Defend a number", "◀ Back"]
    assert "play:opponent" not in custom_ids(page)
    assert "Here you play me." in text(page)
    assert blue(page) == ["Sharp"]


async def test_the_play_card_leads_to_games_for_the_whole_channel(table: Table) -> None:
    card = seen(await table.ann.slash(table.channel, "play"))
    together = seen(await table.ann.click(card, label="Together"))
    assert blue(together) == ["Duel"]
    assert buttons(together) == [
        "Duel",
        "Set an equation",
        "Race: FoCdle",
        "Race: Mastermind",
        "Race: Bulls and Cows",
        "◀ Back",
    ]
    form = await table.ann.click(together, label="Set an equation")
    assert form.modal is not None
    lobby = seen(await table.ann.click(together, label="Race: Mastermind"))
    assert "Race: Mastermind" in text(lobby)
