"""A table whose server gives a role to champions: what stories of them are told with."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
from simcord import MemberActor, ResponseMessage, RoleHandle

from cogs.champions import ChampionsCog
from cogs.posts.delivery import PostsCog
from tests.support.screen import custom_ids, seen
from tests.support.sql import sql
from tests.support.table import Table

SUNDAY, MONDAY = "2026-11-22T12:00", "2026-11-23T00:31"
"""The last day of the first week, and when it has closed."""


class Court:
    """A table with a role, and Ann, who may manage the server and give the role."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.table = table
        self.folder = folder
        guild = table.ann.guild
        self.role = guild.create_role(
            "Champion", permissions=discord.Permissions(self.everybody.permissions)
        )
        self.host = self.let(table.ann, manage_guild=True, manage_roles=True)

    @property
    def guild_id(self) -> int:
        return self.table.ann.guild.id

    @property
    def everybody(self) -> Any:
        return self.table.env.backend.get_role(self.guild_id, self.guild_id)

    def let(self, who: MemberActor, **permissions: bool) -> RoleHandle:
        """Give a member a role with these permissions, above the champion's."""
        backend = self.table.env.backend
        role = who.guild.create_role("Host", permissions=discord.Permissions(**permissions))
        backend.add_member_role(self.guild_id, who.id, role.id)
        above = [{"id": role.id, "position": 3}, {"id": self.role.id, "position": 1}]
        backend.reorder_roles(self.guild_id, above)
        return role

    def at(self, moment: str) -> None:
        """Let it be another time, through which the bot was there."""
        self.table.clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))
        sql(self.folder, "DELETE FROM pulses")

    async def solve(self, who: MemberActor, guesses: int = 2, *, solved: bool = True) -> None:
        """Let a member play the day's puzzle to its end."""
        await self.seen(who)
        daily = self.table.services.daily
        play = await daily.open(who.id, self.guild_id)
        wrong = [f"1{n}+34-5={39 + n}" for n in range(6)]
        for typed in wrong[: guesses - solved]:
            play = await daily.guess(who.id, play.id, typed, as_probe=True)
        if solved:
            await daily.guess(who.id, play.id, play.game.secret)

    async def seen(self, who: MemberActor) -> None:
        members = self.table.services.standings.members
        await members.seen(who.id, who.name, guild_id=self.guild_id, guild_name=who.name)

    async def panel(self, who: MemberActor | None = None) -> ResponseMessage:
        """Open the page of the role."""
        who = who or self.table.ann
        settings = seen(await who.slash(self.table.channel, "settings"))
        return seen(await who.click(settings, label="Champion's role"))

    async def choose(
        self, role: RoleHandle | None = None, who: MemberActor | None = None
    ) -> ResponseMessage:
        """Choose a role; what is seen then."""
        who, panel = who or self.table.ann, await self.panel(who)
        (listed,) = [each for each in custom_ids(panel) if each.startswith("set:champion:role:")]
        return seen(await who.select(panel, [role or self.role], custom_id=listed))

    async def rounds(self, times: int = 1) -> None:
        """Let the bot look what is due."""
        for _ in range(times):
            await self.table.rounds(self.table.cog(ChampionsCog).crown)

    async def post(self) -> None:
        """Let the bot send a due daily post."""
        await self.table.rounds(self.table.cog(PostsCog).post)

    def has(self, who: MemberActor, role: RoleHandle | None = None) -> bool:
        member = self.table.env.backend.get_guild(self.guild_id).members.get(who.id)
        return member is not None and (role or self.role).id in member.role_ids

    def wearers(self) -> list[int]:
        rows = sql(self.folder, "SELECT player_id FROM champions ORDER BY player_id")
        return [player_id for (player_id,) in rows]

    def calls(self, method: str) -> int:
        """How often Discord was asked to give the role, or to take it."""
        requests = self.table.env.http_requests
        path = f"/roles/{self.role.id}"
        return sum(each.method == method and each.path.endswith(path) for each in requests)
