"""`/preferences`: seen in words, changed in place, kept, and refused where a game would suffer."""

from datetime import UTC, datetime

import discord
import pytest
from discord import ui
from simcord import InteractionResult, MemberActor, ResponseMessage

from bot.home.preferences import Preferences
from bot.refused import HardModeMidGameError, UnknownZoneError, ZoneTooSoonError
from bot.text.tiles import Palette
from cogs.home.preferences import more_page, preferences_page
from cogs.ui.choosing import zone_options
from cogs.ui.pages import Page
from tests.support.ids import LARGEST_ID, ids_on, is_known
from tests.support.plays import TILES, assert_fits
from tests.support.screen import buttons, parts, seen, text
from tests.support.table import Table

OFF = "**Hard mode: off**"
ON = "**Hard mode: on**"
SHAPES = "**Shapes on tiles: on**"
MIDNIGHT = int(datetime(2026, 11, 21, tzinfo=UTC).timestamp())
WEEK_LATER = int(datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp())
MID_GAME = "Finish today's puzzle first: #324."


async def panel(table: Table, who: MemberActor) -> ResponseMessage:
    """Type the command; what it answers."""
    return seen(await who.slash(table.channel, "preferences"))


async def more(table: Table, who: MemberActor) -> ResponseMessage:
    """Type the command, and press *More*."""
    return seen(await who.click(await panel(table, who), label="More"))


async def form(who: MemberActor, shown: ResponseMessage) -> InteractionResult:
    """Press *Change time zone*; the open form."""
    if "More" in buttons(shown):
        shown = seen(await who.click(shown, label="More"))
    return await who.click(shown, label="Change time zone")


async def type_zone(who: MemberActor, shown: ResponseMessage, zone: str) -> ResponseMessage:
    """Choose a zone by the form; what is seen then."""
    return seen(await who.submit_modal(await form(who, shown), {"zone": zone}))


@pytest.mark.parametrize(
    ("press", "changed", "back", "as_before"),
    [
        ("Turn on hard mode", ON, "Turn off hard mode", OFF),
        (
            "Turn on shapes",
            "**Shapes on tiles: on**",
            "Turn off shapes",
            "**Shapes on tiles: off**",
        ),
        ("Hide me", "**Leaderboards: hidden**", "Show me again", "**Leaderboards: visible**"),
    ],
)
async def test_a_click_changes_the_preferences_panel_in_place_and_is_stored(
    table: Table, press: str, changed: str, back: str, as_before: str
) -> None:
    first = await panel(table, table.ann)
    assert as_before in text(first)
    result = await table.ann.click(first, label=press)
    assert seen(result).id == first.id
    assert result.followups == []
    assert changed in text(first)
    assert as_before not in text(first)
    assert back in buttons(first)
    assert changed not in text(await panel(table, table.ben))

    await table.restart()
    assert changed in text(await panel(table, table.ann))
    await table.ann.click(first, label=back)
    assert as_before in text(first)
    assert press in buttons(first)


async def test_a_list_in_preferences_sets_which_guesses_a_player_must_confirm(table: Table) -> None:
    shown = await more(table, table.ann)
    assert chosen(shown) == ["false", "discord"]
    for choice in ("impossible", "nothing", "false"):
        await table.ann.select(shown, [choice], custom_id=f"pref:asking:{table.ann.id}")
        assert chosen(shown) == [choice, "discord"]
        await table.restart()
        assert chosen(await more(table, table.ann)) == [choice, "discord"]


def chosen(shown: ResponseMessage) -> list[str]:
    """What the lists say is chosen."""
    options = [each for part in parts(shown) for each in part.get("options", ())]
    return [each["value"] for each in options if each.get("default")]


# Hard mode and games under way.


async def test_hard_mode_cannot_be_switched_on_during_todays_game(table: Table) -> None:
    await table.focdle(table.ann, guess="12+34-5=41")
    first = await panel(table, table.ann)
    refused = seen(await table.ann.click(first, label="Turn on hard mode"))
    assert refused.id == first.id
    said = text(refused)
    assert said.index(OFF) < said.index(MID_GAME) < said.index("**Shapes")
    assert said.count(MID_GAME) == 1
    assert OFF in text(await panel(table, table.ann))
    # What else is on the panel is no part of the game.
    assert SHAPES in text(seen(await table.ann.click(refused, label="Turn on shapes")))
    assert MID_GAME not in text(refused)


async def test_hard_mode_cannot_be_switched_off_during_todays_game(table: Table) -> None:
    shown = await panel(table, table.ann)
    await table.ann.click(shown, label="Turn on hard mode")
    await table.focdle(table.ann, guess="12+34-5=41")
    refused = seen(await table.ann.click(shown, label="Turn off hard mode"))
    assert MID_GAME in text(refused)
    assert ON in text(refused)


async def test_a_choice_on_an_outdated_panel_is_accepted_if_it_is_already_set(table: Table) -> None:
    older, newer = await panel(table, table.ann), await panel(table, table.ann)
    await table.ann.click(newer, label="Turn on hard mode")
    await table.focdle(table.ann, guess="12+34-5=41")
    shown = seen(await table.ann.click(older, label="Turn on hard mode"))
    assert ON in text(shown)
    assert MID_GAME not in text(shown)


async def test_hard_mode_can_be_switched_when_todays_game_is_not_running(table: Table) -> None:
    async def switch(press: str) -> None:
        shown = seen(await table.ann.click(await panel(table, table.ann), label=press))
        assert (ON if press == "Turn on hard mode" else OFF) in text(shown)
        assert MID_GAME not in text(shown)

    await table.focdle(table.ann, puzzle="300", guess="12+34-5=41")
    await switch("Turn on hard mode")  # a game of the archive is none of today's
    await table.focdle(table.ann)
    await switch("Turn off hard mode")  # nor is one without a guess under way
    await table.focdle(table.ann, guess="12+34-5=41")
    table.clock.advance(days=1)
    await switch("Turn on hard mode")  # and tomorrow it is one of the archive
    play = await table.services.daily.open(table.ann.id, table.ann.guild.id)
    await table.services.daily.guess(table.ann.id, play.id, play.game.secret)
    await switch("Turn off hard mode")  # or over


# The time zone.


async def test_a_players_zone_applies_at_once_before_their_first_game(table: Table) -> None:
    first = await panel(table, table.ann)
    shown = await type_zone(table.ann, first, "asia / tokyo")
    assert shown.id == first.id
    assert "**Time zone: Asia/Tokyo** · now 21:00" in text(shown)
    assert "➜" not in text(shown)
    # And may be mended: nothing has been played that a date could be gained for.
    shown = await type_zone(table.ann, shown, "new york")
    assert "**Time zone: America/New York** · now 07:00" in text(shown)


async def test_a_players_zone_applies_from_the_next_midnight_after_their_first_game(
    table: Table,
) -> None:
    await table.focdle(table.ann)
    shown = await type_zone(table.ann, await panel(table, table.ann), "Tokyo")
    lines = f"\n➜ **Asia/Tokyo** <t:{MIDNIGHT}:R>\n-# Changes take effect at midnight."
    assert text(shown).endswith(lines)
    await table.restart()
    assert text(await more(table, table.ann)).endswith(lines)
    table.clock.set(datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC))
    shown = await more(table, table.ann)
    assert text(shown).endswith(lines)
    assert "**Time zone: UTC**" in text(shown)
    table.clock.set(datetime(2026, 11, 21, tzinfo=UTC))
    shown = await more(table, table.ann)
    assert "**Time zone: Asia/Tokyo**" in text(shown)
    assert "➜" not in text(shown)


async def test_a_players_coming_zone_can_be_changed_and_cancelled_freely(table: Table) -> None:
    await table.focdle(table.ann)
    shown = await type_zone(table.ann, await panel(table, table.ann), "Tokyo")
    shown = await type_zone(table.ann, shown, "Europe/Berlin")
    assert f"➜ **Europe/Berlin** <t:{MIDNIGHT}:R>" in text(shown)
    assert "Tokyo" not in text(shown)
    shown = await type_zone(table.ann, shown, "UTC")
    assert "**Time zone: UTC**" in text(shown)
    assert "➜" not in text(shown)
    # What was taken back was no change: the next one need not wait for a week.
    table.clock.advance(days=1)
    shown = await type_zone(table.ann, shown, "Tokyo")
    assert "➜ **Asia/Tokyo**" in text(shown)


async def test_a_players_own_zone_can_change_once_a_week(table: Table) -> None:
    await table.focdle(table.ann)
    shown = await type_zone(table.ann, await panel(table, table.ann), "Tokyo")
    table.clock.advance(days=6, hours=23)
    shown = await type_zone(table.ann, shown, "Europe/Berlin")
    assert (f"Your time zone can change again <t:{WEEK_LATER}:R>.") in text(shown)
    assert "**Time zone: Asia/Tokyo**" in text(shown)
    assert "➜" not in text(shown)
    # The zone that holds is no change.
    assert "can change again" not in text(await type_zone(table.ann, shown, "tokyo"))
    table.clock.advance(hours=1)
    shown = await type_zone(table.ann, shown, "Europe/Berlin")
    assert "➜ **Europe/Berlin**" in text(shown)


# Other people, and limits.


CHOICES_IN_LISTS = {"zones": "Asia/Tokyo", "asking": "nothing"}


class Loose(ui.LayoutView):
    """A panel outside the private message it belongs in."""

    def __init__(self, shown: Page) -> None:
        super().__init__(timeout=None)
        for item in shown.children:
            self.add_item(item)


async def test_a_click_on_another_players_panel_opens_ones_own_and_changes_nothing(
    table: Table,
) -> None:
    preferences = await table.services.preferences.view(table.ann.id)
    refused = UnknownZoneError(text="Tokio", proposals=["Asia/Tokyo"])
    now = table.clock.now()
    anns = [
        preferences_page(preferences, table.ann.id),
        more_page(preferences, table.ann.id, now, refused),
    ]
    channel = table.bot.get_channel(table.channel.id)
    assert isinstance(channel, discord.TextChannel)
    for shown in anns:
        message = await channel.send(view=Loose(shown))
        await table.env.settle()
        for label in buttons_of(message):
            answer = seen(await table.ben.click(message, label=label))
            assert answer.ephemeral
            own = await (more if label == "More" else panel)(table, table.ben)
            if label == "Who can challenge me":
                own = seen(await table.ben.click(await more(table, table.ben), label=label))
            assert text(answer) == text(own)
        for custom_id, choice in CHOICES_IN_LISTS.items():
            list_id = f"pref:{custom_id}:{table.ann.id}"
            if list_id in ids_on(shown):
                answer = seen(await table.ben.select(message, [choice], custom_id=list_id))
                assert answer.ephemeral
    for who in (table.ann, table.ben):
        assert await table.services.preferences.view(who.id) == preferences


def buttons_of(message: discord.Message) -> list[str]:
    return [
        item.label or ""
        for item in ui.LayoutView.from_message(message).walk_children()
        if isinstance(item, ui.Button)
    ]


@pytest.mark.parametrize("palette", [palette.value for palette in Palette])
@pytest.mark.parametrize("on", [True, False])
def test_the_largest_preferences_panel_is_within_discords_limits(palette: str, *, on: bool) -> None:
    zone = "America/Argentina/ComodRivadavia"
    now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    preferences = Preferences(
        hard_mode=on,
        palette=palette,
        hidden=on,
        no_challenges=on,
        zone=zone,
        next_zone=(zone, now),
        reminders=on,
        always=((7, 2**63 - 1),) if on else (),
    )
    unknown = UnknownZoneError(text="`" * 4000, proposals=[zone] * 25)
    for refused in (unknown, ZoneTooSoonError(again_at=now)):
        pages = (
            preferences_page(preferences, LARGEST_ID, TILES, HardModeMidGameError(number=324)),
            more_page(preferences, LARGEST_ID, now, refused, guild_id=7, browsers=5),
        )
        for shown in pages:
            assert_fits(shown)
            assert len(ids_on(shown)) >= 4
    options = zone_options(unknown.proposals, now)
    assert len(options) == 25
    assert all(len(option.label) <= 100 for option in options)


@pytest.mark.parametrize("custom_id", ["pref:tiles:bogus:7", "pref:hard:maybe:7", "pref:hard:on:"])
def test_a_forged_preference_is_refused(custom_id: str) -> None:
    assert not is_known(custom_id)
