"""The FoCdle board, its buttons and its form."""

import io
import re
from collections.abc import Awaitable, Iterator, Mapping
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui

from bot.model.dailies import PuzzleName
from bot.presentation.base.labels import EDIT_BUTTON, OPEN_BUTTON
from bot.presentation.base.language import say, speak
from bot.presentation.base.markup import printable
from bot.presentation.base.tiles import Palette, Tiles
from bot.presentation.focdle import board as boards
from bot.presentation.focdle import labels
from bot.presentation.focdle.board_picture import draw_rows
from bot.presentation.help import Topic
from bot.presentation.refusals import refusal
from bot.services.base.allowance import Cost
from bot.services.base.workers import in_thread
from bot.services.focdle.errors import GuessRefusedError, NotYourPlayError
from bot.services.focdle.model import Play
from cogs.base.buttons import Press
from cogs.base.faults import was_refused
from cogs.base.forms import Form
from cogs.base.pages import ACCENTS, Page
from cogs.base.replies import Interaction, server_of, services_of, show, tiles_of, whisper
from cogs.base.voice import voice_of_result
from cogs.coach.hints import hint_of_play
from cogs.coach.page import coach_of_play
from cogs.help import HelpButton
from cogs.verify import verify_of
from engine import FalseEquationError

_PICTURE: Final = "board.png"
_LOOKS: Final = {
    "guess": (labels.GUESS_BUTTON, discord.ButtonStyle.primary),
    "resume": (OPEN_BUTTON, discord.ButtonStyle.primary),
    "share": (labels.SHARE_BUTTON, discord.ButtonStyle.success),
}

# A refused text travels in the id of *Edit*, which holds a hundred characters.
_LONGEST_DRAFT: Final = 70


async def show_play(interaction: Interaction, result: Awaitable[Play]) -> None:
    """Show the board that a service comes back with, or the board and why a guess was refused."""
    refused = None
    try:
        play = await result
    except GuessRefusedError as error:
        play, refused = error.play, error
    await show_board(interaction, play, refused)


async def show_board(
    interaction: Interaction, play: Play, refused: GuessRefusedError | None = None
) -> None:
    """Show a play's board."""
    await show(interaction, await board_page(interaction, play, refused))


async def board_page(
    interaction: Interaction, play: Play, refused: GuessRefusedError | None = None
) -> "FocdleBoard":
    """A play's board, with its rows as a picture where they would wrap on a phone."""
    picture = None
    if boards.is_drawn(play):
        # Drawing takes longer than other players should wait.
        png = await in_thread(draw_rows, play.game, Palette(play.palette))
        picture = discord.File(
            io.BytesIO(png), _PICTURE, description=boards.picture_description(play)
        )
    return FocdleBoard(play, tiles_of(interaction), picture, refused)


class FocdleBoard(Page):
    """A player's private board.

    Args:
        play: the play.
        tiles: the emojis to draw with; squares without them.
        picture: the rows, where they are drawn as one.
        refused: why a guess was not played, if one was not.
    """

    def __init__(
        self,
        play: Play,
        tiles: Tiles | None = None,
        picture: discord.File | None = None,
        refused: GuessRefusedError | None = None,
    ) -> None:
        super().__init__([picture] if picture else [])
        board = boards.board(play, tiles, drawn=picture is not None)
        container = ui.Container[FocdleBoard](accent_colour=ACCENTS[board.mood])
        container.add_item(ui.TextDisplay[FocdleBoard](board.title))
        if picture is not None:
            container.add_item(ui.Separator[FocdleBoard](visible=False))
            gallery = ui.MediaGallery[FocdleBoard]()
            gallery.add_item(media=picture, description=picture.description)
            container.add_item(gallery)
        words = "" if refused is None else refusal(refused) or ""
        for text in filter(None, (board.rows, board.keyboard, board.status, words)):
            container.add_item(ui.Separator[FocdleBoard](visible=False))
            container.add_item(ui.TextDisplay[FocdleBoard](text))
        container.add_item(_actions(play, refused))
        self.add_item(container)


def _actions(play: Play, refused: GuessRefusedError | None) -> ui.ActionRow[FocdleBoard]:
    row = ui.ActionRow[FocdleBoard]()
    for button in _buttons(play, refused):
        row.add_item(button)
    return row


def _buttons(play: Play, refused: GuessRefusedError | None) -> Iterator[Press]:
    if play.game.outcome is None:
        if refused is not None:
            yield from _ways_out(play, refused)
        yield GuessButton(play.id)
        yield hint_of_play(play)
    else:
        if play.puzzle is not None:
            yield ShareButton(play.id)
        yield coach_of_play(play.id)
        yield from verify_of("play", play.id, play.commitment)
        yield PracticeButton(play.rules.length)
    yield HelpButton(Topic.FOCDLE)


def _ways_out(play: Play, refused: GuessRefusedError) -> Iterator[Press]:
    """What can be done about a refused guess."""
    cause = refused.cause
    if isinstance(cause, FalseEquationError) and not play.rules.hard:
        yield ProbeButton(play.id, cause.guess)
    if printable(refused.text):
        yield EditButton(play.id, refused.text)


class SharedResult(Page):
    """A finished play for everybody, with a way to play the same puzzle.

    Args:
        play: the play.
        guild_id: the server it is shown in, if it is one.
    """

    def __init__(self, play: Play, guild_id: int | None) -> None:
        super().__init__()
        self.add_item(ui.TextDisplay[SharedResult](boards.share(play, guild_id)))
        if play.puzzle is not None:
            row = ui.ActionRow[SharedResult]()
            row.add_item(OpenButton(play.puzzle))
            self.add_item(row)


class GuessForm(Form, template=r"fd:form:(?P<play>\d+):(?P<player>\d+)"):
    """Asks for a guess. It sets no minimum length: our own sentence says what is missing."""

    cost = Cost.FREE

    def __init__(self, play: Play, tiles: Tiles | None = None, draft: str = "") -> None:
        super().__init__(
            title=boards.form_title(play), custom_id=f"fd:form:{play.id}:{play.player_id}"
        )
        if reminder := boards.form_reminder(play, tiles):
            self.add_item(ui.TextDisplay[Any](reminder))
        field = ui.TextInput[Any](
            custom_id="guess",
            placeholder=boards.example(play.rules.length),
            default=draft or None,
            required=False,
        )
        self.add_item(
            ui.Label[Any](
                text=say(boards.FORM_LABEL),
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
            raise NotYourPlayError(player_id=int(match["player"]))
        daily = services_of(interaction).daily
        guess = daily.guess(interaction.user.id, int(match["play"]), values.get("guess", ""))
        await show_play(interaction, guess)


class PlayButton(Press):
    """Base of the buttons that do one thing with a play.

    Subclasses give a template that finds the play, name their act, and implement `press`.
    """

    act: ClassVar[str]

    def __init__(self, play_id: int) -> None:
        label, style = _LOOKS[self.act]
        super().__init__(f"fd:{self.act}:{play_id}", say(label), style)
        self._play_id = play_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a play."""
        return cls(int(match["play"]))


class GuessButton(PlayButton, template=r"fd:guess:(?P<play>\d+)"):
    """*Guess*: opens the form."""

    act = "guess"

    async def press(self, interaction: Interaction) -> None:
        """Open the form, or show the board if the game has ended meanwhile."""
        await _ask(interaction, self._play_id)


class EditButton(Press, template=r"fd:edit:(?P<play>\d+):(?P<draft>.+)"):
    """*Edit*: opens the form with a refused guess in it."""

    def __init__(self, play_id: int, draft: str) -> None:
        draft = printable(draft)[:_LONGEST_DRAFT]
        super().__init__(
            f"fd:edit:{play_id}:{draft}", say(EDIT_BUTTON), discord.ButtonStyle.primary
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
        await GuessForm(play, tiles_of(interaction), draft).present(interaction)
    else:
        await show_board(interaction, play)


class ProbeButton(Press, template=r"fd:probe:(?P<play>\d+):(?P<guess>[0-9+*%=-]+)"):
    """*Play as probe*: plays a false equation after all."""

    cost = Cost.FREE

    def __init__(self, play_id: int, guess: str) -> None:
        super().__init__(
            f"fd:probe:{play_id}:{guess}", say(labels.PROBE_BUTTON), discord.ButtonStyle.primary
        )
        self._play_id = play_id
        self._guess = guess

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a play and a false equation."""
        return cls(int(match["play"]), match["guess"])

    async def press(self, interaction: Interaction) -> None:
        """Play it."""
        daily = services_of(interaction).daily
        player = interaction.user.id
        await show_play(interaction, daily.guess(player, self._play_id, self._guess, as_probe=True))


class PracticeButton(Press, template=r"fd:practice:(?P<length>\d+)"):
    """*Practice*: opens a practice of a length."""

    cost = Cost.HEAVY

    def __init__(self, length: int) -> None:
        super().__init__(f"fd:practice:{length}", say(labels.PRACTICE_BUTTON))
        self._length = length

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a length."""
        return cls(int(match["length"]))

    async def press(self, interaction: Interaction) -> None:
        """Open the board in a private message of its own; the finished one stays."""
        practice = services_of(interaction).practice
        player, guild = interaction.user.id, server_of(interaction)
        play = await practice.open(player, guild, self._length)
        await whisper(interaction, await board_page(interaction, play))


class ShareButton(PlayButton, template=r"fd:share:(?P<play>\d+)"):
    """*Share*: posts the result to the channel, in colours only."""

    act = "share"

    async def press(self, interaction: Interaction) -> None:
        """Claim the post, then send it; one that Discord refuses may be tried again at once."""
        daily = services_of(interaction).daily
        voice = await voice_of_result(interaction, self._play_id)
        channel_id = interaction.channel_id or interaction.user.id
        play = await daily.share(interaction.user.id, self._play_id, channel_id)
        speak(str(interaction.guild_locale or interaction.locale))
        try:
            await voice.say(SharedResult(play, server_of(interaction)))
        except Exception as error:
            speak(str(interaction.locale))
            if was_refused(error):
                await daily.unshare(play.id, channel_id)
            raise
        await daily.shared(play.id, channel_id)


class OpenButton(Press, template=r"fd:open:(?P<number>\d+)/(?P<length>\d+)"):
    """*Play*: opens the presser's own board of a puzzle."""

    cost = Cost.HEAVY

    prefix: ClassVar[str] = "fd:open"
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init__(self, puzzle: PuzzleName) -> None:
        label = say(labels.PLAY_BUTTON, number=puzzle.number)
        super().__init__(f"{self.prefix}:{puzzle}", label, self.style)
        self._puzzle = puzzle

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a puzzle."""
        return cls(PuzzleName(int(match["number"]), int(match["length"])))

    async def press(self, interaction: Interaction) -> None:
        """Open the board in a private message."""
        daily = services_of(interaction).daily
        player, guild = interaction.user.id, server_of(interaction)
        await show_play(interaction, daily.open(player, guild, puzzle=str(self._puzzle)))
