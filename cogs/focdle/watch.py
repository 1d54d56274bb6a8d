"""The bot breaks an equation; its board's buttons have all there is of the game."""

from functools import partial
from typing import Any, Final

import discord
from discord import ui

from bot.focdle.game.watching import Watched
from bot.focdle.pages import watch as words
from bot.home.pages.help import Topic
from bot.people.game.allowance import Cost
from bot.text.language import say
from bot.text.tiles import Tiles
from cogs.focdle.sharing import PRACTICE
from cogs.ui.help import help_button
from cogs.ui.pages import Page, button, text_page
from cogs.ui.replies import Interaction, in_good_time, services_of, show, tiles_of
from cogs.ui.routes import Argument, By, Route, pressed

WATCH: Final = Route("fd:watch:{length:int}")
STEP: Final = Route("fd:step:{length:int}:{seed}:{at:int}", seed=Argument("[0-9a-f]{16}"))

_BLUE: Final = discord.ButtonStyle.primary


def watch_button(length: int) -> ui.Button[Any]:
    """From a practice to watching the bot at its length."""
    return button(WATCH(length=length), say(words.WATCH_BUTTON))


def watch_page(game: Watched, tiles: Tiles | None = None) -> Page:
    """The private board of who watches."""
    length, at = game.rules.length, len(game.steps)
    step_to = partial(STEP, length=length, seed=game.seed)
    if game.is_over:
        row = [
            button(WATCH(length=length), say(words.WATCH_BUTTONS["again"]), _BLUE),
            button(PRACTICE(length=length), say(words.WATCH_BUTTONS["play"])),
        ]
    else:
        row = [
            button(step_to(at=at + 1), say(words.WATCH_BUTTONS["step"]), _BLUE),
            button(step_to(at=game.rules.max_guesses), say(words.WATCH_BUTTONS["all"])),
            help_button(Topic.FOCDLE),
        ]
    return text_page(words.watch_board(game, tiles), [row])


async def show_watched(interaction: Interaction, length: int | None) -> None:
    """Show a new board."""
    opened = services_of(interaction).watching.open(interaction.user.id, length)
    game = await in_good_time(interaction, opened)
    await show(interaction, watch_page(game, tiles_of(interaction)))


@pressed(WATCH, by=By.ANYBODY, cost=Cost.HEAVY)
async def watch_at_length(interaction: Interaction, length: int) -> None:
    """Show a new board at a length."""
    await show_watched(interaction, length)


@pressed(STEP, by=By.ANYBODY, cost=Cost.HEAVY)
async def step(interaction: Interaction, length: int, seed: str, at: int) -> None:
    """Show the board after so many guesses."""
    stepped = services_of(interaction).watching.step(interaction.user.id, length, seed, at)
    game = await in_good_time(interaction, stepped)
    await show(interaction, watch_page(game, tiles_of(interaction)))
