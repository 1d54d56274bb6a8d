"""Requests to Discord are told by templates of their paths, interactions by their kinds."""

from collections.abc import Awaitable, Callable
from string import printable

import aiohttp
import discord
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from cogs.ui.schedule import Timing, template_of
from tests.support.discord_stand_in import StandIn, listening
from tests.support.effort import examples
from tests.support.table import Table
from tests.support.told import Told

IDS = st.integers(min_value=10**16, max_value=10**19).map(str)
# Hypothesis also tries words that it finds in the code: no token is one.
TOKENS = st.text(printable.replace("/", ""), min_size=12, max_size=80).map("aW50.{}".format)


@examples(50, 1000)
@given(st.lists(st.one_of(IDS, TOKENS, st.just("channels"), st.just("messages")), min_size=1))
def test_the_template_of_a_request_contains_neither_ids_nor_tokens_nor_typed_text(
    parts: list[str],
) -> None:
    found = template_of("/api/v10/" + "/".join(parts))
    assert {*found.split("/")} <= {"", "{}", "channels", "messages", "other"}
    assert found.count("/") <= 8


def test_ids_in_paths_of_requests_become_placeholders() -> None:
    assert template_of("/api/v10/users/@me") == "/users/@me"
    assert template_of("/api/webhooks/1/a-token/messages/@original") == (
        "/webhooks/{}/{}/messages/@original"
    )
    assert template_of("/api/v10/channels/1/messages/2/reactions/%F0%9F/@me") == (
        "/channels/{}/messages/{}/reactions/{}/@me"
    )
    assert template_of("/") == "/"


class Answering(StandIn):
    """A Discord that answers with a status, or hangs up where there is none."""

    status = 200

    @web.middleware
    async def receive(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if not self.status and request.transport is not None:
            request.transport.abort()
        return web.Response(status=self.status or 200)


class Clock:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_requests_are_recorded_with_their_outcome() -> None:
    told, trace = Told(), aiohttp.TraceConfig()
    Timing(told).add_to(trace)
    async with (
        listening(Answering("")) as there,
        aiohttp.ClientSession(trace_configs=[trace]) as session,
    ):
        for there.status in (200, 429, 0):
            try:
                await session.post(f"{there.address}/api/v10/channels/123456/messages")
            except aiohttp.ClientError:
                assert not there.status
    route = "POST /channels/{}/messages"
    assert told.requests == [(route, "200"), (route, "429"), (route, "failed")]
    assert told.answers == []


async def test_the_first_answer_to_an_interaction_is_recorded_once_and_so_is_a_missing_answer(
    table: Table,
) -> None:
    """SimCord takes answers without a request, so none is seen here but what is sent by hand."""
    told, trace, clock = Told(), aiohttp.TraceConfig(), Clock()
    timing = Timing(told, clock)
    timing.add_to(trace)
    seen: list[int] = []
    bot = table.bot
    bot.timing = timing

    async def note(interaction: discord.Interaction) -> None:
        seen.append(interaction.id)

    bot.add_listener(note, "on_interaction")
    board = await table.focdle(table.ann)
    await table.guess(table.ann, board, "1")
    async with (
        listening(Answering("")) as there,
        aiohttp.ClientSession(trace_configs=[trace]) as session,
    ):
        path = f"{there.address}/api/v10/interactions/{{}}/a-token/callback"
        # What Discord has not taken is no answer, and the second one is not the first.
        for there.status, answers in ((404, []), (200, ["command"]), (200, ["command"])):
            await session.post(path.format(seen[0]))
            assert told.answers == answers
    clock.now += 2.9
    timing.look()
    assert told.unanswered == []
    clock.now += 0.2
    timing.look()
    timing.look()
    assert told.unanswered == ["button", "form"]
