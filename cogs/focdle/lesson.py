"""*Find a better guess*, as it stands below a board; what its buttons do is in `board`."""

from collections.abc import Iterator
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.coach.game.lessons import Answer, Lesson
from bot.coach.pages import lesson as words
from bot.focdle.model.errors import GuessRefusedError
from bot.focdle.pages.labels import GUESS_BUTTON
from bot.games.model.games import Source
from bot.refusals import refusal
from bot.text.labels import BACK_BUTTON, EDIT_BUTTON, TRY_AGAIN_BUTTON
from bot.text.language import say
from cogs.coach.routes import TURN
from cogs.focdle.page import Question
from cogs.ui.pages import button
from cogs.ui.routes import Route, kept_text

ASK_FOR_BETTER: Final = Route("coach:ask:{play:int}:{turn:int}:{draft?}")
BETTER_FORM: Final = Route("coach:form:{play:int}:{turn:int}")
BEST: Final = Route("coach:best:{play:int}:{turn:int}")

Buttons = Iterator[ui.Button[Any]]


def better_question(lesson: Lesson) -> Question:
    """What is a better guess?"""
    play, turn = lesson.play.id, lesson.turn
    ways = [_ask(play, turn, say(GUESS_BUTTON)), _show(play, turn), _back(play)]
    return words.question(lesson), ways


def better_refused(refused: GuessRefusedError, turn: int) -> Question:
    """Why a guess could not have been made, and what becomes of it."""
    play, draft = refused.play.id, kept_text(refused.text)
    ask = _ask(play, turn, say(EDIT_BUTTON if draft else GUESS_BUTTON), draft)
    return refusal(refused) or "", [ask, _show(play, turn), _back(play)]


def better_answer(found: Answer) -> Question:
    """What a guess would have been worth, or which is the best."""
    play, turn = found.lesson.play.id, found.lesson.turn
    ways = [_back(play)]
    if found.tried is not None and not found.is_as_good_as_any:
        ways = [_ask(play, turn, say(TRY_AGAIN_BUTTON)), _show(play, turn), *ways]
    return words.answer(found), ways


def _ask(play: int, turn: int, label: str, draft: str = "") -> ui.Button[Any]:
    custom_id = ASK_FOR_BETTER(play=play, turn=turn, draft=draft)
    return button(custom_id, label, ButtonStyle.primary)


def _show(play: int, turn: int) -> ui.Button[Any]:
    return button(BEST(play=play, turn=turn), say(words.SHOW_BUTTON))


def _back(play: int) -> ui.Button[Any]:
    """Back to the coach's page."""
    custom_id = TURN(source=Source.PLAY, game=play, seat=None, number=0)
    return button(custom_id, say(BACK_BUTTON))
