"""What waits to be done, a page of ids at a time, so that reading it holds up nobody."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, select

from bot.storage.database import Transaction


@dataclass(frozen=True, slots=True)
class IdPage:
    """Which ids are meant: those higher than one, the lowest first, so many at most."""

    after: int = 0
    most: int = 50


async def find_ids(
    tx: Transaction, number: Column[Any], condition: ColumnElement[bool], page: IdPage
) -> list[int]:
    """The ids of a page for which something holds that holds for few, ascending."""
    # Those few have an index; in the order of ids, all rows would be looked at to find them.
    place = number + 0
    query = select(number).where(condition, place > page.after).order_by(place).limit(page.most)
    return list((await tx.scalars(query)).all())
