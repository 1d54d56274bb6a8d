"""The scale of ratings, and proven ratings."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date
from math import log, sqrt
from typing import Final

from openskill.models import BradleyTerryFull

from bot.db.tables.kinds import FIRST_PLAYER
from bot.ratings.model import Rating, RatingChange

_POINTS: Final = 400 / log(10)
"""How many points multiply the odds by e. As in chess, 400 points multiply them by ten."""


def _whole(*_: object) -> float:
    """Return the library's factor `gamma`, which scales how much a duel shrinks a deviation."""
    return 1.0


START: Final = Rating(1500.0, 55.0)
"""The rating before the first rated duel."""
TAU: Final = 0.5
"""How much a deviation grows before each duel, so that the rating of a learner can move."""
_MODEL: Final = BradleyTerryFull(
    mu=START.mu, sigma=START.sigma, beta=_POINTS / sqrt(2), tau=TAU, gamma=_whole
)


def rated(
    ratings_before: tuple[Rating, Rating], winner: int | None, shares: tuple[int, int] = (1, 1)
) -> tuple[Rating, Rating]:
    """Compute both ratings after a duel.

    `winner` is 0 or 1; None for a draw. A player's share is n if only 1/n of the change counts.
    """
    teams = [[_MODEL.rating(rating.mu, rating.sigma)] for rating in ratings_before]
    ranks = [0.0, 0.0] if winner is None else [float(seat != winner) for seat in (0, 1)]
    (first,), (second,) = _MODEL.rate(teams, ranks=ranks)
    before, other = ratings_before
    return (
        _moved(before, first.mu, first.sigma, shares[0]),
        _moved(other, second.mu, second.sigma, shares[1]),
    )


def _moved(before: Rating, mu: float, sigma: float, share: int) -> Rating:
    return replace(
        before,
        mu=before.mu + (mu - before.mu) / share,
        sigma=before.sigma + (sigma - before.sigma) / share,
        games=before.games + 1,
    )


# A proven rating ignores duels against players who are not established. Leaderboards rank by the
# lower of rating and proven rating, so that accounts that only lose lift nobody. Each rated duel
# updates the proven rating. It is recomputed when an opponent becomes established. Ratings older
# than proven ratings are their start.


def proven_after(change: RatingChange, proven: Rating) -> Rating:
    if change.opponent is None or not change.established:
        return proven
    winner = None if change.won is None else int(not change.won)
    return rated((proven, change.opponent), winner, (change.share, 1))[0]


def proved(history: Iterable[RatingChange], base: Rating | None) -> Iterator[RatingChange]:
    """Yield a player's changes, in order, with the figures that leaderboards need after each.

    They are the proven rating, the floor, and the numbers of dates, of established opponents and of
    opponents in duels that were not short. `base` is where the proven rating starts; None for
    `START`.
    """
    proven, dates, floor = base or START, 0, None
    days, opponents, met = set[date](), set[int](), set[int]()
    for change in history:
        after, day = change.after, change.changed_at.astimezone(UTC).date()
        if change.opponent is None:  # older than proven ratings: each counts as a date of its own
            dates = after.games
        else:
            proven, dates = proven_after(change, proven), dates + (day not in days)
        days.add(day)
        if change.established:
            opponents.add(change.opponent_id)
        if change.floor is not None:
            floor = change.floor
            # A stand-in that was not established is no player.
            if change.established or change.opponent_id >= FIRST_PLAYER:
                met.add(change.opponent_id)
        known = after if change.opponent is None else proven
        after = replace(after, proven=known, dates=dates, opponents=len(opponents))
        yield replace(change, after=after, floor=floor, met=len(met))
