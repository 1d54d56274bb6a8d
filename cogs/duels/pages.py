"""The pages of duels: the public board, a player's own page, and the buttons on both.

Buttons are made here by their ids alone; what they do is in `moves` and `challenge`.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, Self

import discord
from discord import ui

from bot.presentation.base import labels
from bot.presentation.base.language import say
from bot.presentation.base.markup import printable
from bot.presentation.duels import labels as words
from bot.presentation.duels.board import duel_board, in_thread
from bot.presentation.duels.notebook import notebook_board
from bot.presentation.help import Topic
from bot.presentation.invitations import NOT_NOW_BUTTON, no_more_button
from bot.presentation.refusals import refusal
from bot.services.base.allowance import Cost
from bot.services.duels.errors import DuelRefusedError
from bot.services.duels.model import DuelGame, Notebook
from bot.services.duels.transitions import State
from cogs.base.buttons import Press
from cogs.base.pages import BoardPage
from cogs.coach.page import coach_of_duel
from cogs.help import HelpButton
from cogs.verify import verify_of
from engine import Mode

_STYLES: Final = {
    "accept": discord.ButtonStyle.success,
    "secret": discord.ButtonStyle.primary,
    "start": discord.ButtonStyle.success,
    "guess": discord.ButtonStyle.primary,
    "agree": discord.ButtonStyle.success,
    "leave": discord.ButtonStyle.danger,
    "resign": discord.ButtonStyle.danger,
    "rematch": discord.ButtonStyle.primary,
}
# The other player waits for these.
_AWAITED: Final = frozenset({"accept", "start", "agree", "refuse"})
# A refused text travels in the id of *Edit*, which holds a hundred characters.
_LONGEST_DRAFT: Final = 70
_MOST_IN_A_ROW: Final = 5


def button(act: str, game_id: int, label: str | None = None, draft: str = "") -> ui.Button[Any]:
    """A button that does something with a duel; a draft is a guess that was refused."""
    custom_id = f"du:{act}:{game_id}"
    return ui.Button[Any](
        label=label or say(words.DUEL_BUTTONS[act]),
        style=_STYLES.get(act, discord.ButtonStyle.secondary),
        custom_id=f"{custom_id}:{draft}" if draft else custom_id,
    )


def edit_button(error: DuelRefusedError) -> list[ui.Button[Any]]:
    """Opens the form with a refused guess in it; nothing if there was nothing in it."""
    draft = printable(error.text)[:_LONGEST_DRAFT]
    return [button("guess", error.game.id, say(labels.EDIT_BUTTON), draft)] if draft else []


class DuelButton(Press):
    """Base of the buttons that do one or several things with a duel.

    Subclasses give a template that finds the act and the duel, and implement `press`.
    """

    def __init__(self, act: str, game_id: int) -> None:
        super().__init__(f"du:{act}:{game_id}", say(words.DUEL_BUTTONS[act]))
        if act in _AWAITED:
            self.cost = Cost.FREE
        self._act = act
        self._game_id = game_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a duel."""
        return cls(match[1], int(match[2]))


def board_url(game: DuelGame) -> str | None:
    """Where the public board is, if there is one."""
    if game.message_id is None or game.guild_id is None:
        return None
    channel_id = game.thread_id or game.channel_id
    return f"https://discord.com/channels/{game.guild_id}/{channel_id}/{game.message_id}"


def board_page(game: DuelGame) -> BoardPage:
    """The public board."""
    acts: dict[State, tuple[str, ...]] = {
        State.INVITED: ("accept", "decline", "withdraw"),
        State.SETTING: ("secret", "ask"),
        State.PLAYING: ("start", "page") if game.mode is Mode.RACE else ("guess", "page"),
        State.OVER: ("rematch",),
    }
    first = [_for_board(act, game) for act in acts[game.state]]
    if game.state is not State.PLAYING:
        row = [*first, *_aftermath(game), HelpButton(Topic.DUELS)]
        no_more = [_no_more(game)] if game.state is State.INVITED else []
        return BoardPage(duel_board(game), [row, no_more])
    offers = ("agree", "refuse") if game.draw_offered_by is not None else ("offer",)
    second = [button(act, game.id) for act in (*offers, "ask")]
    return BoardPage(duel_board(game), [first, [*second, HelpButton(Topic.DUELS)]])


def _aftermath(game: DuelGame) -> Iterator[Press]:
    """What a finished duel offers to look at."""
    yield from coach_of_duel(game)
    yield from verify_of("duel", game.id, *(seat.commitment for seat in game.seats))


def _no_more(game: DuelGame) -> ui.Button[Any]:
    """Declines this challenge and all to come; a row of its own, since it is long."""
    return button("never", game.id, no_more_button(game.challenger_name))


def _for_board(act: str, game: DuelGame) -> ui.Button[Any]:
    label = None
    if act == "decline" and game.is_rematch:
        label = say(NOT_NOW_BUTTON)
    if act == "ask" and game.state is State.SETTING:
        label = say(words.LEAVE_BUTTON)
    if act == "page" and game.mode is Mode.RACE:
        label = say(words.PAGE_BUTTON)
    return button(act, game.id, label)


def thread_page(game: DuelGame) -> BoardPage:
    """In the channel, about a duel in a thread."""
    return BoardPage(in_thread(game), [])


def notebook_page(
    notebook: Notebook, refused: Exception | None = None, note: str = ""
) -> BoardPage:
    """A player's own page, and why something was refused, if it was."""
    game, first = notebook.game, list[ui.Item[Any]](_actions(notebook))
    if isinstance(refused, DuelRefusedError) and game.state is State.PLAYING:
        first = [*edit_button(refused), *first]
    if refused is not None:
        note = refusal(refused) or note
    rows = [first, list(_others(game))]
    if len(first) + len(rows[1]) <= _MOST_IN_A_ROW:
        rows = [[*first, *rows[1]]]
    return BoardPage(notebook_board(notebook), rows, note)


def _actions(notebook: Notebook) -> Iterator[ui.Item[Any]]:
    """What the player can do now."""
    game, seat = notebook.game, notebook.seat
    side = game.seats[seat]
    if game.state is State.INVITED:
        if seat == game.challenger:
            yield button("withdraw", game.id)
        else:
            yield button("accept", game.id)
            yield _for_board("decline", game)
            yield _no_more(game)
    elif game.state is State.SETTING:
        if not side.is_ready:
            yield button("secret", game.id)
        yield button("ask", game.id, say(words.LEAVE_BUTTON))
    elif game.state is State.PLAYING:
        if game.mode is Mode.RACE and side.started_at is None:
            yield button("start", game.id)
        elif game.to_move == seat or (game.mode is Mode.RACE and not side.is_done):
            yield button("guess", game.id)
        yield from _draws(notebook)
        yield button("ask", game.id)
    else:
        yield button("rematch", game.id)
        yield from _aftermath(game)


def _draws(notebook: Notebook) -> Iterator[ui.Button[Any]]:
    game = notebook.game
    if game.is_against_bot:
        return
    if game.draw_offered_by is None:
        yield button("offer", game.id)
    elif game.draw_offered_by != notebook.seat:
        yield button("agree", game.id)
        yield button("refuse", game.id)


def _others(game: DuelGame) -> Iterator[ui.Item[Any]]:
    if not game.is_against_bot:
        if game.state is not State.OVER:
            yield button("page", game.id, say(words.REFRESH_BUTTON))
        if url := board_url(game):
            yield ui.Button[Any](label=say(words.BOARD_BUTTON), url=url)
        if game.state is not State.OVER:
            yield button("post", game.id)
    yield HelpButton(Topic.DUELS)
