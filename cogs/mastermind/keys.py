"""The ids by which a row is put together and sent, and a button for each colour."""

from collections.abc import Iterator
from typing import Final

from bot.mastermind.model.game import Kind, MastermindGame
from bot.text.pegs import Pegs
from cogs.mastermind.boards import in_rows
from cogs.ui.pages import Items, button
from cogs.ui.routes import Argument, Route, one_of
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
