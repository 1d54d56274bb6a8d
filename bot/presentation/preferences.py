"""A player's preferences in words: how each is set, and what that means."""

from datetime import datetime
from typing import Final

from bot.presentation.base.language import gettext as _
from bot.presentation.base.language import ngettext, number
from bot.presentation.base.markup import code, heading, small
from bot.presentation.base.tiles import Palette, State, Tiles
from bot.presentation.base.zones import zone_text
from bot.services.preferences import Preferences

_FALSE_EQUATION: Final = "12+34-5=40"


def title(preferences: Preferences) -> str:
    """The panel's heading."""
    remark = _("They go with you to every server.")
    if preferences.always:
        remark = _("They go with you to every server, but for *Always share*.")
    return f"{heading(_('Your preferences'))}\n{small(remark)}"


def hard_mode(preferences: Preferences) -> str:
    """Whether hard mode is on."""
    if preferences.hard_mode:
        state = _("**Hard mode: on**")
        meaning = _(
            "In every game you begin, each guess must be a true equation and agree with all clues "
            "so far. Your results are marked with a star."
        )
    else:
        state = _("**Hard mode: off**")
        meaning = _(
            "With it, each guess must be a true equation and agree with all clues so far. "
            "Your results are then marked with a star."
        )
    return f"{state}\n{small(meaning)}"


def hard_mode_button(preferences: Preferences) -> str:
    """Turns hard mode on, or off."""
    return _("Turn off hard mode") if preferences.hard_mode else _("Turn on hard mode")


def tiles(preferences: Preferences, emojis: Tiles | None) -> str:
    """Which tiles boards are drawn with, and what they look like."""
    if preferences.palette == "shapes":
        state = _("**Tiles: shapes**")
        meaning = _("Tiles differ in shape as well, so you need not tell colours apart.")
    else:
        state = _("**Tiles: standard**")
        meaning = _("Tiles differ in colour. With shapes you need not tell colours apart.")
    if emojis is not None:
        state += f"\n{_legend(emojis, Palette(preferences.palette))}"
    return f"{state}\n{small(meaning)}"


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
    return _("Use standard tiles") if preferences.palette == "shapes" else _("Use shapes")


def question(preferences: Preferences) -> str:
    """Whether false equations are asked about."""
    if preferences.skip_question:
        state = _("**False equations: played at once**")
        meaning = _("A guess such as {guess} costs a turn like any other, without a question.")
    else:
        state = _("**False equations: you are asked first**")
        meaning = _(
            "A guess such as {guess} cannot be the answer and still costs a turn, "
            "so you are asked whether you mean it."
        )
    return f"{state}\n{small(meaning.format(guess=code(_FALSE_EQUATION)))}"


def question_button(preferences: Preferences) -> str:
    """Changes whether false equations are asked about."""
    return _("Ask me first") if preferences.skip_question else _("Play them at once")


def careful(preferences: Preferences) -> str:
    """Whether guesses that clues rule out are asked about."""
    if preferences.is_careful:
        state = _("**Guesses that clues rule out: you are asked first**")
        meaning = _("The bot names the clue, and you change your guess or play it anyway.")
    else:
        state = _("**Guesses that clues rule out: played at once**")
        meaning = _("In FoCdle you may guess against the clues, by mistake or to learn more.")
    return f"{state}\n{small(meaning)}"


def careful_button(preferences: Preferences) -> str:
    """Changes whether guesses that clues rule out are asked about."""
    return _("Stop asking") if preferences.is_careful else _("Ask about these")


def reminders(preferences: Preferences) -> str:
    """Whether to be told before a streak ends."""
    state = _("**Reminders: on**") if preferences.reminders else _("**Reminders: off**")
    meaning = _(
        "The bot writes to you two hours before your streak would end, once a day at most. "
        "A freeze saves a day you miss: while you hold one, nothing comes."
    )
    if preferences.reminders_refused:
        meaning = _(
            "Switched off: Discord did not deliver the last one. Allow direct messages in the "
            "privacy settings of a server that you share with the bot, then turn them on again."
        )
    return f"{state}\n{small(meaning)}"


def reminders_button(preferences: Preferences) -> str:
    """Turns reminders on, or off."""
    return _("Turn off reminders") if preferences.reminders else _("Turn on reminders")


def hidden(preferences: Preferences) -> str:
    """Whether the player is hidden."""
    if preferences.hidden:
        state = _("**Hide me: on**")
        meaning = _(
            "You are on no leaderboard, nobody else can see your statistics, and the bot adds you "
            "to no thread of finishers. Nothing is lost: show yourself again and you are back."
        )
    else:
        state = _("**Hide me: off**")
        meaning = _(
            "You are on the leaderboards of servers where you use the bot, and members of your "
            "servers can see your statistics."
        )
    return f"{state}\n{small(meaning)}"


def hidden_button(preferences: Preferences) -> str:
    """Hides the player, or shows them again."""
    return _("Show me again") if preferences.hidden else _("Hide me")


def on_global_boards(preferences: Preferences) -> str:
    """Whether the player is on the boards across servers."""
    if preferences.on_global_boards:
        state = _("**Leaderboards everywhere: on**")
        meaning = _("Your name and figures are on `/leaderboard` for everybody who uses this bot.")
    else:
        state = _("**Leaderboards everywhere: off**")
        meaning = _("*Everywhere* in `/leaderboard` shows only who asks for it. You are not there.")
    if preferences.hidden:
        meaning = _("While you are hidden, you are not there either.")
    return f"{state}\n{small(meaning)}"


def on_global_boards_button(preferences: Preferences) -> str:
    """Puts the player on the boards across servers, or takes them off."""
    if preferences.on_global_boards:
        return _("Leave leaderboards everywhere")
    return _("Join leaderboards everywhere")


def zone(preferences: Preferences, now: datetime) -> str:
    """The player's own zone, the one that follows, and what it is for."""
    meaning = _(
        "Your puzzle changes at midnight there when you play in direct messages or in a server "
        "without the bot. Servers with the bot have a time zone of their own."
    )
    return zone_text(preferences.zone, preferences.next_zone, meaning, now)


def always(preferences: Preferences, guild_id: int | None) -> str:
    """Where dailies go into the day's list by themselves: here, else in how many servers."""
    channel_id = dict(preferences.always).get(guild_id or 0)
    if channel_id is not None:
        state = _("**Always share here: yes**")
        meaning = _("Finish a daily in this server, and it goes into the list of {channel}.")
        return f"{state}\n{small(meaning.format(channel=f'<#{channel_id}>'))}"
    servers = len(preferences.always)
    state = ngettext("**Always share: in {n} server**", "**Always share: in {n} servers**", servers)
    meaning = _("Finish a daily there, and it goes into the day's list by itself.")
    return f"{state.format(n=number(servers))}\n{small(meaning)}"


def always_button() -> str:
    """Ends that."""
    return _("Turn off")
