"""Pages of ids of what is due, so that reading them holds nobody up."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, select

from bot.db.database import Transaction


@dataclass(frozen=True, slots=True)
class IdPage:
    """A page: the ids above one, the lowest first, up to a number of them."""

    after: int = 0
    most: int = 50


async def find_ids(
    tx: Transaction, number: Column[Any], condition: ColumnElement[bool], page: IdPage
) -> list[int]:
    """The ids of a page for which a rare condition holds, ascending."""
    # Those few have an index; in the order of ids, all rows would be looked at to find them.
    place = number + 0
    query = select(number).where(condition, place > page.after).order_by(place).limit(page.most)
    return list((await tx.scalars(query)).all())
