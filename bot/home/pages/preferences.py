"""A player's preferences in words: how each is set, and what that means."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from bot.home.game.preferences import Preferences
from bot.people.model.preferences import Asking
from bot.text.language import N_, ngettext, number, say
from bot.text.language import gettext as _
from bot.text.markup import heading, small
from bot.text.tiles import Palette, State, Tiles
from bot.text.zones import zone_text

#: Back to the first of them.
ALL_BUTTON: Final = N_("◀ All preferences")
#: What the list says of the guesses before which the player is asked; at most 150 characters.
ASKING_PLACEHOLDER: Final = N_("Ask me before …")
#: The options of that list; at most 100 characters.
ASKING: Final[Mapping[Asking, str]] = {
    Asking.FALSE: N_("False equations"),
    Asking.IMPOSSIBLE: N_("False equations and impossible guesses"),
    Asking.NOTHING: N_("Nothing"),
}


def title() -> str:
    """The panel's heading."""
    return f"{heading(_('Your preferences'))}\n{small(_('In every server.'))}"


def more_title() -> str:
    """The heading of what few change."""
    return heading(_("More preferences"))


def hard_mode(preferences: Preferences) -> str:
    """Whether hard mode is on."""
    state = _("**Hard mode: on**") if preferences.hard_mode else _("**Hard mode: off**")
    meaning = _("Every guess is true and fits all clues.")
    return f"{state}\n{small(meaning)}"


def hard_mode_button(preferences: Preferences) -> str:
    """Turns hard mode on, or off."""
    return _("Turn off hard mode") if preferences.hard_mode else _("Turn on hard mode")


def tiles(preferences: Preferences, emojis: Tiles | None) -> str:
    """Which tiles boards are drawn with, and what they look like."""
    has_shapes = preferences.palette == "shapes"
    state = _("**Shapes on tiles: on**") if has_shapes else _("**Shapes on tiles: off**")
    if emojis is not None:
        return f"{state}\n{_legend(emojis, Palette(preferences.palette))}"
    return f"{state}\n{small(_('Not by colour alone.'))}"


def _legend(emojis: Tiles, palette: Palette) -> str:
    """A tile of each kind, and what it says."""
    kinds = (
        ("1", State.CORRECT, _("in place")),
        ("2", State.PRESENT, _("elsewhere")),
        ("3", State.ABSENT, _("not in it")),
    )
    return " · ".join(
        f"{emojis.symbol(symbol, state, palette)} {words}" for symbol, state, words in kinds
    )


def tiles_button(preferences: Preferences) -> str:
    """Changes to the other tiles."""
    return _("Turn off shapes") if preferences.palette == "shapes" else _("Turn on shapes")


def reminders(preferences: Preferences) -> str:
    """Whether to be told before a streak ends."""
    state = _("**Reminders: on**") if preferences.reminders else _("**Reminders: off**")
    meaning = _("Two hours before your streak ends.")
    if preferences.reminders_refused:
        meaning = _(
            "The last one did not arrive. Allow direct messages from a server we share, then turn "
            "them on again."
        )
    return f"{state}\n{small(meaning)}"


def reminders_button(preferences: Preferences) -> str:
    """Turns reminders on, or off."""
    return _("Turn off reminders") if preferences.reminders else _("Turn on reminders")


def hidden(preferences: Preferences) -> str:
    """Whether the player is hidden."""
    if preferences.hidden:
        state = _("**Leaderboards: hidden**")
        meaning = _("Nobody else sees your results or statistics.")
    else:
        state = _("**Leaderboards: visible**")
        meaning = _("Your servers see your results and statistics.")
    return f"{state}\n{small(meaning)}"


def hidden_button(preferences: Preferences) -> str:
    """Hides the player, or shows them again."""
    return _("Show me again") if preferences.hidden else _("Hide me")


def on_global_boards(preferences: Preferences) -> str:
    """Whether the player is on the boards across servers."""
    if preferences.on_global_boards:
        state = _("**Leaderboards everywhere: on**")
    else:
        state = _("**Leaderboards everywhere: off**")
    meaning = _("Everybody who uses me sees your name there.")
    if preferences.hidden:
        meaning = _("Not while you are hidden.")
    return f"{state}\n{small(meaning)}"


def on_global_boards_button(preferences: Preferences) -> str:
    """Puts the player on the boards across servers, or takes them off."""
    if preferences.on_global_boards:
        return _("Leave leaderboards everywhere")
    return _("Join leaderboards everywhere")


def asking() -> str:
    """Above the list of the guesses before which the player is asked."""
    return _("**Ask me before**")


def zone(preferences: Preferences, now: datetime) -> str:
    """The player's own zone, the one that follows, and what it is for."""
    meaning = _("Your midnight in direct messages, and in servers without me.")
    return zone_text(preferences.zone, preferences.next_zone, meaning, now)


def always(preferences: Preferences, guild_id: int | None) -> str:
    """Where dailies go into the day's list by themselves: here, else in how many servers."""
    channel_id = dict(preferences.always).get(guild_id or 0)
    if channel_id is not None:
        return say(N_("**Always share here: in {channel}**"), channel=f"<#{channel_id}>")
    servers = len(preferences.always)
    state = ngettext("**Always share: in {n} server**", "**Always share: in {n} servers**", servers)
    return state.format(n=number(servers))


def always_button() -> str:
    """Ends that."""
    return _("Turn off")
