"""The bot: commands, buttons and forms on top of the services."""

import logging
import re
from typing import Any, Final, cast

import discord
from discord.ext import commands

from bot.presentation.refusals import outdated
from bot.services.commands import fingerprint
from bot.services.services import Services
from cogs.focdle import FocdleCog
from cogs.help import HelpCog
from cogs.ui.answers import Interaction, ReportingTree, answering, whisper
from cogs.ui.buttons import Press
from cogs.ui.focdle import EditButton, GuessButton, GuessForm, OpenButton, ShareButton
from cogs.ui.forms import Form, dispatch_form, is_submission
from cogs.ui.help import HelpButton
from cogs.ui.pages import Notice

log = logging.getLogger(__name__)

BUTTONS: Final[tuple[type[Press], ...]] = (
    GuessButton,
    EditButton,
    ShareButton,
    OpenButton,
    HelpButton,
)
FORMS: Final[tuple[type[Form], ...]] = (GuessForm,)


class CodebreakerBot(commands.AutoShardedBot):
    """The Discord front end of the services.

    It asks for no privileged intent, pings nobody unless a message says so, and
    keeps no game in memory.
    """

    def __init__(self, services: Services) -> None:
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

    async def setup_hook(self) -> None:
        """Register everything a click or a command can reach."""
        await self.add_cog(FocdleCog())
        await self.add_cog(HelpCog())
        self.add_dynamic_items(*BUTTONS)
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

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Say that a server has added the bot."""
        log.info("added to server %d", guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Say that a server has removed the bot."""
        log.info("removed from server %d", guild.id)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Dispatch forms, and answer buttons that this version does not know."""
        if is_submission(interaction):
            await dispatch_form(interaction, FORMS)
        elif interaction.type is discord.InteractionType.component:
            custom_id = cast("dict[str, Any]", interaction.data)["custom_id"]
            if not any(re.fullmatch(_template(button), custom_id) for button in BUTTONS):
                async with answering(interaction):
                    await whisper(interaction, Notice(outdated()))


def _template(button: type[Press]) -> re.Pattern[str]:
    return button.__discord_ui_compiled_template__
