"""Who may challenge a player: a page among the preferences, and a button after a challenge."""

from collections.abc import Sequence
from typing import Any, Final

from discord import ui

from bot.home.game.preferences import Preferences
from bot.home.pages import invitations as words
from bot.people.model.preferences import Blocked
from bot.text.language import say
from bot.text.text_board import Mood
from cogs.ui.pages import Page, beside, button, line, new_id, notice, page, row
from cogs.ui.replies import Interaction, services_of, show, whisper
from cogs.ui.routes import USER, By, Route, picked, pressed

CHALLENGES: Final = Route("pref:challenges")
NO_CHALLENGES: Final = Route("pref:nochallenges:{on:switch}")
BLOCK: Final = Route("pref:block:{drawn:int}")
UNBLOCK: Final = Route("pref:unblock:{blocked:int}")
NO_MORE: Final = Route("inv:nomore:{blocked:int}")
MORE_PREFERENCES: Final = Route("pref:more")
"""Leads back to the page that imports this one."""

_MOST_SHOWN: Final = 6


async def show_challenges(interaction: Interaction) -> None:
    """Show players whom they want to hear from; everybody sees their own."""
    services, player_id = services_of(interaction), interaction.user.id
    preferences = await services.preferences.view(player_id)
    blocked = await services.blocking.blocked(player_id)
    await show(interaction, challenges_page(preferences, blocked, drawn=interaction.id))


def challenges_page(
    preferences: Preferences, blocked: Sequence[Blocked], *, drawn: int = 0
) -> Page:
    """Whom a player wants to hear from.

    Args:
        preferences: the player's.
        blocked: from whom no challenges are wanted, the latest first.
        drawn: anything that differs each time.
    """
    on = not preferences.no_challenges
    switch = button(NO_CHALLENGES(on=on), words.no_challenges_button(preferences))
    shown = [beside(words.blocked_line(one), _unblock_button(one)) for one in blocked[:_MOST_SHOWN]]
    rest = len(blocked[_MOST_SHOWN:])
    return page(
        words.challenges_title(),
        line(),
        beside(words.no_challenges(preferences), switch),
        line(),
        words.blocked_heading(blocked),
        *shown,
        words.blocked_rest(rest) if rest else "",
        row(_block_list(drawn)),
        row(button(MORE_PREFERENCES(), say(words.PREFERENCES_BUTTON))),
        mood=Mood.CALM,
    )


def _unblock_button(one: Blocked) -> ui.Button[Any]:
    return button(UNBLOCK(blocked=one.player_id), say(words.UNBLOCK_BUTTON))


def _block_list(drawn: int) -> ui.UserSelect[Any]:
    """The members, one of whom is to challenge the presser no more."""
    placeholder = say(words.BLOCK_PLACEHOLDER)
    return ui.UserSelect[Any](
        custom_id=BLOCK(drawn=drawn), id=new_id(drawn), placeholder=placeholder
    )


async def offer_no_more(interaction: Interaction, text: str, challenger_id: int) -> None:
    """Tell who has declined so, in private, and let them hear no more from the challenger."""
    no_more = button(NO_MORE(blocked=challenger_id), say(words.NO_MORE_BUTTON))
    await whisper(interaction, notice(text, [no_more]))


@pressed(NO_MORE, by=By.ANYBODY)
async def hear_no_more(interaction: Interaction, blocked: int) -> None:
    """Hear no more from whoever made a challenge."""
    await services_of(interaction).blocking.block(interaction.user.id, blocked)
    await show(interaction, notice(words.no_more_from(blocked)))


@pressed(CHALLENGES, by=By.ANYBODY)
async def open_challenges(interaction: Interaction) -> None:
    """Show the page in place of all preferences."""
    await show_challenges(interaction)


@pressed(NO_CHALLENGES, by=By.ANYBODY)
async def switch_challenges(interaction: Interaction, *, on: bool) -> None:
    """Let nobody challenge the presser, or everybody but those on the list."""
    preferences = services_of(interaction).preferences
    await preferences.set_no_challenges(interaction.user.id, on=on)
    await show_challenges(interaction)


@pressed(UNBLOCK, by=By.ANYBODY)
async def unblock(interaction: Interaction, blocked: int) -> None:
    """Let one player challenge the presser again."""
    await services_of(interaction).blocking.unblock(interaction.user.id, blocked)
    await show_challenges(interaction)


@picked(BLOCK, of=USER, by=By.ANYBODY)
async def block(interaction: Interaction, blocked_id: int) -> None:
    """Hear no more from the one who was chosen."""
    await services_of(interaction).blocking.block(interaction.user.id, blocked_id)
    await show_challenges(interaction)
