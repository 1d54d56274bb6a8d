"""The form with a setting for Mastermind, and what was chosen in it."""

from collections.abc import Callable
from typing import Final, TypeVar

import discord

from bot.mastermind.game.setting import COLOURS, GUESSES, PEGS, Setting
from bot.mastermind.pages import labels as words
from bot.text import counts
from bot.text.language import say
from cogs.ui.forms import Form, choice, radio, tick
from cogs.ui.routes import COUNT, TICK, Route

ASK_SETTING: Final = Route("mm:p:setting:{game:int}")
SETTING_FORM: Final = Route("mm:form:setting:{game:int}")
FIELDS: Final = {"pegs": COUNT, "colours": COUNT, "repeats": TICK, "guesses": COUNT}
"""As a `Setting` has them."""

Option = TypeVar("Option")


def setting_form(game_id: int, usual: Setting) -> Form:
    """Asks for a setting, and proposes the usual one."""
    pegs = _options(discord.RadioGroupOption, counts.pegs, PEGS, usual.pegs)
    colours = _options(discord.SelectOption, counts.colours, COLOURS, usual.colours)
    guesses = _options(discord.SelectOption, counts.guesses, GUESSES, usual.guesses)
    return Form(
        SETTING_FORM(game=game_id),
        say(words.SETTING_TITLE),
        radio("pegs", say(words.PEGS_LABEL), pegs),
        choice("colours", say(words.COLOURS_LABEL), colours),
        tick("repeats", say(words.REPEATS_LABEL), say(words.REPEATS_HINT), default=usual.repeats),
        choice("guesses", say(words.GUESSES_LABEL), guesses),
    )


def _options(
    option: Callable[..., Option],
    words: Callable[[int], str],
    bounds: tuple[int, int],
    usual: int,
) -> list[Option]:
    """An option for each number from the fewest to the most."""
    fewest, most = bounds
    return [
        option(label=words(number), value=str(number), default=number == usual)
        for number in range(fewest, most + 1)
    ]
