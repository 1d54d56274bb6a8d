"""What counts on leaderboards, and who is on them: two topics."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import bullets, heading, small
from bot.presentation.duels.ratings import rank_rules
from bot.services.standings.scores import FEWEST_MASTERMINDS, UNSOLVED_GUESSES

#: When a puzzle counts for a server, at the end of what counts.
_CLOSING: Final = N_(
    "**In time**: a server's boards, its mean and its post count a puzzle that was opened "
    "before the day first ended in that server, and finished half an hour later at most. "
    "Where it is still the same day it can be played on, for your points and your streak; the "
    "finishers' thread takes you, too."
)


def standings_help() -> list[str]:
    """What counts on each leaderboard, in blocks."""
    return [
        heading(_("Leaderboards and statistics")),
        _(
            "**FoCdle points**: 6 for the first guess, 5 for the second, down to 1 for the sixth; "
            "a hint takes one off, but one point is sure. Only a puzzle solved on its date counts."
        ),
        bullets(_games()),
        rank_rules(),
        _(
            "**Ties**: whoever is level in all that counts shares a rank, and the next one is left "
            "out: 1, 2, 2, 4."
        ),
        _(
            "`/leaderboard` opens the first of FoCdle points, Mastermind and duels that somebody "
            "is on, unless you name a game."
        ),
        small(_("Who is on them, and until when a day counts: in the list below.")),
    ]


def members_help() -> list[str]:
    """Who is on leaderboards and until when something counts, in blocks."""
    return [
        heading(_("Who is on leaderboards")),
        bullets(_people()),
        say(_CLOSING),
        _("**What nobody can prevent**: the bot cannot tell a second account from a friend."),
        bullets(_limits()),
    ]


def _games() -> tuple[str, ...]:
    return (
        _(
            "**Level on points**, more puzzles solved come first, then fewer of them with hints, "
            "then fewer guesses."
        ),
        _(
            "**Streaks**: days in a row, as they are now. *Points and streaks* in the list below "
            "has the rules."
        ),
        _(
            "**Mastermind**: your average guesses in `/mastermind play` with 4 pegs, 6 colours, "
            "repeats and 12 guesses, after {games}. A hint counts as a guess, a game that "
            "was lost, given up or left alone for a week as {unsolved}."
        ).format(games=counts.games(FEWEST_MASTERMINDS), unsolved=UNSOLVED_GUESSES),
        _(
            "**Duels**: your rating, once you have a rank; or what it would be by duels with "
            "opponents who count alone, if that is lower. Once an opponent counts, your earlier "
            "duels with them do, too."
        ),
    )


def _people() -> tuple[str, ...]:
    return (
        _(
            "A server's board counts what its members played on the server's dates and at its "
            "length, wherever they played it. A member is whoever has used the bot there; whoever "
            "leaves or is banned is off its boards and posts within a day."
        ),
        _(
            "The board of everywhere counts of each date the puzzle that you guessed at first, "
            "finished or not, and shows only who asked for it in `/preferences`."
        ),
        _(
            "With *Hide me* in `/preferences` you are on no board, and nobody else can see your "
            "statistics. Nothing is lost: show yourself again and you are back."
        ),
    )


def _limits() -> tuple[str, ...]:
    return (
        _("A day begins earlier further east, and somebody may hear its answer from there."),
        _("A second account may play the day's puzzle first."),
        _(
            "A second account may ask `/mastermind defend` what to guess in a ranked game, "
            "or a rated duel."
        ),
        _(
            "Accounts may play duels with each other, or lose to other members as well, until "
            "they count for a rank."
        ),
    )
