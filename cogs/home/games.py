"""*My games* of `/play`: a player's unfinished and finished games."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

import discord
from discord import ui

from bot.duels.model import DuelView
from bot.games.model import Unfinished
from bot.home import lists
from bot.home.game import PAGE_SIZE, FinishedPage
from bot.home.words import BACK_BUTTON
from bot.mastermind.model import Kind, MastermindGame
from bot.people.game import Cost
from bot.text import labels
from bot.text.language import say
from cogs.duels.pages import PAGE
from cogs.focdle.board import show_board
from cogs.mastermind.defend import VIEW as VIEW_DEFENCE
from cogs.mastermind.guess import OWN
from cogs.mastermind.pages import KEEP
from cogs.ui.pages import Block, Page, beside, button, page, row
from cogs.ui.replies import Interaction, in_good_time, show
from cogs.ui.routes import By, Route, pressed

_FOCDLE: Final = "focdle"

CARD: Final = Route("play:card")
"""Leads back to the card: its handler is in `cogs.home.play`."""
UNFINISHED: Final = Route("games:{page:signed}")
FINISHED: Final = Route("games:over:{page:signed}")
TIDY: Final = Route("games:tidy:{page:signed}")
ASK: Final = Route("games:ask:{kind:focdle|play|defend}:{game:int}:{page:int}")
DISMISS: Final = Route("games:dismiss:{kind:focdle|play|defend}:{game:int}:{page:int}")
RESUME: Final = Route("fd:resume:{play:int}")

G = TypeVar("G")
Dismissible = Unfinished | MastermindGame


async def show_games(interaction: Interaction, page: int = 0) -> None:
    await show(interaction, games_page(await _found(interaction), interaction.user.id, page))


async def _found(interaction: Interaction) -> list[Any]:
    """List a player's unfinished games: first those that wait for the player, or that end soon."""
    services, player = interaction.client.services, interaction.user.id
    found = await services.agendas.unfinished(player)
    return sorted(found, key=lambda game: not _waits(game, player))


def games_page(found: Sequence[Any], player_id: int, number: int = 0) -> Page:
    """Build a page of a player's unfinished games; a number beyond the end gives the last page."""
    number, pages, shown = _on_page(found, number)
    last = [button(FINISHED(page=0), say(lists.FINISHED_BUTTON))]
    if _dismissible(found):
        last.append(button(TIDY(page=0), say(lists.TIDY_BUTTON)))
    last.append(button(CARD(), say(BACK_BUTTON)))
    return page(
        lists.games_title(),
        *(
            beside(lists.open_line(game, player_id), opener(game, player_id, is_first=not place))
            for place, game in enumerate(shown)
        ),
        "" if found else say(lists.NO_GAMES),
        page_line(number, pages),
        row(*turns(UNFINISHED, number, pages), *last),
    )


def _on_page(found: Sequence[G], number: int) -> tuple[int, int, Sequence[G]]:
    """Clamp a page's number; return it with the number of pages, and the games on it."""
    pages = max(1, -(-len(found) // PAGE_SIZE))
    number = min(max(0, number), pages - 1)
    return number, pages, found[number * PAGE_SIZE : (number + 1) * PAGE_SIZE]


def page_line(number: int, pages: int) -> str:
    """Number the page of a list; empty if it is the only page."""
    return lists.page_line(number, pages) if pages > 1 else ""


def turns(route: Route, number: int, pages: int) -> Iterator[ui.Button[Any]]:
    """Yield the buttons that turn a list's pages; none if there is one page."""
    if pages > 1:
        newer, older = say(lists.NEWER_BUTTON), say(lists.OLDER_BUTTON)
        yield button(route(page=number - 1), newer, disabled=number == 0)
        yield button(route(page=number + 1), older, disabled=number == pages - 1)


def _waits(game: Any, player_id: int) -> bool:
    """Return true for today's daily, races, equations, and games that wait for the player."""
    if isinstance(game, Unfinished):
        return game.is_today
    return bool(lists.post_of(game)) or game.waits_for(player_id)


def opener(game: Any, player_id: int, *, is_first: bool) -> ui.Button[Any]:
    """Build the button that opens a game here: its private board, or a copy of a public one.

    It stands out if the game waits for the player, and `is_first` in the list. For a race or a set
    equation, which are played at their posts, it is a link there.
    """
    if url := lists.post_of(game):
        return ui.Button[Any](label=say(labels.OPEN_BUTTON), url=url)
    stands_out = is_first and _waits(game, player_id)
    style = discord.ButtonStyle.primary if stands_out else discord.ButtonStyle.secondary
    if isinstance(game, Unfinished):
        custom_id = RESUME(play=game.play_id)
    elif isinstance(game, DuelView):
        custom_id = PAGE(duel=game.duel.id)
    else:
        openings = {
            Kind.PLAY: KEEP(kind=Kind.PLAY, game=game.id),
            Kind.DEFEND: VIEW_DEFENCE(game=game.id),
            Kind.CHALLENGE: OWN(game=game.id),
        }
        custom_id = openings[game.kind]
    return button(custom_id, say(labels.OPEN_BUTTON), style)


@pressed(UNFINISHED, by=By.ANYBODY)
async def turn_unfinished(interaction: Interaction, page: int) -> None:
    await show_games(interaction, page)


@pressed(RESUME, by=By.PLAYERS, cost=Cost.HEAVY)
async def resume(interaction: Interaction, play: int) -> None:
    """Show the board of an unfinished FoCdle in place of the list."""
    daily = interaction.client.services.daily
    await show_board(interaction, await daily.view(interaction.user.id, play))


def _dismissible(found: Iterable[Any]) -> list[Dismissible]:
    """Select the games that a player can dismiss.

    These are FoCdles except today's daily, and Masterminds that are no challenges.
    """
    return [
        game
        for game in found
        if (isinstance(game, Unfinished) and not game.is_today)
        or (isinstance(game, MastermindGame) and game.kind is not Kind.CHALLENGE)
    ]


def _name(game: Dismissible) -> tuple[str, int]:
    if isinstance(game, Unfinished):
        return _FOCDLE, game.play_id
    return game.kind, game.id


def _ends(game: Dismissible) -> bool:
    """Return true if dismissing would end a game with guesses. It then needs a confirmation."""
    if isinstance(game, Unfinished):
        return game.number is None and game.setter is None and game.turns > 0
    return bool(game.turns)


def tidy_page(found: Iterable[Any], player_id: int, number: int) -> Page:
    """Build a page of the games that a player can dismiss, each with a button for that."""
    number, pages, shown = _on_page(_dismissible(found), number)
    lines: list[Block] = []
    for game in shown:
        kind, game_id = _name(game)
        route, label = (DISMISS, lists.DISMISS_BUTTON)
        if _ends(game):
            route, label = (ASK, lists.ASK_BUTTON)
        dismiss = button(route(kind=kind, game=game_id, page=number), say(label))
        lines.append(beside(lists.open_line(game, player_id), dismiss))
    return page(
        lists.tidy_title(is_empty=not shown),
        *lines,
        page_line(number, pages),
        row(*turns(TIDY, number, pages), button(UNFINISHED(page=0), say(lists.DONE_BUTTON))),
    )


@pressed(TIDY, by=By.ANYBODY)
async def tidy_up(interaction: Interaction, page: int) -> None:
    await show(interaction, tidy_page(await _found(interaction), interaction.user.id, page))


@pressed(ASK, by=By.ANYBODY)
async def ask_whether_to_end(interaction: Interaction, kind: str, game: int, page: int) -> None:
    """Ask whether to end a game; if it has ended meanwhile, show the games that remain."""
    found = await _found(interaction)
    asked = next((g for g in _dismissible(found) if _name(g) == (kind, game) and _ends(g)), None)
    if asked is None:
        await show(interaction, tidy_page(found, interaction.user.id, page))
    else:
        await show(interaction, _question(asked, interaction.user.id, page))


def _question(game: Dismissible, player_id: int, number: int) -> Page:
    kind, game_id = _name(game)
    yes = DISMISS(kind=kind, game=game_id, page=number)
    return page(
        lists.open_line(game, player_id),
        lists.end_question(kind),
        row(
            button(yes, say(lists.END_BUTTON), discord.ButtonStyle.danger),
            button(TIDY(page=number), say(lists.LEAVE_BUTTON), discord.ButtonStyle.primary),
        ),
    )


@pressed(DISMISS, by=By.PLAYERS, cost=Cost.HEAVY)
async def dismiss(interaction: Interaction, kind: str, game: int, page: int) -> None:
    """Take a game off the player's list, ending it if need be, and show the games that remain."""
    services, player = interaction.client.services, interaction.user.id
    if kind == _FOCDLE:
        await services.practice.dismiss(player, game)
    elif kind == Kind.PLAY:
        await services.mastermind.solo.surrender(player, game)
    else:
        await in_good_time(interaction, services.mastermind.defence.give_up(player, game))
    await show(interaction, tidy_page(await _found(interaction), player, page))


def finished_page(found: FinishedPage) -> Page:
    entries = [
        beside(
            lists.finished_line(game, found.player_id),
            # Each kind of game has a route of its own.
            button(f"games:look:{game.kind}:{game.id}", say(labels.OPEN_BUTTON)),
        )
        for game in found.games
    ]
    unfinished = button(UNFINISHED(page=0), say(lists.UNFINISHED_BUTTON))
    return page(
        lists.finished_title(),
        *entries,
        "" if found.games else say(lists.NOTHING_FINISHED),
        page_line(found.number, found.pages),
        row(*turns(FINISHED, found.number, found.pages), unfinished),
    )


@pressed(FINISHED, by=By.ANYBODY)
async def turn_finished(interaction: Interaction, page: int) -> None:
    found = await interaction.client.services.finished.page(interaction.user.id, page)
    await show(interaction, finished_page(found))
