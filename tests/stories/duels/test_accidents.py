"""What goes wrong around a duel: lateness, lost boards, kills, double clicks, strangers."""

from pathlib import Path
from typing import Any

import discord
import pytest
from discord import ui
from simcord import MemberActor, ResponseMessage

from bot.duels.boards import Boards, Nudge
from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    accept,
    beat,
    challenge,
    dare,
    form,
    more,
    number_of,
    pictures,
    playing,
    press,
    resign,
    said,
    to_move,
    typed,
    wait,
    with_bot,
)
from tests.support.loose import post
from tests.support.posted import post_buttons
from tests.support.screen import buttons, my_games, seen, text
from tests.support.sql import sql
from tests.support.table import Table


def cleo(table: Table) -> MemberActor:
    return table.world.members[2]


async def games(who: MemberActor, table: Table) -> ResponseMessage:
    """A player's own page, by way of `/play`."""
    page = await my_games(who, table.channel)
    assert "Duel with" in text(page)
    return await press(who, page, "Open")


def boards(channel: Any) -> list[discord.Message]:
    """The messages with buttons in a channel."""
    return [m for m in channel.history() if m.components and not m.flags.ephemeral]


async def test_guesses_out_of_turn_and_after_the_end_of_a_duel_are_refused(table: Table) -> None:
    board = await playing(table)
    who, other = to_move(table, board)
    early = await press(other, board, "Guess")
    assert early.ephemeral
    assert text(early) == f"It's {who.mention}'s turn, not yours."
    forms = [await form(who, board) for _ in range(2)]
    results = await table.at_once([who.submit_modal(f, {"number": WRONG[0]}) for f in forms])
    refused = [text(m) for r in results for m in (r.response, *r.followups) if m and m.ephemeral]
    assert len(refused) == 1
    assert f"It's {other.mention}'s turn, not yours." in refused[0]
    assert text(board).count(WRONG[0]) == 1
    late = await form(other, board)
    await resign(who, board)
    assert f"🏆 **{other.mention} wins**: {who.mention} resigned." in text(board)
    answer = seen(await other.submit_modal(late, {"number": number_of(table, who)}))
    assert text(answer) == "The duel was over before this guess."
    (told,) = pictures(board)
    assert all(rating in told for rating in ("rating 1508 (+8)", "rating 1492 (−8)"))


async def test_a_mistaken_guess_in_a_duel_is_not_spent_and_can_be_edited(table: Table) -> None:
    board = await playing(table)
    who, other = to_move(table, board)
    refused = await typed(who, board, "12x4")
    assert refused.ephemeral
    assert text(refused) == (
        "`12x4`: `x` in place 3 isn't a digit. Type 4 digits from 0 to 9.\n-# No guess was spent."
    )
    await table.restart()
    shown = await form(who, refused, "Edit")
    assert "12x4" in str(shown.modal)
    refused = seen(await who.submit_modal(shown, {"number": "12\u200b34"}))
    said = "`1234` has something invisible in place 3 (`zero width space`). Type it again.\n"
    assert f"{said}-# No guess was spent." in text(refused)
    shown = await form(who, refused, "Edit")
    assert "12\u200b34" not in str(shown.modal)
    assert "1234" in str(shown.modal)
    page = seen(await who.submit_modal(shown, {"number": WRONG[0]}))
    assert page.id == refused.id
    assert " 1 9876 " in text(page)
    assert " 1 9876 " in text(board)
    await typed(other, board, WRONG[0])
    again = await typed(who, board, WRONG[0])
    assert text(again).startswith("You've already tried `9876`, as guess 1.")


async def test_strangers_can_only_watch_a_duel(table: Table) -> None:
    board = await playing(table)
    first, second = to_move(table, board)
    assert "Call it off" not in buttons(await press(cleo(table), board, "More"))
    for label in ("Guess", "Notebook"):
        answer = await press(cleo(table), board, label)
        assert answer.ephemeral
        assert text(answer) == (
            f"This duel is between {first.mention} and {second.mention}. Start your own!"
        )
    page = await press(cleo(table), board, "How to play")
    assert "How duels are played" in text(page)
    assert buttons(await press(cleo(table), board, "More")) == ["Is it fair?"]


async def test_a_duel_can_be_called_off_before_the_first_guess(table: Table) -> None:
    board = await playing(table)
    question = await more(table.ann, board, "Call it off")
    assert text(question) == "**Call the duel off?** Nobody wins, and no rating changes."
    page = await press(table.ann, question, "Yes, call it off")
    assert "**The duel was called off** before it began." in text(page)
    assert "**The duel was called off** before it began." in text(board)
    assert NUMBERS[0] not in text(board) + text(page)


async def test_calling_off_a_duel_that_has_begun_meanwhile_neither_ends_nor_rates_it(
    table: Table, tmp_path: Path
) -> None:
    board = await playing(table)
    question = await more(table.ann, board, "Call it off")
    who, _ = to_move(table, board)
    await typed(who, board, WRONG[0])
    await table.restart()
    page = await press(table.ann, question, "Yes, call it off")
    assert page.ephemeral
    assert ("The duel has begun. If you resign, your opponent wins.") in text(page)
    assert "Resign" in buttons(await press(table.ann, page, "More"))
    assert buttons(board) == ["Guess", "Notebook", "More"]
    assert sql(tmp_path, "SELECT * FROM ratings") == []
    game = await table.services.duels.playing.view(table.ann.id, 1)
    assert game.duel.ending is None


async def test_an_offered_draw_survives_a_restart(table: Table) -> None:
    board = await playing(table)
    await more(table.ann, board, "Offer a draw")
    ann, ben = table.ann.mention, table.ben.mention
    assert f"🤝 {ann} offers a draw. {ben}: accept, decline, or just guess." in text(board)
    await table.restart()
    own = await press(table.ann, board, "Accept the draw")
    assert text(own) == ("Your opponent must answer. You can take your offer back.")
    board = await press(table.ben, board, "Decline")
    assert "offers a draw" not in text(board)
    assert f"{ben} declined the draw. Play on!" in text(board)
    await more(table.ben, board, "Offer a draw")
    board = await press(table.ann, board, "Accept the draw")
    assert "🤝 **A draw** by agreement." in text(board)
    assert text(board).count("1500 → **1500**") == 2


async def test_a_player_may_keep_playing_instead_of_resigning(table: Table) -> None:
    board = await playing(table)
    who, _ = to_move(table, board)
    await typed(who, board, WRONG[0])
    question = await more(table.ann, board, "Resign")
    assert text(question) == "**Resign?** Your opponent wins, and both ratings change."
    page = await press(table.ann, question, "Keep playing")
    assert page.id == question.id
    assert "📓" in text(page) or "Your notebook" in text(page)
    assert "Guess" in buttons(board)
    # Messages of before ask in public, and leave no second board.
    old = await post(table.world, ui.Button[Any](label="Resign", custom_id="du:ask:1"))
    kept = await press(table.ann, await press(table.ann, old, "Resign"), "Keep playing")
    assert text(kept) == "You're still playing. Nothing has changed."


async def test_players_are_pinged_when_it_is_their_turn(table: Table, tmp_path: Path) -> None:
    board = await playing(table)
    who, other = to_move(table, board)
    await beat(table, 29)
    assert said(table) == []
    await table.restart()
    await beat(table, 1)
    (call,) = said(table)
    url = f"https://discord.com/channels/{who.guild.id}/{table.channel.id}/{board.id}"
    assert call.startswith(f"{who.mention}, **it's your turn**: [here is the duel]({url}).")
    await table.restart()
    await beat(table)
    assert said(table) == [call]
    await typed(who, board, WRONG[0])
    await beat(table)
    assert said(table) == []  # what it said is done
    await beat(table, 30)
    (call,) = said(table)
    assert call.startswith(f"{other.mention}, **it's your turn**")
    sent = [r for r in table.env.http_requests if "it's your turn" in str(r.json)]
    assert [r.json["allowed_mentions"]["users"] for r in sent if r.json] == [[who.id], [other.id]]
    await wait(table, tmp_path, hours=1)
    await resign(who, board)
    await table.restart()
    await beat(table)
    over = f"🏆 **you win**: {who.mention} resigned."
    assert said(table) == [f"{other.mention}, {over} [See the duel]({url})."]
    sent = [r.json for r in table.env.http_requests if f"{other.mention}, {over}" in str(r.json)]
    assert [each["allowed_mentions"]["users"] for each in sent if each] == [[other.id]]
    await beat(table)
    assert len(said(table)) == 1


async def test_ping_and_form_tell_a_player_with_the_last_chance_that_it_is_their_last_guess(
    table: Table, tmp_path: Path
) -> None:
    board = await playing(table)
    first, second = to_move(table, board)
    await typed(first, board, NUMBERS[first is table.ann])
    await wait(table, tmp_path, minutes=10)
    (call,) = said(table)
    assert call.startswith(f"{second.mention}, **your last guess**: your opponent has found your")
    shown = await form(second, board)
    assert shown.modal is not None
    assert shown.modal["title"] == "Your last guess, for a draw"
    board = await typed(second, board, WRONG[0])
    await beat(table)
    (end,) = said(table)
    assert end.startswith(f"{first.mention}, 🏆 **you win**! [")


async def test_an_outdated_call_it_off_button_never_resigns(table: Table) -> None:
    board = await playing(table)
    page = await press(table.ben, board, "Notebook")
    assert text(page).startswith("### Your notebook\n")
    old = await press(table.ben, page, "More")
    who, _ = to_move(table, board)
    await typed(who, board, WRONG[0])
    answer = await press(table.ben, old, "Call it off")
    assert "The duel has begun." in text(answer)
    assert "Yes, resign" not in buttons(answer)


async def test_a_ping_that_discord_refused_is_sent_later(table: Table) -> None:
    await playing(table)
    table.env.inject_error("POST", "/channels/*/messages", status=503, times=None)
    await beat(table, 30)
    table.env.backend.faults.clear()
    await beat(table, 59)
    assert said(table) == []
    await table.restart()
    await beat(table, 1)
    assert len(said(table)) == 1
    await beat(table, 61)
    assert len(said(table)) == 1
    sent = [r.json for r in table.env.http_requests if "it's your turn" in str(r.json)]
    assert len({call["nonce"] for call in sent if call}) == 1
    assert all(call["enforce_nonce"] is True for call in sent if call)


async def test_a_player_who_moves_while_a_ping_is_being_sent_is_not_pinged(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await playing(table)
    who, other = to_move(table, board)
    claim = Boards.claim_nudge

    async def claim_and_let_move(self: Boards, duel_id: int) -> Nudge | None:
        nudge = await claim(self, duel_id)
        await table.services.duels.playing.guess(who.id, duel_id, WRONG[0])
        return nudge

    with monkeypatch.context() as patch:
        patch.setattr(Boards, "claim_nudge", claim_and_let_move)
        await beat(table, 30)
    assert said(table) == []
    await beat(table, 30)
    (call,) = said(table)
    assert call.startswith(other.mention)


async def test_a_failed_update_of_a_duels_board_is_repeated_later(
    table: Table,
) -> None:
    board = await playing(table)
    who, _ = to_move(table, board)
    before = text(board)
    shown = await form(who, board)
    table.env.inject_error("POST", "/interactions/*", status=503)
    await who.submit_modal(shown, {"number": WRONG[0]})
    assert text(board) == before
    await beat(table, 4)  # whoever has moved may still be about to show it
    assert text(board) == before
    table.env.inject_error("PATCH", "/channels/*/messages/*", status=503, times=None)
    await beat(table, 1)
    assert text(board) == before
    table.env.backend.faults.clear()
    await table.restart()
    await beat(table)
    assert WRONG[0] in text(board)
    requests = len(table.env.http_requests)
    await beat(table, 20)
    edits = [r for r in table.env.http_requests[requests:] if r.method == "PATCH"]
    assert edits == []


async def test_a_deleted_board_of_a_duel_is_posted_again(table: Table) -> None:
    board = await playing(table)
    who, other = to_move(table, board)
    await table.dismiss(board)
    page = await games(who, table)
    page = await typed(who, page, WRONG[0])
    assert " 1 9876 " in text(page)
    assert boards(table.channel) == []
    page = await more(other, await games(other, table), "Post the board again")
    (fresh,) = boards(table.channel)
    assert f"/{fresh.id})." in text(page)
    moved = await typed(other, fresh, WRONG[0])
    assert moved.id == fresh.id
    assert text(moved).count("9876") == 2
    # Again, though it is there: the old one goes.
    await more(who, await games(who, table), "Post the board again")
    assert [m.id for m in boards(table.channel)] != [fresh.id]
    assert len(boards(table.channel)) == 1


async def test_a_guess_from_a_board_that_was_deleted_meanwhile_is_shown_privately(
    table: Table,
) -> None:
    board = await playing(table)
    who, _ = to_move(table, board)
    guessing = who.submit_modal(await form(who, board), {"number": WRONG[0]})
    result, _ = await table.at_once([guessing, table.dismiss(board)])
    page = seen(result)
    assert page.ephemeral
    assert " 1 9876 " in text(page)
    assert "Go to the board" not in buttons(page)


async def test_a_board_that_is_posted_again_by_a_double_click_is_there_once(table: Table) -> None:
    who, _ = to_move(table, await playing(table))
    page = await press(who, await games(who, table), "More")
    await table.at_once([who.click(page, label="Post the board again") for _ in range(2)])
    (board,) = boards(table.channel)
    assert WRONG[0] in text(await typed(who, board, WRONG[0]))


async def test_the_end_of_a_duel_archives_no_thread_of_others_where_an_old_copy_was_clicked(
    table: Table,
) -> None:
    backend, parent = table.env.backend, table.world.channels[1]
    backend.announce_thread_create(backend.create_thread(parent.id, "talk", table.ann.id))
    (talk,) = parent.threads
    old = await accept(table.ben, await dare(table.ann, talk, table.ben))
    who, other = to_move(table, old)
    table.env.inject_error("*", f"/channels/{talk.id}/*", status=403, code=50001, times=None)
    await more(who, await games(who, table), "Post the board again")
    backend.faults.clear()
    (fresh,) = boards(table.channel)
    backend.delete_message(table.channel.id, fresh.id)
    await typed(who, await games(who, table), WRONG[0])
    await typed(other, old, number_of(table, who))
    assert f"🏆 **{other.mention} wins**" in text(old)
    await beat(table)
    found = backend.get_thread(talk.id).thread_metadata
    assert found is not None
    assert not found.archived


async def test_a_duel_goes_on_after_its_channel_was_deleted(table: Table) -> None:
    channel = table.ann.guild.create_text_channel("doomed")
    board = await accept(table.ben, await dare(table.ann, channel, table.ben))
    who, other = to_move(table, board)
    table.env.backend.delete_channel(channel.id)
    await table.env.settle()
    await typed(who, await games(who, table), number_of(table, other))
    alone = await my_games(other.user)
    alone = seen(await other.user.click(alone, label="Open"))
    nowhere = seen(await other.user.click(alone, label="More"))
    nowhere = seen(await other.user.click(nowhere, label="Post the board again"))
    assert "The duel's channel is gone" in text(nowhere)
    await more(other, await games(other, table), "Post the board again")
    (fresh,) = boards(table.channel)
    ended = await typed(other, fresh, number_of(table, who))
    assert "🤝 **A draw**" in text(ended)


async def test_the_end_of_a_duel_reaches_its_board_once_the_bot_may_edit_it(table: Table) -> None:
    board = await playing(table)
    who, other = to_move(table, board)
    page = await games(who, table)
    table.env.inject_error("*", "/channels/*", status=403, code=50001, times=None)
    page = await typed(who, page, WRONG[0])
    assert " 1 9876 " in text(page)
    await typed(other, await games(other, table), WRONG[1])
    await resign(who, page)
    await beat(table, 20)
    requests = len(table.env.http_requests)
    await beat(table, 20)
    assert len(table.env.http_requests) == requests  # put off
    assert "9876" not in text(board)
    table.env.backend.faults.clear()
    await table.restart()
    await beat(table, 600)
    assert f"🏆 **{other.mention} wins**" in text(board)


async def test_an_old_copy_of_a_board_points_to_the_new_one(table: Table) -> None:
    old = await playing(table)
    who, other = to_move(table, old)
    table.env.inject_error("DELETE", "/channels/*/messages/*", status=403, code=50013)
    await more(who, await games(who, table), "Post the board again")
    fresh = boards(table.channel)[-1]
    assert fresh.id != old.id
    pointed = await typed(who, old, WRONG[0])
    assert f"/{fresh.id})." in text(pointed)
    assert buttons(pointed) == []
    assert WRONG[0] in text(await typed(other, fresh, WRONG[1]))


async def test_the_list_of_games_shows_duels_first(table: Table) -> None:
    await table.focdle(table.ann)
    await challenge(table)
    await with_bot(table)
    listed = text(await my_games(table.ann, table.channel))
    assert listed.index("Duel with me") < listed.index("FoCdle #324")
    assert f"**Duel with {table.ben.mention}**" in listed
    assert "not accepted yet" in listed
    bens = await my_games(table.ben, table.channel)
    assert "answer the challenge" in text(bens)
    page = await press(table.ben, bens, "Open")
    assert {"Accept", "Decline", "Go to the board"} <= set(buttons(page))
    await accept(table.ben, page)
    (board,) = boards(table.channel)
    assert "Guess" in post_buttons(board)
