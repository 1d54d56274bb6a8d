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
    CodeRefusedError,
    Ending,
    GameFinishedError,
    InvitationView,
    Kind,
    MastermindGame,
    NoSuchGameError,
    NotAcceptedError,
    NotInvitedError,
    NotWithdrawableError,
    NotYourGameError,
    SelfChallengeError,
    Stage,
    TooManyGamesError,
    WrongSettingError,
)
from bot.services import Services, open_services
from engine import Mastermind, NotationError, Problem, Score
from tests.support.clock import FakeClock
from tests.support.flow import all_of
from tests.support.masterminds import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    GUILD,
    STANDARD,
    challenge,
    invite,
)
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")


async def test_a_member_breaks_a_members_code(
    services: Services, database_url: str, clock: FakeClock
) -> None:
    game = await invite(services, "rgb y")
    assert (game.kind, game.stage, game.rules) == (Kind.CHALLENGE, Stage.INVITED, Mastermind())
    assert (game.owner_id, game.codebreaker_id) == (ANN, BEN)
    assert (game.guild_id, game.channel_id, game.message_id) == (GUILD, CHANNEL, None)
    assert await services.mastermind.challenges.published(game, 66) is None
    assert (await services.mastermind.challenges.view(BEN, game.id)).message_id == 66
    game = await services.mastermind.challenges.accept(BEN, game.id)
    assert (game.stage, game.secret) == (Stage.PLAYING, None)
    for colour in "RGYB":
        game = await services.mastermind.challenges.put(BEN, game.id, colour)
    game = await services.mastermind.challenges.submit(BEN, game.id, "RGYB")
    assert game.turns[0].feedback == Score(2, 2)
    assert (game.secret, game.sealed, game.guess) == (None, False, None)
    await services.close()
    async with open_services(database_url, clock) as reopened:
        assert await reopened.mastermind.challenges.view(BEN, game.id) == game
        game = await reopened.mastermind.challenges.guess(BEN, game.id, "RGBY")
    assert (game.ending, game.secret, game.message_id) == (Ending.SOLVED, "RGBY", 66)


async def test_the_codemaker_may_lose_a_player(services: Services) -> None:
    game = await challenge(services)
    game = await services.mastermind.challenges.resign(BEN, game.id)
    assert (game.stage, game.ending, game.secret) == (Stage.OVER, Ending.RESIGNED, "RGBY")
    assert await services.mastermind.challenges.resign(BEN, game.id) == game


async def test_a_code_that_nobody_tried_to_break_stays_secret(services: Services) -> None:
    challenges = services.mastermind.challenges
    first, second = await invite(services), await invite(services, to=CAT)
    first = await challenges.decline(BEN, first.id)
    second = await challenges.withdraw(ANN, second.id)
    assert (first.ending, first.secret) == (Ending.DECLINED, None)
    assert (second.ending, second.secret) == (Ending.WITHDRAWN, None)
    assert await challenges.decline(BEN, first.id) == first
    assert await challenges.withdraw(ANN, second.id) == second


async def test_only_the_challenged_player_answers_and_guesses(services: Services) -> None:
    challenges = services.mastermind.challenges
    game = await invite(services)
    for player in (ANN, CAT):
        for attempt in (challenges.accept(player, game.id), challenges.decline(player, game.id)):
            with pytest.raises(NotInvitedError) as uninvited:
                await attempt
            assert uninvited.value.player_id == BEN
            assert uninvited.value.is_challenger is (player == ANN)
    with pytest.raises(NotWithdrawableError) as kept:
        await challenges.withdraw(BEN, game.id)
    with pytest.raises(NotYourGameError) as not_yours:
        await challenges.withdraw(CAT, game.id)
    assert kept.value.player_id == not_yours.value.player_id == ANN
    game = await challenges.accept(BEN, game.id)
    for player in (ANN, CAT):
        for attempt in (
            challenges.put(player, game.id, "R"),
            challenges.undo(player, game.id),
            challenges.clear(player, game.id),
            challenges.submit(player, game.id, ""),
            challenges.guess(player, game.id, "RGBY"),
            challenges.resign(player, game.id),
        ):
            with pytest.raises(NotYourGameError) as not_yours:
                await attempt
            assert not_yours.value.player_id == BEN
    assert await challenges.view(BEN, game.id) == game


async def test_nobody_guesses_before_accepting(services: Services) -> None:
    challenges = services.mastermind.challenges
    game = await invite(services)
    for attempt in (
        challenges.put(BEN, game.id, "R"),
        challenges.undo(BEN, game.id),
        challenges.clear(BEN, game.id),
        challenges.submit(BEN, game.id, ""),
        challenges.guess(BEN, game.id, "RGBY"),
        challenges.resign(BEN, game.id),
    ):
        with pytest.raises(NotAcceptedError) as refused:
            await attempt
        assert refused.value.game == game
    assert await challenges.view(BEN, game.id) == game


async def test_what_was_accepted_is_called_off_by_nobody(
    services: Services, clock: FakeClock
) -> None:
    challenges = services.mastermind.challenges
    game = await challenge(services)
    for attempt in (challenges.withdraw(ANN, game.id), challenges.decline(BEN, game.id)):
        with pytest.raises(AlreadyAcceptedError) as refused:
            await attempt
        assert refused.value.game == game
    clock.advance(hours=1)
    assert await challenges.accept(BEN, game.id) == game


async def test_what_is_over_stays_as_it_ended(services: Services) -> None:
    challenges = services.mastermind.challenges
    game = await invite(services)
    game = await challenges.withdraw(ANN, game.id)
    for attempt in (
        challenges.accept(BEN, game.id),
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


async def test_accepting_and_withdrawing_at_once_does_one_of_both(services: Services) -> None:
    challenges = services.mastermind.challenges
    game = await invite(services)
    results = await asyncio.gather(
        challenges.withdraw(ANN, game.id), challenges.accept(BEN, game.id), return_exceptions=True
    )
    done = [result for result in results if isinstance(result, MastermindGame)]
    assert len(done) == 1
    assert await challenges.view(BEN, game.id) == done[0]


@pytest.mark.parametrize(
    ("invitation", "setting", "error"),
    [
        (Invitation(ANN, ANN, GUILD, CHANNEL), STANDARD, SelfChallengeError),
        (Invitation(ANN, BEN, GUILD, CHANNEL, to_bot=True), STANDARD, BotChallengeError),
        (Invitation(ANN, BEN, GUILD, CHANNEL), Setting(pegs=9), WrongSettingError),
    ],
)
async def test_some_challenges_are_refused_before_and_after_the_form(
    services: Services, invitation: Invitation, setting: Setting, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await services.mastermind.challenges.prepare(invitation, setting)
    with pytest.raises(error):
        await services.mastermind.challenges.invite(invitation, setting, "RGBY")
    assert await services.mastermind.games.open_of(ANN) == []


async def test_a_text_that_is_no_code_opens_nothing(services: Services) -> None:
    with pytest.raises(CodeRefusedError) as refused:
        await invite(services, "RGB")
    assert (refused.value.text, refused.value.rules) == ("RGB", Mastermind())
    assert isinstance(refused.value.cause, NotationError)
    assert refused.value.cause.problem is Problem.TOO_SHORT
    assert await services.mastermind.games.open_of(ANN) == []


async def test_challenges_are_limited_on_both_sides(services: Services, clock: FakeClock) -> None:
    challenges = services.mastermind.challenges
    for member in range(1000, 1010):
        await challenges.prepare(Invitation(ANN, member, GUILD, CHANNEL), STANDARD)
        await invite(services, to=member)
    clock.advance(hours=1)
    last = Invitation(ANN, BEN, GUILD, CHANNEL)
    for attempt in (challenges.prepare(last, STANDARD), invite(services)):
        with pytest.raises(TooManyGamesError) as refused:
            await attempt
        assert refused.value.games == 10
    # Ben, whom many invite, may still open what he likes, and accept as much.
    for member in range(1000, 1010):
        await invite(services, by=member)
    await services.mastermind.solo.open(BEN, STANDARD)
    for game in (await services.mastermind.games.open_of(BEN))[1:10]:
        await challenges.accept(BEN, game.id)
    left = [g for g in await services.mastermind.games.open_of(BEN) if g.stage is Stage.INVITED]
    with pytest.raises(TooManyGamesError):
        await challenges.accept(BEN, left[0].id)
    assert (await challenges.view(BEN, left[0].id)).stage is Stage.INVITED
    await challenges.withdraw(ANN, (await services.mastermind.games.open_of(ANN))[0].id)
    await invite(services)


async def test_the_instants_of_a_challenge_are_kept(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    game = await invite(services)
    clock.advance(hours=1)
    await services.mastermind.challenges.accept(BEN, game.id)
    clock.advance(hours=1)
    await services.mastermind.challenges.guess(BEN, game.id, "RGBY")
    ((opened, accepted, moved, finished),) = sql(
        tmp_path, "SELECT opened_at, accepted_at, moved_at, finished_at FROM masterminds"
    )
    assert [text[11:16] for text in (opened, accepted, moved, finished)] == [
        "12:00",
        "13:00",
        "14:00",
        "14:00",
    ]


async def test_nobody_but_its_players_ends_what_is_too_late(
    services: Services, clock: FakeClock
) -> None:
    mastermind = services.mastermind
    game = await challenge(services)
    clock.advance(hours=25)
    with pytest.raises(NotYourGameError):
        await mastermind.challenges.view(CAT, game.id)
    shown = await mastermind.challenges.shown(game, 66)
    assert (shown.stage, shown.message_id) == (Stage.PLAYING, 66)
    (lapsed,) = await mastermind.games.sweep()
    assert (lapsed.id, lapsed.ending, lapsed.message_id) == (game.id, Ending.LAPSED, 66)


async def test_there_are_challenges_only_where_there_are(services: Services) -> None:
    challenges = services.mastermind.challenges
    game = await services.mastermind.solo.open(ANN, STANDARD)
    for attempt in (
        challenges.view(BEN, game.id),
        challenges.published(game, 66),
        challenges.shown(game, 66),
        challenges.lost(game, 66),
        challenges.look(ANN, game.id),
        challenges.withdraw(ANN, game.id),
        challenges.accept(ANN, game.id),
        challenges.put(ANN, game.id, "R"),
        challenges.view(BEN, 99),
    ):
        with pytest.raises(NoSuchGameError):
            await attempt


async def test_one_invitation_at_a_time_is_open_between_two(services: Services) -> None:
    challenges = services.mastermind.challenges
    invitation = Invitation(ANN, BEN, GUILD, CHANNEL)
    first = await invite(services)
    for attempt in (challenges.prepare(invitation, STANDARD), invite(services)):
        with pytest.raises(AlreadyInvitedError) as refused:
            await attempt
        assert refused.value.game == first
    # Others invite them meanwhile, and they each other.
    await invite(services, to=CAT)
    await invite(services, by=CAT, to=BEN)
    await invite(services, by=BEN, to=ANN)
    await challenges.accept(BEN, first.id)
    second = await invite(services)
    await challenges.decline(BEN, second.id)
    await invite(services)


async def test_an_invitation_that_has_lapsed_is_not_in_the_way(
    services: Services, clock: FakeClock
) -> None:
    await invite(services)
    clock.advance(days=1)
    await invite(services)


async def test_a_form_that_is_sent_twice_invites_once(services: Services) -> None:
    results = await asyncio.gather(invite(services), invite(services), return_exceptions=True)
    assert len([r for r in results if isinstance(r, AlreadyInvitedError)]) == 1
    assert len(await services.mastermind.games.open_of(BEN)) == 1


async def test_both_players_can_look_and_nobody_else(services: Services, clock: FakeClock) -> None:
    challenges = services.mastermind.challenges
    game = await challenge(services)
    for player in (ANN, BEN):
        assert await challenges.look(player, game.id) == InvitationView(game)
    with pytest.raises(NotYourGameError):
        await challenges.look(CAT, game.id)
    clock.advance(days=1)
    assert (await challenges.look(ANN, game.id)).game.ending is Ending.LAPSED


async def test_only_who_has_set_a_code_is_told_it(services: Services) -> None:
    challenges = services.mastermind.challenges
    game = await challenge(services)
    codes = [await challenges.own_code(player, game.id) for player in (ANN, BEN, CAT)]
    assert codes == ["RGBY", None, None]


async def test_a_board_is_behind_until_it_shows_the_last_change(
    services: Services, clock: FakeClock
) -> None:
    challenges, games = services.mastermind.challenges, services.mastermind.games
    invited = await invite(services)
    await challenges.published(invited, 66)
    clock.advance(minutes=1)
    assert await all_of(games.unshown()) == []
    accepted = await challenges.accept(BEN, invited.id)
    moved = await challenges.put(BEN, invited.id, "R")
    assert await all_of(games.unshown()) == []  # who has just moved is about to show it
    clock.advance(minutes=1)
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


async def test_a_board_that_is_gone_is_not_behind(services: Services, clock: FakeClock) -> None:
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


async def test_the_last_message_posted_is_the_board(services: Services) -> None:
    challenges = services.mastermind.challenges
    game = await challenge(services)
    adopted = await challenges.shown(game, 66)
    assert adopted.message_id == 66
    assert (await challenges.shown(game, 65)).message_id == 66
    replaced = await asyncio.gather(*(challenges.published(game, n) for n in (67, 68)))
    assert replaced == [66, 67]
    assert (await challenges.view(BEN, game.id)).message_id == 68
