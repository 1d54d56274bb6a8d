"""The scale of ratings, and what is proven by them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date
from math import log, sqrt
from typing import Final

from openskill.models import BradleyTerryFull

from bot.db.tables import FIRST_PLAYER
from bot.ratings.model import Rating, RatingChange

_POINTS: Final = 400 / log(10)
"""How many points multiply the odds by e: as in chess, 400 of them by ten."""


def _whole(*_: object) -> float:
    """Lets a deviation shrink by all that a duel tells; the library's own way is slower."""
    return 1.0


@dataclass(frozen=True, slots=True)
class Scale:
    """How ratings are counted.

    Attributes:
        start: what is thought of who has never played a rated duel.
        model: how a duel changes that.
    """

    start: Rating
    model: BradleyTerryFull

    def rated(
        self,
        ratings_before: tuple[Rating, Rating],
        winner: int | None,
        shares: tuple[int, int] = (1, 1),
    ) -> tuple[Rating, Rating]:
        """Both ratings after a duel.

        Args:
            ratings_before: the players' ratings before it.
            winner: 0 or 1; None for a draw.
            shares: for each of them n, where only 1/n of the change counts.
        """
        teams = [[self.model.rating(rating.mu, rating.sigma)] for rating in ratings_before]
        ranks = [0.0, 0.0] if winner is None else [float(seat != winner) for seat in (0, 1)]
        (first,), (second,) = self.model.rate(teams, ranks=ranks)
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


START: Final = Rating(1500.0, 55.0)
"""What is thought of who has never played a rated duel."""
TAU: Final = 0.5
"""By how much everybody's deviation grows before each duel, so that who learns can move."""

PRESENT: Final = Scale(
    START,
    BradleyTerryFull(mu=START.mu, sigma=START.sigma, beta=_POINTS / sqrt(2), tau=TAU, gamma=_whole),
)
"""As ratings are counted."""


# Proven ratings: what a rating is without duels against who is not established. Leaderboards rank
# by a rating or the proven one, whichever is lower, so that accounts that do nothing but lose lift
# nobody. Each rated duel takes the proven rating on; it is folded anew when an opponent becomes
# established. What stood before there were proven ratings is taken as it is.


def proven_after(change: RatingChange, proven: Rating) -> Rating:
    """A player's proven rating after a duel."""
    if change.opponent is None or not change.established:
        return proven
    winner = None if change.won is None else int(not change.won)
    return PRESENT.rated((proven, change.opponent), winner, (change.share, 1))[0]


def proved(history: Iterable[RatingChange], base: Rating | None) -> Iterator[RatingChange]:
    """A player's changes in their order, with all that leaderboards go by after each.

    Args:
        history: the changes.
        base: the proven rating from before the first with one; None for the start.
    """
    proven, dates, floor = base or START, 0, None
    days, opponents, met = set[date](), set[int](), set[int]()
    for change in history:
        after, day = change.after, change.changed_at.astimezone(UTC).date()
        if change.opponent is None:  # each of these counts as a date of its own
            dates = after.games
        else:
            proven, dates = proven_after(change, proven), dates + (day not in days)
        days.add(day)
        if change.established:
            opponents.add(change.opponent_id)
        if change.floor is not None:
            floor = change.floor
            # A stand-in that was not established is nobody.
            if change.established or change.opponent_id >= FIRST_PLAYER:
                met.add(change.opponent_id)
        known = after if change.opponent is None else proven
        after = replace(after, proven=known, dates=dates, opponents=len(opponents))
        yield replace(change, after=after, floor=floor, met=len(met))
