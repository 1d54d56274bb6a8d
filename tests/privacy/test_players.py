"""What players are told of their data, what a file says, and what deletions do to games."""

import asyncio
import io
import json
import sqlite3
import zipfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.clock import PuzzleName
from bot.duels.model import DuelView
from bot.games.model import GameName, Source
from bot.mastermind.game import Setting
from bot.mastermind.model import Ending as MastermindEnding
from bot.privacy.model import ExportTooLargeError, NotConfirmedError
from bot.services import Services, open_services
from bot.text.language import speak
from bot.text.markup import is_forgotten
from engine import NotationError
from tests.support import duels, masterminds
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CHANNEL, GUILD
from tests.support.sql import sql, statements
from tests.support.table import KEY, SECRET
from tests.support.waiting import until


async def export(services: Services, player: int = ANN) -> dict[str, Any]:
    """What a player's file says."""
    return json.loads((await services.privacy.players.export(player)).content)


async def delete(services: Services, player: int = ANN) -> None:
    await services.privacy.players.delete(player, "DELETE")


async def clean(services: Services) -> None:
    """What the clock does until nothing is left to do."""
    while await services.privacy.cleaning.expire():
        pass


def names_of(game: DuelView) -> set[int | None]:
    return {seat.player_id for seat in game.seats}


async def test_a_player_who_did_nothing_has_no_data(services: Services) -> None:
    assert (await services.privacy.players.summary(ANN)).is_empty
    data = await export(services)
    assert data.pop("exported_at") == "2026-11-20T12:00:00+00:00"
    assert (data.pop("format"), data.pop("player_id")) == (1, str(ANN))
    assert set(map(len, data.values())) == {0}
    await delete(services)


async def test_an_export_contains_the_secret_the_guesses_and_the_share_of_a_finished_game(
    services: Services, clock: FakeClock
) -> None:
    play = await services.daily.open(ANN, GUILD, guess="12+34-5=41")
    clock.advance(minutes=1)
    await services.daily.guess(ANN, play.id, SECRET)
    await services.sharing.claim(ANN, GameName(Source.PLAY, play.id), 77, GUILD)
    clock.advance(days=3)
    data = await export(services)
    (row,) = data["focdle"]
    assert row["puzzle"]["day"] == "2026-11-20"
    assert row["puzzle"]["secret"] == SECRET
    assert [(g["turn"], g["code"], g["guessed_at"]) for g in row["guesses"]] == [
        (0, "12+34-5=41", "2026-11-20T12:00:00+00:00"),
        (1, SECRET, "2026-11-20T12:01:00+00:00"),
    ]
    (share,) = data["shares"]
    assert (share["play_id"], share["channel_id"]) == (row["id"], "77")
    assert (row["outcome"], row["guild_id"], row["on_date"]) == ("solved", str(GUILD), True)


@pytest.mark.parametrize("solves", [True, False])
async def test_an_export_hides_the_secret_of_a_daily_whose_date_still_runs_somewhere(
    services: Services, clock: FakeClock, tmp_path: Path, *, solves: bool
) -> None:
    await services.daily.open(ANN, None, guess=SECRET if solves else "12+34-5=41")
    sql(tmp_path, "UPDATE puzzles SET difficulty = 404")
    over = datetime(2026, 11, 21, 12, tzinfo=UTC)  # midnight twelve hours west of Greenwich
    clock.set(over - timedelta(seconds=1))
    (row,) = (await export(services))["focdle"]
    assert (row["puzzle"]["secret"], row["puzzle"]["difficulty"]) == (None, None)
    assert row["puzzle"]["withheld"] == ["difficulty", "salt", "secret"]
    clock.set(over)
    (row,) = (await export(services))["focdle"]
    assert row["puzzle"]["secret"] == (SECRET if solves else None)
    assert row["puzzle"]["difficulty"] == (404 if solves else None)


async def test_an_export_hides_the_secret_of_an_unfinished_practice(
    services: Services, tmp_path: Path
) -> None:
    play = await services.practice.open(ANN, None)
    ((secret,),) = sql(tmp_path, "SELECT secret FROM puzzles")
    assert secret not in json.dumps(await export(services))
    await services.daily.guess(ANN, play.id, secret)
    (row,) = (await export(services))["focdle"]
    assert row["puzzle"]["secret"] == secret


async def test_an_export_contains_a_mastermind_code_only_when_its_player_may_know_the_code(
    services: Services, tmp_path: Path
) -> None:
    solo = await services.mastermind.solo.open(ANN, Setting())
    secret = masterminds.secret_of(tmp_path, solo.id)
    (row,) = (await export(services))["mastermind"]
    assert (row["secret"], row["withheld"]) == (None, ["salt", "secret"])
    code = masterminds.wrong_codes(solo.rules, secret)[0]
    game = await masterminds.challenge(services, code)
    rows = {row["id"]: row for row in (await export(services))["mastermind"]}
    assert rows[game.id]["secret"] == code
    (row,) = (await export(services, BEN))["mastermind"]
    assert row["secret"] is None
    await services.mastermind.challenges.resign(BEN, game.id)
    (row,) = (await export(services, BEN))["mastermind"]
    assert row["secret"] == code
    assert secret not in json.dumps(row)


async def test_an_export_hides_the_code_of_an_unanswered_challenge(services: Services) -> None:
    game = await masterminds.invite(services, "RGBY")
    await services.mastermind.challenges.decline(BEN, game.id)
    (row,) = (await export(services, BEN))["mastermind"]
    assert row["secret"] is None


async def test_an_export_contains_the_opponents_number_only_after_the_end_of_the_duel(
    services: Services,
) -> None:
    game = await duels.playing(services)
    (row,) = (await export(services))["duels"]
    numbers = {seat["player_id"]: seat["secret"] for seat in row["seats"]}
    assert numbers == {str(ANN): duels.SECRETS[ANN], str(BEN): None}
    await services.duels.playing.resign(BEN, game.duel.id)
    (row,) = (await export(services))["duels"]
    numbers = {seat["player_id"]: seat["secret"] for seat in row["seats"]}
    assert numbers == {str(ANN): duels.SECRETS[ANN], str(BEN): duels.SECRETS[BEN]}


async def test_an_export_does_not_reveal_who_moves_first_before_the_duel_begins(
    services: Services,
) -> None:
    await duels.invited(services)
    (row,) = (await export(services))["duels"]
    assert {seat["seat"] for seat in row["seats"]} == {None}
    (row,) = (await export(services, BEN))["duels"]
    assert {seat["secret"] for seat in row["seats"]} == {None}


async def test_a_large_export_is_compressed_and_a_larger_one_refused(services: Services) -> None:
    await services.daily.open(ANN, None, guess=SECRET)
    whole = await services.privacy.players.export(ANN)
    assert (whole.name, whole.is_packed) == ("my-data.json", False)
    packed = await services.privacy.players.export(ANN, most=len(whole.content) - 1)
    assert (packed.name, packed.is_packed) == ("my-data.zip", True)
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert archive.read("my-data.json") == whole.content
    with pytest.raises(ExportTooLargeError):
        await services.privacy.players.export(ANN, most=100)


@pytest.mark.parametrize("typed", ["", "delete me", "no", "DELET"])
async def test_a_players_data_are_deleted_only_when_the_confirming_word_is_typed(
    services: Services, typed: str
) -> None:
    play = await services.daily.open(ANN, None)
    with pytest.raises(NotConfirmedError):
        await services.privacy.players.delete(ANN, typed)
    assert (await services.daily.view(ANN, play.id)).id == play.id


@pytest.mark.parametrize("typed", ["DELETE", " delete ", "Delete.", "“DELETE”", "'delete'"])
async def test_the_word_that_confirms_a_deletion_is_accepted_in_any_case_and_in_quotes(
    services: Services, typed: str
) -> None:
    await services.daily.open(ANN, None)
    await services.privacy.players.delete(ANN, typed)
    assert (await services.privacy.players.summary(ANN)).is_empty


async def test_the_word_that_confirms_a_deletion_is_accepted_in_the_current_language(
    services: Services,
) -> None:
    await services.daily.open(ANN, None)
    with pytest.raises(NotConfirmedError):
        await services.privacy.players.delete(ANN, "apagar")
    speak("pt-BR")
    await services.privacy.players.delete(ANN, "apagar")
    assert (await services.privacy.players.summary(ANN)).is_empty


async def test_a_server_with_the_same_id_as_a_deleted_player_keeps_its_zone(
    services: Services, tmp_path: Path
) -> None:
    await services.preferences.set_zone(ANN, "Asia/Tokyo")
    sql(
        tmp_path,
        "INSERT INTO zones SELECT 'guild', subject_id, effective_at, 'Europe/Berlin', set_at, "
        "false FROM zones",
    )
    assert [row["zone"] for row in (await export(services))["time_zones"]] == ["Asia/Tokyo"]
    await delete(services)
    assert sql(tmp_path, "SELECT zone FROM zones") == [("Europe/Berlin",)]


async def test_public_boards_that_name_a_deleted_player_are_queued_for_an_edit(
    services: Services,
) -> None:
    duel = await duels.playing(services)
    await services.duels.playing.published(duel.duel.id, 901, CHANNEL)
    await services.duels.playing.resign(BEN, duel.duel.id)
    await services.duels.boards.note_shown(
        (await services.duels.playing.view(BEN, duel.duel.id)).duel
    )
    game = await masterminds.challenge(services)
    await services.mastermind.challenges.published(game, 902)
    assert await stale(services) == (set(), set())
    await delete(services)
    assert await stale(services) == ({duel.duel.id}, {game.id})


async def stale(services: Services) -> tuple[set[int], set[int]]:
    """The duels and challenges whose boards are to be shown anew, a minute later."""
    clock = services.duels.boards._transactions._clock  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    assert isinstance(clock, FakeClock)
    clock.advance(minutes=1)
    duels_there = {game.duel.id async for game in services.duels.boards.outdated()}
    return duels_there, {game.id async for game in services.mastermind.games.unshown()}


async def test_a_challenge_to_break_a_deleted_players_code_can_be_finished(
    services: Services,
) -> None:
    game = await masterminds.challenge(services, "RGBY")
    await delete(services)
    game = await services.mastermind.challenges.guess(BEN, game.id, "RGBY")
    assert game.ending is MastermindEnding.SOLVED
    assert is_forgotten(game.owner_id)
    (record,) = await services.mastermind.games.record(BEN)
    assert (record.games, record.solved) == (1, 1)


async def test_a_codebreaker_who_deletes_their_data_resigns(services: Services) -> None:
    game = await masterminds.challenge(services, "RGBY")
    await delete(services, BEN)
    game = await services.mastermind.challenges.look(ANN, game.id)
    assert game.game.ending is MastermindEnding.RESIGNED
    assert is_forgotten(game.game.codebreaker_id or 0)


@pytest.mark.parametrize(
    ("leaver", "ending"), [(ANN, MastermindEnding.WITHDRAWN), (BEN, MastermindEnding.DECLINED)]
)
async def test_a_deletion_ends_an_unanswered_challenge(
    services: Services, leaver: int, ending: MastermindEnding
) -> None:
    game = await masterminds.invite(services)
    await delete(services, leaver)
    stayer = BEN if leaver == ANN else ANN
    assert (await services.mastermind.challenges.look(stayer, game.id)).game.ending is ending


async def test_a_game_with_two_deleted_players_is_removed_once_its_board_names_nobody(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    duel = await duels.playing(services)
    await services.duels.playing.published(duel.duel.id, 901, CHANNEL)
    game = await masterminds.challenge(services)
    await services.mastermind.challenges.published(game, 902)
    plain = await duels.playing(services)
    await delete(services)
    await delete(services, BEN)
    await clean(services)
    left = sql(tmp_path, "SELECT id FROM duels"), sql(tmp_path, "SELECT id FROM masterminds")
    assert left == ([(duel.duel.id,)], [(game.id,)])
    assert plain.duel.id != duel.duel.id
    for shown in (await services.duels.playing.view(0, duel.duel.id),):
        await services.duels.boards.note_shown(shown.duel)
    await stale(services)
    async for board in services.mastermind.games.unshown():
        await services.mastermind.challenges.shown(board, 902)
    clock.advance(minutes=5)
    await clean(services)
    for table in ("duels", "duel_seats", "duel_moves", "masterminds", "mastermind_turns"):
        assert sql(tmp_path, f"SELECT * FROM {table}") == []


async def test_two_simultaneous_deletions_of_a_player_act_as_one(
    services: Services, database_url: str, clock: FakeClock, tmp_path: Path
) -> None:
    await services.daily.open(ANN, None)
    game = await duels.playing(services)
    async with open_services(database_url, clock, puzzle_key=KEY) as other:
        await asyncio.gather(*(delete(s) for s in (services, other, services)))
    assert len(sql(tmp_path, "SELECT * FROM recent_deletions")) == 1
    assert len(names_of(await services.duels.playing.view(BEN, game.duel.id))) == 2
    assert (await services.privacy.players.summary(ANN)).is_empty


async def test_a_guess_sent_during_a_deletion_finds_no_game(services: Services) -> None:
    play = await services.daily.open(ANN, None)
    with statements() as made:
        deleting = asyncio.create_task(services.privacy.players.delete(ANN, "DELETE"))
        await until(lambda: any(made))  # from its first statement on, everybody waits for it
        guess = services.daily.guess(ANN, play.id, SECRET)
        deletion, found = await asyncio.gather(deleting, guess, return_exceptions=True)
    assert not isinstance(deletion, Exception)
    assert isinstance(found, Exception)
    assert not isinstance(found, NotationError)
    assert (await services.privacy.players.summary(ANN)).is_empty


@pytest.mark.sqlite  # its files, and what it keeps in them
async def test_no_file_of_the_database_contains_a_deleted_name(
    services: Services, tmp_path: Path
) -> None:
    name = "Wilhelmina"
    await services.standings.members.seen(ANN, name, guild_id=GUILD, guild_name=name)
    assert any(name in text for text in in_files(tmp_path))
    with closing(sqlite3.connect(tmp_path / "test.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")  # those who read keep what was there
        reader.execute("SELECT name FROM players").fetchall()
        await delete(services)
        assert any(name in text for text in in_files(tmp_path))
    await services.privacy.servers.sweep(None)
    assert not any(name in text for text in in_files(tmp_path))
    await services.standings.members.seen(ANN, name, guild_id=GUILD, guild_name=name)
    await delete(services)
    assert not any(name in text for text in in_files(tmp_path))


def in_files(folder: Path) -> list[str]:
    """What the database's files have, as if it were text."""
    return [path.read_bytes().decode("latin-1") for path in folder.iterdir()]


async def test_a_server_to_which_the_bot_returned_keeps_its_data(
    services: Services, clock: FakeClock
) -> None:
    data = services.privacy.servers
    await services.daily.open(ANN, GUILD)
    await data.left(GUILD)
    clock.advance(days=29)
    await data.joined(GUILD)
    clock.advance(days=2)
    await data.sweep([GUILD])
    (row,) = (await export(services))["focdle"]
    assert row["guild_id"] == str(GUILD)


async def test_a_server_that_the_bot_rejoined_during_an_outage_keeps_its_data(
    services: Services, clock: FakeClock
) -> None:
    await services.daily.open(ANN, GUILD)
    await services.privacy.servers.left(GUILD)
    clock.advance(days=31)
    await services.privacy.servers.sweep([GUILD])
    (row,) = (await export(services))["focdle"]
    assert row["guild_id"] == str(GUILD)


async def test_a_removal_of_the_bot_during_an_outage_is_noticed_at_the_next_start(
    services: Services, clock: FakeClock
) -> None:
    servers = services.privacy.servers
    await services.daily.open(ANN, GUILD)
    await servers.reconcile([GUILD])
    clock.advance(days=40)
    await servers.sweep([GUILD])
    await servers.reconcile([])
    clock.advance(days=29)
    await servers.reconcile([])  # another start does not begin to count again
    await servers.sweep([])
    (row,) = (await export(services))["focdle"]
    assert row["guild_id"] == str(GUILD)
    clock.advance(days=1)
    await servers.sweep([])
    (row,) = (await export(services))["focdle"]
    assert row["guild_id"] is None
    assert (await services.daily.view(ANN, int(row["id"]))).puzzle == PuzzleName(324, 10)
    await servers.reconcile([])
    clock.advance(days=31)
    await servers.sweep([])
