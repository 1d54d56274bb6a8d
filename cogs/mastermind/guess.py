"""Breaking a code: colour buttons and a typed form, on a private board or on a public one."""

import re
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from typing import Any, Final, Self

import discord
from discord import ui

from bot.presentation.base import labels
from bot.presentation.base.language import say
from bot.presentation.base.markup import printable
from bot.presentation.base.pegs import PLAIN, Pegs
from bot.presentation.help import Topic
from bot.presentation.mastermind import labels as words
from bot.presentation.mastermind.rows import board_url
from bot.services.base.allowance import Cost
from bot.services.mastermind.challenge import Challenges
from bot.services.mastermind.errors import GameFinishedError, MastermindRefusedError, RowError
from bot.services.mastermind.model import Kind, MastermindGame, Stage
from bot.services.mastermind.setting import Setting
from cogs.base.buttons import Press
from cogs.base.pages import BoardPage, Items, Notice
from cogs.base.replies import Interaction, pegs_of, pegs_of_client, services_of, show, whisper
from cogs.coach.hints import hint_of_mastermind
from cogs.help import HelpButton
from cogs.mastermind.boards import (
    CodeForm,
    aftermath,
    find_breakable,
    game_page,
    guessing_of,
    in_rows,
    words_for,
)
from cogs.mastermind.public_board import Draw, edit_board, keep, resign, show_on_board
from engine import COLOURS, GameOverError

_LETTERS: Final = {Kind.PLAY: "p", Kind.CHALLENGE: "c"}
_KINDS: Final = {letter: kind for kind, letter in _LETTERS.items()}
_STYLES: Final = {"end": discord.ButtonStyle.danger, "again": discord.ButtonStyle.primary}
# A refused text travels in the id of *Edit*, which holds a hundred characters.
_LONGEST_DRAFT: Final = 70


async def show_play(interaction: Interaction, result: Awaitable[MastermindGame]) -> None:
    """Show the private board that the service comes back with, and why a guess was refused."""
    refused: Exception | None = None
    try:
        game = await result
    except (MastermindRefusedError, GameFinishedError, RowError) as error:
        game, refused = error.game, error
    await show(interaction, play_page(game, pegs_of(interaction), refused))


async def show_challenge(interaction: Interaction, result: Awaitable[MastermindGame]) -> None:
    """Show everybody the board that the service comes back with.

    What was refused, its player alone is told, with a way to mend what was typed; a game that
    turns out to be over is shown so first.
    """
    try:
        game = await result
    except GameFinishedError as error:
        await repaint(interaction, error.game)
        raise
    except MastermindRefusedError as error:
        if isinstance(error.cause, GameOverError):
            await repaint(interaction, error.game)
            raise
        await show(interaction, Notice(words_for(error), _edit(error.game, error)))
        return
    await repaint(interaction, game)


async def repaint(interaction: Interaction, game: MastermindGame) -> None:
    """Show everybody, and who clicked, how a challenge stands."""
    pegs, player = pegs_of(interaction), interaction.user.id
    public = _public(interaction.client)
    await show_on_board(interaction, game, public, lambda game: copy_page(game, pegs, player))


async def publish(client: discord.Client, challenges: Challenges, game: MastermindGame) -> None:
    """Show a challenge as it stands on its message, wherever that is, if it is still there."""
    await edit_board(client, challenges, game, _public(client))


def _public(client: discord.Client) -> Draw:
    """What everybody sees of a challenge."""
    return lambda game: challenge_page(game, pegs_of_client(client))


def play_page(game: MastermindGame, pegs: Pegs, refused: Exception | None = None) -> BoardPage:
    """A private board."""
    again = MastermindEndButton(game.kind, "again", game.id)
    rows: list[Items] = [[again, *aftermath(game), HelpButton(Topic.MASTERMIND)]]
    if game.stage is not Stage.OVER:
        rows = [*_colour_rows(game, pegs), _controls(game), [*_others(game, refused)]]
    return game_page(game, pegs, rows, words_for(refused))


def challenge_page(game: MastermindGame, pegs: Pegs) -> BoardPage:
    """The public board of a challenge that was accepted, or is over."""
    rows: list[Items] = [[*aftermath(game), HelpButton(Topic.MASTERMIND)]]
    if game.stage is Stage.PLAYING:
        rows = [*_colour_rows(game, pegs), _controls(game), [*_others(game)]]
    return game_page(game, pegs, rows)


def copy_page(
    game: MastermindGame, pegs: Pegs, player_id: int, more: Iterable[Press] = (), note: str = ""
) -> BoardPage:
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
    over = [*aftermath(game), HelpButton(Topic.MASTERMIND)]
    others = _others(game) if is_on else over
    return game_page(game, pegs, [[*link, *more], [*others]], note or words.copy_note(game))


def _colour_rows(game: MastermindGame, pegs: Pegs) -> Iterator[Items]:
    is_full = len(game.pending) >= game.rules.pegs
    used = "" if game.rules.repeats else game.pending
    return in_rows(
        [
            RowButton(
                game.kind,
                "put",
                game.id,
                letter,
                None if pegs.has_letters else letter,
                emoji=pegs.peg(letter),
                disabled=is_full or letter in used,
            )
            for letter in game.rules.alphabet
        ]
    )


def _controls(game: MastermindGame) -> list[Press]:
    kind, is_empty = game.kind, not game.pending
    is_short = len(game.pending) < game.rules.pegs
    style = discord.ButtonStyle.success
    submit = say(words.SUBMIT_BUTTON)
    return [
        RowButton(kind, "submit", game.id, game.pending, submit, style=style, disabled=is_short),
        RowButton(kind, "undo", game.id, label=say(words.UNDO_BUTTON), disabled=is_empty),
        RowButton(kind, "clear", game.id, label=say(words.CLEAR_BUTTON), disabled=is_empty),
    ]


def _others(game: MastermindGame, refused: Exception | None = None) -> Iterator[Press]:
    yield from _edit(game, refused)
    yield TypeButton(game.kind, game.id)
    yield MastermindEndButton(game.kind, "ask", game.id)
    if game.kind is Kind.PLAY:
        yield hint_of_mastermind(game)
    yield HelpButton(Topic.MASTERMIND)


def _edit(game: MastermindGame, refused: Exception | None) -> Iterator[Press]:
    """What mends a text that was refused."""
    text = refused.text if isinstance(refused, MastermindRefusedError) else ""
    if printable(text) and text != game.pending:
        yield TypeButton(game.kind, game.id, text)


async def _show(interaction: Interaction, kind: Kind, result: Awaitable[MastermindGame]) -> None:
    if kind is Kind.PLAY:
        await show_play(interaction, result)
    else:
        await show_challenge(interaction, result)


class RowButton(Press, template=rf"mm:([pc]):(put|undo|clear|submit):(\d+)(?::([{COLOURS}]*))?"):
    """What is done with the row that is put together.

    Args:
        kind: whose code is broken.
        act: *put* a peg of a colour, *undo* the last, *clear* all, *submit* the row.
        game_id: which game.
        pegs: the colour to put; to submit, the row that everybody sees above the button.
        label: what it says.
        options: of `Press`.
    """

    def __init__(
        self,
        kind: Kind,
        act: str,
        game_id: int,
        pegs: str = "",
        label: str | None = None,
        **options: Any,
    ) -> None:
        custom_id = f"mm:{_LETTERS[kind]}:{act}:{game_id}"
        super().__init__(f"{custom_id}:{pegs}" if pegs else custom_id, label, **options)
        self._kind = kind
        self._act = act
        self._game_id = game_id
        self._pegs = pegs
        if act == "submit":
            self.cost = Cost.FREE

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(_KINDS[match[1]], match[2], int(match[3]), match[4] or "")

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        service = guessing_of(interaction, self._kind)
        player, game_id = interaction.user.id, self._game_id
        acts = {
            "put": lambda: service.put(player, game_id, self._pegs),
            "undo": lambda: service.undo(player, game_id),
            "clear": lambda: service.clear(player, game_id),
            "submit": lambda: service.submit(player, game_id, self._pegs),
        }
        await _show(interaction, self._kind, acts[self._act]())


class TypeButton(Press, template=r"mm:([pc]):type:(\d+)(?::(.+))?"):
    """*Type it* and, after a refused guess, *Edit*: opens the form.

    Args:
        kind: whose code is broken.
        game_id: which game.
        draft: a refused guess.
    """

    def __init__(self, kind: Kind, game_id: int, draft: str = "") -> None:
        custom_id = f"mm:{_LETTERS[kind]}:type:{game_id}"
        draft = printable(draft)[:_LONGEST_DRAFT]
        if draft:
            label, style = say(labels.EDIT_BUTTON), discord.ButtonStyle.primary
            super().__init__(f"{custom_id}:{draft}", label, style)
        else:
            super().__init__(custom_id, say(words.TYPE_BUTTON))
        self._kind = kind
        self._game_id = game_id
        self._draft = draft

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(_KINDS[match[1]], int(match[2]), match[3] or "")

    async def press(self, interaction: Interaction) -> None:
        """Open the form, or show the board if the game has ended meanwhile."""
        game = await find_breakable(interaction, self._kind, self._game_id)
        if game.stage is Stage.PLAYING:
            await MastermindGuessForm(game, pegs_of(interaction), self._draft).present(interaction)
        else:
            await _show(
                interaction, self._kind, find_breakable(interaction, self._kind, self._game_id)
            )


class MastermindGuessForm(CodeForm, template=r"mm:form:([pc]):(\d+)"):
    """Asks for a guess."""

    cost = Cost.FREE

    def __init__(self, game: MastermindGame, pegs: Pegs = PLAIN, draft: str = "") -> None:
        super().__init__(
            words.guess_form_title(game),
            f"mm:form:{_LETTERS[game.kind]}:{game.id}",
            game.rules,
            words.guess_form_label(game.rules),
            text=words.guess_form_reminder(game, pegs),
            draft=draft,
        )

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Guess what was typed."""
        kind = _KINDS[match[1]]
        service = guessing_of(interaction, kind)
        guess = service.guess(interaction.user.id, int(match[2]), cls.typed(values))
        await _show(interaction, kind, guess)


class MastermindEndButton(Press, template=r"mm:([pc]):(ask|end|keep|again):(\d+)"):
    """*Give up* or *Resign*, the answers to the question whether that is meant, *Play again*.

    Args:
        kind: whose code is broken.
        act: *ask* first, then *end* the game or *keep* playing; play *again*.
        game_id: which game.
        label: another label.
    """

    def __init__(self, kind: Kind, act: str, game_id: int, label: str | None = None) -> None:
        style = _STYLES.get(act, discord.ButtonStyle.secondary)
        label = label or words.end_button(act, is_public=kind is Kind.CHALLENGE)
        super().__init__(f"mm:{_LETTERS[kind]}:{act}:{game_id}", label, style)
        self._kind = kind
        self._act = act
        self._game_id = game_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(_KINDS[match[1]], match[2], int(match[3]))

    async def press(self, interaction: Interaction) -> None:
        """Ask, or do as was answered."""
        solo, player = services_of(interaction).mastermind.solo, interaction.user.id
        is_public = self._kind is Kind.CHALLENGE
        if self._act == "ask":
            await self._ask(interaction)
        elif self._act == "again":
            finished = await solo.view(player, self._game_id)
            game = await solo.open(player, Setting.of(finished.rules))
            # In a message of its own; the finished board stays.
            await whisper(interaction, play_page(game, pegs_of(interaction)))
        elif self._act == "keep":
            if is_public:
                game = await find_breakable(interaction, self._kind, self._game_id)
                await keep(interaction, game, _public(interaction.client))
            else:
                await show_play(interaction, solo.view(player, self._game_id))
        elif is_public:
            await resign(interaction, self._game_id, _public(interaction.client))
        else:
            await show_play(interaction, solo.surrender(player, self._game_id))

    async def _ask(self, interaction: Interaction) -> None:
        """Ask in place of a private board's buttons, or beside a public board."""
        game = await find_breakable(interaction, self._kind, self._game_id)
        answers = [MastermindEndButton(self._kind, act, game.id) for act in ("end", "keep")]
        if game.stage is Stage.OVER:
            await _show(interaction, self._kind, find_breakable(interaction, self._kind, game.id))
        elif self._kind is Kind.CHALLENGE:
            await whisper(interaction, Notice(say(words.RESIGN_QUESTION), answers))
        else:
            question = say(words.SURRENDER_QUESTION)
            await show(interaction, game_page(game, pegs_of(interaction), [answers], question))
