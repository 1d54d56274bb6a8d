"""Duels with the bot, and the notebook."""

import asyncio
import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot.db.database import Database
from bot.duels import store
from bot.duels.challenges import Challenge
from bot.duels.model import DuelView, Ending, Seat, State
from bot.duels.position import DuelOptions, guessed
from bot.duels.solving import deductions, next_guess
from bot.ratings.model import HeadToHead
from bot.services import Services, open_services
from engine import BullsAndCows, Mode, Score, Strength, Turn, is_consistent
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, EQUAL, against_bot, ids, number_of, playing, wrong
from tests.support.plays import NOON
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")

RULES = DuelOptions().rules()


async def play_out(services: Services, game: DuelView, number: str = "") -> DuelView:
    """Wrong guesses until the bot has won."""
    turn = 0
    while game.duel.ending is None:
        mine = game.duel.seat_of(ANN) or 0
        assert game.duel.to_move == mine
        game = await services.duels.playing.guess(ANN, game.duel.id, wrong(turn, number))
        turn += 1
    return game


@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("mode", Mode)
async def test_the_bot_guesses_at_once_and_finds_the_players_number(
    services: Services, tmp_path: Path, strength: Strength, mode: Mode
) -> None:
    game = await against_bot(services, DuelOptions(strength=strength, mode=mode))
    assert (game.duel.state, game.duel.strength, game.duel.rated) == (
        State.PLAYING,
        strength,
        False,
    )
    assert (game.duel.guild_id, game.duel.opponent_id, game.duel.is_against_bot) == (
        None,
        None,
        True,
    )
    mine = game.duel.seat_of(ANN) or 0
    number = number_of(tmp_path, game.duel.id, 1 - mine)
    game = await play_out(services, game, number)
    assert (game.duel.ending, game.duel.winner) == (Ending.SOLVED, 1 - mine)
    bots = game.seats[1 - mine].turns
    assert len(bots) <= (7 if strength is Strength.PERFECT else 30)
    consistent = [is_consistent(RULES, turn.guess, bots[:n]) for n, turn in enumerate(bots)]
    assert all(consistent) or strength is not Strength.SHARP
    assert sql(tmp_path, "SELECT * FROM ratings") == []


async def test_the_bot_can_be_beaten(services: Services, tmp_path: Path) -> None:
    game = await against_bot(services)
    mine = game.duel.seat_of(ANN) or 0
    number = number_of(tmp_path, game.duel.id, 1 - mine)
    game = await services.duels.playing.guess(ANN, game.duel.id, number)
    assert (game.duel.ending, game.duel.winner) == (Ending.SOLVED, mine)
    assert game.seats[mine].target == number
    assert game.seats[1 - mine].guesses == 1
    again = await services.duels.inviting.rematch(ANN, game.duel.id)
    assert (again.duel.state, again.duel.seat_of(ANN)) == (State.SETTING, 1 - mine)
    assert (again.duel.strength, again.duel.challenger_id) == (Strength.CASUAL, ANN)
    again = await services.duels.playing.set_secret(ANN, again.duel.id, "0123")
    assert again.duel.to_move == again.duel.seat_of(ANN)


async def missed(services: Services, folder: Path) -> DuelView:
    """A duel with the bot after one wrong guess, and the bot's answer to it."""
    game = await against_bot(services)
    number = number_of(folder, game.duel.id, 1 - (game.duel.seat_of(ANN) or 0))
    return await services.duels.playing.guess(ANN, game.duel.id, wrong(0, number))


def forget_the_bots_guess(folder: Path, game: DuelView) -> None:
    """As if the process had died before the bot answered Ann's first guess."""
    mine = game.duel.seat_of(ANN) or 0
    sql(folder, f"DELETE FROM duel_moves WHERE duel_id = {game.duel.id} AND number > {mine}")


async def test_a_duel_with_the_bot_that_waits_for_a_number_is_opened_again(
    services: Services,
) -> None:
    bot, inviting = Challenge(ANN, None), services.duels.inviting
    game = await inviting.challenge(bot, EQUAL)
    assert (game.duel.state, game.duel.accepted_at) == (State.SETTING, game.duel.opened_at)
    assert (await inviting.challenge(bot, EQUAL)).duel.id == game.duel.id
    others = (DuelOptions(5), DuelOptions(strength=Strength.SHARP), DuelOptions(mode=Mode.CLASSIC))
    fresh = {(await inviting.challenge(bot, options)).duel.id for options in others}
    assert len({game.duel.id, *fresh}) == 4
    await services.duels.playing.set_secret(ANN, game.duel.id, "0123")
    assert (await inviting.challenge(bot, EQUAL)).duel.id not in {game.duel.id, *fresh}


async def test_a_missing_guess_of_the_bot_is_made_before_the_players_next_guess(
    services: Services, tmp_path: Path
) -> None:
    game = await missed(services, tmp_path)
    mine = game.duel.seat_of(ANN) or 0
    forget_the_bots_guess(tmp_path, game)
    number = number_of(tmp_path, game.duel.id, 1 - mine)
    found = await services.duels.playing.guess(ANN, game.duel.id, wrong(1, number))
    assert found.seats[1 - mine].turns[: mine + 1] == game.seats[1 - mine].turns[: mine + 1]
    assert [seat.guesses for seat in found.seats] == [2 + mine, 2]
    assert found.duel.to_move == mine


async def test_a_missing_guess_of_the_bot_is_stored_once_by_two_processes(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    game = await missed(services, tmp_path)
    forget_the_bots_guess(tmp_path, game)
    async with open_services(database_url, clock) as other:
        views = [
            s.duels.playing.view(ANN, game.duel.id) for s in (services, other) for _ in range(3)
        ]
        seen = await asyncio.gather(*views)
    assert seen == [seen[0]] * 6
    assert seen[0].duel.moves == game.duel.moves
    numbers = sql(tmp_path, "SELECT number FROM duel_moves ORDER BY number")
    assert numbers == [(n,) for n in range(len(numbers))]


async def test_the_bots_guess_is_the_same_for_the_same_duel_and_differs_among_duels(
    services: Services, database_url: str
) -> None:
    games = [await against_bot(services) for _ in range(6)]
    database = await Database.open(database_url)
    openings: set[str] = set()
    for game in games:
        duel = await database.write(partial(store.get, duel_id=game.duel.id))
        assert duel is not None
        start, seat = replace(duel, moves=()), 1 - (game.duel.seat_of(ANN) or 0)
        guess = next_guess(start, seat)
        assert guess == next_guess(start, seat)
        openings.add(guess)
    await database.close()
    assert len(openings) > 1


async def test_the_bot_can_find_the_number_on_its_last_chance(
    services: Services, database_url: str
) -> None:
    game = await against_bot(services, DuelOptions(strength=Strength.PERFECT))
    database = await Database.open(database_url)
    stored = await database.read(lambda tx: store.get(tx, game.duel.id))
    await database.close()
    assert stored is not None
    ann, bot = Seat(ANN, secret="0123"), Seat(None, secret="4567")
    probes = 0
    for number in range(12):
        duel = replace(stored, id=number, seats=(ann, bot), playing_at=NOON, moves=())
        for turn in range(5):
            found = guessed(duel, 0, "4567", NOON)
            duel = guessed(duel, 0, wrong(turn), NOON)
            usual, last = next_guess(duel, 1), next_guess(found, 1)
            made = duel.own_turns(1)
            assert is_consistent(RULES, last, made)
            assert last == usual or not is_consistent(RULES, usual, made)
            probes += last != usual
            if usual == "0123":
                break
            duel = guessed(duel, 1, usual, NOON)
    assert probes


@pytest.mark.parametrize("repeats", [False, True])
def test_the_notebook_agrees_with_brute_force(repeats: bool) -> None:
    rng = random.Random(f"notebook {repeats}")
    rules = BullsAndCows(3, repeats)
    for _ in range(20):
        secret = rules.draw(rng)
        turns: list[Turn[Score]] = []
        left = [*rules.codes()]
        for _ in range(6):
            digits = {digit for code in left for digit in code}
            absent = "".join(digit for digit in "0123456789" if digit not in digits)
            assert deductions(rules, turns) == (absent, len(left))
            guess = rng.choice(left)
            if guess == secret:
                break
            turns.append(Turn(guess, rules.feedback(guess, secret)))
            left = [code for code in left if is_consistent(rules, code, turns)]


async def test_each_player_of_a_duel_has_their_own_notebook(services: Services) -> None:
    games = services.duels.games
    game = await playing(services)
    empty = await games.notebook(ANN, game.duel.id)
    assert (empty.turns, empty.absent, empty.remaining) == ((), "", 5040)
    first, second = ids(game)
    await services.duels.playing.guess(first, game.duel.id, wrong(0))
    game = await services.duels.playing.guess(second, game.duel.id, "8901")
    books = [await games.notebook(player, game.duel.id) for player in (first, second)]
    assert [book.seat for book in books] == [0, 1]
    for book, seat in zip(books, game.seats, strict=True):
        assert book.view == game
        assert book.turns == seat.turns
        assert (book.absent, book.remaining) == deductions(RULES, seat.turns)
    assert books[0].turns != books[1].turns


async def test_statistics_count_duels_with_the_bot_by_its_strength(
    services: Services,
) -> None:
    async def told(viewer: int = ANN) -> dict[Strength, HeadToHead]:
        stats = await services.statistics.of(ANN, viewer_id=viewer, are_together=True)
        assert stats.duels == HeadToHead(0, 0, 1)
        return dict(stats.bot_duels)

    await services.duels.playing.resign(ANN, (await playing(services)).duel.id)
    assert await told() == {}
    for strength in (Strength.PERFECT, Strength.CASUAL, Strength.CASUAL):
        game = await against_bot(services, DuelOptions(strength=strength))
        await services.duels.playing.resign(ANN, game.duel.id)
    await services.duels.inviting.challenge(Challenge(ANN, None), DuelOptions())  # which goes on
    expected = {Strength.CASUAL: HeadToHead(0, 0, 2), Strength.PERFECT: HeadToHead(0, 0, 1)}
    assert await told() == await told(BEN) == expected
    assert list(await told()) == [Strength.CASUAL, Strength.PERFECT]
