"""The recap of a week, in the first post of the next one."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.clock import day_of
from bot.duels.position import DuelOptions
from bot.posts.game import DuePost
from bot.posts.news import PostNews
from bot.posts.words import sections
from bot.privacy.model import CONFIRMATION
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    CLASSIC,
    DAN,
    EQUAL,
    GUILD,
    SECRETS,
    ids,
    playing,
    wrong,
)
from tests.support.effort import either
from tests.support.sql import sql
from tests.support.town import Town

FIRST = 320
"""The number of Monday, November 16, 2026, with which the week begins that is told of."""
NAMES = {ANN: "Ann", BEN: "Ben", CAT: "Cat", DAN: "Dan"}

Results = dict[int, dict[int, int]]
"""By number and player how many guesses it took; 7 for a miss."""


@pytest.fixture
async def town(town: Town) -> Town:
    at(town, FIRST - 40)
    for player, name in NAMES.items():
        await town.services.standings.members.seen(player, name, guild_id=GUILD, guild_name=name)
    return town


def at(town: Town, number: int, hour: int = 12) -> None:
    """Let it be the date of a puzzle, with no outage before."""
    town.at(f"{day_of(number)}T{hour:02}:00")
    sql(town.folder, "DELETE FROM pulses")


async def play(town: Town, results: Results, hard: dict[int, int] | None = None) -> None:
    """Let members play dates that take four guesses, or as many hundredths as given."""
    for number, of_day in results.items():
        at(town, number)
        for player, guesses in of_day.items():
            await town.play(player, GUILD, min(guesses, 6), solved=guesses < 7)
        await town.difficulty(number, 10, (hard or {}).get(number, 400))


async def duel(
    town: Town, one: int, other: int, rounds: int, *, draw: bool = False, mode: DuelOptions = EQUAL
) -> None:
    """A duel that one player decides in this round, or both, or in a classic one whoever begins."""
    game = await playing(town.services, mode, one, other)
    while game.duel.ending is None:
        assert game.duel.to_move is not None
        made, player = game.seats[game.duel.to_move].guesses, ids(game)[game.duel.to_move]
        finds = made == rounds - 1 and (draw or player == one)
        text = SECRETS[ids(game)[1 - game.duel.to_move]] if finds else wrong(made)
        game = await town.services.duels.playing.guess(player, game.duel.id, text)


async def gather(town: Town, number: int = FIRST + 7) -> tuple[DuePost, PostNews]:
    """The post of a date as if the last one was seven days ago, and its news."""
    at(town, number, 9)
    await town.settle()
    due = await town.services.posts.book.preview(GUILD)
    due = replace(due, last_day=due.day - timedelta(days=7))
    return due, await town.services.posts.news.gather(due)


async def told(town: Town, number: int = FIRST + 7) -> list[str]:
    """What the post of a date tells of last week, line by line.

    Names are as they are, and those of a duel in alphabetical order: the one who begins is drawn.
    """
    parts = sections((await gather(town, number))[1])
    (part,) = [part for part in parts if part.startswith("**Last week**")]
    plain = part.replace("\u2068", "").replace("\u2069", "")
    return re.sub(r"duel: (\w+) and (\w+)", _in_order, plain).splitlines()


def _in_order(names: re.Match[str]) -> str:
    return "duel: {} and {}".format(*sorted(names.groups()))


async def full_week(town: Town) -> None:
    """A week with something for every line, after another one."""
    before = {FIRST - n: {ANN: 3, BEN: 4, CAT: 6} for n in range(1, 4)}
    week = {FIRST + n: {ANN: 4, BEN: 4, CAT: 5} for n in range(6)}
    week[FIRST + 2] = {ANN: 7, BEN: 4, CAT: 7}
    await play(town, before)
    await duel(town, ANN, DAN, 1, draw=True)  # of the week before
    await play(town, week, {FIRST + 2: 463, FIRST + 4: 480})
    await duel(town, ANN, BEN, 4)
    await duel(town, BEN, CAT, 3, draw=True)
    await duel(town, ANN, DAN, 5, draw=True, mode=CLASSIC)
    for _ in range(5):
        await town.mastermind(DAN, 5)


async def test_a_full_weeks_recap_has_leaders_streak_closest_duel_and_hardest_puzzle(
    town: Town,
) -> None:
    await full_week(town)
    assert await told(town) == [
        "**Last week** · Nov 16 – Nov 22",
        "🥇 Ben · 18 points · 6 solved",
        "🥈 Ann · 15 points · 5 solved",
        "🥉 Cat · 10 points · 5 solved",
        "🧠 Mastermind: Dan · 5.0 on average",
        "🔥 Streak: Ben · 9 days",
        "🤝 Closest duel: Ben and Cat",
        "-# both in 3 guesses",
        "🧩 Hardest: #324",
        "-# 3 of 3 solved it",
    ]


async def test_last_weeks_board_names_nobody_who_solved_nothing(town: Town) -> None:
    await play(town, {FIRST: {ANN: 4, BEN: 7}})
    lines = ["🥇 Ann · 3 points · 1 solved", "-# and 1 more"]
    assert await told(town) == ["**Last week** · Nov 16 – Nov 22", *lines]


async def test_a_recap_needs_three_players_and_can_be_turned_off(town: Town) -> None:
    week = {FIRST + n: {ANN: 3, BEN: 4} for n in range(5)}
    await play(town, week)
    board = [
        "**Last week** · Nov 16 – Nov 22",
        "🥇 Ann · 20 points · 5 solved",
        "🥈 Ben · 15 points · 5 solved",
    ]
    assert await told(town) == board
    at(town, FIRST + 6)
    await town.mastermind(CAT, 4)  # the third, at another game
    with_recap = await told(town)
    assert with_recap[:3] == board
    assert len(with_recap) > 3
    await town.services.posts.choices.set_weekly_recap(GUILD, on=False)
    assert await told(town) == board
    assert not (await town.services.posts.choices.view(GUILD)).weekly_recap
    await town.services.posts.choices.set_weekly_recap(GUILD, on=True)
    assert await told(town) == with_recap


@pytest.mark.long
@pytest.mark.parametrize("first", range(either(1, 3)))
async def test_a_hidden_player_is_in_no_line_of_a_recap(town: Town, first: int) -> None:
    eve = 55
    await town.services.standings.members.seen(eve, "Eve", guild_id=GUILD, guild_name="Eve")
    await full_week(town)
    at(town, FIRST + 6)
    await town.play(eve, GUILD, 3)
    hows = ("hidden", "gone", "deleted") * 2
    for player, how in zip((BEN, CAT, DAN), hows[first:], strict=False):  # they lead or are close
        match how:
            case "hidden":
                await town.services.preferences.set_hidden(player, on=True)
            case "gone":
                await town.services.standings.members.gone(GUILD, player)
            case _:
                await town.services.privacy.players.delete(player, CONFIRMATION)
    _, news = await gather(town)
    assert news.recap is None  # Ann and Eve are two
    fay = 66
    await town.services.standings.members.seen(fay, "Fay", guild_id=GUILD, guild_name="Fay")
    at(town, FIRST + 6, 13)
    await town.play(fay, GUILD, 2)
    lines = await told(town)
    assert not any(name in line for line in lines for name in ("Ben", "Cat", "Dan"))
    assert lines[-2:] == ["🧩 Hardest: #324", "-# 1 of 1 solved it"]
    assert "Closest duel" not in str(lines)


async def test_a_recap_names_two_of_several_tied_players_and_leaves_out_lines_without_news(
    town: Town,
) -> None:
    await play(town, {FIRST + n: {ANN: 7, BEN: 7, CAT: 7} for n in range(2)})
    assert await told(town) == [
        "**Last week** · Nov 16 – Nov 22",
        "🧩 Hardest: #320",
        "-# too hard for all of us",
    ]
    await play(town, {FIRST + n: {ANN: 4, BEN: 4, CAT: 4} for n in range(2, 7)})
    lines = await told(town)
    assert "🔥 Streak: Ann, Ben and 1 more · 5 days" in lines
    await town.services.preferences.set_hidden(CAT, on=True)
    at(town, FIRST + 6)
    await town.play(DAN, GUILD, 6)
    assert "🔥 Streak: Ann and Ben · 5 days" in await told(town)


async def test_a_recap_still_names_players_who_tie_with_a_member_taken_off(town: Town) -> None:
    at(town, FIRST + 6)
    for player in NAMES:
        for _ in range(5):
            await town.mastermind(player, 5)
    assert "🧠 Mastermind: Ann, Ben and 2 more · 5.0 on average" in await told(town)
    await town.services.settings.take_off(DAN, GUILD, ANN)
    assert "🧠 Mastermind: Ben, Cat and 1 more · 5.0 on average" in await told(town)


async def test_a_recap_and_its_duels_follow_the_servers_calendar(town: Town) -> None:
    await town.services.settings.change(GUILD, zone="Pacific/Kiritimati")  # 14 hours ahead
    at(town, FIRST - 1, 9)  # Sunday there
    await duel(town, ANN, BEN, 2)
    at(town, FIRST - 1, 11)  # Monday
    await duel(town, BEN, CAT, 3)
    at(town, FIRST + 6, 11)  # the next one
    await duel(town, CAT, ANN, 4)
    at(town, FIRST + 5)
    for player in (ANN, BEN, CAT):
        await town.play(player, GUILD, 4)
    lines = await told(town)
    place = lines.index("🤝 Closest duel: Ben and Cat")
    assert lines[place + 1] == "-# by the last guess of round 3"
