"""What comes one by one, as a list; and a list one by one."""

from collections.abc import AsyncGenerator, AsyncIterable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def all_of(found: AsyncIterable[T]) -> list[T]:
    return [one async for one in found]


async def one_by_one(things: Iterable[T]) -> AsyncGenerator[T]:
    for thing in things:
        yield thing
