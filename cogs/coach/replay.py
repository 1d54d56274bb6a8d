"""*Replay*: a finished Mastermind or duel guess by guess, for its player or for a channel."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import discord
from discord import ui

from bot.coach.game.replays import Replay
from bot.coach.pages import replay as words
from bot.coach.pages.page import COACH_BUTTON
from bot.games.model.games import GameName, Source
from bot.refused import Speech
from bot.text.language import say
from bot.text.pegs import Pegs
from bot.text.tiles import Tiles
from cogs.coach.routes import REPLAY, SHOW, STEP, TURN
from cogs.ui.pages import Items, Page, button, text_page
from cogs.ui.public import in_language
from cogs.ui.replies import Interaction, pegs_of, server_of, services_of, show, tiles_of
from cogs.ui.routes import By, pressed
from cogs.ui.shares import channel_of, post_result
from cogs.ui.voice import voice_here


def replay_button(game: GameName) -> ui.Button[Any]:
    """What opens the replay of a finished game, before its first guess."""
    custom_id = REPLAY(source=game.source, game=game.id, seat=game.seat)
    return button(custom_id, say(words.REPLAY_BUTTON))


def replay_page(
    replay: Replay,
    step: int,
    pegs: Pegs,
    tiles: Tiles | None = None,
    more: Items = (),
    *,
    is_public: bool = False,
) -> Page:
    """A replay after so many guesses.

    Args:
        replay: the game.
        step: how many; more than there are mean all.
        pegs: how pegs are shown.
        tiles: the emojis to draw with; squares without them.
        more: what stands below its own buttons.
        is_public: whether everybody sees it.
    """
    at = min(step, len(replay.steps))
    board = words.replay_board(replay, at, pegs, tiles)
    if is_public:
        board = dataclasses.replace(board, foot=words.whose_buttons(replay))
    return text_page(board, [_ways(replay, at), more])


def _ways(replay: Replay, step: int) -> Iterator[ui.Button[Any]]:
    """Back, on, and to the other end; always in the same places."""
    last = len(replay.steps)
    styles = discord.ButtonStyle

    def to(at: int) -> str:
        game = replay.game
        return STEP(
            player=replay.player_id, source=game.source, game=game.id, seat=game.seat, step=at
        )

    yield button(to(max(step - 1, 0)), say(words.BACK_BUTTON), disabled=not step)
    if step < last:
        yield button(to(step + 1), say(words.NEXT_BUTTON), styles.primary)
    if step < last - 1:
        yield button(to(last), say(words.END_BUTTON))
    elif step == last > 1:  # from the first guess, the start is one step back
        yield button(to(0), say(words.START_BUTTON))


@pressed(REPLAY, by=By.PLAYERS)
async def open_replay(
    interaction: Interaction, source: Source, game: int, seat: int | None
) -> None:
    """Show it to its player, in place of a private page."""
    replays, name = services_of(interaction).coach.replays, GameName(source, game, seat)
    replay = await replays.of(interaction.user.id, name, server_of(interaction))
    await show(interaction, _private(interaction, replay, 0))


@pressed(STEP, by=By.ONLOOKERS)
async def turn(
    interaction: Interaction, player: int, source: Source, game: int, seat: int | None, step: int
) -> None:
    """Go to another guess: in place for who shows the replay, else in a copy of one's own."""
    replays, name = services_of(interaction).coach.replays, GameName(source, game, seat)
    here, is_own = server_of(interaction), player == interaction.user.id
    if is_own:
        replay = await replays.of(player, name, here)
    else:
        replay = await replays.shown(player, name, here, channel_of(interaction))
    message = interaction.message
    is_private = message is not None and message.flags.ephemeral
    if is_private or not is_own:
        await show(interaction, _private(interaction, replay, step))
    else:
        await interaction.response.edit_message(view=_public(interaction, replay, step))


@pressed(SHOW, by=By.PLAYERS)
async def show_to_all(
    interaction: Interaction, source: Source, game: int, seat: int | None
) -> None:
    """Post the replay to the channel, before its first guess."""
    name = GameName(source, game, seat)
    replays = services_of(interaction).coach.replays
    replay = await replays.to_show(interaction.user.id, name, server_of(interaction))

    async def draw(_face: object) -> Page:
        return _public(interaction, replay, 0)

    await post_result(interaction, name, voice_here(interaction, Speech.GAME), draw)


def _public(interaction: Interaction, replay: Replay, step: int) -> Page:
    """What everybody sees, in the language of the server."""
    tag = str(interaction.guild_locale or interaction.locale)
    pegs, tiles = pegs_of(interaction), tiles_of(interaction)
    return in_language(tag, lambda: replay_page(replay, step, pegs, tiles, is_public=True))


def _private(interaction: Interaction, replay: Replay, step: int) -> Page:
    """The page of who looks alone; only its player may ask the coach, or show it to others."""
    game, more = replay.game, list[ui.Button[Any]]()
    if replay.player_id == interaction.user.id:
        facts = {"source": game.source, "game": game.id, "seat": game.seat}
        more.append(button(TURN(number=0, **facts), say(COACH_BUTTON)))
        if replay.is_for_everybody:
            more.append(button(SHOW(**facts), say(words.SHOW_BUTTON)))
    return replay_page(replay, step, pegs_of(interaction), tiles_of(interaction), more)
