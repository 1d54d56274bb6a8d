"""The pages of duels: the public board, a player's own page, and the buttons on both.

Buttons are made here by their ids alone; what they do is in `moves` and `challenge`.
"""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.duels.game.options import NEXT_STRENGTH
from bot.duels.model.duel import DuelGame, Notebook, Pace
from bot.duels.model.errors import DuelRefusedError
from bot.duels.model.transitions import State
from bot.duels.pages import labels as words
from bot.duels.pages.board import duel_board, in_thread
from bot.duels.pages.notebook import notebook_board
from bot.duels.pages.rounds import DuelTiles
from bot.duels.pages.rows import title
from bot.home.pages.help import Topic
from bot.home.pages.invitations import NOT_NOW_BUTTON
from bot.refusals import refusal
from bot.text import labels
from bot.text.language import say
from cogs.coach.page import coach_of_duel
from cogs.duels.sharing import share_of_duel
from cogs.ui.help import help_button
from cogs.ui.pages import Page, button, page, row, text_page
from cogs.ui.replies import pegs_of_client, tiles_of_client
from cogs.ui.routes import Route, kept_text, member_of
from cogs.ui.verify import verify_of
from engine import Mode

ACCEPT: Final = Route("du:accept:{duel:int}")
TAKE: Final = Route("du:take:{duel:int}:{pace}:{terms:int}", pace=member_of(Pace))
CHANGE: Final = Route("du:change:{duel:int}")
MORE: Final = Route("du:more:{duel:int}")
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
    CHANGE: ("change", _PLAIN),
    MORE: ("more", _PLAIN),
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
    board = duel_board(game, look, drawn=drawn is not None)
    face = game.face if drawn is None else None
    return text_page(board, _board_rows(game), face=face, drawn=drawn)


def _board_rows(game: DuelGame) -> Iterator[list[ui.Item[Any]]]:
    """Two rows of at most three buttons; what is seldom wanted is behind *More*."""
    more = duel_button(MORE, game)
    if game.state is State.INVITED:
        yield [*accept_buttons(game), _for_board(DECLINE, game)]
        change = [] if game.terms is None else [duel_button(CHANGE, game)]
        yield [*change, help_button(Topic.DUELS), more]
        return
    if game.state is State.OVER:
        yield [_for_board(REMATCH, game), *coach_of_duel(game), more]
        return
    acts: dict[State, tuple[Route, ...]] = {
        State.SETTING: (SECRET,),
        State.STARTING: (START,),
        State.PLAYING: (START, PAGE) if game.mode is Mode.RACE else (GUESS, PAGE),
    }
    yield [*(_for_board(act, game) for act in acts[game.state]), *_beginners_help(game), more]
    yield list(_answers_to_offer(game))


def _beginners_help(game: DuelGame) -> Iterator[ui.Item[Any]]:
    """How it is played, until somebody has guessed."""
    if game.can_be_called_off:
        yield help_button(Topic.DUELS)


def _answers_to_offer(game: DuelGame, seat: int | None = None) -> Iterator[ui.Item[Any]]:
    """What answers the draw that is offered, if one is.

    Args:
        game: the duel.
        seat: of whose page it is; None for everybody's board.
    """
    if game.state is State.PLAYING and game.draw_offered_by is not None:
        if game.draw_offered_by == seat:
            yield _take_back(game)
            return
        yield duel_button(AGREE, game)
        yield duel_button(REFUSE, game)


def _take_back(game: DuelGame) -> ui.Button[Any]:
    return duel_button(REFUSE, game, say(words.DUEL_BUTTONS["take_back"]))


def accept_buttons(game: DuelGame) -> list[ui.Button[Any]]:
    """The ways to accept a challenge as it stands; none once it is answered."""
    if game.state is not State.INVITED:
        return []
    if game.terms is None:
        return [duel_button(ACCEPT, game)]
    paces = [(Pace.LIVE, "now")] if game.now_until is not None else []
    return [
        button(
            TAKE(duel=game.id, pace=pace, terms=game.terms), say(words.DUEL_BUTTONS[act]), _GREEN
        )
        for pace, act in [*paces, (Pace.RELAXED, "day")]
    ]


def more_page(game: DuelGame, seat: int | None) -> Page:
    """What is seldom wanted of a duel, for one player, or with no seat for who looks on."""
    acts = [] if seat is None else list(_seldom(game, seat))
    verify = verify_of("duel", game.id, *(side.commitment for side in game.seats))
    helping = [] if game.can_be_called_off else [help_button(Topic.DUELS)]
    rows = [acts, [*verify, *helping]]
    return page(title(game), *(row(*items) for items in rows))


def _seldom(game: DuelGame, seat: int) -> Iterator[ui.Item[Any]]:
    if game.state is State.INVITED and seat == game.challenger:
        yield duel_button(WITHDRAW, game)
    if game.state is State.PLAYING and not game.is_against_bot:
        if game.draw_offered_by is None:
            yield duel_button(OFFER, game)
        elif game.draw_offered_by == seat:
            yield _take_back(game)
    if game.can_be_called_off:
        yield duel_button(CANCEL, game)
    elif game.state is State.PLAYING:
        yield duel_button(ASK, game)
    if game.state is not State.OVER and not game.is_against_bot:
        yield duel_button(POST, game)


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
    game, edit = notebook.game, list[ui.Button[Any]]()
    if isinstance(refused, DuelRefusedError) and game.state is State.PLAYING:
        edit = edit_button(refused)
    first = [*edit, *_actions(notebook, is_edited=bool(edit))]
    if refused is not None:
        note = refusal(refused) or note
    rows = [first, list(_others(notebook))]
    return text_page(notebook_board(notebook, look), rows, note)


def _actions(notebook: Notebook, *, is_edited: bool = False) -> Iterator[ui.Item[Any]]:
    """What the player can do now; where a refused guess can be edited, no other is made."""
    game, seat = notebook.game, notebook.seat
    seat_id = game.seats[seat].player_id or 0
    if game.state is State.INVITED:
        yield from _answers(game, seat)
        return
    if game.state is State.OVER:
        yield from _again(game, seat)
        yield from share_of_duel(game)
        yield from coach_of_duel(game)
        return
    if game.waits_for(seat_id) and not is_edited:
        yield duel_button(_next(game, seat), game)
        if game.state is State.SETTING and game.is_against_bot:
            yield duel_button(CHANGE, game)
    if game.is_against_bot:
        yield from _beginners_help(game)
    else:
        yield duel_button(PAGE, game, say(words.REFRESH_BUTTON))
    yield duel_button(MORE, game)


def _next(game: DuelGame, seat: int) -> Route:
    """What a player does who is waited for."""
    if game.state is State.SETTING:
        return SECRET
    is_begun = game.mode is not Mode.RACE or game.seats[seat].started_at is not None
    return GUESS if game.state is State.PLAYING and is_begun else START


def _answers(game: DuelGame, seat: int) -> Iterator[ui.Item[Any]]:
    """What the two can do with a challenge."""
    if seat != game.challenger:
        yield from accept_buttons(game)
        yield _for_board(DECLINE, game)
    elif game.terms is not None:
        yield duel_button(CHANGE, game)


def _again(game: DuelGame, seat: int) -> Iterator[ui.Button[Any]]:
    """Another duel: the same, or with a stronger bot for who has won."""
    again = duel_button(REMATCH, game)
    stronger = None if game.strength is None else NEXT_STRENGTH.get(game.strength)
    if stronger is not None and game.winner == seat:
        again.style = _PLAIN
        yield button(STRONGER(duel=game.id), say(words.STRONGER_BUTTONS[stronger]), _BLUE)
    yield again


def _others(notebook: Notebook) -> Iterator[ui.Item[Any]]:
    """The second row of a player's own page."""
    game = notebook.game
    yield from _answers_to_offer(game, notebook.seat)
    if not game.is_against_bot and (url := board_url(game)):
        yield ui.Button[Any](label=say(words.BOARD_BUTTON), url=url)
    if game.state in {State.INVITED, State.OVER}:
        yield duel_button(MORE, game)
