"""Invitations in words: refused ones, players who are not pinged, players who want none."""

from collections.abc import Sequence
from typing import Final

from bot.home.game.preferences import Preferences
from bot.people.model.preferences import Blocked
from bot.text.language import N_, ngettext
from bot.text.language import gettext as _
from bot.text.markup import heading, mention, small

#: Declines a rematch, for now; at most 80 characters.
NOT_NOW_BUTTON: Final = N_("Not now")
#: Takes no challenges any more from who has made one; at most 80 characters.
NO_MORE_BUTTON: Final = N_("No more from them")
#: Opens the page about who may challenge the player.
CHALLENGES_BUTTON: Final = N_("Who may challenge me")
#: Lets a member challenge the player again.
UNBLOCK_BUTTON: Final = N_("Allow again")
#: What the list of members who may be blocked says before one is chosen; at most 150 characters.
BLOCK_PLACEHOLDER: Final = N_("No challenges from …")
#: Back to the preferences that few change.
PREFERENCES_BUTTON: Final = N_("◀ More preferences")


def declined(challenger_id: int, *, is_rematch: bool) -> str:
    """For who has declined, alone: that it is done, above the button for whom it was too much."""
    words = _("Declined. {player} can't ask again for an hour.")
    if is_rematch:
        words = _("Declined, for now.")
    return words.format(player=mention(challenger_id))


def not_called(player_id: int) -> str:
    """For the challenger alone: the challenge is posted, and pings nobody."""
    return _("Your challenge is posted, without a ping: {player} finds it in `/games`.").format(
        player=mention(player_id)
    )


def no_more_from(player_id: int) -> str:
    """After a player has chosen to take no challenges from another."""
    return _("{player} cannot challenge you any more. `/preferences` takes that back.").format(
        player=mention(player_id)
    )


# Among a player's preferences, and on a page of their own.


def challenges(preferences: Preferences) -> str:
    """Who may challenge the player, among all preferences."""
    if preferences.no_challenges:
        state = _("**Challenges: from nobody**")
    elif preferences.blocked:
        state = ngettext(
            "**Challenges: from everybody but {n} player**",
            "**Challenges: from everybody but {n} players**",
            preferences.blocked,
        ).format(n=preferences.blocked)
    else:
        state = _("**Challenges: from everybody**")
    meaning = _("To duels, rematches and Mastermind.")
    return f"{state}\n{small(meaning)}"


def challenges_title() -> str:
    """The page's heading."""
    remark = _("Nobody else sees this choice.")
    return f"{heading(_('Who may challenge you'))}\n{small(remark)}"


def no_challenges(preferences: Preferences) -> str:
    """Whether nobody may challenge the player."""
    if preferences.no_challenges:
        state = _("**No challenges: on**")
        meaning = _("You can still challenge others.")
    else:
        state = _("**No challenges: off**")
        meaning = _("Members can challenge you where you both can look.")
    return f"{state}\n{small(meaning)}"


def no_challenges_button(preferences: Preferences) -> str:
    """Lets everybody challenge the player, or nobody."""
    if preferences.no_challenges:
        return _("Take challenges again")
    return _("Take no challenges")


def blocked_heading(blocked: Sequence[Blocked]) -> str:
    """Above the players from whom no challenges are wanted."""
    state = _("**No challenges from**") if blocked else _("**No challenges from: nobody**")
    meaning = _("They only read that you take no challenges.")
    return f"{state}\n{small(meaning)}"


def blocked_line(one: Blocked) -> str:
    """One of them."""
    return _("{player}, since {when}").format(
        player=mention(one.player_id), when=f"<t:{int(one.since.timestamp())}:d>"
    )


def blocked_rest(count: int) -> str:
    """Under those that are shown: how many more there are."""
    return small(_("And {n} more.").format(n=count))
