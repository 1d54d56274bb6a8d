"""Texts that all games share: buttons, commands, permissions, time zones."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.text.language import N_, _, language_name, listing, offered_for, say, spoken
from bot.text.markup import relative_time, small

#: Opens the form with a refused guess in it.
EDIT_BUTTON: Final = N_("Edit")
#: Does what the bot had no time for; at most 80 characters.
TRY_AGAIN_BUTTON: Final = N_("Try again")
#: Opens an unfinished game.
OPEN_BUTTON: Final = N_("Open")
#: Posts the result to the channel.
SHARE_BUTTON: Final = N_("Share")
#: Below a result that somebody has shared: leads to a game like it.
TRY_BUTTON: Final = N_("Try it")
#: Explains the game.
HELP_BUTTON: Final = N_("How to play")
#: Shows what else can be done with a game, below a board's other buttons.
MORE_BUTTON: Final = N_("More")
#: Posts a public board anew; at most 80 characters.
POST_AGAIN_BUTTON: Final = N_("Post the board again")
#: Shows again what was shown before.
BACK_BUTTON: Final = N_("Back")

# What to do in another channel, where a member may not write.
#: To share a daily.
SHARE_DAILY_IN: Final = N_("To share it, type `/focdle` in {place}, or `/play` for an old puzzle.")
#: To share another game.
SHARE_IN: Final = N_("To share it, type `/play` in {place}.")
#: To challenge a member.
CHALLENGE_IN: Final = N_("Challenge them in {place}.")
#: To go on with a game whose board cannot be posted again.
PLAY_IN: Final = N_("You can still open the game from `/play`.")


# Commands and their options; other games have their own.
#: What Discord lists of a command or an option; at most 100 characters.
PLAY = N_("See what's new for you, and open any game")
FOCDLE = N_("Play today's FoCdle: find the hidden equation")
FOCDLE_GUESS = N_("A guess to play straight away, such as 12+34-5=41")
FOCDLE_PUZZLE = N_("An earlier puzzle's number or date. Add a length, as in 12/9")
PRACTICE = N_("Play a FoCdle just for fun, as often as you like")
PRACTICE_LENGTH = N_("How many symbols, from 7 to 15")
PRACTICE_LEVEL = N_("How hard it should be. Leave it empty for any level")
HELP = N_("How the games are played, with examples")
HELP_TOPIC = N_("What to explain")
PREFERENCES = N_("Language, hard mode, tiles for the colour-blind, your time zone, and more")
PRIVACY = N_("See, export or delete what is stored about you")
SETTINGS = N_("This server's daily post, channel, language, time zone and puzzle length")
SETTINGS_CHANNEL = N_("The channel for the bot's own posts")
SETTINGS_TIMEZONE = N_("The time zone whose midnight changes the puzzle: type a city or a country")
SETTINGS_LENGTH = N_("How many symbols the day's puzzle has, from 9 to 13")
LEADERBOARD = N_("Who leads in points, streaks, Mastermind and duels")
LEADERBOARD_GAME = N_("FoCdle points, streaks, Mastermind or duels")
STATS = N_("Your record, or another member's: guesses, streaks, ratings")
STATS_MEMBER = N_("Whose statistics to show. Leave it empty for your own")
#: What Discord lists in a member's menu; at most 32 characters.
STATS_MENU = N_("Game stats")


#: The first of the languages to choose from; at most 100 characters.
AS_DISCORD: Final = N_("As in Discord")
#: Told once, to whoever is first answered in a language; a button beside it leads back to English.
BETA: Final = N_("**{language}, beta.** Not checked by native speakers yet.")


def beta(contact: str) -> str:
    told = say(BETA, language=language_name(spoken()))
    better = _("Better words? {contact}").format(contact=contact)
    return f"{told}\n{small(better)}" if contact else told


def language_text(tag: str, *, is_public: bool) -> str:
    """Name the language of a server or a player, and say what is in it."""
    state = _("**Language: {language}**").format(language=language_name(offered_for(tag)))
    own, public = _("For messages only you see."), _("Messages that everybody here sees.")
    return f"{state}\n{small(public if is_public else own)}"


def contact_line(contact: str) -> str:
    """Say how to reach the host; empty if the host gives no contact."""
    if not contact:
        return ""
    return small(_("Reach the people who run this bot: {contact}").format(contact=contact))


# Names as in Discord's own settings; of others, their words say the same.
_PERMISSIONS: Final = {
    "view_channel": N_("View Channel"),
    "read_messages": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "attach_files": N_("Attach Files"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "create_private_threads": N_("Create Private Threads"),
    "manage_threads": N_("Manage Threads"),
    "read_message_history": N_("Read Message History"),
    "manage_guild": N_("Manage Server"),
    "moderate_members": N_("Timeout Members"),
}


def permission_names(permissions: Sequence[str]) -> str:
    """Write permissions, given by their names in Discord's API, as Discord's settings name them."""
    names = (_PERMISSIONS.get(name, name.replace("_", " ").title()) for name in permissions)
    return listing(_(name) for name in names)


_OFFSET: Final = re.compile(r"Etc/GMT([+-])([1-9]\d?)")

#: Opens the form that asks for a zone; at most 80 characters.
ZONE_BUTTON: Final = N_("Change time zone")
#: The title of the form that asks for a zone; at most 45 characters.
FORM_TITLE: Final = N_("Time zone")
#: The label of the field for a time zone; at most 45 characters.
FORM_LABEL: Final = N_("A large city in that time zone")
#: What to type in the field for a time zone; at most 100 characters.
FORM_DESCRIPTION: Final = N_("Or a country, or a time zone such as Europe/Berlin.")
#: An example in the field for a time zone: a city that everybody knows; at most 100 characters.
FORM_PLACEHOLDER: Final = N_("Tokyo")
#: What the list of proposed time zones says before one is chosen; at most 150 characters.
PROPOSALS: Final = N_("Choose a time zone")


def zone_name(zone: str) -> str:
    """Format a zone for people: ``America/New York``, ``UTC+2``."""
    if match := _OFFSET.fullmatch(zone):
        # IANA counts offsets westward, everybody else eastward.
        sign = "−" if match[1] == "+" else "+"
        return f"UTC{sign}{match[2]}"
    return zone.replace("_", " ")


def time_there(zone: str, now: datetime) -> str:
    return _("now {time}").format(time=f"{now.astimezone(ZoneInfo(zone)):%H:%M}")


def zone_choice(zone: str, now: datetime) -> str:
    """Describe a zone in the autocompletion; at most 100 characters."""
    return f"{zone_name(zone)} · {time_there(zone, now)}"


def zone_text(zone: str, coming: tuple[str, datetime] | None, meaning: str, now: datetime) -> str:
    """Describe the present zone, and announce the coming one, if any.

    `meaning` is a sentence that says what the zone is for.
    """
    state = _("**Time zone: {zone}**").format(zone=zone_name(zone))
    lines = [f"{state} · {time_there(zone, now)}", small(meaning)]
    if coming is not None:
        follows, instant = coming
        change = _("**{zone}** {when}").format(zone=zone_name(follows), when=relative_time(instant))
        lines += change_lines(change)
    return "\n".join(lines)


def change_lines(change: str) -> list[str]:
    """Announce a coming change of zone or length, and say why it waits for midnight."""
    return [f"➜ {change}", small(_("Changes take effect at midnight."))]
