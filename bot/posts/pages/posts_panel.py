"""The settings of a server's daily post in words, with what keeps the bot from posting."""

from typing import Final

from bot.posts.game.finishers_threads import OPEN_DAYS
from bot.posts.game.post_choices import PostSettings
from bot.posts.game.recap import FEWEST_PLAYERS
from bot.text import counts
from bot.text.language import N_, long_date, weekday
from bot.text.language import gettext as _
from bot.text.markup import heading, relative_time, small
from bot.text.zones import zone_name

_WEEK = tuple(range(1, 8))

#: Opens the page of the daily post; at most 80 characters.
POSTS_BUTTON: Final = N_("Daily post")
#: Shows what the daily post would look like now; at most 80 characters.
PREVIEW_BUTTON: Final = N_("Preview")
#: Back to all settings of a server; at most 80 characters.
BACK_BUTTON: Final = N_("◀ All settings")
#: Ends the daily post; at most 80 characters.
TURN_OFF_BUTTON: Final = N_("Turn off")
#: Begins the daily post, where it was turned off; at most 80 characters.
TURN_ON_BUTTON: Final = N_("Turn on")
#: Switches the daily post on again; at most 80 characters.
TRY_AGAIN_BUTTON: Final = N_("Try again")
#: What the list of roles says before one is chosen; at most 150 characters.
ROLE_PLACEHOLDER: Final = N_("Choose a role")
#: Has the daily post mention nobody; at most 80 characters.
NO_ROLE_BUTTON: Final = N_("Mention nobody")


def summary(posts: PostSettings) -> str:
    """The daily post among all settings."""
    if posts.channel_id is None:
        channel = _("Choose a channel above, and each day's puzzle is posted there.")
        return f"{_state(posts)}\n{small(channel)}"
    return f"{_state(posts)}\n{small(_next(posts))}"


def _state(posts: PostSettings) -> str:
    if posts.channel_id is None or posts.is_turned_off:
        return _("**Daily post: off**")
    if posts.is_gone or posts.off_at is not None:
        return _("**Daily post: stopped**")
    return _("**Daily post: {hour}, {days}**").format(hour=clock(posts.hour), days=days(posts))


def _next(posts: PostSettings) -> str:
    if posts.channel_id is None:
        return _("Choose a channel in *All settings* first.")
    if posts.is_gone:
        return _("Its channel is gone.")
    if posts.is_turned_off:
        return _("Nothing is posted. What you have chosen is kept.")
    if posts.off_at is not None:
        return _("Discord refused it three times in a row.")
    if posts.next_at is None:
        return _("The bot is about to post.")
    return _("The next one comes {when}.").format(when=relative_time(posts.next_at))


def preview_note() -> str:
    """Above a preview, to tell it from a post."""
    remark = _("The daily post as it would be now. Nothing is sent.")
    return f"{_('**A preview, for you alone**')}\n{small(remark)}"


def title(posts: PostSettings) -> str:
    """The heading of the page, and how things stand."""
    remark = _("Today's puzzle and yesterday's best; weekly and monthly, the leaderboard.")
    return f"{heading(_('Daily post'))}\n{small(remark)}\n{_state(posts)}\n{small(_next(posts))}"


def troubles(posts: PostSettings) -> list[str]:
    """What has gone wrong, and what mends it, beside what the channel's permissions show."""
    found: list[str] = []
    if posts.is_gone or (posts.off_at is not None and posts.problem == "gone"):
        found.append(_("⚠️ Its channel is gone. Choose another one in *All settings*."))
    elif posts.off_at is not None and not posts.is_turned_off:
        forbidden = _("I may not post there. Mend my permissions, then press *Try again*.")
        found.append(f"⚠️ {forbidden}")
    if posts.unsure_day is not None:
        lost = _(
            "The post of {day} may be missing: I was interrupted, and lack **Read Message "
            "History** to look."
        )
        found.append(f"⚠️ {lost.format(day=long_date(posts.unsure_day))}")
    return found


def no_history() -> str:
    """The bot may not read its own messages in the channel."""
    return small(
        _(
            "Give me **Read Message History** there: after an interruption I look whether my "
            "post is out."
        )
    )


def hour(posts: PostSettings, zone: str) -> str:
    """The hour, and where it holds."""
    state = _("**Hour: {hour}**").format(hour=clock(posts.hour))
    meaning = _("In the server's time zone, {zone}; within five minutes.").format(
        zone=zone_name(zone)
    )
    return f"{state}\n{small(meaning)}"


def clock(hour: int) -> str:
    """An hour as clocks show it; the post of midnight waits for who may still finish."""
    return f"{hour:02}:00" if hour else "00:30"


def hour_meaning(hour: int) -> str | None:
    """What is special about an hour in the list of them; at most 100 characters."""
    return None if hour else _("The date before can be finished until then")


def weekdays(posts: PostSettings) -> str:
    """The weekdays."""
    return _("**Days: {days}**").format(days=days(posts))


def days(posts: PostSettings) -> str:
    """Weekdays in short."""
    if posts.days == _WEEK:
        return _("every day")
    return ", ".join(weekday(day, short=True) for day in posts.days)


def role(posts: PostSettings) -> str:
    """Who is mentioned."""
    if posts.role_id is None:
        state = _("**Mention: nobody**")
    else:
        state = _("**Mention:** {role}").format(role=f"<@&{posts.role_id}>")
    return f"{state}\n{small(_('A role that the post calls.'))}"


def recap(posts: PostSettings) -> str:
    """Whether the first post of a week tells how the last week went."""
    state = _("**Weekly recap: on**") if posts.weekly_recap else _("**Weekly recap: off**")
    meaning = _(
        "Last week's winners, the closest duel and more, in the week's first post, once "
        "{players} played."
    )
    return f"{state}\n{small(meaning.format(players=counts.players(FEWEST_PLAYERS)))}"


def recap_button(posts: PostSettings) -> str:
    """Turns the weekly recap on, or off; at most 80 characters."""
    return _("Leave it out") if posts.weekly_recap else _("Include it")


def threads(posts: PostSettings) -> str:
    """Whether there are finishers' threads, and who reads them."""
    state = _("**Finishers' threads: on**")
    if not posts.finishers_threads:
        state = _("**Finishers' threads: off**")
    meaning = _("A private thread a day for those who have finished. It closes after {days}.")
    return f"{state}\n{small(meaning.format(days=counts.days(OPEN_DAYS)))}"


def threads_button(posts: PostSettings) -> str:
    """Turns finishers' threads on, or off; at most 80 characters."""
    return _("Turn off") if posts.finishers_threads else _("Turn on")


def results(posts: PostSettings) -> str:
    """Whether results may be shared below the post by who may not write there."""
    state = _("**Everybody may share under the post: no**")
    if posts.takes_results:
        state = _("**Everybody may share under the post: yes**")
    meaning = _("Even members who may not write there.")
    return f"{state}\n{small(meaning)}"


def results_button(posts: PostSettings) -> str:
    """Lets results be shared below the post, or no more; at most 80 characters."""
    return _("Do not allow") if posts.takes_results else _("Allow")


def running(posts: PostSettings) -> str:
    """Whether results of a date go into one message."""
    state = _("**Today's card: on**") if posts.todays_card else _("**Today's card: off**")
    meaning = _("All who *Share* on a day are in one message.")
    return f"{state}\n{small(meaning)}"


def running_button(posts: PostSettings) -> str:
    """Lets results of a date go into one message, or no more; at most 80 characters."""
    return _("Turn off") if posts.todays_card else _("Turn on")
