"""Duels in the stories: pressing, typing, the clock's rounds, what everybody can see."""

import asyncio
import re
from pathlib import Path
from typing import Any

import discord
from simcord import (
    ChannelHandle,
    InteractionResult,
    MemberActor,
    ResponseMessage,
    UserHandle,
)

from cogs.duels.messages import DuelClockCog
from tests.support.screen import parts, seen, text
from tests.support.sql import sql
from tests.support.table import Table

NUMBERS = ("0123", "4567")
"""What Ann sets, and what Ben does."""
WRONG = ("9876", "9875", "9874", "9873", "9872", "9871")
"""Guesses that are wrong for both."""

_EPHEMERAL = 64

Message = ResponseMessage | discord.Message


async def dare(
    who: MemberActor,
    channel: ChannelHandle,
    whom: MemberActor | UserHandle,
    number: str = NUMBERS[0],
    **options: Any,
) -> ResponseMessage:
    """Somebody challenges somebody; the public board, or why there is none."""
    asked = await who.slash(channel, "duel", opponent=whom, **options)
    if asked.modal is None:
        return seen(asked)
    return seen(await who.submit_modal(asked, {"number": number}))


async def challenge(table: Table, **options: Any) -> ResponseMessage:
    """Ann challenges Ben, and changes the terms where they are other than usual."""
    board = await dare(table.ann, table.channel, table.ben)
    if options:
        await change(table.ann, board, **options)
    return board


async def change(
    who: MemberActor, board: Message, number: str = "", **options: Any
) -> ResponseMessage:
    """Change what a challenge proposes, with another number where there is one."""
    choices = {"numbers": ["4"], "mode": "equal", "rated": True, **options}
    asked = await who.click(await press(who, board, "More"), label="Other settings")
    shown = seen(await who.submit_modal(asked, choices))
    return await typed(who, shown, number, "Set my number") if number else shown


async def press(who: MemberActor, message: Message, label: str) -> ResponseMessage:
    """Press a button; what is seen then."""
    return seen(await who.click(message, label=label))


async def form(who: MemberActor, message: Message, label: str = "Guess") -> InteractionResult:
    """Press a button that opens a form."""
    shown = await who.click(message, label=label)
    assert shown.modal is not None, f"no form: {text(seen(shown))}"
    return shown


async def typed(
    who: MemberActor, message: Message, number: str, label: str = "Guess"
) -> ResponseMessage:
    """Type a number into the form that a button opens; what is seen then."""
    return seen(await who.submit_modal(await form(who, message, label), {"number": number}))


async def accept(who: MemberActor, board: Message, number: str = NUMBERS[1]) -> ResponseMessage:
    """Accept a challenge with a number; what is seen then."""
    return await typed(who, board, number, "Accept")


async def playing(table: Table, **options: Any) -> ResponseMessage:
    """A duel that has begun."""
    return await accept(table.ben, await challenge(table, **options))


async def alone(who: MemberActor, channel: ChannelHandle, **options: Any) -> ResponseMessage:
    """Type the command without an opponent; what it answers."""
    return seen(await who.slash(channel, "duel", **options))


async def seek(
    who: MemberActor, channel: ChannelHandle, number: str = NUMBERS[0], *, rated: bool = True
) -> ResponseMessage:
    """Look for an opponent in a channel; the card, or why there is none."""
    asked = await who.click(await alone(who, channel), label="Anybody here?")
    if asked.modal is None:
        return seen(asked)
    return seen(await who.submit_modal(asked, {"number": number, "rated": rated}))


async def with_bot(table: Table, **options: Any) -> ResponseMessage:
    """A duel of Ann's with the bot, changed where something else is wanted."""
    page = await press(table.ann, await alone(table.ann, table.channel), "Play the bot")
    if not options:
        return page
    choices = {"numbers": ["4"], "mode": "equal", "strength": "casual", **options}
    asked = await table.ann.click(page, label="Other settings")
    return seen(await table.ann.submit_modal(asked, choices))


async def more(who: MemberActor, message: Message, label: str) -> ResponseMessage:
    """Press a button behind *More*; what is seen then."""
    return await press(who, await press(who, message, "More"), label)


async def resign(who: MemberActor, board: Message) -> ResponseMessage:
    """Resign, by way of *More*, once somebody has guessed."""
    return await press(who, await more(who, board, "Resign"), "Yes, resign")


def to_move(table: Table, board: ResponseMessage) -> tuple[MemberActor, MemberActor]:
    """The one who may guess by what the board says, and the other."""
    found = re.search(r"<@(\d+)> (?:goes first|to move|has one guess left)", text(board))
    assert found, text(board)
    ann, ben = table.ann, table.ben
    return (ann, ben) if int(found[1]) == ann.id else (ben, ann)


def pictures(board: ResponseMessage) -> list[str]:
    """What the pictures on a board say to those who cannot see them."""
    galleries = [part for part in parts(board) if part["type"] == 12]
    return [item["description"] for gallery in galleries for item in gallery["items"]]


async def be_killed(*_: object, **__: object) -> None:
    """End as the bot does when it is killed here."""
    raise asyncio.CancelledError


def number_of(table: Table, who: MemberActor) -> str:
    """The number that a player has set."""
    return NUMBERS[0] if who is table.ann else NUMBERS[1]


def clock_of(table: Table) -> DuelClockCog:
    """The clock of the duels."""
    return table.cog(DuelClockCog)


async def beat(table: Table, seconds: float = 0) -> None:
    """Let the clock of the duels do its rounds, some time later."""
    table.clock.advance(seconds=seconds)
    cog = clock_of(table)
    await table.rounds(cog.beat, cog.nudge)


async def wait(table: Table, folder: Path, **duration: float) -> None:
    """Let time pass in which the bot was there, and the clock of the duels do its rounds."""
    # Without the last heartbeat there is no outage, which would be given back.
    sql(folder, "delete from pulses")
    table.clock.advance(**duration)
    await beat(table)


def said(table: Table) -> list[str]:
    """The messages of plain text in the channel: what calls a player."""
    return [message.content for message in table.channel.history() if message.content]


def in_public(table: Table) -> str:
    """Everything that the bot has ever sent for everybody, as it was sent."""
    public: list[str] = []
    for request in table.env.http_requests:
        body: Any = request.json if request.method in {"POST", "PATCH"} else None
        data: Any = body and body.get("data", body)
        if data and not int(data.get("flags") or 0) & _EPHEMERAL:
            public.append(f"{request.path} {data}")
    return "\n".join(public)
