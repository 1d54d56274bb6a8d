"""What the boards of all kinds of Mastermind share."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.base.pegs import Pegs
from bot.presentation.mastermind import labels as words
from bot.presentation.mastermind.boards import mastermind_board
from bot.presentation.mastermind.rows import example
from bot.presentation.refusals import refusal
from bot.services.mastermind.guessing import Guessing
from bot.services.mastermind.model import Kind, MastermindGame
from bot.services.mastermind.setting import Setting
from cogs.base.buttons import Press
from cogs.base.forms import Form
from cogs.base.pages import BoardPage, Items
from cogs.base.replies import Interaction, services_of
from cogs.coach.page import coach_of_mastermind
from cogs.verify import verify_of
from engine import Mastermind

MOST_IN_A_ROW: Final = 5
"""Buttons in an action row."""
SETTING: Final = r"[3-6]x(?:[4-9]|10)r?/(?:[6-9]|1[0-3])"
"""A setting within an id, as a pattern."""
_GAME: Final = "mastermind:"
_FIELD: Final = "code"


def game_page(game: MastermindGame, pegs: Pegs, rows: Iterable[Items], note: str = "") -> BoardPage:
    """The page of a game."""
    return BoardPage(mastermind_board(game, pegs), rows, note)


def aftermath(game: MastermindGame) -> Iterator[Press]:
    """What a finished game offers to look at."""
    yield from coach_of_mastermind(game)
    yield from verify_of("mastermind", game.id, game.commitment)


def words_for(refused: Exception | None) -> str:
    """Why something was refused, if it was."""
    return "" if refused is None else refusal(refused) or ""


def write_setting(rules: Mastermind) -> str:
    """A setting for an id."""
    return rules.encode().removeprefix(_GAME)


def read_setting(text: str) -> Setting:
    """The setting that an id names."""
    return Setting.of(Mastermind.decode(_GAME + text))


def guessing_of(interaction: Interaction, kind: Kind) -> Guessing:
    """The service for a player who breaks a code, the bot's or another player's."""
    mastermind = services_of(interaction).mastermind
    return mastermind.solo if kind is Kind.PLAY else mastermind.challenges


async def find_breakable(interaction: Interaction, kind: Kind, game_id: int) -> MastermindGame:
    """A game in which the player may guess.

    Raises:
        NoSuchGameError, NotYourGameError: it is not theirs to break.
    """
    return await guessing_of(interaction, kind).view(interaction.user.id, game_id)


class CodeForm(Form):
    """Asks for one code. It sets no minimum length: our own sentences say what is missing.

    Args:
        title: at most 45 characters.
        custom_id: what the template understands again.
        rules: what is to be a code of.
        label: what is asked for, at most 45 characters.
        text: what is said above; empty for nothing.
        draft: what stands in the field already.
    """

    def __init__(
        self,
        title: str,
        custom_id: str,
        rules: Mastermind,
        label: str,
        *,
        text: str = "",
        draft: str = "",
    ) -> None:
        super().__init__(title=title, custom_id=custom_id)
        if text:
            self.add_item(ui.TextDisplay[Any](text))
        field = ui.TextInput[Any](
            custom_id=_FIELD, placeholder=example(rules), default=draft or None, required=False
        )
        self.add_item(
            ui.Label[Any](text=label, description=words.form_description(rules), component=field)
        )

    @staticmethod
    def typed(values: Mapping[str, str]) -> str:
        """What was typed, of the values of a submission."""
        return values.get(_FIELD, "")


class NewCodeForm(CodeForm):
    """Asks for a code that somebody else is to break."""

    def __init__(self, custom_id: str, rules: Mastermind, text: str) -> None:
        label = words.code_form_label(rules)
        super().__init__(say(words.CODE_FORM_TITLE), custom_id, rules, label, text=text)


class MastermindButton(Press):
    """Base of the buttons that do one of several things with a game.

    Subclasses give a template that finds the act and the game, the letter in their ids, and
    implement `press`.
    """

    letter: ClassVar[str]

    def __init__(
        self,
        act: str,
        game_id: int,
        label: str | None = None,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    ) -> None:
        super().__init__(f"mm:{self.letter}:{act}:{game_id}", label, style)
        self._act = act
        self._game_id = game_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(match[1], int(match[2]))


def in_rows(items: Sequence[ui.Item[Any]]) -> Iterator[Items]:
    """Items in as few rows as there must be, of about the same length."""
    rows = -(-len(items) // MOST_IN_A_ROW)
    for row in range(rows):
        yield items[row * len(items) // rows : (row + 1) * len(items) // rows]
