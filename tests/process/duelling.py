"""A server in which members duel: what they click and send, as Discord passes it on."""

import asyncio
from typing import Any, Final

from tests.process.loopback import EVERYTHING, PATIENCE_SECONDS, Answer, Loopback, Session, member

GUILD: Final = (1 << 22) + 42  # on another shard than direct messages
_CHANNEL: Final = GUILD + 1
_COMMAND, _PRESS, _FORM = 2, 3, 5
_STRING, _USER = 3, 6
_BUTTON, _LABEL, _TEXT_INPUT = 2, 18, 4


class Club:
    """Members of a server, and the bot that is connected now."""

    def __init__(self, discord: Loopback, session: Session) -> None:
        self.discord = discord
        self._session = session

    async def challenge(self, challenger: int, opponent: int, **options: str) -> dict[str, Any]:
        """A member types the command; the public board."""
        data = {
            "id": "1",
            "name": "duel",
            "type": 1,
            "options": [
                {"name": "opponent", "type": _USER, "value": str(opponent)},
                *({"name": k, "type": _STRING, "value": v} for k, v in options.items()),
            ],
            "resolved": {
                "users": {str(opponent): member(opponent)["user"]},
                "members": {str(opponent): member(opponent)},
            },
        }
        known = len(self.discord.messages)
        await _answered(await self._send(challenger, _COMMAND, data))
        (board,) = self.discord.messages[known:]
        return board

    async def click(self, who: int, board: dict[str, Any], act: str) -> asyncio.Future[Answer]:
        """Press what does this on a board as it is shown now; the answer comes when it comes."""
        (custom_id,) = [i for i in ids(board) if i.startswith(f"du:{act}:")]
        data = {"component_type": _BUTTON, "custom_id": custom_id}
        return await self._send(who, _PRESS, data, board)

    async def press(self, who: int, board: dict[str, Any], act: str) -> Answer:
        """Press, and wait for the answer."""
        return await _answered(await self.click(who, board, act))

    async def type_in(
        self, who: int, board: dict[str, Any], form: str, number: str
    ) -> asyncio.Future[Answer]:
        """Send a form that was opened on a board; the answer comes when it comes."""
        (duel,) = {i.split(":")[2] for i in ids(board) if i.startswith("du:")}
        return await self.form(who, board, int(duel), form, number)

    async def form(
        self, who: int, board: dict[str, Any], duel: int, form: str, number: str
    ) -> asyncio.Future[Answer]:
        """Send a form about a duel; the answer comes when it comes."""
        field = {"type": _TEXT_INPUT, "custom_id": "number", "value": number}
        data = {
            "custom_id": f"du:form:{form}:{duel}",
            "components": [{"type": _LABEL, "id": 1, "component": field}],
        }
        return await self._send(who, _FORM, data, board)

    async def submit(self, who: int, board: dict[str, Any], form: str, number: str) -> Answer:
        """Send a form, and wait for the answer."""
        return await _answered(await self.type_in(who, board, form, number))

    async def _send(
        self, who: int, kind: int, data: dict[str, Any], board: dict[str, Any] | None = None
    ) -> asyncio.Future[Answer]:
        channel = {"id": str(_CHANNEL), "type": 0, "guild_id": str(GUILD), "name": "daily"}
        interaction: dict[str, Any] = {
            "type": kind,
            "version": 1,
            "data": data,
            "guild_id": str(GUILD),
            "guild": {"id": str(GUILD), "locale": "en-US", "features": []},
            "guild_locale": "en-US",
            "channel_id": str(_CHANNEL),
            "channel": channel | {"position": 0, "permission_overwrites": []},
            "member": member(who),
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {},
            "context": 0,
            "attachment_size_limit": 10_485_760,
            "app_permissions": EVERYTHING,
        }
        if board is not None:
            interaction["message"] = board
        return await self._session.interact(interaction)


async def _answered(answer: asyncio.Future[Answer]) -> Answer:
    return await asyncio.wait_for(answer, PATIENCE_SECONDS)


def ids(message: dict[str, Any]) -> list[str]:
    """The ids that a message's components carry."""
    found: list[str] = []
    for part in message.get("components", []):
        found += [part["custom_id"]] if "custom_id" in part else ids(part)
    return found


def text(message: dict[str, Any]) -> str:
    """All texts of a message."""
    return Answer(0, message).text
