"""What the coach makes of a whole game: how it was played, and the guess that decided it."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from bot.services.coach.insights import Insight, Observation
from bot.services.coach.model import Analysis, CoachTurn
from bot.services.coach.verdict import (
    Manner,
    Pivot,
    TurningPoint,
    gamble_of,
    is_too_short,
    manner_of,
    mark_of,
    turning_point,
)
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
    luck=50,
    observations=(Observation(Insight.STEADY),),
)


def lost(guesses: str, **fields: Any) -> CoachTurn:
    loss = Loss(Fraction(guesses), Fraction(1, 2), is_exact=True)
    return replace(PLAIN, loss=loss, **fields)


def game(*turns: CoachTurn) -> Analysis:
    return Analysis("bulls:4/30", "9876", is_solved=False, turns=turns, line=())


@pytest.mark.parametrize(
    ("losses", "manner"),
    [
        (("0", "0"), Manner.FLAWLESS),
        (("0", "1/10"), Manner.SHARP),  # 99 * 1 / 1.1
        (("1/4", "1/4"), Manner.GOOD),  # 66
        (("1/2", "1/2"), Manner.MIXED),  # 49
        (("1", "1"), Manner.BUMPY),  # 33
    ],
)
def test_a_manner_follows_from_what_was_lost_in_all(
    losses: tuple[str, ...], manner: Manner
) -> None:
    assert manner_of(game(*map(lost, losses))) is manner


def test_a_game_of_one_guess_has_no_turning_point() -> None:
    assert turning_point(game(lost("1"))) is None


@pytest.mark.parametrize(
    ("turns", "point"),
    [
        # What was dearest, and of equals the first.
        ((lost("1/5"), lost("1/2"), lost("1/2")), TurningPoint(1, Pivot.MISTAKE)),
        # A dear guess goes before luck, a masterstroke before luck, and luck before what is cheap.
        ((lost("1/2"), replace(PLAIN, after=1)), TurningPoint(0, Pivot.MISTAKE)),
        (
            (replace(PLAIN, after=1), replace(PLAIN, grade=Grade.BRILLIANT)),
            TurningPoint(1, Pivot.MASTERSTROKE),
        ),
        ((lost("1/5"), replace(PLAIN, after=4)), TurningPoint(1, Pivot.LUCK)),
        ((lost("1/5"), replace(PLAIN, after=64)), TurningPoint(1, Pivot.BAD_LUCK)),
        ((PLAIN, lost("1/5")), TurningPoint(1, Pivot.MISTAKE)),
        # Where nothing stands out, what ruled out the most.
        ((PLAIN, replace(PLAIN, after=8), lost("1/10")), TurningPoint(1, Pivot.CUT)),
        # What the last guess was told comes too late, but it may have been a mistake.
        ((PLAIN, replace(PLAIN, after=1, is_last=True)), TurningPoint(0, Pivot.CUT)),
        ((PLAIN, lost("1/2", is_last=True)), TurningPoint(1, Pivot.MISTAKE)),
    ],
)
def test_the_guess_that_decided_a_game(turns: tuple[CoachTurn, ...], point: TurningPoint) -> None:
    assert turning_point(game(*turns)) == point


def test_nobody_is_blamed_for_what_was_suggested_nor_the_bot_for_anything() -> None:
    dear = game(lost("1/2"), lost("1/5"))
    assert turning_point(dear, unblamed={0}) == TurningPoint(1, Pivot.MISTAKE)
    assert turning_point(dear, is_graded=False) == TurningPoint(1, Pivot.CUT)


def test_a_game_that_was_lost_at_once_is_too_short_to_judge() -> None:
    assert is_too_short(game(PLAIN))
    assert is_too_short(game(PLAIN, PLAIN))
    assert not is_too_short(game(PLAIN, PLAIN, PLAIN))
    assert not is_too_short(replace(game(PLAIN), is_solved=True))


def test_a_dear_answer_after_good_guesses_is_a_gamble_that_paid() -> None:
    dear = lost("1/3", after=1)
    won = replace(game(PLAIN, lost("1/20"), dear), is_solved=True)
    assert gamble_of(won) is won.turns[-1]
    assert gamble_of(replace(won, is_solved=False)) is None
    assert gamble_of(replace(game(PLAIN, lost("1/2"), dear), is_solved=True)) is None
    assert gamble_of(replace(game(PLAIN, lost("1/10", after=1)), is_solved=True)) is None
    assert gamble_of(replace(game(dear), is_solved=True)) is None


def test_nobody_is_blamed_for_the_answer() -> None:
    won = replace(game(PLAIN, lost("1/2", grade=Grade.BAD, after=1)), is_solved=True)
    assert turning_point(won) == TurningPoint(1, Pivot.LUCK)
    assert mark_of(won, won.turns[1]) is Grade.PLAIN
    missed = replace(won, is_solved=False)
    assert turning_point(missed) == TurningPoint(1, Pivot.MISTAKE)
    assert mark_of(missed, missed.turns[1]) is Grade.BAD
    best = replace(game(PLAIN, replace(PLAIN, grade=Grade.GOOD)), is_solved=True)
    assert mark_of(best, best.turns[1]) is Grade.GOOD
