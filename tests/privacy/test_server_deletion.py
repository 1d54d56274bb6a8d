"""A server deletes its data and goes on: what goes, what stays, and what nobody gains by it."""

from contextlib import AsyncExitStack
from datetime import datetime, timedelta

import pytest

from bot.duels.challenges import Challenge
from bot.leaderboards.scores import Board, BoardGame, Period
from bot.posts.model import ServerZoneTooSoonError
from bot.posts.plans import HISTORY_KEPT_FOR, REMEMBERED_FOR
from bot.privacy import servers
from bot.privacy.model import ServerNotNamedError
from bot.services import open_services
from bot.stored import DateEffect
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, NOW, SECRETS, Chosen
from tests.support.sql import sql
from tests.support.table import KEY
from tests.support.town import Town

HERE, THERE = 880_000_000_000_000_001, 880_000_000_000_000_002
NAME = "🎲 Dice & Friends"
TOKYO, HONOLULU, EAST = "Asia/Tokyo", "Pacific/Honolulu", "Pacific/Kiritimati"
MONTH = Board(BoardGame.FOCDLE, Period.MONTH, guild_id=HERE)


@pytest.fixture
async def town(town: Town) -> Town:
    town.at("2026-03-10T12:00")
    return town


async def delete(town: Town, typed: str = NAME) -> None:
    await town.services.privacy.deletion.delete(HERE, NAME, typed)


async def clean(town: Town) -> int:
    """Do what a timer would; how many steps that takes."""
    steps = 0
    while await town.services.privacy.deletion.step():
        steps += 1
    return steps


async def on_board(town: Town) -> list[int]:
    return [row.player_id for row in await town.rows(MONTH)]


def count(town: Town, table: str) -> int:
    ((found,),) = sql(town.folder, f"SELECT count(*) FROM {table} WHERE guild_id = {HERE}")
    return found


async def choose(town: Town, zone: str) -> datetime:
    """Choose the server's zone; when it takes hold."""
    settings = await town.services.settings.change(HERE, zone=zone)
    return settings.next_zone[1] if settings.next_zone else town.clock.now()


async def test_a_servers_deletion_removes_settings_members_and_leaderboards_but_no_plays(
    town: Town,
) -> None:
    for player, guild in ((ANN, HERE), (BEN, HERE), (ANN, THERE)):
        await town.join(player, guild)
    for player in (ANN, BEN):
        await town.play(player, HERE)
    await town.services.settings.change(HERE, channel_id=7)
    await town.services.settings.change(THERE, channel_id=8)
    assert await on_board(town) == [ANN, BEN]
    await delete(town)
    for table in ("guilds", "post_plans", "members", "standings"):
        assert count(town, table) == 0, table
    assert sql(town.folder, "SELECT guild_id FROM guilds") == [(THERE,)]
    assert await town.rows(Board(BoardGame.FOCDLE, Period.MONTH, guild_id=THERE)) != []
    assert sql(town.folder, "SELECT count(*) FROM plays") == [(2,)]
    assert (await town.services.statistics.of(BEN, viewer_id=BEN)).streak.length == 1
    # Streaks follow from where the last days were played; then that goes, too.
    assert count(town, "plays") == 2
    town.clock.advance(days=HISTORY_KEPT_FOR.days)
    await clean(town)
    assert count(town, "plays") == count(town, "guild_erasures") == 0
    assert sql(town.folder, "SELECT count(*) FROM plays") == [(2,)]
    assert str(HERE) not in str(sql(town.folder, "SELECT * FROM kept_servers"))


@pytest.mark.parametrize("typed", [NAME, "dice and friends", "", "Dice", "dice & friends. "])
async def test_a_servers_data_are_deleted_only_when_its_name_is_typed(
    town: Town, typed: str
) -> None:
    await town.services.settings.change(HERE, channel_id=7)
    if typed in {NAME, "dice & friends. "}:
        await delete(town, typed)
        assert count(town, "guilds") == 0
        return
    with pytest.raises(ServerNotNamedError):
        await delete(town, typed)
    assert count(town, "guilds") == 1


async def test_a_server_name_without_letters_is_typed_as_it_is(town: Town) -> None:
    deletion = town.services.privacy.deletion
    with pytest.raises(ServerNotNamedError):
        await deletion.delete(HERE, "🎲 🎲", "")
    with pytest.raises(ServerNotNamedError):
        await deletion.delete(HERE, "🎲 🎲", "🎲")
    await deletion.delete(HERE, "🎲 🎲", "🎲🎲 ")


async def test_a_servers_data_are_deleted_in_pieces_while_members_play_on(
    town: Town, database_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = range(1000, 1010)
    for player in players:
        await town.join(player, HERE)
        await town.play(player, HERE)
    monkeypatch.setattr(servers, "ROWS_AT_ONCE", 3)
    await delete(town)
    assert count(town, "members") == 7  # the first few are gone at once
    clock.advance(minutes=1)
    gone, there = 1000, 1009
    for player in (gone, there):  # two are seen again, one of whom was deleted already
        await town.join(player, HERE)
    async with AsyncExitStack() as stack:
        others = [
            await stack.enter_async_context(
                open_services(database_url, clock, puzzle_key=KEY, par_runs=0)
            )
            for _ in range(2)
        ]
        first, second = (process.privacy.deletion for process in others)
        # Of two processes one is at it; the other has nothing to do.
        assert await first.step()
        assert not await second.step()
    # Both have stopped in the middle, and another goes on.
    assert 2 < count(town, "members") < 8
    assert await clean(town) > 3
    assert sorted(await on_board(town)) == [gone, there]
    kept = sql(town.folder, f"SELECT player_id FROM members WHERE guild_id = {HERE} ORDER BY 1")
    assert kept == [(gone,), (there,)]


async def test_a_member_who_clicks_after_a_servers_deletion_is_a_member_again(town: Town) -> None:
    await town.join(ANN, HERE)
    await town.play(ANN, HERE)
    await delete(town)
    assert await on_board(town) == []
    town.clock.advance(seconds=1)
    await town.join(ANN, HERE)
    assert await on_board(town) == [ANN]
    await clean(town)
    town.clock.advance(days=HISTORY_KEPT_FOR.days)
    await clean(town)
    await town.settle()
    assert await on_board(town) == [ANN]


async def test_deleting_a_servers_data_twice_has_the_same_effect_as_once(town: Town) -> None:
    await town.join(ANN, HERE)
    await town.services.settings.change(HERE, channel_id=7, zone=TOKYO)
    await delete(town)
    await delete(town)
    assert len(sql(town.folder, "SELECT * FROM kept_servers")) == 1
    assert len(sql(town.folder, "SELECT * FROM guild_erasures")) == 1
    town.clock.advance(days=HISTORY_KEPT_FOR.days)
    await clean(town)
    for table in ("guilds", "members", "guild_erasures", "guild_lengths"):
        assert count(town, table) == 0
    town.clock.advance(days=(REMEMBERED_FOR - HISTORY_KEPT_FOR).days)
    await town.services.privacy.servers.sweep([])
    assert sql(town.folder, "SELECT * FROM kept_servers") == []


# What dates follow from.


async def test_zone_and_length_of_a_deleted_server_apply_until_midnight(town: Town) -> None:
    await town.services.settings.change(HERE, zone=HONOLULU, length=12)
    await town.play(ANN, HERE)
    town.at("2026-03-20T20:00", HONOLULU)  # March 21 already in UTC
    await delete(town)
    settings = await town.services.settings.view(HERE)
    assert (settings.zone, settings.length) == (HONOLULU, 12)
    assert settings.next_zone is not None
    assert settings.next_zone[0] == "UTC"
    assert settings.next_length is not None
    assert settings.next_length[0] == 10
    play = await town.play(ANN, HERE)
    assert (play.puzzle and play.puzzle.day.isoformat(), play.on_date) == ("2026-03-20", True)
    town.at("2026-03-21T00:00", HONOLULU)
    settings = await town.services.settings.view(HERE)
    assert (settings.zone, settings.length, settings.next_zone) == ("UTC", 10, None)
    town.clock.advance(days=HISTORY_KEPT_FOR.days)
    await clean(town)
    assert sql(town.folder, "SELECT * FROM zones") == []
    assert sql(town.folder, "SELECT * FROM guild_lengths") == []


async def test_deleting_a_servers_data_does_not_bypass_the_limit_on_changes_of_zone(
    town: Town,
) -> None:
    await town.services.settings.change(HERE, zone=TOKYO)
    await town.play(ANN, HERE)
    town.at("2026-03-20T12:00")
    changed_at = await choose(town, HONOLULU)
    town.at("2026-03-22T12:00")
    town.clock.advance(hours=20)  # past what can be corrected
    await delete(town)
    # It holds until it could have been changed, and nothing else can be chosen before.
    settings = await town.services.settings.view(HERE)
    assert settings.next_zone is not None
    assert settings.next_zone[1] >= changed_at + timedelta(days=7)
    for _ in range(2):
        with pytest.raises(ServerZoneTooSoonError) as refused:
            await choose(town, EAST)
        assert refused.value.again_at == changed_at + timedelta(days=7)
        await delete(town)
    back_at = settings.next_zone[1]
    town.clock.set(back_at + timedelta(days=3))
    await clean(town)
    with pytest.raises(ServerZoneTooSoonError):
        await choose(town, EAST)
    town.clock.set(back_at + timedelta(days=7))
    assert await choose(town, EAST) > town.clock.now()


async def test_a_server_can_choose_its_former_zone_and_length_again_after_a_deletion(
    town: Town,
) -> None:
    await town.services.settings.change(HERE, zone=TOKYO, length=12)
    await town.play(ANN, HERE)
    town.at("2026-03-30T12:00")
    await delete(town)
    await town.services.settings.change(HERE, zone=TOKYO, length=12)
    for _ in range(2):
        settings = await town.services.settings.view(HERE)
        assert (settings.zone, settings.next_zone) == (TOKYO, None)
        assert (settings.length, settings.next_length) == (12, None)
        town.clock.advance(days=HISTORY_KEPT_FOR.days)
        await clean(town)
    assert count(town, "guild_erasures") == 0


async def test_a_zone_from_before_a_servers_deletion_is_kept_until_streaks_no_longer_need_it(
    town: Town,
) -> None:
    await town.services.settings.change(HERE, zone=TOKYO)
    await town.play(ANN, HERE)
    town.at("2026-03-30T12:00")
    await delete(town)
    effective_at = await choose(town, EAST)
    known = "SELECT zone FROM zones ORDER BY effective_at"
    town.clock.advance(days=HISTORY_KEPT_FOR.days)
    await clean(town)
    assert sql(town.folder, known) == [(TOKYO,), (EAST,)]
    town.clock.set(effective_at + HISTORY_KEPT_FOR)
    await clean(town)
    assert sql(town.folder, known) == [(EAST,)]
    assert count(town, "guild_erasures") == 0


async def test_a_server_that_deleted_its_data_does_not_count_as_new(town: Town) -> None:
    await town.play(ANN, HERE)
    await delete(town)
    town.clock.advance(days=HISTORY_KEPT_FOR.days)
    await clean(town)
    settings = await town.services.settings.change(HERE, zone=EAST, length=12)
    assert settings.next_zone is not None  # in a new one, it would hold at once
    assert settings.next_length is not None
    town.clock.advance(days=(REMEMBERED_FOR - HISTORY_KEPT_FOR).days)
    await delete(town)
    town.clock.advance(days=REMEMBERED_FOR.days)
    await clean(town)
    await town.services.privacy.servers.sweep([HERE])
    settings = await town.services.settings.change(HERE, zone=TOKYO, length=11)
    assert settings.next_zone is None
    assert settings.next_length is None


async def test_a_date_skipped_by_a_servers_deletion_stays_excused(town: Town) -> None:
    await town.services.settings.change(HERE, zone="Etc/GMT+12")
    for day in range(10, 18):
        town.at(f"2026-03-{day}T12:00", "Etc/GMT+12")
        await town.play(ANN, HERE)
    await choose(town, EAST)  # March 18 does not come about there
    town.at("2026-03-19T12:00", EAST)
    await town.play(ANN, HERE)
    await delete(town)
    for day in range(20, 32):
        town.at(f"2026-03-{day}T12:00", EAST)
        await town.play(ANN, HERE)
        await clean(town)
    town.at("2026-04-01T12:00")
    assert (await town.services.statistics.of(ANN, viewer_id=ANN)).streak.length > 18
    reasons = sql(town.folder, "SELECT reason FROM streak_changes WHERE day = '2026-03-18'")
    assert reasons == [(DateEffect.EXCUSED_ZONE.value,)]


# Games of two.


async def test_running_duels_continue_after_a_servers_deletion(town: Town) -> None:
    inviting, playing = town.services.duels.inviting, town.services.duels.playing
    game = await inviting.challenge(Challenge(ANN, BEN, HERE, 7), Chosen(), "0123")
    await inviting.accept(BEN, game.duel.id, *NOW)
    for player in (ANN, BEN):
        await playing.set_secret(player, game.duel.id, SECRETS[player])
    over = await inviting.challenge(Challenge(ANN, BEN + 1, HERE, 7), Chosen(), "0123")
    await inviting.withdraw(ANN, over.duel.id)
    await delete(town)
    places = "SELECT guild_id FROM duels ORDER BY id"
    assert sql(town.folder, places) == [(HERE,), (None,)]
    town.clock.advance(days=HISTORY_KEPT_FOR.days)
    await clean(town)
    assert sql(town.folder, places) == [(HERE,), (None,)]
    await town.services.duels.games.sweep()  # nobody has moved for days
    sql(town.folder, "UPDATE duels SET stale_at = NULL")
    town.clock.advance(days=1)
    await clean(town)
    assert sql(town.folder, places) == [(None,), (None,)]
    assert count(town, "guild_erasures") == 0
