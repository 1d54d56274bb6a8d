"""Lists of games in words: unfinished ones, finished ones, the archive."""

from typing import Final

from bot.feature import FinishedGame
from bot.features import FEATURES
from bot.games.model import GameName
from bot.mastermind.model import Kind
from bot.text.language import N_, _, say
from bot.text.markup import heading, small

_UNFINISHED: Final = {
    feature.unfinished.noun: feature.unfinished
    for feature in FEATURES
    if feature.unfinished is not None
}
_FINISHED: Final = {
    feature.finished.noun: feature.finished for feature in FEATURES if feature.finished is not None
}

#: Instead of an empty list of unfinished games.
NO_GAMES: Final = N_("None.")
#: Shows the finished games instead; at most 80 characters.
FINISHED_BUTTON: Final = N_("Finished games")
#: Shows the unfinished games instead; at most 80 characters.
UNFINISHED_BUTTON: Final = N_("Unfinished games")
#: Shows which unfinished games can be taken off the list; at most 80 characters.
TIDY_BUTTON: Final = N_("Remove games")
#: Takes a game off the list of unfinished games; at most 80 characters.
DISMISS_BUTTON: Final = N_("Remove")
#: Asks whether to end a game with guesses; at most 80 characters.
ASK_BUTTON: Final = N_("End …")
#: Goes back to the list of unfinished games.
DONE_BUTTON: Final = N_("Done")
#: Ends a game, once asked.
END_BUTTON: Final = N_("Yes, end it")
#: Leaves a game on the list after all.
LEAVE_BUTTON: Final = N_("Keep it")
#: Above the games that can be taken off the list.
TIDY_TITLE: Final = N_("Which games can go?")
#: Instead of an empty list of games that can be taken off.
NOTHING_TO_TIDY: Final = N_("All tidy.")
#: Asked before a game on the list is ended; its name stands above.
DISMISS_QUESTION: Final = N_("**End it for good?**")
#: The same, where it counts as not solved.
SURRENDER_QUESTION: Final = N_("**Give up?** You'll see the code.")
#: Turns a list of games to the page before.
NEWER_BUTTON: Final = N_("◀ Newer")
#: Turns a list of games to the page after.
OLDER_BUTTON: Final = N_("Older ▶")
#: Instead of an empty list of finished games.
NOTHING_FINISHED: Final = N_("None yet.")


def games_title() -> str:
    return heading(_("Unfinished games"))


def tidy_title(*, is_empty: bool) -> str:
    if is_empty:
        return f"{games_title()}\n{say(NOTHING_TO_TIDY)}"
    return heading(say(TIDY_TITLE))


def end_question(kind: str) -> str:
    if kind == Kind.PLAY:
        return say(SURRENDER_QUESTION)
    return say(DISMISS_QUESTION)


def page_line(page: int, pages: int) -> str:
    return small(_("Page {page} of {pages}").format(page=page + 1, pages=pages))


def open_line(game: object, player_id: int) -> str:
    """Describe an unfinished game from the player's point of view."""
    return _UNFINISHED[type(game)].line(game, player_id)


def name_on_page(game: object) -> GameName | None:
    """Name an unfinished game on the web page; None if the page does not show it."""
    name = _UNFINISHED[type(game)].on_page
    return None if name is None else name(game)


def post_of(game: object) -> str:
    """Return the address of the post at which a game is played; empty if it has a board."""
    link = _UNFINISHED[type(game)].post
    return "" if link is None else link(game)


def finished_title() -> str:
    return heading(_("Finished games"))


def finished_line(game: FinishedGame, player_id: int) -> str:
    """Describe a finished game from one player's point of view, without its secret."""
    return _FINISHED[type(game)].line(game, player_id)
