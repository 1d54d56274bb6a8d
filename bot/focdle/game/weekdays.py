"""What a server's own results say of a weekday: whether it is the hardest there, or the easiest."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Final

from bot.dailies import day_of, number_of
from bot.db.database import Transaction
from bot.focdle.model.feats import Outlook
from bot.focdle.store import weekdays
from bot.focdle.store.weekdays import DateRow

FEWEST_PLAYS: Final = 10
"""Of a weekday with fewer, nothing is said."""
FEWEST_WEEKDAYS: Final = 3
"""So many weekdays must be known for one of them to be the hardest."""
_DATES: Final = 12 * 7
"""So many are looked back."""
_MOST_PLAYS: Final = 3_000


async def outlook(tx: Transaction, guild_id: int, length: int, day: date) -> Outlook | None:
    """What twelve weeks in a server say of tomorrow; None if it does not stand out.

    Today is left out: it is not over.
    """
    last = number_of(day) - 2
    first = last - _DATES + 1
    found = await weekdays.dates(tx, guild_id, length, first, last, most=_MOST_PLAYS)
    return outlook_of(found, day)


def outlook_of(rows: Iterable[DateRow], day: date) -> Outlook | None:
    """What some dates' results say of another date; None if its weekday does not stand out."""
    finished, solved = Counter[int](), Counter[int]()
    for row in rows:
        weekday = day_of(row.number).weekday()
        finished[weekday] += row.finished
        solved[weekday] += row.solved
    shares = {
        weekday: solved[weekday] / plays
        for weekday, plays in finished.items()
        if plays >= FEWEST_PLAYS
    }
    share = shares.pop(day.weekday(), None)
    if share is None or len(shares) + 1 < FEWEST_WEEKDAYS:
        return None
    if min(shares.values()) <= share <= max(shares.values()):
        return None
    return Outlook(day, share, is_hardest=share < min(shares.values()))
