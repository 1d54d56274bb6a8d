"""*Hint* on a board: which hints there are, and what plays the suggested guess.

The games' own boards answer these buttons: in place of their own they say what a hint costs, and
tell it themselves.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from discord import ui

from bot.model.hints import Hint, HintKind, hints_left, is_given
from bot.presentation.base import hints as words
from bot.presentation.base.language import say
from bot.services.focdle.model import Play
from bot.services.mastermind.model import MastermindGame
from cogs.base.pages import button
from cogs.base.routes import Argument, Route, member_of

ASK_IN_PLAY: Final = Route("hint:p:ask:{game:int}:{turn:int}")
ASK_IN_MASTERMIND: Final = Route("hint:m:ask:{game:int}:{turn:int}")
TAKE_IN_PLAY: Final = Route("hint:p:{kind}:{game:int}:{turn:int}", kind=member_of(HintKind))
TAKE_IN_MASTERMIND: Final = Route("hint:m:{kind}:{game:int}:{turn:int}", kind=member_of(HintKind))
SUGGESTED_EQUATION: Final = Route("hint:p:play:{play:int}:{guess}", guess=Argument("[0-9+*%=-]+"))
SUGGESTED_CODE: Final = Route("hint:m:play:{game:int}:{guess}", guess=Argument("[A-Z0-9]+"))


def hint_of_play(play: Play) -> ui.Button[Any]:
    """The button of a FoCdle that goes on."""
    return button(ASK_IN_PLAY(game=play.id, turn=len(play.game.turns)), say(words.HINT_BUTTON))


def hint_of_mastermind(game: MastermindGame) -> ui.Button[Any]:
    """The button of a game in which a player breaks the bot's code."""
    return button(ASK_IN_MASTERMIND(game=game.id, turn=len(game.turns)), say(words.HINT_BUTTON))


def hint_choices(
    take: Route, game_id: int, hints: tuple[Hint, ...], turn: int
) -> Iterator[ui.Button[Any]]:
    """What takes each hint that is left after so many guesses.

    Args:
        take: what does so in games of the kind.
        game_id: the game.
        hints: those that were taken.
        turn: how many guesses were made.
    """
    for kind in HintKind:
        is_pointless = kind is HintKind.COUNT and not turn
        if hints_left(hints, kind) and not is_pointless and not is_given(hints, kind, turn):
            yield button(take(kind=kind, game=game_id, turn=turn), say(words.TAKE_BUTTONS[kind]))


def play_it_in_play(play: Play) -> Iterator[ui.Button[Any]]:
    """What plays the equation that was suggested since the last guess, if one was."""
    return _play_it(
        play.hints,
        len(play.game.turns),
        lambda code: SUGGESTED_EQUATION(play=play.id, guess=code),
    )


def play_it_in_mastermind(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    """What plays the code that was suggested since the last guess, if one was."""
    return _play_it(
        game.hints, len(game.turns), lambda code: SUGGESTED_CODE(game=game.id, guess=code)
    )


def _play_it(
    hints: tuple[Hint, ...], turn: int, custom_id: Callable[[str], str]
) -> Iterator[ui.Button[Any]]:
    for hint in hints:
        if hint.kind is HintKind.SUGGESTION and hint.turn == turn:
            yield button(custom_id(hint.answer), say(words.PLAY_IT_BUTTON))
