"""The settings of a server's daily post, and its preview."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import discord
from discord import ui

from bot.posts import words
from bot.posts.model import (
    ChannelUnusableError,
    RoleForbiddenError,
    RoleGoneError,
    RoleUnusableError,
    ThreadsUnusableError,
)
from bot.posts.plans import PostPlanning, PostSettings
from bot.refusals import refusal
from bot.settings import words as settings_words
from bot.text import labels
from bot.text.language import say, weekday
from bot.text.markup import heading
from bot.text.tiles import Mood
from cogs.posts.delivery import post_page
from cogs.ui.choosing import (
    as_they_stand,
    check_channel,
    check_choice_of_role,
    check_role,
    check_threads,
    managed_server,
    reads_history,
)
from cogs.ui.pages import Block, Page, beside, button, line, new_id, page, row
from cogs.ui.replies import Interaction, in_good_time, show, whisper
from cogs.ui.routes import PLACE, Argument, By, Route, picked, pressed

_ROLE_ERRORS: Final = (RoleGoneError, RoleUnusableError, RoleForbiddenError)

PREVIEW: Final = Route("set:preview")


def preview_page(post: Page, note: str) -> Page:
    """Turn a post into a preview: put a note above it, and disable its buttons."""
    for item in post.walk_children():
        # One button would open a game in place of the preview, another make a thread.
        if isinstance(item, ui.Button):
            item.disabled = True
    return Page([note, *post.children], post.files)


@pressed(PREVIEW, by=By.MANAGERS)
async def preview(interaction: Interaction) -> None:
    """Show the daily post, as it would be now, in a new private message."""
    guild = managed_server(interaction)
    post = await in_good_time(interaction, _post_now(interaction, guild))
    await whisper(interaction, preview_page(post, words.preview_note()))


async def _post_now(interaction: Interaction, guild: discord.Guild) -> Page:
    services = interaction.client.services
    due = await services.posts.book.preview(guild.id)
    where = replace(due, channel_id=due.channel_id or interaction.channel_id or 0)
    return await post_page(interaction.client, services, where)


POSTS: Final = Route("set:posts")
TRY_AGAIN: Final = Route("set:again")
MORE: Final = Route("set:posts:more")
POSTING: Final = Route("set:post:{on:switch}")
HOUR: Final = Route("set:hour")
WEEKDAYS: Final = Route("set:days")
ROLE: Final = Route("set:role:{drawn:int}")
NO_ROLE: Final = Route("set:norole")
THREADS: Final = Route("set:threads:{on:switch}")
RESULTS: Final = Route("set:results:{on:switch}")
RECAP: Final = Route("set:recap:{on:switch}")
TODAYS_CARD: Final = Route("set:running:{on:switch}")
ALL_SETTINGS: Final = Route("set:back")
"""The route back to all settings; their module imports this one."""


async def show_posts(
    interaction: Interaction, posts: PostSettings | None = None, refused: Exception | None = None
) -> None:
    """Show the settings of the daily post, with problems found, and why a choice was refused."""
    guild = managed_server(interaction)
    choices = interaction.client.services.posts.choices
    posts = as_they_stand(guild, posts or await choices.view(guild.id))
    found = posts_page(posts, posts.zone, _troubles(guild, posts), refused)
    await show(interaction, found)


def _troubles(guild: discord.Guild, posts: PostSettings) -> list[str]:
    """List the problems of the daily post, recorded ones and lacking permissions, with remedies."""
    found = words.troubles(posts)
    channel_id = posts.channel_id
    if channel_id is None or posts.is_gone:
        return found
    try:
        check_channel(guild, channel_id)
        if not reads_history(guild, channel_id):
            found.append(words.no_history())
        if posts.role_id is not None:
            check_role(guild, posts.role_id, channel_id)
        if posts.finishers_threads:
            check_threads(guild, channel_id)
    except (ChannelUnusableError, RoleGoneError, RoleUnusableError, ThreadsUnusableError) as error:
        found.append(f"⚠️ {refusal(error)}")
    return found


def posts_page(
    posts: PostSettings,
    zone: str,
    troubles: Sequence[str],
    refused: Exception | None = None,
) -> Page:
    """Build the page of the daily post's settings.

    `troubles` are sentences about problems; `refused` is why a choice was refused.
    """
    buttons = (
        button(PREVIEW(), say(words.PREVIEW_BUTTON)),
        button(MORE(), say(labels.MORE_BUTTON)),
        button(ALL_SETTINGS(), say(words.BACK_BUTTON)),
    )
    return page(
        words.panel_title(posts),
        "\n".join(troubles),
        row(*_switches(posts)),
        line(),
        words.hour(zone),
        row(_hours(posts)),
        words.weekdays(),
        row(_weekdays(posts)),
        *_role(posts, refused),
        row(*buttons),
        mood=Mood.CALM,
    )


def more_page(posts: PostSettings, refused: Exception | None = None) -> Page:
    """Build the page of choices that few servers change."""
    return page(
        heading(say(words.POSTS_BUTTON)),
        line(),
        switch(RECAP, words.recap(posts), on=not posts.weekly_recap),
        switch(THREADS, words.threads(posts), on=not posts.finishers_threads),
        refusal_text(refused, ThreadsUnusableError),
        switch(RESULTS, words.results(posts), on=not posts.takes_results),
        switch(TODAYS_CARD, words.todays_card(posts), on=not posts.todays_card),
        row(button(POSTS(), say(words.BACK_TO_POSTS_BUTTON))),
        mood=Mood.CALM,
    )


def switch(route: Route, texts: tuple[str, str], *, on: bool) -> Block:
    text, label = texts
    return beside(text, button(route(on=on), label))


def _switches(posts: PostSettings) -> Iterator[ui.Button[Any]]:
    blue = discord.ButtonStyle.primary
    if posts.is_turned_off:
        yield button(POSTING(on=True), say(words.TURN_ON_BUTTON), blue)
    elif posts.channel_id is not None:
        if posts.off_at is not None and not posts.is_gone:
            yield button(TRY_AGAIN(), say(words.TRY_AGAIN_BUTTON), blue)
        yield button(POSTING(on=False), say(words.TURN_OFF_BUTTON))


def _role(posts: PostSettings, refused: Exception | None) -> Iterator[Block]:
    text = words.role(posts)
    if posts.role_id is None:
        yield text
    else:
        yield beside(text, button(NO_ROLE(), say(words.NO_ROLE_BUTTON)))
    yield refusal_text(refused, *_ROLE_ERRORS)
    drawn = new_id()
    roles = ui.RoleSelect[Any](
        custom_id=ROLE(drawn=drawn),
        id=drawn,
        placeholder=say(words.ROLE_PLACEHOLDER),
        default_values=[] if posts.role_id is None else [discord.Object(posts.role_id)],
    )
    yield row(roles)


def refusal_text(refused: Exception | None, *kinds: type[Exception]) -> str:
    """Write why a choice was refused, if the reason is of one of these kinds; else empty."""
    if not isinstance(refused, kinds):
        return ""
    return f"{refusal(refused)}\n{settings_words.unchanged()}"


def posts_button() -> ui.Button[Any]:
    return button(POSTS(), say(words.CHANGE_POSTS_BUTTON))


def _hours(posts: PostSettings) -> ui.Select[Any]:
    options = [
        discord.SelectOption(
            label=words.clock(hour),
            value=str(hour),
            description=words.hour_meaning(hour),
            default=posts.hour == hour,
        )
        for hour in range(24)
    ]
    return ui.Select[Any](custom_id=HOUR(), options=options)


def _weekdays(posts: PostSettings) -> ui.Select[Any]:
    # Every day is the placeholder: seven chosen ones would fill four of a phone's lines.
    week = range(1, 8)
    chosen = () if posts.days == (*week,) else posts.days
    options = [
        discord.SelectOption(label=weekday(day), value=str(day), default=day in chosen)
        for day in week
    ]
    return ui.Select[Any](
        custom_id=WEEKDAYS(),
        options=options,
        min_values=1,
        max_values=7,
        placeholder=None if chosen else say(words.EVERY_DAY),
    )


@pressed(POSTS, by=By.MANAGERS)
async def open_posts(interaction: Interaction) -> None:
    await show_posts(interaction)


@pressed(MORE, by=By.MANAGERS)
async def open_more(interaction: Interaction) -> None:
    guild, choices = _choices(interaction)
    await show(interaction, more_page(await choices.view(guild.id)))


@pressed(TRY_AGAIN, POSTING, by=By.MANAGERS)
async def switch_posts(interaction: Interaction, *, on: bool = True) -> None:
    """Turn the posts off or on; they stay off if the bot may not post, and the page says why."""
    guild, choices = _choices(interaction)
    if not on:
        await show_posts(interaction, await choices.turn_off(guild.id))
        return
    posts = await choices.view(guild.id)
    with suppress(ChannelUnusableError):
        if posts.channel_id is not None:
            check_channel(guild, posts.channel_id)
            posts = await choices.turn_on(guild.id)
    await show_posts(interaction, posts)


@picked(HOUR, of=Argument("1?[0-9]|2[0-3]", int), by=By.MANAGERS)
async def choose_hour(interaction: Interaction, hour: int) -> None:
    guild, choices = _choices(interaction)
    await show_posts(interaction, await choices.set_hour(guild.id, hour))


@picked(WEEKDAYS, of=Argument("[1-7]", int), by=By.MANAGERS, most=7)
async def choose_weekdays(interaction: Interaction, days: Sequence[int]) -> None:
    guild, choices = _choices(interaction)
    await show_posts(interaction, await choices.set_days(guild.id, days))


@picked(ROLE, of=PLACE, by=By.MANAGERS)
async def choose_role(interaction: Interaction, role_id: int) -> None:
    """Set the role to mention; refused unless both the bot and the member may mention it."""
    guild, choices = _choices(interaction)
    posts, refused = await choices.view(guild.id), None
    try:
        check_choice_of_role(interaction, guild, role_id, posts.channel_id)
        posts = await choices.set_role(guild.id, role_id)
    except _ROLE_ERRORS as error:
        refused = error
    await show_posts(interaction, posts, refused)


@pressed(NO_ROLE, by=By.MANAGERS)
async def mention_nobody(interaction: Interaction) -> None:
    guild, choices = _choices(interaction)
    await show_posts(interaction, await choices.set_role(guild.id, None))


@pressed(THREADS, by=By.MANAGERS)
async def switch_threads(interaction: Interaction, *, on: bool) -> None:
    """Turn finishers' threads off, or on if the bot may keep private threads in the channel."""
    guild, choices = _choices(interaction)
    posts, refused = await choices.view(guild.id), None
    try:
        if on:
            check_threads(guild, posts.channel_id)
        posts = await choices.set_finishers_threads(guild.id, on=on)
    except ThreadsUnusableError as error:
        refused = error
    await show(interaction, more_page(posts, refused))


@pressed(RESULTS, by=By.MANAGERS)
async def switch_results(interaction: Interaction, *, on: bool) -> None:
    guild, choices = _choices(interaction)
    await show(interaction, more_page(await choices.set_takes_results(guild.id, on=on)))


@pressed(RECAP, by=By.MANAGERS)
async def switch_recap(interaction: Interaction, *, on: bool) -> None:
    guild, choices = _choices(interaction)
    await show(interaction, more_page(await choices.set_weekly_recap(guild.id, on=on)))


@pressed(TODAYS_CARD, by=By.MANAGERS)
async def switch_todays_card(interaction: Interaction, *, on: bool) -> None:
    guild, choices = _choices(interaction)
    await show(interaction, more_page(await choices.set_todays_card(guild.id, on=on)))


def _choices(interaction: Interaction) -> tuple[discord.Guild, PostPlanning]:
    return managed_server(interaction), interaction.client.services.posts.choices
