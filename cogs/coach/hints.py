"""*Hint*: what it costs, and what it tells, in a private message beside the board."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.model.hints import Hint, HintKind, hints_left, is_given
from bot.presentation.base import hints as words
from bot.presentation.base.language import say
from bot.services.base.allowance import Cost
from bot.services.coach.errors import HintOverError
from bot.services.focdle.model import Play
from bot.services.mastermind.model import MastermindGame, Stage
from cogs.base.pages import Page, button, notice
from cogs.base.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.base.routes import Argument, Route, member_of, pressed

_PLAY: Final = "p"
_MASTERMIND: Final = "m"

ASK: Final = Route("hint:{source:p|m}:ask:{game:int}:{turn:int}")
SUGGESTED_EQUATION: Final = Route("hint:p:play:{play:int}:{guess}", guess=Argument("[0-9+*%=-]+"))
SUGGESTED_CODE: Final = Route("hint:m:play:{game:int}:{guess}", guess=Argument("[A-Z0-9]+"))
"""Play what a hint suggests; the games' own boards answer these."""
TAKE: Final = Route("hint:{source:p|m}:{kind}:{game:int}:{turn:int}", kind=member_of(HintKind))


def hint_of_play(play: Play) -> ui.Button[Any]:
    """The button of a FoCdle that goes on."""
    return _ask_button(_PLAY, play.id, len(play.game.turns))


def hint_of_mastermind(game: MastermindGame) -> ui.Button[Any]:
    """The button of a game in which a player breaks the bot's code."""
    return _ask_button(_MASTERMIND, game.id, len(game.turns))


def _ask_button(source: str, game_id: int, turn: int) -> ui.Button[Any]:
    return button(ASK(source=source, game=game_id, turn=turn), say(words.HINT_BUTTON))


@pressed(ASK)
async def say_what_hints_cost(interaction: Interaction, source: str, game: int) -> None:
    """Say what hints cost, and which there are."""
    services, player = services_of(interaction), interaction.user.id
    if source == _PLAY:
        play = await services.daily.view(player, game)
        if play.game.outcome is not None:
            raise HintOverError
        await whisper(interaction, _play_notice(play))
    else:
        mastermind = await services.mastermind.solo.view(player, game)
        if mastermind.stage is Stage.OVER:
            raise HintOverError
        await whisper(interaction, _mastermind_notice(mastermind, interaction))


@pressed(TAKE, cost=Cost.COACH)
async def give_hint(
    interaction: Interaction, source: str, kind: HintKind, game: int, turn: int
) -> None:
    """Give a hint to who has made so many guesses."""
    hints, player = services_of(interaction).coach.hints, interaction.user.id
    if source == _PLAY:
        play = await in_good_time(interaction, hints.of_play(player, game, kind, turn))
        await show(interaction, _play_notice(play))
    else:
        taken = hints.of_mastermind(player, game, kind, turn)
        await show(
            interaction, _mastermind_notice(await in_good_time(interaction, taken), interaction)
        )


def _play_notice(play: Play) -> Page:
    turn, texts = len(play.game.turns), (words.play_hints(play), words.play_question(play))
    plays = _play_it(play.hints, turn, lambda code: SUGGESTED_EQUATION(play=play.id, guess=code))
    return _notice(_PLAY, play.id, turn, play.hints, texts, plays)


def _mastermind_notice(game: MastermindGame, interaction: Interaction) -> Page:
    told = words.mastermind_hints(game, pegs_of(interaction))
    turn, texts = len(game.turns), (told, words.mastermind_question(game))
    plays = _play_it(game.hints, turn, lambda code: SUGGESTED_CODE(game=game.id, guess=code))
    return _notice(_MASTERMIND, game.id, turn, game.hints, texts, plays)


def _play_it(
    hints: tuple[Hint, ...], turn: int, custom_id: Callable[[str], str]
) -> list[ui.Button[Any]]:
    """What plays the guess that was suggested after so many guesses, if one was."""
    return [
        button(custom_id(hint.answer), say(words.PLAY_IT_BUTTON), discord.ButtonStyle.primary)
        for hint in hints
        if hint.kind is HintKind.SUGGESTION and hint.turn == turn
    ]


def _notice(
    source: str,
    game_id: int,
    turn: int,
    hints: tuple[Hint, ...],
    texts: tuple[str, str],
    plays: list[ui.Button[Any]],
) -> Page:
    """What was told since the last guess, what another hint costs, and which there are."""
    told, question = texts
    choices = [
        button(
            TAKE(source=source, kind=kind, game=game_id, turn=turn), say(words.TAKE_BUTTONS[kind])
        )
        for kind in _open(hints, turn)
    ]
    if not choices:
        question = words.no_more_hints(hints)
    return notice("\n".join(filter(None, (told, question))), [*plays, *choices])


def _open(hints: tuple[Hint, ...], turn: int) -> Iterator[HintKind]:
    """The kinds of hints that may be taken after so many guesses."""
    for kind in HintKind:
        left = hints_left(hints, kind)
        is_pointless = kind is HintKind.COUNT and not turn
        if left and not is_pointless and not is_given(hints, kind, turn):
            yield kind
