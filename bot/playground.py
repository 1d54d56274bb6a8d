"""`python -m bot.playground`: the whole bot in a local browser, without a Discord account.

The bot is the real one. Discord is SimCord's, in this process; its world is made
anew at every start, with the same people under the same ids, while their games
stay in `playground.db`. Its page asks for the list of earlier puzzles once a digit is
typed; Discord shows it at once. This file is the only one outside the tests that knows
SimCord.
"""

from bot.signals import end_when_told, leave, when_told

if __name__ == "__main__":
    end_when_told()

import argparse
import asyncio
import logging
import os
import sys
from base64 import b64decode
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, cast

import discord

from bot.app import CodebreakerBot
from bot.clock import Clock, SystemClock
from bot.config import LogSettings
from bot.errors import StorageError
from bot.logs import configure_logs
from bot.people.model import face_of
from bot.services import Services, open_services
from bot.text.pictures.boards import disc_file
from bot.text.pictures.tiles import SIZE
from cogs.posts.delivery import post_page
from cogs.ui.pages import THUMBNAIL, Page, avatar_url

try:
    import simcord
    from simcord.backend.cdn import CDN_BASE
    from simcord.preview import Preview
    from simcord.preview._media import MediaInfo, MediaWorker
except ImportError:
    sys.exit(
        "The playground is not installed. Type: python3 tasks.py play, or: "
        "pip install '.[playground]'"
    )

log = logging.getLogger(__name__)

DATABASE_URL: Final = "sqlite:///playground.db"
BOT: Final = "FoCdle"
SERVER: Final = "Puzzle Club"
_FIRST_COMMAND: Final = "focdle"
CHANNELS: Final = ("daily-puzzle", "lounge")
PEOPLE: Final = ("Ann", "Ben", "Cleo")

# As in Discord's own app: emojis grow with their text, headings keep their distance, and pictures
# beside a text stay there on a phone. SimCord's page draws all emojis 20 pixels wide.
_STYLE: Final = """
.text-display :is(h1, h2, h3) { margin: 16px 0 8px; line-height: 1.375em; }
.text-display h1 { font-size: 24px; }
.text-display h2 { font-size: 20px; }
.text-display h3 { font-size: 16px; }
.component-section:has(.component-thumbnail) { grid-template-columns: minmax(0, 1fr) auto; }
.text-display .custom-emoji { width: 1.375em; height: 1.375em; vertical-align: bottom; }
"""

_BEAT_SECONDS: Final = 1.0
_CANNOT_START: Final = 2


@dataclass(frozen=True, slots=True)
class World:
    """A simulated Discord with the bot in it."""

    env: simcord.Env
    channels: tuple[simcord.ChannelHandle, ...]
    members: tuple[simcord.MemberActor, ...]


@dataclass(frozen=True, slots=True)
class BrowserPage:
    """A world in the browser; `turn` is the lock for actions, of which it allows one at a time."""

    preview: Preview
    turn: asyncio.Lock


@asynccontextmanager
async def open_world(
    bot: CodebreakerBot,
    clock: Clock,
    *,
    with_managers: bool = False,
    with_avatars: bool = False,
    shards: int = 1,
) -> AsyncGenerator[World]:
    """Put a bot into a server with two channels and three members, at the clock's present.

    Args:
        bot: the bot, not yet started.
        clock: sets the world's clock.
        with_managers: the first member administrates the server, the second manages it.
        with_avatars: all members have avatars, which `open_browser_page` can show.
        shards: the bot's shards; the server is on the last one, direct messages are on the first.
    """
    env = simcord.Env(bot, shard_count=shards)
    env.backend.edit_bot_profile(BOT)
    # Ids grow with the world's clock: made before it is set, they are the same at every start.
    guild = env.create_guild(SERVER, shard_id=shards - 1)
    channels = tuple(guild.create_text_channel(name) for name in CHANNELS)
    users = [
        env.create_user(
            name.lower(), global_name=name, avatar=f"{number:032x}" if with_avatars else None
        )
        for number, name in enumerate(PEOPLE)
    ]
    manager = guild.create_role("Manager", permissions=discord.Permissions(manage_guild=True))
    admin = guild.create_role("Administrator", permissions=discord.Permissions(administrator=True))
    rights = {0: [admin], 1: [manager]} if with_managers else {}
    members = tuple(guild.add_member(user, roles=rights.get(n, [])) for n, user in enumerate(users))
    # Set before the bot starts, so that no timer fires on the way.
    env.backend.clock.advance((clock.now() - env.now()).total_seconds())
    await env.start()
    try:
        yield World(env, channels, members)
    finally:
        await env.shutdown()


@asynccontextmanager
async def open_browser_page(
    world: World, clock: Clock, *, port: int | None = None, **options: Any
) -> AsyncGenerator[BrowserPage]:
    """Serve a world's first channel on 127.0.0.1, and keep its time running by a clock.

    `options` are further ones of SimCord's preview.
    """
    pictures = _uploaded_pictures(world.env) | _avatars(world.env)
    preview = world.env.preview(
        world.channels[0],
        viewers=world.members,
        layout="channel",
        port=port,
        assets=pictures,
        **options,
    )
    turn = asyncio.Lock()
    _take_turns(preview, turn)
    _trust(preview, frozenset(picture for _, picture in pictures.values()))
    _dress(preview)
    async with preview:
        beat = asyncio.create_task(_follow(preview, clock, turn))
        try:
            yield BrowserPage(preview, turn)
        finally:
            beat.cancel()
            with suppress(asyncio.CancelledError):
                await beat


def _uploaded_pictures(env: simcord.Env) -> dict[str, tuple[str, bytes]]:
    """Map the addresses of uploaded emojis to their pictures.

    SimCord's Discord keeps an emoji's name only, while the page asks for the picture.
    """
    uploads = {
        request.json["name"]: b64decode(request.json["image"].partition(",")[2])
        for request in env.http_requests
        if request.method == "POST" and request.path.endswith("/emojis") and request.json
    }
    return {
        f"{CDN_BASE}/emojis/{emoji.id}.png": (f"{emoji.name}.png", uploads[emoji.name])
        for emoji in env.backend.application_emojis.values()
        if emoji.name in uploads
    }


def _avatars(env: simcord.Env) -> dict[str, tuple[str, bytes]]:
    """Map the addresses of members' avatars, ours and SimCord's, to pictures drawn here."""
    found: dict[str, tuple[str, bytes]] = {}
    for user in env.backend.users.values():
        if face := face_of(user.id, user.avatar):
            drawn = (f"{user.name}.png", disc_file(user.id, user.global_name or user.name, SIZE))
            own = avatar_url(face, THUMBNAIL, CDN_BASE).partition("?")[0]
            found |= {avatar_url(face, THUMBNAIL): drawn, own: drawn}
    return found


def _take_turns(preview: Preview, turn: asyncio.Lock) -> None:
    """Let actions from the browser and beats of the clock wait for each other.

    A command that was sent as text is answered: a bot on Discord would not even see it. SimCord
    refuses overlapping actions, and the page would show errors. This, `_trust` and `_dress` patch
    SimCord's private parts.
    """
    act = getattr(preview, "_action", None)
    if act is None:
        raise RuntimeError("SimCord's preview has moved `_action`, which must be wrapped here")

    async def act_in_turn(context_id: Any, body: Any) -> Any:
        async with turn:
            done = await act(context_id, body)
            await _answer_text(preview, body)
            return done

    vars(preview)["_action"] = act_in_turn


async def _answer_text(preview: Preview, action: Mapping[str, Any]) -> None:
    """Explain how to send a command that was sent as text."""
    bot = cast("CodebreakerBot", preview.env.bot)
    sent = str(action.get("content", "")) if action.get("kind") == "send_message" else ""
    command = meant_command(sent, [each.name for each in bot.tree.get_commands()])
    if command is not None:
        await bot.get_partial_messageable(preview.channel.id).send(
            f"That was sent as text. Type `/{command}`, choose it from the list that opens, then "
            "send it."
        )
        await preview.refresh()


def _trust(preview: Preview, pictures: frozenset[bytes]) -> None:
    """Serve our own pictures without SimCord's check.

    It starts a process for each picture, so a board's tiles would come in one by one, for seconds.
    """
    if "_media_worker" not in vars(preview):
        raise RuntimeError("SimCord's preview has moved `_media_worker`, which is replaced here")
    vars(preview)["_media_worker"] = _TrustingWorker(pictures)


class _TrustingWorker(MediaWorker):
    """Checks all pictures but these."""

    def __init__(self, trusted: frozenset[bytes]) -> None:
        super().__init__()
        self._trusted = trusted

    async def validate(
        self, key: str, blob: bytes, *, media_time: float | None = None
    ) -> MediaInfo:
        if blob not in self._trusted:
            return await super().validate(key, blob, media_time=media_time)
        pixels = SIZE * SIZE
        return MediaInfo(
            "PNG", SIZE, SIZE, 1, 4 * pixels, blob, "image/png", capture=blob, poster=blob
        )


def _dress(preview: Preview) -> None:
    """Give texts and emojis Discord's sizes in the page."""
    server = getattr(preview, "_server", None)
    serve = getattr(server, "_static", None)
    if serve is None:
        raise RuntimeError("SimCord's preview has moved `_static`, which must be wrapped here")

    async def serve_with_style(request: Any) -> Any:
        response = await serve(request)
        if response.content_type == "text/css":
            response.text += _STYLE
        return response

    vars(server)["_static"] = serve_with_style


async def _follow(preview: Preview, clock: Clock, turn: asyncio.Lock) -> None:
    """Keep the world's clock and the page's at the present: they stand still by themselves."""
    env = preview.env
    while True:
        await asyncio.sleep(_BEAT_SECONDS)
        async with turn:
            behind = (clock.now() - env.now()).total_seconds()
            try:
                await env.advance_time(max(behind, 0.0))
            except TimeoutError:
                log.warning("the world's clock is late; it will catch up")
            preview.capture_time = env.now()


async def greet(bot: CodebreakerBot, services: Services, guild_id: int, channel_id: int) -> None:
    """Send today's post to a channel, with a hint of what to type."""
    due = replace(await services.posts.book.preview(guild_id), channel_id=channel_id)
    post = await post_page(bot, services, due)
    hint = f"Type `/{_FIRST_COMMAND}` below, choose it from the list, then send it."
    page = Page([*post.children, hint])
    await bot.get_partial_messageable(channel_id).send(view=page, files=post.files)


def meant_command(text: str, names: Collection[str]) -> str | None:
    """Recognise a command in a text; None for mere talk.

    >>> meant_command("/focdel 1", ["focdle"]), meant_command("Focdle", ["focdle"])
    ('focdle', 'focdle')
    >>> meant_command("focdle is fun", ["focdle"])
    """
    words = text.strip().lower().split()
    if not words:
        return None
    name, is_typed = words[0].removeprefix("/"), words[0].startswith("/")
    if name in names and (is_typed or len(words) == 1):
        return name
    return _FIRST_COMMAND if is_typed else None


async def play(url: str, clock: Clock, port: int | None) -> None:
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(open_services(url, clock))
        # SimCord allows a start five seconds, too few for the tiles on a busy machine.
        bot = CodebreakerBot(services, upload_tiles=False)
        world = await stack.enter_async_context(
            open_world(bot, clock, with_managers=True, with_avatars=True)
        )
        await bot.upload_tiles()
        await greet(bot, services, world.members[0].guild.id, world.channels[0].id)
        await world.env.settle()
        page = await stack.enter_async_context(open_browser_page(world, clock, port=port))
        sys.stdout.write(f"Play at {page.preview.url}\n")
        sys.stdout.flush()
        loop, stopping = asyncio.get_running_loop(), asyncio.Event()
        when_told(lambda: loop.call_soon_threadsafe(stopping.set))
        await stopping.wait()


def clock_for(today: date | None) -> SystemClock:
    """Shift the machine's clock to another date, if one is given."""
    if today is None:
        return SystemClock()
    now = datetime.now(UTC)
    return SystemClock(timedelta(days=(today - now.date()).days))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bot.playground", description=__doc__)
    parser.add_argument(
        "--today", type=date.fromisoformat, metavar="YYYY-MM-DD", help="start on another date"
    )
    parser.add_argument("--port", type=int, help="the port to listen on; any free one by default")
    parsed = parser.parse_args(arguments)
    configure_logs(LogSettings("WARNING"))
    try:
        asyncio.run(play(DATABASE_URL, clock_for(parsed.today), parsed.port))
    except StorageError as error:
        sys.stderr.write(error.advice + "\n")
        return _CANNOT_START
    except simcord.SetupError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        reason = os.strerror(error.__cause__.errno or 0)
        sys.stderr.write(
            f"Port {parsed.port} cannot be used ({reason}). Choose another with --port, or leave "
            "it out for any free one.\n"
        )
        return _CANNOT_START
    return 0


if __name__ == "__main__":
    leave(main())
