"""A server's data: what becomes of them where they are deleted, in plain words."""

from collections.abc import Iterator
from typing import Final

from bot.people.game.places import DEFAULT_LENGTH, ZONE_REST
from bot.people.game.zones import DEFAULT_ZONE
from bot.posts.game.beginning_anew import HISTORY_KEPT_FOR, REMEMBERED_FOR
from bot.privacy.game.servers import KEPT_FOR
from bot.settings.game.settings import GuildSettings
from bot.text import counts
from bot.text.language import N_
from bot.text.language import gettext as _
from bot.text.markup import bullets, code, heading, small

LONGEST_NAME: Final = 100
"""Of a server, at Discord."""

#: Opens the page that says what the deletion of a server's data means; at most 80 characters.
DELETE_BUTTON: Final = N_("Delete this server's data")
#: Opens the form in which the deletion of a server's data is confirmed.
CONFIRM_BUTTON: Final = N_("Go on to confirm")
#: Goes back from the page that says what the deletion of a server's data means.
KEEP_BUTTON: Final = N_("Keep everything")
#: The title of the form that confirms the deletion; at most 45 characters.
FORM_TITLE: Final = N_("Delete this server's data?")
#: The label of the one field of that form; at most 45 characters.
FORM_LABEL: Final = N_("Type the server's name to confirm")
#: What the deletion means, in that form; at most 100 characters.
FORM_DESCRIPTION: Final = N_("It cannot be undone.")


def question(name: str, settings: GuildSettings) -> list[str]:
    """What a deletion takes away, what stays, and why.

    Args:
        name: what the server is called.
        settings: what it has chosen.
    """
    goes = _(
        "**It cannot be undone.** I forget what {server} has set, what I posted here, its "
        "members and leaderboards; the daily post ends."
    ).format(server=code(name, longest=LONGEST_NAME))
    anew = _(
        "I stay, and the server begins anew. Remove me instead, and all this goes {days} later "
        "by itself."
    ).format(days=counts.days(KEPT_FOR.days))
    return [
        f"{heading(_('Delete everything about this server?'))}\n{goes}",
        f"{_('**What stays, and why**')}\n{bullets(_stays(settings))}",
        small(anew),
    ]


def _stays(settings: GuildSettings) -> Iterator[str]:
    yield _(
        "Games belong to their players, who keep them without this server's id, and bring them "
        "to its new leaderboards when they play here again. Duels and challenges that go on are "
        "played to their end."
    )
    if settings.zone != DEFAULT_ZONE or settings.length != DEFAULT_LENGTH:
        yield _(
            "The time zone and the puzzle's length hold until midnight, then they are {zone} and "
            "{symbols}. A time zone changed of late holds until it may change again."
        ).format(zone=DEFAULT_ZONE, symbols=counts.symbols(DEFAULT_LENGTH))
    yield _(
        "Past time zones and lengths, and where the last puzzles were opened, for {days}: "
        "members' streaks need them."
    ).format(days=counts.days(HISTORY_KEPT_FOR.days))
    yield _(
        "A scrambled mark (a salted hash) of this server, for {days}, to hold it to one time "
        "zone in {rest}."
    ).format(days=counts.days(REMEMBERED_FOR.days), rest=counts.days(ZONE_REST.days))
    yield _("My messages in channels are Discord's: delete them there.")


def deleted() -> str:
    """After the deletion."""
    done = _("**Everything about this server is deleted.**")
    rest = _("The rest of large leaderboards goes within minutes. `/settings` begins anew.")
    return f"{done}\n{rest}"
