"""The FoCdle board, its buttons and its form."""

import re
from collections.abc import Awaitable, Mapping
from typing import Any, Final, Self

import discord
from discord import ui

from bot.presentation import boards, labels
from bot.presentation.boards import Mood
from bot.presentation.help import Topic
from bot.presentation.language import speak
from bot.presentation.markup import printable
from bot.presentation.refusals import refusal
from bot.services.errors import GuessRefusedError, NotYourPlayError
from bot.services.play import Play, PuzzleName
from cogs.ui.answers import Interaction, services_of, show
from cogs.ui.buttons import Press
from cogs.ui.forms import Form
from cogs.ui.help import HelpButton
from cogs.ui.pages import Page

_ACCENTS: Final = {Mood.PLAYING: 0x5865F2, Mood.SOLVED: 0x3BA55D, Mood.LOST: 0x99AAB5}

# A refused text travels in the id of *Edit*, which holds a hundred characters.
_LONGEST_DRAFT: Final = 70


async def show_play(interaction: Interaction, result: Awaitable[Play]) -> None:
    """Show the board that a service comes back with, or the board and why a guess was refused."""
    try:
        view = FocdleBoard(await result)
    except GuessRefusedError as error:
        view = FocdleBoard(error.play, refused=error)
    await show(interaction, view)


class FocdleBoard(Page):
    """A player's private board."""

    def __init__(self, play: Play, *, refused: GuessRefusedError | None = None) -> None:
        super().__init__()
        board = boards.board(play)
        container = ui.Container[FocdleBoard](accent_colour=_ACCENTS[board.mood])
        texts = [board.title, board.rows, board.keyboard, board.status]
        if refused is not None:
            texts.append(refusal(refused) or "")
        for text in filter(None, texts):
            container.add_item(ui.TextDisplay[FocdleBoard](text))
            container.add_item(ui.Separator[FocdleBoard](visible=False))
        container.add_item(_actions(play, refused, is_over=board.is_over))
        self.add_item(container)


def _actions(
    play: Play, refused: GuessRefusedError | None, *, is_over: bool
) -> ui.ActionRow[FocdleBoard]:
    row = ui.ActionRow[FocdleBoard]()
    if is_over:
        row.add_item(ShareButton(play.id))
    else:
        if refused is not None and printable(refused.text):
            row.add_item(EditButton(play.id, refused.text))
        row.add_item(GuessButton(play.id))
    row.add_item(HelpButton(Topic.FOCDLE))
    return row


class SharedResult(Page):
    """A finished play for everybody, with a way to play the same puzzle."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self.add_item(ui.TextDisplay[SharedResult](boards.share(play)))
        row = ui.ActionRow[SharedResult]()
        row.add_item(OpenButton(play.puzzle))
        self.add_item(row)


class GuessForm(Form):
    """Asks for a guess. It sets no minimum length: our own sentence says what is missing."""

    template = re.compile(r"fd:form:(?P<play>\d+):(?P<player>\d+)")

    def __init__(self, play: Play, draft: str = "") -> None:
        super().__init__(
            title=boards.form_title(play), custom_id=f"fd:form:{play.id}:{play.player_id}"
        )
        if reminder := boards.form_reminder(play):
            self.add_item(ui.TextDisplay[Any](reminder))
        field = ui.TextInput[Any](
            custom_id="guess",
            placeholder=boards.example(play.rules.length),
            default=draft or None,
            required=False,
        )
        self.add_item(
            ui.Label[Any](
                text=boards.form_label(),
                description=boards.form_description(play),
                component=field,
            )
        )

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Play the guess."""
        if int(match["player"]) != interaction.user.id:
            raise NotYourPlayError(int(match["player"]))
        daily = services_of(interaction).daily
        guess = daily.guess(interaction.user.id, int(match["play"]), values.get("guess", ""))
        await show_play(interaction, guess)


class GuessButton(Press, template=r"fd:guess:(?P<play>\d+)"):
    """*Guess*: opens the form."""

    def __init__(self, play_id: int) -> None:
        super().__init__(
            ui.Button[Any](
                label=labels.guess_button(),
                style=discord.ButtonStyle.primary,
                custom_id=f"fd:guess:{play_id}",
            )
        )
        self._play_id = play_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a play."""
        return cls(int(match["play"]))

    async def press(self, interaction: Interaction) -> None:
        """Open the form, or show the board if the game has ended meanwhile."""
        await _ask(interaction, self._play_id)


class EditButton(Press, template=r"fd:edit:(?P<play>\d+):(?P<draft>.+)"):
    """*Edit*: opens the form with a refused guess in it."""

    def __init__(self, play_id: int, draft: str) -> None:
        draft = printable(draft)[:_LONGEST_DRAFT]
        super().__init__(
            ui.Button[Any](
                label=labels.edit_button(),
                style=discord.ButtonStyle.primary,
                custom_id=f"fd:edit:{play_id}:{draft}",
            )
        )
        self._play_id = play_id
        self._draft = draft

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a play and a refused text."""
        return cls(int(match["play"]), match["draft"])

    async def press(self, interaction: Interaction) -> None:
        """Open the form, or show the board if the game has ended meanwhile."""
        await _ask(interaction, self._play_id, self._draft)


async def _ask(interaction: Interaction, play_id: int, draft: str = "") -> None:
    play = await services_of(interaction).daily.view(interaction.user.id, play_id)
    if play.game.outcome is None:
        await GuessForm(play, draft).present(interaction)
    else:
        await show(interaction, FocdleBoard(play))


class ShareButton(Press, template=r"fd:share:(?P<play>\d+)"):
    """*Share*: posts the result to the channel, in colours only."""

    def __init__(self, play_id: int) -> None:
        super().__init__(
            ui.Button[Any](
                label=labels.share_button(),
                style=discord.ButtonStyle.success,
                custom_id=f"fd:share:{play_id}",
            )
        )
        self._play_id = play_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a play."""
        return cls(int(match["play"]))

    async def press(self, interaction: Interaction) -> None:
        """Claim the post, then send it; a post that fails may be tried again."""
        daily = services_of(interaction).daily
        channel_id = interaction.channel_id or interaction.user.id
        play = await daily.share(interaction.user.id, self._play_id, channel_id)
        speak(str(interaction.guild_locale or interaction.locale))
        try:
            await interaction.response.send_message(view=SharedResult(play))
        except discord.HTTPException:
            await daily.unshare(play.id, channel_id)
            raise


class OpenButton(Press, template=r"fd:open:(?P<number>\d+)/(?P<length>\d+)"):
    """*Play*: opens the presser's own board of a puzzle."""

    def __init__(self, puzzle: PuzzleName) -> None:
        super().__init__(
            ui.Button[Any](
                label=labels.play_button(puzzle.number),
                style=discord.ButtonStyle.secondary,
                custom_id=f"fd:open:{puzzle}",
            )
        )
        self._puzzle = puzzle

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a puzzle."""
        return cls(PuzzleName(int(match["number"]), int(match["length"])))

    async def press(self, interaction: Interaction) -> None:
        """Open the board in a private message."""
        daily = services_of(interaction).daily
        player, guild = interaction.user.id, interaction.guild_id
        await show_play(interaction, daily.open(player, guild, puzzle=str(self._puzzle)))
