"""Before a duel and after it: challenges, their answers, rematches."""

from collections.abc import Coroutine, Mapping
from typing import Any

import discord

from bot.presentation.base.language import say
from bot.presentation.duels import labels as words
from bot.presentation.invitations import declined, not_called
from bot.presentation.refusals import refusal
from bot.services.base.allowance import Cost
from bot.services.base.errors import Speech
from bot.services.duels.errors import AlreadyUnderWayError, DuelOverError, NowhereToPostError
from bot.services.duels.inviting import Challenge
from bot.services.duels.model import DuelGame
from bot.services.duels.options import Options, Wishes
from bot.services.duels.transitions import State
from cogs.base.pages import notice
from cogs.base.presence import require_present, usable_channel
from cogs.base.replies import Interaction, in_good_time, services_of, whisper
from cogs.base.routes import By, pressed, submitted
from cogs.base.voice import Voice, voice_here, voice_in
from cogs.duels.messages import move_to_thread, post_board, public, publish_if_changed
from cogs.duels.moves import is_public, settle, show_page
from cogs.duels.options_form import (
    BOT_FIELDS,
    BOT_FORM,
    FIELDS,
    FORM,
    bot_form,
    challenge_form,
    chosen_for_bot,
    chosen_for_member,
)
from cogs.duels.pages import (
    ACCEPT,
    DECLINE,
    REMATCH,
    STRONGER,
    WITHDRAW,
    board_page,
    board_url,
    look_of,
    notebook_page,
)
from cogs.invitations import offer_no_more


async def start_duel(
    interaction: Interaction,
    opponent: discord.Member | discord.User | None,
    wanted: Options | Wishes,
) -> None:
    """Challenge a member, or play the bot at once.

    Raises:
        ServiceError: there can be no such duel, or not here.
    """
    me = interaction.client.user
    if opponent is None or (me is not None and opponent.id == me.id):
        inviting = services_of(interaction).duels.inviting
        challenge = Challenge(interaction.user.id, None)
        options = await inviting.prepare(challenge, wanted)
        game = await in_good_time(interaction, inviting.challenge(challenge, options))
        await show_page(interaction, game)
    else:
        await _challenge(interaction, opponent.id, wanted, to_other_bot=opponent.bot)


async def _challenge(
    interaction: Interaction,
    opponent_id: int,
    wanted: Options | Wishes,
    *,
    to_other_bot: bool = False,
) -> None:
    voice, challenge, options = await _prepare(
        interaction, opponent_id, wanted, to_other_bot=to_other_bot
    )
    inviting = services_of(interaction).duels.inviting
    await _announce(interaction, voice, await inviting.challenge(challenge, options))


async def _prepare(
    interaction: Interaction,
    opponent_id: int,
    wanted: Options | Wishes,
    *,
    to_other_bot: bool = False,
) -> tuple[Voice, Challenge, Options]:
    """A challenge that can be made here, leave to announce it, and what the duel is to be.

    Raises:
        ServiceError: there can be no such duel, or not here.
    """
    guild_id, channel_id = usable_channel(interaction)
    voice = voice_here(interaction, Speech.CHALLENGE)
    challenge = Challenge(
        interaction.user.id, opponent_id, guild_id, channel_id, to_other_bot=to_other_bot
    )
    options = await services_of(interaction).duels.inviting.prepare(challenge, wanted)
    await require_present(interaction, opponent_id)
    return voice, challenge, options


async def _announce(interaction: Interaction, voice: Voice, game: DuelGame) -> None:
    """Post the challenge, which alone pings the challenged member; or take it all back."""
    duels = services_of(interaction).duels
    try:
        page = public(interaction.client, game, board_page)
        message_id = await voice.say(page, calls=game.opponent_id or 0 if game.calls else 0)
    except BaseException:
        await duels.inviting.take_back(game.id)
        raise
    is_other = interaction.channel_id != game.channel_id
    thread_id = interaction.channel_id if is_other else None
    await duels.playing.published(game.id, message_id, thread_id, version=game.version)
    if not game.calls:
        await whisper(interaction, notice(not_called(game.opponent_id or 0)))


async def ask_for_options(
    interaction: Interaction, opponent_id: int, name: str, *, is_bot: bool
) -> None:
    """Open the form with a duel's options, unless this member cannot be challenged here.

    Args:
        interaction: where it is asked.
        opponent_id: who is to be challenged.
        name: what they are called here.
        is_bot: whether they are a bot, this one or another.

    Raises:
        ServiceError: that is so.
    """
    me = interaction.client.user
    if me is not None and opponent_id == me.id:
        await ask_for_bot(interaction)
        return
    _, _, usual = await _prepare(interaction, opponent_id, Wishes(), to_other_bot=is_bot)
    await challenge_form(opponent_id, name, usual).present(interaction)


@submitted(FORM, fields=FIELDS, by=By.ANYBODY)
async def challenge_with_options(
    interaction: Interaction, values: Mapping[str, Any], opponent: int
) -> None:
    """Challenge the member."""
    await _challenge(interaction, opponent, chosen_for_member(values))


async def ask_for_bot(interaction: Interaction) -> None:
    """Open the form with the options of a duel with the bot.

    Raises:
        ServiceError: the player has too many duels open.
    """
    inviting = services_of(interaction).duels.inviting
    usual = await inviting.prepare(Challenge(interaction.user.id, None), Wishes())
    await bot_form(usual).present(interaction)


@submitted(BOT_FORM, fields=BOT_FIELDS, by=By.ANYBODY)
async def play_with_options(interaction: Interaction, values: Mapping[str, Any]) -> None:
    """Begin a duel with the bot."""
    await start_duel(interaction, None, chosen_for_bot(values))


@pressed(ACCEPT, by=By.PLAYERS, cost=Cost.FREE)
async def accept(interaction: Interaction, duel: int) -> None:
    """Accept a challenge; everybody sees what became of it."""
    inviting = services_of(interaction).duels.inviting
    game = await _answer(interaction, inviting.accept(interaction.user.id, duel))
    await settle(interaction, game)
    await _tell_of_closed(interaction, game)
    if game.thread_id is None:
        await _give_thread(interaction, game)


async def _tell_of_closed(interaction: Interaction, game: DuelGame) -> None:
    if game.has_closed:
        await whisper(interaction, notice(say(words.HAS_CLOSED)))


@pressed(DECLINE, by=By.PLAYERS)
async def decline(interaction: Interaction, duel: int) -> None:
    """Decline a challenge; who made it may be heard no more, even if they took it back."""
    inviting = services_of(interaction).duels.inviting
    try:
        game = await _answer(interaction, inviting.decline(interaction.user.id, duel))
    except DuelOverError as error:
        game, told = error.game, refusal(error) or ""
    else:
        told = declined(game.challenger_id or 0, is_rematch=game.is_rematch)
        await settle(interaction, game)
    await offer_no_more(interaction, told, game.challenger_id or 0)


@pressed(WITHDRAW, by=By.PLAYERS)
async def withdraw(interaction: Interaction, duel: int) -> None:
    """Take a challenge back."""
    inviting = services_of(interaction).duels.inviting
    game = await _answer(interaction, inviting.withdraw(interaction.user.id, duel))
    await settle(interaction, game)


async def _answer(interaction: Interaction, answer: Coroutine[Any, Any, DuelGame]) -> DuelGame:
    """The duel after an answer; if that came too late, everybody sees how it stands.

    Raises:
        DuelOverError, AlreadyUnderWayError: it came too late.
    """
    try:
        return await answer
    except (DuelOverError, AlreadyUnderWayError) as error:
        await settle(interaction, error.game)
        raise


async def _give_thread(interaction: Interaction, game: DuelGame) -> None:
    """Move a duel that was accepted on its board to a thread, where the server wants that."""
    if not is_public(interaction) or not isinstance(interaction.channel, discord.TextChannel):
        return
    settings = await services_of(interaction).settings.view(interaction.channel.guild.id)
    may = interaction.app_permissions
    if not settings.duel_threads or not (
        may.create_public_threads and may.send_messages_in_threads
    ):
        return
    try:
        challenger = await interaction.channel.guild.fetch_member(game.challenger_id or 0)
    except discord.HTTPException:
        return
    name = words.thread_name(challenger.display_name, interaction.user.display_name)
    await move_to_thread(interaction, game, name)


@pressed(REMATCH, by=By.PLAYERS)
async def ask_for_rematch(interaction: Interaction, duel: int) -> None:
    """The same again, the other one moving first: challenge, or accept the challenge there is."""
    duels, player = services_of(interaction).duels, interaction.user.id
    before = await duels.playing.view(player, duel)
    if before.is_against_bot:
        await _play_the_bot_again(interaction, duels.inviting.rematch(player, duel))
        return
    voice, game = None, await duels.inviting.prepare_rematch(player, duel)
    if game is None:
        voice = await _voice_for_rematch(interaction, before)
        game = await duels.inviting.rematch(player, duel)
    if game.state is State.INVITED and game.opponent_id == player:
        game = await duels.inviting.accept(player, game.id)
        await whisper(interaction, notice(words.rematch_accepted(board_url(game))))
        await _tell_of_closed(interaction, game)
        await publish_if_changed(interaction.client, duels.boards, game)
    elif voice is not None and await duels.inviting.claim_posting(game.id):
        await _post_rematch(interaction, voice, game)
    else:
        await whisper(interaction, notice(words.rematch_asked(board_url(game))))


@pressed(STRONGER, by=By.PLAYERS)
async def try_the_stronger_bot(interaction: Interaction, duel: int) -> None:
    """The same with the bot at its next strength."""
    inviting, player = services_of(interaction).duels.inviting, interaction.user.id
    await _play_the_bot_again(interaction, inviting.rematch(player, duel, stronger=True))


async def _play_the_bot_again(
    interaction: Interaction, opened: Coroutine[Any, Any, DuelGame]
) -> None:
    """Show the new duel in a private message of its own; the finished one stays."""
    game = await in_good_time(interaction, opened)
    notebook = await services_of(interaction).duels.games.notebook_of(interaction.user.id, game)
    await whisper(interaction, notebook_page(notebook, look_of(interaction.client)))


async def _voice_for_rematch(interaction: Interaction, before: DuelGame) -> Voice:
    """Leave to post the challenge here or, if this is a private message, where the duel was."""
    opponent_id = before.seats[1 - (before.seat_of(interaction.user.id) or 0)].player_id or 0
    if not is_public(interaction):
        await require_present(interaction, opponent_id, before.guild_id)
        try:
            place = before.channel_id
            return await voice_in(interaction, Speech.REMATCH, before.guild_id, place)
        except (discord.NotFound, discord.Forbidden) as error:
            raise NowhereToPostError(game=before) from error
    usable_channel(interaction)
    await require_present(interaction, opponent_id, before.guild_id)
    return voice_here(interaction, Speech.REMATCH)


async def _post_rematch(interaction: Interaction, voice: Voice, game: DuelGame) -> None:
    if is_public(interaction):
        await _announce(interaction, voice, game)
        return
    inviting = services_of(interaction).duels.inviting
    opponent_id, calls = game.opponent_id or 0, game.calls
    try:
        place, called = game.channel_id or 0, opponent_id if calls else 0
        game = await post_board(interaction, voice, game, place, calls=called)
    except BaseException as error:
        await inviting.take_back(game.id)
        if isinstance(error, discord.NotFound | discord.Forbidden):
            raise NowhereToPostError(game=game) from error
        raise
    await whisper(interaction, notice(words.rematch_posted(board_url(game))))
    if not calls:
        await whisper(interaction, notice(not_called(opponent_id)))
