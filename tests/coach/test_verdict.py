"""What the coach makes of a whole game: how it was played, and the guess that cost most."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bot.coach.model import Analysis, CoachTurn, Insight, Observation, Review, Role
from bot.coach.reviews import Manner, costliest, is_too_short, manner_of, shown_grades
from bot.games.model import GameName, Source
from engine.skill import Grade, Loss

PLAIN = CoachTurn(
    guess="0123",
    feedback=(1, 1),
    before=64,
    after=16,
    promised=2.0,
    choice="0124",
    choice_promised=2.5,
    loss=Loss(Fraction(), Fraction(1, 2), is_exact=True),
    grade=Grade.PLAIN,
    best=9,
    observations=(Observation(Insight.STEADY),),
)


def lost(guesses: str, **fields: Any) -> CoachTurn:
    loss = Loss(Fraction(guesses), Fraction(1, 2), is_exact=True)
    return replace(PLAIN, loss=loss, **fields)


def game(*turns: CoachTurn, is_solved: bool = False, **fields: Any) -> Review:
    analysis = Analysis("bulls:4/30", "9876", is_solved=is_solved, turns=turns)
    return Review(GameName(Source.DUEL, 1, 0), Role.OWN, 7, analysis, **fields)


DEAR, SLIP = lost("1/10"), lost("1/5", grade=Grade.DOUBTFUL)
BAD, BLUNDER = lost("1/2", grade=Grade.BAD), lost("1", grade=Grade.BLUNDER)


@pytest.mark.parametrize(
    ("turns", "manner"),
    [
        ((PLAIN, PLAIN), Manner.FLAWLESS),
        ((PLAIN, DEAR), Manner.SHARP),
        ((PLAIN, SLIP, SLIP), Manner.GOOD),
        ((PLAIN, SLIP, BAD), Manner.MIXED),
        ((PLAIN, BLUNDER), Manner.MIXED),
        ((BAD, BLUNDER), Manner.BUMPY),
    ],
)
def test_the_manner_of_a_game_agrees_with_the_marks_of_its_guesses(
    turns: tuple[CoachTurn, ...], manner: Manner
) -> None:
    assert manner_of(game(*turns)) is manner


@pytest.mark.parametrize(("solvers", "manner"), [(3, Manner.GOOD), (2, Manner.BUMPY)])
def test_who_needs_no_more_guesses_than_the_solver_has_played_well(
    solvers: int, manner: Manner
) -> None:
    won = game(BAD, BLUNDER, PLAIN, is_solved=True)
    analysis: Analysis = replace(won.analysis, solvers=solvers)
    assert manner_of(replace(won, analysis=analysis)) is manner


def test_nobody_is_blamed_for_guessing_the_secret() -> None:
    lucky = lost("1/2", grade=Grade.BAD)
    won = game(PLAIN, lucky, is_solved=True)
    assert manner_of(won) is Manner.FLAWLESS
    assert shown_grades(won) == (Grade.PLAIN, Grade.PLAIN)
    assert costliest(won) is None
    assert shown_grades(game(PLAIN, lucky)) == (Grade.PLAIN, Grade.BAD)


def test_a_game_of_fewer_than_three_guesses_is_too_short_to_judge_unless_it_is_won() -> None:
    assert is_too_short(game(PLAIN).analysis)
    assert is_too_short(game(PLAIN, PLAIN).analysis)
    assert not is_too_short(game(PLAIN, PLAIN, PLAIN).analysis)
    assert not is_too_short(game(PLAIN, is_solved=True).analysis)


def test_the_costliest_guess_is_the_first_of_the_players_own_bad_guesses_that_cost_most() -> None:
    slip, bad = lost("1/5", grade=Grade.DOUBTFUL), lost("1/2", grade=Grade.BAD)
    assert costliest(game(PLAIN, slip, bad, bad)) == 2
    assert costliest(game(lost("9/10"), slip)) == 1  # what is not marked is not to be bettered
    assert costliest(game(PLAIN, lost("1/10"))) is None
    for role in (Role.OTHER, Role.BOT):
        assert costliest(replace(game(PLAIN, slip), role=role)) is None
