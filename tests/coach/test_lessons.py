"""Lessons: which guesses are better than one of a finished FoCdle, and for whom."""

from pathlib import Path

import pytest

from bot.coach.game import Worth
from bot.coach.model import BAD_GRADES
from bot.coach.reviews import mistakes
from bot.focdle.model import GuessRefusedError, Play
from bot.games.model import GameName, Source
from bot.services import Services
from engine import ContradictionError, FalseEquationError
from engine.feedback import check_consistent
from tests.support.coach import busy
from tests.support.masterminds import ANN, BEN, GUILD
from tests.support.sql import sql
from tests.support.table import SECRET

OPENING, MISTAKE = "12+34-5=41", "65%43-21=1"
TURN = 1


def named(play: Play) -> GameName:
    return GameName(Source.PLAY, play.id)


async def played(services: Services, *guesses: str) -> Play:
    """The day's FoCdle, with these guesses of Ann's."""
    return await played_by(services, ANN, *guesses)


async def played_by(services: Services, player: int, *guesses: str) -> Play:
    play = await services.daily.open(player, GUILD)
    for guess in guesses:
        play = await services.daily.guess(player, play.id, guess, as_probe=True)
    return play


async def test_a_lesson_shows_the_board_as_it_was_before_the_guess(
    services: Services,
) -> None:
    play = await played(services, OPENING)
    hints = services.coach.hints
    await hints.of_play(ANN, play.id, 1, 0)
    play = await services.daily.guess(ANN, play.id, MISTAKE)
    await hints.of_play(ANN, play.id, 2, 1)
    await services.daily.guess(ANN, play.id, SECRET)
    lesson = await services.coach.lessons.of(ANN, named(play), TURN)
    assert [turn.guess for turn in lesson.play.game.turns] == [OPENING]
    assert lesson.play.game.outcome is None
    assert [hint.turn for hint in lesson.play.hints] == [1]
    assert (lesson.turn, lesson.made) == (TURN, MISTAKE)


@pytest.mark.parametrize(
    ("tried", "worth", "is_as_good_as_any"),
    [
        ("86*27%27=9", Worth.BETTER, True),
        ("67+3%39=70", Worth.BETTER, False),
        ("92-45-7=40", Worth.AS_GOOD, False),
        (MISTAKE, Worth.AS_GOOD, False),
        ("99%50+1=50", Worth.WORSE, False),  # on average it leaves less, but not here
    ],
)
async def test_a_lesson_compares_the_tried_guess_with_the_played_guess(
    services: Services, tried: str, worth: Worth, *, is_as_good_as_any: bool
) -> None:
    play = await played(services, OPENING, MISTAKE, SECRET)
    found = await services.coach.lessons.answer(ANN, named(play), TURN, tried)
    assert found.tried is not None
    assert (found.tried.guess, found.made.guess) == (tried, MISTAKE)
    assert (found.worth, found.is_as_good_as_any) == (worth, is_as_good_as_any)
    marks = [found.tried.grade, found.made.grade]
    assert (marks[0] == marks[1]) == (worth is Worth.AS_GOOD)


async def test_a_lesson_can_come_before_the_review_and_agrees_with_it(
    services: Services,
) -> None:
    play = await played(services, OPENING, MISTAKE, SECRET)
    shown = await services.coach.lessons.best(ANN, named(play), TURN)
    awaited = await services.coach.reviews.ask(ANN, GameName(Source.PLAY, play.id))
    review = await awaited.within(20)
    assert review is not None
    turn = review.analysis.turns[TURN]
    assert mistakes(review.analysis)[0] == TURN
    made = shown.made
    assert (made.lost, made.choice) == (turn.loss.guesses, turn.choice)
    assert (made.left, made.best, made.grade) == (turn.after, turn.best, turn.grade)
    assert (shown.worth, shown.is_as_good_as_any, shown.is_secret) == (None, False, False)
    told = await services.coach.lessons.answer(ANN, named(play), TURN, SECRET)
    assert (told.is_secret, told.is_done) == (True, False)


async def test_a_lesson_does_not_change_the_played_game(services: Services, tmp_path: Path) -> None:
    play = await played(services, OPENING, MISTAKE, SECRET)
    tables = ("plays", "guesses", "hints", "streaks", "streak_changes", "standings", "analyses")
    before = [sql(tmp_path, f"SELECT * FROM {table}") for table in tables]
    lessons = services.coach.lessons
    await lessons.of(ANN, named(play), TURN)
    for guess in (SECRET, "25*17%2=58"):
        await lessons.answer(ANN, named(play), TURN, guess)
    await lessons.best(ANN, named(play), TURN)
    assert [sql(tmp_path, f"SELECT * FROM {table}") for table in tables] == before


async def test_a_lesson_in_hard_mode_weighs_only_allowed_guesses(services: Services) -> None:
    await services.preferences.set_hard_mode(ANN, on=True)
    play = await played(services, OPENING, "67*78%25=1", SECRET)
    lessons = services.coach.lessons
    for text in (MISTAKE, "25*17%2=58"):
        with pytest.raises(GuessRefusedError) as caught:
            await lessons.answer(ANN, named(play), TURN, text)
        assert isinstance(caught.value.cause, ContradictionError | FalseEquationError)
    shown = await lessons.best(ANN, named(play), TURN)
    turns = (await lessons.of(ANN, named(play), TURN)).play.game.turns
    check_consistent(shown.made.choice, turns)
    found = await lessons.answer(ANN, named(play), TURN, shown.made.choice)
    assert found.is_as_good_as_any
    free = await played_by(services, BEN, OPENING, MISTAKE, SECRET)
    assert (await lessons.best(BEN, named(free), TURN)).made.choice != shown.made.choice


async def test_lessons_go_through_all_mistakes_worst_first(services: Services) -> None:
    play = await played(services, OPENING, "10+10*3=40", "65%43-21=1", "11+11+1=23", SECRET)
    lessons = services.coach.lessons
    assert (await lessons.of(ANN, named(play), 1)).then is None  # the coach has not looked yet
    awaited = await services.coach.reviews.ask(ANN, GameName(Source.PLAY, play.id))
    review = await awaited.within(20)
    assert review is not None
    worst = mistakes(review.analysis)
    assert len(worst) > 1
    found = [(await lessons.of(ANN, named(play), turn)).then for turn in worst]
    assert found == [*worst[1:], None]
    assert (await lessons.of(ANN, named(play), 0)).then is None  # it was no mistake


async def test_in_a_lesson_about_a_last_guess_what_could_win_is_as_good_as_any(
    services: Services,
) -> None:
    others = ("11+11+1=23", "10+10*3=40", "34+10+1=45", MISTAKE)
    play = await played(services, OPENING, *others, "13+13*3=52")
    lessons = services.coach.lessons
    made = (await lessons.best(ANN, named(play), 5)).made
    assert made.is_last
    assert made.grade in BAD_GRADES
    other = await lessons.answer(ANN, named(play), 5, "66%72%65=1")
    assert (other.worth, other.is_done) == (Worth.BETTER, True)
    answer = await lessons.answer(ANN, named(play), 5, SECRET)
    assert (answer.is_secret, answer.is_done) == (True, False)


async def test_the_guess_of_a_lesson_is_read_while_the_coach_is_busy_with_reviews(
    services: Services,
) -> None:
    play = await played(services, OPENING, MISTAKE, SECRET)
    async with busy(services):
        review = await services.coach.reviews.ask(ANN, GameName(Source.PLAY, play.id))
        assert (await services.coach.lessons.of(ANN, named(play), TURN)).made == MISTAKE
    assert (await services.coach.lessons.best(ANN, named(play), TURN)).made.guess == MISTAKE
    assert await review.within(20) is not None
