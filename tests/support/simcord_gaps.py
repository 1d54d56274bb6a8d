"""What stories need of SimCord and its public hooks do not give; each says what to ask of it."""
# ruff: noqa: SLF001
# pyright: reportPrivateUsage=false

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import pytest
import simcord.interactions
from simcord import ChannelHandle, Env, InteractionResult, MemberActor, UserHandle, actors
from simcord.backend.models import Message
from simcord.backend.serializers import message_payload
from simcord.http import router
from simcord.http.router import Handler

from tests.support.breakdowns import check_unbroken

Actor = MemberActor | UserHandle

_PATIENCE_SECONDS: Final = 30.0
_BETWEEN_LOOKS_SECONDS: Final = 0.001
_ROUNDS: Final = 8


# Ask for: `idle` and the patience of a start among the options of `Env`, and threads that are
# waited for as tasks are.
def settle_promptly() -> None:
    """Let every simulated Discord look soon again whether the bot rests, and look for long."""
    env: Any = Env
    settle = env._settle_internal

    async def settle_soon(self: Env, **options: Any) -> None:
        self.settle_timeout = _PATIENCE_SECONDS
        # Set before the wait for threads: who begins to sleep meanwhile would seem to wake in time.
        deadline = options.get("_deadline") or asyncio.get_running_loop().time() + _PATIENCE_SECONDS
        await _join_threads(self, deadline)
        soon = {"timeout": None, "_deadline": deadline, "idle": _BETWEEN_LOOKS_SECONDS}
        await settle(self, **options | soon)
        check_unbroken()

    env._settle_internal = settle_soon


async def _join_threads(env: Env, deadline: float) -> None:
    """Wait until no thread works for the bot for some rounds of its loop, or one takes long."""
    loop, rounds = asyncio.get_running_loop(), 0
    while rounds < _ROUNDS and loop.time() < deadline:
        running = tuple(env._work.executors)
        if not running:
            await asyncio.sleep(0)
            rounds += 1
            continue
        done, _ = await asyncio.wait(running, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            return
        rounds = 0


# Ask for: a block in which actions do not wait for the bot.
@contextmanager
def unsettled(env: Env) -> Generator[None]:
    """Let Discord do what is done in the block before the bot has answered any of it."""

    async def do_not_wait(**_: object) -> None: ...

    vars(env)["_settle_internal"] = do_not_wait
    try:
        yield
    finally:
        del vars(env)["_settle_internal"]


# Ask for: an interaction with any data, and the environment of its actor.
async def interact(
    who: Actor, kind: int, channel: ChannelHandle, data: dict[str, Any], on: Message | None = None
) -> InteractionResult:
    """Send what no client of Discord's would, perhaps as if clicked on a message."""
    send = actors._dispatch_actor_interaction
    if on is None:
        return await send(who, kind, channel, data)
    clicked = {"message": dict(message_payload(env_of(who).backend, on))}
    return await send(who, kind, channel, data, extra=clicked, source_message_id=on.id)


def env_of(who: Actor) -> Env:
    return who._env


# Ask for: events that are lost or changed on their way to the bot.
@contextmanager
def changing_events(env: Env, change: Callable[[dict[str, Any]], bool]) -> Generator[None]:
    """Let `change` alter each event; one for which it returns false does not arrive."""
    emit = env.backend.emit

    def emit_changed(name: str, payload: dict[str, Any], *others: Any) -> Any:
        return emit(name, payload, *others) if change(payload) else None

    vars(env.backend)["emit"] = emit_changed
    try:
        yield
    finally:
        del vars(env.backend)["emit"]


# Ask for: answers of a test's own to a route.
def _answer(
    monkeypatch: pytest.MonkeyPatch, method: str, path: str, answer: Callable[[Handler, Any], Any]
) -> None:
    routes = [
        (template, partial(answer, handler) if "/".join(template) == path else handler)
        for template, handler in router._ROUTES[method]
    ]
    monkeypatch.setitem(router._ROUTES, method, routes)


def let_know(monkeypatch: pytest.MonkeyPatch, **facts: Any) -> None:
    """Let Discord say something of the application at the next login."""

    def tell(usual: Handler, context: Any) -> Any:
        return usual(context) | facts

    _answer(monkeypatch, "GET", "oauth2/applications/@me", tell)


# Ask for: answers that launch an Activity.
_LAUNCH: Final = 12
"""The kind of answer."""


def let_launch(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Launch an Activity whenever the bot asks for it; return the ids of what was launched."""
    launched: list[str] = []

    def launch(usual: Handler, context: Any) -> Any:
        if context.body()["type"] != _LAUNCH:
            return usual(context)
        record = context.backend.interactions[context.int_arg("interaction_id")]
        record.pong()
        launched.append(f"i-{record.id}-gc-{record.channel_id}")
        about = {"id": str(record.id), "type": record.type, "activity_instance_id": launched[-1]}
        return {"interaction": about, "resource": {"type": _LAUNCH}}

    _answer(monkeypatch, "POST", "interactions/{interaction_id}/{token}/callback", launch)
    return launched


# Ask for: group conversations, of which no bot is a member: who has installed it brings it along.
_GROUP: Final = 3
_PRIVATE_CHANNEL: Final = 2
"""The context that Discord gives of such a place."""
_USER_INSTALL: Final = "1"


def open_group(
    env: Env, monkeypatch: pytest.MonkeyPatch, members: tuple[MemberActor, ...]
) -> list[UserHandle]:
    """Put members into a group; whatever they do with the bot from here on, they do there."""
    people = [member.user for member in members]
    channel = env.backend.get_dm_channel(people[0].id)
    channel.recipient_ids = [one.id for one in people]
    for one in people:
        env.backend.dm_channels[one.id] = channel.id
    in_conversation = simcord.interactions.base_payload

    def in_group(*args: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = in_conversation(*args, **options)
        owner = {"owner_id": str(people[0].id), "name": "Friends", "icon": None}
        payload["channel"] |= {"type": _GROUP, **owner}
        payload["context"] = _PRIVATE_CHANNEL
        payload["authorizing_integration_owners"] = {_USER_INSTALL: payload["user"]["id"]}
        return record, payload

    monkeypatch.setattr(simcord.interactions, "base_payload", in_group)
    return people
