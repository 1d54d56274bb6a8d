"""The bot: commands, buttons and forms on top of the services."""

import asyncio
import logging
import re
from typing import Any, Final, cast

import discord
from discord.ext import commands

from bot.presentation.pegs import Pegs
from bot.presentation.refusals import outdated
from bot.presentation.tiles import Tiles
from bot.services.commands import fingerprint
from bot.services.services import Services
from bot.tile_upload import TileUpload
from cogs.focdle import FocdleCog
from cogs.help import HelpCog
from cogs.housekeeping import HousekeepingCog
from cogs.mastermind import MastermindCog
from cogs.preferences import PreferencesCog
from cogs.settings import SettingsCog
from cogs.ui.answers import Interaction, ReportingTree, answering, whisper
from cogs.ui.buttons import Press
from cogs.ui.focdle import (
    EditButton,
    GuessButton,
    GuessForm,
    OpenButton,
    PracticeButton,
    ProbeButton,
    ShareButton,
)
from cogs.ui.forms import Form, dispatch_form, is_submission
from cogs.ui.games import ResumeButton, TurnButton
from cogs.ui.help import HelpButton
from cogs.ui.mastermind_challenge import ChallengeForm, InvitationButton, RetryButton
from cogs.ui.mastermind_defend import (
    AnswerButton,
    BackButton,
    CorrectButton,
    CorrectPick,
    DefendButton,
)
from cogs.ui.mastermind_guess import EndButton, RowButton, TypeButton
from cogs.ui.mastermind_guess import GuessForm as MastermindGuessForm
from cogs.ui.mastermind_watch import SealButton, SealForm, StepButton
from cogs.ui.pages import Notice
from cogs.ui.preferences import ChoiceButton, OwnZoneButton, OwnZoneForm, OwnZonePick
from cogs.ui.selects import Pick
from cogs.ui.settings import (
    ChannelPick,
    LeaveChannelButton,
    LengthPick,
    ServerZoneButton,
    ServerZoneForm,
    ServerZonePick,
)

log = logging.getLogger(__name__)

BUTTONS: Final[tuple[type[Press], ...]] = (
    GuessButton,
    EditButton,
    ProbeButton,
    ShareButton,
    OpenButton,
    PracticeButton,
    ResumeButton,
    HelpButton,
    ChoiceButton,
    OwnZoneButton,
    LeaveChannelButton,
    ServerZoneButton,
    TurnButton,
    RowButton,
    TypeButton,
    EndButton,
    DefendButton,
    AnswerButton,
    BackButton,
    CorrectButton,
    StepButton,
    SealButton,
    InvitationButton,
    RetryButton,
)
SELECTS: Final[tuple[type[Pick], ...]] = (
    OwnZonePick,
    ChannelPick,
    ServerZonePick,
    LengthPick,
    CorrectPick,
)
FORMS: Final[tuple[type[Form], ...]] = (
    GuessForm,
    OwnZoneForm,
    ServerZoneForm,
    MastermindGuessForm,
    SealForm,
    ChallengeForm,
)


class CodebreakerBot(commands.AutoShardedBot):
    """The Discord front end of the services.

    It asks for no privileged intent, pings nobody unless a message says so, and
    keeps no game in memory.

    Args:
        services: the use cases.
        upload_tiles: when ready, give Discord our tiles as emojis, in the background.
    """

    def __init__(self, services: Services, *, upload_tiles: bool = True) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=intents,
            tree_cls=ReportingTree,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self.services = services
        self._tile_upload = TileUpload(self, services.tile_digests)
        self._uploads_when_ready = upload_tiles
        self._uploading: asyncio.Task[None] | None = None

    @property
    def tiles(self) -> Tiles | None:
        """The tiles as emojis; None while Discord does not have all of them."""
        return self._tile_upload.tiles

    @property
    def pegs(self) -> Pegs:
        """The pegs as emojis; Unicode while Discord does not have all of them."""
        return self._tile_upload.pegs

    async def upload_tiles(self) -> None:
        """Give Discord the tiles that it lacks, and wait until that is done or has failed."""
        await self._tile_upload.run()

    async def setup_hook(self) -> None:
        """Register everything a click or a command can reach."""
        await self.add_cog(FocdleCog())
        await self.add_cog(MastermindCog())
        await self.add_cog(PreferencesCog())
        await self.add_cog(SettingsCog())
        await self.add_cog(HelpCog())
        await self.add_cog(HousekeepingCog(self, self.services))
        self.add_dynamic_items(*BUTTONS, *SELECTS)
        await self._sync_commands()

    async def _sync_commands(self) -> None:
        """Tell Discord our commands if they changed, or if it does not have them."""
        definitions = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        mark = fingerprint(cast("int", self.application_id), definitions)
        if await self.services.synced_commands.are(mark):
            there = {(c.name, c.type) for c in await self.tree.fetch_commands()}
            if there == {(d["name"], discord.AppCommandType(d["type"])) for d in definitions}:
                log.info("commands unchanged")
                return
        await self.tree.sync()
        await self.services.synced_commands.remember(mark)
        log.info("commands synced: %s", ", ".join(sorted(d["name"] for d in definitions)))

    async def on_ready(self) -> None:
        """Say that Discord can be answered from here on."""
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        # Discord says so again after every lost session.
        if self._uploads_when_ready and not self._uploading:
            self._uploading = asyncio.create_task(self.upload_tiles(), name="tile upload")

    async def close(self) -> None:
        """Disconnect, and leave to the next start what is not uploaded yet."""
        if self._uploading:
            self._uploading.cancel()
            await asyncio.wait({self._uploading})
        await super().close()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say that a server has added the bot."""
        log.info("added to server %d", guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Say that a server has removed the bot."""
        log.info("removed from server %d", guild.id)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Dispatch forms, and answer buttons and selects that this version does not know."""
        if is_submission(interaction):
            await dispatch_form(interaction, FORMS)
        elif interaction.type is discord.InteractionType.component:
            custom_id = cast("dict[str, Any]", interaction.data)["custom_id"]
            if not any(_template(item).fullmatch(custom_id) for item in (*BUTTONS, *SELECTS)):
                async with answering(interaction):
                    await whisper(interaction, Notice(outdated()))


def _template(item: type[Press | Pick]) -> re.Pattern[str]:
    return item.__discord_ui_compiled_template__
