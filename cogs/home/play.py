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
from cogs.ui.help import HEAVY_DOOR, LIGHT_DOOR, door_rows, help_page
from cogs.ui.pages import Page, beside, button, gap, page, row, spaced
from cogs.ui.replies import Interaction, in_good_time, server_of, show
from cogs.ui.routes import USER, By, Route, picked, pressed
from engine import Strength

MASTERMIND: Final = Route("play:mastermind:{kind:play|defend}")
BOT: Final = Route("play:bot:{strength:casual|sharp|perfect}")
OPPONENT: Final = Route("play:opponent")
HUNT: Final = Route("play:hunt")

_BLUE: Final = discord.ButtonStyle.primary
_GREY: Final = discord.ButtonStyle.secondary


async def show_card(interaction: Interaction) -> None:
    agendas, player = interaction.client.services.agendas, interaction.user.id
    agenda = await in_good_time(interaction, agendas.of(player, server_of(interaction)))
    in_server = server_of(interaction) is not None
    await show(interaction, card_page(agenda, player, interaction.client.tiles, in_server))


def card_page(agenda: Agenda, player_id: int, tiles: Tiles | None, in_server: bool) -> Page:
    """Build the card: a few running games first, for their time is limited."""
    running = [
        beside(words.running_line(game, player_id), opener(game, player_id, is_first=not place))
        for place, game in enumerate(agenda.running[: words.MOST_RUNNING])
    ]
    texts = spaced([words.waiting(agenda), *running, *words.card(agenda, tiles)])
    first = words.first_door(agenda, in_server=in_server)
    doors = door_rows(first, in_server=in_server, is_new=agenda.is_new)
    return page(*texts, gap(), *doors, mood=words.card_mood(agenda))


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


_DOORS: Final[dict[Door, Callable[[Interaction], Awaitable[object]]]] = {
    Door.TODAY: _today,
    Door.PRACTICE: _practice,
    Door.MASTERMIND: lambda here: show(here, mastermind_page()),
    Door.DUEL: lambda here: show(here, duel_page(here)),
    Door.TOGETHER: lambda here: show(
        here, together_page() if server_of(here) is not None else duel_page(here)
    ),
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


def duel_page(interaction: Interaction) -> Page:
    """Build the page of opponents for a duel: in a server whoever is here, then the bots."""
    has_members, may_ask = server_of(interaction) is not None, may_post(interaction)
    members = ui.UserSelect[Any](custom_id=OPPONENT(), placeholder=say(words.OPPONENT_PLACEHOLDER))
    others = [row(members)] if has_members else []
    if may_ask:
        others.insert(0, row(anybody_button(DuelOptions())))
    fair = _GREY if may_ask else _BLUE
    bots = [
        button(BOT(strength=Strength.CASUAL), say(words.CASUAL_BUTTON)),
        button(BOT(strength=Strength.SHARP), say(words.SHARP_BUTTON), fair),
        button(BOT(strength=Strength.PERFECT), say(words.PERFECT_BUTTON)),
    ]
    last = row(button(HUNT(), say(words.HUNT_BUTTON)), _back())
    title = words.duel(has_members=has_members, may_ask=may_ask)
    return page(title, gap(), *others, say(words.BOTS), row(*bots), last)


def together_page() -> Page:
    """Build the page of games with others."""
    ways = [
        button(LIGHT_DOOR(door=Door.DUEL.value), say(words.DOORS[Door.DUEL]), _BLUE),
        button(SET(), say(equations.FORM_TITLE)),
    ]
    raced = [button(OPEN(kind=game), races.race_name(game.rules())) for game in Choosing]
    return page(words.together(), gap(), row(*ways), row(*raced), row(_back()))


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
