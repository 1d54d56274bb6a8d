"""Public messages of duels: boards, pictures, calls, and their timed loops."""

import io
import logging
from functools import partial
from typing import Final

import discord
from discord.ext import tasks

from bot.duels import words
from bot.duels.board_words import DRAW_FINAL, MOVED, final_picture
from bot.duels.boards import Boards, Nudge
from bot.duels.model import DuelView, State
from bot.games.game import nonce
from bot.games.model import Channel
from bot.page.game import nonce_of
from bot.page.model import WebPost
from bot.pool.pool import in_thread
from bot.refused import Refused
from bot.services import Services
from bot.text.language import say
from cogs.duels.pages import TAKE, board_page, board_url, duel_tiles_of, seek_page
from cogs.ui.deliveries import Refusal, delete_quietly, delivered, edit_post, is_too_late
from cogs.ui.host import Host
from cogs.ui.languages import for_server
from cogs.ui.members import may_attach
from cogs.ui.pages import Page, notice
from cogs.ui.replies import Interaction
from cogs.ui.schedule import TimedCog
from cogs.ui.voices import Voice, voice_of_page

ARCHIVED: Final = 50083
"""Discord's code of an error: the message is in an archived thread."""


async def _edit(client: Host, channel_id: int, message_id: int, view: Page) -> None:
    """Edit a board or a card; if it is in an archived thread, take that out of the archive."""
    channel = client.get_partial_messageable(channel_id)
    message = channel.get_partial_message(message_id)
    try:
        await message.edit(view=view, attachments=view.files)
    except discord.HTTPException as error:
        if error.code != ARCHIVED:
            raise
        thread = await client.fetch_channel(channel.id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)
        for file in view.files:
            file.reset()
        await message.edit(view=view, attachments=view.files)


log = logging.getLogger(__name__)

_NAME: Final = "duel.png"


def _has_picture(client: Host, view: DuelView) -> bool:
    """Return true for a duel that was played to its end, where the bot may attach files."""
    is_played = view.duel.state is State.OVER and any(seat.turns for seat in view.seats)
    return is_played and may_attach(client, view.duel.channel_id or 0)


async def _picture(client: Host, boards: Boards, view: DuelView) -> discord.File | None:
    """Draw the picture of a duel's end; None if that fails."""
    ended, album = await boards.ended(view.duel.id), client.album
    avatars = {} if album is None else await album.find(list(ended.faces.values()))
    try:
        drawn = await for_server(client, view.duel.guild_id, final_picture, ended, avatars)
        png = await in_thread(DRAW_FINAL, drawn)
    except Exception:
        log.exception("duel %d has no picture", view.duel.id)
        return None
    return discord.File(io.BytesIO(png), _NAME, description=drawn.description)


_MOST_EDITS: Final = 3


async def public(client: Host, view: DuelView, drawn: discord.File | None = None) -> Page:
    """Make the page of the public board in the language of a duel's server."""
    tiles, has_keypad = duel_tiles_of(client), bool(client.web_url)
    return await for_server(
        client, view.duel.guild_id, board_page, view, tiles, drawn, has_keypad=has_keypad
    )


async def publish(client: Host, boards: Boards, view: DuelView) -> None:
    """Edit the public board of a duel until it shows the present version, at most three times.

    At the end it has a picture of all rounds.
    A board that is gone is forgotten. One that the bot may not edit, or after an error that may
    pass, is edited by a later sweep. Nothing is done before the server's shard is ready.
    """
    if not client.hearing.knows(view.duel.guild_id):
        return
    for _ in range(_MOST_EDITS):
        if view.duel.message_id is None or not await _edit_board(client, boards, view):
            return
        newer = await boards.note_shown(view.duel)
        if newer is None:
            return
        view = newer


async def publish_if_changed(client: Host, boards: Boards, view: DuelView) -> None:
    if not view.duel.is_shown:
        await publish(client, boards, view)


async def _edit_board(client: Host, boards: Boards, view: DuelView) -> bool:
    """Edit a board; return false if it is lost, or if a later sweep has to do it."""
    drawn = await _picture(client, boards, view) if _has_picture(client, view) else None
    page = await public(client, view, drawn)
    editing = _edit(client, view.duel.channel_id or 0, view.duel.message_id or 0, page)
    came = await delivered(f"board of duel {view.duel.id}", editing)
    if came is Refusal.GONE:
        await boards.lost(view.duel)
    elif came is Refusal.CLOSED:
        await boards.unreachable(view.duel)
    return came is None


async def repaint(interaction: Interaction, view: DuelView) -> bool:
    """Update a duel where its public message was clicked, and on its board.

    An old copy of the board gets a link to the present one. If the duel has no board, this message
    becomes it. Return false if the message is gone: the interaction is still to be answered.
    """
    services, message = interaction.client.services.duels, interaction.message
    if message is None:
        return False
    if view.duel.message_id is None:
        place, version = interaction.channel_id or 0, view.duel.version
        view, _ = await services.playing.published(view.duel.id, message.id, place, version=version)
    is_board = view.duel.message_id == message.id
    page: Page = notice(say(MOVED, link=board_url(view.duel) or ""))
    if is_board:
        page = await public(interaction.client, view)
    try:
        if interaction.response.is_done():
            await interaction.edit_original_response(view=page)
        else:
            await interaction.response.edit_message(view=page)
    except discord.NotFound as error:
        if is_too_late(error):
            raise
        if is_board:
            await services.boards.lost(view.duel)
        return False
    client, boards, is_shown = interaction.client, services.boards, False
    if is_board and client.hearing.knows(view.duel.guild_id) and not _has_picture(client, view):
        is_shown = await boards.note_shown(view.duel) is None
    if not is_shown:
        await publish(client, boards, view)
    return True


async def post_board(
    interaction: Interaction,
    voice: Voice,
    view: DuelView,
    channel_id: int | None = None,
    *,
    calls: int = 0,
) -> DuelView:
    """Post a duel's board, note it as the board, and delete the old one.

    `channel_id` is the channel or thread of `voice`; None for that of the interaction. `calls` is a
    player to ping; 0 for nobody.

    Raises:
        discord.HTTPException: it could not be posted.
    """
    duel, playing = view.duel, interaction.client.services.duels.playing
    message_id = await voice.say(await public(interaction.client, view), calls=calls)
    place = channel_id or interaction.channel_id or 0
    view, before = await playing.published(duel.id, message_id, place, version=duel.version)
    if before.message_id is not None:
        await delete_quietly(interaction.client, before.channel_id or 0, before.message_id)
    return view


async def send_nudge(client: Host, boards: Boards, duel_id: int) -> None:
    """Send the nudge that is due in a duel, if any, and delete the previous one.

    After an error of Discord's a later round tries again.
    """
    nudge = await boards.claim_nudge(duel_id)
    if nudge is None:
        return
    channel_id, message_id = nudge.view.duel.channel_id or 0, None
    if nudge.player_ids:
        sending = _send_nudge(client, nudge, channel_id)
        came = await delivered(f"call to duel {duel_id}", sending)
        if came is Refusal.WAIT:
            return
        message_id = came if isinstance(came, int) else None
    # First, so that a kill in between leaves no call behind that nobody knows of.
    if nudge.previous not in {None, message_id}:
        await delete_quietly(client, channel_id, nudge.previous or 0)
    if not await boards.nudged(nudge, message_id) and message_id is not None:
        await delete_quietly(client, channel_id, message_id)  # the player has moved meanwhile


async def _send_nudge(client: Host, nudge: Nudge, channel_id: int) -> int:
    view, player_ids = nudge.view, nudge.player_ids
    url, guild_id = board_url(view.duel), view.duel.guild_id
    text = await for_server(client, guild_id, words.call, view, player_ids, url)
    message = await client.get_partial_messageable(channel_id).send(
        text,
        nonce=nudge.nonce,
        suppress_embeds=True,
        allowed_mentions=discord.AllowedMentions(
            everyone=False, roles=False, users=list(map(discord.Object, player_ids))
        ),
    )
    return message.id


async def post_rematch(client: Host, services: Services, post: WebPost, view: DuelView) -> None:
    """Post a challenge that a player of the page has made, unless somebody has done so."""
    channel, duels, duel = Channel(post.guild_id, post.channel_id), services.duels, view.duel
    voice = await voice_of_page(client, channel, post.player_id, None)
    is_open = duel.state is State.INVITED and duel.message_id is None
    is_again = post.tried_at != post.claimed_at
    if is_open and (is_again or await duels.inviting.claim_posting(duel.id)):
        page, calls = await public(client, view), duel.opponent_id or 0
        message_id = await voice.say(page, nonce_of(post), calls=calls)
        await duels.playing.published(duel.id, message_id, channel.channel_id, version=duel.version)


async def update_seek(client: Host, services: Services, seek_id: int) -> None:
    """Post the card of a seek or, once that is over, edit it away, if no other process does it."""
    seeking = services.duels.seeking
    view = await seeking.claim(seek_id)
    if view is None:
        return
    seek = view.seek
    drawn = await for_server(client, seek.guild_id, seek_page, view)

    async def bring(at: discord.PartialMessage | None) -> int | None:
        if at is not None and not view.is_open:
            await _edit(client, seek.channel_id, at.id, drawn)
        if at is not None or not view.is_open:
            return None if at is None else at.id
        try:
            voice = await voice_of_page(client, seek.place, seek.player_id, None)
        except Refused:
            return None
        return await voice.say(drawn, nonce("seek", seek_id))

    what, custom_id = f"card of seek {seek_id}", TAKE(seek=seek_id)
    await edit_post(what, client, seeking, view, seek, custom_id, bring)


BEAT_SECONDS: Final = 10
SEEK_SECONDS: Final = 5


class DuelClockCog(TimedCog):
    """Timed loops of duels. What is due is in the database, not in memory."""

    waits = True

    def __init__(self, client: Host, services: Services) -> None:
        super().__init__(client, services)
        self._duels = services.duels

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """End late duels and edit outdated boards, while there is a connection to Discord.

        No board waits for another one: Discord may delay edits in a channel for minutes.
        """
        if self._hearing.heard and await self._attempt("duels' deadlines", self._sweep()):
            await self._attempt("duels' boards", self._edit_outdated())

    @tasks.loop(seconds=BEAT_SECONDS)
    async def nudge(self) -> None:
        """Send due nudges, in a loop that does not wait for slow edits of boards."""
        if self._hearing.heard:
            await self._attempt("duels' calls", self._nudge())

    @tasks.loop(seconds=SEEK_SECONDS)
    async def seek(self) -> None:
        """Post cards of those who look for an opponent on the page, and edit ended ones away."""
        if self._hearing.heard:
            await self._deliver("card of seek", self._duels.seeking.due(), update_seek)

    async def _sweep(self) -> None:
        for view in await self._duels.games.sweep():
            self._show(view)

    async def _edit_outdated(self) -> None:
        async for view in self._duels.boards.outdated():
            if not self._show(view):
                return

    def _show(self, view: DuelView) -> bool:
        """Begin to edit a board; return false if so many wait that a later round has to do it."""
        work = partial(publish, self._client, self._duels.boards, view)
        return self._begin("board of duel", view.duel.id, work)

    async def _nudge(self) -> None:
        boards = self._duels.boards
        async for duel_id in boards.to_nudge():
            work = partial(send_nudge, self._client, boards, duel_id)
            if not self._begin("call to duel", duel_id, work):
                return
