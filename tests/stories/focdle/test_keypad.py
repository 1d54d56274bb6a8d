"""*Keypad* leads from a board to the page, where the host has one."""

import re
from pathlib import Path
from typing import Any

import pytest
from simcord import MemberActor, ResponseMessage

from bot.games.model import Channel, GameName
from bot.moderation.game import USER
from bot.page.game import digest_of
from cogs.ui import replies
from tests.support.forging import enter, forge_click
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.simcord_gaps import let_launch
from tests.support.sql import overheard, sql
from tests.support.table import Table

URL = "https://focdle.example.org"


def link_on(message: ResponseMessage) -> str:
    (found,) = links_on(message)
    return found


def links_on(message: ResponseMessage) -> list[str]:
    return [part["url"] for part in parts(message) if part.get("url")]


def here_of(table: Table) -> Channel:
    return Channel(table.ann.guild.id, table.channel.id)


def ticket_in(message: ResponseMessage) -> str:
    return link_on(message).partition("/#")[2].partition(".")[0]


async def test_a_board_has_no_keypad_button_without_a_web_page(table: Table) -> None:
    assert "Keypad" not in buttons(await table.focdle(table.ann))


async def test_the_keypad_button_gives_a_private_link_to_the_players_board_on_the_web_page(
    table: Table,
) -> None:
    await table.restart(web_url=URL)
    board = await table.focdle(table.ann)
    assert buttons(board)[:2] == ["Guess", "Keypad"]
    answer = seen(await table.ann.click(board, label="Keypad"))
    assert answer.ephemeral
    assert "to yourself" in text(answer)
    address, _, ticket = link_on(answer).partition("/#")
    assert address == URL
    token, _, shown = ticket.partition(".")
    looked = await table.services.sessions.look(token)
    assert looked.place == shown
    assert (looked.player_id, looked.channel) == (table.ann.id, here_of(table))
    play = await table.services.daily.view(table.ann.id, GameName.read(shown).id)
    assert not play.game.turns


async def test_the_keypad_button_gives_no_link_to_a_stranger_or_to_a_web_page_that_is_gone(
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


async def test_signing_out_everywhere_in_preferences_ends_only_the_players_own_sessions(
    table: Table,
) -> None:
    await table.restart(web_url=URL)
    sessions = table.services.sessions
    kept: list[str] = []
    for who in (table.ann, table.ann, table.ben):
        answer = seen(await who.click(await table.focdle(who), label="Keypad"))
        kept.append(await sessions.enter(ticket_in(answer)))
    assert "Keypad" in text(seen(await table.ann.slash(table.channel, "privacy")))
    rest = await more_preferences(table, table.ann)
    assert "**Keypad: open in 2 browsers**" in text(rest)
    (custom_id,) = [each for each in custom_ids(rest) if each.startswith("pref:signout")]
    await forge_click(table.ben, table.channel, custom_id)
    assert all([await sessions.find(each) for each in kept])
    shown = seen(await table.ann.click(rest, label="Sign out everywhere"))
    assert shown.id == rest.id
    assert "**Keypad: signed out everywhere**" in text(shown)
    assert [await sessions.find(each) is not None for each in kept] == [False, False, True]
    for again in (shown, await more_preferences(table, table.ann)):
        assert "Sign out everywhere" not in buttons(again)


async def test_preferences_and_privacy_do_not_mention_the_keypad_without_a_web_page(
    table: Table,
) -> None:
    await table.restart(web_url=URL)
    answer = seen(await table.ann.click(await table.focdle(table.ann), label="Keypad"))
    await table.services.sessions.enter(ticket_in(answer))
    await table.restart()
    for shown in (
        await more_preferences(table, table.ann),
        seen(await table.ann.slash(table.channel, "privacy")),
    ):
        assert "eypad" not in text(shown)


async def more_preferences(table: Table, who: MemberActor) -> ResponseMessage:
    panel = seen(await who.slash(table.channel, "preferences"))
    return seen(await who.click(panel, label="More"))


async def test_a_bot_without_a_web_page_reads_no_table_of_tickets_or_sessions(
    table: Table,
) -> None:
    said = list[str]()
    with overheard(lambda statement, _: said.append(statement)):
        await table.restart()
        await table.focdle(table.ann, guess="41-3+27=65")
    assert any("guesses" in each for each in said)
    # What goes through whatever names a server, for departed ones, and what deletes the expired
    # find these tables empty.
    read = [each for each in said if not each.startswith("DELETE") and "card_rows" not in each]
    assert not [each for each in read if "web_" in each]


async def test_the_keypad_button_opens_the_board_in_an_activity_within_discord(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched = let_launch(monkeypatch)
    await table.restart(web_url=URL, has_activity=True)
    board = await table.focdle(table.ann)
    assert not (await table.ann.click(board, label="Keypad")).followups
    (instance,) = launched
    sessions = table.services.sessions
    noted = await sessions.find_launch(table.ann.id, instance)
    assert noted is not None
    play = await table.services.daily.view(table.ann.id, GameName.read(noted.place or "").id)
    assert (play.puzzle and play.puzzle.number, noted.channel) == (324, here_of(table))
    assert await sessions.find_launch(table.ben.id, instance) is None
    (custom_id,) = [part["custom_id"] for part in parts(board) if part.get("label") == "Keypad"]
    forged = seen(await forge_click(table.ben, table.channel, custom_id))
    assert "somebody else's" in text(forged)
    assert len(launched) == 1
    table.clock.advance(minutes=10)
    assert await sessions.find_launch(table.ann.id, instance) is None


def refuse_launch(table: Table, code: int) -> None:
    """Let Discord refuse the next answer."""
    table.env.inject_error("POST", "/interactions/*/*/callback", status=400, code=code)


async def test_the_keypad_button_gives_a_link_to_the_activity_where_no_click_can_launch_it(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await table.restart(web_url=URL, has_activity=True)
    board, shown = await table.focdle(table.ann), list[Any]()
    whisper = replies.whisper

    async def noted_before(interaction: Any, page: Any) -> None:
        shown.append(sql(tmp_path, "SELECT player_id FROM web_tickets"))
        await whisper(interaction, page)

    monkeypatch.setattr(replies, "whisper", noted_before)
    refuse_launch(table, 50024)
    answer = seen(await table.ann.click(board, label="Keypad"))
    assert shown == [[(table.ann.id,)]]
    assert answer.ephemeral
    found = re.fullmatch(
        r"https://discord\.com/activities/(\d+)\?custom_id=([0-9a-f]{64})", link_on(answer)
    )
    assert found is not None
    assert int(found[1]) == table.bot.application_id
    assert await table.services.sessions.find_launch(table.ann.id, found[2])


async def test_the_bot_answers_the_command_of_its_activity_and_knows_what_it_has_launched(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched = let_launch(monkeypatch)
    refused = seen(await enter(table.ann, table.channel))
    assert (refused.ephemeral, text(refused)) == (True, "Unknown command. Try `/help`.")
    await table.restart(web_url=URL, has_activity=True)
    assert not (await enter(table.ann, table.channel)).followups
    (instance,) = launched
    sessions = table.services.sessions
    noted = await sessions.find_launch(table.ann.id, instance)
    assert noted is not None
    assert (noted.channel, noted.place) == (here_of(table), None)
    assert await sessions.instances() == {digest_of(instance)}
    await table.services.privacy.keeping_out.keep_out(USER, table.ben.id)
    await table.services.moderation.refresh()
    assert "closed to you" in text(seen(await enter(table.ben, table.channel)))
    assert len(launched) == 1


async def test_the_command_of_the_activity_gives_a_link_where_nothing_can_be_launched(
    table: Table,
) -> None:
    await table.restart(web_url=URL, has_activity=True)
    refuse_launch(table, 50024)
    launch = link_on(seen(await enter(table.ann, table.channel))).partition("?custom_id=")[2]
    assert await table.services.sessions.find_launch(table.ann.id, launch)
    assert await table.services.sessions.instances() == {digest_of(launch)}


async def test_the_keypad_button_gives_a_link_to_the_web_page_where_activities_are_off(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    for starts in (1, 2):
        await table.restart(web_url=URL, has_activity=True)
        board = await table.focdle(table.ann)
        for _ in range(2):
            refuse_launch(table, 50234)
            answer = seen(await table.ann.click(board, label="Keypad"))
            assert link_on(answer).startswith(f"{URL}/#")
        assert caplog.text.count("Discord launches no Activity (50234)") == starts


async def test_a_mastermind_has_a_keypad_button_to_its_board_on_the_web_page(table: Table) -> None:
    await table.restart(web_url=URL)
    board = seen(await table.ann.slash(table.channel, "mastermind play"))
    (custom_id,) = [part["custom_id"] for part in parts(board) if part.get("label") == "Keypad"]
    assert "somebody else" in text(seen(await forge_click(table.ben, table.channel, custom_id)))
    answer = seen(await table.ann.click(board, label="Keypad"))
    assert ".mastermind-" in link_on(answer)


async def test_a_duel_has_a_keypad_button_to_its_board_on_the_web_page(table: Table) -> None:
    await table.restart(web_url=URL)
    choice = seen(await table.ann.slash(table.channel, "duel"))
    board = seen(await table.ann.click(choice, label="Play the bot"))
    (custom_id,) = [part["custom_id"] for part in parts(board) if part.get("label") == "Keypad"]
    assert "somebody else" in text(seen(await forge_click(table.ben, table.channel, custom_id)))
    answer = seen(await table.ann.click(board, label="Keypad"))
    assert ".duel-" in link_on(answer)


async def test_a_race_has_a_keypad_button_for_all_who_see_its_post(table: Table) -> None:
    await table.restart(web_url=URL)
    post = seen(await table.ann.slash(table.channel, "race"))
    answer = seen(await table.ben.click(post, label="Keypad"))
    place = link_on(answer).rpartition(".")[2]
    looked = await table.services.sessions.look(ticket_in(answer))
    assert place.startswith("race-")
    assert (looked.place, looked.channel_id) == (place, table.channel.id)
