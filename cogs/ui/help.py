"""`/help`, the buttons of `/play`, and the permissions and the link to add the bot with."""

import io
from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.feature import Topic
from bot.focdle.words import HELP_TOPIC, WARM_UP_BUTTON
from bot.home.words import (
    ADD_BUTTON,
    COMMANDS,
    DOORS,
    FAIRNESS,
    NO_RULES_HERE,
    RULES_BUTTON,
    RULES_FILE,
    RULES_NOTE,
    SEALS_BUTTON,
    TOPICS,
    Door,
    exact_rules,
    help_text,
    seals_page,
)
from bot.text import labels
from bot.text.labels import contact_line
from bot.text.language import say
from cogs.ui.host import Host
from cogs.ui.pages import Page, button, gap, notice, page, row, spaced
from cogs.ui.replies import Interaction, may_send_files, server_of, show, whisper, with_commands
from cogs.ui.routes import Argument, By, Route, one_of, picked, pressed
from engine.focdle import SHORTEST
from engine.levels import Level

SCOPES: Final = ("bot", "applications.commands")
NEEDED: Final = (
    "view_channel",
    "send_messages",
    "attach_files",
    "send_messages_in_threads",
    "create_private_threads",
    "manage_threads",
    "read_message_history",
)
"""All permissions that the bot needs in a server, by Discord's names."""
PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(NEEDED, True))


def install_link(application_id: int) -> str:
    """Build the link that adds the bot to a server, with all permissions in `NEEDED`."""
    return discord.utils.oauth_url(application_id, permissions=PERMISSIONS, scopes=SCOPES)


def add_button(client: Host) -> Iterator[ui.Button[Any]]:
    """Yield the link that adds the bot to a server, if anybody may add it.

    That depends on the application's settings at Discord, as they were at login.
    """
    told = client.application
    if told is None or not told.bot_public or told.bot_require_code_grant:
        return
    if told.guild_integration_config is not None:
        yield ui.Button[Any](label=say(ADD_BUTTON), url=install_link(told.id))


def with_add_button(client: Host, page: Page) -> Page:
    """Put the link of `add_button` below a page, if there is one; return the page."""
    if link := [*add_button(client)]:
        page.add_item(row(*link))
    return page


def lacking(permissions: discord.Permissions) -> tuple[str, ...]:
    """List which of `NEEDED` are missing from the bot's permissions; none for an administrator."""
    if permissions.administrator:
        return ()
    return tuple(name for name in NEEDED if not getattr(permissions, name))


# Computing and drawing cost more than looking up, so these are two routes.
HEAVY_DOOR: Final = Route("play:{door:today|practice|stats}")
LIGHT_DOOR: Final = Route("play:{door:mastermind|duel|together|games|help}")
PRACTICE: Final = Route(
    "fd:practice:{length:int}:{level?}", level=one_of({each.value: each for each in Level})
)

_HEAVY: Final = {Door.TODAY, Door.PRACTICE, Door.STATS}
_FIRST_ROW: Final = 4


def door_rows(first: Door | None, *, in_server: bool, is_new: bool) -> Iterator[ui.ActionRow[Any]]:
    """Yield the doors of `/play`, in two rows of buttons: `first` stands out.

    In a server, a duel is behind *Together*. Those who are new warm up instead of a practice.
    """
    buttons: list[ui.Button[Any]] = []
    for door in Door:
        route = HEAVY_DOOR if door in _HEAVY else LIGHT_DOOR
        style = discord.ButtonStyle.primary if door is first else discord.ButtonStyle.secondary
        if is_new and door is Door.PRACTICE:
            buttons.append(warm_up_button())
        elif door is not (Door.DUEL if in_server else Door.TOGETHER):
            buttons.append(button(route(door=door.value), say(DOORS[door]), style))
    yield row(*buttons[:_FIRST_ROW])
    yield row(*buttons[_FIRST_ROW:])


def warm_up_button() -> ui.Button[Any]:
    """Build the button of a warm-up: it opens a practice of the shortest length."""
    return button(PRACTICE(length=SHORTEST), say(WARM_UP_BUTTON))


_BY_NAME: Final = {topic.name: topic for topic in TOPICS}
_TOPIC: Final = one_of(_BY_NAME)
HELP: Final = Route("help:{topic}", topic=_TOPIC)
LIST: Final = Route("topics:{shown}", shown=_TOPIC)
RULES: Final = Route("rules")
SEALS: Final = Route("seals")


async def help_page(interaction: Interaction, topic: Topic) -> Page:
    """Build the page of a help topic, with a list of all topics below."""
    blocks = help_text(topic, interaction.client.tiles, interaction.client.pegs)
    if topic is COMMANDS:
        blocks.append(contact_line(interaction.client.contact))
    texts = spaced(with_commands(interaction, block) for block in blocks)
    below = [button(RULES(), say(RULES_BUTTON))]
    if topic is COMMANDS:
        below.extend(add_button(interaction.client))
    if topic is HELP_TOPIC:
        below.insert(0, warm_up_button())
    if topic is FAIRNESS:
        below.insert(0, button(SEALS(), say(SEALS_BUTTON)))
    options = [
        discord.SelectOption(label=say(each.title), value=each.name, default=each is topic)
        for each in TOPICS
    ]
    topics = ui.Select[Any](custom_id=LIST(shown=topic), options=options)
    return page(*texts, gap(), row(topics), row(*below))


def help_button(topic: Topic, label: str | None = None) -> ui.Button[Any]:
    """Build the button that opens a help topic in a private message of its own."""
    return button(HELP(topic=topic), label or say(labels.HELP_BUTTON))


@pressed(RULES, by=By.ANYBODY)
async def hand_out_rules(interaction: Interaction) -> None:
    """Send the rules privately, as a file; where the bot may attach none, say so instead."""
    if not may_send_files(interaction):
        await whisper(interaction, notice(say(NO_RULES_HERE)))
        return
    file = discord.File(io.BytesIO(exact_rules().encode()), RULES_FILE)
    await whisper(interaction, Page([say(RULES_NOTE), ui.File[Any](file)], files=[file]))


@pressed(SEALS, by=By.ANYBODY)
async def show_seals(interaction: Interaction) -> None:
    daily, player = interaction.client.services.daily, interaction.user.id
    seals = await daily.seals(player, server_of(interaction))
    await whisper(interaction, page(*spaced(seals_page(seals))))


@pressed(HELP, by=By.ANYBODY)
async def explain(interaction: Interaction, topic: Topic) -> None:
    await whisper(interaction, await help_page(interaction, topic))


@picked(LIST, of=Argument("[a-z-]{1,30}"), by=By.ANYBODY)
async def turn_to(interaction: Interaction, value: str) -> None:
    """Show the chosen topic in the same message; `COMMANDS` for one that no longer exists."""
    await show(interaction, await help_page(interaction, _BY_NAME.get(value, COMMANDS)))


class HelpCog(commands.Cog):
    @app_commands.command(name="help", description=labels.HELP)
    @app_commands.describe(topic=labels.HELP_TOPIC)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.choices(
        topic=[app_commands.Choice(name=say(topic.title), value=topic.name) for topic in TOPICS]
    )
    async def help(
        self, interaction: Interaction, topic: app_commands.Choice[str] | None = None
    ) -> None:
        asked = COMMANDS if topic is None else _BY_NAME[topic.value]
        await whisper(interaction, await help_page(interaction, asked))
