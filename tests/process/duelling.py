"""A server in which members duel: what they click and send, as Discord passes it on."""

import asyncio
from typing import Final

from tests.process.loopback import Loopback
from tests.support.payloads import (
    COMMAND,
    FORM,
    PRESS,
    USER,
    Payload,
    command,
    custom_ids,
    form,
    in_server,
    interaction,
    member,
    press,
    texts,
)
from tests.support.sessions import Answer, Session

GUILD: Final = (1 << 22) + 42  # on another shard than direct messages


class Club:
    """Members of a server, and the bot that is connected now."""

    def __init__(self, discord: Loopback, session: Session) -> None:
        self.discord = discord
        self._session = session

    async def challenge(self, challenger: int, opponent: int, number: str) -> Payload:
        """A member types the command, and then the number; the public board."""
        known = len(self.discord.messages)
        await _answered(await self._send(challenger, COMMAND, challenge_to(opponent)))
        said = challenge_form(opponent, number)
        await _answered(await self._send(challenger, FORM, said))
        (board,) = self.discord.messages[known:]
        return board

    async def accept(self, who: int, board: Payload, number: str) -> Answer:
        """Accept a challenge with a number."""
        data = accept_form(duel_of(board), number)
        return await _answered(await self._send(who, FORM, data, board))

    async def click(self, who: int, board: Payload, act: str, *more: str) -> asyncio.Future[Answer]:
        """Press what does this with a board's duel; the answer comes when it comes."""
        custom_id = ":".join((f"du:{act}:{duel_of(board)}", *more))
        return await self._send(who, PRESS, press(custom_id), board)

    async def press(self, who: int, board: Payload, act: str, *more: str) -> Answer:
        """Press, and wait for the answer."""
        return await _answered(await self.click(who, board, act, *more))

    async def type_in(
        self, who: int, board: Payload, kind: str, number: str
    ) -> asyncio.Future[Answer]:
        """Send a form that was opened on a board; the answer comes when it comes."""
        return await self.form(who, board, duel_of(board), kind, number)

    async def form(
        self, who: int, board: Payload, duel: int, kind: str, number: str
    ) -> asyncio.Future[Answer]:
        """Send a form about a duel; the answer comes when it comes."""
        return await self._send(who, FORM, number_form(kind, duel, number), board)

    async def submit(self, who: int, board: Payload, kind: str, number: str) -> Answer:
        """Send a form, and wait for the answer."""
        return await _answered(await self.type_in(who, board, kind, number))

    async def _send(
        self, who: int, kind: int, data: Payload, board: Payload | None = None
    ) -> asyncio.Future[Answer]:
        return await self._session.interact(interaction(kind, data, in_server(who, GUILD), board))


async def _answered(answer: asyncio.Future[Answer]) -> Answer:
    return await answer


def ids(message: Payload) -> list[str]:
    """The ids that a message's components carry."""
    return [*custom_ids(message)]


def text(message: Payload) -> str:
    """All texts of a message."""
    return "\n".join(texts(message))


def challenge_form(opponent: int, number: str, options: str = "4-equal-rated") -> Payload:
    """The form with the number of whoever challenges a member, as it is sent."""
    return form(f"du:form:dare:{opponent}:{options}", "number", number)


def accept_form(duel: int, number: str) -> Payload:
    """The form with the number of whoever accepts a challenge, as it is sent."""
    return form(f"du:form:accept:{duel}:0", "number", number)


def challenge_to(opponent: int) -> Payload:
    """The command that challenges a member, as it is typed."""
    data = command("duel", {})
    data["options"].insert(0, {"name": "opponent", "type": USER, "value": str(opponent)})
    data["resolved"] = {
        "users": {str(opponent): member(opponent)["user"]},
        "members": {str(opponent): member(opponent)},
    }
    return data


def number_form(kind: str, duel: int, number: str) -> Payload:
    """A form about a duel with a number of somebody's, secret or guessed, as it is sent."""
    return form(f"du:form:{kind}:{duel}", "number", number)


def duel_of(board: Payload) -> int:
    """The duel that a board's buttons are about."""
    (duel,) = {i.split(":")[2] for i in ids(board) if i.startswith("du:")}
    return int(duel)
