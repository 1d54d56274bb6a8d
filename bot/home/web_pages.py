"""Texts of the web page beside those of games: labels, and refusals that name no commands."""

from typing import Final

from bot.coach.review_pages import (
    COACH_BUTTON,
    FIND_BUTTON,
    NEXT_MISTAKE_BUTTON,
    SHOW_BETTER_BUTTON,
)
from bot.features import FEATURES
from bot.focdle.pages import (
    ANYWAY_BUTTON,
    GUESS_BUTTON,
    KEEP_BUTTON,
    OPEN_KEYPAD_BUTTON,
    PRACTICE_BUTTON,
    TODAY_BUTTON,
)
from bot.games.model import GameName
from bot.home.lists import name_on_page, open_line
from bot.refused import NotYoursError, OutdatedError
from bot.sessions.model import StrangerError, UnheardError
from bot.text.labels import BACK_BUTTON, EDIT_BUTTON, TRY_AGAIN_BUTTON
from bot.text.language import N_, say
from bot.text.language import gettext as _
from bot.text.markup import visible

#: Offered where a game is no longer there, or somebody else's.
_GONE: Final = N_("That game is gone.")

GONE: Final = tuple(error for feature in FEATURES for error in feature.gone)
"""Refusals of games that are no longer there, or somebody else's: nobody learns which."""
SENTENCES: Final[dict[type[Exception], str]] = {
    **dict.fromkeys(GONE, _GONE),
    NotYoursError: _GONE,
    OutdatedError: N_("Load the page again."),
}
"""Refusals that the web page words otherwise, as in Discord they name its commands."""

_LABELS: Final = {
    "guess": GUESS_BUTTON,
    "anyway": ANYWAY_BUTTON,
    "edit": EDIT_BUTTON,
    "back": BACK_BUTTON,
    "again": TRY_AGAIN_BUTTON,
    "today": TODAY_BUTTON,
    "practice": PRACTICE_BUTTON,
    "verdict": COACH_BUTTON,
    "find": FIND_BUTTON,
    "best": SHOW_BETTER_BUTTON,
    "next": NEXT_MISTAKE_BUTTON,
    "keep": KEEP_BUTTON,
    #: Leads to the list of games; where a game cannot be shown.
    "home": N_("All games"),
    #: Opens Discord, where a button lets the player in.
    "discord": N_("Open Discord"),
    #: Above the address, where the page was opened under another.
    "moved": N_("Open this address:"),
    #: Opens the list of earlier puzzles.
    "archive": N_("Earlier puzzles"),
    #: Above the games that go on.
    "games": N_("Unfinished"),
    #: Above what goes on in the channel where the page was opened.
    "here": N_("In this channel"),
    #: Where it was opened elsewhere.
    "nowhere": N_("Open this page from a server's channel to play with its members."),
    #: Said once it is there.
    "posted": N_("Shared in Discord."),
    #: Said where that cannot be; above the result, to be copied.
    "unposted": N_("That cannot be shared there. Copy it:"),
    #: Copies the result as text.
    "share": N_("Copy result"),
    #: Said once that is done.
    "copied": N_("Copied"),
    #: Where the browser lets nothing be copied: above the result.
    "select": N_("Select and copy it:"),
    #: Said until Discord and the page have answered.
    "connecting": N_("Connecting …"),
    #: Said below that some seconds later, and where the page does not run.
    "stuck": N_("Load the page again; it needs JavaScript."),
    #: Leads to what is stored about players.
    "privacy": N_("Privacy"),
    #: Leads to the terms of use.
    "terms": N_("Terms"),
    #: Said while nobody answers; the symbols typed so far stay.
    "offline": N_("No connection. What you typed is kept."),
    #: Above the button that plays as another player: who plays in this browser so far.
    "other": N_("{name} plays here now."),
    #: For those who cannot see the colours: of a symbol of a guess, of a key.
    "g": N_("in place"),
    "y": N_("elsewhere"),
    "x": N_("out"),
    #: The name of the board for those who cannot see it.
    "board": N_("Board"),
    #: The name of the keys for those who cannot see them.
    "keys": N_("Keys"),
    #: Keys whose sign is not always read aloud.
    "+": N_("plus"),
    "-": N_("minus"),
    "*": N_("times"),
    "%": N_("remainder"),
    "=": N_("equals"),
    "delete": N_("Delete"),
    #: Before a number that somebody has to find, for who cannot see where it stands.
    "hidden": N_("hidden number"),
    #: A place of the row that is still empty.
    "empty": N_("empty"),
    #: Where Discord has not said where the player is: plays at their own place instead.
    "alone": N_("Play as in direct messages"),
    "outside": OPEN_KEYPAD_BUTTON,
    "silent": UnheardError.sentence,
    "stranger": StrangerError.sentence,
    #: In the place of a player whose name is unknown.
    "somebody": N_("somebody"),
}


def labels() -> dict[str, str]:
    return {name: say(label, name="{name}") for name, label in _LABELS.items()}


def play_as(name: str) -> str:
    """Label the button that spends a ticket, with the player's name if there is one to show."""
    shown = visible(name)
    return _("Play as {name}").format(name=shown) if shown else _("Play")


def listed(game: object, player_id: int) -> tuple[GameName, str] | None:
    """Name an unfinished game, and describe it in two lines; None if the page does not show it."""
    name = name_on_page(game)
    return name and (name, open_line(game, player_id))
