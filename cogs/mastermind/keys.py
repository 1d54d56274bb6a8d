"""The buttons by which a row is put together, and sent."""

from collections.abc import Iterator
from typing import Final

import discord

from bot.presentation.base.language import say
from bot.presentation.base.pegs import Pegs
from bot.presentation.mastermind import labels as words
from bot.services.mastermind.model import Kind, MastermindGame
from cogs.base.pages import Items, button
from cogs.base.routes import Argument, Route, one_of
from cogs.mastermind.boards import in_rows
from engine import COLOURS

KIND: Final = one_of({"p": Kind.PLAY, "c": Kind.CHALLENGE})
"""Whose code is broken, within an id."""
_PEGS: Final = Argument(f"[{COLOURS}]+")

PUT: Final = Route("mm:{kind}:put:{game:int}:{pegs}", kind=KIND, pegs=_PEGS)
UNDO: Final = Route("mm:{kind}:undo:{game:int}", kind=KIND)
CLEAR: Final = Route("mm:{kind}:clear:{game:int}", kind=KIND)
SUBMIT: Final = Route("mm:{kind}:submit:{game:int}:{pegs?}", kind=KIND, pegs=_PEGS)


def colour_rows(game: MastermindGame, pegs: Pegs) -> Iterator[Items]:
    """A button for each colour."""
    is_full = len(game.pending) >= game.rules.pegs
    used = "" if game.rules.repeats else game.pending
    return in_rows(
        [
            button(
                PUT(kind=game.kind, game=game.id, pegs=letter),
                None if pegs.has_letters else letter,
                emoji=pegs.peg(letter),
                disabled=is_full or letter in used,
            )
            for letter in game.rules.alphabet
        ]
    )


def controls(game: MastermindGame) -> Items:
    """What is done with the row that is put together.

    *Submit* says which row everybody sees above it.
    """
    this, is_empty = {"kind": game.kind, "game": game.id}, not game.pending
    is_short, green = len(game.pending) < game.rules.pegs, discord.ButtonStyle.success
    submit = SUBMIT(**this, pegs=game.pending)
    return [
        button(submit, say(words.SUBMIT_BUTTON), green, disabled=is_short),
        button(UNDO(**this), say(words.UNDO_BUTTON), disabled=is_empty),
        button(CLEAR(**this), say(words.CLEAR_BUTTON), disabled=is_empty),
    ]
