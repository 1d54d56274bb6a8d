"""Exclusions in words, for managers and for members who are taken off."""

from typing import Final

from bot.moderation.model import Exclusion
from bot.text.language import N_, _
from bot.text.markup import heading, mention, relative_time, small

#: Opens the list of members who are off the boards; at most 80 characters.
MEMBERS_BUTTON: Final = N_("Hide members")
#: What the list of members says before one is chosen; at most 150 characters.
MEMBER_PLACEHOLDER: Final = N_("Hide a member")
#: Takes the member off.
TAKE_OFF_BUTTON: Final = N_("Hide")
#: Leaves the member on the boards.
KEEP_BUTTON: Final = N_("Keep")
#: Undoes it.
UNDO_BUTTON: Final = N_("Undo")
#: Turns to later entries.
NEWER_BUTTON: Final = N_("Newer")
#: Turns to earlier entries.
OLDER_BUTTON: Final = N_("Older")

_NOBODY: Final = -1


def title(*, is_empty: bool) -> str:
    lines = [
        heading(_("Hidden members")),
        small(_("This server's leaderboards and posts leave them out. They're told once.")),
    ]
    if is_empty:
        lines.append(_("Nobody is hidden."))
    return "\n".join(lines)


def entry(row: Exclusion) -> str:
    who = mention(_NOBODY if row.player_id is None else row.player_id)
    by = _("by {manager} {when}").format(
        manager=mention(row.by_id), when=relative_time(row.made_at)
    )
    return f"{who}\n{small(by)}"


def question(player_id: int) -> str:
    asked = _("Hide {player} on this server's leaderboards?").format(player=mention(player_id))
    meaning = _("Hiding takes effect at once. They can still play, and you can undo this.")
    return f"{heading(asked)}\n{small(meaning)}"


def news() -> str:
    """Write to a player that a manager has taken them off the server's boards."""
    return _("Managers took you off this server's boards. You can still play.")
