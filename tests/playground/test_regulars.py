"""Ben and Cleo play by themselves: a newcomer alone meets every game that takes others."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise, permutations

import pytest

from bot.clock import start_of
from bot.duels.model import State
from bot.games.model import Channel
from bot.leaderboards.boards import Board, BoardGame, Period
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.mastermind.model import Stage
from bot.playground.regulars import Regulars, choose, fill
from bot.races.model import Stage as RaceStage
from cogs.duels.messages import DuelClockCog
from cogs.page import PagePostsCog
from cogs.posts.delivery import PostsCog
from cogs.races import RacesCog
from engine import BullsAndCows, Turn
from tests.support.duel_stories import dare, seek
from tests.support.posted import post_text
from tests.support.table import SECRET, Table


@pytest.fixture
async def table(table: Table) -> Table:
    await table.restart(web_url="https://focdle.example.org")
    return table


def regulars(table: Table) -> Regulars:
    return Regulars(table.services, table.clock, table.world)


def here(table: Table) -> Channel:
    return Channel(table.ann.guild.id, table.channel.id)


def posts(table: Table) -> str:
    """All texts of the channel, and of its pictures, without marks of direction."""
    found = "\n".join(
        "\n".join([post_text(message), *(str(each.description) for each in message.attachments)])
        for message in table.channel.history()
    )
    return found.translate({0x2068: None, 0x2069: None})


async def live(table: Table, seconds: int, until: Callable[[], bool] = bool) -> int:
    """Let time pass, five seconds a beat; each beat is of members who remember nothing.

    Return after how many seconds something was so; fail if it never was.
    """
    loops = (
        table.cog(RacesCog).publish,
        table.cog(PagePostsCog).post,
        table.cog(PostsCog).post,
        table.cog(DuelClockCog).beat,
    )
    for passed in range(0, seconds, 5):
        if until():
            return passed
        table.clock.advance(seconds=5)
        await regulars(table).beat()
        await table.rounds(*loops)
    assert until is bool or until(), posts(table)
    return seconds


async def test_the_others_join_a_race_and_play_it_to_its_end(table: Table) -> None:
    races = table.services.races
    await table.ann.slash(table.channel, "race")
    (view,) = await races.seen_in(here(table))
    assert await live(table, 60, lambda: "Already in: Ann, Ben" in posts(table)) >= 5
    await live(table, 60, lambda: "Already in: Ann, Ben, Cleo" in posts(table))
    race = (await races.start(table.ann.id, view.race.id, here(table))).race
    await races.guess(table.ann.id, race.id, here(table), race.secret)
    assert await live(table, 300, lambda: "Ann wins" in posts(table)) > 20
    race = await races.look(race.id, here(table))
    assert race.stage is RaceStage.OVER
    assert all(seat.guesses and seat.outcome for seat in race.seats)


async def test_a_duel_is_accepted_and_played_to_its_end(table: Table) -> None:
    board = await dare(table.ann, table.channel, table.ben)
    (view,) = await table.services.duels.games.open_of(table.ann.id)
    duels, duel, numbers = table.services.duels, view.duel, permutations("9876")
    for _ in range(80):
        if duel.waits_for(table.ann.id):
            bens = duel.seats[duel.seat_of(table.ben.id) or 0].secret
            wrong = next(number for each in numbers if (number := "".join(each)) != bens)
            await duels.playing.guess(table.ann.id, duel.id, wrong)
        await live(table, 5)
        duel = (await duels.games.of(table.ann.id, duel.id)).duel
        if duel.state is State.OVER:
            break
    await live(table, 10)
    assert duel.winner == duel.seat_of(table.ben.id)
    (found,) = (m for m in table.channel.history() if m.id == board.id)
    assert f"{table.ben.mention} wins" in post_text(found)
    bens = [move.moved_at for move in duel.moves if move.seat == duel.seat_of(table.ben.id)]
    assert all(later - move >= timedelta(seconds=5) for move, later in pairwise(bens))


async def test_whoever_asks_for_anybody_is_answered_by_cleo(table: Table) -> None:
    await seek(table.ann, table.channel)
    await live(table, 15)
    (view,) = await table.services.duels.games.open_of(table.ann.id)
    assert view.duel.state is State.PLAYING
    assert view.duel.seat_of(table.world.members[2].id) is not None


async def test_a_challenge_of_mastermind_is_broken(table: Table) -> None:
    challenges, ben = table.services.mastermind.challenges, table.ben.id
    invitation = Invitation(table.ann.id, ben, here(table).guild_id, table.channel.id)
    game = (await challenges.invite(invitation, Setting(), "RRGB")).game
    await live(table, 200)
    game = (await challenges.look(table.ann.id, game.id)).game
    assert game.stage is Stage.OVER
    assert game.turns


async def test_their_dailies_are_on_todays_card_and_another_follows_a_share(table: Table) -> None:
    assert await live(table, 120, lambda: "Ben" in posts(table)) > 20
    assert "Cleo" not in posts(table)
    await live(table, 60)
    board = await table.focdle(table.ann, guess=SECRET)
    await table.ann.click(board, label="Share")
    assert "Ann" in posts(table)
    assert "Cleo" not in posts(table)
    await live(table, 40, lambda: "Cleo" in posts(table))
    for message in table.channel.history():  # as a new world has none
        table.env.backend.delete_message(table.channel.id, message.id)
    assert "Ben" not in posts(table)
    table.clock.advance(seconds=10)
    await table.ann.click(board, label="Share")
    await live(table, 20, lambda: "Ben" in posts(table) and "Ann" in posts(table))


async def test_a_race_waits_until_the_newcomer_is_through_with_the_daily(table: Table) -> None:
    members, races = regulars(table), table.services.races
    for seconds, guess in ((600, {}), (30, {"guess": SECRET}), (40, {})):
        assert not await races.open_in(here(table))
        await table.focdle(table.ann, **guess)
        for _ in range(seconds // 5):
            table.clock.advance(seconds=5)
            await members.beat()
    (race_id,) = await races.open_in(here(table))
    await live(table, 10, lambda: "Already in: Ben" in posts(table))
    await table.services.races.join(table.ann.id, race_id, here(table))
    await live(table, 40)
    race = await table.services.races.look(race_id, here(table))
    assert race.stage is RaceStage.RUNNING
    assert [seat.player_id for seat in race.seats][:2] == [table.ben.id, table.ann.id]


@pytest.mark.parametrize(("is_begun", "minutes"), [(False, 5), (True, 14)])
async def test_a_race_waits_some_minutes_for_a_daily_left_alone_and_a_newcomer_who_is_there(
    table: Table, *, is_begun: bool, minutes: int
) -> None:
    members, races = regulars(table), table.services.races
    if is_begun:
        await table.focdle(table.ann)
    for waits in (minutes, 4):
        for _ in range(waits * 12):
            table.clock.advance(seconds=5)
            await members.beat()
        assert not await races.open_in(here(table))
        await table.ann.slash(table.channel, "help")
        await members.beat()
    assert await races.open_in(here(table))


async def test_a_member_as_whom_a_browser_acts_is_left_alone(table: Table) -> None:
    members, ben = regulars(table), table.ben.id
    await table.focdle(table.ben)
    for _ in range(34):
        table.clock.advance(seconds=5)
        await members.beat()
    play = await table.services.daily.open(ben, here(table).guild_id)
    cleos = await table.services.daily.open(table.world.members[2].id, here(table).guild_id)
    assert (play.game.turns, cleos.game.outcome is None) == ((), False)
    for _ in range(8):
        table.clock.advance(seconds=5)
        await members.beat()
    assert (await table.services.daily.view(ben, play.id)).game.turns


async def test_a_failure_of_theirs_is_logged_and_ends_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    members = regulars(table)
    with monkeypatch.context() as broken:
        broken.delattr(type(table.services.agendas), "of")
        await members.beat()
    assert "a member's play: failed this time" in caplog.text
    await members.beat()
    assert (await table.services.agendas.of(table.ben.id, here(table).guild_id)).play is not None


async def test_days_passed_leave_streaks_boards_and_ratings(
    table: Table, database_url: str
) -> None:
    ben, guild = table.ben.id, here(table).guild_id
    await fill(database_url, table.clock, table.world, days=3)
    agendas = table.services.agendas
    assert (await agendas.of(ben, guild)).streak.best  # the last daily may be lost
    week = Board(BoardGame.FOCDLE, Period.WEEK, guild_id=guild)
    rows = (await table.services.standings.boards.page(week, ben)).rows
    assert "Ben" in {row.name for row in rows}
    assert await table.services.duels.games.rating_history(ben)
    assert not (await agendas.of(table.ann.id, guild)).knows_focdle
    posts = await table.services.settings.view(guild)
    assert posts.channel_id == here(table).channel_id
    games = await table.services.finished.page(ben)
    await fill(database_url, table.clock, table.world, days=3)
    assert await table.services.finished.page(ben) == games
    today = start_of(table.clock.now().date(), "UTC")
    assert max(game.finished_at for game in games.games) < today


def test_no_member_guesses_the_same_twice_though_earlier_answers_are_overlooked() -> None:
    rules = BullsAndCows(1)
    for _ in range(10):
        turns = [Turn("0", rules.feedback("0", "9")), Turn("1", rules.feedback("1", "9"))]
        assert choose(rules, turns) not in {"0", "1"}
