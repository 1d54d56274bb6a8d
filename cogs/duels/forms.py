"""The forms of duels: a number, a guess, what a duel is to be, and what was put into them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.duels.game.options import DIGITS, MODES, STRENGTHS, Options
from bot.duels.model.duel import DuelGame, Pace
from bot.duels.pages import labels as words
from bot.text.language import say
from cogs.ui.forms import Form, choice, field, radio, tick
from cogs.ui.routes import TICK, TYPED, Argument, Route, member_of, one_of
from engine import BullsAndCows

OPTIONS: Final = Argument(
    "[3-6]r?-(?:equal|classic)-(?:rated|friendly)",
    lambda text: _read_options(*text.split("-")),
    lambda options: "-".join(_written_options(options)),
)
"""What a duel between two members is to be, in an id."""

CHANGE_FORM: Final = Route("du:form:change:{duel:int}")
BOT_CHANGE_FORM: Final = Route("du:form:mend:{duel:int}")
# Those of before *Change*, which may be open.
FORM: Final = Route("du:form:challenge:{opponent:int}")
BOT_FORM: Final = Route("du:form:bot")

NUMBER: Final = "number"
NUMBER_FIELDS: Final = {NUMBER: TYPED}

_REPEATS: Final = "r"
_FRIENDLY: Final = "friendly"
_COMMON: Final = {
    "numbers": Argument(
        f"[0-9]{{1,2}}{_REPEATS}?",
        lambda text: (int(text.removesuffix(_REPEATS)), text.endswith(_REPEATS)),
    ),
    "mode": one_of({mode.value: mode for mode in MODES}),
}
_PACE: Final = {"pace": member_of(Pace)}
FIELDS: Final = {**_COMMON, "rated": TICK}
BOT_FIELDS: Final = {
    **_COMMON,
    "strength": one_of({strength.value: strength for strength in STRENGTHS}),
}
OLD_FIELDS: Final = FIELDS | _PACE
OLD_BOT_FIELDS: Final = BOT_FIELDS | _PACE


def _read_options(numbers: str, mode: str, rated: str) -> Options:
    (mode_of,) = (each for each in MODES if each.value == mode)
    digits, repeats = int(numbers[0]), numbers.endswith(_REPEATS)
    return Options(digits, repeats, mode_of, rated=False if rated == _FRIENDLY else None)


def _written_options(options: Options) -> tuple[str, str, str]:
    numbers = f"{options.digits}{_REPEATS if options.repeats else ''}"
    return numbers, options.mode.value, _FRIENDLY if options.rated is False else "rated"


def number_form(custom_id: str, rules: BullsAndCows, *texts: str) -> Form:
    """Asks for the number that the opponent is to find."""
    return Form(custom_id, say(words.SECRET_FORM_TITLE), *texts, number_field(rules))


def number_field(rules: BullsAndCows, draft: str = "") -> ui.Label[Any]:
    """A line for a number or a guess."""
    label, hint = words.number_label(rules), say(words.NUMBER_DESCRIPTION)
    return field(NUMBER, label, hint, draft=draft)


def change_form(game: DuelGame) -> Form:
    """Asks what a duel is to be, and proposes what it is."""
    if game.is_against_bot:
        custom_id, title = BOT_CHANGE_FORM(duel=game.id), say(words.BOT_FORM_TITLE)
        return Form(custom_id, title, *_common(game), _strengths(game))
    rated = tick("rated", say(words.RATED_LABEL), say(words.RATED_HINT), default=game.rated)
    custom_id, title = CHANGE_FORM(duel=game.id), say(words.CHANGE_FORM_TITLE)
    return Form(custom_id, title, *_common(game), rated)


def _strengths(game: DuelGame) -> ui.Item[Any]:
    return radio(
        "strength",
        say(words.STRENGTH_LABEL),
        [
            discord.RadioGroupOption(
                label=say(words.STRENGTH_CHOICES[strength]),
                value=strength,
                default=strength is game.strength,
            )
            for strength in STRENGTHS
        ],
    )


def _common(game: DuelGame) -> Iterable[ui.Item[Any]]:
    """What every duel has."""
    yield choice("numbers", say(words.NUMBERS_LABEL), _kinds(game.rules))
    modes = ((mode, *words.mode_choice(mode)) for mode in MODES)
    yield radio(
        "mode",
        say(words.MODE_LABEL),
        [
            discord.RadioGroupOption(
                label=label, value=mode.value, description=meaning, default=mode is game.mode
            )
            for mode, label, meaning in modes
        ],
    )


def _kinds(usual: BullsAndCows) -> list[discord.SelectOption]:
    kinds = [
        Options(digits, repeats=repeats)
        for repeats in (False, True)
        for digits in range(DIGITS[0], DIGITS[1] + 1)
    ]
    return [
        discord.SelectOption(
            label=words.numbers_choice(kind.rules()),
            value=f"{kind.digits}{_REPEATS if kind.repeats else ''}",
            default=kind.rules() == usual,
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
    return Options(digits, repeats, values["mode"], **others)
