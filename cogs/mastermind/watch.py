"""The bot breaks a code blindly: one it drew, or one that a player has sealed."""

from collections.abc import Coroutine, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.home.pages.help import Topic
from bot.mastermind.game.setting import Setting
from bot.mastermind.game.watch import Stepping
from bot.mastermind.model.errors import CodeRefusedError
from bot.mastermind.model.game import Kind, MastermindGame, Stage
from bot.mastermind.pages import labels as words
from bot.people.game.allowance import Cost
from bot.refused import AtStakeError, RankedGameError
from bot.text.language import say
from bot.text.pegs import Pegs
from cogs.mastermind.boards import (
    CODE,
    MORE,
    SETTING,
    aftermath,
    game_page,
    new_code_form,
    swap_button,
    typed_code,
    verify_of_game,
    with_more,
    words_for,
)
from cogs.mastermind.pages import KEEP
from cogs.ui.forms import Form
from cogs.ui.help import help_button
from cogs.ui.pages import Page, button, notice
from cogs.ui.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.ui.routes import By, Route, one_of, pressed, submitted
from engine import Mastermind

_KIND: Final = one_of({"s": Kind.DEFEND, "w": Kind.WATCH})

VIEW: Final = Route("mm:w:view:{game:int}")
STEP: Final = Route("mm:{kind}:step:{game:int}:{at?:int}", kind=_KIND)
ALL: Final = Route("mm:{kind}:all:{game:int}", kind=_KIND)
AGAIN: Final = Route("mm:w:again:{game:int}")
NEW: Final = Route("mm:w:new:{setting}", setting=SETTING)
SEAL: Final = Route("mm:seal:{setting}:{replaced:int}", setting=SETTING)
SEAL_FORM: Final = Route("mm:form:seal:{setting}:{replaced:int}", setting=SETTING)

_BLUE: Final = discord.ButtonStyle.primary


async def show_steps(
    interaction: Interaction, result: Coroutine[Any, Any, MastermindGame], *, anew: bool = False
) -> None:
    """Show the board that the service comes back with, perhaps in a message of its own."""
    try:
        game = await in_good_time(interaction, result)
    except AtStakeError as error:
        await whisper(interaction, at_stake_notice(error))
        return
    page = steps_page(game, pegs_of(interaction))
    await (whisper if anew else show)(interaction, page)


def at_stake_notice(error: AtStakeError) -> Page:
    """Why the bot does not guess now, and what can be done instead."""
    buttons: list[ui.Button[Any]] = []
    if isinstance(error, RankedGameError):
        ranked = KEEP(kind=Kind.PLAY, game=error.game_id)
        buttons.append(button(ranked, say(words.OPEN_RANKED_BUTTON)))
        if error.is_sealable and isinstance(error.rules, Mastermind):
            buttons.append(seal_button(error.rules, say(words.SEAL_INSTEAD_BUTTON)))
    elif isinstance(error.rules, Mastermind):
        drawn = NEW(setting=Setting.of(error.rules))
        buttons.append(button(drawn, say(words.DRAW_INSTEAD_BUTTON), _BLUE))
    return notice(words_for(error), buttons)


def steps_page(game: MastermindGame, pegs: Pegs, less: str | None = None) -> Page:
    """The private board of who watches.

    Args:
        game: the game.
        pegs: how pegs are shown.
        less: the id that takes away what else there is; None where that is not shown.
    """
    first: list[ui.Button[Any]] = []
    if game.stage is Stage.PLAYING:
        step = STEP(kind=game.kind, game=game.id, at=len(game.turns))
        first.append(button(step, say(words.STEP_BUTTONS["step"]), _BLUE))
        first.append(button(ALL(kind=game.kind, game=game.id), say(words.STEP_BUTTONS["all"])))
        rest = [*verify_of_game(game)]
        (rest if game.turns else first).append(help_button(Topic.MASTERMIND))
        return game_page(game, pegs, with_more(game, first, rest, less))
    if game.kind is Kind.WATCH:
        again, swap = words.STEP_BUTTONS["again"], words.YOUR_TURN_BUTTON
        first.append(button(AGAIN(game=game.id), say(again), _BLUE))
    else:
        swap = words.SWAP_BUTTON
        first.append(seal_button(game.rules, say(words.SEAL_AGAIN_BUTTON)))
        first[0].style = _BLUE
    return game_page(game, pegs, [[*first, swap_button(game, say(swap)), *aftermath(game)]])


def seal_button(rules: Mastermind, label: str, replaced: int = 0) -> ui.Button[Any]:
    """Opens the form for a code that the bot is to break blindly.

    Args:
        rules: what it is to be a code of.
        label: what the button says.
        replaced: the game that this is instead of, if it is still untouched; 0 for none.
    """
    return button(SEAL(setting=Setting.of(rules), replaced=replaced), label)


def _stepping(interaction: Interaction, kind: Kind) -> Stepping:
    mastermind = services_of(interaction).mastermind
    return mastermind.watch if kind is Kind.WATCH else mastermind.defence


@pressed(VIEW, by=By.PLAYERS, cost=Cost.HEAVY)
async def view(interaction: Interaction, game: int) -> None:
    """Show the board as it stands."""
    watch = services_of(interaction).mastermind.watch
    await show_steps(interaction, watch.view(interaction.user.id, game))


@pressed(MORE[Kind.WATCH], by=By.PLAYERS, cost=Cost.HEAVY)
async def show_more(interaction: Interaction, game: int) -> None:
    """Show what else there is below the board's buttons."""
    watch = services_of(interaction).mastermind.watch
    found = await in_good_time(interaction, watch.view(interaction.user.id, game))
    await show(interaction, steps_page(found, pegs_of(interaction), VIEW(game=game)))


@pressed(STEP, by=By.PLAYERS, cost=Cost.HEAVY)
async def step(interaction: Interaction, kind: Kind, game: int, at: int = 0) -> None:
    """Have the bot guess once, after so many guesses that were seen."""
    service = _stepping(interaction, kind)
    await show_steps(interaction, service.step(interaction.user.id, game, at))


@pressed(ALL, by=By.PLAYERS, cost=Cost.HEAVY)
async def step_to_end(interaction: Interaction, kind: Kind, game: int) -> None:
    """Have the bot guess to the end."""
    service = _stepping(interaction, kind)
    await show_steps(interaction, service.finish(interaction.user.id, game))


@pressed(AGAIN, by=By.PLAYERS, cost=Cost.HEAVY)
async def watch_again(interaction: Interaction, game: int) -> None:
    """Watch another game of the same setting, in a message of its own."""
    watch, player = services_of(interaction).mastermind.watch, interaction.user.id
    seen = await watch.view(player, game)
    await show_steps(interaction, watch.open(player, Setting.of(seen.rules)), anew=True)


@pressed(NEW, by=By.ANYBODY, cost=Cost.HEAVY)
async def watch_instead(interaction: Interaction, setting: Setting) -> None:
    """Watch the bot break a code that it has drawn."""
    watch = services_of(interaction).mastermind.watch
    await show_steps(interaction, watch.open(interaction.user.id, setting))


@pressed(SEAL, by=By.ANYBODY)
async def ask_for_sealed_code(interaction: Interaction, setting: Setting, replaced: int) -> None:
    """Open the form, unless the code could not be taken."""
    defence = services_of(interaction).mastermind.defence
    await defence.prepare(interaction.user.id, setting, replaced)
    await seal_form(setting, replaced).present(interaction)


def seal_form(setting: Setting, replaced: int) -> Form:
    """Asks for a code that the bot is to break blindly."""
    custom_id = SEAL_FORM(setting=setting, replaced=replaced)
    return new_code_form(custom_id, setting, words.sealed_form_text(setting.rules()))


@submitted(SEAL_FORM, fields=CODE, by=By.ANYBODY)
async def seal(
    interaction: Interaction, values: Mapping[str, str], setting: Setting, replaced: int
) -> None:
    """Seal what was typed; a text that is no code can be mended."""
    defence, player = services_of(interaction).mastermind.defence, interaction.user.id
    try:
        opened = defence.open_sealed(player, setting, typed_code(values), replaced)
        game = await in_good_time(interaction, opened)
    except CodeRefusedError as error:
        retry = seal_button(error.rules, say(words.RETRY_BUTTON), replaced)
        await whisper(interaction, notice(words_for(error), [retry]))
        return
    await (show if replaced else whisper)(interaction, steps_page(game, pegs_of(interaction)))
