"""Two players beside each other on the dates that both have played."""

from datetime import timedelta

from bot.games.model import FEWEST_SHARED, SharedDailies
from bot.ratings.model import HeadToHead
from bot.services import Services
from tests.support import duels
from tests.support.clock import NOON, FakeClock
from tests.support.masterminds import ANN, BEN, GUILD

WRONG = ("12+34-5=41", "65%43-21=1", "98-76+5=27", "10+12-8=14", "40-16+3=27", "11+12-5=18")

# Ann's and Ben's, date by date: three times she took fewer, five times he. To lose is worse than
# to solve with the last guess.
WRONG_GUESSES = [(5, 6), (0, 1), (0, 4), (6, 5), (6, 5), (1, 0), (4, 0), (3, 1), (2, 2), (6, 6)]


async def play(services: Services, player: int, wrong: int) -> None:
    """Finish today's puzzle after so many wrong guesses; six lose it."""
    game = await services.daily.open(player, GUILD)
    for guess in [guess for guess in WRONG if guess != game.game.secret][:wrong]:
        game = await services.daily.guess(player, game.id, guess)
    if wrong < len(WRONG):
        await services.daily.guess(player, game.id, game.game.secret)


async def beside(services: Services, viewer: int, other: int) -> SharedDailies | None:
    for player in (viewer, other):
        await services.standings.members.seen(player, "", guild_id=GUILD, guild_name="")
    stats = await services.statistics.of(other, viewer_id=viewer, guild_id=GUILD)
    return stats.viewers_dailies


async def test_two_players_are_compared_from_ten_shared_dates_on(
    services: Services, clock: FakeClock
) -> None:
    for day, (anns, bens) in enumerate(WRONG_GUESSES):
        assert await beside(services, ANN, BEN) is None
        clock.set(NOON + timedelta(days=day))
        await play(services, ANN, anns)
        await play(services, BEN, bens)
    # The last date is not over in the westernmost zone before noon of the next.
    clock.set(NOON + timedelta(days=FEWEST_SHARED, seconds=-1))
    assert await beside(services, ANN, BEN) is None
    clock.set(NOON + timedelta(days=FEWEST_SHARED))
    assert await beside(services, ANN, BEN) == SharedDailies(FEWEST_SHARED, 3, 5)
    assert await beside(services, BEN, ANN) == SharedDailies(FEWEST_SHARED, 5, 3)
    await services.preferences.set_hidden(ANN, on=True)
    assert await beside(services, ANN, BEN) is None


async def test_a_challenge_shows_earlier_results_of_the_two_from_the_challengers_side(
    services: Services,
) -> None:
    for challenger, other in ((ANN, BEN), (BEN, ANN)) * 4:
        game = await duels.playing(services, by=challenger, to=other)
        await services.duels.playing.resign(ANN, game.duel.id)
    # Ben has won them all, whoever challenges and whatever order was drawn.
    views = ((ANN, BEN, (0, 0, 8)), (BEN, ANN, (8, 0, 0))) * 4  # the order is drawn each time
    for challenger, other, record in views:
        game = await duels.invited(services, by=challenger, to=other)
        assert game.head_to_head == HeadToHead(*record)
        assert game.shared is None
        await services.duels.inviting.withdraw(challenger, game.duel.id)
