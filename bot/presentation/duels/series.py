"""Series of duels in words: how long they are, how they stand, how they ended."""

from typing import Final

from bot.presentation.base.language import N_, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import small
from bot.presentation.duels.rows import name
from bot.services.duels.model import DuelGame
from bot.services.duels.series import SeriesEnding

#: Above the list of lengths; at most 45 characters.
LENGTH_LABEL: Final = N_("How many duels")

#: Offers to play no further duel of a series; at most 80 characters.
STOP_BUTTON: Final = N_("Stop the series")
#: Agrees to that; at most 80 characters.
AGREE_BUTTON: Final = N_("Agree to stop")
#: Declines it; at most 80 characters.
PLAY_ON_BUTTON: Final = N_("Play on")
#: Leads from a duel that is over to the next of its series; at most 80 characters.
NEXT_BUTTON: Final = N_("Next duel")
#: Asks whether the next duel is to be given up; at most 80 characters.
GIVE_UP_BUTTON: Final = N_("Give up")

# The lengths as choices in a list; at most 100 characters each.
LENGTH_CHOICES: Final = {
    1: N_("One duel"),
    3: N_("Best of three"),
    5: N_("Best of five"),
}

_INVITATIONS: Final = {
    3: N_("**Best of three**: the first to win two duels wins the series."),
    5: N_("**Best of five**: the first to win three duels wins the series."),
}


def as_invitation(game: DuelGame) -> str:
    """What a challenge to a series says of it; empty for a single duel."""
    return "" if game.series is None else say(_INVITATIONS[game.series.best_of])


def score_line(game: DuelGame) -> str:
    """Which duel it is, and how the series stands; empty before the first is over."""
    series = game.series
    if series is None or not game.is_later:
        return ""
    return _("Duel {number} · {score}").format(number=series.number, score=_score(game))


def _score(game: DuelGame) -> str:
    """How the series stands, the players in the order of the board's columns."""
    if game.series is None:
        return ""
    first, second = game.seats
    won, lost = game.series.wins
    words = _("{first} **{won} – {lost}** {second}").format(
        first=name(first), won=won, lost=lost, second=name(second)
    )
    if game.series.draws:
        words += " · " + _("drawn {draws}").format(draws=game.series.draws)
    return words


def score_in_numbers(game: DuelGame) -> str:
    """How a series stands by the seats of a duel, for its picture; empty for a single duel."""
    if game.series is None:
        return ""
    first, second = game.series.wins
    return _("Series: {won} – {lost}").format(won=first, lost=second)


def outcome(game: DuelGame) -> str:
    """How a series stands after a duel, or how it ended; empty for one that never began."""
    series = game.series
    if series is None or (game.playing_at is None and not game.is_later):
        return ""
    if series.ending is None:
        return _("Series: {score}. The next duel follows.").format(score=_score(game))
    if series.winner is None:
        words = _("The series ends at {score}.")
        if series.ending is SeriesEnding.SHARED:
            words = _("🤝 **The series is shared** after a third draw: {score}.")
        return words.format(score=_score(game))
    winner, loser = game.seats[series.winner], game.seats[1 - series.winner]
    wins = series.wins[series.winner], series.wins[1 - series.winner]
    words = _("👑 **{winner} wins the series {won} – {lost}.**").format(
        winner=name(winner, begins=True), won=wins[0], lost=wins[1]
    )
    if series.ending is SeriesEnding.GIVEN_AWAY:
        why = _("{loser} gave two duels in a row away.").format(loser=name(loser, begins=True))
        words += "\n" + small(why)
    return words


def offer_to_stop(game: DuelGame) -> str:
    """Who would rather stop the series; empty if nobody has said so."""
    if game.stop_offered_by is None:
        return ""
    offers, answers = game.seats[game.stop_offered_by], game.seats[1 - game.stop_offered_by]
    return _("🤝 {player} would stop the series here. {other}, agree, or set your number.").format(
        player=name(offers), other=name(answers)
    )
