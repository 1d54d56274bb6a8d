"""`/play`: a private card with running games and today's puzzle, and buttons to everything else."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.duels.position import DuelOptions
from bot.equations import words as equations
from bot.home import words
from bot.home.game import Agenda
from bot.home.words import COMMANDS, Door
from bot.mastermind.game import Setting
from bot.mastermind.model import Kind
from bot.people.game import Cost
from bot.races import words as races
from bot.races.model import Choosing
from bot.text import labels
from bot.text.language import say
from bot.text.tiles import Tiles
from cogs.duels.challenge import anybody_button, ask_for_number, may_post, play_bot
from cogs.duels.defend import open_number_game
from cogs.equations import SET
from cogs.focdle.board import show_board
from cogs.home.games import CARD, opener, show_games
from cogs.mastermind.defend import show_defence
from cogs.mastermind.guess import show_play
from cogs.races import OPEN
from cogs.statistics import show_stats
from cogs.ui.help import HEAVY_DOOR, LIGHT_DOOR, door_rows, help_page, warm_up_button
from cogs.ui.pages import Page, beside, button, gap, page, row, spaced
from cogs.ui.replies import Interaction, in_good_time, server_of, show
from cogs.ui.routes import USER, By, Route, picked, pressed
from engine import Strength

MASTERMIND: Final = Route("play:mastermind:{kind:play|defend}")
BOT: Final = Route("play:bot:{strength:casual|sharp|perfect}")
OPPONENT: Final = Route("play:opponent")
HUNT: Final = Route("play:hunt")

_BLUE: Final = discord.ButtonStyle.primary


async def show_card(interaction: Interaction) -> None:
    agendas, player = interaction.client.services.agendas, interaction.user.id
    agenda = await in_good_time(interaction, agendas.of(player, server_of(interaction)))
    await show(interaction, card_page(agenda, player, interaction.client.tiles))


def card_page(agenda: Agenda, player_id: int, tiles: Tiles | None) -> Page:
    """Build the card: a few running games first, for their time is limited."""
    running = [
        beside(words.running_line(game, player_id), opener(game, player_id))
        for game in agenda.running[: words.MOST_RUNNING]
    ]
    texts = spaced([words.waiting(agenda), *running, *words.card(agenda, tiles)])
    first, rest = door_rows(words.first_door(agenda))
    if not agenda.knows_focdle:
        first.add_item(warm_up_button())
    return page(*texts, gap(), first, rest, mood=words.card_mood(agenda))


@pressed(CARD, by=By.ANYBODY)
async def back_to_card(interaction: Interaction) -> None:
    await show_card(interaction)


@pressed(HEAVY_DOOR, by=By.ANYBODY, cost=Cost.HEAVY)
async def open_heavy_door(interaction: Interaction, door: str) -> None:
    await _DOORS[Door(door)](interaction)


@pressed(LIGHT_DOOR, by=By.ANYBODY)
async def open_light_door(interaction: Interaction, door: str) -> None:
    await _DOORS[Door(door)](interaction)


async def _today(interaction: Interaction) -> None:
    daily, player = interaction.client.services.daily, interaction.user.id
    await show_board(interaction, await daily.open(player, server_of(interaction)))


async def _practice(interaction: Interaction) -> None:
    practice, player = interaction.client.services.practice, interaction.user.id
    await show_board(interaction, await practice.open(player, server_of(interaction)))


async def _help(interaction: Interaction) -> None:
    await show(interaction, await help_page(interaction, COMMANDS))


_DOORS: Final[dict[Door, Callable[[Interaction], Awaitable[None]]]] = {
    Door.TODAY: _today,
    Door.PRACTICE: _practice,
    Door.MASTERMIND: lambda here: show(here, mastermind_page()),
    Door.DUEL: lambda here: show(here, _duel_page(here)),
    Door.TOGETHER: lambda here: show(here, together_page(has_members=server_of(here) is not None)),
    Door.GAMES: show_games,
    Door.STATS: lambda here: show_stats(here, None),
    Door.HELP: _help,
}


def _back() -> ui.Button[Any]:
    return button(CARD(), say(words.BACK_BUTTON))


def mastermind_page() -> Page:
    """Build the page of ways to play Mastermind without other members."""
    ways = [
        button(MASTERMIND(kind=Kind.PLAY), say(words.PLAY_BUTTON), _BLUE),
        button(MASTERMIND(kind=Kind.DEFEND), say(words.DEFEND_BUTTON)),
    ]
    return page(words.mastermind(), gap(), row(*ways, _back()))


def _duel_page(interaction: Interaction) -> Page:
    has_members = server_of(interaction) is not None
    return duel_page(has_members=has_members, may_ask=may_post(interaction))


def duel_page(*, has_members: bool, may_ask: bool = False) -> Page:
    """Build the page of opponents for a duel: the bot and, in a server, its members.

    With `may_ask`, a button asks whoever is here.
    """
    bots = [
        button(BOT(strength=Strength.CASUAL), say(words.CASUAL_BUTTON)),
        button(BOT(strength=Strength.SHARP), say(words.SHARP_BUTTON), _BLUE),
        button(BOT(strength=Strength.PERFECT), say(words.PERFECT_BUTTON)),
        button(HUNT(), say(words.HUNT_BUTTON)),
    ]
    members = ui.UserSelect[Any](custom_id=OPPONENT(), placeholder=say(words.OPPONENT_PLACEHOLDER))
    lists = [row(members)] if has_members else []
    if may_ask:
        lists.append(row(anybody_button(DuelOptions())))
    return page(words.duel(has_members=has_members), gap(), *lists, row(*bots, _back()))


def together_page(*, has_members: bool) -> Page:
    """Build the page of games for a whole channel; outside of servers it has only *Back*."""
    ways = [
        button(SET(), say(equations.FORM_TITLE), _BLUE),
        *(button(OPEN(kind=game), races.open_button(game)) for game in Choosing),
    ]
    shown = [*ways, _back()] if has_members else [_back()]
    return page(words.together(has_members=has_members), gap(), row(*shown))


@pressed(MASTERMIND, by=By.ANYBODY, cost=Cost.HEAVY)
async def open_mastermind(interaction: Interaction, kind: str) -> None:
    mastermind, player = interaction.client.services.mastermind, interaction.user.id
    if kind == Kind.PLAY:
        await show_play(interaction, mastermind.solo.open(player, Setting()))
    else:
        await show_defence(interaction, mastermind.defence.open(player), is_new=True)


@pressed(BOT, by=By.ANYBODY)
async def play_the_bot(interaction: Interaction, strength: str) -> None:
    await play_bot(interaction, DuelOptions(strength=Strength(strength)))


@pressed(HUNT, by=By.ANYBODY, cost=Cost.HEAVY)
async def defend_a_number(interaction: Interaction) -> None:
    await open_number_game(interaction, DuelOptions())


@picked(OPPONENT, of=USER, by=By.ANYBODY)
async def choose_opponent(interaction: Interaction, opponent_id: int) -> None:
    """Ask for the player's number against a member; against the bot, begin the duel at once."""
    me = interaction.client.user
    if me is not None and opponent_id == me.id:
        await play_bot(interaction, DuelOptions())
        return
    data = cast("dict[str, Any]", interaction.data)
    is_bot = data["resolved"]["users"][str(opponent_id)].get("bot", False)
    await ask_for_number(interaction, opponent_id, to_other_bot=is_bot)


class PlayCog(commands.Cog):
    @app_commands.command(name="play", description=labels.PLAY)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def play(self, interaction: Interaction) -> None:
        await show_card(interaction)
