"""Walks through the bot's screens, noted down: who does what, and all that is sent to Discord then.

Ids and seals are masked, the clock stands still but where a walk moves it, and what is drawn
is the same each time, step by step: a walk's text changes with what the bot says, and only then.
"""

import inspect
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import discord
import pytest
from discord.ext import tasks
from simcord import InteractionResult, MemberActor, ResponseMessage

from tests.support.catalogues import names_of
from tests.support.rendered import request
from tests.support.sql import sql
from tests.support.table import Table
from tests.support.waiting import until_delivered

Message = ResponseMessage | discord.Message

_HEX: Final = re.compile(r"\b[0-9a-f]{32,}\b|\b(?=\d*[a-f])[0-9a-f]{8,}\b")
_OF_MESSAGES: Final = {4, 7}
_TOLD: Final = {"content", "label", "placeholder", "title", "description", "name"}
_SNOWFLAKE: Final = re.compile(r"\b\d{17,20}\b")


class Screen(NamedTuple):
    """A message as it is shown, and what somebody did before."""

    doing: str
    parts: list[dict[str, Any]]


class Walk:
    """Some members' doings at a table, and what came of them.

    Args:
        table: where they are.
        folder: its database's.
        monkeypatch: undoes what is done to what is drawn.
    """

    def __init__(self, table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table = table
        self._folder = folder
        self._lines: list[str] = []
        self.screens: list[Screen] = []
        self._seen = len(table.env.http_requests)
        self._steps = 0
        self._lists: set[str] = set()
        self._drawn = Counter[int]()
        self._last: Message | None = None
        monkeypatch.setattr(random, "_urandom", self._draw)
        world = table.world
        named = {member.id: member.user.name for member in world.members}
        named |= {each.id: each.name for each in world.channels}
        guild = world.members[0].guild
        self._names = named | {guild.id: "guild", guild.me.id if guild.me else 0: "bot"}

        self.ann, self.ben, self.cleo = world.members

    @property
    def text(self) -> str:
        """Everything so far."""
        return "\n".join(self._lines)

    @property
    def told(self) -> list[str]:
        """Every text that members were sent: of messages, forms and proposals."""
        sent = (each.json for each in self.table.env.http_requests if each.method != "PUT")
        return [text for body in sent for text in _told(body)]

    @property
    def last(self) -> Message:
        """What was seen last."""
        assert self._last is not None
        return self._last

    async def types(
        self,
        who: MemberActor,
        command: str,
        *,
        typed: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Message:
        """Type a command, and send the form that it opens where something is typed there."""
        self._begin(f"{who.user.name}: /{command}", options)
        shown = await who.slash(self.table.channel, command, **options)
        message = self._end(shown)
        return message if typed is None else await self._sends(who, shown, typed)

    async def chooses(self, who: MemberActor, menu: str, of: MemberActor) -> Message:
        """Choose from a member's menu."""
        self._begin(f"{who.user.name}: {menu} of {of.user.name}", {})
        return self._end(await who.context_menu(self.table.channel, menu, of))

    async def searches(self, who: MemberActor, command: str, option: str, text: str) -> None:
        """Type some of an option, and be proposed what it may be."""
        self._begin(f"{who.user.name}: /{command} {option}: {text}…", {})
        found = await who.autocomplete(self.table.channel, command, option, text)
        self._lines += [f"  {each['name']} = {each['value']}" for each in found]
        self._end(None)

    async def presses(
        self,
        who: MemberActor,
        *labels: str,
        on: Message | None = None,
        typed: Mapping[str, Any] | None = None,
    ) -> Message:
        """Press buttons, one after the other: by their labels, or by how their ids begin.

        Args:
            who: somebody.
            labels: the buttons.
            on: where the first is; on what was seen last, unless said.
            typed: what is put into the form that the last one opens, if it is sent.
        """
        message = self.last if on is None else on
        for label in labels:
            self._begin(f"{who.user.name}: [{label}]", {})
            shown = await who.click(message, custom_id=_button(message, label))
            message = self._end(shown)
            if typed is not None and label == labels[-1]:
                message = await self._sends(who, shown, typed)
        return message

    async def picks(
        self, who: MemberActor, beginning: str, *values: Any, on: Message | None = None
    ) -> Message:
        """Choose in the list whose id begins so."""
        message = self.last if on is None else on
        ids = [part.get("custom_id", "") for part in _parts(message)]
        (custom_id,) = [each for each in ids if each.startswith(beginning)]
        self._begin(f"{who.user.name}: picks {', '.join(map(str, values))}", {})
        return self._end(await who.select(message, [*values], custom_id=custom_id))

    async def rounds(self, moment: str = "", **duration: float) -> None:
        """Let it be another moment, the bot there all the time, and what is due then be done."""
        if moment:
            self.table.clock.set(datetime.fromisoformat(f"{moment}+00:00"))
        self.table.clock.advance(**duration)
        sql(self._folder, "DELETE FROM pulses")
        self._begin(f"it is {self.table.clock.now():%B %d, %H:%M:%S}", {})
        for _ in range(2):
            for loop in loops_of(self.table.env.bot):
                await loop()
                await until_delivered()
            await self.table.env.settle()
        self._end(None, is_sorted=True)

    def posted(self, place: int = -1) -> discord.Message:
        """A message of those that everybody sees in the channel."""
        there = [m for m in self.table.channel.history() if not m.flags.ephemeral]
        self._last = there[place]
        return there[place]

    def options(self, beginning: str, *, on: Message | None = None) -> list[str]:
        """The values in the list whose id begins so."""
        for part in _parts(self.last if on is None else on):
            if part.get("custom_id", "").startswith(beginning):
                return [option["value"] for option in part["options"]]
        return []

    def does(self, statement: str) -> None:
        """Change the database from outside the bot: what is drawn, say."""
        sql(self._folder, statement)

    def let_administrate(self, who: MemberActor) -> None:
        """Let a member administrate the server."""
        role = who.guild.create_role("Admin", permissions=discord.Permissions(administrator=True))
        self.table.env.backend.add_member_role(who.guild.id, who.id, role.id)

    def forget(self) -> None:
        """Leave out what was noted so far: another walk has it."""
        self._lines.clear()
        self._lists.clear()

    def notes(self, title: str, lines: Iterable[str]) -> None:
        """Note down something else."""
        self._lines += ["", f"# {title}", *map(self.masked, lines)]

    async def notes_file(self, title: str) -> None:
        """Note down the file of JSON that the last message has."""
        (attachment,) = self.last.attachments
        found = json.loads(await attachment.read())
        self.notes(title, json.dumps(found, ensure_ascii=False, indent=1).split("\n"))

    def masked(self, text: str) -> str:
        """A text without what is another one each time."""
        text = _HEX.sub("<hex>", text)
        return _SNOWFLAKE.sub(lambda found: f"<{self._names.get(int(found[0]), 'id')}>", text)

    async def _sends(
        self, who: MemberActor, shown: InteractionResult, typed: Mapping[str, Any]
    ) -> Message:
        self._begin(f"{who.user.name}: sends the form", typed)
        return self._end(await who.submit_modal(shown, dict(typed)))

    def _begin(self, doing: str, facts: Mapping[str, Any]) -> None:
        self.table.clock.advance(seconds=1)  # nobody does two things at once
        self._steps += 1
        self._drawn.clear()
        told = [f"{name}={getattr(value, 'name', value)}" for name, value in facts.items()]
        self._doing = " ".join([f"> {doing}", *told])
        self._lines += ["", self._doing]

    def _end(self, result: InteractionResult | None, *, is_sorted: bool = False) -> Message:
        requests = self.table.env.http_requests
        new, self._seen = requests[self._seen :], len(requests)
        self.screens += [Screen(self._doing, parts) for parts in map(_shown, new) if parts]
        sent = [
            self.masked("\n".join(request(each.method, each.path, each.json, self._lists)))
            for each in new
            if each.method != "GET"
        ]
        self._lines += sorted(sent) if is_sorted else sent
        if result is not None:
            found = [each for each in (result.response, *result.followups) if each is not None]
            self._last = found[-1] if found else self._last
        return self._last  # pyright: ignore[reportReturnType] - there is one where it is asked for

    def _draw(self, size: int) -> bytes:
        """As many bytes: the same in this step whatever was drawn in those before."""
        self._drawn[size] += 1
        return random.Random(f"{self._steps} {size} {self._drawn[size]}").randbytes(size)


def _button(message: Message, label: str) -> str:
    """The id of the first button with a label, or else of the first that begins so."""
    shown = [part for part in _parts(message) if part["type"] == 2 and "custom_id" in part]
    names = names_of(label)
    found = [part for part in shown if part.get("label") in names]
    found += [part for part in shown if part["custom_id"].startswith(label)]
    labels = [part.get("label") or part["custom_id"] for part in shown]
    assert found, f"no {label} among {labels}"
    return found[0]["custom_id"]


def _parts(message: Message) -> list[dict[str, Any]]:
    """All components of a message, however deep."""
    there: list[Any] = (
        message.components
        if isinstance(message, ResponseMessage)
        else [component.to_dict() for component in message.components]
    )
    return [part for component in there for part in _all(component)]


def _shown(sent: Any) -> list[dict[str, Any]]:
    """All components of a message that is sent or changed; none of anything else."""
    body: Any = {} if isinstance(sent.json, list) else sent.json or {}
    if sent.path.endswith("/callback"):
        body = (body["type"] in _OF_MESSAGES and body.get("data")) or {}
    parts: list[Any] = body.get("components") or []
    return [part for each in parts for part in _all(each)]


def _all(part: Any) -> Iterator[dict[str, Any]]:
    yield part
    for each in [*part.get("components", ()), *filter(None, [part.get("accessory")])]:
        yield from _all(each)


def _told(body: Any, name: str = "") -> Iterator[str]:
    if isinstance(body, str) and name in _TOLD:
        yield body
    inner: list[tuple[str, Any]] = []
    if isinstance(body, list):
        inner = [(name, each) for each in cast("list[Any]", body)]
    elif isinstance(body, dict):
        inner = [*cast("dict[str, Any]", body).items()]
    for key, each in inner:
        yield from _told(each, key)


def loops_of(bot: Any) -> list[tasks.Loop[Any]]:
    """What the bot does by the clock, in the order of its names."""
    cogs = bot.cogs.values()
    found = [loop for cog in cogs for _, loop in inspect.getmembers(cog, _is_loop)]
    return sorted(found, key=lambda loop: loop.coro.__name__)


def _is_loop(member: object) -> bool:
    return isinstance(member, tasks.Loop)
