"""For seven days after a deletion, what a player begins does not count."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select

from bot.db.database import Transaction
from bot.db.tables.people import standing_rebuilds, standings
from bot.duels.challenges import Challenge
from bot.games.model import Channel, GameName, Source
from bot.leaderboards.boards import Board, BoardGame, Period
from bot.leaderboards.game import Row
from bot.mastermind.challenges import Invitation
from bot.people.model import JustDeletedError, PostedTooOftenError
from bot.posts.model import UncountedError
from bot.privacy.model import Keeps
from bot.services import Services
from engine import Focdle
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT, CHANNEL, EQUAL, GUILD, invited, playing
from tests.support.masterminds import STANDARD
from tests.support.sql import sql
from tests.support.town import Town

HERE, THERE = 100, 200
DAYS = Board(BoardGame.FOCDLE, Period.ALL, guild_id=HERE)
CODES = Board(BoardGame.MASTERMIND, Period.ALL, guild_id=HERE)
STREAKS = Board(BoardGame.STREAK, Period.ALL, guild_id=HERE)
WEEK = timedelta(days=7)


async def forget(town: Town, player: int = ANN, keeps: Keeps = Keeps.MARK) -> None:
    await town.services.privacy.players.delete(player, "DELETE", keeps)


async def there_too(town: Town, board: Board) -> list[Row]:
    return await town.rows(Board(board.game, board.period, guild_id=THERE))


async def work_out_anew(town: Town) -> None:
    """Work out all rows of all boards from what was played."""

    async def rows() -> list[tuple[int, int, str, int]]:
        return await town.database.read(
            lambda tx: [
                (row.player_id, row.guild_id, row.slot, row.sort_key)
                for row in tx.execute(select(standings))
            ]
        )

    before = await rows()
    people = {player for player, *_ in before} | {ANN}

    def body(tx: Transaction) -> None:
        tx.execute(delete(standings))
        for player in people:
            tx.execute(insert(standing_rebuilds).values(player_id=player))

    await town.database.write(body)
    await town.settle()
    assert sorted(await rows()) == sorted(before)


async def test_playing_todays_puzzle_again_and_for_a_week_does_not_count(town: Town) -> None:
    await town.join(ANN, HERE)
    await town.play(ANN, HERE, 6)
    await forget(town)
    await town.join(ANN, HERE)
    for day in range(7):
        play = await town.play(ANN, HERE, 1)
        assert (play.counts, play.on_date, play.points) == (False, False, 0)
        assert play.ending.streak is not None
        assert play.ending.streak.length == 0
        if day < 6:
            town.clock.advance(days=1)
    town.clock.advance(hours=23)
    begun = await town.open(ANN, HERE)  # within them, and played after them
    town.clock.advance(hours=2)
    assert not (await town.finish(begun, 2)).on_date
    await town.join(ANN, THERE)
    await work_out_anew(town)
    assert await town.rows(DAYS) == await town.rows(STREAKS) == await there_too(town, DAYS) == []
    town.clock.advance(hours=12)
    counted = await town.play(ANN, HERE, 3)
    assert (counted.counts, counted.points) == (True, 4)
    (row,) = await town.rows(DAYS)
    assert row.player_id == ANN
    (row,) = await there_too(town, DAYS)
    assert row.player_id == ANN


async def test_whoever_hides_deletes_comes_back_and_joins_another_server_is_on_no_board(
    town: Town,
) -> None:
    await town.join(ANN, HERE)
    await town.services.preferences.set_hidden(ANN, on=True)
    await town.play(ANN, HERE, 6)
    await forget(town)
    await town.play(ANN, HERE, 1)
    for _ in range(5):
        await town.mastermind(ANN, 2)
    await town.join(ANN, HERE, THERE)
    await town.services.preferences.set_hidden(ANN, on=False)
    town.clock.advance(days=8)
    await town.join(ANN, HERE, THERE)
    await work_out_anew(town)
    for board in (DAYS, CODES, STREAKS):
        assert await town.rows(board) == await there_too(town, board) == []


async def test_a_result_of_the_seven_days_is_on_no_card_and_in_no_finishers_thread(
    town: Town,
) -> None:
    entries = town.services.entries
    await town.services.settings.change(HERE, channel_id=CHANNEL)
    await town.services.posts.choices.set_finishers_threads(HERE, on=True)
    await town.join(BEN, HERE)
    ben = await town.play(BEN, HERE, 3)
    assert ben.puzzle is not None
    assert await entries.enter(BEN, ben.puzzle, HERE, CHANNEL) is not None
    await town.play(ANN, HERE, 3)
    await forget(town)
    await town.play(ANN, HERE, 1)
    with pytest.raises(UncountedError):
        await entries.enter(ANN, ben.puzzle, HERE, CHANNEL)
    for table in ("card_rows", "finishers"):
        assert sql(town.folder, f"SELECT player_id FROM {table} WHERE player_id > 0") == [(BEN,)]


async def test_of_thirty_members_a_player_who_deletes_again_and_again_calls_ten(
    services: Services, clock: FakeClock
) -> None:
    called = 0
    for member in range(1001, 1031):
        try:
            await invited(services, by=ANN, to=member)
        except PostedTooOftenError:
            await services.privacy.players.delete(ANN, "DELETE")
        except JustDeletedError:
            clock.advance(minutes=1)
            await services.practice.open(ANN, None)  # so that there is something to delete
            await services.privacy.players.delete(ANN, "DELETE")
        else:
            called += 1
    assert called == 10


async def test_whoever_has_just_deleted_their_data_posts_nothing(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    theirs = await invited(services, by=BEN, to=CAT)
    await services.duels.inviting.withdraw(BEN, theirs.duel.id)
    solved = await services.daily.open(ANN, None)
    await services.privacy.players.delete(ANN, "DELETE")
    until = clock.now() + WEEK
    solved = await services.daily.open(ANN, None)
    secret = sql(tmp_path, "SELECT secret FROM puzzles")[0][0]
    await services.daily.guess(ANN, solved.id, secret)
    place = Channel(GUILD, CHANNEL)
    challenge = Challenge(ANN, BEN, GUILD, CHANNEL)
    invitation = Invitation(ANN, BEN, GUILD, CHANNEL)
    clock.set(until - timedelta(seconds=1))
    for posting in (
        services.duels.inviting.prepare(challenge),
        services.duels.inviting.challenge(challenge, EQUAL, "0123"),
        services.mastermind.challenges.prepare(invitation),
        services.mastermind.challenges.invite(invitation, STANDARD, "RGBY"),
        services.equations.prepare(ANN, place, None),
        services.equations.set(ANN, place, "12+34-5=41"),
        services.races.open(ANN, place, Focdle()),
        services.sharing.claim(ANN, GameName(Source.PLAY, solved.id), CHANNEL, GUILD),
        services.sharing.claim_statistics(ANN, GUILD),
    ):
        with pytest.raises(JustDeletedError) as refused:
            await posting
        assert refused.value.again_at == until
    assert sql(tmp_path, f"SELECT * FROM member_posts WHERE player_id = {ANN}") == []
    await invited(services, by=BEN, to=ANN)
    clock.set(until)
    await invited(services, by=ANN, to=BEN)
    await services.privacy.servers.sweep(None)
    assert sql(tmp_path, "SELECT * FROM recent_deletions") == []


async def test_a_rated_duel_that_is_accepted_in_the_seven_days_is_friendly(
    services: Services,
) -> None:
    await services.practice.open(ANN, None)
    await services.privacy.players.delete(ANN, "DELETE")
    assert (await playing(services, by=BEN, to=CAT)).duel.rated
    game = await playing(services, by=BEN, to=ANN)
    assert not game.duel.rated
    game = await services.duels.playing.resign(BEN, game.duel.id)
    assert [seat.change for seat in game.seats] == [None, None]


async def test_what_is_kept_is_a_keyed_digest_that_a_host_can_do_without(
    town: Town, tmp_path: Path
) -> None:
    for player in (ANN, BEN, CAT):
        await town.play(player, HERE, 2)
    await forget(town)
    await forget(town)  # by now there is nothing to delete
    ((digest, ends_at),) = sql(tmp_path, "SELECT digest, ends_at FROM recent_deletions")
    assert len(digest) == 64
    assert digest != hashlib.sha256(str(ANN).encode()).hexdigest()
    assert str(ends_at).startswith("2026-11-27 12:00:00")
    await forget(town, BEN)
    assert sql(tmp_path, "SELECT count(*) FROM recent_deletions") == [(2,)]
    for player in (ANN, BEN, CAT):
        await forget(town, player, Keeps.NOTHING)
    assert sql(tmp_path, "SELECT * FROM recent_deletions") == []
    assert (await town.play(ANN, HERE, 2)).counts


async def test_a_player_forgotten_for_long_absence_leaves_no_digest_of_a_deletion(
    town: Town,
) -> None:
    await town.join(ANN, HERE)
    await town.play(ANN, HERE)
    town.clock.advance(days=400)
    sql(town.folder, "DELETE FROM pulses")
    assert await town.services.privacy.unseen.forget_some(timedelta(days=400)) == 1
    assert sql(town.folder, "SELECT * FROM recent_deletions") == []
