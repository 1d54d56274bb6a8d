"""`/settings`: by options or on its panel, all or nothing, by those who may, in usable channels."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import discord
import pytest
from discord import ui
from simcord import ChannelHandle, InteractionResult, MemberActor, ResponseMessage, RoleHandle
from simcord.backend.errors import SetupError
from simcord.enums import InteractionType

from bot.people.zones import find_zone
from bot.posts.model import ChannelUnusableError, ServerZoneTooSoonError
from bot.posts.plans import PostSettings
from bot.refused import NoSuchDailyLengthError, UnknownZoneError
from bot.settings.game import GuildSettings
from cogs.settings import Viewer, settings_page
from tests.support.ids import ids_on
from tests.support.plays import assert_fits
from tests.support.screen import buttons, custom_ids, seen, text
from tests.support.simcord_gaps import changing_events, interact
from tests.support.table import Table

MIDNIGHT = int(datetime(2026, 11, 21, tzinfo=UTC).timestamp())
REFUSED = "You need the Manage Server permission."
UNCHANGED = "-# Nothing was changed."
DEFAULTS = GuildSettings(None, "UTC", None, 10, None)


@pytest.fixture(autouse=True)
def host(table: Table) -> RoleHandle:
    """Ann may manage the server; this role is why."""
    return table.let_manage(table.ann)


async def settings(table: Table, **options: Any) -> ResponseMessage:
    """Type the command; what it answers."""
    return seen(await table.ann.slash(table.channel, "settings", **options))


async def form(table: Table, shown: ResponseMessage) -> InteractionResult:
    """Press *Change time zone*; the open form."""
    return await table.ann.click(shown, label="Change time zone")


async def type_zone(table: Table, shown: ResponseMessage, zone: str) -> ResponseMessage:
    """Type a zone into the form; what is seen then."""
    return seen(await table.ann.submit_modal(await form(table, shown), {"zone": zone}))


async def choose_zone(table: Table, shown: ResponseMessage, zone: str) -> ResponseMessage:
    """Choose a zone from the list of those that a text may have meant."""
    return seen(await table.ann.select(shown, [zone], custom_id="set:zones"))


def offered(shown: ResponseMessage) -> list[tuple[str, str]]:
    """The zones to choose from, with what is said of them."""
    lists = [
        part
        for row in shown.components[0]["components"]
        for part in row.get("components", [])
        if part.get("custom_id") == "set:zones"
    ]
    return [(o["label"], o["description"]) for part in lists for o in part["options"]]


def channels(shown: ResponseMessage) -> str:
    """The id of the list of channels."""
    (custom_id,) = [i for i in custom_ids(shown) if i.startswith("set:channel:")]
    return custom_id


async def stored(table: Table) -> GuildSettings:
    """What is set."""
    return await table.services.settings.view(table.ann.guild.id)


def make_channel(table: Table, **overwrite: bool) -> ChannelHandle:
    """A channel in which the bot may do less, or more, than elsewhere."""
    guild = table.ann.guild
    assert guild.me is not None
    return guild.create_text_channel(
        "made-up", overwrites={guild.me: discord.PermissionOverwrite(**overwrite)}
    )


# Looking, and setting one thing at a time.


async def test_the_settings_panel_names_the_value_of_every_setting(table: Table) -> None:
    shown = await settings(table)
    assert shown.ephemeral
    assert text(shown) == (
        "### Settings of this server\n-# For members with **Manage Server**.\n"
        "**Channel: none**\n-# The channel for my own posts.\n**Daily post: off**\n-# Choose a "
        "channel above, and each day's puzzle is posted there.\n**Time zone: UTC** · now 12:00\n"
        "-# The puzzle changes at midnight there.\n"
        "**Language: English**\n-# Messages that everybody here sees.\n"
        "**Length: 10 symbols**\n-# For the day's equation. Longer is harder.\n"
        "**Members' equations: on**\n-# Members can post puzzles of "
        "their own with `/equation`."
    )
    assert buttons(shown) == [
        *("Change daily post", "Change time zone", "Turn off"),
        *("Champion's role", "Hide members", "Check permissions"),
    ]
    assert custom_ids(shown) == [
        channels(shown),
        "set:posts",
        "set:zone",
        "set:language",
        "set:length",
        "set:equations:off",
        "set:champion",
        "set:members:0",
        "set:check",
    ]


async def test_a_channel_can_be_set_and_removed_and_stays_stored(table: Table) -> None:
    first = await settings(table)
    result = await table.ann.select(first, [table.channel], custom_id=channels(first))
    assert seen(result).id == first.id
    assert result.followups == []
    assert f"**Channel:** {table.channel.mention}" in text(first)
    await table.restart()
    shown = await settings(table)
    assert f"**Channel:** {table.channel.mention}" in text(shown)
    shown = seen(await table.ann.click(shown, label="Post nowhere"))
    assert "**Channel: none**" in text(shown)
    assert "Post nowhere" not in buttons(shown)
    await table.restart()
    assert await stored(table) == DEFAULTS


async def test_the_chosen_length_is_stored(table: Table) -> None:
    first = await settings(table)
    shown = seen(await table.ann.select(first, ["12"], custom_id="set:length"))
    assert shown.id == first.id
    assert "**Length: 12 symbols**" in text(shown)
    assert "➜" not in text(shown)
    await table.restart()
    assert "**Length: 12 symbols**" in text(await settings(table))
    assert "· 12 symbols" in text(await table.focdle(table.ben))


async def test_a_typed_zone_is_offered_with_its_present_time_and_stored_once_picked(
    table: Table,
) -> None:
    first = await settings(table)
    opened = await form(table, first)
    await table.restart()
    shown = seen(await table.ann.submit_modal(opened, {"zone": "kiritimati"}))
    assert shown.id == first.id
    assert "Which clock is right?" in text(shown)
    assert offered(shown) == [("Pacific/Kiritimati", "now 02:00")]
    assert await stored(table) == DEFAULTS
    await table.restart()
    shown = await choose_zone(table, shown, "Pacific/Kiritimati")
    assert "**Time zone: Pacific/Kiritimati** · now 02:00" in text(shown)
    assert "Which clock" not in text(shown)
    assert "➜" not in text(shown)
    await table.restart()
    assert "**Time zone: Pacific/Kiritimati**" in text(await settings(table))
    assert "FoCdle #325" in text(await table.focdle(table.ben))


async def test_one_command_with_options_sets_everything_at_once(table: Table) -> None:
    shown = await settings(table, channel=table.channel, timezone="tokyo", length=9)
    assert f"**Channel:** {table.channel.mention}" in text(shown)
    assert "**Time zone: Asia/Tokyo** · now 21:00" in text(shown)
    assert "**Length: 9 symbols**" in text(shown)
    assert await stored(table) == replace(
        DEFAULTS, channel_id=table.channel.id, zone="Asia/Tokyo", length=9
    )


# What holds from midnight on.


async def test_a_new_zone_or_length_waits_for_midnight_once_somebody_has_played(
    table: Table,
) -> None:
    await table.focdle(table.ben)
    await settings(table, timezone="Tokyo", length=9)
    await table.restart()
    shown = await settings(table)
    assert (
        "**Time zone: UTC** · now 12:00\n-# The puzzle changes at midnight there."
        f"\n➜ **Asia/Tokyo** <t:{MIDNIGHT}:R>\n-# Changes take effect at midnight.\n"
    ) in text(shown)
    assert (
        "**Length: 10 symbols**\n"
        "-# For the day's equation. Longer is harder.\n"
        "➜ **9 symbols** from Saturday, November 21, 2026\n"
        "-# Changes take effect at midnight."
    ) in text(shown)
    assert "· 10 symbols" in text(await table.focdle(table.ann))
    table.clock.set(datetime(2026, 11, 21, tzinfo=UTC))
    shown = await settings(table)
    assert "**Time zone: Asia/Tokyo**" in text(shown)
    assert "**Length: 9 symbols**" in text(shown)
    assert "➜" not in text(shown)
    assert "· 9 symbols" in text(await table.focdle(table.ann))


async def test_choosing_the_present_zone_or_length_cancels_a_coming_one(
    table: Table,
) -> None:
    await table.focdle(table.ben)
    shown = await settings(table, timezone="Tokyo", length=9)
    shown = seen(await table.ann.select(shown, ["10"], custom_id="set:length"))
    shown = await choose_zone(table, await type_zone(table, shown, "UTC"), "UTC")
    assert "➜" not in text(shown)
    assert await stored(table) == DEFAULTS


async def test_the_list_of_lengths_shows_the_chosen_one(table: Table) -> None:
    await table.focdle(table.ben)
    shown = await settings(table, length=9)
    (lengths,) = [
        part
        for row in shown.components[0]["components"]
        for part in row.get("components", [])
        if part.get("custom_id") == "set:length"
    ]
    assert [o["label"] for o in lengths["options"] if o["default"]] == ["9 symbols"]
    assert [o["value"] for o in lengths["options"]] == ["9", "10", "11", "12", "13"]
    assert lengths["options"][0]["description"] == "such as 24-9+3=18"


async def test_the_panel_says_until_when_a_zone_can_be_corrected_and_when_it_can_next_change(
    table: Table,
) -> None:
    await settings(table, timezone="Tokyo")
    play = await table.services.daily.open(table.ben.id, table.ben.guild.id)
    await table.services.daily.guess(table.ben.id, play.id, play.game.secret)
    corrected = int((table.clock.now() + timedelta(hours=48)).timestamp())
    shown = await settings(table)
    assert f"\n-# Is it wrong? You can correct it once, until <t:{corrected}:f>.\n" in text(shown)
    shown = await settings(table, timezone="Seoul")
    assert "Is it wrong?" not in text(shown)  # it can be changed until it holds
    opened = await form(table, shown)
    table.clock.set(datetime(2026, 11, 20, 15, tzinfo=UTC))
    again = int((table.clock.now() + timedelta(days=7)).timestamp())
    shown = await settings(table)
    assert "**Time zone: Asia/Seoul**" in text(shown)
    assert f"\n-# Next change: <t:{again}:R>.\n" in text(shown)
    with pytest.raises(SetupError, match="disabled"):
        await form(table, shown)
    refused = (
        "\nA server's time zone can change once every 7 days. "
        f"Try again <t:{again}:R>.\n{UNCHANGED}"
    )
    assert refused in text(await settings(table, timezone="Tokyo", length=9))
    assert (await stored(table)).length == 10
    shown = seen(await table.ann.submit_modal(opened, {"zone": "tokyo"}))
    assert refused in text(shown)
    assert offered(shown) == []
    table.clock.set(datetime(2026, 11, 27, 15, tzinfo=UTC))
    shown = await type_zone(table, await settings(table), "tokyo")
    assert offered(shown)[0][0] == "Asia/Tokyo"


# All or nothing, and why not.


@pytest.mark.parametrize("length", [8, 14])
async def test_an_invalid_length_of_dailies_is_refused(table: Table, length: int) -> None:
    shown = await settings(table, channel=table.channel, timezone="Tokyo", length=length)
    assert f"\nDailies have 9 to 13 symbols, not {length}.\n{UNCHANGED}" in text(shown)
    assert await stored(table) == DEFAULTS


async def test_a_misspelt_zone_changes_nothing_until_a_suggestion_is_chosen(table: Table) -> None:
    shown = await settings(table, channel=table.channel, timezone="Berlim", length=9)
    assert f"\nNo time zone is called `Berlim`. Did you mean one of these?\n{UNCHANGED}" in text(
        shown
    )
    assert await stored(table) == DEFAULTS
    await table.restart()
    chosen = seen(await table.ann.select(shown, ["Europe/Berlin"], custom_id="set:zones"))
    assert chosen.id == shown.id
    assert "**Time zone: Europe/Berlin** · now 13:00" in text(chosen)
    assert UNCHANGED not in text(chosen)
    assert "set:zones" not in custom_ids(chosen)


async def test_an_abbreviation_of_a_zone_leads_to_places_to_choose_from(table: Table) -> None:
    shown = await settings(table, timezone="EST")
    assert await stored(table) == DEFAULTS
    assert "No time zone is called `EST`. Did you mean one of these?" in text(shown)
    assert offered(shown)[0] == ("America/New York", "now 07:00")
    shown = await type_zone(table, shown, "IST")
    assert "Which clock is right?" in text(shown)
    assert offered(shown) == [
        ("Asia/Kolkata", "now 17:30"),
        ("Asia/Jerusalem", "now 14:00"),
        ("Europe/Dublin", "now 12:00"),
    ]
    shown = await choose_zone(table, shown, "Europe/Dublin")
    assert (await stored(table)).zone == "Europe/Dublin"


@pytest.mark.parametrize("by_option", [True, False])
@pytest.mark.parametrize(
    ("overwrite", "lacks"),
    [
        ({"send_messages": False}, "**Send Messages** there."),
        (
            {"view_channel": False},
            "**View Channel and Send Messages** there.",
        ),
    ],
)
async def test_a_channel_that_the_bot_cannot_use_is_refused_by_name(
    table: Table, overwrite: dict[str, bool], lacks: str, *, by_option: bool
) -> None:
    channel = make_channel(table, **overwrite)
    if by_option:
        shown = await settings(table, channel=channel, timezone="Tokyo", length=9)
    else:
        first = await settings(table)
        offered = channels(first)
        shown = seen(await table.ann.select(first, [channel], custom_id=channels(first)))
        assert shown.id == first.id
        # Under its old id the list would go on showing what was refused.
        assert channels(shown) != offered
    assert (f"\nI can't post in {channel.mention}: I need {lacks}\n{UNCHANGED}") in text(shown)
    assert await stored(table) == DEFAULTS


@contextmanager
def telling(table: Table, may: discord.Permissions) -> Generator[None]:
    """Let Discord tell, beside each channel that is chosen, that the bot may do this there.

    SimCord does not tell it yet.
    """

    def tell(payload: dict[str, Any]) -> bool:
        for channel in payload.get("data", {}).get("resolved", {}).get("channels", {}).values():
            channel["app_permissions"] = str(may.value)
        return True

    with changing_events(table.env, tell):
        yield


@pytest.mark.parametrize("by_option", [True, False])
@pytest.mark.parametrize(
    ("may", "lacks"),
    [
        ({"view_channel": True, "attach_files": True}, "**Send Messages** there."),
        ({"send_messages": True}, "**View Channel and Send Messages** there."),
        ({"view_channel": True, "send_messages": True}, ""),
        ({"administrator": True}, ""),
    ],
)
async def test_permissions_that_discord_sends_with_a_chosen_channel_are_trusted(
    table: Table, may: dict[str, bool], lacks: str, *, by_option: bool
) -> None:
    # As far as is known, it is the other way round.
    channel = make_channel(table, send_messages=bool(lacks))
    first = await settings(table)
    with telling(table, discord.Permissions(**may)):
        if by_option:
            shown = await settings(table, channel=channel)
        else:
            shown = seen(await table.ann.select(first, [channel], custom_id=channels(first)))
    if lacks:
        assert f"I can't post in {channel.mention}: I need {lacks}" in text(shown)
    else:
        assert "can't post" not in text(shown)
    assert (await stored(table)).channel_id == (None if lacks else channel.id)


async def test_the_panel_points_out_a_deleted_channel(table: Table) -> None:
    channel = make_channel(table)
    shown = await settings(table, channel=channel)
    assert "can't post" not in text(shown)
    table.env.backend.delete_channel(channel.id)
    await table.env.settle()
    shown = await settings(table)
    assert (
        "**Channel: gone**\n-# Choose another.\n**Daily post: stopped**\n-# Its channel is gone.\n"
    ) in text(shown)
    assert "I need **" not in text(shown)
    assert str(channel.id) not in text(shown)
    assert UNCHANGED not in text(shown)
    page = seen(await table.ann.click(shown, label="Change daily post"))
    assert "⚠️ Its channel is gone. Choose another one in *All settings*." in text(page)
    assert "permission" not in text(page)
    shown = seen(await table.ann.click(page, label="◀ All settings"))
    shown = seen(await table.ann.select(shown, [table.channel], custom_id=channels(shown)))
    assert f"**Channel:** {table.channel.mention}" in text(shown)
    assert "gone" not in text(shown)


# Who may.


async def test_the_settings_command_is_offered_to_managers_in_servers(table: Table) -> None:
    assert "settings" in table.ann.available_commands(table.channel)
    assert "settings" not in table.ben.available_commands(table.channel)
    assert "settings" not in table.ann.user.available_commands()
    registered = {name: command for (name, _), command in table.env.backend.commands[None].items()}
    assert registered["settings"]["contexts"] == [0]
    assert registered["settings"]["integration_types"] == [0]


async def test_a_member_who_was_only_granted_the_settings_command_is_refused(table: Table) -> None:
    (command,) = [c for (n, _), c in table.env.backend.commands[None].items() if n == "settings"]
    everyone = table.ann.guild.default_role
    table.ann.guild.set_command_permissions(int(command["id"]), {everyone: True})
    for options in ({}, {"length": 9}, {"timezone": "Tokyo"}, {"channel": table.channel}):
        answer = seen(await table.ben.slash(table.channel, "settings", **options))
        assert answer.ephemeral
        assert text(answer) == REFUSED
    assert await stored(table) == DEFAULTS
    # Administrators have every permission.
    guild = table.ben.guild
    admin = guild.create_role("Admin", permissions=discord.Permissions(administrator=True))
    table.env.backend.add_member_role(guild.id, table.ben.id, admin.id)
    answer = seen(await table.ben.slash(table.channel, "settings", length=9))
    assert "**Length: 9 symbols**" in text(answer)


async def test_a_member_who_lost_the_permission_is_refused_on_an_open_panel(
    table: Table, host: RoleHandle
) -> None:
    first = await settings(table, channel=table.channel)
    misspelt = await type_zone(table, await settings(table), "eastern")
    opened = await form(table, first)
    before, shown = await stored(table), text(first)
    ann, channel = table.ann, table.channel
    table.env.backend.remove_member_role(ann.guild.id, ann.id, host.id)
    answers = [
        await ann.submit_modal(opened, {"zone": "Tokyo"}),
        await ann.click(first, label="Change time zone"),
        await ann.click(first, label="Post nowhere"),
        await ann.click(first, label="Change daily post"),
        await ann.click(first, label="Turn off"),
        await ann.select(first, [table.world.channels[1]], custom_id=channels(first)),
        await ann.select(first, ["9"], custom_id="set:length"),
        await ann.select(misspelt, ["US/Eastern"], custom_id="set:zones"),
    ]
    for answer in map(seen, answers):
        assert answer.ephemeral
        assert answer.id not in {first.id, misspelt.id}
        assert text(answer) == REFUSED
    assert await stored(table) == before
    assert text(first) == shown
    assert channel.mention in shown


async def test_a_settings_panel_in_public_obeys_only_managers(table: Table) -> None:
    panel = settings_page(DEFAULTS, PostSettings(), table.clock.now())
    (of,) = [each.custom_id for each in panel.walk_children() if isinstance(each, ui.ChannelSelect)]

    class Loose(ui.LayoutView):
        def __init__(self) -> None:
            super().__init__(timeout=None)
            for item in panel.children:
                self.add_item(item)

    there = table.bot.get_channel(table.channel.id)
    assert isinstance(there, discord.TextChannel)
    message = await there.send(view=Loose())
    await table.env.settle()
    assert text(seen(await table.ben.click(message, label="Change time zone"))) == REFUSED
    for values, custom_id in (([table.channel], of), (["9"], "set:length")):
        answer = seen(await table.ben.select(message, values, custom_id=custom_id))
        assert answer.ephemeral
        assert text(answer) == REFUSED
    assert await stored(table) == DEFAULTS
    answer = seen(await table.ann.select(message, ["9"], custom_id="set:length"))
    assert answer.ephemeral
    assert answer.id != message.id
    assert "**Length: 9 symbols**" in text(answer)


async def test_a_channel_of_another_server_is_refused(table: Table) -> None:
    shown = await settings(table)
    other = table.env.create_guild("Another server").create_text_channel("theirs")
    await table.env.settle()
    assert table.bot.get_channel(other.id) is not None
    await send_choice(table, table.ann, shown, channels(shown), other.id)
    assert (await stored(table)).channel_id is None
    assert "That channel is gone." in text(shown)


async def send_choice(
    table: Table, who: MemberActor, shown: ResponseMessage, custom_id: str, value: int
) -> None:
    """What a client would send that lets its user choose what the list does not offer."""
    source = table.env.backend.get_message(shown.channel_id, shown.id)
    data = {"custom_id": custom_id, "component_type": 8, "values": [str(value)]}
    await interact(who, InteractionType.MESSAGE_COMPONENT, table.channel, data, source)


# Typing a zone, and limits.


ZONES: Final = {
    "": "UTC · now 12:00",
    "tok": "Asia/Tokyo · now 21:00",
    "Germany": "Europe/Berlin · now 13:00",
    "utc-3": "UTC−3 · now 09:00",
    "new y": "America/New York · now 07:00",
    "a": "Europe/Athens · now 14:00",
    "IST": "Asia/Kolkata · now 17:30",
    "mumb": "Asia/Kolkata · now 17:30",
    "california": "America/Los Angeles · now 04:00",
    "qqq": None,
}


async def test_each_suggested_zone_shows_the_present_time_there(table: Table) -> None:
    for typed, first in ZONES.items():
        table.clock.advance(days=1)  # nobody hurries
        choices = await table.ann.autocomplete(table.channel, "settings", "timezone", typed)
        assert (choices[0]["name"] if choices else None) == first
        assert len(choices) <= 25
        assert all(len(each["name"]) <= 100 and find_zone(each["value"]) for each in choices)
        for choice in choices[:1]:
            shown = await settings(table, timezone=choice["value"])
            assert choice["name"].partition(" · ")[0] in text(shown)


def test_the_largest_settings_panel_is_within_discords_limits() -> None:
    zone = "America/Argentina/ComodRivadavia"
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    largest = GuildSettings(
        *(2**63, zone, (zone, now), 10, (13, date(2026, 11, 21))),
        zone_again_at=now,
    )
    posts = PostSettings(2**63, next_at=now, days=(1, 2, 3, 4, 5, 6))
    unusable = ChannelUnusableError(channel_id=2**63, missing=["view_channel", "send_messages"])
    for refused in (
        UnknownZoneError(text="`" * 4000, proposals=[zone] * 25),
        NoSuchDailyLengthError(length=2**53, shortest=9, symbols=13),
        ServerZoneTooSoonError(again_at=now),
        unusable,
    ):
        viewer = Viewer(may_delete=True)
        shown = settings_page(largest, posts, now, refused, unusable, [zone] * 25, viewer=viewer)
        assert_fits(shown)
        assert len(ids_on(shown)) >= 4
