"""What the boards of all kinds of Mastermind share."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from discord import ui

from bot.home.pages.help import Topic
from bot.mastermind.game.play import Guessing
from bot.mastermind.game.setting import Setting
from bot.mastermind.model.game import Kind, MastermindGame
from bot.mastermind.pages import labels as words
from bot.mastermind.pages.boards import mastermind_board
from bot.mastermind.pages.rows import example
from bot.refusals import refusal
from bot.text import labels
from bot.text.language import say
from bot.text.pegs import Pegs
from cogs.coach.page import coach_of_mastermind
from cogs.ui.forms import Form, field
from cogs.ui.help import help_button
from cogs.ui.pages import Items, Page, button, text_page
from cogs.ui.replies import Interaction, services_of
from cogs.ui.routes import TYPED, Argument, Route
from cogs.ui.verify import verify_of
from engine import Mastermind

MOST_IN_A_ROW: Final = 5
"""Buttons in an action row."""
_GAME: Final = "mastermind:"
_FIELD: Final = "code"
CODE: Final = {_FIELD: TYPED}
"""The fields of a form in which a code is typed."""

SETTING: Final = Argument(
    r"[3-6]x(?:[4-9]|10)r?/(?:[6-9]|1[0-3])",
    lambda text: Setting.of(Mastermind.decode(_GAME + text)),
    lambda setting: setting.rules().encode().removeprefix(_GAME),
)
"""A setting, within an id."""

MORE: Final = {
    Kind.PLAY: Route("mm:p:more:{game:int}"),
    Kind.CHALLENGE: Route("mm:c:more:{game:int}"),
    Kind.DEFEND: Route("mm:d:more:{game:int}"),
    Kind.WATCH: Route("mm:w:more:{game:int}"),
}
"""What shows what else there is about a game, by its kind."""
NEW_PLAY: Final = Route("mm:p:new:{setting}", setting=SETTING)
NEW_DEFENCE: Final = Route("mm:d:new:{setting}", setting=SETTING)
"""What leads from a board to a game of another kind, at the same setting."""


def game_page(game: MastermindGame, pegs: Pegs, rows: Iterable[Items], note: str = "") -> Page:
    """The page of a game."""
    return text_page(mastermind_board(game, pegs), rows, note, game.face)


def aftermath(game: MastermindGame, *, explains: bool = False) -> Iterator[ui.Button[Any]]:
    """What a game that is over offers to look at.

    Args:
        game: the game.
        explains: whether that includes how it is played.
    """
    yield from coach_of_mastermind(game)
    if explains:
        yield help_button(Topic.MASTERMIND)
    yield from verify_of_game(game)


def verify_of_game(game: MastermindGame) -> Iterator[ui.Button[Any]]:
    """Shows the game's seal, if it has one."""
    return verify_of("mastermind", game.id, game.commitment)


def more_button(game: MastermindGame) -> ui.Button[Any]:
    """Shows what else there is while a game goes on."""
    return button(MORE[game.kind](game=game.id), say(labels.MORE_BUTTON))


def with_more(
    game: MastermindGame, face: Items, rest: Iterable[ui.Button[Any]], less: str | None
) -> Iterator[Items]:
    """The buttons of a board, and what else there is below them.

    Args:
        game: the game.
        face: its buttons, but for *More*.
        rest: what else there is.
        less: the id that takes that away again; None where it is not shown.
    """
    if less is None:
        yield [*face, more_button(game)]
    else:
        yield [*face, button(less, say(labels.LESS_BUTTON))]
        yield [*rest]


def swap_button(game: MastermindGame, label: str) -> ui.Button[Any]:
    """Opens a game in which the bot breaks a code, or its player, whoever has not just done so."""
    route = NEW_DEFENCE if game.kind is Kind.PLAY else NEW_PLAY
    return button(route(setting=Setting.of(game.rules)), label)


def words_for(refused: Exception | None) -> str:
    """Why something was refused, if it was."""
    return "" if refused is None else refusal(refused) or ""


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


def code_field(rules: Mastermind, label: str, draft: str = "") -> ui.Label[Any]:
    """Where a code is typed.

    Args:
        rules: what is to be a code of.
        label: what is asked for, at most 45 characters.
        draft: what stands in it already.
    """
    description = words.form_description(rules)
    return field(_FIELD, label, description, placeholder=example(rules), draft=draft)


def new_code_form(custom_id: str, setting: Setting, text: str) -> Form:
    """Asks for a code that somebody else is to break."""
    rules = setting.rules()
    code = code_field(rules, words.code_form_label(rules))
    return Form(custom_id, say(words.CODE_FORM_TITLE), text, code)


def typed_code(values: Mapping[str, str]) -> str:
    """What was typed, of the values of a submission."""
    return values[_FIELD]


def in_rows(items: Sequence[ui.Item[Any]]) -> Iterator[Items]:
    """Items in as few rows as there must be, of about the same length."""
    rows = -(-len(items) // MOST_IN_A_ROW)
    for row in range(rows):
        yield items[row * len(items) // rows : (row + 1) * len(items) // rows]
