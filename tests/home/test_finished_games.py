"""Finished games of all kinds without Discord: what is listed, for whom, in which order."""

from pathlib import Path

from bot.duels.model import Ending as DuelEnding
from bot.duels.model import FinishedDuel, Result
from bot.feature import FinishedGame
from bot.focdle.model import FinishedPlay, Play
from bot.mastermind.model import Ending, FinishedMastermind, Kind
from bot.services import Services
from engine import Strength
from tests.support.clock import FakeClock
from tests.support.duels import (
    CLASSIC,
    EQUAL,
    SECRETS,
    against_bot,
    ids,
    invited,
    number_of,
    playing,
    wrong,
)
from tests.support.masterminds import (
    ANN,
    BEN,
    CAT,
    SMALL,
    answer_honestly,
    challenge,
    invite,
    secret_of,
)
from tests.support.sql import sql

WRONG = ("12+34-5=41", "15+34-5=44")


async def focdle(
    services: Services, player: int = ANN, puzzle: str | None = None, before: int = 0
) -> Play:
    """A daily, solved after so many wrong guesses."""
    play = await services.daily.open(player, None, puzzle=puzzle)
    return await solve(services, play, before)


async def solve(services: Services, play: Play, before: int = 0) -> Play:
    for guess in WRONG[:before]:
        play = await services.daily.guess(play.player_id, play.id, guess)
    return await services.daily.guess(play.player_id, play.id, play.game.secret)


async def listed(services: Services, player: int, number: int = 0) -> list[FinishedGame]:
    page = await services.finished.page(player, number)
    assert page.player_id == player
    return list(page.games)


async def only(services: Services, player: int) -> FinishedGame:
    (game,) = await listed(services, player)
    return game


def named(games: list[FinishedGame]) -> list[tuple[type[FinishedGame], int]]:
    return [(type(game), game.id) for game in games]


async def test_a_player_without_finished_games_has_one_empty_page(services: Services) -> None:
    await services.daily.open(ANN, None, guess=WRONG[0])
    await services.practice.open(ANN, None)
    await services.mastermind.solo.open(ANN, SMALL)
    await playing(services)
    page = await services.finished.page(ANN)
    assert (page.number, page.pages, page.games) == (0, 1, ())


async def test_finished_games_of_all_kinds_are_listed_latest_first(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    early = await services.mastermind.solo.open(ANN, SMALL)
    play = await focdle(services)
    clock.advance(minutes=1)
    duel = await against_bot(services)
    await services.duels.playing.resign(ANN, duel.duel.id)
    clock.advance(minutes=1)
    practice = await services.practice.open(ANN, None, 7)
    await solve(services, practice)
    clock.advance(minutes=1)
    await services.mastermind.solo.guess(ANN, early.id, secret_of(tmp_path, early.id))
    games = await listed(services, ANN)
    assert named(games) == [
        (FinishedMastermind, early.id),
        (FinishedPlay, practice.id),
        (FinishedDuel, duel.duel.id),
        (FinishedPlay, play.id),
    ]
    ended = [game.finished_at for game in games]
    assert ended == sorted(ended, reverse=True)
    assert ended[0] == clock.now()


async def test_the_list_of_finished_games_shows_no_strangers_games(
    services: Services, tmp_path: Path
) -> None:
    await focdle(services, BEN)
    solo = await services.mastermind.solo.open(BEN, SMALL)
    await services.mastermind.solo.guess(BEN, solo.id, secret_of(tmp_path, solo.id))
    against = await against_bot(services, player=BEN)
    await services.duels.playing.resign(BEN, against.duel.id)
    pair = await playing(services, by=BEN, to=44)
    await services.duels.playing.resign(BEN, pair.duel.id)
    public = await challenge(services, by=BEN, to=CAT)
    await services.mastermind.challenges.resign(CAT, public.id)
    assert await listed(services, ANN) == []
    assert len(await listed(services, BEN)) == 5
    assert len(await listed(services, CAT)) == 1


async def test_a_listed_focdle_shows_hard_mode_and_hints(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    await services.preferences.set_hard_mode(ANN, on=True)
    play = await focdle(services)
    clock.advance(minutes=1)
    solo = await services.mastermind.solo.open(ANN, SMALL)
    await services.mastermind.solo.guess(ANN, solo.id, secret_of(tmp_path, solo.id))
    columns = "(play_id, mastermind_id, turn, place, symbol, given_at)"
    for hint in (
        f"({play.id}, NULL, 0, 0, '1', '2026-11-20 12:00:00.000000')",
        f"(NULL, {solo.id}, 0, 0, 'R', '2026-11-20 12:00:00.000000')",
        f"(NULL, {solo.id}, 0, 1, 'R', '2026-11-20 12:00:00.000000')",
    ):
        sql(tmp_path, f"INSERT INTO hints {columns} VALUES {hint}")
    code, equation = await listed(services, ANN)
    assert isinstance(equation, FinishedPlay)
    assert isinstance(code, FinishedMastermind)
    assert (equation.rules.hard, equation.hints, code.hints) == (True, 1, 2)


async def test_a_listed_game_of_the_bot_shows_its_kind_its_seal_and_its_number_of_guesses(
    services: Services, clock: FakeClock
) -> None:
    open_code = await answer_honestly(
        services, await services.mastermind.defence.open(CAT, SMALL), "RGG"
    )
    clock.advance(minutes=1)
    sealed = await services.mastermind.defence.open_sealed(CAT, SMALL, "RGG")
    sealed = await services.mastermind.defence.finish(CAT, sealed.game.id)
    found = [game for game in await listed(services, CAT) if isinstance(game, FinishedMastermind)]
    assert [(game.kind, game.sealed) for game in found] == [
        (Kind.DEFEND, True),
        (Kind.DEFEND, False),
    ]
    games = (sealed, open_code)
    assert [game.guesses for game in found] == [len(game.game.turns) for game in games]


async def test_a_game_that_never_began_is_not_listed_as_finished(
    services: Services, clock: FakeClock
) -> None:
    mastermind, duels = services.mastermind, services.duels
    declined, withdrawn = await invite(services), await invite(services, by=CAT)
    await mastermind.challenges.decline(BEN, declined.id)
    await mastermind.challenges.withdraw(CAT, withdrawn.id)
    refused = await invited(services, by=CAT)
    await duels.inviting.decline(BEN, refused.duel.id)
    called_off = await playing(services, by=BEN, to=ANN)
    await duels.playing.call_off(ANN, called_off.duel.id)
    bare = await mastermind.defence.open(ANN, SMALL)
    await mastermind.defence.open_sealed(ANN, SMALL, "RGG", bare.game.id)
    at_once = await mastermind.defence.open(BEN, SMALL)
    await mastermind.defence.give_up(BEN, at_once.game.id)
    for player in (ANN, BEN):
        await mastermind.solo.open(player, SMALL)
    clock.advance(days=8)
    await mastermind.games.sweep()
    await duels.games.sweep()
    for player in (ANN, BEN, CAT):
        assert await mastermind.games.open_of(player) == []
        assert await duels.games.open_of(player) == []
        assert await listed(services, player) == []


async def test_a_game_abandoned_after_a_guess_is_listed_as_finished(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    solo = await services.mastermind.solo.open(ANN, SMALL)
    secret = secret_of(tmp_path, solo.id)
    wrong_code = next(c for c in ("RRR", "GGG") if c != secret)
    await services.mastermind.solo.guess(ANN, solo.id, wrong_code)
    taken = await challenge(services, by=BEN, to=CAT)
    clock.advance(days=8)
    await services.mastermind.games.sweep()
    closed, lapsed = await only(services, ANN), await only(services, CAT)
    assert isinstance(closed, FinishedMastermind)
    assert isinstance(lapsed, FinishedMastermind)
    assert (closed.id, closed.ending, closed.guesses) == (solo.id, Ending.CLOSED, 1)
    # The secret of a challenge that was accepted is told, so it counts as begun.
    assert (lapsed.id, lapsed.ending, lapsed.guesses) == (taken.id, Ending.LAPSED, 0)


async def test_a_draw_is_listed_as_a_draw_for_both_players(services: Services) -> None:
    game = await playing(services, EQUAL)
    first, second = ids(game)
    for round_ in range(2):
        for player in (first, second):
            other = second if player == first else first
            text = SECRETS[other] if round_ else wrong(0)
            await services.duels.playing.guess(player, game.duel.id, text)
    for player in (first, second):
        found = await only(services, player)
        assert isinstance(found, FinishedDuel)
        assert (found.result, found.ending) == (Result.DRAWN, DuelEnding.BOTH_SOLVED)
        assert found.guesses == 2


async def test_a_listed_duel_with_the_bot_shows_its_strength_and_no_opponent(
    services: Services, tmp_path: Path
) -> None:
    game = await against_bot(services, CLASSIC)
    seat = game.duel.seat_of(ANN)
    assert seat is not None
    while game.duel.ending is None:
        game = await services.duels.playing.guess(
            ANN, game.duel.id, number_of(tmp_path, game.duel.id, 1 - seat)
        )
    found = await only(services, ANN)
    assert isinstance(found, FinishedDuel)
    assert (found.opponent_id, found.strength) == (None, Strength.CASUAL)
    assert found.result is Result.WON


async def test_a_page_holds_ten_games_and_every_game_is_on_one_page(
    services: Services, clock: FakeClock
) -> None:
    plays = list[int]()
    for n in range(23):
        plays.append((await focdle(services, puzzle=str(300 - n))).id)
        clock.advance(minutes=n % 2)  # some end in the same instant
    pages = [await services.finished.page(ANN, number) for number in range(3)]
    assert [len(page.games) for page in pages] == [10, 10, 3]
    assert [page.pages for page in pages] == [3, 3, 3]
    assert [game.id for page in pages for game in page.games] == plays[::-1]
    assert (await services.finished.page(ANN, 99)).number == 2
    assert (await services.finished.page(ANN, -1)).number == 0


async def test_a_duel_with_a_deleted_opponent_stays_in_the_list(
    services: Services,
) -> None:
    game = await playing(services)
    await services.duels.playing.resign(BEN, game.duel.id)
    public = await challenge(services, by=BEN, to=ANN)
    await services.mastermind.challenges.resign(ANN, public.id)
    await services.privacy.players.delete(BEN, "DELETE")
    found = await listed(services, ANN)
    assert len(found) == 2
    assert await listed(services, BEN) == []
    for one in found:
        if isinstance(one, FinishedDuel):
            assert one.opponent_id is not None
            assert one.opponent_id < 0
        else:
            assert isinstance(one, FinishedMastermind)
            assert one.owner_id < 0
