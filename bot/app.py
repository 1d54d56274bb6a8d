"""The bot on Discord: commands, buttons and forms on top of the services."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, cast

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from bot.errors import ClosingError, StorageBusyError, StorageError
from bot.failures import Failures
from bot.gauges import UNREAD, Gauges
from bot.outages import ALL, ShardRange
from bot.people.album import Album
from bot.services import Services
from bot.text.language import gettext, in_language, is_spoken
from bot.text.markup import CommandIds
from bot.text.tiles import Pegs, Tiles
from bot.uploads.emojis import ASK_AGAIN_SECONDS, TileUpload
from bot.uploads.synced import fingerprint
from cogs.champions import ChampionsCog
from cogs.duels.challenge import DuelCog, challenge_to_duel
from cogs.duels.messages import DuelClockCog
from cogs.equations import EquationsCog
from cogs.focdle.board import FocdleCog
from cogs.home.play import PlayCog
from cogs.home.preferences import PreferencesCog, tell_language
from cogs.hosting import BackupCog, HeartbeatCog, UpkeepCog
from cogs.leaderboards import LeaderboardCog
from cogs.mastermind.defend import MastermindCog
from cogs.mastermind.guess import MastermindClockCog
from cogs.moderation import ModerationCog, tell_news
from cogs.page import PagePostsCog
from cogs.posts.delivery import PostsCog
from cogs.privacy import PrivacyCog, is_about_privacy
from cogs.races import RacesCog
from cogs.settings import SettingsCog
from cogs.statistics import StatisticsCog, stats_of_member
from cogs.ui.dispatch import ENTRY_POINT, GuardedTree, dispatch
from cogs.ui.help import HelpCog
from cogs.ui.host import Hearing, Host, PrivateBoards
from cogs.ui.members import note_member
from cogs.ui.pages import MOST_NAMED, fitted
from cogs.ui.replies import Interaction, note_arrival
from cogs.ui.schedule import GlobalLimit, LoginQueue, TimedCog, Timing, paced

log = logging.getLogger(__name__)

# The bot joins no voice channels, so the library need not warn about missing packages.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

_SYNC: Final = "commands"
# Keys that Discord adds to a command's definition.
_NOTED_BY_DISCORD: Final = frozenset(
    {"application_id", "version", "guild_id", "name_localized", "description_localized"}
)

# For a command that launches an Activity: the bot answers it, else Discord does.
_ANSWERED: Final = {"handler": 1}

# Found by their ids; commands are found by their names.
_BY_ID: Final = frozenset({discord.InteractionType.component, discord.InteractionType.modal_submit})

_MOST_IN_MENU: Final = 32
"""How long a command's name in a member's menu may be."""
_TYPED_NAMES: Final = frozenset({"command_name", "group_name", "parameter_name"})

# A slash command, and one within a group.
_TYPED: Final = discord.AppCommandType.chat_input.value
_WITHIN: Final = discord.AppCommandOptionType.subcommand.value

_Command = dict[str, Any]


@dataclass(frozen=True, slots=True)
class HostChoices:
    """The host's choices about what players see; `Host` says what each is."""

    album: Album | None = None
    contact: str = ""
    forget_after: timedelta | None = None
    web_url: str = ""
    has_activity: bool = False


COGS: Final[Sequence[type[commands.Cog]]] = (
    PlayCog,
    FocdleCog,
    MastermindCog,
    DuelCog,
    EquationsCog,
    RacesCog,
    ChampionsCog,
    PreferencesCog,
    PrivacyCog,
    SettingsCog,
    LeaderboardCog,
    StatisticsCog,
    HelpCog,
)
"""The cogs that have commands, in the order in which Discord gets these."""

MENUS: Final = (challenge_to_duel, stats_of_member)
"""The commands of a member's context menu."""


class _Languages(app_commands.Translator):
    """Translates what Discord lists; what is typed, as sentences name it, is English everywhere."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        is_menu = isinstance(context.data, app_commands.ContextMenu)
        if not is_spoken(locale.value) or (context.location.name in _TYPED_NAMES and not is_menu):
            return None
        most = _MOST_IN_MENU if is_menu else MOST_NAMED
        translated = in_language(locale.value, gettext, string.message)
        return fitted(translated, most, "what Discord lists of commands")


async def _defined(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    languages = _Languages()
    return [await each.get_translated_payload(tree, languages) for each in tree.get_commands()]


async def definitions() -> list[dict[str, Any]]:
    """Build the definitions of all commands, as Discord gets them, without a running bot."""
    tree = GuardedTree(Host(intents=discord.Intents.none()))
    for cog in COGS:
        if issubclass(cog, commands.GroupCog):  # a command with subcommands
            tree.add_command(cast("app_commands.Group", cog().app_command))
            continue
        for command in cog.__cog_app_commands__:
            tree.add_command(command)
    for menu in MENUS:
        tree.add_command(menu)
    return await _defined(tree)


async def _find_nothing() -> Sequence[str]:
    return ()


class CodebreakerBot(commands.AutoShardedBot, Host):
    """The Discord front end of the services.

    It asks for no privileged intent, pings nobody unless a message says so, and keeps no game in
    memory.

    Args:
        upload_tiles: whether to upload our tiles as emojis, in the background, once a shard is
            ready.
        shards: the shards that this process runs; by default all, as many as Discord recommends.
    """

    def __init__(
        self,
        services: Services,
        *,
        upload_tiles: bool = True,
        choices: HostChoices = HostChoices(),
        shards: ShardRange = ALL,
        back_up: Callable[[], Awaitable[None]] | None = None,
        examine: Callable[[], Awaitable[Sequence[str]]] = _find_nothing,
        gauges: Gauges = UNREAD,
    ) -> None:
        self.timing = None if gauges is UNREAD else Timing(gauges)
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=intents,
            tree_cls=GuardedTree,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            **_connecting(shards, self.timing),
        )
        self.services = services
        self.album = choices.album
        self.contact = choices.contact
        self.forget_after = choices.forget_after
        self.web_url = choices.web_url
        self.has_activity = choices.has_activity
        self.launch_refusals = set[int]()
        self.private_boards = PrivateBoards()
        services.standings.members.when_forgotten(self.private_boards.forget)
        self.examine = examine
        if self.album is not None:
            services.standings.members.when_forgotten(self.album.forget)
        self.hearing = Hearing(self)
        self._tile_upload = TileUpload(self, services.synced, services.leases)
        self._failures = Failures(log)
        self._back_up = back_up
        self._login_order = None if shards.is_all else LoginQueue(self, services.logins)
        self._uploads_when_ready = upload_tiles
        self._syncing: asyncio.Task[None] | None = None
        self.command_ids: CommandIds = {}

    @property
    def tiles(self) -> Tiles | None:
        return self._tile_upload.tiles

    @property
    def pegs(self) -> Pegs:
        return self._tile_upload.pegs

    async def upload_tiles(self) -> None:
        """Upload missing tiles and pegs, and wait until that is done or has failed."""
        await self._tile_upload.run()

    def lose_emojis(self) -> None:
        self._tile_upload.lose()

    async def setup_hook(self) -> None:
        """Register all commands and loops, and tell Discord the commands if they have changed."""
        vars(self.http)["_global_over"] = GlobalLimit()  # the library has no public way
        for cog in COGS:
            timed = issubclass(cog, TimedCog)
            await self.add_cog(cog(self, self.services) if timed else cog())
        for menu in MENUS:
            self.tree.add_command(menu)
        await self.add_cog(HeartbeatCog(self, self.services))
        await self.add_cog(PostsCog(self, self.services))
        if self.web_url:
            await self.add_cog(PagePostsCog(self, self.services))
        await self.add_cog(UpkeepCog(self, self.services))
        await self.add_cog(DuelClockCog(self, self.services))
        await self.add_cog(MastermindClockCog(self, self.services))
        await self.add_cog(ModerationCog(self, self.services))
        if self._back_up is not None:
            await self.add_cog(BackupCog(self, self.services, self._back_up))
        if not await self._sync_commands():
            log.info("commands left to another process, which is at it")
            self._syncing = asyncio.create_task(self._sync_later(), name="commands")

    async def _sync_later(self) -> None:
        is_settled = False
        with suppress(ClosingError):
            while not is_settled:
                await asyncio.sleep(ASK_AGAIN_SECONDS)
                with self._failures.telling(_SYNC):
                    is_settled = await self._sync_commands()

    async def _sync_commands(self) -> bool:
        """Send our commands to Discord if we have changed them, or if Discord has others.

        The command that launches an Activity, if there is one, is sent as well: Discord refuses a
        list without it. If the Activity is ours, the bot is to answer that command.

        Return false if another process is sending them now, or has just sent them.
        """
        definitions = await _defined(self.tree)
        application_id = cast("int", self.application_id)
        mark = fingerprint(application_id, definitions)
        entries, others = await self._fetch_commands(application_id)
        self.command_ids = _ids_of(others)
        is_told = await self.services.synced.has_commands(mark)
        ours = [entry | _ANSWERED for entry in entries] if self.has_activity else entries
        if is_told and _names(others) == _names(definitions) and ours == entries:
            log.info("commands unchanged")
            return True
        async with self.services.leases.held(_SYNC) as is_ours:
            # Another process may have sent them just now: look again.
            if not is_ours or (not is_told and await self.services.synced.has_commands(mark)):
                return False
            told = [*definitions, *ours]
            now = await self.http.bulk_upsert_global_commands(application_id, told)
            self.command_ids = _ids_of(cast("list[_Command]", now))
            await self.services.synced.remember_commands(mark)
        log.info("commands synced: %s", ", ".join(sorted(d["name"] for d in definitions)))
        return True

    async def _fetch_commands(self, application_id: int) -> tuple[list[_Command], list[_Command]]:
        """Fetch the commands that Discord has of us: those that launch an activity, and all others.

        The library ignores commands that launch an activity, and its own sync would delete them.
        """
        route = Route(
            "GET", "/applications/{application_id}/commands", application_id=application_id
        )
        there = await self.http.request(route, params={"with_localizations": "true"})
        entries = [c for c in there if c["type"] == ENTRY_POINT]
        others = [c for c in there if c["type"] != ENTRY_POINT]
        return [{k: v for k, v in c.items() if k not in _NOTED_BY_DISCORD} for c in entries], others

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for a shard's turn to log in, among the shards of all processes."""
        if self._login_order is None:
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._login_order.wait(shard_id or 0)

    async def on_ready(self) -> None:
        log.info("ready as %s in %d servers", self.user, len(self.guilds))

    async def on_shard_ready(self, _shard_id: int) -> None:
        """Start the upload of tiles when the first shard is ready; later calls do nothing."""
        if self._uploads_when_ready:
            self._tile_upload.start()

    async def close(self) -> None:
        """Cancel work in the background, and disconnect.

        Tiles that are not uploaded yet are uploaded after the next start.
        """
        await self._tile_upload.close()
        if self._syncing is not None:
            self._syncing.cancel()
            await asyncio.gather(self._syncing, return_exceptions=True)
        if self.album is not None:
            await self.album.close()
        await super().close()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        log.info("added to server %d", guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        log.info("removed from server %d", guild.id)

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Pass an event on to the library; before that, note the arrival of an interaction.

        Its handlers may start later, but the time in which it must be answered runs already.
        """
        if event_name == "interaction":
            note_arrival(*args)
            if self.timing is not None:
                self.timing.arrived(*args)
        super().dispatch(event_name, *args, **kwargs)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Run the handler of a button, list or form; then note the member, as after a command.

        An interaction about privacy notes nobody. A failure to note the member is only logged.
        """
        if interaction.type in _BY_ID:
            await dispatch(interaction)
            await tell_news(interaction)
        if is_about_privacy(interaction):
            return
        try:
            with self._failures.telling(
                "noting who is a member", but=(ClosingError, StorageBusyError)
            ):
                await note_member(interaction)
                await tell_language(interaction)
        except ClosingError:
            pass
        except StorageBusyError:
            log.warning("the database was busy: a member is not noted before the next click")

    async def on_app_command_completion(self, interaction: Interaction, _command: object) -> None:
        """Tell of the language as after a click; what fails is logged by `on_interaction`."""
        if not is_about_privacy(interaction):
            with suppress(StorageError):
                await note_member(interaction)
                await tell_language(interaction)


def _connecting(shards: ShardRange, timing: Timing | None) -> Any:
    """Build the library's options for shards, and for tracing its requests to Discord.

    Without these options, the library asks Discord for the number of shards and traces no request.
    """
    if shards == ALL:
        trace, told = aiohttp.TraceConfig(), dict[str, Any]()
    else:
        trace = paced(shards)
        told = {"shard_count": shards.count, "shard_ids": [*shards.numbers], "http_trace": trace}
    if timing is None:
        return told
    timing.add_to(trace)  # timed only after waiting for its turn
    return told | {"http_trace": trace}


def _names(definitions: Iterable[_Command]) -> set[tuple[str, int]]:
    return {(definition["name"], definition["type"]) for definition in definitions}


def _ids_of(commands_there: Iterable[_Command]) -> dict[str, int]:
    """Map the full names of slash commands to their ids; subcommands have the id of their group."""
    found: dict[str, int] = {}
    for command in commands_there:
        if command["type"] == _TYPED:
            name, options = command["name"], command.get("options", ())
            within = [f"{name} {each['name']}" for each in options if each["type"] == _WITHIN]
            found |= dict.fromkeys(within or [name], int(command["id"]))
    return found
