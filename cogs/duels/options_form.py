"""The forms with a duel's options, and what was chosen in them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.duels import labels as words
from bot.services.duels.model import Pace
from bot.services.duels.options import DIGITS, MODES, STRENGTHS, Options
from cogs.base.forms import Form, choice, radio, tick
from cogs.base.routes import TICK, Argument, Route, member_of, one_of

FORM: Final = Route("du:form:challenge:{opponent:int}")
BOT_FORM: Final = Route("du:form:bot")

_REPEATS: Final = "r"
_COMMON: Final = {
    "numbers": Argument(
        f"[0-9]{{1,2}}{_REPEATS}?",
        lambda text: (int(text.removesuffix(_REPEATS)), text.endswith(_REPEATS)),
    ),
    "mode": one_of({mode.value: mode for mode in MODES}),
    "pace": member_of(Pace),
}
FIELDS: Final = {**_COMMON, "rated": TICK}
BOT_FIELDS: Final = {
    **_COMMON,
    "strength": one_of({strength.value: strength for strength in STRENGTHS}),
}


def challenge_form(opponent_id: int, name: str, usual: Options) -> Form:
    """Asks for the options of a duel with a member, and proposes the usual ones."""
    return Form(
        FORM(opponent=opponent_id),
        words.challenge_form_title(name),
        *_common(usual),
        tick("rated", say(words.RATED_LABEL), say(words.RATED_HINT), default=usual.rated is None),
    )


def bot_form(usual: Options) -> Form:
    """Asks for the options of a duel with the bot, and proposes the usual ones."""
    return Form(
        BOT_FORM(),
        say(words.BOT_FORM_TITLE),
        say(words.BOT_FORM_TEXT),
        *_common(usual),
        radio(
            "strength",
            say(words.STRENGTH_LABEL),
            [
                discord.RadioGroupOption(
                    label=say(words.STRENGTH_CHOICES[strength]),
                    value=strength,
                    default=strength is usual.strength,
                )
                for strength in STRENGTHS
            ],
        ),
    )


def _common(usual: Options) -> Iterable[ui.Item[Any]]:
    """What every duel has."""
    yield choice("numbers", say(words.NUMBERS_LABEL), _kinds(usual))
    modes = ((mode, *words.mode_choice(mode)) for mode in MODES)
    yield radio(
        "mode",
        say(words.MODE_LABEL),
        [
            discord.RadioGroupOption(
                label=label, value=mode.value, description=meaning, default=mode is usual.mode
            )
            for mode, label, meaning in modes
        ],
    )
    yield radio(
        "pace",
        say(words.PACE_LABEL),
        [
            discord.RadioGroupOption(
                label=words.pace_choice(pace), value=pace, default=pace is usual.pace
            )
            for pace in Pace
        ],
    )


def _kinds(usual: Options) -> list[discord.SelectOption]:
    kinds = [
        Options(digits, repeats=repeats)
        for repeats in (False, True)
        for digits in range(DIGITS[0], DIGITS[1] + 1)
    ]
    return [
        discord.SelectOption(
            label=words.numbers_choice(kind.rules()),
            value=f"{kind.digits}{_REPEATS if kind.repeats else ''}",
            default=kind.rules() == usual.rules(),
        )
        for kind in kinds
    ]


def chosen_for_member(values: Mapping[str, Any]) -> Options:
    """What was chosen for a duel with a member; where a mode is never rated, it is not."""
    return _chosen(values, rated=None if values["rated"] else False)


def chosen_for_bot(values: Mapping[str, Any]) -> Options:
    """What was chosen for a duel with the bot."""
    return _chosen(values, strength=values["strength"])


def _chosen(values: Mapping[str, Any], **others: Any) -> Options:
    digits, repeats = values["numbers"]
    return Options(digits, repeats, values["mode"], values["pace"], **others)
