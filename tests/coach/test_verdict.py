"""What the coach makes of a whole game: how it was played, and its mistakes, worst first."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bot.coach.model import Analysis, CoachTurn, Insight, Observation, Review
from bot.coach.reviews import Manner, is_faster, is_too_short, manner_of, mistakes, shown_grades
from bot.games.model import GameName, Hint, Role, Source
from engine.skill import Grade, Loss

PLAIN = CoachTurn(
    guess="0123",
    feedback=(1, 1),
    before=64,
    after=16,
    choice="0124",
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
        ((SLIP, SLIP, SLIP), Manner.MIXED),
        ((PLAIN, SLIP, BAD), Manner.MIXED),
        ((PLAIN, BLUNDER), Manner.MIXED),
        ((BAD, BLUNDER), Manner.BUMPY),
    ],
)
def test_the_manner_of_a_game_agrees_with_the_marks_of_its_guesses(
    turns: tuple[CoachTurn, ...], manner: Manner
) -> None:
    assert manner_of(game(*turns)) is manner


@pytest.mark.parametrize(
    ("solvers", "mean", "is_scolded"),
    [(4, 3.9, False), (3, 4.34, False), (3, 4.0, False), (3, 3.99, True)],
)
def test_a_game_at_or_under_the_solvers_guesses_is_never_scolded(
    solvers: int, mean: float, *, is_scolded: bool
) -> None:
    won = game(BAD, BLUNDER, SLIP, PLAIN, is_solved=True)
    analysis: Analysis = replace(won.analysis, solvers=solvers, mean=mean)
    review = replace(won, analysis=analysis)
    assert manner_of(review) is (Manner.BUMPY if is_scolded else Manner.GOOD)
    strong = {Grade.BAD, Grade.BLUNDER} & {*shown_grades(review)}
    assert bool(strong) == is_scolded
    assert mistakes(analysis) == (1, 0, 2)  # there is still something to find
    lost: Analysis = replace(analysis, is_solved=False)
    assert manner_of(replace(review, analysis=lost)) is Manner.BUMPY


def test_a_game_with_hints_is_faster_only_if_it_took_fewer_guesses_and_hints() -> None:
    won = game(PLAIN, PLAIN, is_solved=True)
    analysis: Analysis = replace(won.analysis, solvers=3)
    assert is_faster(replace(won, analysis=analysis))
    assert not is_faster(replace(won, analysis=analysis, hints=(Hint(1, 0, "9"),)))


def test_nobody_is_blamed_for_guessing_the_secret() -> None:
    lucky = lost("1/2", grade=Grade.BAD)
    won = game(PLAIN, lucky, is_solved=True)
    assert manner_of(won) is Manner.FLAWLESS
    assert shown_grades(won) == (Grade.PLAIN, Grade.PLAIN)
    assert mistakes(won.analysis) == ()
    assert shown_grades(game(PLAIN, lucky)) == (Grade.PLAIN, Grade.BAD)


def test_a_game_of_fewer_than_three_guesses_is_too_short_to_judge_unless_it_is_won() -> None:
    assert is_too_short(game(PLAIN).analysis)
    assert is_too_short(game(PLAIN, PLAIN).analysis)
    assert not is_too_short(game(PLAIN, PLAIN, PLAIN).analysis)
    assert not is_too_short(game(PLAIN, is_solved=True).analysis)


def test_mistakes_come_worst_first_and_of_the_same_mark_the_one_that_left_most() -> None:
    slip = lost("1/5", grade=Grade.DOUBTFUL, after=60)
    bad, worse = (lost("1/2", grade=Grade.BAD, after=left) for left in (20, 30))
    assert mistakes(game(PLAIN, slip, bad, worse, bad).analysis) == (3, 2, 4, 1)
    assert mistakes(game(lost("9/10"), slip).analysis) == (1,)  # what has no mark is no mistake
    assert mistakes(game(PLAIN, lost("1/10")).analysis) == ()


def test_where_the_best_guess_was_the_answer_there_is_no_better_one_to_seek() -> None:
    only = lost("1", grade=Grade.BAD, before=1, after=1, best=0)
    assert mistakes(game(only, SLIP).analysis) == (1,)
