"""Last week's first has a role: given and taken with the recap, whatever comes between."""

import asyncio
from pathlib import Path

import pytest
from simcord import MemberActor

from bot.champions.game import GIVEN_UP_AFTER
from bot.champions.model import RoleChange
from bot.leaderboards.boards import Period
from bot.moderation.game import USER
from bot.services import open_services
from cogs.champions import give_or_take
from tests.support.court import MONDAY, SUNDAY, Court
from tests.support.screen import buttons, seen, text
from tests.support.sql import sql
from tests.support.table import KEY, Table

MINUTE_SECONDS = 61
REST_SECONDS = 601


@pytest.fixture
async def court(table: Table, tmp_path: Path) -> Court:
    """Ben leads on Sunday, before Ann; the role is Ann's to choose."""
    court = Court(table, tmp_path)
    court.at(SUNDAY)
    await court.solve(table.ann, 3)
    await court.solve(table.ben, 2)
    await court.choose()
    return court


def path_of(court: Court, who: MemberActor) -> str:
    return f"/guilds/{court.guild_id}/members/{who.id}/roles/{court.role.id}"


async def crown(court: Court) -> None:
    """Let the week end, and its first have the role."""
    court.at(MONDAY)
    await court.rounds()


async def test_the_winner_of_a_week_has_the_role_until_the_next_week_ends(
    table: Table, court: Court
) -> None:
    await court.rounds()
    assert not court.has(table.ben)  # nobody was first in the week before
    court.at("2026-11-23T00:29")  # a play from before midnight may still be finished
    await court.rounds()
    assert not court.has(table.ben)
    await crown(court)
    assert (court.has(table.ben), court.has(table.ann)) == (True, False)
    await court.solve(table.ann, 1)
    await court.rounds(3)
    assert (court.calls("PUT"), court.calls("DELETE")) == (1, 0)
    court.at("2026-11-30T00:31")
    await court.rounds(3)
    assert (court.has(table.ben), court.has(table.ann)) == (False, True)
    assert (court.calls("PUT"), court.calls("DELETE")) == (2, 1)
    court.at("2026-12-07T00:31")  # nobody has played
    await court.rounds(3)
    assert (court.has(table.ben), court.has(table.ann)) == (False, False)
    assert court.wearers() == []


async def test_a_player_who_is_first_in_two_consecutive_weeks_keeps_the_role(
    table: Table, court: Court
) -> None:
    await crown(court)
    await court.solve(table.ben)
    court.at("2026-11-30T00:31")
    await court.rounds(3)
    assert court.has(table.ben)
    assert (court.calls("PUT"), court.calls("DELETE")) == (1, 0)


async def test_a_player_who_is_first_again_gets_back_a_role_that_somebody_took_from_them(
    table: Table, court: Court
) -> None:
    await crown(court)
    table.env.backend.remove_member_role(court.guild_id, table.ben.id, court.role.id)
    await court.rounds(3)
    assert not court.has(table.ben)
    await court.solve(table.ben)
    court.at("2026-11-30T00:31")
    await court.rounds(3)
    assert court.has(table.ben)


async def test_the_role_is_given_after_the_weeks_first_post(table: Table, court: Court) -> None:
    await table.services.settings.change(court.guild_id, channel_id=table.channel.id)
    court.at("2026-11-23T08:59")
    await court.post()
    await court.rounds()
    assert not court.has(table.ben)
    court.at("2026-11-23T09:05")
    await court.post()
    court.at("2026-11-23T09:06")
    await court.rounds()
    assert court.has(table.ben)


async def test_the_role_is_given_once_posts_are_switched_off_because_discord_refused_them(
    table: Table, court: Court
) -> None:
    await table.services.settings.change(court.guild_id, channel_id=table.channel.id)
    path = f"/channels/{table.channel.id}/messages"
    table.env.inject_error("POST", path, status=403, code=50001, times=None)
    for minute in (5, 16, 27):
        assert not court.has(table.ben)
        court.at(f"2026-11-23T09:{minute:02}")
        await court.post()
        court.at(f"2026-11-23T09:{minute + 1:02}")
        await court.rounds()
    court.at("2026-11-23T09:50")
    await court.rounds()
    assert court.has(table.ben)


async def test_players_who_tie_share_the_role(table: Table, court: Court) -> None:
    cleo = table.world.members[2]
    await court.solve(cleo, 2)
    await crown(court)
    assert [court.has(each) for each in table.world.members] == [False, True, True]


async def test_however_many_tie_all_are_to_have_the_role(
    table: Table, court: Court, tmp_path: Path
) -> None:
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101)"
    sql(
        tmp_path,
        f"INSERT INTO standings (player_id, guild_id, slot, missing, sort_key, figures) {numbers} "
        f"SELECT i, guild_id, slot, missing, sort_key, figures FROM standings, n "
        f"WHERE player_id = {table.ben.id}",
    )
    court.at(MONDAY)
    await table.services.champions.settle(court.guild_id)
    assert court.wearers() == [*range(1, 102), table.ben.id]


async def test_nobody_has_the_role_after_a_week_without_points(
    table: Table, tmp_path: Path
) -> None:
    court = Court(table, tmp_path)
    court.at(SUNDAY)
    await court.solve(table.ben, 6, solved=False)
    await court.choose()
    await crown(court)
    assert court.wearers() == []
    assert not court.has(table.ben)


async def test_a_role_that_the_winner_had_before_is_left_with_them(
    table: Table, court: Court
) -> None:
    table.env.backend.add_member_role(court.guild_id, table.ben.id, court.role.id)
    await crown(court)
    assert (court.wearers(), court.calls("PUT")) == ([], 0)
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    await court.rounds(3)
    court.at("2026-11-30T00:31")
    await court.rounds(3)
    assert court.has(table.ben)
    assert court.calls("DELETE") == 0


HOW_LOST = ["hides", "deletes", "has left", "is kept out", "is not chosen"]


@pytest.mark.parametrize("how", HOW_LOST)
async def test_a_champion_loses_the_role_at_once_on_hiding_deleting_leaving_or_being_kept_out(
    table: Table, court: Court, how: str
) -> None:
    await crown(court)
    match how:
        case "hides":
            await table.services.preferences.set_hidden(table.ben.id, on=True)
        case "deletes":
            await table.services.privacy.players.delete(table.ben.id, "DELETE")
        case "has left":
            await table.services.standings.members.gone(court.guild_id, table.ben.id)
        case "is kept out":
            await table.services.privacy.keeping_out.keep_out(USER, table.ben.id)
        case _:
            await table.services.champions.choose(court.guild_id, None, Period.WEEK)
    await court.rounds()
    assert not court.has(table.ben)
    assert (court.calls("DELETE"), court.wearers()) == (1, [])
    await table.services.preferences.set_hidden(table.ben.id, on=False)
    await court.rounds(3)
    assert not court.has(table.ben)


async def off(court: Court, who: MemberActor) -> int:
    """Take a member off the boards; the exclusion's number."""
    settings = court.table.services.settings
    await settings.take_off(court.table.ann.id, court.guild_id, who.id)
    return (await settings.excluded(court.guild_id)).rows[0].id


async def test_a_champion_taken_off_the_boards_loses_the_role_at_once_and_nobody_gets_it(
    table: Table, court: Court
) -> None:
    await crown(court)
    number = await off(court, table.ben)
    await court.rounds()
    assert (court.has(table.ben), court.wearers(), court.calls("PUT")) == (False, [], 1)
    await table.services.settings.let_back(table.ann.id, court.guild_id, number)
    for day in (24, 25):
        court.at(f"2026-11-{day}T00:31")
        await court.rounds(2)
    assert (court.wearers(), court.calls("PUT")) == ([], 1)


async def test_the_next_change_passes_over_a_member_taken_off(table: Table, court: Court) -> None:
    await off(court, table.ben)
    await crown(court)
    assert (court.has(table.ann), court.has(table.ben)) == (True, False)


async def test_a_winner_who_hides_before_the_role_is_given_never_gets_it(
    table: Table, court: Court
) -> None:
    court.at(MONDAY)
    await table.services.champions.settle(court.guild_id)
    assert court.wearers() == [table.ben.id]
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    await court.rounds()
    assert (court.wearers(), court.calls("PUT"), court.calls("DELETE")) == ([], 0, 0)


async def test_a_winner_who_hides_while_discord_is_asked_who_they_are_never_gets_it(
    table: Table, court: Court
) -> None:
    court.at(MONDAY)
    champions = table.services.champions
    await champions.settle(court.guild_id)
    (wearer,) = await champions.due()
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    assert await champions.decide(wearer, has_role=False) is None
    assert court.wearers() == []


async def test_a_deleted_champion_is_forgotten_though_discord_refuses_to_take_the_role(
    table: Table, court: Court
) -> None:
    await crown(court)
    table.env.inject_error("DELETE", path_of(court, table.ben), status=403, code=50013, times=None)
    await table.services.privacy.players.delete(table.ben.id, "DELETE")
    await court.rounds()
    assert court.wearers() == [table.ben.id]  # Discord has refused
    court.table.clock.advance(seconds=GIVEN_UP_AFTER.total_seconds() + REST_SECONDS)
    await court.rounds()
    assert court.wearers() == []


async def test_the_role_is_taken_back_in_a_server_that_deletes_its_data(
    table: Table, court: Court
) -> None:
    await crown(court)
    guild = table.env.backend.get_guild(court.guild_id)
    await table.services.privacy.servers.delete(court.guild_id, guild.name, guild.name)
    await court.rounds()
    assert not court.has(table.ben)
    assert court.wearers() == []


async def test_a_winner_who_has_left_gets_no_role_and_is_no_longer_a_known_member(
    table: Table, court: Court
) -> None:
    table.ann.guild.remove_member(table.ben)
    await crown(court)
    assert (court.wearers(), court.calls("PUT")) == ([], 0)
    assert not await table.services.standings.members.knows(table.ben.id, court.guild_id)


async def test_a_champion_who_left_the_server_is_forgotten_when_the_role_would_be_taken_away(
    table: Table, court: Court
) -> None:
    await crown(court)
    table.ann.guild.remove_member(table.ben)
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    await court.rounds()
    assert court.wearers() == []


async def test_a_deleted_role_is_given_to_nobody(table: Table, court: Court) -> None:
    await crown(court)
    table.env.backend.delete_role(court.guild_id, court.role.id)
    await table.env.settle()
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    await court.rounds()
    assert (court.wearers(), court.calls("DELETE")) == ([], 0)
    await court.solve(table.ann)
    court.at("2026-11-30T00:31")
    await court.rounds(2)
    assert court.calls("PUT") == 1


async def test_the_role_is_given_as_soon_as_a_lost_permission_is_back(
    table: Table, court: Court
) -> None:
    backend = table.env.backend
    me = table.ann.guild.me
    assert me is not None
    (own,) = [role for role in me.roles if role.managed]
    before = own.permissions.value
    backend.edit_role(court.guild_id, own.id, {"permissions": 0})
    await table.env.settle()
    await crown(court)
    await court.rounds()
    assert (court.has(table.ben), court.calls("PUT")) == (False, 0)
    backend.edit_role(court.guild_id, own.id, {"permissions": before})
    await table.env.settle()
    table.clock.advance(seconds=REST_SECONDS)
    await court.rounds()
    assert court.has(table.ben)


async def test_a_role_that_the_bot_can_no_longer_give_can_still_be_taken_back(
    table: Table, court: Court
) -> None:
    await crown(court)
    await court.solve(table.ben)
    table.env.backend.edit_role(court.guild_id, court.role.id, {"permissions": 1 << 13})
    await table.env.settle()
    court.at("2026-11-30T00:31")
    await court.rounds()
    assert court.has(table.ben)  # they have had it all the time
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    await court.rounds()
    assert not court.has(table.ben)


async def test_a_role_that_discord_refused_to_give_is_not_taken_back(
    table: Table, court: Court
) -> None:
    table.env.inject_error("PUT", path_of(court, table.ben), status=403, code=50013)
    await crown(court)
    table.env.backend.add_member_role(court.guild_id, table.ben.id, court.role.id)  # by hand
    table.clock.advance(seconds=REST_SECONDS)
    await court.rounds()
    assert court.wearers() == []
    assert court.has(table.ben)


async def begin_to_give(table: Table, court: Court) -> None:
    """Let the week end, and the bot be about to ask Discord to give the role."""
    court.at(MONDAY)
    champions = table.services.champions
    await champions.settle(court.guild_id)
    (wearer,) = await champions.due()
    assert await champions.decide(wearer, has_role=False) is RoleChange.GIVE


async def test_a_bot_killed_after_discords_answer_knows_that_it_gave_the_role(
    table: Table, court: Court
) -> None:
    await begin_to_give(table, court)
    table.env.backend.add_member_role(court.guild_id, table.ben.id, court.role.id)
    await table.restart()
    await court.rounds()
    assert court.calls("PUT") == 0
    assert sql(court.folder, "SELECT look_at FROM champions") == [(None,)]
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    await court.rounds()
    assert not court.has(table.ben)


async def test_a_bot_killed_before_discords_answer_gives_the_role_once(
    table: Table, court: Court
) -> None:
    await begin_to_give(table, court)
    await table.restart()
    await court.rounds(2)
    assert court.calls("PUT") == 1
    assert court.has(table.ben)


async def test_a_bot_killed_while_it_takes_the_role_forgets_the_champion_after_a_restart(
    table: Table, court: Court
) -> None:
    await crown(court)
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    champions = table.services.champions
    (wearer,) = await champions.due()
    assert await champions.decide(wearer, has_role=True) is RoleChange.TAKE
    table.env.backend.remove_member_role(court.guild_id, table.ben.id, court.role.id)
    await table.services.preferences.set_hidden(table.ben.id, on=False)
    await table.restart()
    await court.rounds()
    assert (court.calls("DELETE"), court.wearers()) == (0, [])


async def test_a_role_that_discord_failed_to_give_is_tried_again(
    table: Table, court: Court
) -> None:
    for method in ("PUT", "DELETE"):
        path = path_of(court, table.ben)
        table.env.inject_error(method, path, status=500, times=10)
    await crown(court)
    assert not court.has(table.ben)
    table.env.backend.faults.clear()
    table.clock.advance(seconds=MINUTE_SECONDS)
    await court.rounds()
    assert court.has(table.ben)


async def test_two_processes_may_both_give_the_role_and_take_it(
    table: Table, court: Court, database_url: str
) -> None:
    court.at(MONDAY)
    async with open_services(database_url, table.clock, puzzle_key=KEY) as other:
        both = (table.services, other)
        await asyncio.gather(*(each.champions.settle(court.guild_id) for each in both))
        found = [(each, await each.champions.due()) for each in both]
        assert [len(wearers) for _, wearers in found] == [1, 1]
        client = table.bot
        await asyncio.gather(*(give_or_take(client, each, wearer) for each, (wearer,) in found))
        await table.env.settle()
        assert court.has(table.ben)
        await table.services.preferences.set_hidden(table.ben.id, on=True)
        await asyncio.gather(*(give_or_take(client, each, wearer) for each, (wearer,) in found))
    await table.env.settle()
    assert (court.has(table.ben), court.wearers()) == (False, [])


async def test_a_player_who_wins_again_while_the_role_is_being_taken_gets_it_again(
    table: Table, court: Court
) -> None:
    await crown(court)
    await table.services.preferences.set_hidden(table.ben.id, on=True)
    champions = table.services.champions
    (wearer,) = await champions.due()
    assert await champions.decide(wearer, has_role=True) is RoleChange.TAKE
    await table.services.preferences.set_hidden(table.ben.id, on=False)
    await champions.choose(court.guild_id, court.role.id, Period.MONTH)
    await champions.choose(court.guild_id, court.role.id, Period.WEEK)
    await champions.settle(court.guild_id)
    table.env.backend.remove_member_role(court.guild_id, table.ben.id, court.role.id)
    assert await champions.decide(wearer, has_role=False) is RoleChange.GIVE
    await court.rounds()
    assert court.has(table.ben)


async def test_the_champion_gets_a_newly_chosen_role_in_place_of_the_first(
    table: Table, court: Court
) -> None:
    await crown(court)
    other = table.ann.guild.create_role("Winner")
    table.env.backend.reorder_roles(court.guild_id, [{"id": court.host.id, "position": 9}])
    shown = await court.choose(other)
    assert f"<@&{other.id}>" in text(shown)
    await court.rounds()
    assert (court.has(table.ben), court.has(table.ben, other)) == (False, True)


async def test_a_second_click_on_the_choice_of_a_role_changes_nothing(
    table: Table, court: Court
) -> None:
    await crown(court)
    before = sql(court.folder, "SELECT champion_day, champion_at FROM guilds")
    shown = await court.choose()
    assert buttons(shown) == ["Take it back", "Make it monthly", "◀ All settings"]
    assert sql(court.folder, "SELECT champion_day, champion_at FROM guilds") == before
    clicks = [table.ann.click(shown, label="Take it back") for _ in range(2)]
    for result in await table.at_once(clicks):
        assert "**Champion's role: none**" in text(seen(result))
    await court.rounds(2)
    assert (court.has(table.ben), court.calls("DELETE")) == (False, 1)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
async def test_a_week_ends_at_the_servers_midnight(table: Table, tmp_path: Path, zone: str) -> None:
    court = Court(table, tmp_path)
    await table.services.settings.change(court.guild_id, zone=zone)
    court.at("2026-11-20T12:00")
    await court.solve(table.ben)
    await court.choose()
    early, late = {
        "Pacific/Kiritimati": ("2026-11-22T10:29", "2026-11-22T10:31"),
        "Pacific/Pago_Pago": ("2026-11-23T11:29", "2026-11-23T11:31"),
    }[zone]
    court.at(early)
    await court.rounds()
    assert not court.has(table.ben)
    court.at(late)
    await court.rounds()
    assert court.has(table.ben)


async def test_the_role_can_go_to_the_winner_of_each_month(table: Table, court: Court) -> None:
    shown = seen(await table.ann.click(await court.panel(), label="Make it monthly"))
    assert "Last month's leader has this role." in text(shown)
    await crown(court)
    assert not court.has(table.ben)
    court.at("2026-12-01T00:31")
    await court.rounds()
    assert court.has(table.ben)


async def test_the_role_waits_for_rows_that_are_still_to_be_computed(
    table: Table, court: Court
) -> None:
    sql(court.folder, f"INSERT INTO standing_rebuilds (player_id) VALUES ({table.ann.id})")
    await crown(court)
    assert not court.has(table.ben)
    while await table.services.upkeep.settle():
        pass
    table.clock.advance(seconds=11)
    await court.rounds()
    assert court.has(table.ben)


async def test_the_role_waits_at_most_an_hour_for_rows_that_cannot_be_computed(
    table: Table, court: Court
) -> None:
    sql(court.folder, f"INSERT INTO standing_rebuilds (player_id) VALUES ({table.ann.id})")
    await crown(court)
    court.at("2026-11-23T01:31")
    await court.rounds()
    assert court.has(table.ben)
