"""Duels in the stories: pressing, typing, the clock's rounds, what everybody can see."""

import re
from pathlib import Path
from typing import Any

import discord
from simcord import InteractionResult, MemberActor, ResponseMessage

from bot.app import CodebreakerBot
from cogs.duels.clock import DuelClockCog
from tests.support.screen import seen, text
from tests.support.sql import sql
from tests.support.table import Table

NUMBERS = ("0123", "4567")
"""What Ann sets, and what Ben does."""
WRONG = ("9876", "9875", "9874", "9873", "9872", "9871")
"""Guesses that are wrong for both."""

_EPHEMERAL = 64

Message = ResponseMessage | discord.Message


async def challenge(table: Table, **options: Any) -> ResponseMessage:
    """Ann challenges Ben, at live pace unless told otherwise; the public board."""
    options = {"pace": "live", **options}
    return seen(await table.ann.slash(table.channel, "duel", opponent=table.ben, **options))


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


async def challenge_to_race(table: Table, folder: Path, **options: Any) -> ResponseMessage:
    """A challenge to a race that stands, of when there were some."""
    board = await challenge(table, **options)
    sql(folder, "UPDATE duels SET mode = 'race'")
    return board


async def setting(table: Table, **options: Any) -> ResponseMessage:
    """A duel in turns that was accepted."""
    return await press(table.ben, await challenge(table, **options), "Accept")


async def playing(table: Table, **options: Any) -> ResponseMessage:
    """A duel in turns with both numbers set."""
    board = await setting(table, **options)
    for who, number in zip((table.ann, table.ben), NUMBERS, strict=True):
        board = await typed(who, board, number, "Set my number")
    return board


def to_move(table: Table, board: ResponseMessage) -> tuple[MemberActor, MemberActor]:
    """Who may guess by what the board says, and the other."""
    found = re.search(r"<@(\d+)> (?:goes first|to guess|has one guess left)", text(board))
    assert found, text(board)
    ann, ben = table.ann, table.ben
    return (ann, ben) if int(found[1]) == ann.id else (ben, ann)


def number_of(table: Table, who: MemberActor) -> str:
    """The number that a player has set."""
    return NUMBERS[0] if who is table.ann else NUMBERS[1]


def clock_of(table: Table) -> DuelClockCog:
    """The clock of the duels."""
    assert isinstance(table.env.bot, CodebreakerBot)
    cog = table.env.bot.get_cog("DuelClockCog")
    assert isinstance(cog, DuelClockCog)
    return cog


async def beat(table: Table, seconds: float = 0) -> None:
    """Let the clock of the duels do its rounds, some time later."""
    table.clock.advance(seconds=seconds)
    cog = clock_of(table)
    await cog.beat()
    await cog.nudge()
    await table.env.settle()


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
