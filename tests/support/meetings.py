"""Set equations and races, as members of a table play them."""

from pathlib import Path
from typing import Any, Final

from simcord import MemberActor, ResponseMessage

from cogs.equations import EquationsCog
from cogs.races import RacesCog
from tests.support.screen import buttons, seen
from tests.support.screen import text as text_of
from tests.support.sql import sql
from tests.support.table import Table

EQUATION: Final = "12+34-5=41"
SECRETS = {"focdle": "12+34-5=41", "mastermind": "RYGB", "bulls": "4325"}


def text(message: ResponseMessage) -> str:
    """All texts of a message, without what keeps names from turning lines around."""
    return text_of(message).translate({0x2068: None, 0x2069: None})


def cleo(table: Table) -> MemberActor:
    return table.world.members[2]


async def guess(who: MemberActor, board: ResponseMessage, typed: str) -> ResponseMessage:
    """Guess by the form; what is seen then."""
    label = "Guess" if "Guess" in buttons(board) else "Edit"
    form = await who.click(board, label=label)
    return seen(await who.submit_modal(form, {"guess": typed}))


async def set_one(
    table: Table, equation: str = EQUATION, by: MemberActor | None = None, **options: Any
) -> ResponseMessage:
    """Ann, or another member, sets an equation; what is seen then."""
    setter = by or table.ann
    asked = await setter.slash(table.channel, "equation", **options)
    if asked.modal is None:
        return seen(asked)
    return seen(await setter.submit_modal(asked, {"equation": equation}))


async def play(who: MemberActor, board: ResponseMessage) -> ResponseMessage:
    return seen(await who.click(board, label="Play"))


async def more(who: MemberActor, board: ResponseMessage) -> ResponseMessage:
    return seen(await who.click(board, label="More"))


async def publish(table: Table) -> None:
    """Let the clock do its round, when edits are due."""
    table.clock.advance(seconds=5)
    await table.rounds(table.cog(EquationsCog).publish)


async def publish_races(table: Table) -> None:
    """Let the clock do its round for races, and wait for the updates that it begins."""
    await table.rounds(table.cog(RacesCog).publish)


def twenty(table: Table) -> list[MemberActor]:
    """Twenty members more."""
    users = [table.env.create_user(f"player{n}", global_name=f"Player {n}") for n in range(20)]
    return [table.ann.guild.add_member(user) for user in users]


class Track:
    """A race of a table's members."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.table = table
        self.folder = folder
        self.post: ResponseMessage
        sql(folder, "DELETE FROM pulses")  # as if the bot were there all the time

    async def open(
        self, who: MemberActor | None = None, game: str = "focdle", **options: Any
    ) -> ResponseMessage:
        """Let somebody open a race, whose secret is known; what is seen then."""
        opener = who or self.table.ann
        found = await opener.slash(self.table.channel, "race", game=game, **options)
        self.post = seen(found)
        if game in SECRETS and "length" not in options:
            sql(self.folder, f"UPDATE races SET secret = '{SECRETS[game]}' WHERE ending IS NULL")
        return self.post

    async def press(self, who: MemberActor, label: str) -> ResponseMessage:
        return seen(await who.click(self.post, label=label))

    async def begin(self, *others: MemberActor, game: str = "focdle") -> list[ResponseMessage]:
        """Let Ann open a race, others join, and Ann start it; everybody's boards."""
        await self.open(game=game)
        for each in others:
            await self.press(each, "Join")
        boards = [await self.press(self.table.ann, "Start")]
        await self.publish()
        return [*boards, *[await self.press(each, "Play") for each in others]]

    async def publish(self, seconds: float = 2) -> None:
        """Let the clock do its round, when edits are due."""
        self.table.clock.advance(seconds=seconds)
        await publish_races(self.table)

    async def restart(self) -> None:
        """Restart the bot, which is there all the time as far as it knows."""
        await self.table.restart()
        sql(self.folder, "DELETE FROM pulses")

    def edits(self) -> int:
        """How often the post was edited."""
        path = f"/messages/{self.post.id}"
        requests = self.table.env.http_requests
        return sum(each.method == "PATCH" and each.path.endswith(path) for each in requests)
