"""The boards on which a code is broken, private and public, and their form, as pages."""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.presentation.base import labels
from bot.presentation.base.hints import BACK_BUTTON, mastermind_question, no_more_hints
from bot.presentation.base.language import say
from bot.presentation.base.pegs import PLAIN, Pegs
from bot.presentation.help import Topic
from bot.presentation.mastermind import labels as words
from bot.presentation.mastermind.rows import board_url
from bot.services.mastermind.errors import MastermindRefusedError
from bot.services.mastermind.model import Kind, MastermindGame, Stage
from cogs.base.forms import Form
from cogs.base.pages import Items, Page, button
from cogs.base.routes import Route, kept_text
from cogs.coach.hints import (
    TAKE_IN_MASTERMIND,
    hint_choices,
    hint_of_mastermind,
    play_it_in_mastermind,
)
from cogs.help import help_button
from cogs.mastermind.boards import (
    aftermath,
    code_field,
    game_page,
    in_rows,
    swap_button,
    words_for,
)
from cogs.mastermind.keys import KIND, colour_rows, controls
from cogs.mastermind.setting_form import ASK_SETTING
from cogs.mastermind.sharing import share_of_game
from cogs.verify import verify_of

TYPE: Final = Route("mm:{kind}:type:{game:int}:{draft?}", kind=KIND)
SEND: Final = Route("mm:{kind}:send:{game:int}:{draft}", kind=KIND)
FORM: Final = Route("mm:form:{kind}:{game:int}", kind=KIND)
ASK: Final = Route("mm:{kind}:ask:{game:int}", kind=KIND)
END: Final = Route("mm:{kind}:end:{game:int}", kind=KIND)
KEEP: Final = Route("mm:{kind}:keep:{game:int}", kind=KIND)
AGAIN: Final = Route("mm:p:again:{game:int}")

_BLUE: Final = discord.ButtonStyle.primary


def guess_form(game: MastermindGame, pegs: Pegs = PLAIN, draft: str = "") -> Form:
    """Asks for a guess."""
    return Form(
        FORM(kind=game.kind, game=game.id),
        words.guess_form_title(game),
        words.guess_form_reminder(game, pegs),
        code_field(game.rules, words.guess_form_label(game.rules), draft),
    )


def play_page(game: MastermindGame, pegs: Pegs, refused: Exception | None = None) -> Page:
    """A private board."""
    again = button(AGAIN(game=game.id), words.end_button("again", is_public=False), _BLUE)
    swap = swap_button(game, say(words.SWAP_BUTTON))
    rows: list[Items] = [[again, swap, *share_of_game(game), *aftermath(game)]]
    if game.stage is not Stage.OVER:
        others = list(_others(game, refused))
        rows = [*colour_rows(game, pegs), controls(game), *in_rows(others)]
    return game_page(game, pegs, rows, words_for(refused))


def hints_page(game: MastermindGame, pegs: Pegs) -> Page:
    """A private board with what a hint costs, and which there are."""
    turn, question = len(game.turns), mastermind_question(game)
    choices = list(hint_choices(TAKE_IN_MASTERMIND, game.id, game.hints, turn))
    if not choices:
        question = no_more_hints(game.hints)
    back = button(KEEP(kind=game.kind, game=game.id), say(BACK_BUTTON))
    return game_page(game, pegs, [[*choices, back]], question)


def challenge_page(game: MastermindGame, pegs: Pegs) -> Page:
    """The public board of a challenge that was accepted, or is over."""
    rows: list[Items] = [[*aftermath(game, explains=True)]]
    if game.stage is Stage.PLAYING:
        rows = [*colour_rows(game, pegs), controls(game), [*_others(game)]]
    return game_page(game, pegs, rows)


def copy_page(
    game: MastermindGame, pegs: Pegs, player_id: int, more: Items = (), note: str = ""
) -> Page:
    """A private copy of a challenge's board, on which its Codebreaker can go on.

    Args:
        game: the challenge.
        pegs: how pegs are shown.
        player_id: who sees it.
        more: further buttons.
        note: another note than the usual.
    """
    url = board_url(game)
    link = [] if url is None else [ui.Button[Any](label=say(words.LINK_BUTTON), url=url)]
    is_on = game.stage is Stage.PLAYING and player_id == game.codebreaker_id
    others = _others(game) if is_on else aftermath(game, explains=True)
    return game_page(game, pegs, [[*link, *more], [*others]], note or words.copy_note(game))


def _others(game: MastermindGame, refused: Exception | None = None) -> Iterator[ui.Button[Any]]:
    yield from edit_button(game, refused)
    if game.kind is Kind.PLAY:
        yield from play_it_in_mastermind(game)
    yield button(TYPE(kind=game.kind, game=game.id), say(words.TYPE_BUTTON))
    ask = words.end_button("ask", is_public=game.kind is Kind.CHALLENGE)
    yield button(ASK(kind=game.kind, game=game.id), ask)
    if game.kind is Kind.PLAY and not game.turns and not game.pending:
        yield button(ASK_SETTING(game=game.id), say(words.SETTING_BUTTON))
    if game.kind is Kind.PLAY:
        yield hint_of_mastermind(game)
    yield help_button(Topic.MASTERMIND)
    yield from verify_of("mastermind", game.id, game.commitment)


def edit_button(game: MastermindGame, refused: Exception | None) -> Iterator[ui.Button[Any]]:
    """What mends a text that was refused."""
    text = refused.text if isinstance(refused, MastermindRefusedError) else ""
    draft = kept_text(text)
    if draft and text != game.pending:
        edit = TYPE(kind=game.kind, game=game.id, draft=draft)
        yield button(edit, say(labels.EDIT_BUTTON), _BLUE)
