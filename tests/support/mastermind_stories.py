"""Mastermind in the stories: opening games, pressing, typing."""

from pathlib import Path
from typing import Any

import discord
from discord import ComponentType
from simcord import InteractionResult, MemberActor, ResponseMessage

from engine import Code, score
from tests.support.screen import buttons, custom_ids, reach, seen, text
from tests.support.sql import sql
from tests.support.table import Table


async def opened(table: Table, who: MemberActor, kind: str, **options: Any) -> ResponseMessage:
    """Type `/mastermind` of a kind, and choose *Other settings*; what is seen then."""
    board = seen(await who.slash(table.channel, f"mastermind {kind}"))
    return await changed(who, board, **options) if options else board


async def change_form(
    who: MemberActor, board: ResponseMessage, label: str = "Other settings"
) -> InteractionResult:
    """Press *Other settings*, if need be behind *More*; the form."""
    if label not in buttons(board):
        board = seen(await who.click(board, label="More"))
    return await who.click(board, label=label)


def proposed(form: InteractionResult) -> dict[str, Any]:
    """What a form of *Other settings* proposes."""
    assert form.modal is not None
    fields = [part["component"] for part in form.modal["components"] if "component" in part]
    found: dict[str, Any] = {}
    for field in fields:
        (name, default) = field["custom_id"], field.get("default")
        chosen = [each["value"] for each in field.get("options", ()) if each.get("default")]
        if field["type"] == ComponentType.string_select.value:
            found[name] = chosen
        else:
            found[name] = chosen[0] if chosen else default or (name != "repeats" and "")
    return found


async def changed(
    who: MemberActor, board: ResponseMessage, label: str = "Other settings", **options: Any
) -> ResponseMessage:
    """Choose a setting by *Other settings*; what is seen then. What is not chosen stays."""
    form = await change_form(who, board, label)
    chosen = proposed(form) | options
    chosen["pegs"] = str(chosen["pegs"])
    for name in options.keys() & {"colours", "guesses"}:
        chosen[name] = [str(options[name])]
    return seen(await who.submit_modal(form, chosen))


async def press(
    who: MemberActor, board: ResponseMessage | discord.Message, label: str
) -> ResponseMessage:
    """Press a button, if need be behind *More*; what is seen then."""
    return await reach(who, board, label)


def colour_id(board: ResponseMessage, colour: str) -> str:
    """The id of a colour's button."""
    (found,) = [i for i in custom_ids(board) if ":put:" in i and i.endswith(f":{colour}")]
    return found


async def put(who: MemberActor, board: ResponseMessage, colours: str) -> ResponseMessage:
    """Press colour buttons one after the other."""
    for colour in colours:
        board = seen(await who.click(board, custom_id=colour_id(board, colour)))
    return board


async def typed(
    who: MemberActor, board: ResponseMessage, code: str, label: str = "Guess"
) -> ResponseMessage:
    """Open a form by a button, type a code and send it."""
    form = await who.click(board, label=label)
    return seen(await who.submit_modal(form, {"code": code}))


def fix_secret(folder: Path, secret: str) -> None:
    """Let all open games have this secret."""
    assert secret.isalpha()
    sql(folder, f"update masterminds set secret = '{secret}' where finished_at is null")


def asked(board: ResponseMessage) -> Code:
    """The bot's guess that waits for an answer."""
    (line,) = [line for line in text(board).splitlines() if line.endswith("❔")]
    pegs = line.split("\u2002")[1]
    return pegs.translate(str.maketrans("🔴🟠🟡🟢🔵🟣", "ROYGBP"))


async def answer(who: MemberActor, board: ResponseMessage, secret: str) -> ResponseMessage:
    """Answer the bot's guess truthfully."""
    blacks, whites = score(asked(board), secret)
    board = await press(who, board, str(blacks))
    if "And how many white?" in text(board):
        board = await press(who, board, str(whites))
    return board
