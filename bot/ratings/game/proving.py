"""Proven ratings: what a rating is without duels against who is not established.

Leaderboards rank by a rating or the proven one, whichever is lower, so that accounts that do
nothing but lose lift nobody. Each rated duel takes the proven rating on; it is folded anew when an
opponent becomes established. What stood before there were proven ratings is taken as it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date

from bot.db.tables import FIRST_PLAYER
from bot.ratings.game.scales import PRESENT, START
from bot.ratings.model.ratings import Rating, RatingChange


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
