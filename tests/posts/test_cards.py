"""Cards without Discord: who is in them, when they are posted, drawn and closed."""

import asyncio
from datetime import timedelta
from itertools import product

import pytest

from bot.clock import PuzzleName
from bot.posts.cards import MOST_ROWS, CardContent, CardStep
from bot.posts.model import CardDeletedError
from bot.services import open_services
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.support.sql import sql
from tests.support.table import KEY
from tests.support.town import Town
from tests.support.wall import KilledError, Wall, carry_out, rounds

pytestmark = pytest.mark.usefixtures("keys_watched")

ANN, BEN, CAT = 11, 22, 33
HERE, CHANNEL = 100, 7
TODAY = PuzzleName(324, 10)


@pytest.fixture
def wall(clock: FakeClock) -> Wall:
    return Wall(clock)


async def enter(town: Town, player: int, channel: int = CHANNEL) -> int:
    await town.join(player, HERE)
    await town.play(player, HERE)
    card_id = await town.services.entries.enter(player, TODAY, HERE, channel)
    assert card_id is not None
    return card_id


async def pass_time(town: Town, wall: Wall, seconds: float) -> None:
    await rounds(town.services.cards, wall, town.clock, seconds)


def only(wall: Wall) -> CardContent:
    (content,) = wall.shown.values()
    return content


def players(wall: Wall) -> list[int]:
    return [row.player_id for row in only(wall).rows]


async def test_several_changes_of_a_card_within_five_seconds_are_drawn_in_one_edit(
    town: Town, wall: Wall
) -> None:
    await enter(town, ANN)
    for player in range(1000, 1007):
        await pass_time(town, wall, 1)
        await enter(town, player)
    await pass_time(town, wall, 6)
    assert only(wall).total == 8
    assert len(wall.edits) == 2
    assert wall.edits[1] - wall.edits[0] >= timedelta(seconds=5)


async def test_two_processes_post_one_card(
    town: Town, wall: Wall, database_url: str, clock: FakeClock
) -> None:
    number = await enter(town, ANN)
    await enter(town, BEN)
    async with open_services(database_url, clock, puzzle_key=KEY) as other:
        both = [town.services.cards, other.cards]
        done = await asyncio.gather(*(carry_out(one, wall, number) for one in both * 3))
    assert sum(done) == 1
    assert players(wall) == [ANN, BEN]


async def test_a_server_has_one_card_for_each_date_and_length(town: Town) -> None:
    enter_it = town.services.entries.enter
    first = await enter(town, ANN)
    await town.join(BEN, HERE)
    await town.play(BEN, HERE)
    assert await enter_it(BEN, TODAY, HERE, CHANNEL + 1) is None
    await town.play(ANN, HERE, puzzle="324/9")
    second = await enter_it(ANN, PuzzleName(324, 9), HERE, CHANNEL + 1)
    assert second not in {None, first}
    assert await enter_it(ANN, PuzzleName(324, 9), HERE, CHANNEL) is None
    await town.play(ANN, HERE + 1, puzzle="324")
    assert await enter_it(ANN, TODAY, HERE + 1, CHANNEL + 2) not in {None, first, second}
    town.clock.advance(days=1)
    await town.play(ANN, HERE)
    assert await enter_it(ANN, PuzzleName(325, 10), HERE, CHANNEL + 1) is not None


async def test_rows_of_a_card_are_ranked_like_the_leaderboard_of_the_date(
    town: Town, wall: Wall
) -> None:
    plays = {1: (4, True, 0), 2: (3, True, 0), 3: (3, True, 0), 4: (3, True, 1), 5: (6, False, 0)}
    for player, (guesses, is_solved, hints) in plays.items():
        await town.join(player, HERE)
        await town.play(player, HERE, guesses, solved=is_solved, shown=hints)
        await town.services.entries.enter(player, TODAY, HERE, CHANNEL)
        town.clock.advance(seconds=1)
    await pass_time(town, wall, 0)
    rows = only(wall).rows
    assert [(row.rank, row.player_id) for row in rows] == [(1, 2), (1, 3), (3, 1), (4, 4), (5, 5)]
    assert [row.is_solved for row in rows] == [True] * 4 + [False]
    assert [len(row.turns) for row in rows] == [3, 3, 4, 3, 6]
    assert rows[0].name == f"P2 of {HERE}"


async def test_a_card_shows_the_best_players_and_counts_the_others(town: Town, wall: Wall) -> None:
    for player in range(1000, 1030):
        await enter(town, player)
    await pass_time(town, wall, 0)
    assert (len(only(wall).rows), only(wall).total) == (MOST_ROWS, 30)


async def test_only_a_result_of_the_current_date_is_added_to_a_card(town: Town) -> None:
    enter_it = town.services.entries.enter
    await town.play(ANN, HERE)
    await town.play(ANN, HERE, puzzle="323")
    assert await enter_it(ANN, PuzzleName(323, 10), HERE, CHANNEL) is None
    # Further east the next date has begun.
    await town.services.preferences.set_zone(BEN, "Pacific/Kiritimati")
    await town.play(BEN, None)
    assert await enter_it(BEN, PuzzleName(325, 10), HERE, CHANNEL) is None
    await town.services.posts.choices.set_todays_card(HERE, on=False)
    assert await enter_it(ANN, TODAY, HERE, CHANNEL) is None
    await town.services.posts.choices.set_todays_card(HERE, on=True)
    assert await enter_it(ANN, TODAY, HERE, CHANNEL) is not None


async def test_a_card_closes_when_its_date_has_ended_in_the_server(town: Town, wall: Wall) -> None:
    await town.services.settings.change(HERE, zone="Europe/Berlin")
    town.at("2026-11-20T23:40", "Europe/Berlin")
    late = await town.open(BEN, HERE)
    await enter(town, ANN)
    await pass_time(town, wall, 10)
    assert not only(wall).is_closed
    town.at("2026-11-21T00:20", "Europe/Berlin")  # those who have begun in time may still finish
    await town.finish(late, 2)
    assert await town.services.entries.enter(BEN, TODAY, HERE, CHANNEL) is not None
    await pass_time(town, wall, 10)
    assert (players(wall), only(wall).is_closed) == ([BEN, ANN], False)
    town.at("2026-11-21T00:29:50", "Europe/Berlin")
    await pass_time(town, wall, 9)
    assert not only(wall).is_closed
    await pass_time(town, wall, 1)
    assert only(wall).is_closed
    edits = len(wall.edits)
    await town.play(CAT, HERE, puzzle="324")
    assert await town.services.entries.enter(CAT, TODAY, HERE, CHANNEL) is None
    await pass_time(town, wall, 600)
    assert (players(wall), len(wall.edits)) == ([BEN, ANN], edits)


async def test_a_card_of_a_date_prolonged_by_a_change_of_zone_closes_later(
    town: Town, wall: Wall
) -> None:
    await town.services.settings.change(HERE, zone="Europe/Berlin")
    await enter(town, ANN)
    await pass_time(town, wall, 1)
    # Nobody has chosen a zone for as long as this: it is corrected at once.
    sql(town.folder, "UPDATE zones SET zone = 'America/New_York'")
    town.at("2026-11-21T00:30", "Europe/Berlin")
    await pass_time(town, wall, 60)
    assert not only(wall).is_closed
    town.at("2026-11-21T00:30", "America/New_York")
    await pass_time(town, wall, 1)
    assert only(wall).is_closed


@pytest.mark.long
@pytest.mark.parametrize(
    ("step", "killed", "pause"),
    [*product(range(3), ["claimed", "done"], [70, 400])][:: either(3, 1)],
)
async def test_a_kill_at_any_step_leaves_one_card_with_everybody(
    town: Town, wall: Wall, step: int, killed: str, pause: int
) -> None:
    cards = town.services.cards
    number = await enter(town, ANN)
    steps = 0
    for player in (BEN, CAT):
        while True:
            try:
                is_done = await carry_out(
                    cards, wall, number, killed=killed if steps == step else ""
                )
            except KilledError:
                is_done = True
                town.clock.advance(seconds=pause)
            steps += 1
            if not is_done:
                break
        town.clock.advance(hours=1)
        await enter(town, player)
        await carry_out(cards, wall, number)
    await pass_time(town, wall, 200)
    assert players(wall) == [ANN, BEN, CAT]


async def test_a_player_who_hides_leaves_the_card_until_they_share_again(
    town: Town, wall: Wall
) -> None:
    preferences = town.services.preferences
    for player in (ANN, BEN):
        await enter(town, player)
        await town.services.entries.share_always(player, HERE, CHANNEL)
    await pass_time(town, wall, 1)
    await preferences.set_hidden(ANN, on=True)
    await pass_time(town, wall, 6)
    assert players(wall) == [BEN]
    assert await town.services.entries.enter(ANN, TODAY, HERE, CHANNEL, by_itself=True) is None
    await preferences.set_hidden(ANN, on=True)
    await enter(town, ANN)
    await pass_time(town, wall, 6)
    assert players(wall) == [BEN, ANN]
    await preferences.set_hidden(ANN, on=False)
    await pass_time(town, wall, 6)
    assert players(wall) == [BEN, ANN]


async def test_a_player_who_deletes_their_data_or_leaves_is_taken_off_even_a_closed_card(
    town: Town, wall: Wall
) -> None:
    for player in (ANN, BEN, CAT):
        await enter(town, player)
    await pass_time(town, wall, 1)
    await town.services.standings.members.gone(HERE, ANN)
    await pass_time(town, wall, 6)
    assert players(wall) == [BEN, CAT]
    town.clock.advance(days=2)
    await pass_time(town, wall, 6)
    assert only(wall).is_closed
    await town.services.privacy.players.delete(BEN, "DELETE")
    await pass_time(town, wall, 6)
    assert players(wall) == [CAT]
    await town.services.standings.members.gone(HERE, CAT)
    await pass_time(town, wall, 6)
    assert wall.shown == {}


async def test_a_card_deleted_by_a_moderator_stays_away_for_its_date(
    town: Town, wall: Wall
) -> None:
    await enter(town, ANN)
    await pass_time(town, wall, 6)
    wall.shown.clear()
    number = await enter(town, ANN)  # the next look finds out
    await pass_time(town, wall, 1)
    with pytest.raises(CardDeletedError):
        await town.services.entries.place(number, ANN)
    with pytest.raises(CardDeletedError):
        await enter(town, BEN)
    assert sql(town.folder, "SELECT * FROM card_rows") == []
    assert await town.services.entries.enter(BEN, TODAY, HERE, CHANNEL + 1) is None
    await pass_time(town, wall, 100)
    assert wall.shown == {}
    town.clock.advance(days=1)
    await pass_time(town, wall, 1)
    assert sql(town.folder, "SELECT * FROM cards") == []
    await town.play(BEN, HERE)
    await town.services.entries.enter(BEN, PuzzleName(325, 10), HERE, CHANNEL)
    await pass_time(town, wall, 1)
    assert players(wall) == [BEN]


async def test_a_card_that_all_players_have_left_may_be_opened_anew_in_any_channel(
    town: Town, wall: Wall
) -> None:
    await enter(town, ANN)
    await pass_time(town, wall, 1)
    await town.services.preferences.set_hidden(ANN, on=True)
    await pass_time(town, wall, 6)
    assert wall.shown == {}
    await enter(town, BEN, CHANNEL + 1)
    await pass_time(town, wall, 6)
    assert players(wall) == [BEN]


async def test_a_player_who_shares_while_a_card_is_being_deleted_gets_a_new_card(
    town: Town, wall: Wall
) -> None:
    number = await enter(town, ANN)
    await pass_time(town, wall, 1)
    await town.services.preferences.set_hidden(ANN, on=True)
    work = await town.services.cards.claim(number)
    assert work is not None
    assert work.step is CardStep.DELETE
    await enter(town, BEN)
    wall.delete(work.target_id)
    await town.services.cards.deleted(work)
    await pass_time(town, wall, 6)
    assert players(wall) == [BEN]


async def test_a_channel_that_refuses_a_card_is_retried_only_with_each_share(
    town: Town, wall: Wall
) -> None:
    cards, wall.is_closed = town.services.cards, True
    number = await enter(town, ANN)
    assert await carry_out(cards, wall, number)
    assert await town.services.entries.place(number, ANN) is None
    assert await cards.due() == []
    wall.is_closed = False
    await enter(town, BEN, CHANNEL + 1)
    await pass_time(town, wall, 1)
    assert players(wall) == [BEN]


async def test_a_refused_card_is_sent_later_if_a_player_was_entered_meanwhile(
    town: Town, wall: Wall
) -> None:
    work = await town.services.cards.claim(await enter(town, ANN))
    assert work is not None
    await enter(town, BEN)
    await town.services.cards.refused(work)
    await pass_time(town, wall, 119)
    assert wall.shown == {}
    await pass_time(town, wall, 1)
    assert players(wall) == [ANN, BEN]


async def test_a_card_drawn_without_avatars_is_drawn_again(town: Town, wall: Wall) -> None:
    cards = town.services.cards
    work = await cards.claim(await enter(town, ANN))
    assert work is not None
    message_id = wall.send(work)
    assert message_id is not None
    await cards.posted(work, message_id, is_whole=False)
    await pass_time(town, wall, 20)
    assert len(wall.edits) == 1


async def test_a_player_who_always_shares_is_on_the_card_of_their_chosen_servers(
    town: Town,
) -> None:
    entries, preferences = town.services.entries, town.services.preferences
    await entries.share_always(ANN, HERE, CHANNEL)
    assert (await town.play(ANN, HERE)).ending.shares_to == CHANNEL
    assert await entries.enter(ANN, TODAY, HERE, CHANNEL + 1, by_itself=True) is None
    assert await entries.enter(ANN, TODAY, HERE, CHANNEL, by_itself=True) is not None
    await entries.share_always(BEN, HERE, CHANNEL)
    await entries.share_always(BEN, HERE + 1, CHANNEL + 1)
    await entries.share_always(BEN, HERE, CHANNEL + 2)
    view = await preferences.share_no_more(BEN, [HERE + 1])
    assert view.always == ((HERE, CHANNEL + 2),)
    assert (await town.play(BEN, None)).ending.shares_to is None
    await entries.share_always(CAT, HERE, CHANNEL)
    await preferences.set_hidden(CAT, on=True)
    assert (await town.play(CAT, HERE)).ending.shares_to is None


async def test_a_card_is_forgotten_a_week_after_its_date(town: Town, wall: Wall) -> None:
    await enter(town, ANN)
    await pass_time(town, wall, 1)
    town.clock.advance(days=1)
    await pass_time(town, wall, 6)
    for days, rows in ((6, 1), (1, 0)):
        town.clock.advance(days=days)
        await pass_time(town, wall, 0)
        for table in ("cards", "card_rows"):
            assert len(sql(town.folder, f"SELECT * FROM {table}")) == rows
    assert only(wall).is_closed
