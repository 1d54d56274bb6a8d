"""Results of FoCdle for others to see: in the channel, with a way to play, or as text to paste."""

import io
from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.dailies import PuzzleName
from bot.focdle.model.errors import WhichPuzzleError
from bot.focdle.model.play import Play
from bot.focdle.pages import labels
from bot.focdle.pages import share as words
from bot.games.model.games import GameName, Source
from bot.people.model.faces import Face
from bot.pool.threads import in_thread
from bot.text import counts
from bot.text.language import say, short_date
from bot.text.pictures.card import draw_card
from bot.text.tiles import Tiles
from cogs.ui.doors import PRACTICE
from cogs.ui.pages import Page, button, notice, picture, row, with_face
from cogs.ui.replies import Interaction, server_of, services_of, tiles_of, whisper
from cogs.ui.routes import By, Route, pressed
from cogs.ui.shares import post_result, share_button
from cogs.ui.voice import Voice
from engine import Outcome

SHARE: Final = Route("fd:share:{play:int}")
COPY: Final = Route("fd:copy:{play:int}")
"""On boards of before *Share* gave the text, too."""
OPEN: Final = Route("fd:open:{number:int}/{length:int}")
OPEN_FROM_POST: Final = Route("post:play:{number:int}/{length:int}")
"""On the daily post, which the bot recognises by it as its own."""
OPEN_FROM_CARD: Final = Route("run:play:{number:int}/{length:int}")
"""The same on today's card."""

_CARD: Final = "result.png"


def ways_to_share(play: Play) -> Iterator[ui.Button[Any]]:
    """*Share*, on a finished play that was not given up."""
    if not play.game.is_given_up:
        is_solved = play.game.outcome is Outcome.SOLVED
        yield share_button(SHARE(play=play.id), stands_out=is_solved)


def play_button(puzzle: PuzzleName) -> ui.Button[Any]:
    """*Play*: opens the presser's own board of a puzzle."""
    custom_id = OPEN(number=puzzle.number, length=puzzle.length)
    return button(custom_id, say(labels.PLAY_BUTTON, number=puzzle.number))


async def ask_which(interaction: Interaction, error: WhichPuzzleError) -> None:
    """Offer the puzzles that a text can mean."""
    of_date, of_number = error.of_date, error.of_number
    day, symbols = short_date(of_date.day), counts.symbols(of_number.length)
    on = say(labels.OF_DATE_BUTTON, day=day, number=of_date.number)
    called = say(labels.OF_NUMBER_BUTTON, number=of_number.number, symbols=symbols)
    buttons = [
        button(OPEN(number=puzzle.number, length=puzzle.length), label)
        for puzzle, label in ((of_date, on), (of_number, called))
    ]
    await whisper(interaction, notice(say(labels.WHICH), buttons))


def practice_button(play: Play) -> ui.Button[Any]:
    """*Practice*: opens a practice of the same length."""
    return button(PRACTICE(length=play.rules.length), say(labels.PRACTICE_BUTTON))


def result_page(
    play: Play,
    guild_id: int | None,
    tiles: Tiles | None = None,
    card: discord.File | None = None,
    face: Face | None = None,
) -> Page:
    """A finished play for everybody, with a way to play the same.

    Args:
        play: the play.
        guild_id: the server it is shown in, if it is one.
        tiles: the emojis to draw with; squares without them.
        card: the marks as a picture, where there may be one.
        face: the player's, if it is known.
    """
    told, *below = words.shared(play, guild_id, tiles, drawn=card is not None)
    way = play_button(play.puzzle) if play.puzzle else practice_button(play)
    cards = [] if card is None else [card]
    return Page([with_face(told, face), *below, *map(picture, cards), row(way)], cards)


async def share_alone(interaction: Interaction, play: Play, voice: Voice) -> None:
    """Post a result to the channel as a message of its own: marks, no symbols."""

    async def draw(face: Face | None) -> Page:
        card = await _card(play) if interaction.app_permissions.attach_files else None
        return result_page(play, server_of(interaction), tiles_of(interaction), card, face)

    await post_result(interaction, GameName(Source.PLAY, play.id), voice, draw)


async def _card(play: Play) -> discord.File:
    png = await in_thread(draw_card, play.game, play.rules)
    return discord.File(io.BytesIO(png), _CARD, description=words.card_description(play))


@pressed(COPY, by=By.PLAYERS)
async def copy(interaction: Interaction, play: int) -> None:
    """Give the player the result as text."""
    finished = await services_of(interaction).daily.result(interaction.user.id, play)
    await whisper(interaction, notice(words.copied(finished)))
