"""A rating in words, and what a place on the board of duels takes."""

from collections.abc import Iterator
from typing import Final

from bot.leaderboards.game.establishing import OF_AGE
from bot.ratings.model.ratings import (
    DEVIATIONS,
    FEWEST_DATES,
    FEWEST_DUELS,
    FEWEST_OPPONENTS,
    MOST_DEVIATION,
    USUALLY_SURE_AFTER,
    Outlook,
    Rating,
)
from bot.text import counts
from bot.text.language import N_, number, say
from bot.text.language import gettext as _
from bot.text.markup import bullets, mention, small

#: Opens how sure one's own rating is, below one's statistics.
DETAILS_BUTTON: Final = N_("Details")
#: Above what a place on the board of duels takes.
_ALL_OF_THIS: Final = N_("**A rank among duels** takes all of these:")

_DONE: Final = "✅"
_TO_DO: Final = "▫️"


def spread(rating: Rating) -> str:
    """A rating and how far it may be off."""
    return _("{rating} ± {spread}").format(
        rating=rating.points, spread=round(DEVIATIONS * rating.sigma)
    )


def rank_rules() -> str:
    """All that a place on the board of duels takes, for whoever asks."""
    return "\n".join((say(_ALL_OF_THIS), bullets(_conditions()), _counting()))


def place_among_duels(outlook: Outlook, *, is_detailed: bool = False) -> str:
    """The same for one player: what is done, what is missing, and what to do next.

    Args:
        outlook: what the player has of it.
        is_detailed: whether figures are told of how sure the rating is.
    """
    rating = outlook.rating
    states = (
        (rating.is_sure, _so_sure(rating, is_detailed=is_detailed)),
        (rating.dates >= FEWEST_DATES, _so_many(rating.dates, FEWEST_DATES)),
        (rating.opponents >= FEWEST_OPPONENTS, _so_many(rating.opponents, FEWEST_OPPONENTS)),
    )
    lines = [
        f"{_DONE if is_done else _TO_DO} {condition}: **{state}**"
        for condition, (is_done, state) in zip(_conditions(), states, strict=True)
    ]
    if rating.is_new:
        lines += [_next_step(outlook), small(_counting())]
    return "\n".join((say(_ALL_OF_THIS), *lines))


def _conditions() -> tuple[str, str, str]:
    # The fewest duels that a rank takes are not told: no rating is sure as soon.
    duels = counts.rated_duels(USUALLY_SURE_AFTER)
    return (
        _("about {duels}, until a rating is sure").format(duels=duels),
        _("rated duels on {days}, in UTC").format(days=counts.days(FEWEST_DATES)),
        counts.established_opponents(FEWEST_OPPONENTS),
    )


def _so_sure(rating: Rating, *, is_detailed: bool) -> str:
    """How many duels there are, and that they are not enough though they mostly are."""
    words = _("you have {n}")
    if is_detailed:
        words = _("you have {n}; ± {spread} now, sure at ± {most}")
    elif rating.games >= USUALLY_SURE_AFTER and not rating.is_sure:
        words = _("you have {n}, not sure yet")
    return words.format(
        n=number(rating.games),
        spread=round(DEVIATIONS * rating.sigma),
        most=round(DEVIATIONS * MOST_DEVIATION),
    )


def _so_many(there: int, needed: int) -> str:
    """How many there are of what is counted no further than a rank takes."""
    if there < needed:
        return _("you have {n}").format(n=number(there))
    return _("you have them")


def _counting() -> str:
    return _(
        "An opponent counts after {duels} against {players}, with an account {days} old. "
        "{enough} who all play each other get ranks together."
    ).format(
        duels=counts.rated_duels(FEWEST_DUELS),
        players=counts.players(FEWEST_OPPONENTS),
        days=counts.days(OF_AGE.days),
        enough=counts.players(FEWEST_OPPONENTS + 1),
    )


def _next_step(outlook: Outlook) -> str:
    """What brings a player who is not ranked yet nearer."""
    rating, known = outlook.rating, "\n".join(map(small, _of_those_met(outlook)))
    if rating.opponents < FEWEST_OPPONENTS:
        step = _("**Next**: a rated duel with somebody you have not played yet.")
        if len(outlook.met) >= FEWEST_OPPONENTS:
            step = _("**Next**: those you have met need to play others, too.")
    elif rating.dates < FEWEST_DATES:
        missing = counts.days(FEWEST_DATES - rating.dates)
        step = _("**Next**: a rated duel on {days} more.").format(days=missing)
    else:
        step = _("**Next**: a few rated duels more, best with somebody else.")
    return f"{step}\n{known}" if known else step


def _of_those_met(outlook: Outlook) -> Iterator[str]:
    """Who counts already, and who does not."""
    groups = ((True, _("Counts already: {players}")), (False, _("Does not count yet: {players}")))
    for is_counting, words in groups:
        players = [mention(one) for one, counted in outlook.met.items() if counted is is_counting]
        if players:
            yield words.format(players=", ".join(players))
