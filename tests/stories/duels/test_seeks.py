"""Looking for an opponent: a card in the channel, and whoever accepts it has a duel."""

from pathlib import Path

import discord
import pytest
from simcord import MemberActor

from bot.duels.position import DuelOptions
from bot.games.model import Channel
from cogs.duels.messages import DuelClockCog
from cogs.duels.pages import CLOSE, TAKE
from cogs.ui.pages import button
from tests.support.duel_stories import (
    NUMBERS,
    alone,
    be_killed,
    beat,
    form,
    in_public,
    press,
    said,
    seek,
    to_move,
    typed,
)
from tests.support.loose import post
from tests.support.overwrites import overwrite
from tests.support.posted import post_buttons
from tests.support.screen import buttons, seen, text
from tests.support.sql import sql
from tests.support.table import Table

SOUGHT = "-# {} was looking for an opponent."
TAKEN = "That card is gone. Post a new one."


def cleo(table: Table) -> MemberActor:
    return table.world.members[2]


def stored(folder: Path) -> int:
    return len(sql(folder, "SELECT id FROM duel_seeks"))


async def round_of(table: Table, **later: float) -> None:
    """Let the clock of the duels look after cards, some time later."""
    table.clock.advance(**later)
    await table.rounds(table.cog(DuelClockCog).seek)


async def test_whoever_accepts_a_card_has_a_duel_with_its_player(
    table: Table, tmp_path: Path
) -> None:
    ann, ben = table.ann, table.ben
    page = await alone(ann, table.channel)
    assert page.ephemeral
    assert buttons(page) == ["Anybody here?", "Play the bot"]
    before = len(table.env.http_requests)
    card = await seek(ann, table.channel)
    assert f"**{ann.mention} is looking for an opponent!**" in text(card)
    assert "-# 4 digits, all different · rated" in text(card)
    assert buttons(card) == ["I'll play", "Withdraw", "How to play"]
    asked = await form(ben, card, "I'll play")
    await table.restart()
    board = seen(await ben.submit_modal(asked, {"number": NUMBERS[1]}))
    assert board.id == card.id
    assert "4 digits, all different · rated" in text(board)
    assert "Guess" in buttons(board)
    assert stored(tmp_path) == 0
    first, second = to_move(table, board)
    assert {first.id, second.id} == {ann.id, ben.id}
    assert not any(number in in_public(table) for number in NUMBERS)
    posted = [request for request in table.env.http_requests[before:] if request.json]
    assert not any("'users': ['" in str(request.json) for request in posted)
    await beat(table, 31)
    assert [line for line in said(table) if first.mention in line and str(board.id) in line]


async def test_a_card_that_nobody_accepts_edits_itself_away(table: Table, tmp_path: Path) -> None:
    card = await seek(table.ann, table.channel)
    asked = await form(table.ben, card, "I'll play")
    await round_of(table, hours=23, minutes=59)
    assert "I'll play" in post_buttons(table.channel.history()[-1])
    await round_of(table, minutes=1)
    assert text(card) == SOUGHT.format(table.ann.mention)
    assert stored(tmp_path) == 0
    assert text(seen(await table.ben.submit_modal(asked, {"number": NUMBERS[1]}))) == TAKEN


async def test_its_player_withdraws_a_card_and_may_ask_again(table: Table, tmp_path: Path) -> None:
    ann, ben = table.ann, table.ben
    card = await seek(ann, table.channel)
    assert text(await press(ben, card, "Withdraw")) == f"Only {ann.mention} can do that."
    own = await press(ann, card, "I'll play")
    assert text(own) == f"You're already looking for an opponent in {table.channel.mention}."
    assert buttons(own) == ["Withdraw"]
    asked = await form(ben, card, "I'll play")
    assert text(await press(ann, own, "Withdraw")) == "Withdrawn."
    assert text(card) == SOUGHT.format(ann.mention)
    assert stored(tmp_path) == 0
    assert text(seen(await ben.submit_modal(asked, {"number": NUMBERS[1]}))) == TAKEN
    card = await seek(ann, table.channel)
    await ann.click(card, label="Withdraw")
    assert text(card) == SOUGHT.format(ann.mention)


async def test_a_second_asker_is_offered_the_card_that_is_open(table: Table) -> None:
    ann, ben = table.ann, table.ben
    card = await seek(ann, table.channel)
    offer = await seek(ben, table.channel)
    assert offer.ephemeral
    assert text(offer) == f"{ann.mention} is already looking for an opponent here."
    assert buttons(offer) == ["I'll play"]
    told = await typed(ben, offer, "0012", "I'll play")
    assert "`0012` has `0` twice" in text(told)
    told = await typed(ben, told, NUMBERS[1], "Enter it again")
    assert f"Your number is set: ||{NUMBERS[1]}||" in text(told)
    (post_,) = [each for each in table.channel.history() if each.id == card.id]
    assert "Guess" in post_buttons(post_)
    # A card elsewhere is the player's only one, too.
    await seek(ann, table.channel)
    elsewhere = await seek(ann, table.ann.guild.create_text_channel("other"))
    assert text(elsewhere) == f"You're already looking for an opponent in {table.channel.mention}."


async def test_of_two_at_once_one_has_the_duel_and_the_other_is_told(table: Table) -> None:
    card = await seek(table.ann, table.channel)
    forms = [await form(who, card, "I'll play") for who in (table.ben, cleo(table))]
    first, second = await table.at_once(
        [
            table.ben.submit_modal(forms[0], {"number": NUMBERS[1]}),
            cleo(table).submit_modal(forms[1], {"number": "8901"}),
        ]
    )
    told = [text(seen(answer)) for answer in (first, second)]
    assert told.count(TAKEN) == 1
    (board,) = [each for each in table.channel.history() if each.id == card.id]
    assert "Guess" in post_buttons(board)


async def test_of_two_who_ask_at_once_one_is_offered_the_others_card(
    table: Table, tmp_path: Path
) -> None:
    asked = [
        await who.click(await alone(who, table.channel), label="Anybody here?")
        for who in (table.ann, table.ben)
    ]
    values = {"number": NUMBERS[0], "rated": True}
    answers = await table.at_once(
        [
            who.submit_modal(shown, values)
            for who, shown in zip((table.ann, table.ben), asked, strict=True)
        ]
    )
    offered = [answer for answer in answers if seen(answer).ephemeral]
    assert [buttons(seen(answer)) for answer in offered] == [["I'll play"]]
    assert stored(tmp_path) == 1


async def test_after_a_moderator_has_deleted_the_post_its_player_may_ask_again(
    table: Table, tmp_path: Path
) -> None:
    card = await seek(table.ann, table.channel)
    await table.dismiss(card)
    card = await seek(table.ben, table.channel)
    assert f"**{table.ben.mention} is looking for an opponent!**" in text(card)
    assert stored(tmp_path) == 1
    await table.dismiss(card)
    await round_of(table, days=1)
    assert stored(tmp_path) == 0


async def test_a_card_that_was_posted_before_a_kill_is_found_again(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(table.services.duels.seeking), "shown", be_killed)
    card = await seek(table.ann, table.channel)
    monkeypatch.undo()
    assert sql(tmp_path, "SELECT message_id FROM duel_seeks") == [(None,)]
    await round_of(table, minutes=1)
    assert sql(tmp_path, "SELECT message_id FROM duel_seeks") == [(card.id,)]
    assert len([each for each in table.channel.history() if "I'll play" in post_buttons(each)]) == 1


async def test_a_card_that_is_clicked_after_such_a_kill_is_the_duels_board(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(table.services.duels.seeking), "shown", be_killed)
    card = await seek(table.ann, table.channel)
    for module in ("challenge", "moves"):
        monkeypatch.setattr(f"cogs.duels.{module}.repaint", be_killed)
    asked = await form(table.ben, card, "I'll play")
    await table.ben.submit_modal(asked, {"number": NUMBERS[1]})
    assert sql(tmp_path, "SELECT message_id FROM duels") == [(card.id,)]


async def test_a_card_that_is_asked_for_elsewhere_by_whoever_may_not_write_there_is_not_posted(
    table: Table, tmp_path: Path
) -> None:
    place, seeking = Channel(table.ann.guild.id, table.channel.id), table.services.duels.seeking
    await seeking.seek(table.ann.id, place, DuelOptions(), NUMBERS[0], on_page=True)
    overwrite(table, table.channel, table.ann, send_messages=False)
    await round_of(table)
    assert table.channel.history() == []
    assert stored(tmp_path) == 0


async def test_a_card_that_is_over_before_it_is_posted_is_posted_no_more(
    table: Table, tmp_path: Path
) -> None:
    await table.dismiss(await seek(table.ann, table.channel))
    sql(tmp_path, "UPDATE duel_seeks SET message_id = NULL, look_at = ends_at")
    await round_of(table, days=1)
    assert table.channel.history() == []
    assert stored(tmp_path) == 0


async def test_a_card_that_is_asked_for_elsewhere_is_posted_once_and_pings_nobody(
    table: Table, tmp_path: Path
) -> None:
    place, seeking = Channel(table.ann.guild.id, table.channel.id), table.services.duels.seeking
    await seeking.seek(table.ann.id, place, DuelOptions(), NUMBERS[0], on_page=True)
    before = len(table.env.http_requests)
    for _ in range(2):
        await round_of(table, seconds=5)
    (card,) = table.channel.history()
    assert sql(tmp_path, "SELECT message_id FROM duel_seeks") == [(card.id,)]
    (sent,) = [each.json for each in table.env.http_requests[before:] if each.method == "POST"]
    assert isinstance(sent, dict)
    assert (sent["allowed_mentions"], sent["enforce_nonce"]) == ({"parse": []}, True)
    asked = await table.ben.click(card, label="I'll play")
    await table.ben.submit_modal(asked, {"number": NUMBERS[1]})
    assert "Guess" in post_buttons(table.channel.history()[0])


async def test_a_board_after_a_kill_within_an_acceptance_is_shown_by_the_next_round(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = await seek(table.ann, table.channel)
    monkeypatch.setattr("cogs.duels.challenge.repaint", be_killed)
    asked = await form(table.ben, card, "I'll play")
    await table.ben.submit_modal(asked, {"number": NUMBERS[1]})
    monkeypatch.undo()
    assert "Guess" not in post_buttons(table.channel.history()[-1])
    await beat(table, 6)
    assert "Guess" in post_buttons(table.channel.history()[-1])


async def test_whoever_may_not_write_in_a_channel_neither_asks_nor_accepts_there(
    table: Table, tmp_path: Path
) -> None:
    card = await seek(table.ann, table.channel)
    asked = await form(table.ben, card, "I'll play")
    overwrite(table, table.channel, table.ben, send_messages=False)
    answers = [
        await seek(table.ben, table.channel),
        await press(table.ben, card, "I'll play"),
        seen(await table.ben.submit_modal(asked, {"number": NUMBERS[1]})),
    ]
    other = table.world.channels[1].mention
    refusal = (
        f"You can't write in {table.channel.mention}, so I can't post for you. Ask in {other}."
    )
    assert [text(answer) for answer in answers] == [refusal] * 3
    assert stored(tmp_path) == 1


async def test_nobody_accepts_the_card_of_whoever_has_left(table: Table, tmp_path: Path) -> None:
    card = await seek(table.ann, table.channel)
    table.env.backend.remove_member(table.ann.guild.id, table.ann.id)
    told = await press(table.ben, card, "I'll play")
    assert text(told) == f"{table.ann.mention} isn't in this server."
    assert stored(tmp_path) == 1


@pytest.mark.parametrize("missing", ["view_channel", "send_messages"])
async def test_where_the_bot_may_not_write_it_plays_itself(table: Table, missing: str) -> None:
    guild = table.ann.guild
    assert guild.me is not None
    channel = guild.create_text_channel(
        "deaf", overwrites={guild.me: discord.PermissionOverwrite(**{missing: False})}
    )
    assert "Set my number" in buttons(await alone(table.ann, channel))
    page = seen(await table.ann.slash(channel, "play"))
    page = await press(table.ann, await press(table.ann, page, "Together"), "Duel")
    assert "Anybody here?" not in buttons(page)


async def test_in_direct_messages_nobody_can_be_asked(table: Table) -> None:
    page = seen(await table.ann.user.slash("duel"))
    assert "Set my number" in buttons(page)


async def test_the_page_of_duels_asks_whoever_is_here(table: Table) -> None:
    page = seen(await table.ann.slash(table.channel, "play"))
    page = await press(table.ann, await press(table.ann, page, "Together"), "Duel")
    card = await typed(table.ann, page, NUMBERS[0], "Anybody here?")
    assert f"**{table.ann.mention} is looking for an opponent!**" in text(card)


async def test_forged_clicks_neither_take_nor_withdraw(table: Table, tmp_path: Path) -> None:
    elsewhere = table.ann.guild.create_text_channel("elsewhere")
    await seek(table.ann, elsewhere)
    for custom_id, told in (
        (TAKE(seek=1), TAKEN),
        (TAKE(seek=99), TAKEN),
        (CLOSE(seek=1), f"Only {table.ann.mention} can do that."),
        (CLOSE(seek=99), TAKEN),
    ):
        forged = await post(table.world, button(custom_id, "x"))
        assert text(await press(table.ben, forged, "x")) == told
    assert stored(tmp_path) == 1
