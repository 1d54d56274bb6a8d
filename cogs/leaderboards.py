"""`/leaderboard`, without former members."""

import asyncio
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.errors import StorageBusyError
from bot.leaderboards import words
from bot.leaderboards.boards import (
    MONTH_PATTERN,
    PATTERN,
    Board,
    BoardGame,
    Period,
    month_code,
    month_of,
    periods_of,
)
from bot.leaderboards.game import Absence, LeaderboardPage
from bot.leaderboards.words import GAME_NAMES, HELP_TOPIC, period_name
from bot.refusals import refusal
from bot.refused import MayNotSpeakError
from bot.text import labels
from bot.text.language import month_and_year, say
from bot.text.markup import clip
from bot.text.tiles import Mood
from cogs.focdle.page import LEADERS
from cogs.ui.help import help_button
from cogs.ui.languages import speak_here, speak_to
from cogs.ui.members import LOOKS, look_up, note_member
from cogs.ui.pages import Page, button, notice, page, row, spaced
from cogs.ui.replies import Interaction, server_of, show, whisper
from cogs.ui.routes import Argument, By, Route, member_of, picked, pressed
from cogs.ui.voices import Voice, voice_here

_BOARD: Final = Argument(PATTERN, Board.decode, Board.encode)
PAGE: Final = Route("lb:page:{board}:{page:signed}:{owner:int}", board=_BOARD)
PLACE: Final = Route("lb:place:{board}:{owner:int}", board=_BOARD)
GAME: Final = Route("lb:game:{board}:{owner:int}", board=_BOARD)
PERIOD: Final = Route("lb:period:{board}:{owner:int}", board=_BOARD)

PERIODS: Final = (
    (Period.DAY, False),
    (Period.DAY, True),
    (Period.WEEK, False),
    (Period.WEEK, True),
    (Period.MONTH, False),
    (Period.MONTH, True),
    (Period.ALL, False),
)
"""The periods in the order of the list; with True, the period before the running one is meant."""
_SERVERS: Final = "https://discord.com/channels"
_A_ROW: Final = 5
"""The most buttons in a row."""
_UNNAMED: Final = (BoardGame.FOCDLE, BoardGame.MASTERMIND, BoardGame.DUELS)
"""The games tried in order if the player who asks names none."""


def default_period(game: BoardGame) -> Period:
    """Return the period for a player who names none: the week for FoCdle, otherwise `ALL`."""
    return Period.WEEK if game is BoardGame.FOCDLE else Period.ALL


def period_value(period: Period, *, previous: bool) -> str:
    """Encode a period as the value of a choice; `previous` means the one before the running one."""
    return f"{period}.{previous:d}"


_COVERED: Final = {
    period_value(period, previous=previous): (period, previous) for period, previous in PERIODS
}
_Covered = tuple[Period, bool, date | None]
"""A period, whether the one before the running one is meant, and the first date of a past month."""


def _read_period(value: str) -> _Covered:
    if value in _COVERED:
        return (*_COVERED[value], None)
    return Period.MONTH, False, month_of(value.removeprefix(f"{Period.MONTH}."))


_PERIODS: Final = Argument(
    rf"(?:{'|'.join(map(re.escape, _COVERED))}|{Period.MONTH}\.{MONTH_PATTERN})", _read_period
)


@dataclass(frozen=True, slots=True)
class _Place:
    """A page of a leaderboard to show, publicly or privately.

    Attributes:
        number: the page's number; None for the page with the viewer's row.
        in_public: whether everybody is to see the page.
        note: why a page is private that should be public; else empty.
    """

    board: Board
    number: int | None
    in_public: bool
    note: str = ""


async def open_leaderboard(interaction: Interaction, game: BoardGame | None) -> None:
    """Answer a command with a leaderboard, publicly if the player may post here.

    An empty leaderboard is shown privately. Below a public one, a player without a row is told
    privately why. Outside of the bot's servers, the answer links those that the player is in.
    `game` is None for the first game whose leaderboard is not empty.
    """
    guild_id = server_of(interaction)
    if guild_id is None:
        await _link_servers(interaction)
        return
    games = _UNNAMED if game is None else (game,)
    asked = [Board.of(one, default_period(one), guild_id=guild_id) for one in games]
    # A new member has a row at once; while the database is busy, the next click notes the member.
    with suppress(StorageBusyError):
        await note_member(interaction)
    boards, viewer = interaction.client.services.standings.boards, interaction.user.id
    board = asked[0] if len(asked) == 1 else await boards.worth_opening(asked, viewer)
    await _show(interaction, _Place(board, 0, in_public=True))


async def _link_servers(interaction: Interaction) -> None:
    boards, client = interaction.client.services.standings.boards, interaction.client

    async def link_to(guild_id: int) -> ui.Button[Any] | None:
        guild = client.get_guild(guild_id)
        if guild is None:  # another process may have it
            try:
                guild = await client.fetch_guild(guild_id, with_counts=False)
            except (discord.NotFound, discord.Forbidden):  # the bot has left
                return None
        return ui.Button(label=clip(guild.name), url=f"{_SERVERS}/{guild_id}")

    found = await boards.servers_of(interaction.user.id)
    links = [link for link in await asyncio.gather(*map(link_to, found)) if link is not None]
    rows = [row(*links[first : first + _A_ROW]) for first in range(0, len(links), _A_ROW)]
    await show(interaction, page(words.servers(are_any=bool(links)), *rows, mood=Mood.CALM))


async def _turn_page(
    interaction: Interaction, board: Board, number: int | None, owner_id: int
) -> None:
    """Show a page. A private message turns in place, and so does a public one for its owner.

    At a public message, other players get a new private one. So does the owner for the page with
    their own row (`number` None) and for pages of another server.
    """
    message = interaction.message
    is_public = message is not None and not message.flags.ephemeral
    is_owner = interaction.user.id == owner_id
    is_seen = board.guild_id == interaction.guild_id
    in_public = is_public and is_owner and is_seen and number is not None
    await _show(interaction, _Place(board, number, in_public))


async def _show(interaction: Interaction, place: _Place) -> None:
    """Show a leaderboard at once; then look former members up, and show it without them.

    Even if `place.in_public`, it is private if the player is hidden or may not write here, or if it
    is empty and a command has asked for it.
    """
    found, voice = await _find(interaction, place), None
    is_asked_for, is_empty = interaction.message is None, not found.total and not found.waiting
    is_public = place.in_public and not (is_asked_for and is_empty)
    if is_public and found.absence is not Absence.HIDDEN:
        try:
            voice = voice_here(interaction, words.SHOW_IN)
        except MayNotSpeakError as error:
            place = replace(place, note=refusal(error) or "")
    place = replace(place, in_public=voice is not None)
    await _answer(interaction, await _view(interaction, found, place), voice)
    if voice is not None and is_asked_for and (why := words.own_absence(found)):
        await whisper(interaction, notice(why))
    members = interaction.client.services.standings.members
    for _ in range(LOOKS):
        names = {row.player_id: row.name for row in found.rows}
        if not await look_up(interaction.client, members, place.board.guild_id, names):
            return
        found = await _find(interaction, place)
        with suppress(discord.NotFound):  # the message was deleted meanwhile
            await interaction.edit_original_response(view=await _view(interaction, found, place))


async def _find(interaction: Interaction, place: _Place) -> LeaderboardPage:
    boards, viewer = interaction.client.services.standings.boards, interaction.user.id
    return await boards.page(place.board, viewer, place.number)


async def _view(interaction: Interaction, found: LeaderboardPage, place: _Place) -> Page:
    viewer = interaction.user.id
    if place.in_public:
        await speak_here(interaction)
    view = leaderboard_page(found, viewer, in_public=place.in_public, note=place.note)
    await speak_to(interaction)
    return view


async def _answer(interaction: Interaction, view: Page, voice: Voice | None) -> None:
    message = interaction.message
    is_on_public = message is not None and not message.flags.ephemeral
    if voice is None or is_on_public:
        await show(interaction, view, in_public=voice is not None)
    else:
        await voice.say(view)


def leaderboard_page(
    found: LeaderboardPage, viewer_id: int, *, in_public: bool, note: str = ""
) -> Page:
    """Build the message of a leaderboard's page.

    Args:
        viewer_id: the player who asked for the page.
        in_public: whether everybody sees the message.
        note: a text below the page; may be empty.
    """
    texts = words.board_texts(found, public_for=viewer_id if in_public else None)
    board = found.board
    games = [
        discord.SelectOption(
            label=say(GAME_NAMES[game]), value=game.value, default=game is board.game
        )
        for game in BoardGame
    ]
    lists = [_list(GAME, board, viewer_id, games)]
    if len(periods_of(board.game)) > 1:
        lists.append(_list(PERIOD, board, viewer_id, _periods(found)))
    own: list[ui.Button[Any]] = []
    if in_public or found.own_page not in (None, found.number):
        own = [button(PLACE(board=board, owner=viewer_id), say(words.PLACE_BUTTON))]
    return page(
        *spaced([texts.title, texts.rows, texts.own, texts.footer, note]),
        *map(row, lists),
        row(*_turns(found, viewer_id)),
        row(*own, help_button(HELP_TOPIC, say(words.RULES_BUTTON))),
        mood=Mood.CALM,
    )


def _turns(found: LeaderboardPage, owner_id: int) -> Iterator[ui.Button[Any]]:
    if found.pages > 1:
        higher, lower = found.number - 1, found.number + 1
        up = PAGE(board=found.board, page=higher, owner=owner_id)
        down = PAGE(board=found.board, page=lower, owner=owner_id)
        yield button(up, say(words.HIGHER_BUTTON), disabled=higher < 0)
        yield button(down, say(words.LOWER_BUTTON), disabled=lower >= found.pages)


def _list(
    route: Route, board: Board, owner_id: int, options: Iterable[discord.SelectOption]
) -> ui.Select[Any]:
    return ui.Select[Any](custom_id=route(board=board, owner=owner_id), options=list(options))


def _periods(found: LeaderboardPage) -> Iterator[discord.SelectOption]:
    board = found.board
    chosen = (board.period, board.previous) if board.month is None else None
    for period, previous in PERIODS:
        if period is Period.ALL:
            for month in found.months:
                yield discord.SelectOption(
                    label=month_and_year(month),
                    value=f"{Period.MONTH}.{month_code(month)}",
                    default=month == board.month,
                )
        if period in periods_of(board.game):
            yield discord.SelectOption(
                label=period_name(period, previous=previous),
                value=period_value(period, previous=previous),
                default=(period, previous) == chosen,
            )


@pressed(PAGE, by=By.MEMBERS)
async def turn_page(interaction: Interaction, board: Board, page: int, owner: int) -> None:
    await _turn_page(interaction, board, max(0, page), owner)


@pressed(PLACE, by=By.MEMBERS)
async def show_own_place(interaction: Interaction, board: Board, owner: int) -> None:
    """Show the page with the presser's own row, privately."""
    await _turn_page(interaction, board, None, owner)


@pressed(LEADERS, by=By.MEMBERS)
async def show_todays_leaderboard(interaction: Interaction, server: int) -> None:
    """Show a server's FoCdle leaderboard of today in a new private message."""
    board = Board(BoardGame.FOCDLE, Period.DAY, guild_id=server)
    place = _Place(board, None, in_public=False)
    found = await _find(interaction, place)
    await whisper(interaction, await _view(interaction, found, place))


@picked(GAME, of=member_of(BoardGame), by=By.MEMBERS)
async def choose_game(interaction: Interaction, game: BoardGame, board: Board, owner: int) -> None:
    """Show another game's leaderboard of the same period.

    From streaks, which have no period, it leads to the other game's usual period.
    """
    period = default_period(game) if board.game is BoardGame.STREAK else board.period
    await _turn_to(interaction, game, (period, board.previous, board.month), board, owner)


@picked(PERIOD, of=_PERIODS, by=By.MEMBERS)
async def choose_period(
    interaction: Interaction, covered: _Covered, board: Board, owner: int
) -> None:
    await _turn_to(interaction, board.game, covered, board, owner)


async def _turn_to(
    interaction: Interaction,
    game: BoardGame,
    covered: _Covered,
    board: Board,
    owner_id: int,
) -> None:
    """Show the leaderboard of a game and a period, in the server of `board`.

    If the game has no leaderboard of the period, show the one of all time.
    """
    period, previous, month = covered
    other = Board.of(game, period, previous=previous, guild_id=board.guild_id, month=month)
    await _turn_page(interaction, other, 0, owner_id)


class LeaderboardCog(commands.Cog):
    @app_commands.command(name="leaderboard", description=labels.LEADERBOARD)
    @app_commands.describe(game=labels.LEADERBOARD_GAME)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.choices(
        game=[
            app_commands.Choice(name=say(GAME_NAMES[game]), value=game.value) for game in BoardGame
        ]
    )
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        await open_leaderboard(interaction, None if game is None else BoardGame(game))
