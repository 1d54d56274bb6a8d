"""Challenges without Discord, on a real database."""

import asyncio
from pathlib import Path

import pytest

from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.mastermind.model import (
    AlreadyAcceptedError,
    AlreadyInvitedError,
    BotChallengeError,
    ChallengeChangedError,
    CodeRefusedError,
    Ending,
    GameFinishedError,
    HasBegunError,
    NoSuchGameError,
    NotAcceptedError,
    NotYourGameError,
    PegsBeyondColoursError,
    SelfChallengeError,
    Stage,
    TooManyGamesError,
)
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.flow import all_of
from tests.support.masterminds import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    GUILD,
    SMALL,
    STANDARD,
    challenge,
    invite,
    secret_of,
)

pytestmark = pytest.mark.usefixtures("keys_watched")


async def test_a_challenged_player_cannot_move_before_accepting_the_challenge(
    services: Services,
) -> None:
    challenges = services.mastermind.challenges
    game = await invite(services)
    for attempt in (
        challenges.put(BEN, game.id, "R"),
        challenges.undo(BEN, game.id),
        challenges.submit(BEN, game.id, ""),
        challenges.guess(BEN, game.id, "RGBY"),
        challenges.resign(BEN, game.id),
    ):
        with pytest.raises(NotAcceptedError) as refused:
            await attempt
        assert refused.value.game == game
    assert await challenges.view(BEN, game.id) == game


async def test_an_accepted_challenge_cannot_be_withdrawn_or_declined(
    services: Services, clock: FakeClock
) -> None:
    challenges = services.mastermind.challenges
    game = await challenge(services)
    for attempt in (challenges.withdraw(ANN, game.id), challenges.decline(BEN, game.id)):
        with pytest.raises(AlreadyAcceptedError) as refused:
            await attempt
        assert refused.value.game == game
    clock.advance(hours=1)
    assert await challenges.accept(BEN, game.id, STANDARD) == game


async def test_a_finished_challenge_does_not_change(services: Services) -> None:
    challenges = services.mastermind.challenges
    game = await invite(services)
    game = await challenges.withdraw(ANN, game.id)
    for attempt in (
        challenges.accept(BEN, game.id, STANDARD),
        challenges.decline(BEN, game.id),
        challenges.resign(BEN, game.id),
        challenges.put(BEN, game.id, "R"),
    ):
        with pytest.raises(GameFinishedError) as refused:
            await attempt
        assert refused.value.game == game
    solved = await challenge(services)
    await challenges.guess(BEN, solved.id, "RGBY")
    for attempt in (challenges.withdraw(ANN, solved.id), challenges.resign(BEN, solved.id)):
        with pytest.raises(GameFinishedError):
            await attempt
    assert (await challenges.view(BEN, solved.id)).ending is Ending.SOLVED


async def test_a_challenge_can_be_changed_until_it_is_accepted(
    services: Services, tmp_path: Path
) -> None:
    challenges = services.mastermind.challenges
    game = await invite(services, "RGBY")
    assert await challenges.change(ANN, game.id, STANDARD, "") == game
    easier = await challenges.change(ANN, game.id, Setting(guesses=13), "")
    assert (easier.id, easier.rules.max_guesses, easier.stage) == (game.id, 13, Stage.INVITED)
    assert (secret_of(tmp_path, game.id), easier.deadline_at) == ("RGBY", game.deadline_at)
    assert easier.commitment != game.commitment
    with pytest.raises(CodeRefusedError):  # its code has too many pegs
        await challenges.change(ANN, game.id, SMALL, "")
    with pytest.raises(PegsBeyondColoursError):
        await challenges.change(ANN, game.id, Setting(5, 4, repeats=False), "RGBYO")
    small = await challenges.change(ANN, game.id, SMALL, "ryg")
    assert (small.rules, secret_of(tmp_path, game.id)) == (SMALL.rules(), "RYG")
    for stranger in (BEN, CAT):
        with pytest.raises(NotYourGameError):
            await challenges.change(stranger, game.id, STANDARD, "RGBY")
    with pytest.raises(ChallengeChangedError):
        await challenges.accept(BEN, game.id, STANDARD)
    accepted = await challenges.accept(BEN, game.id, SMALL)
    assert await challenges.accept(BEN, game.id, STANDARD) == accepted  # a second click
    with pytest.raises(HasBegunError):
        await challenges.change(ANN, game.id, STANDARD, "RGBY")
    assert (await challenges.guess(BEN, game.id, "RYG")).ending is Ending.SOLVED
    with pytest.raises(GameFinishedError):
        await challenges.change(ANN, game.id, STANDARD, "RGBY")
    assert await challenges.prepare(Invitation(ANN, CAT, GUILD, CHANNEL)) == SMALL
    assert await challenges.prepare(Invitation(BEN, ANN, GUILD, CHANNEL)) == STANDARD


@pytest.mark.parametrize(
    ("invitation", "error"),
    [
        (Invitation(ANN, ANN, GUILD, CHANNEL), SelfChallengeError),
        (Invitation(ANN, BEN, GUILD, CHANNEL, to_bot=True), BotChallengeError),
    ],
)
async def test_a_forbidden_challenge_is_refused_before_and_after_the_form(
    services: Services, invitation: Invitation, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await services.mastermind.challenges.prepare(invitation)
    with pytest.raises(error):
        await services.mastermind.challenges.invite(invitation, STANDARD, "RGBY")
    assert await services.mastermind.games.open_of(ANN) == []


async def test_open_challenges_count_only_among_the_ten_games_of_the_challenger(
    services: Services, clock: FakeClock
) -> None:
    challenges = services.mastermind.challenges
    for member in range(1000, 1010):
        await challenges.prepare(Invitation(ANN, member, GUILD, CHANNEL))
        await invite(services, to=member)
    clock.advance(hours=1)
    last = Invitation(ANN, BEN, GUILD, CHANNEL)
    for attempt in (challenges.prepare(last), invite(services)):
        with pytest.raises(TooManyGamesError) as refused:
            await attempt
        assert refused.value.games == 10
    # Ben, whom many invite, may still open what he likes, and accept as much.
    for member in range(1000, 1010):
        await invite(services, by=member)
    await services.mastermind.solo.open(BEN, STANDARD)
    for game in (await services.mastermind.games.open_of(BEN))[1:10]:
        await challenges.accept(BEN, game.id, STANDARD)
    left = [g for g in await services.mastermind.games.open_of(BEN) if g.stage is Stage.INVITED]
    with pytest.raises(TooManyGamesError):
        await challenges.accept(BEN, left[0].id, STANDARD)
    assert (await challenges.view(BEN, left[0].id)).stage is Stage.INVITED
    await challenges.withdraw(ANN, (await services.mastermind.games.open_of(ANN))[0].id)
    await invite(services)


async def test_a_mastermind_without_an_opponent_is_not_found_as_a_challenge(
    services: Services,
) -> None:
    challenges = services.mastermind.challenges
    game = await services.mastermind.solo.open(ANN, STANDARD)
    for attempt in (
        challenges.view(BEN, game.id),
        challenges.published(game, 66),
        challenges.shown(game, 66),
        challenges.lost(game, 66),
        challenges.look(ANN, game.id),
        challenges.withdraw(ANN, game.id),
        challenges.accept(ANN, game.id, STANDARD),
        challenges.put(ANN, game.id, "R"),
        challenges.view(BEN, 99),
    ):
        with pytest.raises(NoSuchGameError):
            await attempt


async def test_two_players_have_one_open_invitation_at_a_time(services: Services) -> None:
    challenges = services.mastermind.challenges
    invitation = Invitation(ANN, BEN, GUILD, CHANNEL)
    first = await invite(services)
    for attempt in (challenges.prepare(invitation), invite(services)):
        with pytest.raises(AlreadyInvitedError) as refused:
            await attempt
        assert refused.value.game == first
    # Others invite them meanwhile, and they each other.
    await invite(services, to=CAT)
    await invite(services, by=CAT, to=BEN)
    await invite(services, by=BEN, to=ANN)
    await challenges.accept(BEN, first.id, STANDARD)
    second = await invite(services)
    await challenges.withdraw(ANN, second.id)
    await invite(services)


async def test_a_challenge_form_sent_twice_invites_once(services: Services) -> None:
    results = await asyncio.gather(invite(services), invite(services), return_exceptions=True)
    assert len([r for r in results if isinstance(r, AlreadyInvitedError)]) == 1
    assert len(await services.mastermind.games.open_of(BEN)) == 1


async def test_a_board_is_outdated_until_it_shows_the_last_change(
    services: Services, clock: FakeClock
) -> None:
    challenges, games = services.mastermind.challenges, services.mastermind.games
    invited = await invite(services)
    await challenges.published(invited, 66)
    clock.advance(minutes=1)
    assert await all_of(games.unshown()) == []
    accepted = await challenges.accept(BEN, invited.id, STANDARD)
    moved = await challenges.put(BEN, invited.id, "R")
    clock.advance(seconds=4)
    assert await all_of(games.unshown()) == []  # the one who has just moved is about to show it
    clock.advance(seconds=1)
    assert await all_of(games.unshown()) == [moved]
    await challenges.shown(moved, 66)
    assert await all_of(games.unshown()) == []
    # An edit that was overtaken is the one that Discord shows.
    await challenges.shown(accepted, 66)
    assert await all_of(games.unshown()) == [moved]
    await challenges.shown(moved, 66)
    clock.advance(days=1)
    (lapsed,) = await games.sweep()
    assert await all_of(games.unshown()) == [lapsed]


async def test_a_deleted_board_is_not_outdated(services: Services, clock: FakeClock) -> None:
    challenges, games = services.mastermind.challenges, services.mastermind.games
    game = await challenge(services)
    clock.advance(minutes=1)
    assert await all_of(games.unshown()) == []  # it was never published
    await challenges.published(game, 66)
    game = await challenges.put(BEN, game.id, "R")
    clock.advance(minutes=1)
    assert (await challenges.lost(game, 65)).message_id == 66  # another message is gone
    assert [stale.id async for stale in games.unshown()] == [game.id]
    assert (await challenges.lost(game, 66)).message_id is None
    assert await all_of(games.unshown()) == []


async def test_a_board_that_is_pressed_before_it_is_noted_is_not_deleted_as_an_old_one(
    services: Services,
) -> None:
    challenges = services.mastermind.challenges
    game = await challenge(services)
    pressed = await challenges.shown(game, 67)
    assert pressed.message_id == 67
    assert await challenges.published(game, 67) is None
