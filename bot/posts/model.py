"""What the bot sends of its own accord, and what is refused of it."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.clock import PuzzleName
from bot.games.model import Claim
from bot.people.game import ZONE_REST
from bot.refused import Refused, written
from bot.text import counts
from bot.text.labels import permission_names
from bot.text.language import N_
from bot.text.language import gettext as _


class ServerZoneTooSoonError(Refused):
    """A server's zone changed twice within a week."""

    again_at: datetime

    def told(self) -> str:
        return _("A server's time zone can change once in {days}: again {again_at}.").format(
            days=counts.days(ZONE_REST.days), **written(self)
        )


class ChannelUnusableError(Refused):
    """A channel in which the bot may not do what it must."""

    channel_id: int
    missing: list[str]
    """Discord's names of the permissions it lacks; none if the server has no such channel."""

    def told(self) -> str:
        if not self.missing:
            return _("That channel is gone. Choose another one.")
        return _("I can't post in {channel}: I lack **{permissions}** there.").format(
            permissions=permission_names(self.missing), **written(self)
        )


class ServerUnseenError(Refused):
    sentence = N_("I'm not back in that server yet. Nothing was lost; try again in a minute.")


class ServerElsewhereError(Refused):
    sentence = N_("This works in the server only: `/games` opens the game there.")


class RoleUnusableError(Refused):
    """A role that the bot may not mention."""

    role_id: int
    is_everyone: bool = False
    """Whether it is that of all members."""

    def told(self) -> str:
        if self.is_everyone:
            return _("I don't mention everyone. Choose a role.")
        return _(
            "I may not mention {role}. Switch on its **Allow anyone to @mention this role**, then "
            "choose it again."
        ).format(**written(self))


class RoleForbiddenError(Refused):
    """A role that the member who chooses it may not mention."""

    role_id: int

    sentence = N_("You may not mention {role} yourself.")


class ThreadsUnusableError(Refused):
    """A channel in which the bot cannot keep private threads."""

    channel_id: int | None
    """None where none is set."""
    missing: list[str]
    """Discord's names of the permissions it lacks; none where such channels have no threads."""

    def told(self) -> str:
        if self.channel_id is None:
            return _("Choose a channel for the daily post first.")
        if not self.missing:
            return _("{channel} cannot have private threads. Choose a text channel.").format(
                **written(self)
            )
        return _("For threads I lack **{permissions}** in {channel}.").format(
            permissions=permission_names(self.missing), **written(self)
        )


class ThreadNotForYouError(Refused):
    """The finishers' thread of a puzzle that a player has not finished."""

    number: int

    sentence = N_("The thread has spoilers. Finish #{number}, and you are in.")


class ThreadClosedError(Refused):
    """The finishers' thread of a puzzle that is no longer open, or never was."""

    number: int

    sentence = N_("The thread for #{number} is closed.")


class RunningUnpostableError(Refused):
    sentence = N_("I could not post here.")


class RunningDeletedError(Refused):
    sentence = N_("Today's card was taken down here, so nothing was posted.")


class RunningClosedError(Refused):
    """A running message whose date has ended, or that the server has switched off."""

    number: int

    sentence = N_("This card is not open. Press **Share** on your board of #{number}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostClaim(Claim):
    """A daily post that is to be sent once, and to which channel."""

    channel_id: int


@dataclass(frozen=True, slots=True)
class PostChoice:
    """What a server has chosen about its posts.

    Attributes:
        channel_id: where they go; None for nowhere.
        post_hour: 0 to 23, in the server's zone.
        post_days: the weekdays with a post, 1 for Monday.
        post_role_id: who is mentioned; None for nobody.
        finishers_threads: whether each date gets a private thread for who has finished.
        takes_results: whether members who may not write there share the day's result below it.
        todays_card: whether results of a date go into one message, today's card.
        weekly_recap: whether the first one of a week tells how the last week went.
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
"""Why there are no posts where a manager wants none."""


@dataclass(frozen=True, slots=True)
class PostPlan:
    """When a server gets its next post, and how its channel has behaved.

    Attributes:
        post_at: when to look at it next; None for never.
        since: hours before this are not made up for.
        refusals: of the channel, in a row.
        problem: the last one: ``forbidden`` or ``gone``; `TURNED_OFF` where a manager did it.
        off_at: when they, or a manager, switched the posts off.
    """

    post_at: datetime | None
    since: datetime
    refusals: int = 0
    problem: str | None = None
    off_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReminderPlan:
    """When a player is to be looked at who has asked for reminders.

    Attributes:
        look_at: when; None for never, since Discord has refused a message.
        refused_at: when it has.
    """

    look_at: datetime | None
    refused_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FinishersThread:
    """The private thread of a date for who has finished its puzzle.

    Attributes:
        channel_id: the channel that it belongs to.
        closes_at: when its time is over, or when to try again to close it.
        look_at: when to look next for who waits; None if nobody does.
        claimed_at: since when Discord may have made it.
        thread_id: the thread; None until Discord has made it.
        closed_at: when it was closed.
    """

    channel_id: int
    closes_at: datetime
    look_at: datetime | None = None
    claimed_at: datetime | None = None
    thread_id: int | None = None
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DueThread:
    """A thread that is to be closed; `thread_id` is None if it was never made."""

    guild_id: int
    day: date
    thread_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningMessage:
    """A running message.

    Attributes:
        guild_id: the server.
        channel_id: the channel or thread.
        number: of the puzzle.
        length: of the puzzle.
        closes_at: when its date has ended in the server.
        look_at: when to look next.
        version: grows with each change of what it shows.
        shown: the version that Discord shows.
        message_id: the message; None while there is none.
        claimed_at: since when another may have been sent; None if none is being sent.
        tried_at: since when somebody is at it; None if nobody is.
        drawn_at: when it was last sent or edited.
        closed_at: when it closed; None while it runs.
        deleted_at: when it was found to be deleted by others; then it stays away.
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
        """The puzzle whose results it shows."""
        return PuzzleName(self.number, self.length)


@dataclass(frozen=True, slots=True)
class AlwaysShare:
    """Where a player's dailies of a server go into the running message by themselves."""

    channel_id: int
    chosen_at: datetime
