"""What counts on leaderboards, and who is on them."""

from bot.leaderboards.game.scores import FEWEST_MASTERMINDS
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.markup import bullets, heading


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
        _("**Streaks**: days in a row, by those without hints."),
        _("**Mastermind**: your average in ranked games, after {games}.").format(
            games=counts.games(FEWEST_MASTERMINDS)
        ),
        _(
            "**Duels**: by rating. You appear after duels with two members, and get a rank when "
            "your rating is sure."
        ),
    )


def _people() -> tuple[str, ...]:
    return (
        _("A server's boards: members who use me there."),
        _("Boards everywhere: only who joined in `/preferences`."),
        _("*Hide me* in `/preferences` takes you off all; you lose nothing."),
    )
