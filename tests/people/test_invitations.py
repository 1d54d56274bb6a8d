"""What members may post, how often, and who wants to be asked at all."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from bot.duels.challenges import Challenge
from bot.duels.model import DuelView, State
from bot.games.model import Channel, GameName, Source
from bot.mastermind.challenges import Invitation
from bot.mastermind.model import InvitationView
from bot.people.model import DeclinedError, PostedTooOftenError
from bot.privacy.model import Keeps
from bot.refused import NotWantedError
from bot.services import Services
from engine import Focdle
from tests.support.clock import FakeClock
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    DAN,
    EQUAL,
    GUILD,
    invited,
    playing,
)
from tests.support.masterminds import SMALL, STANDARD, secret_of
from tests.support.masterminds import invitation as invite
from tests.support.sql import sql

Ask = Callable[..., Awaitable[DuelView | InvitationView]]
HOUR = timedelta(hours=1)


async def duel(services: Services, by: int = ANN, to: int = BEN) -> DuelView:
    return await invited(services, by=by, to=to)


async def decline(services: Services, game: DuelView | InvitationView, by: int = BEN) -> None:
    if isinstance(game, DuelView):
        await services.duels.inviting.decline(by, game.duel.id)
    else:
        await services.mastermind.challenges.decline(by, game.game.id)


class Poster:
    """Ann, who posts whatever there is; what she has posted is over at once."""

    def __init__(self, services: Services, folder: Path) -> None:
        self.services = services
        self.folder = folder
        self.numbers = count(1)

    async def duel(self, guild_id: int = GUILD) -> None:
        challenge = Challenge(ANN, 1000 + next(self.numbers), guild_id, CHANNEL)
        inviting = self.services.duels.inviting
        game = await inviting.challenge(challenge, EQUAL, "0123")
        await inviting.withdraw(ANN, game.duel.id)

    async def mastermind(self, guild_id: int = GUILD) -> None:
        member = 1000 + next(self.numbers)
        challenges = self.services.mastermind.challenges
        game = await challenges.invite(Invitation(ANN, member, guild_id, CHANNEL), STANDARD, "RGBY")
        await challenges.decline(member, game.game.id)

    async def equation(self, guild_id: int = GUILD) -> None:
        place = Channel(guild_id, CHANNEL)
        post = await self.services.equations.set(ANN, place, "12+34-5=41")
        number = post.equation.puzzle_id
        await self.services.equations.close(ANN, number, place, is_manager=False)

    async def race(self, guild_id: int = GUILD) -> None:
        place = Channel(guild_id, CHANNEL)
        race = await self.services.races.open(ANN, place, Focdle())
        await self.services.races.call_off(ANN, race.race.id, place, is_manager=False)

    async def seek(self, guild_id: int = GUILD) -> None:
        seeking = self.services.duels.seeking
        view = await seeking.seek(ANN, Channel(guild_id, CHANNEL), EQUAL, "0123")
        await seeking.withdraw(ANN, view.seek.id)

    async def share(self, guild_id: int = GUILD) -> None:
        solo = self.services.mastermind.solo
        game = await solo.open(ANN, SMALL)
        await solo.guess(ANN, game.id, secret_of(self.folder, game.id))
        name = GameName(Source.MASTERMIND, game.id)
        await self.services.sharing.claim(ANN, name, CHANNEL, guild_id)

    async def rematch(self, _guild_id: int = GUILD) -> None:
        """Of a duel that another member has opened: their post, then hers."""
        member = 1000 + next(self.numbers)
        game = await playing(self.services, by=member, to=ANN)
        await self.services.duels.playing.resign(ANN, game.duel.id)
        again = await self.services.duels.inviting.rematch(ANN, game.duel.id, "0123")
        await self.services.duels.inviting.withdraw(ANN, again.duel.id)

    @property
    def ways(self) -> list[Callable[..., Awaitable[None]]]:
        ways = self.duel, self.mastermind, self.equation, self.race, self.share, self.seek
        return [*ways, self.rematch]


async def test_ten_posts_an_hour_in_a_server_count_together_whatever_they_are(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    poster, began = Poster(services, tmp_path), clock.now()
    for number in range(10):
        await poster.ways[number % 7]()
        clock.advance(minutes=1)
    for way in poster.ways:
        with pytest.raises(PostedTooOftenError) as refused:
            await way()
        assert (refused.value.posts, refused.value.again_at) == (10, began + HOUR)
    # The database is as it was: no race stands in another's way.
    await duel(services, by=BEN, to=ANN)
    for way in poster.ways[:6]:
        await way(77)  # in another server
    clock.set(began + HOUR)
    await poster.race()
    with pytest.raises(PostedTooOftenError):
        await poster.race()
    clock.advance(hours=1)
    await services.privacy.servers.sweep(None)
    assert sql(tmp_path, "SELECT * FROM member_posts") == []


async def test_ten_of_many_simultaneous_challenges_are_posted(services: Services) -> None:
    challenges = services.mastermind.challenges
    asks = [
        duel(services, to=member)
        if member % 2
        else challenges.invite(Invitation(ANN, member, GUILD, CHANNEL), STANDARD, "RGBY")
        for member in range(101, 117)
    ]
    made = await asyncio.gather(*asks, return_exceptions=True)
    games = [game for game in made if isinstance(game, DuelView | InvitationView)]
    assert len(games) == 10


@pytest.mark.parametrize("ask", [duel, invite])
async def test_a_member_who_declined_is_called_by_nothing_of_that_challengers_for_an_hour(
    services: Services, clock: FakeClock, ask: Ask
) -> None:
    over = await playing(services)
    await services.duels.playing.resign(ANN, over.duel.id)
    clock.advance(minutes=1)
    await decline(services, await ask(services))
    again_at = clock.now() + HOUR
    clock.advance(minutes=30)
    inviting = services.duels.inviting
    for again in (
        duel(services),
        invite(services),
        inviting.rematch(ANN, over.duel.id, "0123"),
        inviting.prepare_rematch(ANN, over.duel.id),
        services.equations.set(ANN, Channel(GUILD, CHANNEL), "12+34-5=41", BEN),
    ):
        with pytest.raises(DeclinedError) as refused:
            await again
        assert (refused.value.player_id, refused.value.again_at) == (BEN, again_at)
    await duel(services, by=ANN, to=CAT)
    await duel(services, by=CAT, to=BEN)
    await duel(services, by=BEN, to=ANN)
    clock.set(again_at)
    await duel(services)


async def test_a_challenge_that_discord_refused_leaves_no_game(
    services: Services, tmp_path: Path
) -> None:
    game, other = await duel(services), await invite(services)
    await services.duels.inviting.take_back(game.duel.id)
    await services.mastermind.challenges.take_back(other.game.id)
    assert sql(tmp_path, "select count(*) from duels") == [(0,)]
    assert sql(tmp_path, "select count(*) from masterminds") == [(0,)]
    # One that was posted, or accepted, is not taken back like that.
    game, other = await duel(services), await invite(services)
    await services.duels.playing.published(game.duel.id, 7, CHANNEL)
    await services.mastermind.challenges.accept(BEN, other.game.id, STANDARD)
    await services.duels.inviting.take_back(game.duel.id)
    await services.mastermind.challenges.take_back(other.game.id)
    assert sql(tmp_path, "select count(*) from duels") == [(1,)]
    assert sql(tmp_path, "select count(*) from masterminds") == [(1,)]


# Those who want to be asked.


async def close(services: Services) -> None:
    await services.preferences.set_no_challenges(BEN, on=True)


async def block(services: Services) -> None:
    await services.blocking.block(BEN, ANN)


@pytest.mark.parametrize("do", [close, block])
async def test_a_player_who_takes_no_challenges_gets_none(
    services: Services, do: Callable[[Services], Awaitable[None]]
) -> None:
    game = await playing(services)
    await services.duels.playing.resign(ANN, game.duel.id)
    await do(services)
    refusals: list[NotWantedError] = []
    for asking in (
        duel(services),
        invite(services),
        services.duels.inviting.rematch(ANN, game.duel.id, "0123"),
        services.duels.inviting.prepare_rematch(ANN, game.duel.id),
    ):
        with pytest.raises(NotWantedError) as refused:
            await asking
        refusals.append(refused.value)
    assert {vars(error)["player_id"] for error in refusals} == {BEN}
    # Ben himself may ask, and be accepted.
    again = await services.duels.inviting.rematch(BEN, game.duel.id, "0123")
    assert (
        await services.duels.inviting.accept(ANN, again.duel.id, 0, "4567")
    ).duel.state is State.PLAYING


async def test_blocking_a_player_declines_all_challenges_from_them(services: Services) -> None:
    taken = await playing(services)
    first, second, other = await duel(services), await duel(services), await invite(services)
    cats, cats_code = await duel(services, by=CAT, to=BEN), await invite(services, by=CAT)
    await services.blocking.block(BEN, ANN)
    await services.blocking.block(BEN, ANN)  # a second click
    duels = services.duels.playing
    assert [
        (await duels.view(BEN, game.duel.id)).duel.state for game in (first, second, taken, cats)
    ] == [
        State.OVER,
        State.OVER,
        State.PLAYING,
        State.INVITED,
    ]
    with pytest.raises(NotWantedError):
        await invite(services)
    codes = [
        (await services.mastermind.challenges.look(BEN, i.game.id)).game for i in (other, cats_code)
    ]
    assert [code.ending for code in codes] == ["declined", None]
    await duel(services, by=DAN, to=BEN)


async def test_blocked_players_are_listed_and_can_be_unblocked(
    services: Services, clock: FakeClock
) -> None:
    await services.blocking.block(BEN, ANN)
    clock.advance(minutes=1)
    await services.blocking.block(BEN, CAT)
    listed = await services.blocking.blocked(BEN)
    assert [(one.player_id, one.since) for one in listed] == [
        (CAT, clock.now()),
        (ANN, clock.now() - timedelta(minutes=1)),
    ]
    assert (await services.preferences.view(BEN)).blocked == 2
    assert await services.blocking.blocked(ANN) == []
    await services.blocking.unblock(BEN, ANN)
    await services.blocking.unblock(BEN, ANN)
    await duel(services)
    with pytest.raises(NotWantedError):
        await duel(services, by=CAT, to=BEN)


async def test_a_player_can_block_neither_themselves_nor_a_deleted_player(
    services: Services,
) -> None:
    for nobody in (BEN, -5):
        await services.blocking.block(BEN, nobody)
    assert await services.blocking.blocked(BEN) == []


async def test_a_block_is_part_only_of_the_blocking_players_data(
    services: Services, clock: FakeClock
) -> None:
    await duel(services)
    await services.blocking.block(BEN, ANN)

    async def export(player: int) -> str:
        return (await services.privacy.players.export(player)).content.decode()

    assert [row["blocked_id"] for row in json.loads(await export(BEN))["blocked_players"]] == [
        str(ANN)
    ]
    assert json.loads(await export(ANN))["blocked_players"] == []
    # Those who are refused get no way round it by deleting their data.
    await services.privacy.players.delete(ANN, "DELETE")
    clock.advance(days=7)
    with pytest.raises(NotWantedError):
        await duel(services)
    assert str(ANN) in await export(BEN)
    await services.privacy.players.delete(BEN, "DELETE")
    await duel(services)
    # Where nothing at all may be kept, the host can have that go, too.
    await services.blocking.block(CAT, ANN)
    await services.blocking.block(CAT, DAN)
    await services.privacy.players.delete(ANN, "DELETE", Keeps.NOTHING)
    assert [one.player_id for one in await services.blocking.blocked(CAT)] == [DAN]
