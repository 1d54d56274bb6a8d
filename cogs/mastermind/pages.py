"""The boards on which a code is broken, private and public, and their form, as pages."""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.home.pages.help import Topic
from bot.mastermind.model.errors import MastermindRefusedError
from bot.mastermind.model.game import Kind, MastermindGame, Stage
from bot.mastermind.pages import labels as words
from bot.mastermind.pages.play import challenge_title
from bot.mastermind.pages.rows import board_url
from bot.text import labels
from bot.text.language import say
from bot.text.pegs import PLAIN, Pegs
from cogs.coach.hints import hint_of_mastermind
from cogs.coach.page import coach_of_mastermind
from cogs.mastermind.boards import (
    aftermath,
    code_field,
    game_page,
    more_button,
    swap_button,
    verify_of_game,
    with_more,
    words_for,
)
from cogs.mastermind.keys import KIND, SUBMIT, UNDO, colour_rows
from cogs.mastermind.setting_form import ASK_SETTING
from cogs.mastermind.sharing import share_of_game
from cogs.ui.forms import Form
from cogs.ui.help import help_button
from cogs.ui.pages import Items, Page, button, notice
from cogs.ui.routes import Route, kept_text

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


def play_page(
    game: MastermindGame, pegs: Pegs, refused: Exception | None = None, *, more: bool = False
) -> Page:
    """A private board, with what else there is if that was asked for."""
    less = KEEP(kind=game.kind, game=game.id) if more else None
    if game.stage is Stage.OVER:
        again = button(AGAIN(game=game.id), words.end_button("again", is_public=False), _BLUE)
        face = [again, *share_of_game(game), *coach_of_mastermind(game)]
        rest = [swap_button(game, say(words.SWAP_BUTTON)), *verify_of_game(game)]
        rows = [*with_more(game, face, rest, less)]
    else:
        rows = [*colour_rows(game, pegs), *with_more(game, _face(game, refused), _rest(game), less)]
    return game_page(game, pegs, rows, words_for(refused))


def challenge_page(game: MastermindGame, pegs: Pegs) -> Page:
    """The public board of a challenge that was accepted, or is over."""
    rows: list[Items] = [[*aftermath(game, explains=True)]]
    if game.stage is Stage.PLAYING:
        rows = [*colour_rows(game, pegs), [*_face(game), more_button(game)]]
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
    others = [more_button(game)] if game.stage is not Stage.OVER else aftermath(game, explains=True)
    guess = [_guess_button(game)] if is_on else []
    return game_page(game, pegs, [[*link, *more], [*guess, *others]], note or words.copy_note(game))


def _rest(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    """What else there is on a private board, behind *More*."""
    yield from verify_of_game(game)
    if not _is_untouched(game):
        yield help_button(Topic.MASTERMIND)
    if not game.turns and not game.pending:
        yield button(ASK_SETTING(game=game.id), say(words.SETTING_BUTTON))
    yield button(ASK(kind=game.kind, game=game.id), words.end_button("ask", is_public=False))


def more_of_challenge(game: MastermindGame, player_id: int) -> Page:
    """What else there is about a challenge, for who sees it."""
    rest = [help_button(Topic.MASTERMIND), *verify_of_game(game)]
    if game.stage is Stage.PLAYING and player_id == game.codebreaker_id:
        ask = ASK(kind=game.kind, game=game.id)
        rest.append(button(ask, words.end_button("ask", is_public=True)))
    return notice(challenge_title(game), rest)


def _face(game: MastermindGame, refused: Exception | None = None) -> Items:
    """What stands below the colours."""
    edit = list(edit_button(game, refused))
    undo = button(UNDO(kind=game.kind, game=game.id), say(words.UNDO_BUTTON))
    undo.disabled = not game.pending
    helping = [help_button(Topic.MASTERMIND)]
    if game.kind is Kind.PLAY and not _is_untouched(game):
        helping = [*hint_of_mastermind(game)]
    return [*(edit or [_guess_button(game)]), undo, *helping]


def _is_untouched(game: MastermindGame) -> bool:
    return not game.turns and not game.hints


def _guess_button(game: MastermindGame) -> ui.Button[Any]:
    """Guesses the row that everybody sees above it, once it is full; before, opens the form."""
    this, label = {"kind": game.kind, "game": game.id}, say(words.GUESS_BUTTON)
    if len(game.pending) < game.rules.pegs:
        return button(TYPE(**this, draft=game.pending), label, _BLUE)
    return button(SUBMIT(**this, pegs=game.pending), label, discord.ButtonStyle.success)


def edit_button(game: MastermindGame, refused: Exception | None) -> Iterator[ui.Button[Any]]:
    """What mends a text that was refused."""
    text = refused.text if isinstance(refused, MastermindRefusedError) else ""
    draft = kept_text(text)
    if draft and text != game.pending:
        edit = TYPE(kind=game.kind, game=game.id, draft=draft)
        yield button(edit, say(labels.EDIT_BUTTON), _BLUE)
