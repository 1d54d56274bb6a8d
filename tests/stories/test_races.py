"""Some members race at one puzzle: fewest guesses win, then the fastest."""

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from simcord import MemberActor, ResponseMessage

from bot.duels.round_words import DuelTiles
from bot.errors import StorageBusyError
from bot.games.model import Channel, Source
from bot.mastermind.game import Setting
from bot.races import words
from bot.races.model import OthersWaitError, RaceBoard, RaceOpenError, RaceView, Rules, Stage
from bot.services import Services, open_services
from bot.text.tiles import PLAIN
from cogs import races
from cogs.coach import FIND, SEE
from cogs.races import (
    AGAIN,
    CALL_OFF,
    JOIN,
    MORE,
    PLAY,
    PROBE,
    PUT,
    START,
    SUBMIT,
    TYPE,
    VERIFY,
)
from cogs.ui.pages import button
from engine import BullsAndCows, Focdle, Mastermind
from tests.support.calls import called
from tests.support.clock import FakeClock
from tests.support.duel_stories import be_killed
from tests.support.effort import either
from tests.support.loose import post as loose_post
from tests.support.mastermind_boards import PEGS
from tests.support.meetings import SECRETS, Track, cleo, guess, text, twenty
from tests.support.overwrites import overwrite
from tests.support.plays import TILES
from tests.support.races import AT, a_race
from tests.support.screen import buttons, custom_ids, my_games, parts, reach, seen
from tests.support.sql import sql
from tests.support.table import KEY, SECRET, Table, unsettled
from tests.support.waiting import until

MISSES = {
    "focdle": ("12+34-6=40", "8 in place", "99-66+1=34"),
    "mastermind": ("RROO", "1 in place, 0 elsewhere", "OOOO"),
    "bulls": ("4312", "2 in place, 1 elsewhere", "5678"),
}
NAMES = {"focdle": "FoCdle", "mastermind": "Mastermind", "bulls": "Bulls and Cows"}
ANN, BEN, CLEO = 1, 2, 3
LOBBY = ["Join", "Start", "More"]
GONE = "That race is gone. Open a new one!"


@pytest.fixture
def track(table: Table, tmp_path: Path) -> Track:
    return Track(table, tmp_path)


@pytest.mark.usefixtures("keys_watched")
@pytest.mark.long
@pytest.mark.parametrize("game", [*SECRETS][: either(1, 3)])
async def test_a_race_of_three_survives_a_restart_at_every_step(track: Track, game: str) -> None:
    table, (miss, told, other) = track.table, MISSES[game]
    board = await track.open(game=game)
    await track.restart()
    await track.press(table.ben, "Join")
    await track.restart()
    await track.press(cleo(table), "Join")
    await track.publish()
    assert "Already in: Ann, Ben, Cleo" in text(board)
    await track.restart()
    own = await track.press(table.ann, "Start")
    await track.restart()
    await track.publish()
    assert buttons(board) == ["Play", "More"]
    own = await guess(table.ann, own, miss)
    await track.restart()
    await track.publish()
    assert f"Ann · 1/{12 if game != 'focdle' else 6} · {told}" in text(board)
    assert "Ben · no guess yet" in text(board)
    assert miss not in str(board.components)
    own = await guess(table.ann, own, SECRETS[game])
    assert "**Found in 2 guesses!**" in text(own)
    await track.restart()
    table.clock.advance(seconds=28)
    bens = await track.press(table.ben, "Play")
    await track.restart()
    for typed in (other, miss, SECRETS[game]):
        bens = await guess(table.ben, bens, typed)
    await track.publish()
    assert SECRETS[game] not in str(board.components)
    await track.restart()
    await track.publish(600)
    shown = text(board)
    assert "Ann wins" in shown
    assert "**1.** Ann · 2 guesses · 4 seconds" in shown
    assert "**2.** Ben · 3 guesses · 32 seconds" in shown
    assert "No guess: Cleo" in shown
    assert ("99-66" in shown, other in shown or "🟠🟠🟠🟠" in shown) == (False, game != "focdle")
    assert any(part["type"] == 12 for part in parts(board)) == (game == "focdle")


async def test_a_post_of_a_race_has_few_buttons_and_is_not_edited_after_the_end(
    track: Track,
) -> None:
    table = track.table
    board = await track.open()
    assert not board.ephemeral
    assert buttons(board) == LOBBY
    assert "Waiting for a second player" in text(board)
    joined = await track.press(table.ben, "Join")
    starts_at = int((table.clock.now() + timedelta(seconds=60)).timestamp())
    assert text(joined) == (
        f"You're in. When it starts, your board opens here.\n-# Starts <t:{starts_at}:R>."
    )
    own = await track.press(table.ann, "Start")
    assert own.ephemeral
    await track.publish()
    assert "10 symbols · started by Ann · ends" in text(board)
    own = await guess(table.ann, own, SECRETS["focdle"])
    assert buttons(own) == ["Standings"]
    await track.publish(600)
    assert buttons(board) == ["Again", "Coach", "More"]
    verified = await reach(table.ben, await track.press(table.ben, "More"), "Is it fair?")
    assert SECRETS["focdle"] in text(verified)
    edits = track.edits()
    await track.publish(20)
    assert track.edits() == edits


async def test_a_race_begins_and_ends_in_the_message_that_told_each_racer_that_they_are_in(
    track: Track,
) -> None:
    table, secret = track.table, SECRETS["focdle"]
    opened = await table.ann.slash(table.channel, "race")
    track.post, anns = seen(opened), opened.followups[0]
    bens = await track.press(table.ben, "Join")
    cleos = await track.press(cleo(table), "Join")
    sql(track.folder, f"UPDATE races SET secret = '{secret}'")
    await track.publish(60)
    for notice in (anns, bens, cleos):
        assert text(notice).startswith("### Race: FoCdle\n-# 10 symbols · ends ")
        assert buttons(notice) == ["Guess", "How to play"]
    await guess(table.ben, bens, MISSES["focdle"][0])
    await guess(table.ann, anns, "99-66+1=34")
    assert "-# Ben · 1/6 · 8 in place" in text(anns)
    assert MISSES["focdle"][0] not in text(anns)
    await guess(table.ben, bens, secret)
    assert buttons(bens) == ["Standings"]
    assert "The others race on.\n-# Ann · 1/6 · 1 in place\n-# Cleo" in text(bens)
    await guess(table.ann, anns, MISSES["focdle"][0])
    await table.ben.click(bens, label="Standings")
    assert "-# Ann · 2/6 · 8 in place" in text(bens)
    await guess(table.ann, anns, secret)
    edits = table.env.http_requests
    await track.publish(600)
    link = f"[Everybody's race](https://discord.com/channels/{table.ann.guild.id}/"
    for board, title, told in (
        (anns, "Ben wins", "**2nd of 3** · 3 guesses · under a second"),
        (bens, "You win!", "**1st of 3** · 2 guesses · under a second"),
        (cleos, "Ben wins", f"It was `{secret}`."),
    ):
        assert text(board).startswith(f"### {title}\n-# FoCdle · 10 symbols\n")
        assert f"{told}\n{link}" in text(board)
    assert buttons(bens) == ["Again", "Coach"]
    edited = len(edits)
    await track.publish(20)
    assert len(edits) == edited


async def test_a_racer_has_one_private_board_and_a_lobby_that_lapses_tells_its_opener(
    track: Track,
) -> None:
    table = track.table
    opened = await table.ann.slash(table.channel, "race")
    track.post, notice = seen(opened), opened.followups[0]
    bens = await track.press(table.ben, "Join")
    sql(track.folder, f"UPDATE races SET secret = '{SECRETS['focdle']}'")
    board = await track.press(table.ann, "Start")
    await track.publish()
    newer = await track.press(table.ann, "Play")
    kept = table.env.backend.messages[table.channel.id]
    assert [each.id in kept for each in (notice, board, newer)] == [False, False, True]
    for who, own in ((table.ann, newer), (table.ben, bens)):
        await guess(who, own, SECRETS["focdle"])
    await track.publish(600)
    for own in (newer, bens):
        assert text(own).startswith("### Ann and Ben tie\n")
        assert "**1st of 2**, tied · 1 guess · 2 seconds" in text(own)
    lonely = (await table.ann.slash(table.channel, "race")).followups[0]
    await track.publish(300)
    assert (text(lonely), buttons(lonely)) == ("Nobody else joined", ["Again"])
    assert table.bot.private_boards == {}


async def test_whoever_joins_while_the_race_begins_sees_their_board(
    track: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, whisper = track.table, races.whisper
    is_told, goes_on = asyncio.Event(), asyncio.Event()

    async def whisper_late(interaction: Any, view: Any) -> Any:
        told = await whisper(interaction, view)
        is_told.set()
        await goes_on.wait()
        return told

    await track.open()
    await track.press(table.ben, "Join")
    place = Channel(table.ann.guild.id, table.channel.id)
    with unsettled(table.env), monkeypatch.context() as patched:
        patched.setattr(races, "whisper", whisper_late)
        joined = await cleo(table).click(track.post, label="Join")
        await is_told.wait()
        await table.services.races.start(table.ann.id, 1, place)
        table.clock.advance(seconds=5)
        await table.cog(races.RacesCog).publish()
        await until(lambda: "Play" in buttons(track.post))
        goes_on.set()
    await table.env.settle()
    assert buttons(seen(joined)) == ["Guess", "How to play"]


async def test_a_busy_database_keeps_one_racers_board_closed_but_not_the_others_nor_the_post(
    track: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = track.table
    await track.open()
    bens, cleos = [await track.press(who, "Join") for who in (table.ben, cleo(table))]
    board = table.services.races.board

    async def be_busy(player_id: int, race_id: int, place: Channel | None) -> RaceBoard:
        if player_id == table.ben.id:
            raise StorageBusyError
        return await board(player_id, race_id, place)

    with monkeypatch.context() as patched:
        patched.setattr(table.services.races, "board", be_busy)
        await track.publish(60)
    assert "Play" in buttons(track.post)
    assert ["Guess" in buttons(each) for each in (bens, cleos)] == [False, True]
    await guess(cleo(table), cleos, MISSES["focdle"][0])
    await track.publish()
    assert buttons(bens) == ["Guess", "How to play"]


async def test_the_digits_of_a_guess_in_a_race_are_entered_and_undone_by_buttons(
    track: Track,
) -> None:
    table = track.table
    own, _ = await track.begin(table.ben, game="bulls")
    for digit in "4312":
        assert "Undo" in buttons(own)
        own = seen(await table.ann.click(own, label=digit))
    assert "4312" in text(own)
    own = seen(await table.ann.click(own, label="Undo"))
    own = seen(await table.ann.click(own, label="5"))
    own = seen(await table.ann.click(own, label="Guess"))
    assert "4315" in text(own)
    assert "3B0C" in text(own)
    assert len(set(custom_ids(own))) == len(custom_ids(own))


async def test_a_double_click_joins_starts_and_guesses_once(track: Track) -> None:
    table = track.table
    await track.open(game="mastermind")
    await table.at_once([table.ben.click(track.post, label="Join") for _ in range(2)])
    await track.publish()
    await table.at_once([table.ann.click(track.post, label="Start") for _ in range(2)])
    own = await track.press(table.ann, "Play") if "Play" in buttons(track.post) else None
    await track.publish()
    own = own or await track.press(table.ann, "Play")
    for row in ("R", "RR", "RRO", "RROO"):
        own = seen(await table.ann.click(own, custom_id=PUT(race=1, pegs=row)))
    clicks = [table.ann.click(own, label="Guess") for _ in range(2)]
    first, second = [seen(each) for each in await table.at_once(clicks)]
    assert "You played `RROO` as guess 1." in text(first) + text(second)
    assert sql(track.folder, "SELECT count(*) FROM race_seats") == [(2,)]
    assert sql(track.folder, "SELECT seat, turn, code FROM race_guesses") == [(0, 0, "RROO")]


async def test_a_false_equation_in_a_race_costs_no_guess_unless_the_player_confirms_it(
    track: Track,
) -> None:
    table = track.table
    own, _ = await track.begin(table.ben)
    own = await guess(table.ann, own, "12+34-5=42")
    assert "`12+34-5` is 41, not 42. Spend a guess on it anyway?" in text(own)
    assert "No guess" not in text(own)
    own = seen(await table.ann.click(own, label="Play it anyway"))
    assert "5 guesses left." in text(own)
    own = await guess(table.ann, own, "1+1")
    assert "No guess was spent." in text(own)
    assert buttons(own) == ["Edit"]


async def test_the_board_of_a_race_with_a_long_equation_is_a_picture(track: Track) -> None:
    table = track.table
    await track.open(length=15)
    await track.press(table.ben, "Join")
    own = await track.press(table.ann, "Start")
    assert "15 symbols" in text(own)
    assert any(part["type"] == 12 for part in parts(own))


async def test_a_length_that_no_equation_has_is_refused(track: Track) -> None:
    refused = await track.open(length=16)
    assert refused.ephemeral
    assert "FoCdles have 7 to 15" in text(refused)


@pytest.mark.parametrize("game", ["mastermind", "bulls"])
async def test_a_length_for_a_race_that_has_none_is_refused(track: Track, game: str) -> None:
    refused = await track.open(game=game, length=4)
    assert refused.ephemeral
    assert text(refused) == "Only FoCdle races have a `length`."
    assert sql(track.folder, "SELECT id FROM races") == []


async def test_a_player_out_of_guesses_does_not_learn_the_secret_before_the_end(
    track: Track,
) -> None:
    table = track.table
    own, _ = await track.begin(table.ben, game="mastermind")
    for colours in ("OOOO", "PPPP", "OOPP", "PPOO", "OPOP", "POPO", "OPPO", "POOP"):
        own = await guess(table.ann, own, colours)
    for colours in ("OOOP", "PPPO", "OPPP", "POOO"):
        own = await guess(table.ann, own, colours)
    assert "**Out of guesses.**" in text(own)
    assert SECRETS["mastermind"] not in str(own.components)
    await track.publish()
    assert "12/12 · 0 in place, 0 elsewhere · ❌" in text(track.post)


async def test_a_member_who_has_not_joined_has_no_board(track: Track) -> None:
    table = track.table
    await track.begin(table.ben)
    assert text(await track.press(cleo(table), "Play")) == "You're not in this race."
    forged = await loose_post(table.world, button(JOIN(race=1), "Join"), button(PUT(race=1), "Put"))
    late = seen(await cleo(table).click(forged, label="Join"))
    assert text(late) == "This race has begun. Watch, and join the next."
    assert "not in this race" in text(seen(await cleo(table).click(forged, label="Put")))
    assert "Call off" not in buttons(await track.press(cleo(table), "More"))


async def test_a_race_that_is_missing_or_in_another_channel_is_called_gone_by_its_buttons(
    track: Track,
) -> None:
    table = track.table
    elsewhere = table.world.channels[1]
    await table.ben.slash(elsewhere, "race")
    routes = (JOIN, START, PLAY, MORE, CALL_OFF, VERIFY, AGAIN, PUT, TYPE)
    for number in (1, 2**40):
        items = [button(route(race=number), str(n)) for n, route in enumerate(routes)]
        items += [button(SUBMIT(race=number, pegs="RRGG"), "row")]
        items += [button(PROBE(race=number, guess="1+1+1=3"), "probe")]
        loose = await loose_post(table.world, *items)
        for item in items:
            answer = seen(await table.ben.click(loose, label=item.label))
            assert text(answer) == GONE


async def test_a_forged_row_that_is_no_code_of_the_races_game_is_refused(track: Track) -> None:
    table = track.table
    await track.begin(table.ben, game="bulls")
    for row in ("RRGG", "44", "123456"):
        items = [button(PUT(race=1, pegs=row), "put"), button(SUBMIT(race=1, pegs=row), "go")]
        loose = await loose_post(table.world, *items)
        put = seen(await table.ben.click(loose, label="put"))
        assert row not in text(put)
        assert "No guess was spent." in text(seen(await table.ben.click(loose, label="go")))


async def test_a_hidden_player_who_opens_a_race_is_named_only_after_joining(track: Track) -> None:
    table = track.table
    await table.services.preferences.set_hidden(table.ann.id, on=True)
    found = await table.ann.slash(table.channel, "race")
    track.post = seen(found)
    assert "You're hidden, so you haven't joined yet." in text(found.followups[0])
    assert "Ann" not in str(track.post.components)
    await track.press(table.ann, "Join")
    await track.press(table.ben, "Join")
    await track.publish()
    assert "Already in: Ann, Ben" in text(track.post)


async def test_the_opener_of_a_race_takes_part_and_opening_pings_nobody(track: Track) -> None:
    table = track.table
    found = await table.ann.slash(table.channel, "race")
    track.post = seen(found)
    told = found.followups[0]
    assert ("You're in." in text(told), buttons(told)) == (True, ["Start"])
    assert buttons(await track.press(table.ben, "Join")) == []  # only the opener may start it
    assert called(table, table.ann) == called(table, table.ben) == 0
    assert seen(await table.ann.click(told, label="Start")).id == told.id
    assert buttons(told) == ["Guess", "How to play"]


async def test_a_race_starts_a_minute_after_the_second_player_joined(track: Track) -> None:
    table = track.table
    await track.open()
    assert "Wait" in text(await start_forged(track, table.ann))
    table.clock.advance(minutes=4)
    await track.press(table.ben, "Join")
    starts_at = int((table.clock.now() + timedelta(seconds=60)).timestamp())
    assert text(await start_forged(track, table.ben)) == (
        f"Only whoever opened it can start it now. It starts <t:{starts_at}:R>."
    )
    await track.publish(29)
    await track.press(table.world.members[2], "Join")  # a third puts nothing off
    await track.publish(30)
    assert buttons(track.post) == LOBBY
    assert f"Starts <t:{starts_at}:R>" in text(track.post)
    await track.publish(2)
    assert buttons(track.post) == ["Play", "More"]
    assert "started" not in text(track.post)


async def start_forged(track: Track, who: MemberActor) -> ResponseMessage:
    loose = await loose_post(track.table.world, button(START(race=1), "Start"))
    return seen(await who.click(loose, label="Start"))


async def test_a_race_starts_and_ends_on_time_although_no_loop_has_run(track: Track) -> None:
    table = track.table
    await track.open()
    await track.press(table.ben, "Join")
    table.clock.advance(seconds=60)
    loose = await loose_post(table.world, button(PLAY(race=1), "Play"))
    own = seen(await table.ben.click(loose, label="Play"))
    table.clock.advance(minutes=10)
    await track.press(cleo(table), "Join")  # which is refused, and stores the end all the same
    assert sql(track.folder, "SELECT ending FROM races") == [("finished",)]
    late = seen(await table.ben.click(own, label="Guess"))
    assert "Nobody found it" in text(late)
    await track.publish()
    assert "Nobody found it" in text(track.post)


async def test_a_guess_after_the_end_does_not_count(track: Track) -> None:
    table = track.table
    own, _ = await track.begin(table.ben)
    form = await table.ann.click(own, label="Guess")
    asked = (form.modal or {})["components"][-1]
    assert asked["label"] == "Your equation: 10 symbols"
    assert asked["component"]["max_length"] == 30
    table.clock.advance(minutes=10)
    late = seen(await table.ann.submit_modal(form, {"guess": SECRETS["focdle"]}))
    assert "Nobody found it" in text(late)
    assert "It was `12+34-5=41`." in text(late)
    assert buttons(late) == ["Again"]
    assert sql(track.folder, "SELECT count(*) FROM race_guesses") == [(0,)]


@pytest.mark.usefixtures("keys_watched")
@pytest.mark.parametrize(("game", "name"), [*NAMES.items()])
async def test_a_finished_race_has_a_coach_and_is_in_the_lists_of_those_who_guessed(
    track: Track, game: str, name: str
) -> None:
    table, miss = track.table, MISSES[game][0]
    await table.focdle(table.ann, guess=MISSES["focdle"][0])  # which tells a race's coach nothing
    await table.services.mastermind.solo.open(table.ann.id, Setting())
    anns, bens, _ = await track.begin(table.ben, cleo(table), game=game)
    anns = await guess(table.ann, anns, miss)
    loose = await loose_post(
        table.world, button(SEE(source=Source.RACE, game=1, seat=None, number=0), "Coach")
    )
    assert "when the game is over" in text(seen(await table.ann.click(loose, label="Coach")))
    await guess(table.ann, anns, SECRETS[game])
    bens = await guess(table.ben, bens, miss)
    table.clock.advance(minutes=10)
    for who, line in (
        (table.ann, f"🏆 **Race: {name}**\n-# place 1 of 2 · "),
        (table.ben, f"❌ **Race: {name}**\n-# not solved · "),
    ):
        await track.publish()
        found = await reach(who, await my_games(who, table.channel), "Finished games")
        assert line in text(found)
        board = seen(await who.click(found, label="Open"))
        assert board.ephemeral
        told = text(seen(await who.click(board, label="Coach")))
        assert told == text(await track.press(who, "Coach"))
        assert told.startswith("### Coach · Race")
        assert told.count("**1") == 1
        assert (SECRETS[game] in told or "🟢" in told) == (who is table.ann), told
    found = await reach(cleo(table), await my_games(cleo(table), table.channel), "Finished games")
    assert "Race" not in text(found)
    assert text(await track.press(cleo(table), "Coach")) == "Nobody has guessed in this game."
    other = twenty(table)[0]
    assert "You're not in this race." in text(await track.press(other, "Coach"))
    kept = "SELECT seat FROM analyses WHERE race_id = 1 ORDER BY seat"
    assert sql(track.folder, kept) == [(0,), (1,)]
    await table.services.privacy.players.delete(table.ann.id, "DELETE")
    assert sql(track.folder, kept) == [(1,)]


@pytest.mark.usefixtures("keys_watched")
async def test_a_better_guess_is_sought_in_a_finished_race_too(track: Track) -> None:
    table = track.table
    anns, _ = await track.begin(table.ben)
    sql(track.folder, f"UPDATE races SET secret = '{SECRET}'")
    for typed in ("12+34-5=41", "65%43-21=1", SECRET):
        anns = await guess(table.ann, anns, typed)
    await track.publish(600)
    review = await track.press(table.ann, "Coach")
    lesson = seen(await table.ann.click(review, label="Find a better guess"))
    assert text(lesson).startswith("### Race: FoCdle\n-# 10 symbols")
    assert "Can you beat guess 2?" in text(lesson)
    assert not any(known in text(lesson) for known in ("65%43-21=1", SECRET))
    form = await table.ann.click(lesson, label="Guess")
    told = seen(await table.ann.submit_modal(form, {"guess": "67+3%39=70"}))
    assert "`67+3%39=70` is **better** than your `65%43-21=1`" in text(told)
    shown = seen(await table.ann.click(told, label="Show the best"))
    assert "The best guess here is `86*27%27=9`" in text(shown)
    again = seen(await table.ann.click(shown, label="Back"))
    assert text(again).startswith("### Coach · Race")
    loose = await loose_post(table.world, button(FIND(source=Source.RACE, game=1, turn=1), "Find"))
    other = seen(await table.ben.click(loose, label="Find"))
    assert text(other) == "Nobody has guessed in this game."


async def test_a_race_without_a_second_player_lapses(track: Track) -> None:
    table = track.table
    await track.open()
    await track.publish(300)
    assert "Nobody else joined" in text(track.post)
    assert buttons(track.post) == ["Again", "More"]
    assert buttons(await track.open(table.ben)) == LOBBY


async def test_a_race_ends_later_by_the_time_for_which_the_bot_was_away(track: Track) -> None:
    table = track.table
    heartbeat = table.services.heartbeat
    await heartbeat.beat((0, 1), 2)
    _, bens = await track.begin(table.ben)
    ends_at = int((table.clock.now() + timedelta(minutes=10, seconds=-2)).timestamp())
    await guess(table.ben, bens, MISSES["focdle"][0])
    await heartbeat.beat((0, 1), 2)
    table.clock.advance(minutes=9)
    await heartbeat.beat((0, 1), 2)
    for _ in range(5):
        table.clock.advance(minutes=1)
        await heartbeat.beat((0, 1), 2)
    await track.publish()
    assert f"ends <t:{ends_at + 540}:R>" in text(track.post)
    own = await track.press(table.ann, "Play")
    await guess(table.ann, own, SECRETS["focdle"])
    own = await track.press(table.ben, "Play")
    await guess(table.ben, own, SECRETS["focdle"])
    await track.publish()
    assert "**1.** Ann · 1 guess · 5:04" in text(track.post)


async def test_time_decides_between_equally_many_guesses_and_equal_times_are_a_tie(
    track: Track,
) -> None:
    table = track.table
    anns, bens, cleos = await track.begin(table.ben, cleo(table))
    await guess(table.ben, bens, SECRETS["focdle"])
    await guess(cleo(table), cleos, SECRETS["focdle"])
    table.clock.advance(seconds=5)
    await guess(table.ann, anns, SECRETS["focdle"])
    await track.publish()
    shown = text(track.post)
    assert "Ben and Cleo tie" in shown
    assert "**1.** Ben · 1 guess · 2 seconds" in shown
    assert "**1.** Cleo · 1 guess · 2 seconds" in shown
    assert "**3.** Ann · 1 guess · 7 seconds" in shown


async def test_a_race_takes_twenty_players_and_refuses_the_next(track: Track) -> None:
    table = track.table
    await track.open()
    users = [table.env.create_user(f"player{n}", global_name=f"Player {n}") for n in range(20)]
    others = [table.ann.guild.add_member(user) for user in users]
    await table.at_once([each.click(track.post, label="Join") for each in others[:19]])
    full = await track.press(others[19], "Join")
    assert text(full) == "This race is full: 20 are in. Watch, and join the next."
    await track.press(table.ann, "Start")
    await track.publish()
    assert text(track.post).count("no guess yet") == 20


@pytest.mark.parametrize("rules", [Mastermind(), BullsAndCows(max_guesses=12), Focdle(15)])
@pytest.mark.parametrize("look", [None, DuelTiles(TILES, PEGS)])
def test_the_rows_of_twenty_players_fit_the_post_of_a_race(
    rules: Rules, look: DuelTiles | None
) -> None:
    for race in (a_race(rules, 20), replace(a_race(rules, 20), rounds=1)):
        ids = [seat.player_id for seat in race.seats]
        view = RaceView(race, AT, names=dict.fromkeys(ids, "M" * 32))
        pegs = PLAIN if look is None else look.pegs
        rows = words.post_text(view, pegs, look, drawn=False)
        told = [words.title(view), *rows, words.answer(race, pegs), words.points(view)]
        assert sum(map(len, told)) <= 4000
        assert all(text.count("M…") in {0, 20} for text in told)


async def test_a_channel_has_one_race_at_a_time(track: Track) -> None:
    table = track.table
    await track.open()
    assert text(await track.open(table.ben)) == "A race is already open here. Join it, or wait."
    table.clock.advance(minutes=5)
    assert buttons(await track.open(table.ben)) == LOBBY


async def test_a_race_without_a_guess_is_over_three_minutes_after_its_start(track: Track) -> None:
    table = track.table
    for guesses in (False, True):
        own, _ = await track.begin(table.ben)
        ends = f"ends <t:{int(table.clock.now().timestamp()) + 598}:R>"
        assert ends in text(own)
        assert ends in text(track.post)
        if guesses:
            await guess(table.ann, own, MISSES["focdle"][0])
            assert ends in text(own)
        await track.publish(177)
        assert buttons(track.post) == ["Play", "More"]
        await track.publish(1)
        assert ("Nobody found it" in text(track.post)) is not guesses


async def test_while_somebody_waits_to_open_a_race_each_opener_holds_the_channel_for_20_minutes(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    """Two make their races last as long as can be; a third tries every half minute."""
    sql(tmp_path, "DELETE FROM pulses")  # as if the bot were there all the time
    races, place, held = services.races, Channel(7, 8), {ANN: 0.0, BEN: 0.0}
    rivals, last, opened_at = {ANN: BEN, BEN: ANN}, 0, clock.now()
    opener = ANN
    for _ in range(2 * 33):
        for each in rivals:
            with suppress(RaceOpenError, OthersWaitError):
                last = (await races.open(each, place, Mastermind())).race.id
                opener, opened_at = each, clock.now()
        with suppress(RaceOpenError):
            await races.open(CLEO, place, Mastermind())
            break
        minutes = (clock.now() - opened_at).total_seconds() / 60
        if minutes == 4.5:
            await races.join(rivals[opener], last, place)
        if minutes == 6:
            await races.guess(rivals[opener], last, place, MISSES["mastermind"][0])
        held[opener] += 0.5
        clock.advance(seconds=30)
    assert 1 < min(held.values()) <= max(held.values()) <= 20
    assert (await races.open_in(place))[-1] > last


async def test_whoever_was_refused_a_race_is_waited_for_two_minutes_after_it(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    sql(tmp_path, "DELETE FROM pulses")  # as if the bot were there all the time
    races, place = services.races, Channel(7, 8)
    await races.open(ANN, place, Mastermind())
    with pytest.raises(RaceOpenError):
        await races.open(BEN, place, Mastermind())
    clock.advance(minutes=5)
    ended_at = clock.now()
    with pytest.raises(OthersWaitError) as refused:
        await races.open(ANN, place, Mastermind())
    assert refused.value.again_at == ended_at + timedelta(minutes=2)
    clock.advance(minutes=2)
    await races.open(ANN, place, Mastermind())


async def test_the_equation_of_a_race_has_one_remainder_at_most(services: Services) -> None:
    for channel in range(1, 41):  # of 40 equations of eight symbols, some eight have two
        opened = await services.races.open(channel, Channel(7, channel), Focdle(8))
        assert opened.race.secret.count("%") < 2


async def test_where_nobody_waits_a_member_opens_one_race_after_the_other(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    sql(tmp_path, "DELETE FROM pulses")  # as if the bot were there all the time
    races, place = services.races, Channel(7, 8)
    for _ in range(6):
        await races.open(ANN, place, Mastermind())
        with pytest.raises(RaceOpenError):
            await races.open(ANN, place, Mastermind())
        clock.advance(minutes=5)


async def test_an_opener_can_call_off_a_race_before_the_first_guess_and_a_manager_always(
    track: Track,
) -> None:
    table = track.table
    own, _ = await track.begin(table.ben)
    assert "Call off" in buttons(await track.press(table.ann, "More"))
    await guess(table.ann, own, "12+34-6=40")
    assert "Call off" not in buttons(await track.press(table.ann, "More"))
    forged = await loose_post(table.world, button(CALL_OFF(race=1), "Call off"))
    refused = seen(await table.ann.click(forged, label="Call off"))
    assert (
        text(refused)
        == "Managers can call a race off; so can whoever opened it, until the first guess."
    )
    table.let_manage(cleo(table))
    await track.publish()
    done = await reach(cleo(table), await track.press(cleo(table), "More"), "Call off")
    assert text(done) == "Called off."
    await track.publish()
    assert "The race was called off" in text(track.post)
    assert f"`{SECRETS['focdle']}`" not in text(done)


async def test_a_race_that_is_opened_on_the_page_is_posted_if_its_opener_may_write_there(
    track: Track,
) -> None:
    table, races = track.table, track.table.services.races
    await track.open()
    place = Channel(table.ann.guild.id, table.channel.id)
    for may in (True, False):
        overwrite(table, table.channel, table.ben, send_messages=may)
        for race_id in await races.open_in(place):
            await races.call_off(table.ann.id, race_id, is_manager=True)
        opened = await races.open(table.ben.id, place, Focdle(), on_page=True)
        await track.publish()
        await track.publish()
        race = await races.look(opened.race.id, place)
        assert (race.message_id is not None, race.stage is Stage.LOBBY) == (may, may)


@pytest.mark.parametrize("killed", ["before", "after", "late"])
async def test_a_race_of_the_page_is_posted_once_or_never_if_the_bot_is_killed(
    track: Track, killed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, races = track.table, track.table.services.races
    place = Channel(table.ann.guild.id, table.channel.id)
    await races.open(table.ann.id, place, Focdle(), on_page=True)
    if killed == "before":
        assert await races.claim(1) is not None
    elif killed == "after":
        monkeypatch.setattr(type(races), "shown", be_killed)
        with pytest.raises(asyncio.CancelledError):
            await track.publish()
        monkeypatch.undo()
    else:
        table.clock.advance(minutes=5)
    for _ in range(2):
        await track.publish(61)
    posts = [each for each in table.channel.history() if each.components]
    assert len(posts) == (killed != "late")
    race = await races.look(1, place)
    assert (race.message_id is not None) == (killed != "late")
    assert (race.stage is Stage.OVER) == (killed == "late")


async def test_a_deleted_post_calls_the_race_off(track: Track) -> None:
    table = track.table
    own, _ = await track.begin(table.ben)
    await table.dismiss(track.post)
    await guess(table.ann, own, "12+34-6=40")
    await track.publish()
    assert sql(track.folder, "SELECT ending FROM races") == [("called_off",)]
    assert "called off" in text(seen(await table.ann.click(own, label="Guess")))
    assert buttons(await track.open()) == LOBBY


async def test_a_deleted_post_is_noticed_when_the_next_race_is_opened(track: Track) -> None:
    await track.open()
    track.table.clock.advance(seconds=2)
    await track.table.dismiss(track.post)
    assert buttons(await track.open()) == LOBBY


@pytest.mark.parametrize(("status", "code"), [(400, 50083), (503, 0)])
async def test_a_post_that_cannot_be_edited_tells_no_joiner_of_an_error_and_is_edited_later(
    track: Track, status: int, code: int
) -> None:
    """Because its thread is archived, or Discord is out of order."""
    table = track.table
    await track.open()
    table.clock.advance(seconds=2)
    path = f"/channels/*/messages/{track.post.id}"
    table.env.inject_error("PATCH", path, status=status, code=code, times=None)
    joined = await table.ben.click(track.post, label="Join")
    assert "You're in." in text(seen(joined))
    assert joined.followups == []
    for _ in range(15):
        await track.publish(60)
    assert "Ben" not in text(track.post)
    table.env.backend.faults.clear()
    await track.publish(60)
    assert "Nobody found it" in text(track.post)
    edits = track.edits()
    await track.publish(60)
    assert track.edits() == edits


async def test_a_post_that_can_never_be_edited_is_given_up_a_day_after_the_end(
    track: Track,
) -> None:
    table = track.table
    await track.open()
    path = f"/channels/*/messages/{track.post.id}"
    table.env.inject_error("PATCH", path, status=400, code=50083, times=None)
    for minutes in (5, 60 * 24, 1):
        await track.publish(60 * minutes)
    assert sql(track.folder, "SELECT ending, look_at FROM races") == [("lapsed", None)]


async def test_the_post_is_edited_once_in_two_seconds_at_most(track: Track) -> None:
    table = track.table
    await track.open()
    table.clock.advance(seconds=2)
    edits = track.edits()
    await track.press(table.ben, "Join")
    await track.press(cleo(table), "Join")
    assert track.edits() == edits + 1
    await track.publish(1)
    assert track.edits() == edits + 1
    await track.publish(1)
    assert track.edits() == edits + 2


async def test_a_player_who_deletes_their_data_leaves_the_race(track: Track) -> None:
    table = track.table
    own, bens, _ = await track.begin(table.ben, cleo(table))
    await guess(table.ben, bens, "12+34-6=40")
    await track.publish()
    await table.services.privacy.players.delete(table.ben.id, "delete")
    boards = table.bot.private_boards
    assert [player for _, player in boards] == [table.ann.id, cleo(table).id]
    await track.publish()
    assert "deleted player · gone" in text(track.post)
    assert "Ben" not in str(track.post.components)
    await guess(table.ann, own, SECRETS["focdle"])
    await track.publish(600)
    assert "Ann wins" in text(track.post)
    for each in (table.ann, cleo(table)):
        await table.services.privacy.players.delete(each.id, "delete")
        await track.publish()
    assert "Ann" not in str(track.post.components)
    while await table.services.privacy.cleaning.expire():
        pass
    assert sql(track.folder, "SELECT count(*) FROM races") == [(0,)]


async def test_a_deletion_frees_the_players_place_in_a_lobby_and_ends_their_own_lobby(
    track: Track,
) -> None:
    table = track.table
    await track.open()
    await track.press(table.ben, "Join")
    await table.services.privacy.players.delete(table.ben.id, "delete")
    await track.publish()
    assert "Waiting for a second player" in text(track.post)
    assert sql(track.folder, "SELECT player_id FROM race_seats") == [(table.ann.id,)]
    await table.services.privacy.players.delete(table.ann.id, "delete")
    await track.publish()
    assert "The race was called off" in text(track.post)


async def test_an_export_of_a_running_race_hides_the_secret_and_the_opponents_guesses(
    track: Track,
) -> None:
    table = track.table
    own, bens = await track.begin(table.ben)
    await guess(table.ann, own, "12+34-6=40")
    await guess(table.ben, bens, "99-66+1=34")

    async def exported() -> Any:
        file = await table.services.privacy.players.export(table.ann.id)
        (race,) = json.loads(file.content)["races"]
        return race

    race = await exported()
    assert [each["code"] for each in race["guesses"]] == ["12+34-6=40"]
    assert [each["player_id"] for each in race["seats"]] == [str(table.ann.id)]
    assert race["secret"] is None
    assert race["salt"] is None
    await track.publish(600)
    assert (await exported())["secret"] == SECRETS["focdle"]


async def test_a_race_opened_again_is_by_the_same_rules(track: Track) -> None:
    table = track.table
    await track.begin(table.ben, game="bulls")
    await track.publish(600)
    track.post = await track.press(table.ben, "Again")
    assert "Race: Bulls and Cows" in text(track.post)
    assert "Already in: Ben" in text(track.post)


@pytest.mark.usefixtures("keys_watched")
async def test_an_evening_of_three_rounds_for_three_survives_a_kill_in_a_pause(
    track: Track,
) -> None:
    table, third = track.table, cleo(track.table)
    secret, (miss, _, other) = SECRETS["focdle"], MISSES["focdle"]

    async def boards(*who: MemberActor) -> list[ResponseMessage]:
        sql(track.folder, f"UPDATE races SET secret = '{secret}' WHERE ending IS NULL")
        return [await track.press(each, "Play") for each in who]

    post = await track.open(rounds=3)
    await track.press(table.ben, "Join")
    await track.press(table.ann, "Start")
    await track.publish()
    anns, bens = await boards(table.ann, table.ben)
    await guess(table.ann, anns, secret)
    bens = await guess(table.ben, bens, miss)
    assert buttons(await guess(table.ben, bens, secret)) == ["Coach"]
    await track.publish()
    await track.publish()
    shown = text(post)
    assert shown.startswith("### Ann wins round 1\n-# FoCdle · 10 symbols\n**1.** Ann")
    assert f"It was `{secret}`.\n-# 🏆 Ann 5, Ben 3" in shown
    assert f"Next round <t:{int(table.clock.now().timestamp()) + 26}:R>" in shown
    assert buttons(post) == ["Ready", "Join", "More"]
    forged = await loose_post(table.world, button(START(race=1), "old"), button(START(race=2), "2"))
    assert "over" in text(seen(await table.ann.click(forged, label="old")))
    assert text(seen(await third.click(forged, label="2"))) == "You're not in this race."
    await track.press(third, "Join")
    for _ in range(2):
        await table.ann.click(post, label="Ready")
    await track.restart()
    await track.publish()
    assert "Ready: Ann, Cleo" in text(post)
    assert "Race: FoCdle" in text(await track.press(table.ben, "Ready"))
    await track.publish()
    assert "round 2 of 3 · everybody was ready · ends" in text(post)
    anns, cleos = await boards(table.ann, third)
    await guess(third, cleos, secret)
    anns = await guess(table.ann, anns, other)
    await guess(table.ann, anns, secret)
    await track.publish(600)
    for _ in range(20):
        await track.publish()
    assert "round 3" in text(post)
    assert "-# 🏆 Ann 8, Cleo 5, Ben 3" in text(post)
    anns, cleos = await boards(table.ann, third)
    await guess(table.ann, anns, secret)
    last = await guess(third, cleos, secret)  # Ben, who made no guess, is not waited for
    assert "seconds · round 3 of 3\n-# 🏆 Ann 13, Cleo 10, Ben 3\n[Everybody" in text(last)
    await track.publish()
    assert "### Ann wins" in text(post)
    (drawn,) = [part["items"][0]["description"] for part in parts(post) if part["type"] == 12]
    assert drawn == "1. Ann: 13 · 2. Cleo: 10 · 3. Ben: 3"
    assert buttons(post) == ["Again", "Coach", "More"]
    rows = sql(track.folder, "SELECT id, follows, round, message_id FROM races ORDER BY id")
    assert rows == [(1, None, 1, None), (2, 1, 2, None), (3, 2, 3, post.id)]
    assert sql(track.folder, "SELECT count(*) FROM member_posts") == [(1,)]


async def test_statistics_count_races_played_and_won(track: Track) -> None:
    table = track.table
    own, bens, _ = await track.begin(table.ben, cleo(table))
    await guess(table.ann, own, SECRETS["focdle"])
    await guess(table.ben, bens, "12+34-6=40")
    await track.publish(600)
    for who, told in ((table.ann, "1 of 1 won"), (table.ben, "0 of 1 won")):
        shown = seen(await who.slash(table.channel, "stats"))
        assert f"**Races**: {told}" in text(shown)
    assert "Races" not in text(seen(await cleo(table).slash(table.channel, "stats")))


async def test_the_seal_of_a_race_is_the_same_during_it_and_after_its_end(
    track: Track,
) -> None:
    table, secret = track.table, SECRETS["focdle"]
    own, bens = await track.begin(table.ben)
    before = text(await reach(table.ben, await track.press(table.ben, "More"), "Is it fair?"))
    assert secret not in before
    await guess(table.ann, own, secret)
    await guess(table.ben, bens, secret)
    await track.publish(600)
    after = text(await reach(table.ben, await track.press(table.ben, "More"), "Is it fair?"))
    assert secret in after
    (seal,) = re.findall("`([0-9a-f]{40})`", before)
    assert f"`{seal}`" in after


async def test_a_member_who_may_not_write_opens_no_race(track: Track) -> None:
    table = track.table
    overwrite(table, table.channel, send_messages=False)
    overwrite(table, table.channel, table.ann.guild.me, send_messages=True)
    refused = await track.open()
    assert refused.ephemeral
    assert "You can't write" in text(refused)


async def test_players_in_two_processes_play_the_same_race(track: Track, database_url: str) -> None:
    table = track.table
    await track.open(game="bulls")
    await track.press(table.ben, "Join")
    await track.publish()
    here = Channel(table.ann.guild.id, table.channel.id)
    table.clock.advance(seconds=2)
    async with open_services(database_url, table.clock, puzzle_key=KEY) as other:
        await other.races.join(cleo(table).id, 1, here)
        view = await other.races.claim(1)
        assert view is not None
        assert await table.services.races.claim(1) is None
        await table.services.races.start(table.ann.id, 1, here)
        board = await other.races.guess(table.ben.id, 1, here, "4312")
        assert board.seat.guesses == ("4312",)
        await other.races.shown(view, track.post.id)
    await track.publish()
    assert "Ben · 1/12 · 2 in place, 1 elsewhere" in text(track.post)
