"""Timing: how long Discord takes for requests, and how soon interactions have a first answer.

Both are told by aiohttp, which calls what a `TraceConfig` has for each request of the library.
"""

import re
from collections.abc import Callable
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final, cast

import aiohttp
import discord

from bot.gauges import Gauges
from cogs.ui.replies import Interaction

_PATIENCE_SECONDS: Final = 3.0
"""So long Discord waits for the first answer."""
_OTHER: Final = "other"
_KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "typing",
    discord.InteractionType.modal_submit: "form",
}
_COMPONENT: Final = discord.InteractionType.component
_BUTTON: Final = discord.ComponentType.button.value

_FIRST_ANSWER: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
# What stands in paths of Discord's. Anything else is an id, a token, or what somebody has typed.
_WORDS: Final = frozenset(
    {"@me", "@original", "applications", "attachments", "bot", "callback", "channels", "commands"}
    | {"emojis", "gateway", "guilds", "interactions", "members", "messages", "oauth2", "pins"}
    | {"reactions", "thread-members", "threads", "typing", "users", "webhooks"}
)
_VERSION: Final = re.compile(r"^/api(?:/v\d+)?(?=/)")
_MOST_PARTS: Final = 8


def template_of(path: str) -> str:
    """The path of a request without what tells one from another: there are few of them.

    >>> template_of("/api/v10/channels/123/messages/456")
    '/channels/{}/messages/{}'
    >>> template_of("/api/v10/interactions/123/a-token/callback")
    '/interactions/{}/{}/callback'
    """
    parts = _VERSION.sub("", path).strip("/").split("/")
    if len(parts) > _MOST_PARTS:
        return _OTHER
    return "/" + "/".join(part if part in _WORDS or not part else "{}" for part in parts)


class Timing:
    """Tells gauges of requests to Discord, and of first answers to interactions.

    Args:
        gauges: are told.
        now: seconds of some clock.
    """

    def __init__(self, gauges: Gauges, now: Callable[[], float] = monotonic) -> None:
        self._gauges = gauges
        self._now = now
        self._unanswered: dict[int, tuple[str, float]] = {}  # the oldest first

    def add_to(self, trace: aiohttp.TraceConfig) -> None:
        """Let the requests of a session be timed, from when nothing keeps them waiting here."""
        trace.on_request_start.append(self._begin)
        trace.on_request_end.append(self._end)
        trace.on_request_exception.append(self._fail)

    def arrived(self, interaction: Interaction) -> None:
        """Note that an interaction is here, and waits for its first answer."""
        self.look()
        self._unanswered[interaction.id] = _kind_of(interaction), self._now()

    def look(self) -> None:
        """Give up interactions that have waited for too long: nobody takes an answer any more."""
        before = self._now() - _PATIENCE_SECONDS
        while self._unanswered:
            number, (kind, arrived_at) = next(iter(self._unanswered.items()))
            if arrived_at > before:
                return
            del self._unanswered[number]
            self._gauges.left_unanswered(kind)

    async def _begin(
        self,
        _session: aiohttp.ClientSession,
        request: SimpleNamespace,
        _begun: aiohttp.TraceRequestStartParams,
    ) -> None:
        request.began_at = self._now()

    async def _end(
        self,
        _session: aiohttp.ClientSession,
        request: SimpleNamespace,
        ended: aiohttp.TraceRequestEndParams,
    ) -> None:
        status = ended.response.status
        self._tell(request, ended.method, ended.url.path, str(status))
        answered = _FIRST_ANSWER.search(ended.url.path)
        if answered is not None and ended.response.ok:
            kind, arrived_at = self._unanswered.pop(int(answered[1]), ("", 0.0))
            if kind:
                self._gauges.acknowledged(kind, self._now() - arrived_at)

    async def _fail(
        self,
        _session: aiohttp.ClientSession,
        request: SimpleNamespace,
        failed: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self._tell(request, failed.method, failed.url.path, "failed")

    def _tell(self, request: SimpleNamespace, method: str, path: str, status: str) -> None:
        route = f"{method} {template_of(path)}"
        self._gauges.requested(route, status, self._now() - request.began_at)


def _kind_of(interaction: Interaction) -> str:
    if interaction.type is _COMPONENT:
        data = cast("dict[str, Any]", interaction.data)
        return "button" if data.get("component_type") == _BUTTON else "list"
    return _KINDS.get(interaction.type, _OTHER)
