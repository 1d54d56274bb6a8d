"""What *Share* of all games has in common; *Is it fair?*; who may challenge a player."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import discord
from discord import ui

from bot.games.model import Commitment, GameName
from bot.games.words import to_copy
from bot.home import words
from bot.home.game import Verified
from bot.home.preferences import Preferences
from bot.home.words import FAIRNESS, Door
from bot.page.game import nonce_of
from bot.page.model import WebPost
from bot.people.model import Blocked, Face
from bot.refusals import refusal
from bot.refused import BeingSharedError, Refused
from bot.text import labels
from bot.text.labels import SHARE_BUTTON, TRY_BUTTON
from bot.text.language import say, speak
from bot.text.markup import is_forgotten
from bot.text.tiles import Mood, TextBoard
from cogs.ui.deliveries import was_refused
from cogs.ui.help import LIGHT_DOOR, help_button, with_add_button
from cogs.ui.host import Host
from cogs.ui.languages import language_of, speak_here, speak_to
from cogs.ui.pages import Page, beside, button, line, new_id, notice, page, row, spaced, text_page
from cogs.ui.replies import Interaction, server_of, show, whisper
from cogs.ui.routes import USER, By, Route, picked, pressed
from cogs.ui.voices import Voice, voice_here

Draw = Callable[[Face | None], Awaitable[Page]]


def share_button(custom_id: str, *, stands_out: bool = True) -> ui.Button[Any]:
    styles = discord.ButtonStyle
    return button(custom_id, say(SHARE_BUTTON), styles.success if stands_out else styles.secondary)


def channel_of(interaction: Interaction) -> int:
    """Return the id of an interaction's channel; the user's, if Discord names no channel."""
    return interaction.channel_id or interaction.user.id


async def post_board(
    interaction: Interaction, name: GameName, draw: Callable[[], TextBoard], door: Door, plain: str
) -> None:
    """Post a finished game as a board of text; a button leads others to the game of `door`.

    If that is refused, say why, and give `plain` to be copied.
    """
    try:
        voice = voice_here(interaction, labels.SHARE_IN)
        await post_result(interaction, name, voice, as_page(draw, door))
    except Refused as error:
        await whisper(interaction, notice(f"{refusal(error) or ''}\n{to_copy(plain)}"))


def as_page(draw: Callable[[], TextBoard], door: Door) -> Draw:
    async def draw_page(face: Face | None) -> Page:
        way = button(LIGHT_DOOR(door=door.value), say(TRY_BUTTON))
        board = replace(draw(), face_at=0)  # the avatar is of the player who shares, won or lost
        return text_page(board, [[way]], face=face)

    return draw_page


async def post_result(interaction: Interaction, name: GameName, voice: Voice, draw: Draw) -> None:
    """Claim a result's post, send it, and note that; give the claim back if it was not sent.

    `draw` builds the message with the player's avatar, in the server's language. Where the bot is
    no member, a link below adds it to a server.
    """
    sharing = interaction.client.services.sharing
    channel_id = channel_of(interaction)
    guild_id = interaction.guild_id or 0
    face = await sharing.claim(interaction.user.id, name, channel_id, guild_id)
    await speak_here(interaction)
    result: Page | None = None
    try:
        result = await draw(face)
        if server_of(interaction) is None:
            with_add_button(interaction.client, result)
        await voice.say(result)
    except Exception as error:
        if result is None or was_refused(error):
            await sharing.undone(name, channel_id)
        raise
    finally:
        await speak_to(interaction)
    await sharing.done(name, channel_id)


async def post_from_page(client: Host, post: WebPost, voice: Voice, draw: Draw) -> None:
    """As `post_result`, for a player of the page; a second attempt goes on with the first one."""
    sharing, name, face = client.services.sharing, GameName.read(post.place), None
    channel_id, is_first = post.channel_id, post.tried_at == post.claimed_at
    try:
        face = await sharing.claim(post.player_id, name, channel_id, post.guild_id)
    except BeingSharedError:
        if is_first:
            raise
    speak(await language_of(client, post.guild_id))
    result: Page | None = None
    try:
        result = await draw(face)
        await voice.say(result, nonce_of(post))
    except Exception as error:
        if is_first and (result is None or was_refused(error)):
            await sharing.undone(name, channel_id)
        raise
    await sharing.done(name, channel_id)


VERIFY: Final = Route("verify:{source:play|mastermind|duel}:{game:int}")


def verified_page(verified: Verified) -> Page:
    """Build the page of a game's seals: for noting them or, after the game, for checking them."""
    more = help_button(FAIRNESS, say(words.FAIRNESS_BUTTON))
    return page(*spaced(words.verification(verified)), row(more))


def verify_of(
    source: str, game_id: int, *commitments: Commitment | None
) -> Iterator[ui.Button[Any]]:
    """Yield *Is it fair?* if a game has any commitment; `source` is play, mastermind or duel."""
    if any(found is not None for found in commitments):
        yield button(VERIFY(source=source, game=game_id), say(words.VERIFY_BUTTON))


@pressed(VERIFY, by=By.ONLOOKERS)
async def verify(interaction: Interaction, source: str, game: int) -> None:
    """Show a game's seals in a new private message, and how to check them once it is over."""
    verifying, player_id = interaction.client.services.verifying, interaction.user.id
    if source == "play":
        verified = await verifying.play(player_id, game)
    elif source == "mastermind":
        verified = await verifying.mastermind(player_id, game, interaction.guild_id)
    else:
        verified = await verifying.duel(player_id, game, interaction.guild_id)
    await whisper(interaction, verified_page(verified))


CHALLENGES: Final = Route("pref:challenges")
NO_CHALLENGES: Final = Route("pref:nochallenges:{on:switch}")
BLOCK: Final = Route("pref:block:{drawn:int}")
UNBLOCK: Final = Route("pref:unblock:{blocked:int}")
NO_MORE: Final = Route("inv:nomore:{blocked:int}")
MORE_PREFERENCES: Final = Route("pref:more")
"""The button for more preferences: its handler is in `cogs.home.preferences`."""

_MOST_SHOWN: Final = 6


@pressed(CHALLENGES, by=By.ANYBODY)
async def show_challenge_preferences(interaction: Interaction) -> None:
    services, player_id = interaction.client.services, interaction.user.id
    preferences = await services.preferences.view(player_id)
    blocked = await services.blocking.blocked(player_id)
    await show(interaction, challenges_page(preferences, blocked))


def challenges_page(preferences: Preferences, blocked: Sequence[Blocked]) -> Page:
    """Build the page on which a player chooses whether to be challenged, and whom they block."""
    choice, change = words.no_challenges(preferences)
    switch = button(NO_CHALLENGES(on=not preferences.no_challenges), change)
    unblock_words = say(words.UNBLOCK_BUTTON)
    shown = [
        beside(words.blocked_line(one), button(UNBLOCK(blocked=one.player_id), unblock_words))
        for one in blocked[:_MOST_SHOWN]
    ]
    rest = len(blocked[_MOST_SHOWN:])
    drawn = new_id()
    block_list = ui.UserSelect[Any](
        custom_id=BLOCK(drawn=drawn), id=drawn, placeholder=say(words.BLOCK_PLACEHOLDER)
    )
    return page(
        words.challenges_title(),
        line(),
        beside(choice, switch),
        line(),
        words.blocked_heading(blocked),
        *shown,
        words.blocked_rest(rest) if rest else "",
        row(block_list),
        row(button(MORE_PREFERENCES(), say(words.PREFERENCES_BUTTON))),
        mood=Mood.CALM,
    )


async def offer_no_more(interaction: Interaction, text: str, challenger_id: int) -> None:
    """Tell a player what came of declining a challenge; a button blocks the challenger."""
    no_more = [button(NO_MORE(blocked=challenger_id), say(words.NO_MORE_BUTTON))]
    await whisper(interaction, notice(text, [] if is_forgotten(challenger_id) else no_more))


@pressed(NO_MORE, by=By.ANYBODY)
async def hear_no_more(interaction: Interaction, blocked: int) -> None:
    """Block a challenger, by the button of `offer_no_more`."""
    await interaction.client.services.blocking.block(interaction.user.id, blocked)
    await show(interaction, notice(words.no_more_from(blocked)))


@pressed(NO_CHALLENGES, by=By.ANYBODY)
async def switch_challenges(interaction: Interaction, *, on: bool) -> None:
    preferences = interaction.client.services.preferences
    await preferences.set_no_challenges(interaction.user.id, on=on)
    await show_challenge_preferences(interaction)


@pressed(UNBLOCK, by=By.ANYBODY)
async def unblock(interaction: Interaction, blocked: int) -> None:
    await interaction.client.services.blocking.unblock(interaction.user.id, blocked)
    await show_challenge_preferences(interaction)


@picked(BLOCK, of=USER, by=By.ANYBODY)
async def block(interaction: Interaction, blocked_id: int) -> None:
    await interaction.client.services.blocking.block(interaction.user.id, blocked_id)
    await show_challenge_preferences(interaction)
