"""The form with a duel's options, and what was chosen in it."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.presentation.base.language import say
from bot.presentation.duels import labels as words
from bot.services.duels.model import Pace
from bot.services.duels.options import DIGITS, Options
from cogs.base.forms import Form, choice, choice_in
from cogs.base.routes import Route
from engine import Mode

FORM: Final = Route("du:form:challenge:{opponent:int}")

_YES: Final = "yes"
_NO: Final = "no"
_REPEATS: Final = "r"
_DEFAULT: Final = Options()


def _kinds() -> list[discord.SelectOption]:
    kinds = [
        Options(digits, repeats=repeats)
        for repeats in (False, True)
        for digits in range(DIGITS[0], DIGITS[1] + 1)
    ]
    return [
        discord.SelectOption(
            label=words.numbers_choice(kind.rules()),
            value=f"{kind.digits}{_REPEATS if kind.repeats else ''}",
            default=kind == _DEFAULT,
        )
        for kind in kinds
    ]


def _modes() -> list[discord.SelectOption]:
    found: list[discord.SelectOption] = []
    for mode in Mode:
        label, meaning = words.mode_choice(mode)
        is_usual = mode is _DEFAULT.mode
        found.append(
            discord.SelectOption(
                label=label, value=mode.value, description=meaning, default=is_usual
            )
        )
    return found


def _paces(usual: Pace) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=words.pace_choice(pace), value=pace, default=pace is usual)
        for pace in Pace
    ]


def _ratings() -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=words.rated_choice(rated=rated), value=_YES if rated else _NO, default=rated
        )
        for rated in (True, False)
    ]


def challenge_form(opponent_id: int, name: str, usual: Pace) -> Form:
    """Asks for a duel's options, and proposes a pace."""
    return Form(
        FORM(opponent=opponent_id),
        words.challenge_form_title(name),
        choice("numbers", say(words.NUMBERS_LABEL), _kinds()),
        choice("mode", say(words.MODE_LABEL), _modes()),
        choice("pace", say(words.PACE_LABEL), _paces(usual)),
        choice("rated", say(words.RATED_LABEL), _ratings()),
    )


def chosen_options(values: Mapping[str, str]) -> Options:
    """What was chosen in the form."""
    numbers = choice_in(values, "numbers")
    return Options(
        digits=int(numbers.removesuffix(_REPEATS)),
        repeats=numbers.endswith(_REPEATS),
        mode=Mode(choice_in(values, "mode")),
        pace=Pace(choice_in(values, "pace")),
        rated=None if choice_in(values, "rated") == _YES else False,
    )
