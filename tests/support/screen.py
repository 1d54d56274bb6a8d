"""What a player sees of a message, as text."""

from collections.abc import Iterator
from typing import Any

import discord
from simcord import InteractionResult, MemberActor, ResponseMessage, UserHandle

NO_MORE = "No more from them"
"""The button on Ann's invitations with which she is heard of no more."""
NOT_YOURS = "That's somebody else's. Open one of your own."
"""What strangers are told of what is not theirs."""
OUTDATED = "That's from an older version. Open the game again."
"""What is said of whatever is not offered."""


def seen(result: InteractionResult) -> ResponseMessage:
    """The message that answered an interaction: the new one, or the one put in its place."""
    message = result.response
    assert message is not None, f"nothing to see: {result}"
    return message


async def my_games(who: MemberActor | UserHandle, *where: Any) -> ResponseMessage:
    """A player's unfinished games, by way of the card of `/play`; without a place, in private."""
    actor: Any = who
    return seen(await actor.click(seen(await actor.slash(*where, "play")), label="My games"))


def text(message: ResponseMessage) -> str:
    """All texts of a message, top to bottom."""
    return "\n".join(part["content"] for part in parts(message) if part.get("content"))


def buttons(message: ResponseMessage) -> list[str]:
    """The labels of a message's buttons."""
    return [part["label"] for part in parts(message) if part["type"] == 2]


def offered(message: ResponseMessage) -> list[str]:
    """The labels of what *More* has shown: the last row of buttons."""
    rows = [part["components"] for part in parts(message) if part["type"] == 1]
    return [part["label"] for part in rows[-1]]


async def reach(
    who: MemberActor, message: ResponseMessage | discord.Message, label: str
) -> ResponseMessage:
    """Press a button, or *More* and then the button; what is seen then."""
    if isinstance(message, ResponseMessage) and label not in (shown := buttons(message)):
        assert "More" in shown, f"neither {label} nor More: {shown}"
        message = seen(await who.click(message, label="More"))
    return seen(await who.click(message, label=label))


def custom_ids(message: ResponseMessage) -> list[str]:
    """The ids that a message's components carry."""
    return [part["custom_id"] for part in parts(message) if "custom_id" in part]


def parts(message: ResponseMessage) -> list[dict[str, Any]]:
    """All components of a message, however deep, top to bottom."""
    return list(_walk(message.components))


def _walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from _walk(component.get("components", []))
        if accessory := component.get("accessory"):
            yield accessory
