"""`/focdle` and `/practice`: commands, buttons and forms of a board."""

import logging
from collections.abc import Mapping
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.clock import PuzzleName
from bot.coach.game import Comparison
from bot.coach.model import FirstHintError
from bot.focdle.ending_words import archive_choice
from bot.focdle.model import GuessRefusedError, Play, WhichPuzzleError
from bot.focdle.plays import refusal_of
from bot.focdle.words import HARD_NOTES, LEVELS
from bot.games.model import GameName, Source
from bot.games.words import latest_hint
from bot.people.game import Cost
from bot.posts import words as morning_words
from bot.posts.model import ChannelUnusableError
from bot.refused import NotManagerError
from bot.text import labels
from bot.text.language import say
from bot.text.markup import code
from cogs.coach import FIND
from cogs.focdle.page import (
    ASK,
    ASK_FOR_BETTER,
    BEST,
    BETTER_FORM,
    EDIT,
    FIELDS,
    FORM,
    GIVE_UP,
    GUESS,
    HARD,
    HINT,
    KEEP,
    KEYPAD,
    LENGTH,
    MORE,
    PROBE,
    SEND,
    TODAY,
    better_answer,
    better_question,
    better_refused,
    draw_board,
    give_up_question,
    guess_form,
    hint_question,
)
from cogs.focdle.sharing import OPEN, OPEN_FROM_CARD, OPEN_FROM_POST, ask_which, share_by_itself
from cogs.ui.choosing import check_channel, managed_server, proposal
from cogs.ui.dispatch import costs
from cogs.ui.help import PRACTICE
from cogs.ui.languages import language_of
from cogs.ui.pages import MOST_NAMED, button, fitted, notice
from cogs.ui.replies import (
    Attempt,
    Interaction,
    in_good_time,
    note_attempt,
    open_on_page,
    server_of,
    show,
    whisper,
)
from cogs.ui.routes import COUNT, By, Route, kept_text, picked, pressed, submitted
from engine.levels import Level

log = logging.getLogger(__name__)

MORNING: Final = Route("set:morning:{on:switch}")


async def offer_daily_posts(interaction: Interaction, play: Play) -> None:
    """Offer daily posts to a manager after their first daily here; once for each server.

    Nothing is offered where the bot may not post.
    """
    is_from_here = play.puzzle is not None and interaction.guild_id == play.guild_id
    if not is_from_here or play.game.outcome is None:
        return
    try:
        guild_id = _channel_for_posts(interaction).guild.id
    except (NotManagerError, ChannelUnusableError):
        return
    if await interaction.client.services.posts.choices.ask_once(guild_id, play.player_id):
        yes = button(MORNING(on=True), say(morning_words.YES_BUTTON), discord.ButtonStyle.primary)
        no = button(MORNING(on=False), say(morning_words.NO_BUTTON))
        await whisper(interaction, notice(say(morning_words.QUESTION), [yes, no]))


@pressed(MORNING, by=By.MANAGERS)
async def answer(interaction: Interaction, on: bool) -> None:
    """Turn daily posts in this channel on, or leave them off, as a manager has answered."""
    offer = None
    if on:
        channel, service = _channel_for_posts(interaction), interaction.client.services.settings
        settings = await service.change(channel.guild.id, channel_id=channel.id)
        spoken_here = await language_of(interaction.client, channel.guild.id)
        offer = proposal(settings.language, spoken_here)
    await show(interaction, notice(say(morning_words.SETTLED[on]), [offer] if offer else []))


def _channel_for_posts(interaction: Interaction) -> discord.TextChannel:
    """Return this channel, if the member is a manager and the bot may post dailies here.

    Raises:
        NotManagerError: the member is no manager.
        ChannelUnusableError: the bot may not post here, or this is no text channel.
    """
    guild, channel_id = managed_server(interaction), interaction.channel_id or 0
    check_channel(guild, channel_id)
    channel = guild.get_channel(channel_id)
    if not isinstance(channel, discord.TextChannel):
        raise ChannelUnusableError(channel_id=channel_id, missing=[])
    return channel


async def show_board(
    interaction: Interaction, play: Play, refused: GuessRefusedError | None = None
) -> None:
    """Show a play's board and any refusal; share a new result if the player has chosen that."""
    await show(interaction, await draw_board(interaction, play, refused))
    if play.ending.shares_to is not None:
        await share_by_itself(interaction, play, play.ending.shares_to)


async def show_guessed(interaction: Interaction, play: Play) -> None:
    """Show the board after a guess; offer daily posts if the guess ended a first daily."""
    await show_board(interaction, play)
    await offer_daily_posts(interaction, play)


@pressed(GUESS, EDIT, by=By.PLAYERS)
async def ask_for_guess(interaction: Interaction, play: int, draft: str = "") -> None:
    """Open the guess form with `draft` in it, or show the board of a finished game."""
    found = await interaction.client.services.daily.view(interaction.user.id, play)
    if found.game.outcome is None:
        await guess_form(found, interaction.client.tiles, draft).present(interaction)
    else:
        await show_board(interaction, found)


@pressed(KEYPAD, by=By.PLAYERS)
async def give_link_to_page(interaction: Interaction, play: int) -> None:
    """Open the same board on the web page within Discord, or give a link to it."""
    await interaction.client.services.daily.view(interaction.user.id, play)  # it must be their own
    await open_on_page(interaction, GameName(Source.PLAY, play))


@submitted(FORM, fields=FIELDS, by=By.PLAYERS, cost=Cost.FREE, again=SEND)
async def guess_as_typed(interaction: Interaction, values: Mapping[str, str], play: int) -> None:
    await _guess(interaction, play, values["guess"])


@pressed(SEND, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def repeat_guess(interaction: Interaction, play: int, draft: str) -> None:
    """Send a guess again that failed for lack of time.

    If it was played after all, it is refused as a repeated one, which costs nothing.
    """
    await _guess(interaction, play, draft)


@pressed(PROBE, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def guess_as_probe(interaction: Interaction, play: int, guess: str) -> None:
    await _guess(interaction, play, guess, as_probe=True)


async def _guess(
    interaction: Interaction, play_id: int, text: str, *, as_probe: bool = False
) -> None:
    daily, player = interaction.client.services.daily, interaction.user.id
    try:
        play = await daily.guess(player, play_id, text, as_probe=as_probe)
    except GuessRefusedError as error:
        await show_board(interaction, error.play, error)
    else:
        await show_guessed(interaction, play)


@pressed(PRACTICE, by=By.ANYBODY, cost=Cost.HEAVY)
async def practise(interaction: Interaction, length: int, level: Level | None = None) -> None:
    """Open a practice in a private message of its own; the message with the button stays."""
    practice, player = interaction.client.services.practice, interaction.user.id
    play = await practice.open(player, server_of(interaction), length, level)
    await whisper(interaction, await draw_board(interaction, play))


@pressed(TODAY, by=By.ANYBODY, cost=Cost.HEAVY)
async def open_today_beside(interaction: Interaction) -> None:
    """Open today's daily in a message of its own: the board that is over can still be shared."""
    daily, player = interaction.client.services.daily, interaction.user.id
    await whisper(
        interaction, await draw_board(interaction, await daily.open(player, server_of(interaction)))
    )


@picked(LENGTH, of=COUNT, by=By.PLAYERS, cost=Cost.HEAVY)
async def choose_length(interaction: Interaction, length: int, play: int) -> None:
    """Show a practice of the chosen length in place of this one."""
    practice, player = interaction.client.services.practice, interaction.user.id
    found = await practice.swap(player, server_of(interaction), play, length)
    await show_board(interaction, found)


@pressed(MORE, by=By.PLAYERS)
async def show_more(interaction: Interaction, play: int, draft: str = "") -> None:
    found = await interaction.client.services.daily.view(interaction.user.id, play)
    refused = refusal_of(found, draft)
    await show(interaction, await draw_board(interaction, found, refused, more=True))


@pressed(HARD, by=By.PLAYERS)
async def choose_hard_mode(interaction: Interaction, on: bool, play: int) -> None:
    """Turn hard mode on or off, as in `/preferences`. A game that has begun keeps its mode."""
    player, services, note = interaction.user.id, interaction.client.services, ""
    found = await services.daily.view(player, play)
    if not found.game.turns:
        await services.preferences.set_hard_mode(player, on=on)
        found = await services.daily.view(player, play)
        note = say(HARD_NOTES[on])
    await show(interaction, await draw_board(interaction, found, note=note))


@pressed(ASK, by=By.PLAYERS)
async def ask_whether_to_give_up(interaction: Interaction, play: int) -> None:
    """Ask whether to give up a practice that goes on; show the board of any other play."""
    found = await interaction.client.services.daily.view(interaction.user.id, play)
    asks = found.is_practice and found.game.outcome is None
    question = give_up_question(found) if asks else None
    await show(interaction, await draw_board(interaction, found, question=question))


@pressed(GIVE_UP, by=By.PLAYERS)
async def give_up(interaction: Interaction, play: int) -> None:
    practice = interaction.client.services.practice
    await show_board(interaction, await practice.give_up(interaction.user.id, play))


@pressed(HINT, by=By.PLAYERS)
async def give_hint(
    interaction: Interaction, game: int, turns: int, taken: int, *, sure: bool = False
) -> None:
    """Take a hint, and say what it shows; ask before a player's first one that costs a point."""
    hints, player = interaction.client.services.coach.hints, interaction.user.id
    try:
        found = await hints.of_play(player, game, turns, taken, asks=not sure)
    except FirstHintError:
        found = await interaction.client.services.daily.view(player, game)
        question = hint_question(found)
        await show(interaction, await draw_board(interaction, found, question=question))
        return
    given = found.hints[taken:][-1:]
    note = "".join(latest_hint(hint, code(hint.symbol)) for hint in given)
    await show(interaction, await draw_board(interaction, found, note=note))


@pressed(FIND, by=By.PLAYERS)
async def find_better(interaction: Interaction, source: Source, game: int, turn: int) -> None:
    """Show a finished game's board as it was before a guess, and ask for a better guess."""
    lessons, name = interaction.client.services.coach.lessons, GameName(source, game)
    lesson = await lessons.of(interaction.user.id, name, turn)
    page = await draw_board(interaction, lesson.play, question=better_question(lesson))
    await show(interaction, page)


@pressed(ASK_FOR_BETTER, by=By.PLAYERS)
async def ask_for_better(
    interaction: Interaction, source: Source, game: int, turn: int, draft: str = ""
) -> None:
    lessons, name = interaction.client.services.coach.lessons, GameName(source, game)
    lesson = await lessons.of(interaction.user.id, name, turn)
    custom_id = BETTER_FORM(source=source, game=game, turn=turn)
    await guess_form(lesson.play, interaction.client.tiles, draft, custom_id).present(interaction)


@submitted(BETTER_FORM, fields=FIELDS, by=By.PLAYERS, cost=Cost.COACH)
async def better_as_typed(
    interaction: Interaction, values: Mapping[str, str], source: Source, game: int, turn: int
) -> None:
    lessons, name = interaction.client.services.coach.lessons, GameName(source, game)
    answer = lessons.answer(interaction.user.id, name, turn, values["guess"])
    try:
        found = await in_good_time(interaction, answer)
    except GuessRefusedError as error:
        asked = better_refused(error, name, turn)
        await show(interaction, await draw_board(interaction, error.play, question=asked))
    else:
        await _tell(interaction, found)


@pressed(BEST, by=By.PLAYERS, cost=Cost.COACH)
async def show_best(interaction: Interaction, source: Source, game: int, turn: int) -> None:
    lessons, name = interaction.client.services.coach.lessons, GameName(source, game)
    best = lessons.best(interaction.user.id, name, turn)
    await _tell(interaction, await in_good_time(interaction, best))


async def _tell(interaction: Interaction, found: Comparison) -> None:
    told = better_answer(found)
    await show(interaction, await draw_board(interaction, found.lesson.play, question=told))


@pressed(KEEP, by=By.PLAYERS)
async def keep_playing(interaction: Interaction, play: int) -> None:
    await show_board(
        interaction, await interaction.client.services.daily.view(interaction.user.id, play)
    )


@pressed(OPEN, OPEN_FROM_CARD, OPEN_FROM_POST, by=By.ANYBODY, cost=Cost.HEAVY)
async def open_puzzle(interaction: Interaction, number: int, length: int) -> None:
    """Open the presser's own board of a daily in a private message."""
    daily, player = interaction.client.services.daily, interaction.user.id
    name = PuzzleName(number, length)
    await show_board(interaction, await daily.open(player, server_of(interaction), puzzle=name))


SEND_TODAY: Final = Route("fd:today:{draft}")


def _cost(options: app_commands.Namespace) -> Cost:
    """Return the cost of `/focdle`. With a guess it is free, as guesses in the form are."""
    return Cost.HEAVY if options.guess is None else Cost.FREE


@pressed(SEND_TODAY, by=By.ANYBODY, cost=Cost.FREE, is_kept=True)
async def guess_today(interaction: Interaction, draft: str) -> None:
    """Send a guess again that failed for lack of time: open today's daily and guess there."""
    await open_daily(interaction, None, draft)


async def open_daily(interaction: Interaction, puzzle: str | None, guess: str | None) -> None:
    daily, player = interaction.client.services.daily, interaction.user.id
    draft = kept_text(guess or "")
    if draft and puzzle is None:
        note_attempt(interaction, Attempt(SEND_TODAY(draft=draft), draft))
    try:
        play = await daily.open(player, server_of(interaction), puzzle=puzzle, guess=guess)
    except GuessRefusedError as error:
        await show_board(interaction, error.play, error)
    except WhichPuzzleError as error:
        await ask_which(interaction, error)
    else:
        if guess is None:
            await show_board(interaction, play)
        else:
            await show_guessed(interaction, play)


SHOW_FINISHED: Final = Route("games:look:focdle:{game:int}")


@pressed(SHOW_FINISHED, by=By.PLAYERS, cost=Cost.HEAVY)
async def show_finished(interaction: Interaction, game: int) -> None:
    """Show a finished game in a new message; the list of games stays, to open another."""
    play = await interaction.client.services.daily.view(interaction.user.id, game)
    await whisper(interaction, await draw_board(interaction, play))


class FocdleCog(commands.Cog):
    """Commands of FoCdle: the daily, its archive, practice."""

    @app_commands.command(name="focdle", description=labels.FOCDLE, extras=costs(_cost))
    @app_commands.describe(guess=labels.FOCDLE_GUESS, puzzle=labels.FOCDLE_PUZZLE)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def focdle(
        self, interaction: Interaction, guess: str | None = None, puzzle: str | None = None
    ) -> None:
        await open_daily(interaction, puzzle, guess)

    @focdle.autocomplete("puzzle")
    async def complete_puzzle(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Propose puzzles, each with the state of the player's play."""
        daily = interaction.client.services.daily
        entries = await daily.archive(interaction.user.id, server_of(interaction), typed)
        return [
            app_commands.Choice(
                name=fitted(archive_choice(entry), MOST_NAMED, "a choice"), value=f"#{entry.puzzle}"
            )
            for entry in entries
        ]

    @app_commands.command(name="practice", description=labels.PRACTICE, extras=costs(Cost.HEAVY))
    @app_commands.describe(length=labels.PRACTICE_LENGTH, level=labels.PRACTICE_LEVEL)
    @app_commands.choices(
        level=[app_commands.Choice(name=say(name), value=each) for each, name in LEVELS.items()]
    )
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def practice(
        self,
        interaction: Interaction,
        length: int | None = None,
        level: app_commands.Choice[str] | None = None,
    ) -> None:
        wanted = None if level is None else Level(level.value)
        practice = interaction.client.services.practice
        player, guild = interaction.user.id, server_of(interaction)
        await show_board(interaction, await practice.open(player, guild, length, wanted))
