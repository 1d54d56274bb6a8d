"""A server deletes its data and goes on: what goes, what stays, and what nobody gains by it."""

import pytest

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.leaderboards.boards import Board, BoardGame, Period
from bot.privacy import servers
from bot.privacy.model import ServerNotNamedError
from tests.support.duels import ANN, BEN
from tests.support.sql import sql, statements
from tests.support.town import Town

HERE, THERE = 880_000_000_000_000_001, 880_000_000_000_000_002
NAME = "🎲 Dice & Friends"
TOKYO, HONOLULU = "Asia/Tokyo", "Pacific/Honolulu"
MONTH = Board(BoardGame.FOCDLE, Period.MONTH, guild_id=HERE)


@pytest.fixture
async def town(town: Town) -> Town:
    town.at("2026-03-10T12:00")
    return town


async def delete(town: Town, typed: str = NAME) -> None:
    await town.services.privacy.servers.delete(HERE, NAME, typed)


async def on_board(town: Town) -> list[int]:
    return [row.player_id for row in await town.rows(MONTH)]


def count(town: Town, table: str) -> int:
    ((found,),) = sql(town.folder, f"SELECT count(*) FROM {table} WHERE guild_id = {HERE}")
    return found


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
    deletion = town.services.privacy.servers
    with pytest.raises(ServerNotNamedError):
        await deletion.delete(HERE, "🎲 🎲", "")
    with pytest.raises(ServerNotNamedError):
        await deletion.delete(HERE, "🎲 🎲", "🎲")
    await deletion.delete(HERE, "🎲 🎲", "🎲🎲 ")


async def test_a_member_who_clicks_after_a_servers_deletion_is_a_member_again(town: Town) -> None:
    await town.join(ANN, HERE)
    await town.play(ANN, HERE)
    await delete(town)
    assert await on_board(town) == []
    town.clock.advance(seconds=1)
    await town.join(ANN, HERE)
    assert await on_board(town) == [ANN]
    await town.settle()
    assert await on_board(town) == [ANN]


async def test_zone_length_and_streaks_outlive_a_servers_deletion(town: Town) -> None:
    await town.services.settings.change(HERE, zone=HONOLULU, length=12)
    for day in (20, 21, 22):
        town.at(f"2026-03-{day}T12:00", HONOLULU)
        await town.play(ANN, HERE)
    changed = await town.services.settings.change(HERE, zone=TOKYO, length=9)
    for _ in range(2):
        await delete(town)
        settings = await town.services.settings.view(HERE)
        assert (settings.zone, settings.length) == (HONOLULU, 12)
        assert settings.next_zone == changed.next_zone is not None
        assert settings.next_length == changed.next_length is not None
    town.at("2026-03-23T20:00", HONOLULU)  # past midnight in UTC
    play = await town.play(ANN, HERE)
    assert (play.puzzle and play.puzzle.day.isoformat(), play.on_date) == ("2026-03-24", True)


# Games of two.


async def test_a_running_duel_keeps_its_place_after_a_servers_deletion(town: Town) -> None:
    inviting = town.services.duels.inviting
    game = await inviting.challenge(Challenge(ANN, BEN, HERE, 7), DuelOptions(), "0123")
    await inviting.accept(BEN, game.duel.id, 0, "4567")
    over = await inviting.challenge(Challenge(ANN, BEN + 1, HERE, 7), DuelOptions(), "0123")
    await inviting.withdraw(ANN, over.duel.id)
    await delete(town)
    places = "SELECT guild_id FROM duels ORDER BY id"
    assert sql(town.folder, places) == [(HERE,), (None,)]


async def test_games_of_a_large_server_lose_its_id_a_few_at_a_time(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "GAMES_AT_ONCE", 2)
    for player in range(1000, 1005):
        await town.play(player, HERE)
    await town.play(ANN, THERE)
    await town.join(ANN, HERE)
    with statements() as made:
        await delete(town)
    assert sum("UPDATE plays" in str(statement) for statement in made) > 2
    assert (count(town, "plays"), count(town, "members")) == (0, 0)
    assert sql(town.folder, f"SELECT count(*) FROM plays WHERE guild_id = {THERE}") == [(1,)]
