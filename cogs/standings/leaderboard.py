"""Leaderboards: a page, the buttons and lists that lead to others, and who is still a member."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui

from bot.presentation.base.language import say, speak
from bot.presentation.help import Topic
from bot.presentation.refusals import refusal
from bot.presentation.standings import leaderboard as words
from bot.services.base.errors import MayNotSpeakError, Speech
from bot.services.standings.keys import PATTERN, Board, BoardGame, Period, periods_of
from bot.services.standings.model import Absence
from bot.services.standings.model import Page as Standings
from cogs.base.buttons import Press
from cogs.base.membership import LOOKS, look_up, note_member
from cogs.base.pages import Page
from cogs.base.replies import Interaction, server_of, services_of, show
from cogs.base.selects import Pick, chosen
from cogs.base.voice import Voice, voice_here
from cogs.help import HelpButton

_ACCENT: Final = 0x5865F2

PERIODS: Final = (
    (Period.DAY, False),
    (Period.DAY, True),
    (Period.WEEK, False),
    (Period.WEEK, True),
    (Period.MONTH, False),
    (Period.MONTH, True),
    (Period.ALL, False),
)
"""What a leaderboard may cover, and whether it is the one before; as people look for them."""


def default_period(game: BoardGame) -> Period:
    """What a leaderboard covers unless somebody says: where five games are needed, all of them."""
    return Period.WEEK if game is BoardGame.FOCDLE else Period.ALL


def period_value(period: Period, *, previous: bool) -> str:
    """A period as the value of a choice, which `period_of` understands."""
    return f"{period}.{previous:d}"


def period_of(value: str) -> tuple[Period, bool]:
    """The period that a choice stands for, and whether it is the one before."""
    period, previous = value.split(".")
    return Period(period), previous == "1"


@dataclass(frozen=True, slots=True)
class _Place:
    """Which page of a leaderboard is shown, and to whom.

    Attributes:
        board: which leaderboard.
        number: which page; None for the one with the viewer's own row.
        in_public: whether everybody is to see it.
        note: why they do not, if that was wanted.
    """

    board: Board
    number: int | None
    in_public: bool
    note: str = ""


async def open_leaderboard(
    interaction: Interaction, game: BoardGame, period: str | None, *, is_global: bool
) -> None:
    """Answer a command with a leaderboard that everybody sees, if who asks may show them one.

    Args:
        interaction: the command.
        game: what is ranked.
        period: as the value of a choice; None for the game's usual one.
        is_global: whether it is the one across servers, which it is where there is no server.
    """
    covered, previous = (default_period(game), False) if period is None else period_of(period)
    guild_id = None if is_global else server_of(interaction)
    board = Board.of(game, covered, previous=previous, guild_id=guild_id)
    await note_member(interaction)  # who is new here is to be on it at once
    await _show(interaction, _Place(board, 0, in_public=True))


async def _turn(interaction: Interaction, board: Board, number: int | None, owner_id: int) -> None:
    """Put another page in place of the one that was clicked.

    A public leaderboard belongs to who asked for it; others get a private one beside it. It never
    turns to somebody's own row, which they may not want to show.
    """
    message = interaction.message
    is_public = message is not None and not message.flags.ephemeral
    is_owner = interaction.user.id == owner_id
    in_public = is_public and is_owner and number is not None
    await _show(interaction, _Place(board, number, in_public))


async def _show(interaction: Interaction, place: _Place) -> None:
    """Show a leaderboard at once; then ask who of its page has left, and show it without them.

    Privately, to who is hidden and to who may not write here.
    """
    page, voice = await _find(interaction, place), None
    if place.in_public and page.absence is not Absence.HIDDEN:
        try:
            voice = voice_here(interaction, Speech.LEADERBOARD)
        except MayNotSpeakError as error:
            place = replace(place, note=refusal(error) or "")
    place = replace(place, in_public=voice is not None)
    await _answer(interaction, _view(interaction, page, place), voice)
    if place.board.guild_id is None:
        return
    members = services_of(interaction).standings.members
    for _ in range(LOOKS):
        names = {row.player_id: row.name for row in page.rows}
        if not await look_up(interaction.client, members, place.board.guild_id, names):
            return
        page = await _find(interaction, place)
        with suppress(discord.NotFound):  # taken away meanwhile
            await interaction.edit_original_response(view=_view(interaction, page, place))


async def _find(interaction: Interaction, place: _Place) -> Standings:
    boards, viewer = services_of(interaction).standings.boards, interaction.user.id
    return await boards.page(place.board, viewer, place.number)


def _view(interaction: Interaction, page: Standings, place: _Place) -> "LeaderboardPage":
    server, viewer = server_of(interaction), interaction.user.id
    if place.in_public:
        speak(str(interaction.guild_locale or interaction.locale))
    view = LeaderboardPage(page, viewer, server, in_public=place.in_public, note=place.note)
    speak(str(interaction.locale))
    return view


async def _answer(interaction: Interaction, view: "LeaderboardPage", voice: Voice | None) -> None:
    message = interaction.message
    if voice is None:
        await show(interaction, view)
    elif message is not None and not message.flags.ephemeral:
        await interaction.response.edit_message(view=view)
    else:
        await voice.say(view)


class LeaderboardPage(Page):
    """A page of a leaderboard.

    Args:
        page: the page.
        viewer_id: whose own row it has.
        server_id: the server it is shown in; None where the bot is no member of one.
        in_public: whether everybody sees it.
        note: what is said below it.
    """

    def __init__(
        self,
        page: Standings,
        viewer_id: int,
        server_id: int | None,
        *,
        in_public: bool,
        note: str = "",
    ) -> None:
        super().__init__()
        texts = words.board_texts(
            page,
            public_for=viewer_id if in_public else None,
            is_in_server=server_id is not None,
        )
        container = ui.Container[LeaderboardPage](accent_colour=_ACCENT)
        container.add_item(ui.TextDisplay[LeaderboardPage](texts.title))
        for text in filter(None, (texts.rows, texts.own, texts.footer, note)):
            container.add_item(ui.Separator[LeaderboardPage](visible=False))
            container.add_item(ui.TextDisplay[LeaderboardPage](text))
        for row in _controls(page, viewer_id, server_id, in_public=in_public):
            container.add_item(row)
        self.add_item(container)


def _controls(
    page: Standings, owner_id: int, server_id: int | None, *, in_public: bool
) -> Iterator[ui.ActionRow[LeaderboardPage]]:
    board = page.board
    items: list[list[Press | Pick]] = [[GamePick(board, owner_id, with_options=True)]]
    if len(periods_of(board.game)) > 1:
        items.append([PeriodPick(board, owner_id, with_options=True)])
    if page.pages > 1:
        higher, lower = page.number - 1, page.number + 1
        items.append(
            [
                PageButton(board, higher, owner_id, say(words.HIGHER_BUTTON), disabled=higher < 0),
                PageButton(
                    board, lower, owner_id, say(words.LOWER_BUTTON), disabled=lower >= page.pages
                ),
            ]
        )
    others: list[Press | Pick] = []
    if in_public or page.own_page not in (None, page.number):
        others.append(PlaceButton(board, owner_id))
    if board.guild_id is None and server_id is not None:
        others.append(_scope_button(board, server_id, owner_id))
    elif board.guild_id is not None:
        others.append(_scope_button(board, None, owner_id))
    others.append(HelpButton(Topic.STANDINGS, say(words.RULES_BUTTON)))
    for row_items in (*items, others):
        row = ui.ActionRow[LeaderboardPage]()
        for item in row_items:
            row.add_item(item)
        yield row


def _scope_button(board: Board, guild_id: int | None, owner_id: int) -> "PageButton":
    label = words.scope_name(is_global=guild_id is None)
    return PageButton(replace(board, guild_id=guild_id), 0, owner_id, label)


class PageButton(Press, template=rf"lb:page:(?P<board>{PATTERN}):(?P<page>-?\d+):(?P<owner>\d+)"):
    """Turns to another page of a leaderboard."""

    def __init__(
        self,
        board: Board,
        number: int,
        owner_id: int,
        label: str | None = None,
        *,
        disabled: bool = False,
    ) -> None:
        custom_id = f"lb:page:{board.encode()}:{number}:{owner_id}"
        super().__init__(custom_id, label, disabled=disabled)
        self._board = board
        self._number = number
        self._owner_id = owner_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a page."""
        return cls(Board.decode(match["board"]), int(match["page"]), int(match["owner"]))

    async def press(self, interaction: Interaction) -> None:
        """Show it."""
        await _turn(interaction, self._board, max(0, self._number), self._owner_id)


class PlaceButton(Press, template=rf"lb:place:(?P<board>{PATTERN}):(?P<owner>\d+)"):
    """*My place*: the page with the presser's own row, for the presser alone."""

    def __init__(self, board: Board, owner_id: int) -> None:
        super().__init__(f"lb:place:{board.encode()}:{owner_id}", say(words.PLACE_BUTTON))
        self._board = board
        self._owner_id = owner_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a leaderboard."""
        return cls(Board.decode(match["board"]), int(match["owner"]))

    async def press(self, interaction: Interaction) -> None:
        """Show it."""
        await _turn(interaction, self._board, None, self._owner_id)


class BoardPick(Pick):
    """Base of the lists that lead from a leaderboard to others of its kind.

    Subclasses give a template that finds board and owner, what their ids begin with, and their
    options, and implement `pick`.
    """

    prefix: ClassVar[str]

    def __init__(self, board: Board, owner_id: int, *, with_options: bool = False) -> None:
        options = list(self.options(board)) if with_options else []
        custom_id = f"{self.prefix}:{board.encode()}:{owner_id}"
        super().__init__(ui.Select[Any](custom_id=custom_id, options=options))
        self._board = board
        self._owner_id = owner_id

    @staticmethod
    def options(board: Board) -> Iterator[discord.SelectOption]:
        """What can be chosen, with what the leaderboard shows now."""
        raise NotImplementedError

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list of a leaderboard."""
        return cls(Board.decode(match["board"]), int(match["owner"]))


class GamePick(BoardPick, template=rf"lb:game:(?P<board>{PATTERN}):(?P<owner>\d+)"):
    """The games that leaderboards rank by."""

    prefix = "lb:game"

    @staticmethod
    def options(board: Board) -> Iterator[discord.SelectOption]:
        """All games."""
        for game in BoardGame:
            yield discord.SelectOption(
                label=say(words.GAME_NAMES[game]), value=game.value, default=game is board.game
            )

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Show a game's leaderboard for the same period; after streaks, for its usual one."""
        (value,), before = chosen(values), self._board
        game = BoardGame(value)
        period = default_period(game) if before.game is BoardGame.STREAK else before.period
        board = Board.of(game, period, previous=before.previous, guild_id=before.guild_id)
        await _turn(interaction, board, 0, self._owner_id)


class PeriodPick(BoardPick, template=rf"lb:period:(?P<board>{PATTERN}):(?P<owner>\d+)"):
    """The periods that a leaderboard may cover."""

    prefix = "lb:period"

    @staticmethod
    def options(board: Board) -> Iterator[discord.SelectOption]:
        """Those of the leaderboard's game."""
        for period, previous in PERIODS:
            if period in periods_of(board.game):
                yield discord.SelectOption(
                    label=words.period_name(period, previous=previous),
                    value=period_value(period, previous=previous),
                    default=(period, previous) == (board.period, board.previous),
                )

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Show the leaderboard of a period."""
        (value,) = chosen(values)
        period, previous = period_of(value)
        board = replace(self._board, period=period, previous=previous)
        await _turn(interaction, board, 0, self._owner_id)
