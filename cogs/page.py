"""What players of the page have asked the bot to post; see `web_posts`."""

import logging
from functools import partial
from typing import Final

from discord.ext import tasks

from bot.duels.board_words import duel_board
from bot.duels.round_words import DuelTiles
from bot.games.model import Channel, GameName, Source
from bot.home.words import Door
from bot.mastermind.board_words import shared_board
from bot.moderation.model import KeptOutError
from bot.page.game import NEWS, Due
from bot.page.model import WRITING, Came, WebPost
from bot.refused import AlreadySharedError, NotAMemberError, Refused
from bot.services import Services
from cogs.duels.messages import post_rematch
from cogs.focdle.sharing import share_from_page
from cogs.ui.deliveries import Refusal, delivered
from cogs.ui.host import Host
from cogs.ui.schedule import TimedCog
from cogs.ui.shares import as_page, post_from_page
from cogs.ui.voices import voice_of_page

log = logging.getLogger(__name__)

_INTERVAL_SECONDS: Final = 5


async def share(client: Host, services: Services, due: Due) -> None:
    """Post what was asked for, if no other process does it; for `WRITING`, only note who may."""
    post = await services.posting.claim(due)
    if post is None or not client.hearing.knows(post.guild_id):
        return  # the claim expires in a minute
    what, came = f"{post.place} in channel {post.channel_id}", Came.REFUSED
    try:
        refused = await delivered(what, _share(client, services, post))
        if refused is Refusal.WAIT:
            return
        if refused is None:
            came = Came.SENT
    except AlreadySharedError:
        came = Came.SENT
    except NotAMemberError:
        came = Came.ABSENT
    except Refused as error:
        log.info("%s was not shared: %s", what, error)
    await services.posting.came(post, came)


async def _share(client: Host, services: Services, post: WebPost) -> None:
    player, channel = post.player_id, Channel(post.guild_id, post.channel_id)
    if services.moderation.is_kept_out(player):
        raise KeptOutError
    if post.place == WRITING:
        await voice_of_page(client, channel, player, None)
        return
    name = GameName.read(post.place)
    if name.source is Source.PLAY:
        await share_from_page(client, services, post)
        return
    if name.source is Source.MASTERMIND:
        game = await services.mastermind.solo.result(player, name.id)
        draw = as_page(partial(shared_board, game, client.pegs), Door.MASTERMIND)
    else:
        duel = await services.duels.games.of(player, name.id)
        if not duel.duel.is_against_bot:
            await post_rematch(client, services, post, duel)
            return
        tiles = DuelTiles.of(client.tiles, client.pegs)
        draw = as_page(partial(duel_board, duel, tiles), Door.DUEL)
    await post_from_page(client, post, await voice_of_page(client, channel, player, None), draw)


class PagePostsCog(TimedCog):
    """Posts what players of the page ask for: at once, or soon if that was not heard."""

    waits = True

    async def cog_load(self) -> None:
        await super().cog_load()
        await self._services.watch(self._heard)

    def _heard(self, name: str | None) -> None:
        if name == NEWS:
            self._begin("pages' posts", None, self._round)

    @tasks.loop(seconds=_INTERVAL_SECONDS)
    async def post(self) -> None:
        await self._round()

    async def _round(self) -> None:
        if self._hearing.heard:
            await self._deliver("page's post", self._services.posting.due(), share)
