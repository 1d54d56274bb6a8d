"""Discord limits the whole bot, and the request that met the limit is given up meanwhile."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from discord.http import HTTPClient, Route

from cogs.ui.schedule import GlobalLimit
from tests.support.table import Table
from tests.support.waiting import until

LIMITED = '{"retry_after": 219, "global": true}'


class _Discord:
    """Refuses all requests for minutes."""

    @asynccontextmanager
    async def request(self, *_: object, **__: object) -> AsyncGenerator[Any]:
        async def text(**_: object) -> str:
            return LIMITED

        headers = {"Via": "1.1", "content-type": "application/json"}
        yield SimpleNamespace(status=429, headers=headers, text=text)


async def test_a_request_given_up_during_a_global_limit_stops_no_later_one() -> None:
    http = HTTPClient(asyncio.get_running_loop())
    vars(http).update(_HTTPClient__session=_Discord(), _global_over=GlobalLimit(0.1))
    over: asyncio.Event = vars(http)["_global_over"]
    asking = asyncio.create_task(http.request(Route("GET", "/gateway")))
    await until(lambda: not over.is_set())
    asking.cancel()
    await until(over.is_set)


async def test_the_bot_has_such_a_limit(table: Table) -> None:
    assert isinstance(vars(table.bot.http)["_global_over"], GlobalLimit)
