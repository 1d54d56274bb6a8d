"""Playing a duel: numbers, guesses, draws, resignation, on the public board or one's own page."""

import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.duels import labels as words
from bot.presentation.duels.notebook import guess_reminder
from bot.presentation.refusals import refusal
from bot.services.base.allowance import Cost
from bot.services.base.errors import NoServerError, Refused, Speech
from bot.services.duels.errors import (
    DuelRefusedError,
    DuelStateError,
    NowhereToPostError,
    SecretRefusedError,
)
from bot.services.duels.model import DuelGame
from bot.services.duels.moves import Playing
from bot.services.duels.transitions import Event, State
from bot.services.server.errors import ChannelUnusableError
from cogs.base.buttons import Press
from cogs.base.forms import Form
from cogs.base.pages import Notice
from cogs.base.presence import usable_channel
from cogs.base.replies import Interaction, in_good_time, services_of, show, whisper
from cogs.base.voice import voice_here, voice_in
from cogs.duels.messages import delete_quietly, post_board, publish_if_changed, repaint
from cogs.duels.pages import DuelButton, board_url, button, edit_button, notebook_page
from engine import BullsAndCows

_FIELD: Final = "number"


def is_public(interaction: Interaction) -> bool:
    """Whether it was a public message that was clicked in."""
    return interaction.message is not None and not interaction.message.flags.ephemeral


async def open_page(
    interaction: Interaction, duel_id: int, refused: Exception | None = None
) -> DuelGame:
    """Look a duel up and show the player's own page of it; the duel as it stands."""
    games = services_of(interaction).duels.games
    notebook = await in_good_time(interaction, games.notebook(interaction.user.id, duel_id))
    await show(interaction, notebook_page(notebook, refused))
    return notebook.game


async def show_page(
    interaction: Interaction, game: DuelGame, refused: Exception | None = None, note: str = ""
) -> None:
    """Show the player's own page of a duel as it was just read."""
    games = services_of(interaction).duels.games
    notebook = await in_good_time(interaction, games.notebook_of(interaction.user.id, game))
    await show(interaction, notebook_page(notebook, refused, note))


async def settle(interaction: Interaction, game: DuelGame) -> None:
    """Show what has become of a duel where it was clicked, and on its board."""
    if is_public(interaction):
        await repaint(interaction, game)
        return
    await show_page(interaction, game)
    boards = services_of(interaction).duels.boards
    await publish_if_changed(interaction.client, boards, game)


async def play(interaction: Interaction, move: Coroutine[Any, Any, DuelGame]) -> None:
    """Show what a player's move leads to, or why it was refused, and how that can be mended.

    Raises:
        Refused: it was refused, on a public board; whoever reports that says why.
    """
    try:
        game = await in_good_time(interaction, move)
    except DuelStateError as error:
        await _show_refusal(interaction, error)
    else:
        await settle(interaction, game)


async def _show_refusal(interaction: Interaction, error: DuelStateError) -> None:
    game, boards = error.game, services_of(interaction).duels.boards
    if not is_public(interaction):
        if game.is_against_bot:  # which may owe a guess
            await open_page(interaction, game.id, error)
        else:
            await show_page(interaction, game, error)
        await publish_if_changed(interaction.client, boards, game)
        return
    if game.state is State.OVER and not game.is_shown:
        await repaint(interaction, game)
    buttons: list[ui.Button[Any]] = []
    if isinstance(error, SecretRefusedError):
        buttons = [button("secret", game.id, say(words.RETRY_BUTTON))]
    elif isinstance(error, DuelRefusedError) and game.state is State.PLAYING:
        buttons = edit_button(error)
    await whisper(interaction, Notice(refusal(error) or "", buttons))


class MoveButton(DuelButton, template=r"du:(start|offer|agree|refuse):(\d+)"):
    """*Start*, in a race; a draw is offered, accepted, declined."""

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        playing, player = services_of(interaction).duels.playing, interaction.user.id
        if self._act == "start":
            await self._start(interaction)
        elif self._act == "offer":
            await play(interaction, playing.offer_draw(player, self._game_id))
        elif self._act == "agree":
            await play(interaction, playing.accept_draw(player, self._game_id))
        else:
            await play(interaction, playing.decline_draw(player, self._game_id))

    async def _start(self, interaction: Interaction) -> None:
        """The player goes on in private, wherever this was pressed."""
        duels = services_of(interaction).duels
        try:
            game = await duels.playing.start(interaction.user.id, self._game_id)
        except DuelStateError as error:
            await _show_refusal(interaction, error)
            return
        await show_page(interaction, game)
        await publish_if_changed(interaction.client, duels.boards, game)


class DuelPageButton(Press, template=r"du:page:(\d+)"):
    """*Notebook*, *My page*, *Refresh*, and *Open* in the list of games."""

    cost = Cost.HEAVY

    def __init__(self, game_id: int, label: str | None = None) -> None:
        super().__init__(
            f"du:page:{game_id}",
            label or say(words.DUEL_BUTTONS["page"]),
            discord.ButtonStyle.primary,
        )
        self._game_id = game_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a duel."""
        return cls(int(match[1]))

    async def press(self, interaction: Interaction) -> None:
        """Show it; if the duel turns out to be over, everybody sees that."""
        game = await open_page(interaction, self._game_id)
        boards = services_of(interaction).duels.boards
        if game.state is State.OVER:
            await publish_if_changed(interaction.client, boards, game)


class SecretButton(DuelButton, template=r"du:(secret):(\d+)"):
    """*Set my number*: opens the form."""

    async def press(self, interaction: Interaction) -> None:
        """Open it, unless there is nothing to set."""
        playing = services_of(interaction).duels.playing
        try:
            game = await playing.prepare(interaction.user.id, self._game_id, Event.SET_SECRET)
        except DuelStateError as error:
            await _show_refusal(interaction, error)
        else:
            await DuelSecretForm(game).present(interaction)


class DuelGuessButton(Press, template=r"du:guess:(\d+)(?::(.+))?"):
    """*Guess* and, after a refused guess, *Edit*: opens the form."""

    def __init__(self, game_id: int, draft: str = "") -> None:
        super().__init__(f"du:guess:{game_id}", say(words.DUEL_BUTTONS["guess"]))
        self._game_id = game_id
        self._draft = draft

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a duel."""
        return cls(int(match[1]), match[2] or "")

    async def press(self, interaction: Interaction) -> None:
        """Open it, if it is this player's turn."""
        duels, player = services_of(interaction).duels, interaction.user.id
        try:
            game = await duels.playing.prepare(player, self._game_id, Event.GUESS)
        except DuelStateError as error:
            await _show_refusal(interaction, error)
            return
        notebook = await duels.games.notebook_of(player, game)
        title = words.guess_form_title(game, len(notebook.turns))
        form = DuelGuessForm(game, title, guess_reminder(notebook), self._draft)
        await form.present(interaction)


class NumberForm(Form):
    """Asks for one number. It sets no minimum length: our own sentences say what is missing.

    Subclasses give a template that finds the duel, and say what is done with the number.
    """

    cost = Cost.FREE

    move: ClassVar[Callable[[Playing, int, int, str], Coroutine[Any, Any, DuelGame]]]

    def __init__(
        self, title: str, custom_id: str, rules: BullsAndCows, text: str, draft: str = ""
    ) -> None:
        super().__init__(title=title, custom_id=custom_id)
        if text:
            self.add_item(ui.TextDisplay[Any](text))
        field = ui.TextInput[Any](custom_id=_FIELD, default=draft or None, required=False)
        self.add_item(
            ui.Label[Any](
                text=words.number_label(rules),
                description=say(words.NUMBER_DESCRIPTION),
                component=field,
            )
        )

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Do it; what is no number can be typed anew."""
        playing = services_of(interaction).duels.playing
        typed = values.get(_FIELD, "")
        await play(interaction, cls.move(playing, interaction.user.id, int(match[1]), typed))


class DuelGuessForm(NumberForm, template=r"du:form:guess:(\d+)"):
    """Asks for a guess; a refused one stands in it."""

    move = Playing.guess

    def __init__(self, game: DuelGame, title: str, text: str, draft: str = "") -> None:
        super().__init__(title, f"du:form:guess:{game.id}", game.rules, text, draft)


class DuelSecretForm(NumberForm, template=r"du:form:secret:(\d+)"):
    """Asks for the number that the opponent is to find."""

    move = Playing.set_secret

    def __init__(self, game: DuelGame) -> None:
        super().__init__(
            say(words.SECRET_FORM_TITLE),
            f"du:form:secret:{game.id}",
            game.rules,
            words.secret_form_text(game),
        )


class DuelEndButton(DuelButton, template=r"du:(ask|leave|resign|keep):(\d+)"):
    """*Resign* or *Call it off*, and the answers to the question whether that is meant."""

    async def press(self, interaction: Interaction) -> None:
        """Ask, or do as was answered."""
        playing, player = services_of(interaction).duels.playing, interaction.user.id
        if self._act == "leave":
            await play(interaction, playing.leave(player, self._game_id))
        elif self._act == "resign":
            await play(interaction, playing.resign(player, self._game_id))
        elif self._act == "keep":
            await open_page(interaction, self._game_id)
        else:
            await self._ask(interaction)

    async def _ask(self, interaction: Interaction) -> None:
        playing = services_of(interaction).duels.playing
        try:
            game = await playing.prepare_to_stop(interaction.user.id, self._game_id)
        except DuelStateError as error:
            await _show_refusal(interaction, error)
            return
        # An act of its own: what this asks must not become another thing by what others do.
        act = "leave" if game.state is State.SETTING else "resign"
        answers = [button(act, game.id), button("keep", game.id)]
        await show(interaction, Notice(words.stop_question(game), answers))


class PostButton(DuelButton, template=r"du:(post):(\d+)"):
    """*Post the board again*: where it was or, if that channel is gone, where this is pressed."""

    async def press(self, interaction: Interaction) -> None:
        """Post it, and delete the old one."""
        duels, client = services_of(interaction).duels, interaction.client
        notebook = await duels.games.notebook(interaction.user.id, self._game_id)
        game, old = notebook.game, notebook.game
        if game.state is State.OVER:
            await settle(interaction, game)
            return
        try:
            place = game.thread_id or game.channel_id or 0
            voice = await voice_in(interaction, Speech.BOARD, game.guild_id, place)
            game = await post_board(interaction, voice, game, place)
        except (NoServerError, discord.NotFound, discord.Forbidden):
            game = await self._post_here(interaction, game)
        if old.message_id is not None:
            await delete_quietly(client, old.thread_id or old.channel_id or 0, old.message_id)
        await show_page(interaction, game, note=say(words.POSTED, url=board_url(game) or ""))
        await publish_if_changed(client, duels.boards, game)

    async def _post_here(self, interaction: Interaction, game: DuelGame) -> DuelGame:
        try:
            guild_id, channel_id = usable_channel(interaction)
        except Refused as error:
            if isinstance(error, ChannelUnusableError):
                raise
            raise NowhereToPostError(game=game) from error
        if guild_id != game.guild_id:
            raise NowhereToPostError(game=game)
        voice = voice_here(interaction, Speech.BOARD)
        return await post_board(interaction, voice, game, channel_id)
