"""*Hide members* in `/settings`, telling those who are off the boards, leaving servers kept out."""

from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands, tasks

from bot.errors import StorageError
from bot.moderation import words
from bot.moderation.model import (
    BotMemberError,
    Exclusions,
    NotMemberError,
    OwnExclusionError,
    StandsAboveError,
)
from bot.posts.words import BACK_BUTTON
from bot.refusals import refusal
from bot.refused import Refused
from bot.text.language import say
from bot.text.tiles import Mood
from cogs.posts.panel import ALL_SETTINGS
from cogs.ui.choosing import managed_server
from cogs.ui.deliveries import UNDONE, delivered
from cogs.ui.languages import speak_to
from cogs.ui.members import find_member
from cogs.ui.pages import Block, Page, beside, button, line, new_id, notice, page, row
from cogs.ui.replies import Interaction, server_of, show, whisper
from cogs.ui.routes import USER, By, Route, picked, pressed
from cogs.ui.schedule import TimedCog

MEMBERS: Final = Route("set:members:{page:int}")
CHOOSE: Final = Route("set:member:{drawn:int}")
TAKE_OFF: Final = Route("set:member:off:{player:int}")
UNDO: Final = Route("set:member:back:{exclusion:int}")

_RED: Final = discord.ButtonStyle.danger
_KEEPING_OUT: Final = "keeping out"


def members_button() -> ui.Button[Any]:
    return button(MEMBERS(page=0), say(words.MEMBERS_BUTTON))


def members_page(found: Exclusions, refused: Exception | None) -> Page:
    """Build the page of members whom managers have taken off a server's boards."""
    entries: list[Block] = []
    for each in found.rows:
        undo_button = button(UNDO(exclusion=each.id), say(words.UNDO_BUTTON))
        entries += line(), beside(words.entry(each), undo_button)
    buttons: list[ui.Button[Any]] = []
    if found.number > 0:
        buttons.append(button(MEMBERS(page=found.number - 1), say(words.NEWER_BUTTON)))
    if found.number + 1 < found.pages:
        buttons.append(button(MEMBERS(page=found.number + 1), say(words.OLDER_BUTTON)))
    buttons.append(button(ALL_SETTINGS(), say(BACK_BUTTON)))
    drawn = new_id()
    members = ui.UserSelect[Any](
        custom_id=CHOOSE(drawn=drawn), id=drawn, placeholder=say(words.MEMBER_PLACEHOLDER)
    )
    return page(
        words.title(is_empty=not found.rows),
        "" if refused is None else refusal(refused) or "",
        row(members),
        *entries,
        row(*buttons),
        mood=Mood.CALM,
    )


def question_page(player_id: int) -> Page:
    """Build the page that asks whether to take a member off the boards."""
    take_off = button(TAKE_OFF(player=player_id), say(words.TAKE_OFF_BUTTON), _RED)
    keep = button(MEMBERS(page=0), say(words.KEEP_BUTTON))
    return page(words.question(player_id), row(take_off, keep), mood=Mood.ALARM)


async def _show(interaction: Interaction, number: int = 0, refused: Refused | None = None) -> None:
    guild = managed_server(interaction)
    found = await interaction.client.services.settings.excluded(guild.id, number)
    await show(interaction, members_page(found, refused))


async def _require_below(interaction: Interaction, player_id: int) -> discord.Guild:
    """Return the server; refuse a manager who may not take this member off its boards."""
    guild, manager = managed_server(interaction), interaction.user
    if player_id == manager.id:
        raise OwnExclusionError
    member = await find_member(guild, player_id)
    if member is None:
        raise NotMemberError
    if member.bot:
        raise BotMemberError
    is_owner = manager.id == guild.owner_id
    is_above = not isinstance(manager, discord.Member) or member.top_role > manager.top_role
    if member.id == guild.owner_id or (is_above and not is_owner):
        raise StandsAboveError(player_id=player_id)
    return guild


@pressed(MEMBERS, by=By.MANAGERS)
async def show_members(interaction: Interaction, page: int) -> None:
    await _show(interaction, page)


@picked(CHOOSE, of=USER, by=By.MANAGERS)
async def choose_member(interaction: Interaction, player_id: int) -> None:
    """Ask whether to take a member off, or show why this manager may not."""
    try:
        await _require_below(interaction, player_id)
    except Refused as error:
        await _show(interaction, refused=error)
    else:
        await show(interaction, question_page(player_id))


@pressed(TAKE_OFF, by=By.MANAGERS)
async def take_off(interaction: Interaction, player: int) -> None:
    refused = None
    try:
        guild = await _require_below(interaction, player)
        settings = interaction.client.services.settings
        await settings.take_off(interaction.user.id, guild.id, player)
    except Refused as error:
        refused = error
    await _show(interaction, refused=refused)


@pressed(UNDO, by=By.MANAGERS)
async def undo(interaction: Interaction, exclusion: int) -> None:
    guild, refused = managed_server(interaction), None
    try:
        settings = interaction.client.services.settings
        await settings.let_back(interaction.user.id, guild.id, exclusion)
    except Refused as error:
        refused = error
    await _show(interaction, refused=refused)


async def tell_news(interaction: Interaction) -> None:
    """Tell a player once, after an answer, that managers have taken them off the boards.

    If the answer is a form, the player is told after a later one.
    """
    response, moderation = interaction.response, interaction.client.services.moderation
    is_answered = response.is_done() and response.type is not discord.InteractionResponseType.modal
    if interaction.type is discord.InteractionType.autocomplete or not is_answered:
        return
    player_id, guild_id = interaction.user.id, server_of(interaction)
    try:
        if guild_id is not None and await moderation.tell(player_id, guild_id):
            await speak_to(interaction)
            try:
                await whisper(interaction, notice(words.news()))
            except UNDONE:
                await moderation.tell_later(player_id, guild_id)
    except StorageError:
        pass  # it is not noted as told


class ModerationCog(TimedCog):
    """Tells players that they are off the boards; leaves servers that the host keeps out."""

    @tasks.loop(seconds=10)
    async def look(self) -> None:
        """Load who is kept out, and who is to be told that they are off the boards.

        Then leave the servers that the host keeps out.
        """
        await self._attempt(_KEEPING_OUT, self._services.moderation.refresh())
        for guild in self._client.guilds:
            await self.on_guild_join(guild)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        if self._services.moderation.is_server_kept_out(guild.id):
            what = f"leaving of server {guild.id}"
            self._begin(_KEEPING_OUT, guild.id, lambda: delivered(what, guild.leave()))

    @commands.Cog.listener()
    async def on_app_command_completion(
        self, interaction: Interaction, _command: app_commands.Command[Any, ..., Any]
    ) -> None:
        await tell_news(interaction)
