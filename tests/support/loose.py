"""Buttons in a message of their own, where anybody can press them."""

from typing import Any

import discord
from discord import ui

from bot.playground.world import World


class Loose(ui.LayoutView):
    """Buttons outside the message they belong to."""

    def __init__(self, *items: ui.Item[Any]) -> None:
        super().__init__(timeout=None)
        for start in range(0, len(items), 5):
            row = ui.ActionRow[ui.LayoutView]()
            for item in items[start : start + 5]:
                row.add_item(item)
            self.add_item(row)


async def post(world: World, *items: ui.Item[Any]) -> discord.Message:
    """Let the bot post buttons where everybody can press them."""
    channel = world.env.bot.get_channel(world.channels[0].id)
    assert isinstance(channel, discord.TextChannel)
    message = await channel.send(view=Loose(*items))
    await world.env.settle()
    return message
