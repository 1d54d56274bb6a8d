"""What counts on leaderboards, and who is on them."""

from bot.presentation.base import counts
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import bullets, heading
from bot.services.standings.scores import FEWEST_MASTERMINDS


def standings_help() -> list[str]:
    """What counts on each leaderboard and who is on it, in blocks."""
    return [
        heading(_("Leaderboards")),
        bullets(_games()),
        bullets(_people()),
    ]


def _games() -> tuple[str, ...]:
    return (
        _("**FoCdle**: points of puzzles solved on their day; then more solved, fewer hints."),
        _("**Streaks**: days in a row, as they stand."),
        _("**Mastermind**: your average in ranked games, after {games}.").format(
            games=counts.games(FEWEST_MASTERMINDS)
        ),
        _("**Duels**: your rating, once you have a rank."),
    )


def _people() -> tuple[str, ...]:
    return (
        _("A server's boards have the members who use the bot there."),
        _("The boards everywhere have who asked for it in `/preferences`."),
        _("*Hide me* in `/preferences` takes you off all of them, and loses nothing."),
    )
