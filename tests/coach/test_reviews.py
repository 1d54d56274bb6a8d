"""Reviews of finished games of every kind, on a real database."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from bot.coach.model import (
    ContradictoryAnswersError,
    OneAtATimeError,
)
from bot.duels.model import NoSuchDuelError, NotYourDuelError
from bot.focdle.model import NoSuchPlayError, NotYourPlayError, Play
from bot.games.model import (
    GameName,
    NobodyGuessedError,
    NotAPlayerError,
    Role,
    Source,
    StillPlayingError,
)
from bot.mastermind.model import (
    MastermindGame,
    NoSuchGameError,
    NotYourGameError,
)
from bot.privacy.model import CONFIRMATION
from bot.services import Services
from bot.text.markup import is_forgotten
from engine import Mode, Score
from tests.support import duels
from tests.support.clock import FakeClock
from tests.support.coach import busy, reviewed
from tests.support.masterminds import (
    ANN,
    BEN,
    CAT,
    GUILD,
    SMALL,
    answer_honestly,
    answered,
    asked,
    challenge,
    secret_of,
    wrong_codes,
)
from tests.support.sql import sql
from tests.support.table import SECRET
from tests.support.unhurried import AMPLE_SECONDS

OTHER = "65%43-21=1"


async def solved_daily(services: Services, player: int = ANN, guild: int | None = GUILD) -> Play:
    await services.daily.open(player, guild, guess=OTHER)
    return await services.daily.open(player, guild, guess=SECRET)


async def stored(folder: Path, statement: str) -> list[tuple[Any, ...]]:
    """SQL while the coach may still be writing: it goes on meanwhile, or nobody would."""
    return await asyncio.to_thread(sql, folder, statement)


def of_play(play: Play) -> GameName:
    return GameName(Source.PLAY, play.id)


def of_game(game: MastermindGame) -> GameName:
    return GameName(Source.MASTERMIND, game.id)


class TestFocdle:
    async def test_a_finished_daily_is_reviewed(self, services: Services) -> None:
        play = await solved_daily(services)
        review = await reviewed(services, ANN, of_play(play))
        assert (review.role, review.breaker_id, review.puzzle) == (Role.OWN, ANN, play.puzzle)
        assert [turn.guess for turn in review.analysis.turns] == [OTHER, SECRET]
        assert (review.analysis.secret, review.analysis.is_solved) == (SECRET, True)
        assert (review.other_seat, review.hints) == (None, ())

    async def test_practices_and_archived_dailies_are_reviewed(self, services: Services) -> None:
        practice = await services.practice.open(ANN, GUILD, 7)
        practice = await services.daily.guess(ANN, practice.id, practice.game.secret)
        review = await reviewed(services, ANN, of_play(practice))
        assert review.puzzle is None
        archived = await services.daily.open(ANN, GUILD, puzzle="300/9")
        archived = await services.daily.guess(ANN, archived.id, archived.game.secret)
        review = await reviewed(services, ANN, of_play(archived))
        assert review.puzzle == archived.puzzle

    async def test_a_focdle_that_is_running_missing_or_of_another_player_has_no_review(
        self, services: Services
    ) -> None:
        play = await services.daily.open(ANN, GUILD, guess=OTHER)
        with pytest.raises(StillPlayingError):
            await services.coach.reviews.ask(ANN, of_play(play))
        play = await solved_daily(services, BEN)
        with pytest.raises(NotYourPlayError):
            await services.coach.reviews.ask(ANN, of_play(play))
        with pytest.raises(NoSuchPlayError):
            await services.coach.reviews.ask(ANN, GameName(Source.PLAY, 99))


class TestStorage:
    async def test_a_review_that_is_asked_for_again_is_read_from_the_database(
        self, services: Services, tmp_path: Path
    ) -> None:
        play = await solved_daily(services)
        first = await reviewed(services, ANN, of_play(play))
        assert await reviewed(services, ANN, of_play(play)) == first
        ((facts,),) = await stored(tmp_path, "select facts from analyses")
        changed = json.loads(facts)
        changed["turns"][0]["best"] = 3
        await stored(tmp_path, f"update analyses set facts = '{json.dumps(changed)}'")
        second = await reviewed(services, ANN, of_play(play))
        assert second.analysis.turns[0].best == 3

    async def test_a_review_stored_by_another_version_is_computed_again(
        self, services: Services, tmp_path: Path
    ) -> None:
        play = await solved_daily(services)
        first = await reviewed(services, ANN, of_play(play))
        await stored(tmp_path, "update analyses set version = 0, facts = 'nothing we know'")
        assert await reviewed(services, ANN, of_play(play)) == first
        assert len(await stored(tmp_path, "select id from analyses")) == 1

    async def test_a_changed_game_is_reviewed_again(
        self, services: Services, tmp_path: Path
    ) -> None:
        play = await solved_daily(services)
        await reviewed(services, ANN, of_play(play))
        await stored(tmp_path, "update guesses set code = '12+34-5=41' where turn = 0")
        review = await reviewed(services, ANN, of_play(play))
        assert review.analysis.turns[0].guess == "12+34-5=41"


class TestWaiting:
    async def test_simultaneous_requests_for_one_game_share_one_review(
        self, services: Services
    ) -> None:
        game = await lost_challenge(services)
        first, second = await asyncio.gather(
            services.coach.reviews.ask(ANN, of_game(game)),
            services.coach.reviews.ask(BEN, of_game(game)),
        )
        anns, bens = await first.within(AMPLE_SECONDS), await second.within(AMPLE_SECONDS)
        assert anns is not None
        assert bens is not None
        assert (anns.role, bens.role) == (Role.OTHER, Role.OWN)
        assert anns.analysis is bens.analysis

    async def test_a_player_may_request_one_review_at_a_time(self, services: Services) -> None:
        games = [await lost_solo(services) for _ in range(2)]
        reviews = services.coach.reviews
        async with busy(services):
            waiting = await reviews.ask(ANN, of_game(games[0]))
            with pytest.raises(OneAtATimeError):
                await reviews.ask(ANN, of_game(games[1]))
            again = await reviews.ask(ANN, of_game(games[0]))
            assert await waiting.within(0) is None
        assert await waiting.within(AMPLE_SECONDS) == await again.within(AMPLE_SECONDS)
        assert (await reviewed(services, ANN, of_game(games[1]))).role is Role.OWN


class TestDeletedMeanwhile:
    async def test_a_review_of_a_play_deleted_meanwhile_ends_without_an_error(
        self, services: Services, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        play = await solved_daily(services)
        async with busy(services):
            waiting = await services.coach.reviews.ask(ANN, of_play(play))
            await delete(services, ANN)
        with pytest.raises(NoSuchPlayError):
            await waiting.within(AMPLE_SECONDS)
        assert await stored(tmp_path, "select id from analyses") == []
        assert [r.message for r in caplog.records if r.levelno >= logging.ERROR] == []

    async def test_only_the_opponent_gets_the_review_of_a_duel_after_a_player_deletes_their_data(
        self, services: Services, tmp_path: Path
    ) -> None:
        game = await duels.playing(services)
        numbers = [
            duels.number_of(tmp_path, game.duel.id, 1),
            duels.number_of(tmp_path, game.duel.id),
        ]
        for player, number in zip(duels.ids(game), numbers, strict=True):
            game = await services.duels.playing.guess(player, game.duel.id, number)
        seat = duels.ids(game).index(ANN)
        name = GameName(Source.DUEL, game.duel.id, seat)
        async with busy(services):
            anns, bens = [await services.coach.reviews.ask(who, name) for who in (ANN, BEN)]
            await delete(services, ANN)
        with pytest.raises(NotAPlayerError):
            await anns.within(AMPLE_SECONDS)
        review = await bens.within(AMPLE_SECONDS)
        assert review is not None
        assert is_forgotten(review.breaker_id or 0)
        assert review.analysis.is_solved
        assert await stored(tmp_path, "select id from analyses") == []

    async def test_the_review_of_a_challenge_is_stored_only_for_its_codebreaker(
        self, services: Services, tmp_path: Path
    ) -> None:
        by_leaver = await lost_challenge(services)
        async with busy(services):
            maker = await services.coach.reviews.ask(ANN, of_game(by_leaver))
            await delete(services, BEN)
        review = await maker.within(AMPLE_SECONDS)
        assert review is not None
        assert is_forgotten(review.breaker_id or 0)
        assert await stored(tmp_path, "select id from analyses") == []
        by_stayer = await lost_challenge(services)
        async with busy(services):
            breaker = await services.coach.reviews.ask(BEN, of_game(by_stayer))
            await delete(services, ANN)
        assert await breaker.within(AMPLE_SECONDS) is not None
        found = await stored(tmp_path, "select mastermind_id from analyses")
        assert found == [(by_stayer.id,)]


async def delete(services: Services, player: int) -> None:
    await services.privacy.players.delete(player, CONFIRMATION)


async def lost_solo(services: Services) -> MastermindGame:
    game = await services.mastermind.solo.open(ANN, SMALL)
    await services.mastermind.solo.guess(ANN, game.id, "RRO")
    return await services.mastermind.solo.surrender(ANN, game.id)


async def lost_challenge(services: Services) -> MastermindGame:
    game = await challenge(services)
    await services.mastermind.challenges.guess(BEN, game.id, "ROYG")
    return await services.mastermind.challenges.resign(BEN, game.id)


class TestMastermind:
    async def test_a_mastermind_against_the_bot_is_reviewed(
        self, services: Services, tmp_path: Path
    ) -> None:
        game = await services.mastermind.solo.open(ANN, SMALL)
        secret = secret_of(tmp_path, game.id)
        wrong = wrong_codes(game.rules, secret)[0]
        for guess in (wrong, secret):
            game = await services.mastermind.solo.guess(ANN, game.id, guess)
        review = await reviewed(services, ANN, of_game(game))
        assert (review.role, review.breaker_id) == (Role.OWN, ANN)
        assert [turn.guess for turn in review.analysis.turns] == [wrong, secret]
        with pytest.raises(NotYourGameError):
            await services.coach.reviews.ask(BEN, of_game(game))
        with pytest.raises(NoSuchGameError):
            await services.coach.reviews.ask(ANN, GameName(Source.MASTERMIND, 99))

    async def test_a_running_challenge_is_reviewed_for_neither_player(
        self, services: Services
    ) -> None:
        game = await challenge(services)
        await services.mastermind.challenges.guess(BEN, game.id, "ROYG")
        for player in (ANN, BEN):
            with pytest.raises(StillPlayingError):
                await services.coach.reviews.ask(player, of_game(game))

    async def test_a_code_that_the_bot_broke_is_reviewed(self, services: Services) -> None:
        view = await answer_honestly(
            services, await services.mastermind.defence.open(ANN, SMALL), "OGY"
        )
        review = await reviewed(services, ANN, of_game(view.game))
        assert review.role is Role.BOT
        assert review.analysis.secret == review.analysis.turns[-1].guess == "OGY"

    async def test_a_game_corrected_while_its_review_is_waited_for_is_reviewed_as_it_is_then(
        self, services: Services
    ) -> None:
        defence = services.mastermind.defence
        view = await answer_honestly(services, await defence.open(ANN, SMALL), "OGY")
        made, first = len(view.game.turns), view.game.turns[0].feedback
        other = Score(0, 1) if first == (0, 0) else Score(0, 0)
        async with busy(services):
            await services.coach.reviews.ask(ANN, of_game(view.game))
            view = await defence.correct(ANN, view.game.id, made, answered(view, 0), other)
            view = await defence.give_up(ANN, view.game.id)
            waiting = await services.coach.reviews.ask(ANN, of_game(view.game))
        review = await waiting.within(AMPLE_SECONDS)
        assert review is not None
        assert [turn.feedback for turn in review.analysis.turns] == [other]

    async def test_a_game_with_contradictory_answers_has_no_review(
        self, services: Services
    ) -> None:
        defence = services.mastermind.defence
        view = await defence.open(ANN, SMALL)
        # No code has none of three colours, then none of the fourth.
        for _ in range(2):
            view = await defence.answer(ANN, view.game.id, asked(view), 0)
            if view.game.blacks is not None:
                view = await defence.answer(ANN, view.game.id, asked(view), 0)
        assert view.contradiction is not None
        view = await defence.give_up(ANN, view.game.id)
        awaited = await services.coach.reviews.ask(ANN, of_game(view.game))
        with pytest.raises(ContradictoryAnswersError):
            await awaited.within(AMPLE_SECONDS)


class TestDuels:
    async def test_only_the_second_player_has_a_last_chance_in_a_review_of_a_lost_duel(
        self, services: Services, tmp_path: Path
    ) -> None:
        game = await duels.playing(services)
        first, second = duels.ids(game)
        number = duels.number_of(tmp_path, game.duel.id, 1)
        for turn in range(2):
            for player, is_found in ((first, turn == 1), (second, False)):
                guess = number if is_found else duels.wrong(turn)
                game = await services.duels.playing.guess(player, game.duel.id, guess)
        assert game.duel.winner == 0
        theirs = await reviewed(services, second, GameName(Source.DUEL, game.duel.id, 1))
        assert [turn.is_last for turn in theirs.analysis.turns] == [False, True]
        own = await reviewed(services, first, GameName(Source.DUEL, game.duel.id, 0))
        assert [turn.is_last for turn in own.analysis.turns] == [False, False]

    async def test_each_player_of_a_duel_may_review_each_side(
        self, services: Services, tmp_path: Path
    ) -> None:
        game = await duels.playing(services)
        numbers = {
            0: duels.number_of(tmp_path, game.duel.id, 1),
            1: duels.number_of(tmp_path, game.duel.id),
        }
        for player in duels.ids(game):
            await services.duels.playing.guess(player, game.duel.id, duels.wrong(0, numbers[0]))
        with pytest.raises(StillPlayingError):
            await services.coach.reviews.ask(ANN, GameName(Source.DUEL, game.duel.id))
        for player in duels.ids(game):
            seat = duels.ids(game).index(player)
            game = await services.duels.playing.guess(player, game.duel.id, numbers[seat])
        assert game.duel.ending is not None
        for seat, player in enumerate(duels.ids(game)):
            own = await reviewed(services, player, GameName(Source.DUEL, game.duel.id))
            assert (own.role, own.breaker_id) == (Role.OWN, player)
            assert own.game == GameName(Source.DUEL, game.duel.id, seat)
            assert own.other_seat == 1 - seat
            assert own.analysis.secret == numbers[seat]
            other = await reviewed(services, player, GameName(Source.DUEL, game.duel.id, 1 - seat))
            assert other.role is Role.OTHER
            assert other.analysis.secret == numbers[1 - seat]

    async def test_a_duel_that_is_missing_or_between_others_or_without_guesses_has_no_review(
        self, services: Services
    ) -> None:
        game = await duels.playing(services)
        with pytest.raises(NotAPlayerError) as refused:
            await services.coach.reviews.ask(CAT, GameName(Source.DUEL, game.duel.id))
        assert sorted(refused.value.player_ids) == [ANN, BEN]
        with pytest.raises(NoSuchDuelError):
            await services.coach.reviews.ask(ANN, GameName(Source.DUEL, 99))
        await services.duels.playing.call_off(ANN, game.duel.id)
        with pytest.raises(NobodyGuessedError):
            await services.coach.reviews.ask(ANN, GameName(Source.DUEL, game.duel.id))

    async def test_the_bots_side_of_a_duel_is_reviewed(
        self, services: Services, clock: FakeClock
    ) -> None:
        game = await duels.against_bot(services)
        with pytest.raises(NotYourDuelError):
            await services.coach.reviews.ask(CAT, GameName(Source.DUEL, game.duel.id))
        while game.duel.ending is None:
            if game.duel.to_move is not None and game.seats[game.duel.to_move].player_id == ANN:
                number = duels.wrong(game.seats[game.duel.to_move].guesses)
                game = await services.duels.playing.guess(ANN, game.duel.id, number)
        seat = game.duel.seat_of(ANN)
        assert seat is not None
        review = await reviewed(services, ANN, GameName(Source.DUEL, game.duel.id, 1 - seat))
        assert (review.role, review.breaker_id) == (Role.BOT, None)
        assert game.duel.mode is Mode.EQUAL_TURNS
        assert clock.now() is not None
