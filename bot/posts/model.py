"""Nouns of daily posts, threads, cards and reminders, and reasons of refusal."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.clock import PuzzleName
from bot.games.model import Claim
from bot.people.game import ZONE_REST
from bot.refused import Refused, written
from bot.text import counts
from bot.text.labels import permission_names
from bot.text.language import N_, _


class ServerZoneTooSoonError(Refused):
    again_at: datetime

    def told(self) -> str:
        return _("A server's time zone can change once every {days}. Try again {again_at}.").format(
            days=counts.of_days(ZONE_REST.days), **written(self)
        )


class ChannelUnusableError(Refused):
    channel_id: int
    missing: list[str]
    """Discord's names of the permissions that the bot lacks; empty if there is no such channel."""

    def told(self) -> str:
        if not self.missing:
            return _("That channel is gone. Choose another one.")
        return _("I can't post in {channel}: I need **{permissions}** there.").format(
            permissions=permission_names(self.missing), **written(self)
        )


class ServerUnseenError(Refused):
    sentence = N_("I'm not back in that server yet. Nothing was lost. Try again in a minute.")


class ServerElsewhereError(Refused):
    sentence = N_("This only works in the server. Type `/play` there.")


class RoleGoneError(Refused):
    sentence = N_("The role for the daily post has been deleted.")


class RoleUnusableError(Refused):
    role_id: int
    is_everyone: bool = False
    """The role is @everyone."""

    def told(self) -> str:
        if self.is_everyone:
            return _("I never ping everyone. Choose a role.")
        return _(
            "I can't mention {role}. Switch on its **Allow anyone to @mention this role**, "
            "then choose it again."
        ).format(**written(self))


class RoleForbiddenError(Refused):
    role_id: int

    sentence = N_("You can't mention {role} yourself.")


class ThreadsUnusableError(Refused):
    """The server's channel for posts cannot have private threads, or none is chosen."""

    channel_id: int | None
    """The channel for posts; None if none is chosen."""
    missing: list[str]
    """Discord's names of the permissions that the bot lacks; empty if no thread can be there."""

    def told(self) -> str:
        if self.channel_id is None:
            return _("Choose a channel for the daily post first.")
        if not self.missing:
            return _("{channel} can't have private threads. Choose a text channel.").format(
                **written(self)
            )
        return _("Threads need **{permissions}** in {channel}.").format(
            permissions=permission_names(self.missing), **written(self)
        )


class ThreadNotForYouError(Refused):
    number: int

    sentence = N_("The thread has spoilers. Finish #{number}, and you're in.")


class FinishersThreadClosedError(Refused):
    number: int

    sentence = N_("The thread for #{number} is closed.")


class ThreadUnjoinableError(Refused):
    """Discord did not let the bot add the player: the thread is full, for example."""

    number: int

    sentence = N_("I couldn't add you to the thread for #{number}.")


class CardUnpostableError(Refused):
    sentence = N_("I couldn't post here.")


class CardDeletedError(Refused):
    sentence = N_("Today's card was taken down here, so nothing was posted.")


class UncountedError(Refused):
    sentence = N_("You began it soon after deleting your data, so it isn't on the card.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostClaim(Claim):
    channel_id: int


@dataclass(frozen=True, slots=True)
class PostChoices:
    """A server's choices about its posts.

    Attributes:
        post_days: the weekdays with a post, 1 for Monday.
        takes_results: members who may not write in the channel can share the day's result below the
            post.
        todays_card: a date's results go into one message, today's card.
        weekly_recap: the first post of a week or month has a recap of the one before.
    """

    channel_id: int | None = None
    post_hour: int = 9
    post_days: str = "1234567"
    post_role_id: int | None = None
    finishers_threads: bool = False
    takes_results: bool = False
    todays_card: bool = True
    weekly_recap: bool = True


TURNED_OFF: Final = "off"
"""The problem of a server whose manager has turned the posts off."""


@dataclass(frozen=True, slots=True)
class PostPlan:
    """The schedule of a server's posts, and Discord's refusals to send them.

    Attributes:
        post_at: when the next post is due; None while posts are off.
        since: posts whose hour was before this are not sent, not even late.
        refusals: consecutive refusals by Discord.
        problem: the last refusal, ``forbidden`` or ``gone``; `TURNED_OFF` if a manager has turned
            the posts off.
        off_at: when refusals or a manager turned the posts off; None if neither did.
    """

    post_at: datetime | None
    since: datetime
    refusals: int = 0
    problem: str | None = None
    off_at: datetime | None = None

    @property
    def is_turned_off(self) -> bool:
        return self.problem == TURNED_OFF


@dataclass(frozen=True, slots=True)
class ReminderPlan:
    """The schedule of a player's reminders; `look_at` is None after a refusal by Discord."""

    look_at: datetime | None
    refused_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FinishersThread:
    """A date's private thread for finishers.

    Attributes:
        closes_at: when to close the thread, or to try that again.
        look_at: when to add waiting players; None if nobody waits.
        claimed_at: when the bot was first about to make it; it may exist since. None before.
        thread_id: the thread; None until Discord has made it.
        closed_at: when it was closed; None before.
    """

    channel_id: int
    closes_at: datetime
    look_at: datetime | None = None
    claimed_at: datetime | None = None
    thread_id: int | None = None
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Finisher:
    """A player of a finishers' thread; `added_at` is None until they are in it."""

    asked_at: datetime
    added_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DueThread:
    """A thread to be closed; `thread_id` is None if it was never made."""

    guild_id: int
    day: date
    thread_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Today's card of a server.

    Attributes:
        closes_at: when its date ends in the server.
        version: grows with each change of its content.
        shown: the version that Discord shows.
        claimed_at: when it was first about to be sent; None before, and once its id is noted.
        tried_at: the time since which a process works on it; None if no process does.
        drawn_at: when it was last sent or edited, or was about to be.
        deleted_at: when others were found to have deleted the message; none is sent again.
    """

    guild_id: int
    channel_id: int
    number: int
    length: int
    closes_at: datetime
    look_at: datetime
    version: int = 0
    shown: int = 0
    message_id: int | None = None
    claimed_at: datetime | None = None
    tried_at: datetime | None = None
    drawn_at: datetime | None = None
    closed_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def puzzle(self) -> PuzzleName:
        return PuzzleName(self.number, self.length)


@dataclass(frozen=True, slots=True)
class AlwaysShare:
    """A player's choice of the channel in which the bot always shares their dailies of a server."""

    channel_id: int
    chosen_at: datetime
