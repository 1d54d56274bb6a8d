"""Playing Mastermind in the stories, and games made up for looking at boards."""

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
from simcord import MemberActor, ResponseMessage

from bot.presentation.peg_pictures import names
from bot.presentation.pegs import Pegs
from bot.services.fairness import commitment
from bot.services.mastermind.game import Ending, Kind, MastermindGame, Stage
from engine import Code, Mastermind, Turn
from tests.support.plays import NOON
from tests.support.screen import custom_ids, seen
from tests.support.sql import sql
from tests.support.table import Table

PEGS = Pegs({name: f"<:{name}:{2**63 + n}>" for n, name in enumerate(names())})
"""The whole set, under ids as long as they get."""
LARGEST = Mastermind(10, 6, repeats=True, max_guesses=13)


async def opened(table: Table, who: MemberActor, kind: str, **options: Any) -> ResponseMessage:
    """Type `/mastermind` of a kind; what it answers."""
    return seen(await who.slash(table.channel, f"mastermind {kind}", **options))


async def press(
    who: MemberActor, board: ResponseMessage | discord.Message, label: str
) -> ResponseMessage:
    """Press a button; what is seen then."""
    return seen(await who.click(board, label=label))


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
    who: MemberActor, board: ResponseMessage, text: str, label: str = "Type it"
) -> ResponseMessage:
    """Open a form by a button, type a code and send it."""
    form = await who.click(board, label=label)
    return seen(await who.submit_modal(form, {"code": text}))


def fix_secret(folder: Path, secret: str) -> None:
    """Let all open games have this secret."""
    assert secret.isalpha()
    sql(folder, f"update masterminds set secret = '{secret}' where finished_at is null")  # noqa: S608


def a_game(kind: Kind, rules: Mastermind, turns: int, **fields: Any) -> MastermindGame:
    """A game that has gone on for some turns, with drawn codes."""
    rng = random.Random(f"{rules} {turns}")
    secret, *guesses = (rules.draw(rng) for _ in range(turns + 1))
    made = tuple(Turn(Code(g), rules.feedback(g, secret)) for g in guesses)
    ending = fields.get("ending")
    values: dict[str, Any] = {
        "id": 2**31,
        "kind": kind,
        "rules": rules,
        "owner_id": 2**63,
        "codebreaker_id": 2**63 + 1 if kind is Kind.CHALLENGE else None,
        "turns": made,
        "pending": "",
        "stage": Stage.OVER if isinstance(ending, Ending) else Stage.PLAYING,
        "ending": None,
        "secret": secret if ending else None,
        "sealed": False,
        "guess": None,
        "blacks": None,
        "guild_id": 1,
        "channel_id": 2,
        "message_id": 3,
        "opened_at": NOON,
        "deadline_at": NOON + timedelta(days=1),
        "commitment": commitment(f"mastermind {2**31}", secret, "f" * 32, is_open=bool(ending)),
    }
    return MastermindGame(**(values | fields))
