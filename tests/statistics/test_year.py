"""A player's year, counted by hand."""

from datetime import date

import pytest

from bot.privacy.model import CONFIRMATION
from bot.statistics.model import CalendarDay, Opponent
from tests.support.sql import sql
from tests.support.town import Town

ANN, BEN, CAT, LEE = 11, 22, 33, 44
GUILD = 1


@pytest.fixture
async def town(town: Town) -> Town:
    at(town, "2026-11-01")
    for player in (ANN, BEN, CAT):
        await town.join(player, GUILD)
    return town


def at(town: Town, day: str, hour: int = 12) -> None:
    town.at(f"{day}T{hour:02}:00")
    sql(town.folder, "DELETE FROM pulses")


async def play(town: Town, day: str, guesses: int, *, shown: int = 0) -> None:
    """Let Ann play a date; 7 guesses are a miss."""
    at(town, day)
    await town.play(ANN, GUILD, min(guesses, 6), solved=guesses < 7, shown=shown)


async def test_a_yearly_review_counts_the_games_of_its_year(town: Town) -> None:
    await play(town, "2026-12-29", 4)
    await play(town, "2026-12-30", 7)
    await play(town, "2026-12-31", 2)
    await town.mastermind(ANN, 3)
    await town.mastermind(ANN, 4, solved=False)
    await play(town, "2027-01-01", 3)
    await play(town, "2027-01-02", 3)
    await play(town, "2027-01-03", 2, shown=1)
    await town.mastermind(ANN, 5)
    old = await town.services.years.of(ANN, 2026, guild_id=GUILD)
    assert old.days == (date(2026, 1, 1), date(2026, 12, 31))
    assert old.calendar == {
        date(2026, 12, 29): CalendarDay(3, solved=True),
        date(2026, 12, 30): CalendarDay(0, solved=False),
        date(2026, 12, 31): CalendarDay(5, solved=True),
    }
    assert (old.solved, old.best_streak, old.best) == (2, 1, 2)
    assert old.masterminds == (2, 1)
    assert old.others == (2027,)
    new = await town.services.years.of(ANN, 2027, guild_id=GUILD)
    assert new.days == (date(2027, 1, 1), date(2027, 1, 3))
    assert (len(new.calendar), new.solved, new.best) == (3, 3, 3)
    assert new.best_streak == 4  # it began in the year before
    assert new.masterminds == (1, 1)
    assert new.others == (2026,)
    assert await town.services.years.of(ANN, 2999, guild_id=GUILD) == new


async def test_a_year_begins_at_midnight_in_the_players_zone(town: Town) -> None:
    await town.services.settings.change(GUILD, zone="Pacific/Kiritimati")  # 14 hours ahead
    at(town, "2026-12-31", 9)
    await town.mastermind(ANN, 3)
    at(town, "2026-12-31", 11)
    await town.mastermind(ANN, 3)
    await town.mastermind(ANN, 3)
    years = town.services.years
    assert (await years.of(ANN, 2026, guild_id=GUILD)).masterminds == (1, 1)
    assert (await years.of(ANN, 2027, guild_id=GUILD)).masterminds == (2, 2)


async def test_a_favourite_opening_was_played_at_least_twice(town: Town) -> None:
    for day in ("2026-12-01", "2026-12-02", "2026-12-03"):
        at(town, day)
        await town.play(ANN, GUILD, 3)
    sql(town.folder, "UPDATE guesses SET code = 'X' || play_id WHERE turn = 0")
    assert (await town.services.years.of(ANN, 2026)).opening is None
    sql(
        town.folder,
        "UPDATE guesses SET code = '12+34-5=41' WHERE turn = 0 AND play_id IN (1, 3)",
    )
    assert (await town.services.years.of(ANN, 2026)).opening == ("12+34-5=41", 2)
    at(town, "2027-01-02")
    assert (await town.services.years.of(ANN, 2027)).opening is None


@pytest.mark.parametrize("how", ["hidden", "gone", "deleted"])
async def test_the_most_frequent_opponent_is_one_visible_to_the_player(
    town: Town, how: str
) -> None:
    for _ in range(3):
        await town.duel(BEN, ANN)
    await town.duel(ANN, CAT)
    await town.duel(ANN, CAT)
    years = town.services.years
    found = await years.of(ANN, 2026, guild_id=GUILD)
    assert found.duels == (5, 2)
    assert found.opponent == Opponent(BEN, "P22 of 1", 3)
    match how:
        case "hidden":
            await town.services.preferences.set_hidden(BEN, on=True)
        case "gone":
            await town.services.standings.members.gone(GUILD, BEN)
        case _:
            await town.services.privacy.players.delete(BEN, CONFIRMATION)
    found = await years.of(ANN, 2026, guild_id=GUILD)
    assert found.duels == (5, 2)
    assert found.opponent == Opponent(CAT, "P33 of 1", 2)


async def test_a_year_without_games_is_empty(town: Town) -> None:
    found = await town.services.years.of(LEE, 2026)
    assert found.is_empty
    assert found.others == ()
    await town.duel(ANN, BEN)
    assert not (await town.services.years.of(BEN, 2026)).is_empty
