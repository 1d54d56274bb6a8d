"""Replays: who may see which game where, and in which order guesses come."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.coach.model import NotAPlayerError, NotForEverybodyError, StillPlayingError
from bot.coach.reviews import Replay, Side
from bot.games.model import GameName, Source
from bot.services import Services
from engine import BullsAndCows, Code, Score, Turn
from tests.support import duels
from tests.support.masterminds import ANN, BEN, CAT, GUILD, SMALL, challenge

ELSEWHERE = 4711


def a_side(turns: int) -> Side:
    made = tuple(Turn(Code(f"{turn:04}"), Score(0, 0)) for turn in range(turns))
    return Side(ANN, "9876", made, None)


@given(st.integers(1, 30), st.integers(1, 30))
def test_a_replay_of_a_duel_goes_by_rounds_with_the_first_mover_first(
    first: int, second: int
) -> None:
    sides, name = (a_side(first), a_side(second)), GameName(Source.DUEL, 1, 0)
    replay = Replay(name, ANN, BullsAndCows(), sides, is_for_everybody=True)
    assert len(replay.steps) == first + second
    seen = [tuple(len(turns) for turns in replay.after(step)) for step in range(first + second + 1)]
    assert (seen[0], seen[-1]) == ((0, 0), (first, second))
    for (left, right), after in pairwise(seen):
        assert sum(after) == left + right + 1
        # Who is behind moves, unless they have no guess left.
        is_lefts_turn = left < first and (left <= right or right == second)
        assert after == ((left + 1, right) if is_lefts_turn else (left, right + 1))


async def test_a_replay_of_a_game_played_alone_may_be_shown_anywhere(services: Services) -> None:
    game = await services.mastermind.solo.open(ANN, SMALL)
    await services.mastermind.solo.guess(ANN, game.id, "RRO")
    await services.mastermind.solo.surrender(ANN, game.id)
    name = GameName(Source.MASTERMIND, game.id)
    for guild in (GUILD, ELSEWHERE, None):
        assert (await services.coach.replays.to_show(ANN, name, guild)).game == name


async def test_a_replay_of_two_players_is_shown_only_in_their_server(services: Services) -> None:
    game = await challenge(services)
    await services.mastermind.challenges.guess(BEN, game.id, "ROYG")
    await services.mastermind.challenges.resign(BEN, game.id)
    name, replays = GameName(Source.MASTERMIND, game.id), services.coach.replays
    for player in (ANN, BEN):
        assert (await replays.to_show(player, name, GUILD)).sides[0].breaker_id == BEN
        for guild in (ELSEWHERE, None):
            assert not (await replays.of(player, name, guild)).is_for_everybody
            with pytest.raises(NotForEverybodyError):
                await replays.to_show(player, name, guild)
    with pytest.raises(NotAPlayerError):
        await replays.of(CAT, name, GUILD)


async def test_a_replay_of_a_duel_shows_both_sides_to_either_player(
    services: Services, tmp_path: Path
) -> None:
    game = await duels.playing(services)
    numbers = [duels.number_of(tmp_path, game.duel.id, 1), duels.number_of(tmp_path, game.duel.id)]
    for player, number in zip(duels.ids(game), numbers, strict=True):
        game = await services.duels.playing.guess(player, game.duel.id, number)
    for player, seat in ((ANN, None), (BEN, None), (BEN, 0), (ANN, 1)):
        name = GameName(Source.DUEL, game.duel.id, seat)
        replay = await services.coach.replays.of(player, name, game.duel.guild_id)
        assert [side.breaker_id for side in replay.sides] == list(duels.ids(game))
        assert [side.turns[0].guess for side in replay.sides] == numbers
        assert replay.is_for_everybody
        assert not (await services.coach.replays.of(player, name, ELSEWHERE)).is_for_everybody


async def test_a_replay_has_the_coachs_analysis_once_the_game_has_been_reviewed(
    services: Services,
) -> None:
    game = await services.mastermind.solo.open(ANN, SMALL)
    wrong = "ROR" if game.hidden_code == "RRO" else "RRO"  # the code is drawn anew in each run
    await services.mastermind.solo.guess(ANN, game.id, wrong)
    name = GameName(Source.MASTERMIND, game.id)
    with pytest.raises(StillPlayingError):
        await services.coach.replays.of(ANN, name, GUILD)
    await services.mastermind.solo.surrender(ANN, game.id)
    assert (await services.coach.replays.of(ANN, name, GUILD)).sides[0].analysis is None
    review = await (await services.coach.reviews.ask(ANN, name)).within(20)
    assert review is not None
    found = await services.coach.replays.of(ANN, name, GUILD)
    assert found.sides[0].analysis == review.analysis
