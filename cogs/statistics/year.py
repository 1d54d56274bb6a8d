"""A player's own year: a picture and words, for nobody else."""

import io
from typing import Any, Final

import discord
from discord import ui

from bot.people.game.allowance import Cost
from bot.statistics.game.records import Year
from bot.statistics.pages import year as words
from bot.text.pictures.picture import Picture
from bot.text.text_board import Mood
from cogs.ui.drawing import drawn_in_good_time, in_turn
from cogs.ui.pages import Page, button, page, picture, row
from cogs.ui.replies import Interaction, server_of, services_of, whisper
from cogs.ui.routes import Argument, By, Route, pressed

YEAR: Final = Route("stats:year:{year}", year=Argument("2[0-9]{3}", int))


def year_button(year: int) -> ui.Button[Any]:
    """Opens the presser's own year."""
    return button(YEAR(year=year), words.year_button(year))


def year_page(year: Year, drawn: Picture | None) -> Page:
    """The page of a year; without a picture where there is little in it."""
    files = [] if drawn is None else [_file(drawn)]
    return page(
        words.title(year),
        *map(picture, files),
        words.nothing(year) if year.is_empty else words.highlights(year),
        row(*map(year_button, year.others)),
        mood=Mood.CALM,
        files=files,
    )


def _file(drawn: Picture) -> discord.File:
    return discord.File(io.BytesIO(drawn.png), drawn.name, description=drawn.description)


@pressed(YEAR, by=By.ANYBODY, cost=Cost.HEAVY)
async def open_year(interaction: Interaction, year: int) -> None:
    """Show the presser's own year, whoever's statistics the button stands below."""
    years = services_of(interaction).years
    async with in_turn(interaction):
        found = await years.of(interaction.user.id, year, guild_id=server_of(interaction))
    drawn = None
    if words.is_drawn(found):
        drawn = await drawn_in_good_time(interaction, interaction.user.id, words.DRAW_YEAR, found)
    await whisper(interaction, year_page(found, drawn))
