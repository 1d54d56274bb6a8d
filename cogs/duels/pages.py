"""The pages of duels: the public board, a player's own page, and the buttons on both.

Buttons are made here by their ids alone; what they do is in `moves` and `challenge`.
"""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.presentation.base import labels
from bot.presentation.base.language import say
from bot.presentation.duels import labels as words
from bot.presentation.duels.board import duel_board, in_thread
from bot.presentation.duels.notebook import notebook_board
from bot.presentation.duels.rounds import DuelTiles
from bot.presentation.help import Topic
from bot.presentation.invitations import NOT_NOW_BUTTON
from bot.presentation.refusals import refusal
from bot.services.duels.errors import DuelRefusedError
from bot.services.duels.model import DuelGame, Notebook
from bot.services.duels.options import NEXT_STRENGTH
from bot.services.duels.transitions import State
from cogs.base.pages import Page, button, text_page
from cogs.base.replies import pegs_of_client, tiles_of_client
from cogs.base.routes import Route, kept_text
from cogs.coach.page import coach_of_duel
from cogs.duels.sharing import share_of_duel
from cogs.help import help_button
from cogs.verify import verify_of
from engine import Mode

ACCEPT: Final = Route("du:accept:{duel:int}")
DECLINE: Final = Route("du:decline:{duel:int}")
WITHDRAW: Final = Route("du:withdraw:{duel:int}")
SECRET: Final = Route("du:secret:{duel:int}")
DRAW: Final = Route("du:draw:{duel:int}")
START: Final = Route("du:start:{duel:int}")
GUESS: Final = Route("du:guess:{duel:int}:{draft?}")
PAGE: Final = Route("du:page:{duel:int}")
OFFER: Final = Route("du:offer:{duel:int}")
AGREE: Final = Route("du:agree:{duel:int}")
REFUSE: Final = Route("du:refuse:{duel:int}")
ASK: Final = Route("du:ask:{duel:int}")
CANCEL: Final = Route("du:cancel:{duel:int}")
RESIGN: Final = Route("du:resign:{duel:int}")
LEAVE: Final = Route("du:leave:{duel:int}")
KEEP: Final = Route("du:keep:{duel:int}")
STAY: Final = Route("du:stay:{duel:int}")
REMATCH: Final = Route("du:rematch:{duel:int}")
STRONGER: Final = Route("du:stronger:{duel:int}")
POST: Final = Route("du:post:{duel:int}")

_PLAIN: Final = discord.ButtonStyle.secondary
_BLUE: Final = discord.ButtonStyle.primary
_GREEN: Final = discord.ButtonStyle.success
_RED: Final = discord.ButtonStyle.danger
_LOOKS: Final = {
    ACCEPT: ("accept", _GREEN),
    DECLINE: ("decline", _PLAIN),
    WITHDRAW: ("withdraw", _PLAIN),
    SECRET: ("secret", _BLUE),
    START: ("start", _GREEN),
    GUESS: ("guess", _BLUE),
    PAGE: ("page", _PLAIN),
    OFFER: ("offer", _PLAIN),
    AGREE: ("agree", _GREEN),
    REFUSE: ("refuse", _PLAIN),
    ASK: ("ask", _PLAIN),
    CANCEL: ("cancel", _PLAIN),
    RESIGN: ("resign", _RED),
    LEAVE: ("leave", _RED),
    KEEP: ("keep", _BLUE),
    STAY: ("keep", _BLUE),
    REMATCH: ("rematch", _BLUE),
    POST: ("post", _PLAIN),
}
_MOST_IN_A_ROW: Final = 5


def look_of(client: discord.Client) -> DuelTiles | None:
    """The emojis to draw rounds with; None while Discord does not have all of them."""
    return DuelTiles.of(tiles_of_client(client), pegs_of_client(client))


def duel_button(route: Route, game: DuelGame, label: str | None = None) -> ui.Button[Any]:
    """A button that does something with a duel."""
    act, style = _LOOKS[route]
    return button(route(duel=game.id), label or say(words.DUEL_BUTTONS[act]), style)


def edit_button(error: DuelRefusedError) -> list[ui.Button[Any]]:
    """Opens the form with a refused guess in it; nothing if there was nothing in it."""
    draft = kept_text(error.text)
    guess = GUESS(duel=error.game.id, draft=draft)
    return [button(guess, say(labels.EDIT_BUTTON), _BLUE)] if draft else []


def board_url(game: DuelGame) -> str | None:
    """Where the public board is, if there is one."""
    if game.message_id is None or game.guild_id is None:
        return None
    channel_id = game.thread_id or game.channel_id
    return f"https://discord.com/channels/{game.guild_id}/{channel_id}/{game.message_id}"


def board_page(
    game: DuelGame, look: DuelTiles | None = None, drawn: discord.File | None = None
) -> Page:
    """The public board.

    Args:
        game: the duel.
        look: the emojis to draw rounds with; letters without them.
        drawn: the picture of a duel that is over, in place of its rounds.
    """
    acts: dict[State, tuple[Route, ...]] = {
        State.INVITED: (ACCEPT, DECLINE, WITHDRAW),
        State.SETTING: (SECRET, CANCEL),
        State.PLAYING: (START, PAGE) if game.mode is Mode.RACE else (GUESS, PAGE),
        State.OVER: (REMATCH,),
    }
    first = [_for_board(act, game) for act in acts[game.state]]
    if game.state is not State.PLAYING:
        below = [*coach_of_duel(game), help_button(Topic.DUELS), *_verify(game)]
        board = duel_board(game, look, drawn=drawn is not None)
        return text_page(board, [[*first, *below]], face=game.face, drawn=drawn)
    offers = (AGREE, REFUSE) if game.draw_offered_by is not None else (OFFER,)
    second = [duel_button(act, game) for act in (*offers, ASK)]
    last = [*second, help_button(Topic.DUELS), *_verify(game)]
    return text_page(duel_board(game, look), [first, last])


def _verify(game: DuelGame) -> Iterator[ui.Button[Any]]:
    yield from verify_of("duel", game.id, *(seat.commitment for seat in game.seats))


def _for_board(act: Route, game: DuelGame) -> ui.Button[Any]:
    label = None
    if act is DECLINE and game.is_rematch:
        label = say(NOT_NOW_BUTTON)
    if act is REMATCH and game.playing_at is None:
        label = say(words.AGAIN_BUTTON)
    if act is PAGE and game.mode is Mode.RACE:
        label = say(words.PAGE_BUTTON)
    return duel_button(act, game, label)


def thread_page(game: DuelGame, _look: DuelTiles | None = None) -> Page:
    """In the channel, about a duel in a thread."""
    return text_page(in_thread(game), [], face=game.face)


def notebook_page(
    notebook: Notebook,
    look: DuelTiles | None = None,
    refused: Exception | None = None,
    note: str = "",
) -> Page:
    """A player's own page, and why something was refused, if it was."""
    game, first = notebook.game, list[ui.Item[Any]](_actions(notebook))
    if isinstance(refused, DuelRefusedError) and game.state is State.PLAYING:
        first = [*edit_button(refused), *first]
    if refused is not None:
        note = refusal(refused) or note
    rows = [first, list(_others(game))]
    if len(first) + len(rows[1]) <= _MOST_IN_A_ROW:
        rows = [[*first, *rows[1]]]
    return text_page(notebook_board(notebook, look), rows, note)


def _actions(notebook: Notebook) -> Iterator[ui.Item[Any]]:
    """What the player can do now."""
    game, seat = notebook.game, notebook.seat
    side = game.seats[seat]
    if game.state is State.INVITED:
        if seat == game.challenger:
            yield duel_button(WITHDRAW, game)
        else:
            yield duel_button(ACCEPT, game)
            yield _for_board(DECLINE, game)
    elif game.state is State.SETTING:
        if not side.is_ready:
            yield duel_button(SECRET, game)
        yield duel_button(CANCEL, game)
    elif game.state is State.PLAYING:
        if game.mode is Mode.RACE and side.started_at is None:
            yield duel_button(START, game)
        elif game.to_move == seat or (game.mode is Mode.RACE and not side.is_done):
            yield duel_button(GUESS, game)
        yield from _draws(notebook)
        yield duel_button(ASK, game)
    else:
        yield from _again(game, seat)
        yield from share_of_duel(game)
        yield from coach_of_duel(game)


def _again(game: DuelGame, seat: int) -> Iterator[ui.Button[Any]]:
    """Another duel: the same, or with a stronger bot for who has won."""
    again = duel_button(REMATCH, game)
    stronger = None if game.strength is None else NEXT_STRENGTH.get(game.strength)
    if stronger is not None and game.winner == seat:
        again.style = _PLAIN
        yield button(STRONGER(duel=game.id), say(words.STRONGER_BUTTONS[stronger]), _BLUE)
    yield again


def _draws(notebook: Notebook) -> Iterator[ui.Button[Any]]:
    game = notebook.game
    if game.is_against_bot:
        return
    if game.draw_offered_by is None:
        yield duel_button(OFFER, game)
    elif game.draw_offered_by == notebook.seat:
        yield duel_button(REFUSE, game, say(words.DUEL_BUTTONS["take_back"]))
    else:
        yield duel_button(AGREE, game)
        yield duel_button(REFUSE, game)


def _others(game: DuelGame) -> Iterator[ui.Item[Any]]:
    if not game.is_against_bot:
        if game.state is not State.OVER:
            yield duel_button(PAGE, game, say(words.REFRESH_BUTTON))
        if url := board_url(game):
            yield ui.Button[Any](label=say(words.BOARD_BUTTON), url=url)
        if game.state is not State.OVER:
            yield duel_button(POST, game)
    if game.state is not State.OVER:
        yield help_button(Topic.DUELS)
    yield from _verify(game)
