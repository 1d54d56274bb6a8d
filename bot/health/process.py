"""One process of the bot, as far as its host wants to know how it is."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from typing import Protocol

from bot.gauges import UNREAD, Gauges
from bot.health.address import Address
from bot.services import Services
from cogs.ui.hearing import Hearing
from cogs.ui.timing import Timing


class Watched(Protocol):
    """A bot, as far as somebody looks after it."""

    @property
    def hearing(self) -> Hearing:
        """Which of its shards are heard."""
        ...

    @property
    def timing(self) -> Timing | None:
        """What times requests and first answers."""
        ...


class Process:
    """A process of whose figures nobody asks.

    Attributes:
        gauges: are told what is measured in it.
    """

    gauges: Gauges = UNREAD

    def watch(self, services: Services, bot: Watched) -> None:
        """Begin to look after a bot that begins now.

        Args:
            services: its use cases.
            bot: the bot.
        """


def open_process(address: Address | None) -> AbstractAsyncContextManager[Process]:
    """Answer at an address how this process is, until the block ends.

    Args:
        address: None where the host wants to know nothing.

    Raises:
        CannotListenError: nobody can be answered there.
    """
    if address is None:
        return _unwatched()
    opened: AbstractAsyncContextManager[Process] = import_module("bot.health.measured").opened(
        address
    )
    return opened


@asynccontextmanager
async def _unwatched() -> AsyncGenerator[Process]:
    yield Process()
