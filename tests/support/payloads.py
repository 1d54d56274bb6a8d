"""What Discord and its clients say about users, servers, messages and interactions."""

import json
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final

from bot.clock import SystemClock

Payload = dict[str, Any]

APPLICATION: Final = 600_000_000_000_000_001
# All there are: tests of permissions have SimCord.
EVERYTHING: Final = str(2**50 - 1)
EPHEMERAL: Final = 64
COMMAND, PRESS, FORM = 2, 3, 5
STRING, USER = 3, 6
_INTEGER: Final = 4
BOT_USER: Final[Payload] = {
    "id": str(APPLICATION),
    "username": "Codebreaker",
    "discriminator": "0000",
    "avatar": None,
    "bot": True,
}

_BUTTON, _LIST, _LABEL, _TEXT_INPUT = 2, 3, 18, 4
_JOINED: Final = "2026-01-01T00:00:00+00:00"
_EPOCH_MILLISECONDS: Final = 1_420_070_400_000
_SHARD_SHIFT: Final = 22

_clock: Final = SystemClock()
_numbers: Final = count(700_000_000_000_000_001)


def next_number() -> str:
    return str(next(_numbers))


def shard_of(guild_id: int, shards: int) -> int:
    """The shard that a server's events come by; with 0, those of direct messages."""
    return (guild_id >> _SHARD_SHIFT) % shards


def guild_ids(servers: int) -> list[int]:
    """Ids of so many servers, spread over the shards."""
    return [(number << _SHARD_SHIFT) + 42 for number in range(1, servers + 1)]


def user(number: int) -> Payload:
    return {
        "id": str(number),
        "username": f"player{number}",
        "discriminator": "0",
        "global_name": None,
        "avatar": None,
    }


def member(number: int) -> Payload:
    return {
        "user": user(number),
        "nick": None,
        "roles": [],
        "joined_at": _JOINED,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": EVERYTHING,
    }


def guild(guild_id: int, permissions: str) -> Payload:
    """A server with one channel, and nobody in it but the bot."""
    everyone: Payload = {
        "id": str(guild_id),
        "name": "@everyone",
        "permissions": permissions,
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    channel: Payload = {
        "id": str(guild_id + 1),
        "type": 0,
        "name": "daily",
        "position": 0,
        "permission_overwrites": [],
        "nsfw": False,
    }
    me: Payload = {"user": BOT_USER, "roles": [], "joined_at": _JOINED}
    return {
        "id": str(guild_id),
        "name": "Puzzle Club",
        "owner_id": "1",
        "roles": [everyone],
        "emojis": [],
        "features": [],
        "channels": [channel],
        "threads": [],
        "members": [me | {"deaf": False, "mute": False, "flags": 0}],
        "member_count": 2,
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "preferred_locale": "en-US",
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_flags": 0,
        "premium_progress_bar_enabled": False,
    }


def message(channel: str, body: Mapping[str, Any]) -> Payload:
    """A message as Discord stores it; its id tells when."""
    milliseconds = int(_clock.now().timestamp() * 1000) - _EPOCH_MILLISECONDS
    return {
        "id": str((milliseconds << _SHARD_SHIFT) + next(_numbers) % 2**_SHARD_SHIFT),
        "channel_id": channel,
        "author": BOT_USER,
        "content": body.get("content", ""),
        "nonce": body.get("nonce"),
        "timestamp": "2026-11-20T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": body.get("flags", 0),
        "components": body.get("components", []),
    }


def privately(player: int) -> Payload:
    """The place of somebody who writes only to the bot."""
    channel = str(player + 1)
    alone: Payload = {"id": channel, "type": 1, "last_message_id": None}
    return {
        "channel_id": channel,
        "channel": alone | {"recipients": [user(player)]},
        "user": user(player),
        "context": 1,
        "app_permissions": "0",
    }


def in_server(player: int, guild_id: int) -> Payload:
    """Where a member of a server is."""
    channel: Payload = {"id": str(guild_id + 1), "type": 0, "guild_id": str(guild_id)}
    return {
        "guild_id": str(guild_id),
        "guild": {"id": str(guild_id), "locale": "en-US", "features": []},
        "guild_locale": "en-US",
        "channel_id": str(guild_id + 1),
        "channel": channel | {"name": "daily", "position": 0, "permission_overwrites": []},
        "member": member(player),
        "context": 0,
        "app_permissions": EVERYTHING,
    }


def interaction(kind: int, data: Payload, place: Payload, clicked: Payload | None) -> Payload:
    """What somebody does; on a message, if there is one. Its id and its token are to come."""
    said: Payload = {
        "type": kind,
        "version": 1,
        "data": data,
        "locale": "en-US",
        "entitlements": [],
        "authorizing_integration_owners": {},
        "attachment_size_limit": 10_485_760,
        **place,
    }
    return said if clicked is None else said | {"message": clicked}


def command(name: str, options: Mapping[str, str | int]) -> Payload:
    typed = [
        {"name": name, "type": _INTEGER if isinstance(value, int) else STRING, "value": value}
        for name, value in options.items()
    ]
    return {
        "id": "1",
        "name": name,
        "type": 1,
        "options": typed,
    }


def press(custom_id: str) -> Payload:
    return {"component_type": _BUTTON, "custom_id": custom_id}


def pick(part: Mapping[str, Any], value: str) -> Payload:
    """A list as one of its options is chosen."""
    return {"component_type": _LIST, "custom_id": part["custom_id"], "values": [value]}


def form(custom_id: str, field: str, value: str) -> Payload:
    """A form of one field as it is sent."""
    line = {"type": _TEXT_INPUT, "custom_id": field, "value": value}
    return {
        "custom_id": custom_id,
        "components": [{"type": _LABEL, "id": 1, "component": line}],
    }


def usable(part: Mapping[str, Any]) -> Iterator[Payload]:
    """The buttons, lists and fields of a message or of a form: what has an id."""
    for inner in (*part.get("components", ()), part.get("accessory"), part.get("component")):
        if inner is not None:
            if "custom_id" in inner:
                yield inner
            yield from usable(inner)


def custom_ids(part: Mapping[str, Any]) -> Iterator[str]:
    for found in usable(part):
        yield found["custom_id"]


def texts(part: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a message, from top to bottom."""
    if content := part.get("content"):
        yield content
    for inner in part.get("components", ()):
        yield from texts(inner)


def read_body(body: bytes, content_type: str) -> Payload:
    """What a request says, without the files that it may bring along."""
    if content_type == "multipart/form-data":
        _, _, body = body.partition(b'name="payload_json"')
        _, _, body = body.partition(b"\r\n\r\n")
        body, _, _ = body.partition(b"\r\n--")
    found: Payload = json.loads(body)
    return found
