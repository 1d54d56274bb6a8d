"""*Hint* on a board, which the games' own boards answer."""

from collections.abc import Iterator
from typing import Any, Final

from discord import ui

from bot.focdle.model.play import Play
from bot.focdle.pages import labels as focdle_labels
from bot.mastermind.model.game import MastermindGame
from bot.mastermind.pages import labels as mastermind_labels
from cogs.ui.pages import button
from cogs.ui.routes import Argument, Route

SHOW_IN_PLAY: Final = Route("hint:p:show:{game:int}:{turns:int}:{taken:int}")
SHOW_IN_MASTERMIND: Final = Route("hint:m:show:{game:int}:{turns:int}:{taken:int}")

# On boards of before there was one kind of hint.
ASKED_IN_PLAY: Final = Route("hint:p:{what:ask|count|suggestion}:{game:int}:{turn:int}")
ASKED_IN_MASTERMIND: Final = Route("hint:m:{what:ask|count|suggestion}:{game:int}:{turn:int}")
SUGGESTED_EQUATION: Final = Route("hint:p:play:{play:int}:{guess}", guess=Argument("[0-9+*%=-]+"))
SUGGESTED_CODE: Final = Route("hint:m:play:{game:int}:{guess}", guess=Argument("[A-Z0-9]+"))


def hint_of_play(play: Play) -> Iterator[ui.Button[Any]]:
    """What shows the next symbol of a FoCdle, if there is a hint to be had."""
    if play.next_hint is not None:
        custom_id = SHOW_IN_PLAY(game=play.id, turns=len(play.game.turns), taken=len(play.hints))
        yield button(custom_id, focdle_labels.hint_button(play))


def hint_of_mastermind(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    """What shows the next peg of the bot's code, if there is a hint to be had."""
    if game.may_hint:
        custom_id = SHOW_IN_MASTERMIND(game=game.id, turns=len(game.turns), taken=len(game.hints))
        yield button(custom_id, mastermind_labels.hint_button(game))
