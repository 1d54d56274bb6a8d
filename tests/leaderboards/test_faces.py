"""A player's avatar is kept beside their name, and not while they hide or where hosts want none."""

import pytest

from bot.people.model import Face, face_of
from bot.services import open_services
from tests.support.duels import ANN, BEN
from tests.support.sql import sql, statements
from tests.support.table import KEY
from tests.support.town import Town

HERE = 100
FIRST, SECOND = "0" * 32, "a_" + "1f" * 16


async def see(town: Town, avatar: str | None, player: int = ANN) -> None:
    members = town.services.standings.members
    await members.seen(player, f"P{player}", avatar, guild_id=HERE, guild_name=f"P{player}")


def kept(town: Town) -> list[str | None]:
    return [
        avatar for (avatar,) in sql(town.folder, "SELECT avatar FROM players ORDER BY player_id")
    ]


async def test_an_avatar_is_stored_with_the_name_and_again_when_it_changes(town: Town) -> None:
    await see(town, FIRST)
    # One for the player and one for the member, as for a new name.
    for avatar, written in ((FIRST, []), (SECOND, [2]), (None, [2]), (None, []), (FIRST, [2])):
        with statements() as made:
            await see(town, avatar)
        assert [len(each) for each in made] == written
        assert kept(town) == [avatar]


@pytest.mark.parametrize(
    "avatar",
    [
        "",
        "0" * 31,
        "0" * 33,
        "g" * 32,
        "A" * 32,
        f"a_{'0' * 30}",
        "../" * 10 + "00",
        "0" * 32 + "\n",
    ],
)
async def test_an_avatar_without_a_valid_discord_hash_is_not_stored(
    town: Town, avatar: str
) -> None:
    await see(town, avatar)
    assert kept(town) == [None]
    assert face_of(ANN, avatar) is None


def test_an_avatar_is_shown_only_for_a_real_player_with_a_hash() -> None:
    assert face_of(ANN, FIRST) == Face(ANN, FIRST)
    assert face_of(ANN, None) is None
    assert face_of(-1, FIRST) is None  # a stand-in is nobody


async def test_a_player_who_hides_loses_their_avatar_until_they_show_themselves_again(
    town: Town,
) -> None:
    choose = town.services.preferences
    await see(town, FIRST)
    await see(town, FIRST, BEN)
    await choose.set_hidden(ANN, on=True)
    assert kept(town) == [None, FIRST]
    await see(town, FIRST)
    await see(town, SECOND)
    town.clock.advance(days=1)
    await see(town, SECOND)
    assert kept(town) == [None, FIRST]
    await choose.set_hidden(ANN, on=False)
    assert kept(town) == [None, FIRST]
    await see(town, SECOND)
    assert kept(town) == [SECOND, FIRST]


async def test_registered_functions_are_told_who_hides_or_deletes_their_data(town: Town) -> None:
    told: list[int | None] = []
    town.services.standings.members.when_forgotten(told.append)
    await see(town, FIRST)
    await town.services.preferences.set_hidden(ANN, on=True)
    assert set(told) == {ANN}  # a process may hear itself, too
    await town.services.privacy.players.delete(BEN, "DELETE")
    assert set(told) == {ANN, BEN}


async def test_a_host_can_turn_avatars_off(town: Town, database_url: str) -> None:
    await see(town, FIRST)
    without = open_services(database_url, town.clock, puzzle_key=KEY, avatars=False)
    async with without as services:
        assert kept(town) == [None]
        await services.standings.members.seen(ANN, "Ann", FIRST)
        assert sql(town.folder, "SELECT name, avatar FROM players") == [("Ann", None)]
